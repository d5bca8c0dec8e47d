// What the page says of a house: readings of its one state, its trouble and its calendar, in words. It needs no document and no other
// file. Times are the house's own, shown as they are written, wherever the browser stands.

const written = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(?::\d\d)? ?(?:(Z)|([+-])(\d\d):(\d\d))$/;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const minute = 60000, day = 86400000;

/** Minutes that the browser's clocks are ahead of Greenwich's at a moment. */
const browserOffset = (moment) => -new Date(moment).getTimezoneOffset();

/**
 * A time of the house as one says it there: the hour as it is written, and the day as whoever stands in the house now calls it.
 * Where the browser's clocks show another hour, whose it is stands behind it. `now` is in milliseconds.
 */
export function said(text, now, offsetAt = browserOffset) {
  const parts = written.exec(text);
  if (!parts) return text;
  const [, year, month, date, hour, , sign, hours, minutes] = parts;
  const offset = hours ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) : 0;
  const midnight = Date.UTC(year, month - 1, date), [ahead, past] = hour.split(':');
  const moment = midnight + (ahead * 60 + Number(past) - offset) * minute;
  const zone = offsetAt(moment) === offset ? '' : ` (UTC${offset ? sign + hours + ':' + minutes : ''})`;
  const days = midnight / day - Math.floor((now + offset * minute) / day);
  const near = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[days];
  const name = near ?? (Math.abs(days) < 7 ? `on ${weekdays[new Date(midnight).getUTCDay()]}` : `on ${year}-${month}-${date}`);
  return `${name} at ${hour}${zone}`;
}

const begun = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** A minus that is one, and numbers that stay with their unit. */
const set = (text) => text.replace(/(^| )-(?=\d)/g, '$1−').replace(/(\d) (?=(dB|s)\b)/g, '$1\u00a0');

/** The calendar's next word as a sentence. */
function change({ what, at }, isClosed, when) {
  if (isClosed) return `Opens ${when(at)}: ${set(what)}.`;
  const verbs = { closed: 'Closes', 'stands still': 'Pauses', 'goes on': 'Goes on' };
  return verbs[what] ? `${verbs[what]} ${when(at)}.` : `Then ${set(what)}, ${when(at)}.`;
}

/** What a press of Play would do where nothing plays; empty where something does. */
function play({ activity, next }) {
  switch (activity.state) {
    case 'closed': return next ? 'Play does nothing until then.' : 'Play does nothing.';
    case 'paused': return activity.by === 'the calendar' ? 'Play goes on now, before the calendar does.' : 'Play goes on where it stands.';
    case 'stopped': return 'Play begins the song.';
    default: return '';
  }
}

/**
 * A house in words: `state`, `detail` (since when, what and how loud), `next`, `play`, and `trouble`, which is null where all is
 * well; `isClosed` while nothing can be steered.
 */
export function houseWords(house, now, offsetAt = browserOffset) {
  const { activity, playlist, level, next, trouble } = house, isClosed = activity.state === 'closed';
  const when = (text) => said(text, now, offsetAt);
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
    next: next ? change(next, isClosed, when) : 'Nothing else is planned.',
    play: play(house),
    trouble: trouble ? `Something is wrong since ${when(trouble.since)}: ${trouble.reason}` : null,
  };
}
