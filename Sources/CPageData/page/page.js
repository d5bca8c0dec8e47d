import { find, control, setText, setPressed } from './dom.js';
import { link } from './link.js';
import './notices.js';
import { toggle } from './transport.js';
import './scenes.js';
import { drawRoll } from './roll.js';
import './edit.js';
import { drawOverview } from './overview.js';
import { drawMeters } from './mixer.js';
import { openParameters } from './parameters.js';
import './keyboard.js';
import './queue.js';
import './songs.js';
import './calendar.js';
import './wake.js';
import './stage.js';
import './loops.js';
import { openSystem } from './system.js';

// The page: its views, who may use its controls, and one pass of drawing for each frame of the screen.

const wide = matchMedia('(min-width: 1100px) and (min-height: 521px)');

// MARK: views

function open(view) {
  document.body.dataset.view = view;
  for (const button of document.querySelectorAll('.views button')) setPressed(button, button.dataset.view === view);
  if (view === 'sound') openParameters();
  if (view === 'system') openSystem();
  // At rest statuses come only once a second: a view that opens draws the last one.
  document.dispatchEvent(new Event('viewchange'));
  try { sessionStorage.setItem('view', view); } catch { /* A convenience only. */ }
}

/** A wide screen always shows what plays, with another view below it. */
function fitView() {
  const view = document.body.dataset.view;
  if (wide.matches && view === 'now') open('mixer');
}

for (const button of document.querySelectorAll('.views button')) button.onclick = () => open(button.dataset.view);
wide.addEventListener('change', fitView);
open(sessionStorage.getItem('view') ?? 'now');
fitView();

// MARK: the connection

function showConnection(state, text) {
  find('connection').dataset.state = state;
  setText(find('connection-text'), text);
}

link.on('open', () => showConnection('open', 'Connected'));
link.on('closed', (delay) => showConnection('closed', `Not connected, again in ${delay / 1000} s`));

// A closed house may send nothing for hours, but at midnight "tomorrow" becomes "today".
const minute = 60000;
setInterval(() => {
  if (link.isOpen && link.status && !link.status.song?.isPlaying && !document.hidden) link.tell('status', link.status);
}, minute);

// MARK: roles and login

link.on('role', (role) => {
  const isReader = role === 'reader';
  for (const desk of document.querySelectorAll('[data-desk]')) desk.disabled = isReader;
  document.body.classList.toggle('reader', isReader);
  if (isReader) showConnection('reader', 'Looking only');
});

const login = find('login');
link.on('unknown', () => {
  showConnection('closed', 'A token is needed');
  if (!login.open) login.showModal();
});
login.addEventListener('cancel', (event) => event.preventDefault());
find('login-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  let answer = null;
  try { answer = await fetch('/login', { method: 'POST', body: find('token').value }); } catch { /* shown below */ }
  const faults = { 403: 'This token opens nothing here.', 429: 'Too many attempts: wait a moment.' };
  setText(find('login-fault'), answer?.ok ? '' : faults[answer?.status] ?? 'The server does not answer.');
  if (!answer?.ok) return;
  find('token').value = '';
  login.close();
  keepLogout(true);
  link.open();
});
/** Remembers that there is a cookie, which scripts cannot read. */
function keepLogout(isIn) {
  find('logout').hidden = !isIn;
  try { localStorage.setItem('hasToken', isIn ? 'yes' : ''); } catch { /* Then it is forgotten when the page is reloaded. */ }
}

keepLogout(localStorage.getItem('hasToken') === 'yes');
control('logout').onclick = async () => {
  keepLogout(false);
  await fetch('/logout', { method: 'POST' });
  location.reload();
};

// MARK: keys

const takesSpace = 'button, input, select, textarea, summary, dialog, [tabindex]';
addEventListener('keydown', (event) => {
  if (event.key !== ' ' || event.repeat || link.role === 'reader' || event.target.closest?.(takesSpace)) return;
  event.preventDefault();
  toggle();
});

// MARK: drawing

let frame = 0;

function draw(now) {
  drawRoll(now);
  drawOverview(now);
  drawMeters(now);
  frame = requestAnimationFrame(draw);
}

// A hidden page draws nothing.
document.addEventListener('visibilitychange', () => {
  cancelAnimationFrame(frame);
  if (document.hidden) return;
  link.catchUp();
  frame = requestAnimationFrame(draw);
});
if (!document.hidden) frame = requestAnimationFrame(draw);

link.open();
