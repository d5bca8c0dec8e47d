// Numbers as text, and names as they are written in a line of the grammar.

const keyNames = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B'];

/** 60 is C4. */
export const keyName = (key) => keyNames[key % 12] + (Math.floor(key / 12) - 1);

export const isBlack = (key) => [1, 3, 6, 8, 10].includes(key % 12);

/** Seconds as minutes and seconds. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
  const end = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`;
}

/** A long time in words, as a house counts it. */
export function duration(seconds) {
  const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${Math.floor(seconds) % 60} s`;
}

export const signed = (number) => (number > 0 ? `+${number}` : String(number).replace('-', '−'));

export function decibels(value) {
  if (value === null || value <= -119) return 'silent';
  return `${value.toFixed(1).replace('-', '−')} dB`;
}

export const percent = (ratio, digits = 0) => `${(ratio * 100).toFixed(digits)} %`;

/** A value while a finger moves it; afterwards the server's own text takes its place. */
export function value(number, parameter) {
  if (parameter.steps) return parameter.steps[Math.round(number - parameter.min)] ?? String(number);
  const digits = parameter.isWhole ? 0 : Math.min(4, Math.max(0, 3 - Math.ceil(Math.log10(Math.abs(number) + 1e-4))));
  const text = number.toFixed(digits).replace('-', '−');
  const unit = { decibels: 'dB', hertz: 'Hz', seconds: 's', percent: '%', semitones: 'semitones', cents: 'cents' };
  return unit[parameter.unit] ? `${text} ${unit[parameter.unit]}` : text;
}

/** A name as the grammar wants it: always in quotes, for a scene may be called "next". */
export function quoted(name) {
  const escapes = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `"${name.replaceAll(/[\\"\n\r\t]/g, (sign) => escapes[sign])}"`;
}

/** A number without the noise of floating point. */
export const plain = (number) => String(Number(number.toPrecision(6)));

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
