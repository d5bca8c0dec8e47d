import { find, control, make, setText, setShown, setEnabled, isNews } from './dom.js';
import { link } from './link.js';
import { plural } from './format.js';
import { twice } from './twice.js';

// The looper: a row for each loop, and one for the next empty track.

const list = find('loop-list');

/** What the large button of a track does next. */
const next = {
  empty: 'record', recording: 'play', playing: 'overdub', overdubbing: 'play', replacing: 'play', stopped: 'play',
};
const words = { record: 'Record', play: 'Play', overdub: 'Overdub' };

function row({ track }) {
  const button = (does, text) => make('button', { className: 'choice', does: `loop-${does}` }, make('span', {}, text));
  const go = button('go', ''), undo = button('undo', 'Undo'), stop = button('stop', 'Stop'), clear = button('clear', 'Clear');
  go.onclick = () => link.send(`looper ${go.dataset.action} ${track}`);
  undo.onclick = () => link.send(`looper undo ${track}`);
  stop.onclick = () => link.send(`looper stop ${track}`);
  for (const [one, name] of [[undo, 'Undo'], [stop, 'Stop'], [clear, 'Clear']]) one.setAttribute('aria-label', `${name} loop ${track}`);
  twice(clear, () => link.send(`looper clear ${track}`));
  return make('li', {}, make('span', { className: 'words' }, make('b', {}), make('span', { className: 'soft' })),
    make('span', { className: 'buttons' }, go, undo, stop, clear));
}

function update(element, { track, kind, state, coming, isMuted, seconds, beats, layers }) {
  const isEmpty = state === 'empty', go = control('loop-go', element), action = next[state];
  element.className = state;
  setText(element.querySelector('b'), kind === 'midi' ? `Loop ${track}, MIDI` : `Loop ${track}`);
  const length = isEmpty ? '' : `${seconds.toFixed(1)} s, ${beats.toFixed(beats % 1 < 0.05 ? 0 : 1)} beats, ${plural(layers, 'layer')}`;
  const shown = coming ? `${state}, then ${coming}` : isMuted ? 'muted' : state;
  setText(element.querySelector('.soft'), isEmpty ? (coming ? shown : '') : `${shown} · ${length}`);
  go.dataset.action = action;
  setText(go.firstChild, words[action]);
  go.setAttribute('aria-label', `${words[action]} loop ${track}`);
  for (const does of ['undo', 'stop', 'clear']) setShown(control(`loop-${does}`, element), !isEmpty);
  setEnabled(control('loop-stop', element), state !== 'stopped');
}

link.on('status', ({ loops, house }) => {
  setShown(find('loops'), !house);
  const all = loops.length > 0 ? loops : [{ track: 1, state: 'empty' }];
  const free = all.find(({ state }) => state === 'empty');
  const shown = all.filter((loop) => loop.state !== 'empty' || loop.coming || loop === free);
  if (isNews(list, shown.map(({ track }) => track))) list.replaceChildren(...shown.map(row));
  shown.forEach((loop, index) => update(list.children[index], loop));
});
