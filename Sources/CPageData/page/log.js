import { find, make, isNews, isShown } from './dom.js';
import { link } from './link.js';

// The last lines of the log, wherever there is room for them. Beside the roll they are asked for when something has happened, and
// now and then; whoever opens the log itself sees them as they come.

const interval = 5000, longest = 30000, most = 200;
const whole = find('log'), beside = find('side-log');
let fetchedAt = -Infinity, key = '', hasNews = true;

/** What leaves a line in the log when it changes. */
function news({ song, house, device }) {
  const { state, by } = house?.activity ?? {};
  const cues = house?.cues.filter((cue) => cue.isPlaying).map((cue) => cue.name);
  return JSON.stringify([song?.name, song?.number, state, by, cues, house?.trouble, device.state]);
}

link.on('status', (status) => {
  const now = news(status);
  if (now === key) return;
  [key, hasNews] = [now, true];
});

/** Shows the lines, where they are seen; fetches them if they may be old. */
export async function showLog() {
  const lists = [whole, beside].filter(isShown), isDue = isShown(whole) || hasNews || performance.now() - fetchedAt > longest;
  if (document.hidden || !link.isOpen || lists.length === 0 || !isDue) return;
  [fetchedAt, hasNews] = [performance.now(), false];
  const lines = (await link.get('/api/log'))?.lines.slice(-most) ?? [];
  for (const list of lists) fill(list, lines);
}

function fill(list, lines) {
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  if (!isNews(list, lines.length > 0 ? lines : 'none')) return;
  const row = ({ at, text }) => make('li', {}, make('time', { className: 'soft' }, at), make('span', {}, text));
  const none = make('li', { className: 'soft' }, 'Nothing has been logged yet.');
  list.replaceChildren(...(lines.length > 0 ? lines.map(row) : [none]));
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

setInterval(showLog, interval);
link.on('open', () => {
  hasNews = true;
  showLog();
});
