import { find, control, setText, setShown, setPressed, setEnabled, setLabel } from './dom.js';
import { link } from './link.js';
import { clock, signed } from './format.js';
import { houseWords } from './house.js';
import { twice } from './twice.js';

// What plays, where it is, and the buttons that make it go.

let status = null;

const lines = {
  previous: () => 'previous', toggle: () => (goes(status) ? 'pause' : 'play'), stop: () => 'stop', next: () => 'next',
  panic: () => 'panic',
  'bar-back': () => 'seek bars -1', 'bar-on': () => 'seek bars 1',
  slower: () => `tempo ${tempo(-5)}%`, faster: () => `tempo ${tempo(5)}%`,
  lower: () => `transpose ${status.song.transpose - 1}`, higher: () => `transpose ${status.song.transpose + 1}`,
  loop: () => `repeat ${status.song.isLooping ? 'off' : 'all'}`,
};
const needsSong = Object.keys(lines).filter((does) => does !== 'panic');

/** The factor in percent after a step, on the grid of steps. */
function tempo(step) {
  const now = status.song.factor * 100, next = (Math.round(now / 5) + Math.sign(step)) * 5;
  return Math.max(10, Math.min(1000, next));
}

/** Whether the list plays, including between two songs and while the first song is measured. */
function goes({ song, house }) {
  return Boolean(song) && (song.isPlaying || song.nextIn != null || song.measured != null || house?.activity.state === 'between');
}

const endsMusic = ['stop', 'panic'];

for (const [does, line] of Object.entries(lines)) {
  const press = () => { if (does === 'panic' || status?.song) link.send(line()); };
  if (endsMusic.includes(does)) twice(control(does), press);
  else control(does).onclick = press;
}

/** Plays or pauses: the space bar's effect anywhere but on a control. */
export function toggle() { if (status?.song) link.send(lines.toggle()); }

function showSong(song) {
  setText(find('song-name'), song.name.replace(/\.(mid|midi|kar|rmi)$/i, ''));
  const place = song.count > 1 ? `${song.number} of ${song.count}` : '';
  const next = song.next && song.next !== song.name ? `then ${song.next.replace(/\.midi?$/i, '')}` : '';
  setText(find('song-place'), [song.marker, place, next].filter(Boolean).join(' · '));
  const time =
    song.measured != null
      ? `measuring loudness, ${Math.floor(song.measured * 100)} %`
      : song.nextIn != null
        ? `next in ${Math.ceil(song.nextIn)} s`
        : `${clock(song.seconds)} / ${clock(song.length)}`;
  setText(find('song-time'), time);
  setText(find('bar'), `${song.bar}.${song.beat}`);
  setText(find('tempo'), `${Math.round(song.factor * 100)} %`);
  find('tempo').title = `${song.tempo.toFixed(1)} quarter notes a minute`;
  setText(find('transpose'), signed(song.transpose));
  setPressed(control('loop'), song.isLooping);
}

function showLive({ scene, patches, device, house }) {
  const words = house && houseWords(house, Date.now());
  setText(find('song-name'), words?.state ?? patches?.name ?? 'Live');
  const closed = words?.isClosed ? [words.next, words.play].join(' ') : words?.detail;
  setText(find('song-place'), closed ?? (scene ? `Scene ${scene}` : 'What the keyboards play'));
  setText(find('song-time'), device.latencyMilliseconds && !house ? `${device.latencyMilliseconds.toFixed(1)} ms` : '');
}

function showLyrics(lyrics) {
  setShown(find('lyrics'), Boolean(lyrics));
  if (!lyrics) return;
  setText(find('sung'), lyrics.sung);
  setText(find('to-come'), lyrics.toCome);
  setText(find('next-line'), lyrics.next);
}

function showTitle({ song, patches }) {
  const name = song ? song.name.replace(/\.midi?$/i, '') : patches?.name;
  const title = name ? `${song?.isPlaying ? '▶ ' : ''}${name} · Carillon` : 'Carillon';
  if (document.title !== title) document.title = title;
}

link.on('status', (news) => {
  status = news;
  const { song, house } = status, plays = goes(status), isClosed = house?.activity.state === 'closed';
  if (song) showSong(song); else showLive(status);
  showLyrics(status.lyrics);
  showTitle(status);
  setShown(find('song-tools'), Boolean(song));
  setShown(control('loop'), !status.house);
  for (const does of needsSong) setEnabled(control(does), Boolean(song));
  setEnabled(control('panic'), !isClosed);
  const go = control('toggle');
  go.classList.toggle('plays', plays);
  setLabel(go, plays ? 'Pause' : isClosed ? 'Play: the installation is closed' : 'Play');
});
