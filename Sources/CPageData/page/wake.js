import { link } from './link.js';
import { say } from './notices.js';

// Keeps the screen on while it shows what plays, or a house's cues. Browsers allow this only on secure pages: over HTTPS, or on this
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
    // A phone that saves its battery refuses; it is asked again when the page is shown again.
    isRefused = true;
    if (!document.hidden) say(`The screen may go dark: ${error.message}`, 'fault');
  } finally {
    isAsking = false;
  }
}

/** Keeps the lock, which the system releases when the page is hidden. */
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
