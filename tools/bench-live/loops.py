"""Keys beside loops: while four layers of a minute play, and are saved to a file system that stands still for three seconds."""
import os
import subprocess
import threading
import time

from latency import HEAD, Figures, Player
from rig import SCRATCH, Xruns, within

SLOW = f"{SCRATCH}/slow"
SOCKET = f"{SCRATCH}/loops.sock"
JITTER = 0.03
"""Milliseconds from the 5th to the 95th percentile."""
STALL = 3


def mount():
    """A file system of its own, which can be frozen."""
    with open(f"{SLOW}.img", "wb") as file:
        file.truncate(200 << 20)
    os.makedirs(SLOW, exist_ok=True)
    for command in (["modprobe", "loop"], ["modprobe", "ext4"], ["mkfs.ext4", "-q", f"{SLOW}.img"],
                    ["mount", "-o", "loop", f"{SLOW}.img", SLOW]):
        subprocess.run(command, check=True)


class Saving(threading.Thread):
    """Saves the loops once ten seconds of notes have been played, to a file system that freezes meanwhile."""

    def __init__(self, ask):
        super().__init__()
        self.ask, self.seconds = ask, None

    def run(self):
        time.sleep(10)
        start = time.monotonic()
        subprocess.run(["fsfreeze", "-f", SLOW], check=True)
        self.ask("looper", "save", f"{SLOW}/loops")
        time.sleep(STALL)
        subprocess.run(["fsfreeze", "-u", SLOW], check=True)
        if within(60, lambda: os.path.exists(f"{SLOW}/loops.yaml")) is not None:
            self.seconds = time.monotonic() - start


def loops(options, programs):
    mount()
    xruns, figures = Xruns(), Figures()
    period, periods = (int(word) for word in options.buffers.split(",")[0].split("x"))
    player = Player(programs, options.notes, 1)
    with programs.start("carillon", period, periods, "--control", SOCKET, "--loop-seconds", "60") as program:
        program.wait_until_playing()

        def ask(*words):
            subprocess.run([programs.carillon, "ctl", "--control", SOCKET, *words], check=True, stdout=subprocess.DEVNULL)

        ask("looper", "record", "1")
        ask("note", "1", "60", "100", "59s")
        time.sleep(60)
        for key in (64, 67, 71):
            ask("looper", "overdub", "1")
            ask("note", "1", str(key), "100", "1s")
            time.sleep(2)
            ask("looper", "play", "1")
            time.sleep(1)
        # Keys are found beside it.
        ask("looper", "level", "1", "-60dB")
        time.sleep(1)
        state = subprocess.run([programs.carillon, "ctl", "--control", SOCKET, "status"], check=True, stdout=subprocess.PIPE)
        layers = b'"layers":4' in state.stdout.replace(b" ", b"")
        xruns.reset()
        saving = Saving(ask)
        saving.start()
        found = player.play()
        saving.join()
        figures.add(*found, xruns.count())
        program_lives = program.is_alive
    size = sum(os.path.getsize(f"{SLOW}/loops/{name}") for name in os.listdir(f"{SLOW}/loops")) if saving.seconds else 0
    print(HEAD)
    print(figures.row(f"four layers {period} x {periods}"), flush=True)
    print(f"    saved {size / 1e6:.1f} MB in {saving.seconds or 0:.1f} s, of which the file system stood still for {STALL} s")
    verdicts = {
        "four layers": layers, "the program lives": program_lives, "every key is heard": not figures.missing,
        f"jitter at most {JITTER} ms": figures.jitter <= JITTER, "no xrun": figures.xruns == 0,
        "the loops are saved": (saving.seconds or 0) > STALL and size > 20e6}
    for what, holds in verdicts.items():
        print(f"    {what}: {'holds' if holds else 'DOES NOT HOLD'}", flush=True)
    return all(verdicts.values())
