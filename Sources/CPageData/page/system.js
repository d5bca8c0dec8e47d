import { find, control, make, isNews, isShown } from './dom.js';
import { link } from './link.js';
import { duration, percent, plural } from './format.js';
import { say } from './notices.js';
import { showLog } from './log.js';

// The state of the machine: sound card, load, interruptions and MIDI.

function showFacts(list, facts) {
  if (!isNews(list, facts)) return;
  list.replaceChildren(...facts.flatMap(([name, text]) => [make('dt', {}, name), make('dd', {}, text)]));
}

function showDevice({ device }) {
  const buffer = device.period ? `${device.periods} × ${device.period} frames` : 'none yet';
  showFacts(find('device'), [
    ['Device', device.name ?? `none; wanted: ${device.wanted.join(', ')}`],
    ['State', device.state],
    ['Rate', device.rate ? `${device.rate / 1000} kHz` : 'none yet'],
    ['Buffer', buffer],
    ['Key to sound', device.latencyMilliseconds === null ? 'unknown' : `${device.latencyMilliseconds.toFixed(1)} ms`],
    ['Thread', device.thread ?? 'not started'],
  ]);
}

function showHealth(status) {
  const { xruns } = status, count = xruns.renderLate + xruns.wokeLate + xruns.driver;
  const causes = [[xruns.renderLate, 'too much to do'], [xruns.wokeLate, 'woken late'], [xruns.driver, 'driver']]
    .filter(([number]) => number > 0).map(([number, cause]) => `${number} ${cause}`).join(', ');
  showFacts(find('health'), [
    ['Running for', duration(status.seconds)],
    ['Load', `${percent(status.load)}, at most ${percent(status.worstLoad)}`],
    ['Voices', String(status.voices)],
    ['Interruptions', count === 0 ? 'none' : causes],
    ['Late events', String(status.lateEvents)],
    ['Lost events', String(status.lostEvents)],
    ['Limiter', status.limiter < -0.05 ? `${status.limiter.toFixed(1)} dB` : 'at rest'],
  ]);
}

function showRows(list, rows, empty) {
  if (!isNews(list, rows)) return;
  list.replaceChildren(...(rows.length > 0 ? rows : [[empty, '']]).map(([name, text]) =>
    make('li', {}, make('span', {}, name), make('span', { className: 'soft' }, text))));
}

function showMIDI({ keyboards, outputs }) {
  showRows(find('keyboards'), keyboards.map((one) => [one.name, one.isConnected
    ? one.heldNotes > 0 ? `${plural(one.heldNotes, 'key')} held` : 'connected' : 'not connected']), 'No MIDI keyboard.');
  showRows(find('outputs'), outputs.map((one) => [one.name, one.port
    ? `${one.getsBeat ? 'gets the beat' : 'gets notes'}: ${one.port}` : 'goes nowhere yet']), 'No MIDI output.');
}

let status = null;

export function openSystem() {
  if (!status) return;
  showDevice(status);
  showHealth(status);
  showMIDI(status);
  showLog();
}

link.on('status', (news) => {
  status = news;
  if (!isShown(find('system'))) return;
  showDevice(status);
  showHealth(status);
  showMIDI(status);
});

for (const does of ['save-recording', 'save-patch']) {
  control(does).onclick = async () => {
    const answer = await link.send(does);
    if (answer.isOk) say(answer.text || 'Saved');
  };
}
