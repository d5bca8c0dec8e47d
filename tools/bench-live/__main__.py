"""tools/bench live WHAT: the player on a real ALSA kernel, inside tools/alsa-vm, beside fluidsynth in the same boot.

  latency    key to onset, 500 notes at 512 x 2 and 512 x 3 frames, fluidsynth, carillon, carillon --immediate in turn.
             Limits: with --immediate the median is at most fluidsynth's; else the jitter, from the 5th to the 95th
             percentile, is at most a third of fluidsynth's.
  grid       how far events land from where their stamps put them, relative to each other. Limit: 1 ms.
  onsets     1200 keys at any time, captured beside the journal. Limit: each note is heard exactly on its frame, the constant
             latency of the limiter behind, and begins with the same samples wherever that frame lies.
  soak       ten minutes of dense playing, twelve tones at a time and eighty events a second, at the smallest period at
             which fluidsynth has no xrun as long. Limits: no xrun, no late event, no call for memory by the audio thread.
  hog        a thread that comes before all others takes the processor for 4 to 20 ms a hundred times, while twelve tones
             sound; with --counted, where there is but one. Limit: no xrun of Carillon where fluidsynth has none.
             With --immediate it has more, since it renders as late as can be.
  clicks     notes of 30 ms, four a second, while such a thread takes the processor for 12, 20 and 30 ms a hundred times;
             with --counted. Limits: every onset is heard, none later than fluidsynth's latest and a period.
  held       notes of 30 ms, three a second, while such a thread takes the processor for 25 to 65 ms twice a second; with
             --counted, 500 notes. Limits: every onset of Carillon is heard on its own, none later than the hold-up, buffer
             and a period.
  voices     256 voices of a SoundFont held for a minute on the dummy card, for each program at the smallest buffer of
             64, 128, 256 and 512 x 2 at which there is no xrun; with --counted. Limit: ours is not larger. Told beside
             it: the load, and what a voice costs for a frame.
  patch      three zones and a second keyboard, a control that is learned on the terminal and moved with a hundred notes; all
             of it captured. Limits: each note is its zone's, each value within a millisecond of the note that was sent with
             it, the file keeps its comments, the journal replays bit for bit.
  beat       the metronome at two tempos while a port of the system gets MIDI's clock. Limit: each click is heard within a
             millisecond of its pulse.
  keyboards  a keyboard is unplugged while ten of its notes sound, and plugged in again. Limits: its notes and no
             other's end within 50 ms; it plays again within 1 s; memory, descriptors and sequencer ports stay as
             they are.
  device     the sound card goes and comes back, also busy. Limits: sound within 1 s of return, the song where it would
             have been within one period, the process lives and does not spin.
  loops      key to onset while four layers of a loop of a minute play, and while it is saved to a file system that stands
             still for three seconds. Limits: from the 5th to the 95th percentile at most 0.03 ms, no xrun.
  signals    Ctrl-C, SIGTERM, SIGHUP: exit code, card closed, sequencer client gone, terminal restored.

Exit code 1 when a limit does not hold. The emulated machine is slow, and a busy host makes it slower: figures are for
comparison within one boot, never absolute. How often this host stands still before it and after it, by threads that
nothing on it comes before, is told: a host in a cloud does.
"""
import argparse
import fcntl
import filecmp
import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, ".build-program", "bench-live")


def arguments():
    parser = argparse.ArgumentParser(prog="bench live", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[
        "latency", "grid", "onsets", "soak", "hog", "clicks", "held", "voices", "patch", "beat", "keyboards", "device", "loops", "signals"])
    parser.add_argument("--notes", type=int, help="of latency, grid and held (default 500), and onsets (default 1200)")
    parser.add_argument("--turns", type=int, default=2, help="in which latency plays them (default 2)")
    parser.add_argument("--buffers", help="period x periods (default 512x2,512x3; of voices 64x2,128x2,256x2,512x2)")
    parser.add_argument("--programs", default="fluidsynth,carillon,immediate", help="of latency, hog, clicks, held and voices")
    parser.add_argument("--seconds", type=float, help="of soak (default 600) and voices (default 60)")
    parser.add_argument("--voices", default="256", help="of voices: how many, even; with commas between several (default 256)")
    parser.add_argument("--from", type=int, default=64, dest="smallest", help="period with which soak begins (default 64)")
    parser.add_argument("--times", type=int, help="of keyboards (default 200) and device (default 5)")
    parser.add_argument("--carillon", help="the program to measure (default: a release build of this package)")
    parser.add_argument("--option", action="append", default=[], help="one more argument of carillon; again for more")
    parser.add_argument("--limit", type=int, help="seconds for all of it (default 3000, for soak twelve times --seconds)")
    parser.add_argument("--counted", action="store_true",
                        help="in an emulated machine whose clock counts its instructions: see tools/alsa-vm")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.buffers is None:
        options.buffers = "64x2,128x2,256x2,512x2" if options.what == "voices" else "512x2,512x3"
    if options.notes is None:
        options.notes = 1200 if options.what == "onsets" else 500
    if options.seconds is None:
        options.seconds = 60 if options.what == "voices" else 600
    return options


