import { find, control, make, setText } from './dom.js';
import { link } from './link.js';

// The sounds that a channel may have, found by typing.

const dialog = find('sounds'), list = find('sound-list'), search = control('find-sound');
const most = 150, hasMouse = matchMedia('(hover: hover)');
let all = null, target = null;

/** Opens the dialog that chooses a sound for a channel. */
export async function chooseSound(number, channel) {
  target = { number, bank: channel?.bank, program: channel?.program };
  setText(find('sounds-title'), `Sound of channel ${number}`);
  search.value = '';
  dialog.showModal();
  // A phone's own keyboard would cover the list.
  if (hasMouse.matches) search.focus();
  all ??= (await link.get('/api/sounds'))?.sounds ?? null;
  showMatches();
}

/** Whether each word that was typed is in the name, or is the program's number. */
function matches(sound, words) {
  const name = sound.name.toLowerCase();
  return words.every((word) =>
    name.includes(word) || String(sound.program + 1) === word || (word === 'drums' && sound.isDrums));
}

function showMatches() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (all ?? []).filter((sound) => matches(sound, words));
  list.replaceChildren(...found.slice(0, most).map(row));
  const rest = found.length - most;
  const none = all === null ? 'The sounds could not be read.'
    : all.length === 0 ? 'The songs choose their sounds themselves; a live session lets you choose others.'
      : 'No sound has such a name.';
  setText(find('sound-count'), found.length === 0 ? none : rest > 0 ? `${rest} more: type to find them.` : '');
  list.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
}

function row(sound) {
  const isCurrent = sound.bank === target.bank && sound.program === target.program;
  const place = sound.isDrums ? `drums ${sound.program + 1}` : `${sound.bank}:${sound.program + 1}`;
  const button = make('button', { does: 'sound' }, make('span', {}, sound.name), make('span', { className: 'soft' }, place));
  if (isCurrent) button.setAttribute('aria-current', 'true');
  button.onclick = async () => {
    const answer = await link.send(`program ${target.number} ${sound.bank} ${sound.program}`);
    if (answer.isOk) dialog.close();
  };
  return make('li', {}, button);
}

search.oninput = showMatches;
search.onkeydown = (event) => {
  if (event.key === 'Enter') list.querySelector('button')?.click();
  if (event.key === 'ArrowDown') list.querySelector('button')?.focus();
};
list.onkeydown = (event) => {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
  if (!step) return;
  event.preventDefault();
  document.activeElement.closest('li')?.[step]?.firstChild.focus();
};
control('close-sounds').onclick = () => dialog.close();
link.on('open', () => { all = null; });
