import { find, make, setLabel } from './dom.js';

// Buttons that must not be pressed by accident need two touches: the first arms the button, the second acts.

const armedTime = 3000;
// A palm or a bouncing finger touches twice at once: that counts as one touch.
const bounce = 250;

/** Makes a button act at a second touch within three seconds; meanwhile it says that it is armed. */
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
  // A held key repeats: that is one touch, too.
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
