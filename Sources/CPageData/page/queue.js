import { find, make, setShown, isNews, isShown } from './dom.js';
import { link } from './link.js';

// What plays and what comes after it, beside the roll of a wide screen.

const card = find('queue'), list = find('queue-list');
const title = (name) => name.replace(/\.(mid|midi|kar|rmi)$/i, '');

/** The songs of the queue, each with what is said of it. */
function rows({ song, house }) {
  const place = song.count > 1 ? `${song.number} of ${song.count}` : '';
  const list = house?.playlist ? `in ${house.playlist}` : '';
  const state = song.isPlaying ? 'now' : song.nextIn != null ? 'over' : 'waits';
  const next = song.nextIn != null ? `in ${Math.ceil(song.nextIn)} s` : 'then';
  return [
    [title(song.name), [state, `${place} ${list}`.trim()].filter(Boolean).join(' · ')],
    ...(song.next ? [[title(song.next), next]] : []),
  ];
}

link.on('status', (status) => {
  setShown(card, Boolean(status.song));
  if (!status.song || !isShown(card)) return;
  const now = rows(status);
  if (!isNews(list, now)) return;
  list.replaceChildren(...now.map(([name, text]) =>
    make('li', {}, make('b', {}, name), make('span', { className: 'soft' }, text))));
});
