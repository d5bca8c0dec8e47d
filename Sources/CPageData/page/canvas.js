// What every picture needs: the pixels of the screen, the colours of the style sheet, one colour for each channel.

const dark = matchMedia('(prefers-color-scheme: dark)');
export const stillness = matchMedia('(prefers-reduced-motion: reduce)');

let colours = null;
dark.addEventListener('change', () => { colours = null; });

/** Colours of the style sheet, in the requested colour scheme. */
export function palette() {
  if (colours) return colours;
  const style = getComputedStyle(document.documentElement);
  const names = ['ground', 'panel', 'raised', 'line', 'ink', 'soft', 'brass', 'green', 'red'];
  colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const [saturation, lightness, bright] = dark.matches ? [58, 62, 80] : [62, 40, 30];
  const hue = (channel) => (38 + (channel - 1) * 137.5) % 360;
  const table = (light) => Array.from({ length: 17 }, (_, channel) => `hsl(${hue(channel)} ${saturation}% ${light}%)`);
  [colours.channels, colours.brightChannels] = [table(lightness), table(bright)];
  return colours;
}

export const channelColour = (channel) => palette().channels[(channel - 1) % 16 + 1];
export const brightColour = (channel) => palette().brightChannels[(channel - 1) % 16 + 1];
export const isDrums = (channel) => (channel - 1) % 16 === 9;

/** A canvas that is as sharp as the screen; `context(draw)` gives its size in the page's pixels. */
export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    [this.width, this.height] = [0, 0];
    this.isStale = true;
    new ResizeObserver(() => this.fit()).observe(canvas);
    dark.addEventListener('change', () => { this.isStale = true; });
  }

  fit() {
    const scale = Math.min(devicePixelRatio || 1, 2);
    const { clientWidth, clientHeight } = this.canvas;
    [this.width, this.height] = [clientWidth, clientHeight];
    this.canvas.width = Math.round(clientWidth * scale);
    this.canvas.height = Math.round(clientHeight * scale);
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.isStale = true;
  }

  clear() {
    this.context.clearRect(0, 0, this.width, this.height);
    this.isStale = false;
  }
}
