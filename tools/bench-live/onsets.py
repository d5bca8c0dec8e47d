"""Keys pressed at any time: whether each note begins on the very frame that the journal has for it."""
import array
import random
import struct
import time

from latency import buffers
from patch import sound
from rig import RATE, SCRATCH, Keyboard, Xruns, pcm_state, within
from scenarios import Verdict

TAKE = f"{SCRATCH}/onsets.wav"
QUIET = 480
"""Frames without a sound before an onset: a note lasts 30 ms, and the next one comes 20 ms later or more."""


BEHIND = 102
"""Frames by which the limiter at the end is behind: 96 of look-ahead, 6 of its estimate of true peaks. `carillon graph show`
tells them."""


def onsets(options, programs):
    """What is captured beside its journal, for each buffer."""
    verdict = Verdict()
    for period, periods in buffers(options):
        xruns = Xruns()
        with programs.start("carillon", period, periods, "--capture", TAKE) as program:
            program.wait_until_playing()
            time.sleep(8)       # the loop settles
            xruns.reset()
            press(options.notes)
            count = xruns.count()
            time.sleep(1)
        within(5, lambda: pcm_state() == "closed")
        judge(verdict, f"{period} x {periods}", options.notes, count, program.log)
    return verdict.holds


def press(notes):
    """Each key is down for 10 to 30 ms, and the next goes down 50 to 90 ms after it, at any microsecond."""
    keyboard, chance = Keyboard(1), random.Random(13)
    due = time.monotonic()
    for _ in range(notes):
        due += chance.uniform(0.05, 0.09)
        time.sleep(max(due - time.monotonic(), 0))
        keyboard.send(0x90, 60, 127)
        time.sleep(chance.uniform(0.01, 0.03))
        keyboard.send(0x80, 60, 0)
    keyboard.close()


def journal():
    """The frames of the notes, counted from the capture's first."""
    begin, frames = 0, []
    for line in open(TAKE + ".journal"):
        words = line.split()
        if words[0] == "begin":
            begin = int(words[1])
        elif words[0].isdigit() and words[2:4] == ["message", "144"] and words[5] != "0":
            frames.append(int(words[0]) - begin)
    return frames


def heard():
    """The frames at which a sound begins, and what follows on each."""
    left = array.array("f", sound(TAKE))[0::2]
    found, quiet = [], QUIET
    for frame, value in enumerate(left):
        if value == 0:
            quiet += 1
            continue
        if quiet >= QUIET:
            found.append((frame, struct.pack("64f", *left[frame:frame + 64])))
        quiet = 0
    return found


def judge(verdict, title, notes, xruns, log):
    written, found = journal(), heard()
    late = [word for line in log.splitlines() if line.startswith("event=end ") for word in line.split()
            if word.startswith("late=")]
    print(f"{title}: {len(written)} notes in the journal, {len(found)} heard; {xruns} xruns, {' '.join(late)}", flush=True)
    if not verdict.check(len(written) == len(found) == notes, f"{title}: not {notes} notes"):
        return
    behind = [frame - note for note, (frame, _) in zip(written, found)]
    # Frames that were not at any place would hide a program whose notes keep to a grid.
    grid = len({note % 64 for note in written})
    shapes = len({shape for _, shape in found})
    print(f"    heard {min(behind)} ... {max(behind)} frames behind it, of which the limiter's latency is {BEHIND};\n"
          f"    frames at {grid} of 64 places on a grid of 64; {shapes} kind(s) of beginning", flush=True)
    verdict.check(min(behind) == max(behind) == BEHIND, f"{title}: a note is not on its frame")
    verdict.check(shapes == 1, f"{title}: notes begin in {shapes} ways")
    verdict.check(grid == 64 or notes < 1000, f"{title}: the frames are not arbitrary")
