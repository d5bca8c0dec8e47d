import { find, control, make, setText, setShown, setPressed, setEnabled, isNews } from './dom.js';
import { link } from './link.js';
import { quoted, keyName } from './format.js';

// Large buttons for a stage: scenes, cues and layers; the set list, and what the calendar says.

function showPads(section, pads, names, does, press) {
  setShown(section, names.length > 0);
  if (!isNews(pads, names)) return;
  pads.replaceChildren(...names.map((name) => {
    const pad = make('button', { className: 'pad', does, 'aria-pressed': 'false' }, name);
    pad.dataset.name = name;
    pad.onclick = () => link.send(press(name, pad));
    return pad;
  }));
}

function showScenes({ scenes, scene }) {
  showPads(find('scenes'), find('scene-pads'), scenes, 'scene', (name) => `scene ${quoted(name)}`);
  for (const pad of find('scene-pads').children) setPressed(pad, pad.dataset.name === scene);
}

function showCues(house) {
  const cues = house?.cues ?? [];
  showPads(find('cues'), find('cue-pads'), cues.map((cue) => cue.name), 'cue', (name, pad) =>
    `${pad.getAttribute('aria-pressed') === 'true' ? 'release cue' : 'cue'} ${quoted(name)}`);
  cues.forEach((cue, index) => setPressed(find('cue-pads').children[index], cue.isPlaying));
}

function showLayers(layers) {
  showPads(find('layers'), find('layer-pads'), layers.map((layer) => layer.name), 'layer', (name, pad) =>
    `layer ${quoted(name)} ${pad.getAttribute('aria-pressed') === 'true' ? 'off' : 'on'}`);
  layers.forEach(({ name, state }, index) => {
    const pad = find('layer-pads').children[index], waits = { coming: ' (next bar)', going: ' (ends)' }[state] ?? '';
    setPressed(pad, state === 'coming' || state === 'on');
    setText(pad, name + waits);
  });
}

function showHouse(house) {
  setShown(find('house'), Boolean(house));
  if (!house) return;
  const now = house.isOpen ? [house.isStopped ? 'Stopped by hand' : house.isPaused ? 'Paused' : 'Open', house.playlist].filter(Boolean).join(': ') : 'Closed';
  const level = house.isOpen && house.level ? `, ${String(house.level).replace('-', '−')} dB` : '';
  setText(find('house-now'), now + level);
  setText(find('house-next'), house.next ? `Next: ${house.next.what}, ${day(house.next.at)}` : 'Nothing else is planned.');
}

/** A date as one says it: the hour alone where it is today. */
function day(text) {
  const [date, time] = text.split(' '), at = new Date(`${date}T${time}`), now = new Date();
  const hour = time.slice(0, 5), days = Math.round((at.setHours(0, 0, 0, 0) - now.setHours(0, 0, 0, 0)) / 86400000);
  if (days === 0) return `today at ${hour}`;
  if (days === 1) return `tomorrow at ${hour}`;
  return days > 0 && days < 7 ? `${new Date(`${date}T12:00`).toLocaleDateString('en', { weekday: 'long' })} at ${hour}`
    : `${date} at ${hour}`;
}

function showPatches(patches) {
  setShown(find('patches'), Boolean(patches));
  if (!patches) return;
  setText(find('patch-name'), `${patches.number} of ${patches.count}: ${patches.name}`);
  const next = patches.next ? `Next: ${patches.next}${patches.isNextReady ? '' : ', being made ready'}` : 'The last one.';
  setText(find('patch-next'), patches.wanted ? `${patches.wanted} is being made ready.` : next);
  setEnabled(control('patch-next'), Boolean(patches.next));
  setEnabled(control('patch-previous'), patches.number > 1);
}

function showSounding({ notes, voices }) {
  const keys = [...new Set(notes.map((note) => note.key))].sort((a, b) => a - b).slice(0, 12).map(keyName);
  const count = `${voices} ${voices === 1 ? 'voice' : 'voices'}`;
  setText(find('sounding'), keys.length > 0 ? `${keys.join(' ')} · ${count}` : voices > 0 ? `${count} ringing` : 'Silence.');
}

link.on('status', (status) => {
  showScenes(status);
  showCues(status.house);
  showLayers(status.layers);
  showHouse(status.house);
  showPatches(status.patches);
  showSounding(status);
});
control('patch-next').onclick = () => link.send('patch next');
control('patch-previous').onclick = () => link.send('patch previous');
