import { find, control, make, setText, setShown, setEnabled, isNews } from './dom.js';
import { link } from './link.js';
import { clock } from './format.js';

// The view for a stage, to be read from two metres: patch, bar and beat, words and chords, loops, buttons, zones.

/** A share as CSS has it. */
const css = (share) => `${(100 * share).toFixed(1)}%`, quietest = -60;

function showHead({ patches, song, metronome, tempo, scene, zones, capture, captureFault, isLocked }) {
  setText(find('stage-name'), patches?.name ?? zones[0]?.name ?? song?.name ?? 'Carillon');
  setText(find('stage-place'), patches ? `${patches.number}/${patches.count}` : '');
  const next = patches?.wanted ? `coming: ${patches.wanted}` : patches?.next ? `next: ${patches.next}` : patches ? 'last' : '';
  setText(find('stage-next'), next);
  const recorded = captureFault ? 'Not recorded' : capture ? 'REC' : '';
  setText(find('stage-state'), [recorded, isLocked ? 'locked' : ''].filter(Boolean).join(' · '));
  const counts = metronome?.isRunning && (!song?.isPlaying || song.isCountedIn) ? metronome : song ?? {};
  setText(find('stage-beat'), counts.bar === undefined ? '' : `${counts.bar}:${counts.beat}`);
  const parts = [song && song.name, song && `${song.state} ${clock(song.seconds)} / ${clock(song.length)}`, scene && `scene ${scene}`];
  setText(find('stage-song'), [...parts, `${Math.round(tempo)} bpm`].filter(Boolean).join(' · '));
}

function line({ chords, words, isComment }) {
  const row = make('p', { className: isComment ? 'comment' : 'row' });
  if (!chords) row.append(words || '\u00a0');
  // A chord stays above its syllable where a line breaks.
  const found = [...(chords ?? '').matchAll(/\S+/g)], letters = [...words];
  const starts = found.map(({ index }, place) => (place === 0 ? 0 : index));
  found.forEach(([chord], place) => {
    const indent = place === 0 ? ' '.repeat(found[0].index) : '';
    row.append(make('span', { className: 'pair' }, make('span', { className: 'chords' }, `${indent}${chord} `), '\n',
      letters.slice(starts[place], starts[place + 1]).join('') || '\u00a0'));
  });
  return row;
}

function showText({ text, lyrics }) {
  const place = find('stage-text');
  const shown = text ? [text.part, text.number, text.lines, text.ahead] : lyrics;
  if (!isNews(place, shown ?? null)) return;
  if (text) {
    const after = text.parts[text.number];
    place.replaceChildren(
      make('h3', {}, text.parts.length > 1 ? `${text.part} ${text.number}/${text.parts.length}` : text.part),
      ...text.lines.map(line),
      make('div', { className: 'ahead' }, ...(after ? [make('h3', {}, `then ${after}`)] : []), ...text.ahead.map(line)));
    place.scrollTop = 0;
  } else if (lyrics) {
    place.replaceChildren(
      make('p', {}, make('b', {}, lyrics.sung), lyrics.toCome), make('p', { className: 'ahead' }, lyrics.next));
  } else {
    place.replaceChildren();
  }
}

function showLoops(loops) {
  const shown = loops.filter(({ state, coming }) => state !== 'empty' || coming);
  const list = find('stage-loops');
  setShown(list, shown.length > 0);
  const states = shown.map(({ track, kind, state, coming, isMuted }) => [
    kind === 'midi' ? `${track} midi` : String(track), isMuted ? 'muted' : state, coming ? `, then ${coming}` : '',
  ]);
  if (isNews(list, states)) {
    list.replaceChildren(...states.map(([track, state, coming]) =>
      make('li', { className: state }, make('b', {}, track), state + coming)));
  }
  shown.forEach(({ position, seconds }, index) => {
    list.children[index].style.setProperty('--share', css(seconds > 0 ? position / seconds : 0));
  });
}

function showButtons(buttons) {
  const list = find('stage-buttons');
  setShown(list, buttons.length > 0);
  if (!isNews(list, buttons)) return;
  list.replaceChildren(...buttons.map(({ button, request }) => make('li', {}, make('span', {}, button), request)));
}

function showZones({ zones, channels }) {
  const list = find('stage-zones');
  setShown(list, zones.length > 0);
  const rows = zones.map((zone) => {
    const channel = channels.find(({ number }) => number === zone.channel);
    return { ...zone, sound: zone.sound ?? zone.plays ?? channel?.sound ?? '', peak: channel?.peak ?? null };
  });
  if (isNews(list, rows.map(({ peak, ...zone }) => zone))) {
    list.replaceChildren(...rows.map(({ name, keys, sound, isHeard }) => make('li', { className: isHeard ? '' : 'off' },
      make('b', {}, name), make('span', {}, keys), make('span', {}, isHeard ? sound : `${sound} (off)`), make('i'))));
  }
  rows.forEach(({ peak }, index) => {
    const share = peak === null ? 0 : Math.min(1, Math.max(0, 1 - peak / quietest));
    list.children[index].style.setProperty('--share', css(share));
  });
}

link.on('status', (status) => {
  if (document.body.dataset.view !== 'stage') return;
  showHead(status);
  showText(status);
  showLoops(status.loops);
  showButtons(status.buttons);
  showZones(status);
  setEnabled(control('part-next'), Boolean(status.text && status.text.number < status.text.parts.length));
  setEnabled(control('part-previous'), Boolean(status.text && status.text.number > 1));
  setShown(control('stage-toggle'), Boolean(status.song));
  setText(control('stage-toggle'), status.song?.isPlaying && !status.song.hasEnded ? 'Pause' : 'Play');
  setEnabled(control('stage-next'), Boolean(status.patches?.next));
  setEnabled(control('stage-previous'), Boolean(status.patches && status.patches.number > 1));
});

for (const [does, request] of Object.entries({
  'part-next': 'part next', 'part-previous': 'part previous', 'stage-toggle': 'toggle',
  'stage-next': 'patch next', 'stage-previous': 'patch previous',
})) control(does).onclick = () => link.send(request);

// The whole screen, where the browser gives it.

document.querySelector('.views [data-view=stage]').addEventListener('click', () => {
  document.documentElement.requestFullscreen?.().catch(() => { /* Then it has the page. */ });
});

function leave() {
  if (document.fullscreenElement) document.exitFullscreen();
  document.querySelector('.views [data-view=mixer]').click();
}

control('leave-stage').onclick = leave;
document.addEventListener('fullscreenchange', () => {
  if (!document.fullscreenElement && document.body.dataset.view === 'stage') leave();
});
