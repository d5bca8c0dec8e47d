"""Key to onset, events on a grid, and the soak."""
import subprocess
import time

from calls import Allocations
from rig import CAPTURE, PLAYBACK, RATE, Xruns, now, pcm_moves, pcm_state, within

KEYBOARD = "hw:VirMIDI,0"


def buffers(options):
    return [tuple(int(number) for number in words.split("x")) for words in options.buffers.split(",")]


def percentile(values, part):
    ordered = sorted(values)
    at = part / 100 * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


class Player:
    """Presses keys and listens. Made before the program under test, so that the kernel stamps keys for it first."""

    def __init__(self, programs, notes, seed, *lengths):
        self.process = subprocess.Popen(
            [programs.measure, "latency", CAPTURE, str(RATE), KEYBOARD, str(notes), str(seed), *map(str, lengths)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise SystemExit("measure does not get ready")

    def play(self):
        """Milliseconds from key to onset of each note that was heard, by the kernel's first stamp, how many were not, and
        the tool's first line. `spans` has what the program's own stamp can be: (by the last stamp, by the first)."""
        output = self.process.communicate("go\n")[0].splitlines()
        if self.process.returncode != 0:
            raise SystemExit(f"measure: exit code {self.process.returncode}")
        rows = [line.split()[1:] for line in output[1:]]
        self.missed = [(int(line.split()[0]), row[1:]) for line, row in zip(output[1:], rows) if row[0] == "missing"]
        self.spans = [(int(row[1]) / 1000, int(row[0]) / 1000) for row in rows if row[0] != "missing"]
        heard = [by_first for _, by_first in self.spans]
        return heard, len(rows) - len(heard), output[0]


class Figures:
    """Of one program with one buffer, over all turns."""

    def __init__(self):
        self.delays, self.missing, self.xruns, self.lines = [], 0, 0, []

    def add(self, delays, missing, line, xruns):
        self.delays += delays
        self.missing += missing
        self.xruns += xruns
        self.lines.append(line)

    @property
    def median(self):
        return percentile(self.delays, 50)

    @property
    def jitter(self):
        return percentile(self.delays, 95) - percentile(self.delays, 5)

    def row(self, title):
        if not self.delays:
            return f"{title:24} nothing heard of {self.missing} notes"
        columns = "".join(f"{percentile(self.delays, part):8.2f}" for part in (0, 5, 50, 95, 100))
        return f"{title:24}{columns}{self.jitter:9.2f}{self.missing:9}{self.xruns:7}"


HEAD = "key to onset, ms".ljust(24) + "".join(name.rjust(width) for name, width in (
    ("least", 8), ("5 %", 8), ("median", 8), ("95 %", 8), ("most", 8), ("5-95 %", 9), ("missing", 9), ("xruns", 7)))


def latency(options, programs):
    xruns, holds = Xruns(), True
    names = options.programs.split(",")
    print(HEAD, flush=True)
    for period, periods in buffers(options):
        figures = {name: Figures() for name in names}
        for turn in range(options.turns):
            for name in names:
                player = Player(programs, options.notes // options.turns, turn + 1)
                with programs.start(name, period, periods) as program:
                    program.wait_until_playing()
                    time.sleep(1)
                    xruns.reset()
                    found = player.play()
                    figures[name].add(*found, xruns.count())
                    # The program's own report comes with its end.
                within(5, lambda: pcm_state() == "closed")
        for name in names:
            print(figures[name].row(f"{name} {period} x {periods}"), flush=True)
            for line in figures[name].lines:
                print("   " + line[1:])
        holds &= judge(figures)
    return holds


def judge(figures):
    """Whether the limits of the issue hold, as far as there is something to compare."""
    other = figures.get("fluidsynth")
    if any(not figure.delays or figure.missing for figure in figures.values()):
        print("    notes are MISSING")
        return False
    if other is None:
        return True
    verdicts = []
    if "immediate" in figures:
        verdicts.append(("median with --immediate", figures["immediate"].median, other.median))
    if "carillon" in figures:
        verdicts.append(("jitter", figures["carillon"].jitter, other.jitter / 3))
    for what, value, limit in verdicts:
        verdict = "holds" if value <= limit else "DOES NOT HOLD"
        print(f"    {what} {value:.2f} ms, limit {limit:.2f} ms: {verdict}", flush=True)
    return all(value <= limit for _, value, limit in verdicts)


def grid(options, programs):
    """Notes of the square wave, which start on their exact frame, against their stamps."""
    xruns, holds = Xruns(), True
    print(HEAD, flush=True)
    for period, periods in buffers(options):
        player = Player(programs, options.notes, 1)
        with programs.start("carillon", period, periods, "--instrument", "square-wave",
                            "--set", "square-wave.attack=0.5ms", "--set", "square-wave.release=1ms") as program:
            program.wait_until_playing()
            time.sleep(10)      # the loop settles within 8 s
            xruns.reset()
            figures = Figures()
            found = player.play()
            figures.add(*found, xruns.count())
        within(5, lambda: pcm_state() == "closed")
        print(figures.row(f"square-wave {period} x {periods}"), f"\n   {figures.lines[0][1:]}", flush=True)
        if not figures.delays or figures.missing:
            holds = False
            continue
        # Where both stamps agree the program's own is known. Elsewhere a note is off by as much as neither explains.
        middle = percentile([(low + high) / 2 for low, high in player.spans if high - low <= 0.5], 50)
        worst = max(max(low - middle, middle - high) for low, high in player.spans)
        known = [abs((low + high) / 2 - middle) for low, high in player.spans if high - low <= 0.5]
        print(f"    {len(known)} of {len(player.spans)} notes have stamps that agree within 0.5 ms: they are within "
              f"{max(known):.3f} ms of the grid")
        if len(known) * 2 < len(player.spans):
            print("    too few of them")
            holds = False
        worst = max(worst, *known)
        holds &= worst <= 1
        verdict = "holds" if worst <= 1 else "DOES NOT HOLD"
        print(f"    furthest from the grid {worst:.3f} ms, limit 1 ms: {verdict}", flush=True)
    return holds


def dense(programs, seconds, seed):
    subprocess.run([programs.measure, "dense", KEYBOARD, str(seconds), str(seed)], check=True)


class Long:
    """A program that is played densely: what it cost, its xruns and, where it has a thread of that name, what that thread
    asked for memory."""

    def __init__(self, programs, name, period, seconds, *more, thread=None):
        xruns = Xruns()
        with programs.start(name, period, 3, *more) as program:
            program.wait_until_playing()
            time.sleep(2)
            watch = Allocations(program.process.pid, thread) if thread else None
            xruns.reset()
            cpu, memory, self.begin = program.cpu_seconds(), program.memory_kib(), now()
            dense(programs, seconds, 2)
            self.end = now()
            self.lasted = (self.end - self.begin) / 1e9
            self.load = (program.cpu_seconds() - cpu) / self.lasted
            self.grown = program.memory_kib() - memory
            self.xruns = xruns.moments()
            self.is_alive = program.is_alive and pcm_moves()
            self.is_clean = self.is_alive and not self.xruns
            self.allocations = watch.counts() if watch else {}
            self.all_allocations = watch.everybody() if watch else 0
            if watch:
                watch.end()
        within(5, lambda: pcm_state() == "closed")
        self.log = program.log
        print(f"{name} {period} x 3 on {PLAYBACK}: {self.lasted:.0f} s, {len(self.xruns)} xruns, {100 * self.load:.0f} % of a "
              f"processor, memory grew by {self.grown} KiB, {'playing' if self.is_alive else 'PLAYS NO MORE'}", flush=True)
        if 0 < len(self.xruns) < 100:
            print("    xruns after " + ", ".join(f"{(moment - self.begin) / 1e9:.1f}" for moment in self.xruns) + " s")


def soak(options, programs):
    """The smallest period, with three of them, at which fluidsynth plays as long without an xrun; then Carillon there."""
    for period in (64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048):
        if period < options.smallest:
            continue
        # What does not hold for a minute does not hold for ten.
        if options.seconds > 60 and not Long(programs, "fluidsynth", period, 60).is_clean:
            continue
        if Long(programs, "fluidsynth", period, options.seconds).is_clean:
            break
    else:
        print("fluidsynth has xruns at every period; nothing to compare with")
        return False
    carillon = Long(programs, "carillon", period, options.seconds, "--timing-report", thread="carillon-audio")
    print(carillon.log)
    late = [word for line in carillon.log.splitlines() if line.startswith("event=end ") for word in line.split()
            if word.startswith("late=")]
    print(f"events that came late: {late[0][5:] if late else 'not reported'}; calls for memory by the audio thread: "
          f"{carillon.allocations or 0}, by everybody {carillon.all_allocations}")
    return carillon.is_clean and late == ["late=0"] and not carillon.allocations and carillon.all_allocations > 0


def hog(options, programs):
    """Xruns of each program where the machine lets nobody run for a while, by how long that is."""
    lengths, count, holds = (4, 6, 8, 10, 12, 14, 16, 20), 100, True
    names = options.programs.split(",")
    for period, periods in buffers(options):
        found = {name: [] for name in names}
        for name in names:
            for length in lengths:
                xruns = Xruns()
                with programs.start(name, period, periods) as program:
                    program.wait_until_playing()
                    playing = subprocess.Popen([programs.measure, "dense", KEYBOARD, str(count), "2"])
                    time.sleep(2)
                    xruns.reset()
                    subprocess.run([programs.measure, "hog", str(length), str(count), "3"], check=True,
                                   stdout=subprocess.DEVNULL)
                    time.sleep(0.1)
                    if playing.poll() is not None:
                        raise SystemExit("measure dense ended too soon")
                    found[name].append(xruns.count() if program.is_alive and pcm_moves() else None)
                    playing.kill()
                    playing.wait()
                within(5, lambda: pcm_state() == "closed")
        print(f"xruns of {count} times, {period} x {periods}".ljust(34)
              + "".join(f"{length} ms".rjust(7) for length in lengths), flush=True)
        for name in names:
            print(f"{name:34}" + "".join(f"{'-' if xruns is None else xruns:7}" for xruns in found[name]), flush=True)
        for place, length in enumerate(lengths):
            own = found["carillon"][place] if "carillon" in found else 0
            other = found["fluidsynth"][place] if "fluidsynth" in found else None
            if own is None or other == 0 and own > 0:
                print(f"    carillon at {length} ms: DOES NOT HOLD")
                holds = False
    return holds


def clicks(options, programs):
    """Notes of 30 ms, four a second, while the machine lets nobody run for a while, a hundred times."""
    period, periods = buffers(options)[0]
    figures, holds = {}, True
    print(HEAD, flush=True)
    for length in (12, 20, 30):
        for name in options.programs.split(","):
            xruns = Xruns()
            player = Player(programs, 80, length, 30, 230)
            with programs.start(name, period, periods) as program:
                program.wait_until_playing()
                time.sleep(1)
                xruns.reset()
                hog = subprocess.Popen([programs.measure, "hog", str(length), "100", "3"], stdout=subprocess.DEVNULL)
                found = player.play()
                hog.wait()
                figures[name] = Figures()
                figures[name].add(*found, xruns.count())
            within(5, lambda: pcm_state() == "closed")
            print(figures[name].row(f"{name}, {length} ms away"), flush=True)
        limit = max(figures["fluidsynth"].delays, default=0) + 1000 * period / RATE
        for name in figures:
            if name == "fluidsynth":
                continue
            latest = max(figures[name].delays, default=0)
            verdict = not figures[name].missing and 0 < latest <= limit
            print(f"    {name}: latest {latest:.2f} ms, limit {limit:.2f} ms, {figures[name].missing} missing: "
                  f"{'holds' if verdict else 'DOES NOT HOLD'}", flush=True)
            holds &= verdict
    return holds


def held(options, programs):
    """Notes of 30 ms, three a second, while the machine lets nobody run for 25 to 65 ms twice a second."""
    period, periods = buffers(options)[0]
    limit, holds = 65 + 1000 * (periods + 1) * period / RATE, True
    print(HEAD, flush=True)
    for name in options.programs.split(","):
        xruns, figures = Xruns(), Figures()
        player = Player(programs, options.notes, 7, 30, 303, "first")
        with programs.start(name, period, periods) as program:
            program.wait_until_playing()
            time.sleep(1)
            xruns.reset()
            hog = subprocess.Popen([programs.measure, "hog", "25", str(options.notes), "3", "65", "500"],
                                   stdout=subprocess.PIPE, text=True)
            figures.add(*player.play(), xruns.count())
            hog.kill()
            spans = [[int(word) for word in line.split()] for line in hog.communicate()[0].splitlines()]
        within(5, lambda: pcm_state() == "closed")
        print(figures.row(name), flush=True)
        for stamp, levels in player.missed:
            near = [f"{(first - stamp) / 1e6:+.1f} to {(last - stamp) / 1e6:+.1f}" for first, last in spans
                    if abs(first - stamp) < 300e6]
            stops = [f"{(moment - stamp) / 1e6:+.1f}" for moment in xruns.moments() if abs(moment - stamp) < 300e6]
            print(f"    not heard, in ms from its key: held up {', '.join(near)}; xruns {', '.join(stops)}; "
                  f"levels each 10 ms: {' '.join(levels)}")
        if name == "fluidsynth":
            continue
        latest = max(figures.delays, default=0)
        verdict = not figures.missing and 0 < latest <= limit
        print(f"    {name}: latest {latest:.2f} ms, limit {limit:.2f} ms, {figures.missing} missing: "
              f"{'holds' if verdict else 'DOES NOT HOLD'}", flush=True)
        holds &= verdict
    return holds
