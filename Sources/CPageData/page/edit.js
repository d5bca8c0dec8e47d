import { find, control, setEnabled, setPressed, setShown, setText } from './dom.js';
import { keyName } from './format.js';
import { link } from './link.js';
import { say } from './notices.js';
import { song } from './song.js';
import { view, noteAt, timeAt, keyAt } from './roll.js';
import { isDrums } from './canvas.js';

// Notes changed in the roll: a touch chooses one, a drag moves it, a drag of its end makes it longer or shorter, two touches on
// an empty place add one. Each change is one request, and the session draws the result.

const roll = find('roll'), tools = find('edit-tools');
let isOn = false, status = null, grip = null;

const seconds = (value) => Math.max(0, value).toFixed(4);
const name = ([start, , channel, key]) => `${channel} ${key} ${start}`;

async function ask(line) {
  const answer = await link.send(line);
  if (!answer.isOk) choose(null);
}

function choose(note) {
  view.chosen = note;
  view.draft = null;
  view.redraw();
  setText(find('edit-note'), note ? `Channel ${note[2]}, ${keyName(note[3])}` : 'Touch a note');
  for (const does of ['note-velocity', 'note-delete']) setEnabled(control(does), Boolean(note));
  if (note) control('note-velocity').value = note[4];
}

function setOn(on) {
  isOn = on;
  setPressed(control('edit'), on);
  setShown(tools, on);
  roll.classList.toggle('editing', on);
  choose(null);
}

control('edit').onclick = () => setOn(!isOn);
control('edit-undo').onclick = () => { choose(null); ask('edit undo'); };
control('edit-redo').onclick = () => { choose(null); ask('edit redo'); };
control('edit-save').onclick = async () => {
  const answer = await link.send('edit save');
  if (answer.isOk) say(answer.text || 'Saved');
};
control('edit-quantise').onclick = () => { choose(null); ask(`edit quantise ${find('edit-grid').value}`); };
control('note-delete').onclick = () => { if (view.chosen) { ask(`edit delete ${name(view.chosen)}`); choose(null); } };
control('note-velocity').onchange = ({ target }) => {
  if (!view.chosen) return;
  ask(`edit velocity ${name(view.chosen)} ${target.value}`);
  view.chosen = [...view.chosen.slice(0, 4), Number(target.value)];
};

link.on('status', (next) => {
  status = next;
  const canEdit = Boolean(next.song) && !next.house && link.role !== 'reader';
  setShown(control('edit'), canEdit);
  if (isOn && !canEdit) setOn(false);
});
song.on(({ sheet }) => {
  setEnabled(control('edit-undo'), sheet?.canUndo > 0);
  setEnabled(control('edit-redo'), sheet?.canRedo > 0);
});

function place(event) {
  const box = roll.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

roll.onpointerdown = (event) => {
  if (!isOn || !status?.song) return;
  const [x, y] = place(event), found = noteAt(x, y);
  choose(found?.note ?? null);
  if (!found) return;
  grip = { x, y, note: found.note, isEnd: found.isEnd, key: keyAt(y), time: timeAt(x) };
  roll.setPointerCapture(event.pointerId);
};

roll.onpointermove = (event) => {
  if (!grip) return;
  const [x, y] = place(event), [start, length, channel, key, velocity] = grip.note;
  const later = timeAt(x) - grip.time, higher = isDrums(channel) ? 0 : Math.round(keyAt(y) - grip.key);
  if (Math.abs(x - grip.x) < 4 && higher === 0 && !view.draft) return;
  view.draft = grip.isEnd
    ? [start, Math.max(0.02, length + later), channel, key, velocity]
    : [Math.max(0, start + later), length, channel, Math.max(0, Math.min(127, key + higher)), velocity];
  view.redraw();
};

roll.onpointerup = () => {
  const draft = view.draft;
  if (grip && draft) {
    const line = grip.isEnd
      ? `edit length ${name(grip.note)} ${seconds(draft[1])}`
      : `edit move ${name(grip.note)} ${seconds(draft[0])} ${draft[3]}`;
    choose(null);
    ask(line);
  }
  grip = null;
};
roll.onpointercancel = () => { grip = null; choose(view.chosen); };

roll.ondblclick = (event) => {
  if (!isOn || !status?.song) return;
  const [x, y] = place(event);
  if (noteAt(x, y)) return;
  const near = song.nearest(timeAt(x)), key = Math.round(keyAt(y));
  const channel = near?.[2] ?? status.song.channels[0];
  if (channel && !isDrums(channel)) ask(`edit add ${channel} ${key} ${seconds(timeAt(x))} ${seconds(near?.[1] ?? 0.25)} 90`);
};
