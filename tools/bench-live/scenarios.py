"""What goes wrong around a player: keyboards and sound cards that go and come back, signals."""
import bisect
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench-render"))

from songs import quantity

from rig import (PLAYBACK, RATE, SCRATCH, Keyboard, Levels, Xruns, client_number, connections, keyboard_clients,
                 module_device, now, pcm_state, plug, unplug, within)

SONG = f"{SCRATCH}/song.mid"
LEVELS = f"{SCRATCH}/levels"
LOUD = 0.01
"""Peak above which a channel counts as sounding."""


class Verdict:
    """Collects what did not hold, and says it once."""

    def __init__(self):
        self.holds = True

    def check(self, condition, words):
        if not condition:
            self.holds = False
            print(f"    DOES NOT HOLD: {words}", flush=True)
        return condition


def spread(values):
    ordered = sorted(values)
    return f"{ordered[0]:.0f} ... {ordered[len(ordered) // 2]:.0f} ... {ordered[-1]:.0f} ms" if ordered else "none"


# --- keyboards --------------------------------------------------------------------------------------


def tone(keyboard, channel, pan):
    """Preset 1, a tone as long as its key is down, on one side."""
    keyboard.send(0xC0 | channel, 1)
    keyboard.send(0xB0 | channel, 10, pan)


def sounds(levels, side):
    """Whether a side, 1 left or 2 right, can be heard at the end of what was recorded."""
    return any(level[side] > LOUD for level in levels[-60:])


