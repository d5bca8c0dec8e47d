import { find, isShown, setLabel } from './dom.js';
import { link } from './link.js';
import { song } from './song.js';
import { position } from './position.js';
import { Picture, palette, channelColour, brightColour, isDrums, stillness } from './canvas.js';
import { Trails } from './trails.js';

// The piano roll: time from left to right past a fixed line, low keys at the bottom; drums have a lane of their own.

const picture = new Picture(find('roll'));
const trails = new Trails(picture);
const head = 22, lane = 0.16, margin = 28;
let range = { low: 48, high: 72 }, wantedRange = { low: 48, high: 72 };
let silenced = new Set(), current = null, drums = [], shown = [];

/** What is changed of the notes: the one that is chosen, and what becomes of it under the hand. */
export const view = { chosen: null, draft: null, redraw: () => { picture.isStale = true; } };
let from = 0, to = 1, bottom = 0;

export const timeAt = (x) => from + x / picture.width * (to - from);
export const keyAt = (y) => range.low + (bottom - y) / (bottom - head) * (range.high - range.low);
const left = (seconds) => (seconds - from) / (to - from) * picture.width;
const drumLine = (key) => picture.height - 8 - (drums.indexOf(key) + 0.5) / drums.length * (picture.height - bottom - 12);
const isSame = (one, other) => other && one[0] === other[0] && one[2] === other[2] && one[3] === other[3];

/** The note that was drawn at a point, and whether its end is meant; null if there is none. */
export function noteAt(x, y) {
  const reach = 6, step = (bottom - head) / (range.high - range.low);
  let note = null, nearest = Math.max(reach, step * 0.8);
  for (const one of shown) {
    const [start, length, channel, key] = one, end = isDrums(channel) ? start : start + length;
    const away = isDrums(channel) ? Math.abs(drumLine(key) - y) : Math.abs(keyAt(y) - key) * step;
    if (x > left(start) - reach && x < left(end) + reach && away <= nearest) [note, nearest] = [one, away];
  }
  if (!note) return null;
  const end = left(note[0] + note[1]), wide = end - left(note[0]);
  return { note, isEnd: !isDrums(note[2]) && x > end - Math.min(8, wide / 3) };
}

link.on('status', (status) => {
  current = status.song;
  trails.follow(status);
  picture.isStale = true;
  if (!current) return setLabel(picture.canvas, 'Sounding keys');
  const soloed = new Set(current.soloed), muted = new Set(current.muted);
  silenced = new Set(current.channels.filter((one) => muted.has(one) || (soloed.size > 0 && !soloed.has(one))));
  setLabel(picture.canvas, `Piano roll of ${current.name}`);
});
song.on(() => { wantedRange = { low: 128, high: -1 }; drums = []; picture.isStale = true; });

/** The seconds in view: few enough that notes are wide enough to read on a stage. */
const span = () => Math.max(5, Math.min(16, picture.width / 75));

/** The time at the left edge; with reduced motion the picture turns pages instead of scrolling. */
function beginning(time) {
  if (stillness.matches) return Math.floor(time / span()) * span();
  return time - span() * 0.25;
}

function rangeOf(notes) {
  for (const [, , channel, key] of notes) {
    if (isDrums(channel)) {
      if (!drums.includes(key)) drums = [...drums, key].sort((a, b) => a - b);
      continue;
    }
    wantedRange.low = Math.min(wantedRange.low, key);
    wantedRange.high = Math.max(wantedRange.high, key);
  }
  if (wantedRange.high < 0) return;
  const pad = Math.max(2, (24 - (wantedRange.high - wantedRange.low)) / 2);
  const glide = stillness.matches ? 1 : 0.15;
  range.low += (wantedRange.low - pad - range.low) * glide;
  range.high += (wantedRange.high + pad - range.high) * glide;
}

