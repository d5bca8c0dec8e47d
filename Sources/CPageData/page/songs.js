import { find, control, make, setText, setShown, setEnabled, isNews, isShown } from './dom.js';
import { link } from './link.js';
import { quoted, plural } from './format.js';
import { songWords, songsWith } from './house.js';
import { twice } from './twice.js';

// The songs that can be requested: all of them in a list that scrolls, fewer after typing.

const most = 200, longestUse = 30000, patience = 5000;
const card = find('songs'), field = control('find-song'), list = find('song-list'), count = find('song-count');
let all = null, fetchedAt = -Infinity, isHouse = false, isClosed = false, asked = 0, playable = null;

/** Fetches the songs that can be requested now; the server searches a long list. */
async function load() {
  if (all && performance.now() - fetchedAt < longestUse) return;
  const answer = await link.get('/api/songs');
  if (answer) [all, fetchedAt] = [answer, performance.now()];
  // After this time the next status fetches them again.
  else setTimeout(() => { playable = null; }, patience);
}

async function showMatches() {
  const turn = asked += 1;
  await load();
  const isAsked = field.value.trim() !== '';
  let found = all && songsWith(all.songs, field.value), total = isAsked ? found?.length ?? 0 : all?.count ?? 0;
  if (all && !all.isWhole && isAsked) {
    const answer = await link.get(`/api/songs?text=${encodeURIComponent(field.value)}`);
    [found, total] = [answer?.songs ?? [], answer?.count ?? 0];
  }
  if (turn !== asked) return;
  const rows = (found ?? []).slice(0, most), rest = total - rows.length;
  setText(count, !all ? 'The songs could not be read.' : total === 0 ? (isAsked ? 'No song has such a name.' : 'There are no songs.')
    : plural(total, 'song') + (rest > 0 ? `; ${rest} more: type to find them.` : '.'));
  if (!isNews(list, [rows, isHouse])) return;
  list.replaceChildren(...rows.map(row));
  enable();
}

function row(song) {
  const { title, name, number, fault } = song;
  const play = make('button', { does: 'play-song', 'aria-label': `Play ${title} now` }, make('span', {}, 'Play now'));
  // In a list several songs may have one name, so the number names it.
  twice(play, () => link.send(`play-song ${quoted(isHouse ? name : String(number))}`));
  const queue = make('button', { does: 'queue-song', 'aria-label': `Play ${title} after this song` }, 'After this');
  queue.onclick = () => link.send(`queue-song ${quoted(name)}`);
  const buttons = fault ? [] : isHouse ? [queue, play] : [play];
  return make('li', { className: 'found' },
    make('span', { className: 'words' }, make('b', {}, title), make('span', { className: 'soft' }, songWords(song))),
    make('span', { className: 'buttons' }, ...buttons));
}

function enable() {
  for (const button of list.querySelectorAll('button')) setEnabled(button, !isClosed);
}

field.oninput = showMatches;
field.onfocus = showMatches;
field.onkeydown = (event) => { if (event.key === 'ArrowDown') list.querySelector('button')?.focus(); };

link.on('status', ({ song, house }) => {
  isHouse = Boolean(house);
  setShown(card, isHouse || song?.count > 1);
  // They are fetched if they are visible, and again when more or fewer of them can be played.
  if (isShown(card) && playable !== (playable = house?.playableSongs ?? song?.count)) {
    fetchedAt = -Infinity;
    showMatches();
  }
  if (isClosed === (house?.activity.state === 'closed')) return;
  isClosed = !isClosed;
  enable();
});
link.on('open', () => { [all, fetchedAt, playable] = [null, -Infinity, null]; });