def keyboards(options, programs):
    """Ten notes of one keyboard on the left, one of another on the right; the first is unplugged and comes back."""
    times, verdict = options.times or 200, Verdict()
    subprocess.run(["rmmod", "snd-virmidi"], check=True)
    subprocess.run(["modprobe", "snd-virmidi", "enable=1,1", "index=1,3", "midi_devs=1,1"], check=True)
    cable = module_device("snd_virmidi")[0]
    period, periods = (int(word) for word in options.buffers.split(",")[0].split("x"))
    ends, returns, sizes, gaps, xruns = [], [], [], 0, Xruns()
    with programs.start("carillon", period, periods) as program, Levels(programs.measure, LEVELS) as levels:
        program.wait_until_playing()
        verdict.check(within(5, lambda: connections() == 2) is not None, f"{connections()} keyboards of 2 connected")
        other = Keyboard(3)
        tone(other, 1, 127)
        other.send(0x91, 72, 120)
        time.sleep(0.5)
        xruns.reset()
        for turn in range(times):
            keyboard = Keyboard(1)
            tone(keyboard, 0, 0)
            begin = now()
            for key in range(60, 70):
                keyboard.send(0x90, key, 60)
            keyboard.send(0xE0, 0, 96)
            keyboard.send(0xB0, 64, 127)
            sound = levels.since(begin, settle=0.25)
            verdict.check(sounds(sound, 1) and sounds(sound, 2), f"turn {turn}: nothing sounds before")
            keyboard.close()
            away = now()
            unplug(cable)
            sound = levels.since(away, settle=0.35)
            last = max((moment for moment, left, _ in sound if left > LOUD), default=away)
            ends.append((last - away) / 1e6)
            verdict.check(ends[-1] <= 50, f"turn {turn}: its notes end after {ends[-1]:.0f} ms")
            verdict.check(sounds(sound, 2), f"turn {turn}: the note of the other ended too")
            # An xrun interrupts it, and it sounds on.
            gaps += any(right <= LOUD for _, _, right in sound)
            is_quiet = sound and sound[-1][1] < LOUD
            back = now()
            plug(cable)
            within(1.5, lambda: connections() == 2)
            keyboard = Keyboard(1)
            tone(keyboard, 0, 0)
            keyboard.send(0x90, 60, 100)
            sound = levels.since(back, settle=0.15)
            never = back + 9_999_000_000
            first = min((moment for moment, left, _ in sound if left > LOUD), default=never) if is_quiet else never
            returns.append((first - back) / 1e6)
            verdict.check(returns[-1] <= 1000, f"turn {turn}: it plays again after {returns[-1]:.0f} ms")
            keyboard.send(0x80, 60, 0)
            keyboard.close()
            sizes.append((program.memory_kib(), program.descriptor_count(), connections()))
            if not verdict.check(program.is_alive, f"turn {turn}: the program ended"):
                break
        count = xruns.count()
        other.send(0x81, 72, 0)
        begin = now()
        sound = levels.since(begin + 150_000_000, settle=0.4)
        verdict.check(sound and all(max(left, right) < LOUD for _, left, right in sound), "a note hangs at the end")
        other.close()
    # What is settled after a tenth must stay.
    settled, end = sizes[len(sizes) // 10], sizes[-1]
    verdict.check(end[0] - settled[0] <= 512, f"memory grew by {end[0] - settled[0]} KiB")
    verdict.check(end[1] == settled[1], f"descriptors: {settled[1]}, then {end[1]}")
    verdict.check(end[2] == settled[2], f"connections: {settled[2]}, then {end[2]}")
    print(f"{len(ends)} times unplugged: notes end after {spread(ends)}; it plays again after {spread(returns)}; "
          f"memory {settled[0]} -> {end[0]} KiB, descriptors {settled[1]} -> {end[1]}; the note of the other was "
          f"interrupted in {gaps} of the times; {count} xruns in all")
    print(tail(program.log))
    return verdict.holds


def tail(log, count=30):
    return "\n".join("    | " + line for line in log.splitlines()[-count:])


# --- the sound card ---------------------------------------------------------------------------------


def blows(seconds=300):
    """Times in seconds of the song's blows: gaps of 250 to 350 ms, no row of which comes twice."""
    found, time_, state = [], 1.0, 1
    while time_ < seconds:
        found.append(time_)
        state = (state * 1103515245 + 12345) % 2**31
        time_ += 0.250 + (state >> 16) % 101 / 1000
    return found


def write_song(path):
    """Blows on the left by `blows()`, a tone on the right all the time. One tick is one millisecond."""
    events = [(0, b"\xff\x51\x03\x07\xa1\x20"), (0, b"\xb0\x0a\x00"), (0, b"\xc1\x01"), (0, b"\xb1\x0a\x7f"),
              (10, bytes([0x91, 72, 100]))]
    for moment in blows():
        events += [(round(moment * 1000), bytes([0x90, 60, 127])), (round(moment * 1000) + 60, bytes([0x80, 60, 0]))]
    body, previous = b"", 0
    for tick, event in events:
        body += quantity(tick - previous) + event
        previous = tick
    body += quantity(500) + bytes([0x81, 72, 0]) + b"\x00\xff\x2f\x00"
    with open(path, "wb") as file:
        file.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 500) + b"MTrk" + struct.pack(">I", len(body)) + body)


