import { find, control, make, setText, setShown, setPressed, setEnabled, isNews } from './dom.js';
import { link } from './link.js';
import { quoted, keyName } from './format.js';
import { houseWords } from './house.js';

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
  cues.forEach((cue, index) => {
    const pad = find('cue-pads').children[index];
    setPressed(pad, cue.isPlaying);
    setEnabled(pad, house.activity.state !== 'closed');
  });
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
  const words = houseWords(house, Date.now());
  setText(find('house-now'), words.state);
  setText(find('house-since'), words.detail);
  setText(find('house-next'), words.next);
  setText(find('house-play'), words.play);
  setShown(find('house-play'), words.play !== '');
}

function showPatches(patches) {
  setShown(find('patches'), Boolean(patches));
  if (!patches) return;
  setText(find('patch-name'), `${patches.number} of ${patches.count}: ${patches.name}`);
  const next = patches.next ? `Next: ${patches.next}${patches.isNextReady ? '' : ', not ready yet'}` : 'This is the last one.';
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
  document.body.classList.toggle('in-house', Boolean(status.house));
  document.body.classList.toggle('closed', status.house?.activity.state === 'closed');
  showScenes(status);
  showCues(status.house);
  showLayers(status.layers);
  showHouse(status.house);
  showPatches(status.patches);
  showSounding(status);
});
control('patch-next').onclick = () => link.send('patch next');
control('patch-previous').onclick = () => link.send('patch previous');
