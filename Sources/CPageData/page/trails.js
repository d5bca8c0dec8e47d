import { palette, channelColour, brightColour, stillness } from './canvas.js';
import { isBlack, keyName } from './format.js';

// Without a song: the keys that sound, on a keyboard from which each note rises as long as it is held.

const lowest = 21, highest = 108, mostTrails = 400, seconds = 6;

export class Trails {
  constructor(picture) {
    this.picture = picture;
    this.trails = [];
    this.held = new Map();
    this.lay();
  }

  /** Each key's place, in widths of a white key. */
  lay() {
    this.places = [];
    let white = 0;
    for (let key = lowest; key <= highest; key += 1) {
      this.places[key] = isBlack(key) ? white - 0.3 : white;
      if (!isBlack(key)) white += 1;
    }
    this.whites = white;
  }

  follow({ notes, song }) {
    if (song) return this.forget();
    const now = performance.now(), sounding = new Set();
    for (const { channel, key } of notes) {
      const name = channel * 128 + key;
      sounding.add(name);
      if (this.held.has(name)) continue;
      const trail = { channel, key, from: now, to: null };
      this.held.set(name, trail);
      this.trails.push(trail);
    }
    for (const [name, trail] of this.held) {
      if (sounding.has(name)) continue;
      trail.to = now;
      this.held.delete(name);
    }
    if (this.trails.length > mostTrails) this.trails.splice(0, this.trails.length - mostTrails);
    this.isNews = true;
  }

  forget() {
    this.trails.length = 0;
    this.held.clear();
  }

  draw(now) {
    if (!this.isNews && !this.picture.isStale && (this.trails.length === 0 || stillness.matches)) return;
    this.isNews = false;
    const { picture } = this, { context, width, height } = picture;
    const unit = width / this.whites, keys = Math.min(96, Math.max(52, unit * 5)), top = height - keys;
    picture.clear();
    this.trails = this.trails.filter((trail) => trail.to === null || now - trail.to < seconds * 1000);
    if (!stillness.matches) this.drawTrails(now, unit, top);
    this.drawKeys(unit, top, keys);
  }

  drawTrails(now, unit, top) {
    const { context } = this.picture, rise = top / (seconds * 1000);
    for (const { channel, key, from, to } of this.trails) {
      if (this.places[key] === undefined) continue;
      const bottom = to === null ? top : top - (now - to) * rise, end = Math.max(0, top - (now - from) * rise);
      context.globalAlpha = Math.max(0.15, bottom / top);
      context.fillStyle = to === null ? brightColour(channel) : channelColour(channel);
      context.beginPath();
      context.roundRect(this.places[key] * unit + 1, end, unit * (isBlack(key) ? 0.6 : 1) - 2, Math.max(3, bottom - end), 3);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  drawKeys(unit, top, keys) {
    const { context } = this.picture, colours = palette();
    const sounding = new Map([...this.held.values()].map(({ key, channel }) => [key, channel]));
    const drawKey = (key, wide, tall, colour) => {
      context.fillStyle = sounding.has(key) ? channelColour(sounding.get(key)) : colour;
      context.beginPath();
      context.roundRect(this.places[key] * unit + 0.5, top, Math.max(1, wide - 1), tall, [0, 0, 3, 3]);
      context.fill();
    };
    const all = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);
    for (const key of all) if (!isBlack(key)) drawKey(key, unit, keys - 2, '#e9e2d6');
    for (const key of all) if (isBlack(key)) drawKey(key, unit * 0.6, keys * 0.6, '#1c1815');
    context.fillStyle = colours.brass;
    context.fillRect(0, top - 2, this.picture.width, 2);
    context.font = '12px system-ui, sans-serif';
    context.fillStyle = '#4a4239';
    if (unit < 14) return;
    for (const key of all) if (key % 12 === 0) context.fillText(keyName(key), this.places[key] * unit + 2, top + keys - 8);
  }
}
