import { link } from './link.js';
import { say } from './notices.js';

// A screen that shows what plays, or a house's cues, does not go dark. Browsers have this on secure pages only: over HTTPS, or on this
// machine.

let lock = null, isWanted = false, isAsking = false, isRefused = false;

async function follow() {
  const wants = isWanted && !document.hidden;
  if (!navigator.wakeLock || isAsking || isRefused || wants === Boolean(lock)) return;
  isAsking = true;
  try {
    if (wants) hold(await navigator.wakeLock.request('screen'));
    else await lock.release();
  } catch (error) {
    // A phone that saves its battery says no; it is asked again when somebody comes back to the page.
    isRefused = true;
    if (!document.hidden) say(`The screen may go dark: ${error.message}`, 'fault');
  } finally {
    isAsking = false;
  }
}

/** The system takes it away when the page is hidden. */
function hold(granted) {
  lock = granted;
  granted.addEventListener('release', () => { lock = null; });
}

link.on('status', ({ song, house }) => {
  isWanted = Boolean(house?.cues.length || song?.isPlaying || song?.nextIn != null);
  follow();
});
document.addEventListener('visibilitychange', () => {
  isRefused = false;
  follow();
});
