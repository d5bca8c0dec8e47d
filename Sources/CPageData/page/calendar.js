import { find, control, make, setText, setShown, setEnabled, isNews, isShown } from './dom.js';
import { link } from './link.js';
import { quoted } from './format.js';
import { untilWords, weekWords, wishWords } from './house.js';
import { twice } from './twice.js';

// A house's calendar: its next seven days, what people have changed for a while, and the buttons that change it.

const interval = 3600000, minute = 60000, softer = 6;
const until = control('until'), music = control('music'), list = find('week-list');
let house = null, week = null, key = '', fetchedAt = -Infinity, saidAt = -Infinity;

// MARK: the next seven days

/** The calendar, as far as a status shows it. */
const calendarOf = ({ next, wishes, playlists, isOpen }) => JSON.stringify([next, wishes, playlists, isOpen]);

async function fetchWeek() {
  const news = calendarOf(house), isDue = performance.now() - fetchedAt > interval;
  if ((news === key && !isDue) || !isShown(find('week'))) return;
  [key, fetchedAt] = [news, performance.now()];
  const answer = await link.get('/api/week');
  // After a failure the week is fetched again in five seconds.
  if (!answer) [key, fetchedAt] = ['', performance.now() - interval + 5000];
  else {
    [week, saidAt] = [answer, -Infinity];
    showWeek();
  }
}

function showWeek() {
  // "Tomorrow" becomes "today" at midnight, so the words are renewed every minute.
  if (!week || !house || performance.now() - saidAt < minute) return;
  saidAt = performance.now();
  const rows = weekWords(week, !house.isOpen, Date.now());
  setText(find('week-none'), rows.length > 0 ? '' : 'Nothing changes.');
  setShown(find('week-none'), rows.length === 0);
  if (!isNews(list, rows)) return;
  list.replaceChildren(...rows.map(({ day, lines }) => make('li', {}, make('b', {}, day),
    make('span', { className: 'lines' }, ...lines.map((line) => make('span', {}, line))))));
}

// MARK: temporary changes

function showWishes() {
  const words = wishWords(house.wishes, Date.now()), wishes = find('wishes');
  setShown(wishes, words.length > 0);
  setShown(find('planned'), words.length > 0);
  if (isNews(wishes, words)) {
    wishes.replaceChildren(...words.map(({ text, by }) =>
      make('li', {}, make('b', {}, text), make('span', { className: 'soft' }, by))));
  }
  setText(find('until-words'), untilWords(until.value, house, Date.now()));
  setShown(find('music-field'), house.playlists.length > 1);
  setEnabled(control('quieter'), house.isOpen);
  // A house that opens later may be closed for today before it does.
  setEnabled(control('close-house'), !house.wishes.some(({ what }) => what === 'closed'));
  if (!isNews(music, house.playlists)) return;
  const options = [['', 'the calendar’s music'], ...house.playlists.map((name) => [name, name])];
  music.replaceChildren(...options.map(([value, text]) => make('option', { value }, text)));
}

/** The end as an argument of a verb; empty for the verb's own. */
const end = () => (until.value ? ` ${until.value.slice(0, 5)}` : '');
const lines = {
  'close-house': () => `close${end()}`, quieter: () => `quieter ${softer}${end()}`, 'as-planned': () => 'as-planned',
  'open-house': () => (music.value ? `play-list ${quoted(music.value)}${end()}` : `open${end()}`),
};

// These change what everyone in the house hears, so each needs two touches.
for (const [does, line] of Object.entries(lines)) twice(control(does), () => link.send(line()));
until.oninput = () => { if (house) showWishes(); };

function show() {
  setShown(find('week'), Boolean(house));
  if (!house) return;
  showWishes();
  showWeek();
  fetchWeek();
}

link.on('status', (status) => {
  house = status.house;
  show();
});
document.addEventListener('viewchange', show);
link.on('open', () => { key = ''; });
