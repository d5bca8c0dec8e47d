import { Picture, palette } from './canvas.js';

// A level meter: the average as a bar, the peak as a line that falls slowly. From -60 dB to 0, silence is empty.

const lowest = -60, fall = 0.024, hold = 1200;

const share = (level) => (level === null || level <= lowest ? 0 : Math.min(1, 1 - level / lowest));

export class Meter {
  constructor(canvas) {
    this.picture = new Picture(canvas);
    this.sides = [];
  }

  /** Levels of one or several channels: `{peak, average}` in dB, null for silence. */
  show(levels) {
    while (this.sides.length < levels.length) this.sides.push({ average: 0, peak: 0, held: 0, heldAt: 0 });
    this.sides.length = levels.length;
    levels.forEach((level, index) => {
      [this.sides[index].wanted, this.sides[index].wantedPeak] = [share(level.average), share(level.peak)];
    });
    this.isMoving = true;
  }

  draw(now) {
    const { picture } = this;
    if (!this.isMoving && !picture.isStale) return;
    if (picture.width === 0) return;
    picture.clear();
    this.isMoving = false;
    const isUpright = picture.height > picture.width;
    this.sides.forEach((side, index) => this.drawSide(side, index, isUpright, now));
  }

  drawSide(side, index, isUpright, now) {
    side.average = side.wanted > side.average ? side.wanted : Math.max(side.wanted, side.average - fall);
    side.peak = side.wantedPeak > side.peak ? side.wantedPeak : Math.max(side.wantedPeak, side.peak - fall);
    if (side.peak >= side.held || now - side.heldAt > hold) [side.held, side.heldAt] = [side.peak, now];
    if (side.average > side.wanted || side.peak > side.wantedPeak || side.held > side.peak) this.isMoving = true;
    const { context, width, height } = this.picture, colours = palette();
    const long = isUpright ? height : width, thick = (isUpright ? width : height) / this.sides.length;
    const bar = (from, to) => (isUpright
      ? context.fillRect(index * thick, height - to * long, thick - 1, (to - from) * long)
      : context.fillRect(from * long, index * thick, (to - from) * long, thick - 1));
    context.fillStyle = colours.raised;
    bar(0, 1);
    context.fillStyle = colours.green;
    context.globalAlpha = 0.4;
    bar(0, side.peak);
    context.globalAlpha = 1;
    bar(0, Math.min(side.average, 0.8));
    context.fillStyle = colours.brass;
    if (side.average > 0.8) bar(0.8, Math.min(side.average, 0.95));
    context.fillStyle = colours.red;
    if (side.average > 0.95) bar(0.95, side.average);
    context.fillStyle = side.held > 0.95 ? colours.red : side.held > 0.8 ? colours.brass : colours.ink;
    if (side.held > 0.01) bar(side.held - 2 / long, side.held);
    // Marks at -48, -24, -12 and -6 dB, cut out of the bar.
    context.fillStyle = colours.panel;
    for (const level of [-48, -24, -12, -6]) bar(share(level) - 1 / long, share(level));
  }
}
