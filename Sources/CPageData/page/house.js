// What the page says of a house: its state, its trouble and its calendar in words. It needs no document and no other file. Times are
// the house's own, shown as they are written, wherever the browser is.

const written = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(?::\d\d)? ?(?:(Z)|([+-])(\d\d):(\d\d))$/;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const minute = 60000, day = 86400000;

/** Minutes that the browser's clocks are ahead of Greenwich's at a moment. */
const browserOffset = (moment) => -new Date(moment).getTimezoneOffset();

/** A time of the house in parts: the day as people in the house call it now, the hour, and the zone if the browser's differs. */
function parts(text, now, offsetAt) {
  const found = written.exec(text);
  if (!found) return null;
  const [, year, month, date, hour, , sign, hours, minutes] = found;
  const offset = hours ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) : 0;
  const midnight = Date.UTC(year, month - 1, date), [ahead, past] = hour.split(':');
  const moment = midnight + (ahead * 60 + Number(past) - offset) * minute;
  const zone = offsetAt(moment) === offset ? '' : ` (UTC${offset ? sign + hours + ':' + minutes : ''})`;
  const days = midnight / day - Math.floor((now + offset * minute) / day);
  const near = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[days];
  const name = Math.abs(days) < 7 ? weekdays[new Date(midnight).getUTCDay()] : `${year}-${month}-${date}`;
  return { day: near ?? name, on: near ?? `on ${name}`, hour, zone, moment, midnight };
}

/**
 * A time of the house as people there say it: the hour as it is written, and the day as they call it now. If the browser's clocks
 * show another hour, the zone follows. `now` is in milliseconds.
 */
export function said(text, now, offsetAt = browserOffset) {
  const found = parts(text, now, offsetAt);
  return found ? `${found.on} at ${found.hour}${found.zone}` : text;
}

const begun = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** Sets a minus sign for a hyphen, and keeps numbers on one line with their unit. */
const set = (text) => text.replace(/(^| )-(?=\d)/g, '$1−').replace(/(\d) (?=(dB|s)\b)/g, '$1\u00a0');

/** The calendar's next change as a sentence. */
function change({ what, at }, isClosed, when) {
  if (isClosed) return `Opens ${when(at)}: ${set(what)}.`;
  const verbs = { closed: 'Closes', 'stands still': 'Pauses', 'goes on': 'Goes on' };
  return verbs[what] ? `${verbs[what]} ${when(at)}.` : `Then ${set(what)}, ${when(at)}.`;
}

/** What a press of Play would do if nothing plays; empty if something does. */
function play({ activity, next }) {
  switch (activity.state) {
    case 'closed': return next ? 'Play does nothing until then.' : 'Play does nothing.';
    case 'paused': return activity.by === 'the calendar' ? 'Play resumes now, ahead of the calendar.' : 'Play resumes the music.';
    case 'stopped': return 'Play begins the song.';
    default: return '';
  }
}

/**
 * A house in words: `state`, `detail` (since when, what and how loud), `next`, `play`, and `trouble`, which is null if all is
 * well; `isClosed` while nothing can be steered.
 */
export function houseWords(house, now, offsetAt = browserOffset) {
  const { activity, playlist, level, next, trouble } = house, isClosed = activity.state === 'closed';
  const when = (text) => said(text, now, offsetAt);
  // If the music was resumed by hand during the calendar's pause, the end of the pause changes nothing.
  const isEarly = next?.what === 'goes on' && activity.state !== 'paused';
  const isNamed = activity.state === 'playing' && playlist;
  const detail = [
    activity.since && `since ${when(activity.since)}`,
    !isNamed && !isClosed && playlist && `playlist ${playlist}`,
    !isClosed && level ? set(`${Math.round(level * 10) / 10} dB`) : '',
  ];
  return {
    isClosed,
    state: begun(set(activity.sentence)) + (isNamed ? `: ${playlist}` : ''),
    detail: begun(detail.filter(Boolean).join(' · ')),
    next: isEarly ? '' : next ? change(next, isClosed, when) : 'Nothing else is planned.',
    play: play(house),
    trouble: trouble ? `Something has been wrong since ${when(trouble.since)}: ${trouble.reason}` : null,
  };
}

// MARK: temporary changes

/** A wish without an end is written with one years away: later than this counts as no end. */
const endless = 300 * day;