def prepare(options):
    """What runs inside is built outside."""
    os.makedirs(WORK, exist_ok=True)
    if not shutil.which("fluidsynth"):
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "fluidsynth"], check=True,
                       stdout=subprocess.DEVNULL)
    uses_carillon = options.what != "latency" or options.programs != "fluidsynth"
    if not options.carillon and uses_carillon:
        # Starting it builds it.
        subprocess.run([os.path.join(ROOT, "tools", "carillon"), "units"], check=True, stdout=subprocess.DEVNULL)
    sources = [os.path.join(ROOT, "tools", "bench-live", name)
               for name in ("measure.c", "capture.c", "common.c", "keys.c", "beat.c")]
    # Another run may be using them: what is the same stays, what is new takes their place whole.
    new = os.path.join(WORK, f"new-{os.getpid()}")
    subprocess.run(["cc" if shutil.which("cc") else "clang", "-O2", "-o", new, *sources, "-lasound", "-lm", "-lpthread"],
                   check=True)
    take_place(new, os.path.join(WORK, "measure"))
    import soundfont
    soundfont.write(new)
    take_place(new, os.path.join(WORK, "measure.sf2"))


def take_place(new, old):
    if os.path.exists(old) and filecmp.cmp(new, old, shallow=False):
        os.remove(new)
    else:
        os.replace(new, old)


def main():
    options = arguments()
    carillon = os.path.abspath(options.carillon or os.path.join(ROOT, ".build-program", "release", "carillon"))
    if not options.inside:
        prepare(options)
        limit = options.limit or max(3000, round(12 * options.seconds) if options.what == "soak" else 0)
        way = "--counted" if options.counted else "--realtime"
        job, lock = own_job(options.what)
        command = [os.path.join(ROOT, "tools", "alsa-vm"), way, "--limit", str(limit), "--job",
                   job, "run", sys.executable, os.path.dirname(__file__),
                   "--inside", *sys.argv[1:]]
        standstills()
        code = subprocess.run(command).returncode
        standstills()
        lock.close()
        sys.exit(code)
    from beat import beat
    from latency import clicks, grid, held, hog, latency, soak
    from loops import loops
    from onsets import onsets
    from patch import patch
    from scenarios import device, keyboards, signals
    from voices import voices
    run = {"latency": latency, "grid": grid, "onsets": onsets, "soak": soak, "hog": hog, "clicks": clicks, "held": held, "voices": voices,
           "patch": patch, "beat": beat, "keyboards": keyboards, "device": device, "loops": loops, "signals": signals}[options.what]
    sys.exit(0 if run(options, Programs(carillon, options.option)) else 1)


def own_job(what):
    """A folder for the machine that nobody else uses now, and what holds it for as long as it is open."""
    for number in range(1, 100):
        job = os.path.join(WORK, f"job-{what}" if number == 1 else f"job-{what}-{number}")
        os.makedirs(job, exist_ok=True)
        lock = open(os.path.join(job, "lock"), "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return job, lock
        except BlockingIOError:
            lock.close()
    raise SystemExit(f"bench live: 99 runs of {what} at once")


def standstills(seconds=10, limit=5):
    """How often this host stands still for over `limit` milliseconds, by a thread on each processor that nothing comes
    before. Not while something is measured: that thread would disturb it."""
    watch = subprocess.Popen([os.path.join(WORK, "measure"), "stalls", str(limit * 1000)], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)
    time.sleep(seconds)
    if watch.poll() is not None:
        print("how often this host stands still is not known: no real-time priority here")
        return
    watch.kill()
    spans = []
    for first, last in sorted([int(word) for word in line.split()] for line in watch.communicate()[0].splitlines()):
        # Several processors at one time are one standstill.
        if spans and first <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], last)
        else:
            spans.append([first, last])
    longest = max(((last - first) / 1e6 for first, last in spans), default=0)
    print(f"this host stands still {len(spans)} times for over {limit} ms in {seconds} s, at most {longest:.0f} ms",
          flush=True)


def load(path):
    """Reads a program and its libraries, so that their pages are in memory."""
    needs = subprocess.run(["ldd", path], capture_output=True, text=True).stdout.split()
    for name in {path, *(word for word in needs if word.startswith("/"))}:
        with open(name, "rb") as file:
            while file.read(1 << 20):
                pass


class Programs:
    """How the programs under test are started."""

    def __init__(self, carillon, more):
        self.carillon, self.more = carillon, more
        self.measure = os.path.join(WORK, "measure")
        self.soundfont = os.path.join(WORK, "measure.sf2")
        self.count = 0
        # Whoever reads a file of the host for the first time waits for the host.
        for command in ([carillon, "devices"], ["fluidsynth", "--version"], [carillon, "soundfont", self.soundfont]):
            if shutil.which(command[0]):
                load(shutil.which(command[0]))
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in (self.measure, self.soundfont):
            load(path)

    def start(self, name, period, periods, *more):
        """fluidsynth, carillon, or carillon --immediate (`immediate`), dry, on the loopback card."""
        from rig import PLAYBACK, RATE
        if name == "fluidsynth":
            return self.run(name, [
                "fluidsynth", "-q", "-a", "alsa", "-o", f"audio.alsa.device={PLAYBACK}", "-m", "alsa_seq",
                "-r", str(RATE), "-z", str(period), "-c", str(periods), "-R", "0", "-C", "0", "-g", "1",
                "-o", "midi.autoconnect=1", "-o", "synth.cpu-cores=1", self.soundfont])
        instrument = [] if "--instrument" in more else ["--soundfont", self.soundfont]
        return self.run(name, [
            self.carillon, "live", "--device", PLAYBACK, "--rate", str(RATE), "--period", str(period), "--periods",
            str(periods), "--connect", "any", "--dry", *instrument,
            *(["--immediate"] if name == "immediate" else []), *more, *self.more])

    def run(self, name, command):
        from rig import Program
        self.count += 1
        return Program(name, command, f"{self.count:02}-{name}.log")


main()
