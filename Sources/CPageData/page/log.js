import { find, make, isNews, isShown } from './dom.js';
import { link } from './link.js';

// The last lines of the log, wherever there is room for them. Beside the roll they are fetched after something has happened, and
// every half minute; the log's own view shows them as they come.

const interval = 5000, longest = 30000, most = 200;
const whole = find('log'), beside = find('side-log');
let fetchedAt = -Infinity, key = '', hasNews = true;

/** The part of a status whose changes leave lines in the log. */
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

/** Fetches and shows the lines if the log is visible and they may be old. */
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