/** The overrides of the calendar, a row for each: what holds, until when, and by whom. */
export function wishWords(wishes, now, offsetAt = browserOffset) {
  return wishes.map(({ what, until, by }) => {
    const end = parts(until, now, offsetAt), isEndless = end && end.moment - now > endless;
    const list = /^open: (.*)$/s.exec(what), level = /^softer by ([\d.]+) dB$/.exec(what);
    const name = list ? `Open, with ${list[1]}` : level ? `Quieter by ${Number(level[1])}\u00a0dB` : begun(what);
    return { text: `${name} ${isEndless ? 'until ended by hand' : `until ${said(until, now, offsetAt)}`}`, by: by ? `by ${by}` : '' };
  });
}

/** What the buttons that change something for a while do, with a time (`18:00`) or without. */
export function untilWords(time, { next, activity }, now, offsetAt = browserOffset) {
  if (time) return `Open, quieter and close: until ${time}, by the clocks of the house.`;
  const change = next ? `the calendar’s next change, ${said(next.at, now, offsetAt)}` : 'ended by hand';
  const isClosed = activity.state === 'closed';
  return `${isClosed ? 'Open' : 'Open and quieter'}: until ${change}. Close: for the rest of today.`;
}

// MARK: songs

const title = (name) => name.split('/').pop().replace(/\.(mid|midi|kar|rmi)$/i, '');

/**
 * What plays and what comes after it, a row for each: its title, what is said of it, and `name` of a requested
 * one, which can be taken out.
 */
export function queueWords({ song, house }) {
  const rows = [];
  if (song) {
    // A house's list is named above, and a requested song has no place in it.
    const place = song.count > 1 && !house ? `${song.number} of ${song.count}` : '';
    const state = song.isPlaying ? 'now' : song.nextIn != null ? 'over' : 'waits';
    rows.push({ title: title(song.name), text: [state, place].filter(Boolean).join(' · ') });
  }
  const names = house ? house.queue : song?.next ? [song.next] : [], asked = house?.requests.length ?? 0;
  names.forEach((name, index) => {
    const then = index === 0 && song?.nextIn != null ? `in ${Math.ceil(song.nextIn)} s` : 'then';
    const row = { title: title(name), text: index < asked ? `${then} · asked for` : then };
    rows.push(index < asked ? { ...row, name } : row);
  });
  return rows;
}

/** The text beside a song's title: its playlists and its length, or why it cannot be played. */
export function songWords({ playlists, length, fault }) {
  if (fault) return `Cannot be played: ${fault}`;
  const seconds = Math.round(length ?? 0), time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return [playlists.join(', '), length == null ? '' : time].filter(Boolean).join(' · ');
}

/** The songs whose titles or playlists contain all words of a text, as in the server's search. */
export function songsWith(songs, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return songs.filter(({ title: name, playlists }) => {
    const all = [name, ...playlists].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

// MARK: the calendar

/** The changes of the next days, a row for each day or for several alike: `day`, and what changes at which hour. */
export function weekWords(changes, isClosed, now, offsetAt = browserOffset) {
  const rows = [], verbs = { closed: 'closes', 'stands still': 'pauses', 'goes on': 'goes on' };
  let closed = isClosed;
  for (const { at, what } of changes) {
    const time = parts(at, now, offsetAt);
    if (!time) continue;
    const text = verbs[what] ?? (closed ? `opens: ${set(what)}` : what.startsWith('level ') ? set(what) : `then ${set(what)}`);
    closed = what === 'closed';
    const line = `${time.hour} ${text}`;
    if (rows.at(-1)?.midnight === time.midnight) rows.at(-1).lines.push(line);
    else rows.push({ ...time, lines: [line] });
  }
  // The zone is named once, then only where it changes.
  return alike(rows).map(({ first, last, lines, zone }, place, spans) => ({
    day: (first === last ? first : `${first} – ${last}`) + (zone === spans[place - 1]?.zone ? '' : zone), lines,
  }));
}

/** Joins successive days that are alike. */
function alike(rows) {
  const spans = [];
  for (const { day: name, midnight, lines, zone } of rows) {
    const before = spans.at(-1), isSame = before?.next === midnight && before.lines.join() === lines.join();
    if (isSame) [before.last, before.next] = [begun(name), midnight + day];
    else spans.push({ first: begun(name), last: begun(name), next: midnight + day, lines, zone });
  }
  return spans;
}