def song_shift(sound, near=0):
    """Nanoseconds of CLOCK_MONOTONIC at which the song began, by the blows that were heard, and how many they were.

    The beginning that most blows agree on, within 4 ms; of several, the nearest to `near`."""
    onsets, quiet = [], 0
    for moment, left, _ in sound:
        if left > 5 * LOUD and quiet >= 20:
            onsets.append(moment)
        quiet = 0 if left > LOUD else quiet + 1
    expected = [round(moment * 1e9) for moment in blows()]
    def distance(moment):
        at = bisect.bisect(expected, moment)
        return min((moment - other for other in expected[max(at - 1, 0):at + 1]), key=abs)
    best, count = None, 0
    for guess in (onset - moment for onset in onsets[:3] for moment in expected):
        starts = [distance(onset - guess) for onset in onsets]
        agree = sorted(start for start in starts if abs(start) < 4_000_000)
        if agree and (len(agree), -abs(guess - near)) > (count, -abs((best or 0) - near)):
            best, count = guess + agree[len(agree) // 2], len(agree)
    return best, count


def load_of(program, seconds):
    before = program.cpu_seconds()
    time.sleep(seconds)
    return (program.cpu_seconds() - before) / seconds


class Holder:
    """Another program, which takes the card as soon as it is there."""

    def __init__(self, measure):
        self.process = subprocess.Popen([measure, "hold", PLAYBACK, str(RATE)], stdout=subprocess.PIPE)

    def wait(self):
        return self.process.stdout.readline() == b"held\n"

    def let_go(self):
        self.process.kill()
        self.process.wait()


def go_away(cable, removes_module):
    """Unplugs the card; whoever has it open must close it, or this never ends. Returns a function that waits for it."""
    thread = threading.Thread(target=unplug, args=(cable,), daemon=True)
    thread.start()
    def finish():
        thread.join(5)
        if not thread.is_alive() and removes_module:
            command = ["rmmod", "snd-aloop"]
            gone = within(3, lambda: subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0)
            return gone is not None
        return not thread.is_alive()
    return finish


def load_card():
    # One substream, so that two programs want the same.
    subprocess.run(["modprobe", "snd-aloop", "index=0", "pcm_substreams=1"], check=True)


def come_back(cable, removed_module):
    if removed_module:
        load_card()
    else:
        plug(cable)


def restore(cable):
    """A program that kept the card open has ended: now the card can come back."""
    if within(3, lambda: bool(module_device("snd_aloop"))) is None:
        come_back(cable, not os.path.isdir("/sys/bus/platform/drivers/snd_aloop"))


def device(options, programs):
    """A song plays on while its card goes and comes back: unbound, with its module, and held by another program."""
    times, verdict = options.times or 5, Verdict()
    period, periods = (int(word) for word in options.buffers.split(",")[0].split("x"))
    cable = module_device("snd_aloop")[0]
    write_song(SONG)
    subprocess.run(["rmmod", "snd-aloop"], check=True)
    load_card()
    xruns = Xruns()
    for kind in ("unbound", "module removed", "busy on return"):
        gaps, shifts, loads = [], [], []
        command = [programs.carillon, "play", SONG, "--device", PLAYBACK, "--rate", str(RATE), "--period",
                   str(period), "--periods", str(periods), "--dry", "--soundfont", programs.soundfont,
                   *programs.more]
        with programs.run("play", command) as program, Levels(programs.measure, LEVELS) as levels:
            if within(60, lambda: pcm_state() == "RUNNING") is None:
                raise SystemExit(f"carillon does not play: card {pcm_state()}\n{program.log}")
            time.sleep(2)
            normal = load_of(program, 2)
            for turn in range(times):
                begin = now()
                time.sleep(4)
                # An xrun moves the song as well: hence where it is just before, and the count of those in between.
                origin, count = song_shift(levels.since(begin))
                verdict.check(count >= 6, f"{kind}, turn {turn}: {count} blows heard before")
                xruns.reset()
                holder = Holder(programs.measure) if kind == "busy on return" else None
                finish = go_away(cable, kind == "module removed")
                if not verdict.check(finish(), f"{kind}, turn {turn}: the card that is gone is still held open"):
                    break
                loads.append(load_of(program, 1))
                come_back(cable, kind == "module removed")
                if holder:
                    verdict.check(holder.wait(), f"{kind}, turn {turn}: the other program never got the card")
                    loads.append(load_of(program, 1))
                    holder.let_go()
                back = now()
                sound = levels.since(back, settle=4.0)
                first = min((moment for moment, _, right in sound if right > LOUD), default=back + 9_999_000_000)
                gaps.append((first - back) / 1e6)
                verdict.check(gaps[-1] <= 1000, f"{kind}, turn {turn}: sound after {gaps[-1]:.0f} ms")
                again, count = song_shift(sound, origin or 0)
                if verdict.check(count >= 6 and origin, f"{kind}, turn {turn}: {count} blows heard after it came back"):
                    shifts.append((again - origin) / 1e6)
                    verdict.check(abs(shifts[-1]) <= period * 1000 / RATE,
                                  f"{kind}, turn {turn}: the song is {shifts[-1]:+.1f} ms from where it should be; "
                                  f"{xruns.count()} xruns meanwhile")
                if not verdict.check(program.is_alive, f"{kind}, turn {turn}: the program ended"):
                    break
            verdict.check(all(load <= 1.5 * normal + 0.1 for load in loads), f"{kind}: load without card {loads}")
        print(f"{kind}, {len(gaps)} times: sound after {spread(gaps)}; song off by "
              f"{', '.join(f'{shift:+.1f}' for shift in shifts)} ms; load {100 * normal:.0f} % playing, "
              f"{', '.join(f'{100 * load:.0f}' for load in loads)} % without card", flush=True)
        print(tail(program.log))
        within(5, lambda: pcm_state() == "closed")
        restore(cable)
    return verdict.holds


# --- signals ----------------------------------------------------------------------------------------


def on_terminal(command):
    """Starts it with a terminal of its own: the process, the terminal's other end, its settings before."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    before = termios.tcgetattr(slave)
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                               preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                               env={**os.environ, "TERM": "xterm-256color"})
    shown = bytearray()
    def read():
        while True:
            try:
                data = os.read(master, 65536)
            except OSError:
                return
            if not data:
                return
            shown.extend(data)
    threading.Thread(target=read, daemon=True).start()
    return process, master, slave, before, shown


def signals(options, programs):
    """live and play on a terminal, a note sounding, ended in each way."""
    verdict = Verdict()
    period, periods = (int(word) for word in options.buffers.split(",")[0].split("x"))
    common = ["--device", PLAYBACK, "--rate", str(RATE), "--period", str(period), "--periods", str(periods),
              "--dry", "--soundfont", programs.soundfont, *programs.more]
    write_song(SONG)
    endings = [("Ctrl-C", None, 130), ("SIGINT", signal.SIGINT, 130), ("SIGTERM", signal.SIGTERM, 143),
               ("SIGHUP", signal.SIGHUP, 129)]
    with Levels(programs.measure, LEVELS) as levels:
        for kind in (["live", "--connect", "any"], ["play", SONG]):
            for name, number, expected in endings:
                process, master, slave, before, shown = on_terminal([programs.carillon, *kind, *common])
                title = f"{kind[0]}, {name}"
                ready = within(60, lambda: pcm_state() == "RUNNING" and (kind[0] == "play" or connections() > 0))
                if not verdict.check(ready is not None, f"{title}: never played\n{shown.decode(errors='replace')}"):
                    process.kill()
                    process.wait()
                    continue
                if kind[0] == "live":
                    keyboard = Keyboard(min(keyboard_clients())[0])
                    keyboard.send(0xC0, 1)
                    keyboard.send(0x90, 60, 100)
                begin = now()
                sound = levels.since(begin, settle=0.5)
                verdict.check(sound and max(sound[-1][1:]) > LOUD, f"{title}: nothing sounds")
                during = termios.tcgetattr(slave)
                start = time.monotonic()
                if number is None:
                    os.write(master, b"\x03")
                else:
                    process.send_signal(number)
                try:
                    code = process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    code = f"none within 10 s, killed: {process.wait()}"
                took = time.monotonic() - start
                verdict.check(code == expected, f"{title}: exit code {code}, not {expected}")
                verdict.check(took <= 2, f"{title}: ended after {took:.1f} s")
                verdict.check(pcm_state() == "closed", f"{title}: the card is {pcm_state()}")
                verdict.check(client_number("Carillon") is None, f"{title}: the sequencer client stays")
                verdict.check(termios.tcgetattr(slave) == before, f"{title}: the terminal's settings are changed")
                # A cursor that was hidden is shown again, an alternate screen left.
                for on, off, words in ((b"\x1b[?25l", b"\x1b[?25h", "cursor"),
                                       (b"\x1b[?1049h", b"\x1b[?1049l", "screen")):
                    verdict.check(shown.rfind(off) >= shown.rfind(on), f"{title}: the {words} is not restored")
                print(f"{title}: exit code {code} after {took * 1000:.0f} ms, terminal was "
                      f"{'changed and is' if during != before else 'not changed,'} restored", flush=True)
                if kind[0] == "live":
                    keyboard.close()
                os.close(master)
                os.close(slave)
    return verdict.holds
