import { link } from './link.js';

// Twenty values a second are as many as one can hear; a flood would be refused.
const interval = 50;
// How long a slider stays where the finger left it, until the status has caught up.
const settling = 400;

/**
 * A range that shows the status's value, or the finger's while it is moved.
 *
 * `line(value)` is what is sent, `text(value)` what is read out; `scale` turns the input's own numbers into values.
 */
export class Slider {
  constructor(input, { line, text, output = null, scale = linear, moved = null }) {
    Object.assign(this, { input, line, text, output, scale, moved });
    this.heldUntil = 0;
    this.isHeld = false;
    input.addEventListener('pointerdown', () => { this.isHeld = true; });
    for (const end of ['pointerup', 'pointercancel', 'blur']) input.addEventListener(end, () => this.letGo());
    input.addEventListener('input', () => this.move());
    input.addEventListener('change', () => this.letGo());
  }

  get isBusy() { return this.isHeld || performance.now() < this.heldUntil; }

  letGo() {
    if (this.isHeld) this.heldUntil = performance.now() + settling;
    this.isHeld = false;
  }

  move() {
    const value = this.scale.value(Number(this.input.value));
    this.heldUntil = performance.now() + settling;
    this.write(value);
    this.moved?.(value);
    this.wanted = value;
    if (!this.timer) this.flush();
  }

  /** Sends the newest value, at most one in each interval; the last one is always sent. */
  flush() {
    this.timer = null;
    if (this.wanted === undefined) return;
    const value = this.wanted;
    this.wanted = undefined;
    this.timer = setTimeout(() => this.flush(), interval);
    link.send(this.line(value)).then(() => {
      this.heldUntil = Math.max(this.heldUntil, performance.now() + settling / 2);
    });
  }

  /** Shows a value of the status, with the server's own text if there is one. */
  show(value, text = this.text(value)) {
    if (this.isBusy) return;
    const position = String(this.scale.position(value)), range = `${this.input.min} ${this.input.max}`;
    const shown = `${position} ${range} ${text}`;
    if (this.shown === shown) return;
    this.input.value = position;
    this.write(value, text);
    this.shown = shown;
  }

  write(value, text = this.text(value)) {
    this.shown = null;
    if (this.input.getAttribute('aria-valuetext') !== text) this.input.setAttribute('aria-valuetext', text);
    if (this.output && this.output.textContent !== text) this.output.textContent = text;
    const { min, max } = this.input;
    const share = (Number(this.input.value) - min) / (max - min) * 100;
    this.input.style.setProperty('--share', `${share.toFixed(1)}%`);
  }
}

export const linear = { value: (position) => position, position: (value) => value };

/** The lowest place of a fader is silence, whatever its number. */
export const fader = {
  value: (position) => (position <= -60 ? -120 : position),
  position: (value) => Math.max(-60, Math.min(12, value)),
};

/** A thousand places between two values whose octaves are equally wide. */
export function logarithmic(min, max) {
  const octaves = Math.log(max / min);
  return {
    value: (position) => Number((min * Math.exp(octaves * position / 1000)).toPrecision(4)),
    position: (value) => Math.round(1000 * Math.log(Math.max(value, min) / min) / octaves),
  };
}
