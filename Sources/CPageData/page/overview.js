import { find, control, setShown, isShown } from './dom.js';
import { link } from './link.js';
import { song } from './song.js';
import { position } from './position.js';
import { Slider } from './slider.js';
import { clock, plain } from './format.js';
import { Picture, palette, stillness } from './canvas.js';

// The whole song as a strip: bars, markers and how far it has come. The range on top of it seeks.

const strip = find('seek-strip'), input = control('seek'), picture = new Picture(find('overview'));
let length = 1;

const slider = new Slider(input, {
  line: (value) => `seek ${plain(Math.min(value, length - 0.01))}`,
  text: (value) => `${clock(value)} of ${clock(length)}`,
  moved: () => { picture.isStale = true; },
});

link.on('status', ({ song: playing }) => {
  setShown(strip, Boolean(playing));
  if (!playing) return;
  length = Math.max(playing.length, 0.1);
  if (input.max !== String(length)) input.max = String(length);
  slider.show(Math.round(playing.seconds * 10) / 10);
  picture.isStale = true;
});
song.on(() => { picture.isStale = true; });

/** Bars as far as they fit: every one, or every fourth, sixteenth, ... */
function barStep(count) {
  let step = 1;
  while (count / step > picture.width / 10) step *= 4;
  return step;
}

export function drawOverview(now) {
  if (!isShown(picture.canvas) || picture.width === 0) return;
  if (!picture.isStale && (position.factor === 0 || stillness.matches)) return;
  const { context, width, height } = picture, colours = palette();
  const time = slider.isBusy ? Number(input.value) : position.at(now), x = (seconds) => seconds / length * width;
  picture.clear();
  context.fillStyle = colours.raised;
  context.beginPath(); context.roundRect(0, 8, width, height - 16, 6); context.fill();
  context.save();
  context.clip();
  context.fillStyle = colours.brass;
  context.globalAlpha = 0.4;
  context.fillRect(0, 8, x(time), height - 16);
  context.globalAlpha = 1;
  context.restore();
  const bars = song.sheet?.bars ?? [], step = barStep(bars.length);
  context.fillStyle = colours.soft;
  context.globalAlpha = 0.45;
  for (let number = 0; number < bars.length; number += step) context.fillRect(x(bars[number]), height - 14, 1, 6);
  context.globalAlpha = 1;
  context.fillStyle = colours.green;
  for (const { at } of song.sheet?.markers ?? []) context.fillRect(x(at), 8, 2, height - 16);
  context.fillStyle = colours.brass;
  context.beginPath(); context.roundRect(Math.max(0, Math.min(width - 4, x(time) - 2)), 2, 4, height - 4, 2); context.fill();
}
