import { find, control, make, setText, setPressed, setEnabled, isNews, isShown } from './dom.js';
import { link } from './link.js';
import { keyName, isBlack, signed } from './format.js';
import { channelColour } from './canvas.js';
import { chooseSound } from './sounds.js';

// Keys to touch: as many octaves as there is room for, and a note for each finger.

const board = find('keyboard'), channels = control('key-channel');
const letters = 'awsedftgyhujkolp';
const narrowest = 44;

let octave = 4, status = null, count = 0, focusKey = 60;
const fingers = new Map();

const channel = () => Number(channels.value || 1);

// MARK: notes

function strike(finger, key, velocity) {
  const held = fingers.get(finger);
  if (held?.key === key) return;
  fingers.set(finger, { key, channel: channel() });
  if (held) end(held);
  mark(key, true);
  link.send(`press ${channel()} ${key} ${velocity}`);
}

function lift(finger) {
  const held = fingers.get(finger);
  if (!held) return;
  fingers.delete(finger);
  end(held);
}

/** Ends a note, unless another finger is on the same key. A hand that vanishes, phone and all, is lifted by the gateway. */
function end({ key, channel: its }) {
  if ([...fingers.values()].some((other) => other.key === key && other.channel === its)) return;
  mark(key, false);
  link.send(`lift ${its} ${key}`);
}

export function liftAll() {
  if (fingers.size === 0) return;
  const held = [...fingers.values()];
  fingers.clear();
  for (const one of held) end(one);
}

const keyElement = (key) => board.querySelector(`[data-key="${key}"]`);

function mark(key, isPressed) { keyElement(key)?.classList.toggle('pressed', isPressed); }

// MARK: fingers

/** Low on the key is loud, as on a drum's rim: 30 on top, 120 at the bottom. */
function velocity(element, y) {
  const { top, height } = element.getBoundingClientRect();
  return Math.round(30 + 90 * Math.min(1, Math.max(0, (y - top) / height)));
}

function keyAt(event) {
  const element = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-key]');
  return element && board.contains(element) ? element : null;
}

board.addEventListener('pointerdown', (event) => {
  const element = keyAt(event);
  if (!element || element.disabled) return;
  // The touch would stay with its first key: a glissando needs to know the next one.
  if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  strike(event.pointerId, Number(element.dataset.key), velocity(element, event.clientY));
});
addEventListener('pointermove', (event) => {
  if (!fingers.has(event.pointerId)) return;
  const element = keyAt(event);
  if (element) strike(event.pointerId, Number(element.dataset.key), velocity(element, event.clientY));
});
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, (event) => lift(event.pointerId));
board.addEventListener('contextmenu', (event) => event.preventDefault());

// MARK: a computer's keys

board.addEventListener('keydown', (event) => {
  const key = Number(event.target.dataset.key);
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 12, ArrowDown: -12, Home: -200, End: 200 }[event.key];
  if (step) {
    event.preventDefault();
    focusOn(Math.max(lowest(), Math.min(lowest() + count - 1, key + step)));
  } else if ((event.key === ' ' || event.key === 'Enter') && !event.repeat) {
    event.preventDefault();
    strike('focus', key, 90);
  }
});
board.addEventListener('keyup', (event) => { if (event.key === ' ' || event.key === 'Enter') lift('focus'); });
board.addEventListener('focusout', () => lift('focus'));

function focusOn(key) {
  keyElement(focusKey)?.setAttribute('tabindex', '-1');
  focusKey = key;
  keyElement(key)?.setAttribute('tabindex', '0');
  keyElement(key)?.focus();
}

const isTyping = (target) => target.closest?.('input:not([type=range]), select, textarea, dialog');

addEventListener('keydown', (event) => {
  const place = letters.indexOf(event.key.toLowerCase());
  if (place < 0 || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (isShown(board) && link.role !== 'reader') strike(event.code, Math.min(127, (octave + 1) * 12 + place), 90);
});
addEventListener('keyup', (event) => lift(event.code));
addEventListener('blur', liftAll);

// MARK: drawing

// Of several octaves the chosen one is in the middle.
let octaves = 1;
const lowest = () => Math.max(0, (octave + 1 - Math.floor((octaves - 1) / 2)) * 12);

function build() {
  const whites = Math.max(8, Math.min(29, Math.floor(board.clientWidth / narrowest)));
  octaves = Math.floor((whites - 1) / 7);
  count = octaves * 12 + 1;
  const all = Array.from({ length: count }, (_, index) => lowest() + index).filter((key) => key <= 127);
  if (!isNews(board, all)) return;
  liftAll();
  focusKey = Math.max(lowest(), Math.min(all.at(-1), focusKey));
  let white = 0;
  const wide = 100 / all.filter((key) => !isBlack(key)).length;
  board.replaceChildren(...all.map((key) => {
    const element = make('button', { className: isBlack(key) ? 'key black' : 'key', does: 'key', 'aria-label': keyName(key),
      tabIndex: key === focusKey ? 0 : -1 }, key % 12 === 0 ? keyName(key) : '');
    element.dataset.key = key;
    element.style.left = `${isBlack(key) ? white * wide - wide * 0.31 : white * wide}%`;
    element.style.width = `${isBlack(key) ? wide * 0.62 : wide}%`;
    if (!isBlack(key)) white += 1;
    return element;
  }));
}

function showChannels() {
  const list = status.channels.length > 0 ? status.channels : [{ number: 1, sound: null }];
  if (!isNews(channels, list.map(({ number, sound }) => [number, sound]))) return;
  const chosen = channels.value;
  channels.replaceChildren(...list.map(({ number, sound }) =>
    make('option', { value: String(number) }, sound ? `${number} ${sound}` : String(number))));
  if (chosen) channels.value = chosen;
}

function show() {
  showChannels();
  const sounding = new Map();
  for (const note of status.notes) if (!status.song || note.channel === channel()) sounding.set(note.key, note.channel);
  for (const element of board.children) {
    const its = sounding.get(Number(element.dataset.key));
    if (element.soundsOn === its) continue;
    element.soundsOn = its;
    element.classList.toggle('sounding', its !== undefined);
    element.style.setProperty('--channel', its ? channelColour(its) : '');
  }
  setText(find('key-transpose'), signed(status.keyTranspose));
  setPressed(control('metronome'), Boolean(status.metronome?.isRunning));
  setText(find('keys-tempo'), String(Math.round(status.tempo)));
  setEnabled(control('key-sound'), status.channels.some((one) => one.number === channel()));
}

function shift(by) {
  octave = Math.max(0, Math.min(8, octave + by));
  setText(find('octave'), String(octave));
  build();
}

function beat(by) {
  if (status) link.send(`tempo ${Math.max(20, Math.min(400, Math.round(status.tempo) + by))}bpm`);
}

link.on('status', (news) => { status = news; if (isShown(board)) show(); });
control('octave-up').onclick = () => shift(1);
control('octave-down').onclick = () => shift(-1);
control('keys-higher').onclick = () => link.send(`keys ${(status?.keyTranspose ?? 0) + 1}`);
control('keys-lower').onclick = () => link.send(`keys ${(status?.keyTranspose ?? 0) - 1}`);
control('metronome').onclick = () => link.send(`metronome ${status?.metronome?.isRunning ? 'off' : 'on'}`);
control('tempo-faster').onclick = () => beat(4);
control('tempo-slower').onclick = () => beat(-4);
control('key-sound').onclick = () => chooseSound(channel(), status?.channels.find((one) => one.number === channel()));
channels.onchange = liftAll;
new ResizeObserver(() => { if (isShown(board)) build(); }).observe(board);
