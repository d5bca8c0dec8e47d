import { find, control, make, setShown, isNews, isShown } from './dom.js';
import { link } from './link.js';
import { quoted } from './format.js';
import { queueWords } from './house.js';
import { twice } from './twice.js';

// What plays and what comes after it. Songs that were requested of a house can be taken out again.

const card = find('queue'), list = find('queue-list'), clear = control('clear-queue');

function row({ title, text, name }) {
  const words = [make('b', {}, title), make('span', { className: 'soft' }, text)];
  if (!name) return make('li', {}, ...words);
  const button = make('button', { className: 'out', does: 'unqueue', 'aria-label': `Take ${title} out of the queue` }, '×');
  button.onclick = () => link.send(`unqueue-song ${quoted(name)}`);
  return make('li', {}, make('span', { className: 'words' }, ...words), button);
}

let status = null;

function show() {
  if (!status) return;
  const rows = queueWords(status), { house } = status;
  setShown(card, rows.length > 0);
  // Without a house a phone shows what comes next below the song's name.
  card.classList.toggle('desk-only', !house);
  setShown(clear, (house?.requests.length ?? 0) > 1);
  if (!isShown(card) || !isNews(list, rows)) return;
  list.replaceChildren(...rows.map(row));
}

link.on('status', (news) => {
  status = news;
  show();
});
document.addEventListener('viewchange', show);
twice(clear, () => link.send('clear-queue'));