function drawGrid(x) {
  const { context, width, height } = picture, colours = palette();
  context.font = '12px system-ui, sans-serif';
  context.lineWidth = 1;
  context.strokeStyle = colours.line;
  for (let key = Math.ceil(range.low / 12) * 12; key < range.high && bottom > head; key += 12) {
    const y = Math.round(bottom - (key - range.low) / (range.high - range.low) * (bottom - head)) + 0.5;
    context.globalAlpha = 0.5;
    context.beginPath(); context.moveTo(0, y); context.lineTo(width, y); context.stroke();
    context.globalAlpha = 1;
  }
  const bars = song.sheet?.bars ?? [];
  let number = firstBar(bars, from), lastLabel = -100;
  for (; number < bars.length && bars[number] <= to; number += 1) {
    const at = Math.round(x(bars[number])) + 0.5;
    context.beginPath(); context.moveTo(at, head - 4); context.lineTo(at, height); context.stroke();
    if (at - lastLabel < 34) continue;
    context.fillStyle = colours.soft;
    context.fillText(String(number + 1), at + 4, 14);
    lastLabel = at;
  }
  for (const { at, text } of song.sheet?.markers ?? []) {
    if (at < from || at > to) continue;
    context.fillStyle = colours.brass;
    context.fillText(text.slice(0, 24), x(at) + 26, 14);
  }
}

/** The octaves' names, in a margin of their own above what passes below. */
function drawMargin() {
  const { context, width, height } = picture, colours = palette();
  if (bottom <= head) return;
  context.globalAlpha = 0.82;
  context.fillStyle = colours.panel;
  context.fillRect(width - margin, head, margin, height - head);
  context.globalAlpha = 1;
  context.fillStyle = colours.soft;
  for (let key = Math.ceil(range.low / 12) * 12; key < range.high; key += 12) {
    const y = bottom - (key - range.low) / (range.high - range.low) * (bottom - head);
    context.fillText(`C${key / 12 - 1}`, width - margin + 6, y + 4);
  }
}

function firstBar(bars, from) {
  let low = 0, high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars[middle] < from) low = middle + 1; else high = middle;
  }
  return low;
}

function drawNotes(time, x) {
  const { context } = picture, notes = [];
  song.eachNote(from, to, (note) => notes.push(note));
  rangeOf(notes);
  shown = notes;
  const step = (bottom - head) / (range.high - range.low), thick = Math.max(3, Math.min(14, step * 0.86));
  for (const note of notes) {
    const isChosen = isSame(note, view.chosen);
    const [start, length, channel, key, velocity] = (isChosen && view.draft) || note;
    const sounds = start <= time && start + length > time && current?.isPlaying;
    const isSilenced = silenced.has(channel);
    context.globalAlpha = isSilenced ? 0.25 : sounds ? 1 : 0.5 + velocity / 320;
    context.fillStyle = sounds && !isSilenced ? brightColour(channel) : channelColour(channel);
    if (isDrums(channel)) {
      const y = drumLine(key);
      const isHit = !isSilenced && start <= time && time - start < 0.12;
      context.beginPath(); context.arc(x(start), y, isHit || isChosen ? 6 : 3, 0, 7); context.fill();
      continue;
    }
    const y = bottom - (key - range.low) * step - thick / 2;
    const wide = Math.max(3, x(start + length) - x(start) - 1), grow = sounds && !isSilenced ? 1.5 : 0;
    context.beginPath();
    context.roundRect(x(start), y - grow, wide, thick + grow * 2, Math.min(4, thick / 2));
    context.fill();
    if (!isChosen) continue;
    [context.globalAlpha, context.strokeStyle, context.lineWidth] = [1, palette().ink, 2];
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Where the keys end and the drums begin: at the top if there are only drums. */
function floor(height) {
  if (drums.length === 0) return height - 6;
  return wantedRange.high < 0 ? head : height * (1 - lane);
}

function drawSong(now) {
  const time = position.at(now), x = left;
  const { context, width, height } = picture, colours = palette();
  from = beginning(time);
  to = from + span();
  bottom = floor(height);
  picture.clear();
  context.fillStyle = colours.raised;
  context.globalAlpha = 0.45;
  if (x(0) > 0) context.fillRect(0, 0, x(0), height);
  if (x(current.length) < width) context.fillRect(x(current.length), 0, width, height);
  context.globalAlpha = 1;
  drawGrid(x);
  drawNotes(time, x);
  drawMargin();
  context.fillStyle = colours.brass;
  context.fillRect(Math.round(x(time)) - 1, 0, 2, height);
  context.beginPath();
  context.moveTo(x(time) - 7, 0); context.lineTo(x(time) + 7, 0); context.lineTo(x(time), 9);
  context.fill();
}

/** Draws where something moves or is new. */
export function drawRoll(now) {
  if (!isShown(picture.canvas) || picture.width === 0) return;
  if (!current) return trails.draw(now);
  if (position.factor === 0 && !picture.isStale && Math.abs(range.low - wantedRange.low) < 3) return;
  if (stillness.matches && !picture.isStale) return;
  drawSong(now);
}
