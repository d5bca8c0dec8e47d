"""MIDI's clock beside the metronome that is heard."""
import bisect
import subprocess

from rig import CAPTURE, RATE
from scenarios import Verdict

LIMIT = 1.0
"""Milliseconds between a click and its pulse."""


def beat(options, programs):
    """The metronome clicks at two tempos while a port of the system gets the clock; both stand on one time line."""
    verdict = Verdict()
    seconds = 30
    period, periods = (int(word) for word in options.buffers.split(",")[0].split("x"))
    for kind in ("carillon", "immediate"):
        for tempo in (97, 120):
            follower = subprocess.Popen([programs.measure, "beat", CAPTURE, str(RATE), str(seconds)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            if follower.stdout.readline() != "ready\n":
                raise SystemExit("measure does not get ready")
            with programs.start(kind, period, periods, "--metronome", str(tempo), "--clock", "measure") as program:
                program.wait_until_playing()
                lines = follower.communicate("\n")[0].split("\n")
            judge(verdict, f"{period} x {periods}, {kind}, {tempo} a minute", tempo, seconds,
                  [line.split() for line in lines if line])
    return verdict.holds


def judge(verdict, title, tempo, seconds, lines):
    """How far each click is from the pulse of its beat."""
    beats, place, runs = [], 0, False
    for word, moment, value in lines:
        if word in ("start", "continue", "stop"):
            # Pulses go on in between, and count for nothing.
            runs = word != "stop"
            place = 0 if word == "start" else place
        elif word == "position":
            # In sixteenths; what goes on there goes on with the pulse of that place.
            place = 6 * int(value)
        elif word == "clock" and runs:
            if place % 24 == 0:
                beats.append(int(moment))
            place += 1
    clicks = [int(moment) for word, moment, _ in lines if word == "click"]
    if not verdict.check(beats and len(clicks) >= (seconds - 4) * tempo // 60,
                         f"{title}: {len(clicks)} clicks, {len(beats)} beats"):
        return
    apart = []
    for click in clicks:
        index = bisect.bisect(beats, click)
        near = min(beats[max(index - 1, 0):index + 1], key=lambda moment: abs(click - moment))
        apart.append((near - click) / 1e6)
    apart.sort()
    print(f"{title}: a pulse is {apart[0]:.3f} ... {apart[len(apart) // 2]:.3f} ... {apart[-1]:.3f} ms behind its click, of "
          f"{len(apart)}", flush=True)
    verdict.check(max(-apart[0], apart[-1]) <= LIMIT, f"{title}: more than {LIMIT} ms")
