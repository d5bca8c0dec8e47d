import { link } from './link.js';

// The song's place between two statuses: it moves on by itself, and small errors are corrected unnoticeably.

const jump = 0.35, correction = 0.08;
// Without a status for this long the place stands still.
const patience = 1500;

class Position {
  constructor() {
    this.seconds = 0;
    this.factor = 0;
    link.on('status', ({ song }) => this.follow(song));
    link.on('closed', () => { this.factor = 0; });
  }

  follow(song) {
    if (!song) return;
    this.factor = song.isPlaying && !song.hasEnded ? song.factor : 0;
    this.length = song.length;
    [this.received, this.receivedAt] = [song.seconds, performance.now()];
  }

  /** The song's time at a frame of the screen. */
  at(now) {
    if (this.received === undefined) return 0;
    const target = Math.min(this.received + Math.min(now - this.receivedAt, patience) / 1000 * this.factor, this.length);
    const elapsed = Math.min(0.1, Math.max(0, (now - (this.drawnAt ?? now)) / 1000));
    const guess = this.seconds + elapsed * this.factor, error = target - guess;
    this.drawnAt = now;
    this.seconds = Math.abs(error) > jump || this.factor === 0 ? target : guess + error * correction;
    return this.seconds;
  }
}

export const position = new Position();
