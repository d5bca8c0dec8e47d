import { find, make, isNews } from './dom.js';
import { link } from './link.js';
import { plural } from './format.js';
import { houseWords } from './house.js';

// Sentences on top of the page: a fault stays as long as it lasts, an answer for some seconds.

const region = find('notices');
const standing = make('div', { className: 'standing' }), passing = make('div', { className: 'passing' });
const passingTime = 8000, mostPassing = 3;
let xruns = null, xrunsAt = 0, lastRise = 0;

region.append(standing, passing);

/** Shows a sentence for some seconds, as `fault` or `done`. */
export function say(text, kind = 'done') {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
  if (passing.lastChild?.firstChild.textContent === sentence) passing.lastChild.remove();
  const close = make('button', { className: 'close', does: 'close-notice', 'aria-label': 'Close this notice' }, '×');
  const notice = make('div', { className: `notice ${kind}` }, make('span', {}, sentence), close);
  close.onclick = () => notice.remove();
  setTimeout(() => notice.remove(), passingTime);
  passing.append(notice);
  while (passing.children.length > mostPassing) passing.firstChild.remove();
}

function deviceFault({ state, fault }) {
  if (fault) return `There is no sound: ${fault}`;
  const states = {
    lost: 'The sound card is gone. The music goes on in silence until it is back',
    suspended: 'The sound card is suspended',
    disconnected: 'The sound card was unplugged',
  };
  return states[state] ?? null;
}

function xrunFault(status, now) {
  const count = status.xruns.renderLate + status.xruns.wokeLate + status.xruns.driver;
  if (xruns !== null && count > xruns) [lastRise, xrunsAt] = [count - xruns, now];
  xruns = count;
  return now - xrunsAt < 10000 && xrunsAt > 0 ? `The sound was interrupted ${plural(lastRise, 'time')} just now` : null;
}

/** The present faults as sentences. */
function faults(status) {
  const { house, device } = status;
  // Trouble names its beginning. A closed house needs no sound card, and a fault that its trouble names is not repeated.
  const trouble = house && houseWords(house, Date.now()).trouble, isClosed = house?.activity.state === 'closed';
  return [
    trouble,
    !isClosed && !(device.fault && trouble?.includes(device.fault)) && deviceFault(device),
    status.captureFault && `The recording of the sound has ended: ${status.captureFault}`,
    status.shedding > 0 && 'The computer is at its limit: some effects are left out',
    xrunFault(status, performance.now()),
    status.learning && `Move a control of your keyboard: it will steer ${status.learning}`,
  ].filter(Boolean);
}

let disconnection = null, restriction = null, current = [];

function showStanding() {
  const sentences = [restriction, ...(disconnection ? [disconnection] : current)].filter(Boolean);
  if (!isNews(standing, sentences)) return;
  standing.replaceChildren(...sentences.map((text) =>
    make('div', { className: 'notice fault' }, make('span', {}, text.replace(/[.!?]?$/, '.')))));
}

link.on('status', (status) => { current = faults(status); showStanding(); });
link.on('open', () => { disconnection = null; showStanding(); });
link.on('closed', () => { disconnection = 'Not connected. What you see is old; trying again'; showStanding(); });
link.on('away', (isAway) => {
  disconnection = isAway ? 'The session is gone: nothing plays. What you see is old' : null;
  showStanding();
});
link.on('role', (role) => {
  restriction = role === 'reader' ? 'You can only look: this token is a reader’s, so the controls are off' : null;
  showStanding();
});
link.on('failed', (text) => say(text, 'fault'));
