import { find, control, make, setText, setShown, setPressed, setEnabled, setLabel, isNews, isShown } from './dom.js';
import { link } from './link.js';
import { catalogue } from './catalogue.js';
import { Slider, fader } from './slider.js';
import { Meter } from './meter.js';
import { channelColour } from './canvas.js';
import { decibels, plain } from './format.js';
import { chooseSound } from './sounds.js';

// A strip for each channel: its sound, its level, how loud it is, mute and solo; and the volume of everything.

const strips = new Map(), all = control('all-channels');
const master = new Meter(find('master-meter'));
const volume = new Slider(control('volume'), {
  line: (value) => `volume ${plain(value)}dB`, text: decibels, output: find('volume-text'), scale: fader,
});
let showsAll = false, status = null;

/** One channel's strip and what is on it. */
class Strip {
  constructor(number) {
    this.number = number;
    this.sound = make('button', { className: 'sound-name', does: 'choose-sound' });
    this.sound.onclick = () => chooseSound(this.number, this.channel);
    this.canvas = make('canvas', { className: 'meter', 'aria-hidden': 'true' });
    this.input = make('input', { type: 'range', className: 'fader', min: -60, max: 12, step: 0.5, does: 'fader',
      'aria-label': `Gain of channel ${number}` });
    this.level = make('output', { className: 'level' });
    const press = (does, label) => make('button', { className: does, does, 'aria-pressed': 'false',
      'aria-label': `${label} channel ${number}` }, label[0]);
    [this.mute, this.solo] = [press('mute', 'Mute'), press('solo', 'Solo')];
    const badge = make('span', { className: 'badge' }, String(number));
    badge.style.setProperty('--channel', channelColour(number));
    this.element = make('div', { className: 'channel', role: 'group', 'aria-label': `Channel ${number}` },
      badge, this.sound, this.canvas, this.input, this.level, this.mute, this.solo);
    this.element.dataset.channel = number;
    this.meter = new Meter(this.canvas);
    const line = (value) => `set strip-${number}.gain=${plain(value)}dB`;
    this.slider = new Slider(this.input, { line, text: decibels, output: this.level, scale: fader });
    for (const does of ['mute', 'solo']) {
      this[does].onclick = () => link.send(`${does} ${number} ${this.isPressed(does) ? 'off' : 'on'}`);
    }
  }

  isPressed(does) { return this[does].getAttribute('aria-pressed') === 'true'; }

  /** A song knows what is muted; without one the strip's parameter does. */
  state(does, song) {
    const listed = song?.[does === 'mute' ? 'muted' : 'soloed'];
    if (listed?.includes(this.number)) return true;
    return listed && song.channels.includes(this.number) ? false
      : catalogue.find(`strip-${this.number}.${does}`)?.value > 0.5;
  }

  show(channel, song) {
    this.channel = channel;
    const name = channel.sound ?? 'no sound';
    setText(this.sound, name);
    setLabel(this.sound, `${name}: choose the sound of channel ${this.number}`);
    setPressed(this.mute, this.state('mute', song));
    setPressed(this.solo, this.state('solo', song));
    const gain = catalogue.find(`strip-${this.number}.gain`);
    setEnabled(this.input, Boolean(gain));
    setEnabled(this.mute, Boolean(gain));
    setEnabled(this.solo, Boolean(gain));
    if (gain) this.slider.show(gain.value); else setText(this.level, '');
    this.element.classList.toggle('silenced', this.isSilenced(song));
    this.meter.show([channel]);
  }

  isSilenced(song) {
    return this.isPressed('mute') || (song?.soloed.length > 0 && !this.isPressed('solo'));
  }
}

/** The channels that play; all of them at the press of a button, or if it is unknown which play. */
function shown({ channels, song }) {
  const wanted = new Set([...(song?.channels ?? []), ...(status?.notes ?? []).map((note) => note.channel)]);
  const playing = channels.filter((channel) => wanted.has(channel.number) || !song);
  setShown(all, Boolean(song) && playing.length < channels.length || showsAll);
  return showsAll || playing.length === 0 ? channels : playing;
}

function showStrips() {
  const channels = shown(status);
  setShown(find('no-strips'), channels.length === 0);
  if (isNews(find('strips'), channels.map((channel) => channel.number))) {
    for (const { number } of channels) if (!strips.has(number)) strips.set(number, new Strip(number));
    find('strips').replaceChildren(...channels.map(({ number }) => strips.get(number).element));
  }
  for (const channel of channels) strips.get(channel.number).show(channel, status.song);
}

all.onclick = () => {
  showsAll = !showsAll;
  setPressed(all, showsAll);
  if (status) showStrips();
};

link.on('status', (news) => {
  status = news;
  volume.show(status.volume);
  setEnabled(control('volume'), status.house?.activity.state !== 'closed');
  master.show(status.levels);
  if (isShown(find('mixer'))) showStrips();
});
const showSeen = () => { if (status && isShown(find('mixer'))) showStrips(); };
catalogue.on(showSeen);
document.addEventListener('viewchange', showSeen);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const [number, { element }] of strips) element.firstChild.style.setProperty('--channel', channelColour(number));
});

export function drawMeters(now) {
  master.draw(now);
  if (isShown(find('mixer'))) for (const strip of strips.values()) if (strip.element.isConnected) strip.meter.draw(now);
}
