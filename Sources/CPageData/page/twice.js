import { find, make, setLabel } from './dom.js';

// What must not happen by accident is touched twice: the first touch arms a button, the second one acts.

const armedTime = 3000;
// A palm or a finger that bounces touches twice at once: that is one touch.
const bounce = 250;

/** Lets a button act at its second touch within three seconds; until then it says so. */
export function twice(button, act) {
  const name = button.getAttribute('aria-label') ?? button.textContent.trim();
  let armedAt = null, timer = 0;

  function disarm() {
    clearTimeout(timer);
    armedAt = null;
    button.classList.remove('armed');
    setLabel(button, name);
  }

  button.classList.add('twice');
  button.append(make('span', { className: 'again', 'aria-hidden': 'true' }, 'Again?'));
  setLabel(button, name);
  // A key that is held down presses again and again: that is one touch, too.
  button.onkeydown = (event) => { if (event.repeat) event.preventDefault(); };
  button.onclick = () => {
    const now = performance.now();
    if (armedAt === null) {
      armedAt = now;
      button.classList.add('armed');
      setLabel(button, `${name}: once more to do it`);
      find('armed').textContent = `Press ${name} once more.`;
      timer = setTimeout(disarm, armedTime);
    } else if (now - armedAt >= bounce) {
      disarm();
      find('armed').textContent = '';
      act();
    }
  };
}
