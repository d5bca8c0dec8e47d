"""A patch that is played: three zones, a second keyboard, a control that is learned, the journal replayed."""
import os
import struct
import subprocess
import time

from rig import PLAYBACK, RATE, SCRATCH, Keyboard, Xruns, connections, pcm_state, within
from scenarios import Verdict, on_terminal

PATCH = f"{SCRATCH}/split.yaml"
TAKE = f"{SCRATCH}/take.wav"
TEXT = """# Three zones and a second keyboard.
version: 1
units:
  bass: {unit: square-wave, role: instrument, parts: 1, gain: -18 dB}
  organ: {unit: square-wave, role: instrument, parts: 2, gain: -18 dB}
  lead: {unit: square-wave, role: instrument, parts: 3, gain: -18 dB}
  pad: {unit: square-wave, role: instrument, parts: 4, gain: -18 dB, attack: 50 ms}
  reverb: {role: send, decay: 2 s}
  mixer: {unit: multichannel-mixer, role: master, inputs: 5}
connections:
  - bass -> mixer
  - organ -> mixer[1]
  - lead -> mixer[2]
  - pad -> mixer[3]
  - lead -> reverb -> mixer[4]
outputs: mixer
zones:
  low: {keyboard: "1-0", keys: C-1-B2, unit: bass}
  middle: {keyboard: "1-0", keys: C3-B4, unit: organ}
  high: {keyboard: "1-0", keys: C5-G9, unit: lead}
  second: {keyboard: "1-1", unit: pad, transpose: -12}
"""
ZONES = [(36, "bass"), (60, "organ"), (84, "lead")]


def patch(options, programs):
    """On a terminal a control is learned for the reverb; then it is moved with each note of a hundred, and all is saved."""
    verdict, xruns = Verdict(), Xruns()
    period, periods = (int(word) for word in options.buffers.split(",")[0].split("x"))
    with open(PATCH, "w") as file:
        file.write(TEXT)
    process, master, _, _, shown = on_terminal([
        programs.carillon, "live", "--device", PLAYBACK, "--rate", str(RATE), "--period", str(period), "--periods",
        str(periods), "--patch", PATCH, "--capture", TAKE, *programs.more])
    ready = within(60, lambda: pcm_state() == "RUNNING" and connections() > 1)
    if not verdict.check(ready is not None, f"never played\n{shown.decode(errors='replace')}"):
        process.kill()
        return False
    time.sleep(8)       # the loop settles
    xruns.reset()
    first, second = Keyboard(1, 0), Keyboard(1, 1)
    os.write(master, b"L")
    time.sleep(0.3)
    os.write(master, b"reverb decay")
    time.sleep(0.5)
    os.write(master, b"\r")
    time.sleep(0.5)
    first.send(0xB0, 21, 1)
    time.sleep(0.5)
    for count in range(100):
        key, _ = ZONES[count % 3]
        # One write: both get their stamps one after the other.
        first.send(0xB0, 21, 2 + count, 0x90, key, 100)
        if count % 4 == 0:
            second.send(0x90, 72, 90)
        time.sleep(0.06)
        first.send(0x80, key, 0)
        if count % 4 == 3:
            second.send(0x80, 72, 0)
        time.sleep(0.07 + count % 7 * 0.003)
    os.write(master, b"w")
    verdict.check(within(5, lambda: "control: 21" in open(PATCH).read()) is not None, "the patch is not saved")
    lost = xruns.count()
    os.write(master, b"q")
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        verdict.check(False, "it did not end")
    text = open(PATCH).read()
    verdict.check(text.startswith("# Three zones") and "reverb.decay:" in text and "control: 21" in text, f"saved was:\n{text}")
    judge(verdict, lost)
    again = f"{SCRATCH}/again.wav"
    code = subprocess.run([programs.carillon, "render", "--bits", "32f", "-o", again, TAKE + ".journal"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    same = code == 0 and sound(TAKE) == sound(again)
    verdict.check(same, "the journal does not replay bit for bit")
    print(f"the journal replays {'bit for bit' if same else 'otherwise'}, {os.path.getsize(TAKE)} bytes", flush=True)
    return verdict.holds


def sound(path):
    """The samples of a WAV file, as they stand there."""
    with open(path, "rb") as file:
        data = file.read()
    at = 12
    while data[at:at + 4] != b"data":
        at += 8 + struct.unpack("<I", data[at + 4:at + 8])[0]
    return data[at + 8:at + 8 + struct.unpack("<I", data[at + 4:at + 8])[0]]


def judge(verdict, xruns):
    """How far each value is from the note that was sent with it, and whether each note was its zone's."""
    entries = [line.split() for line in open(TAKE + ".journal") if line[:1].isdigit()]
    moved = [int(words[0]) for words in entries if words[1:3] == ["reverb", "set"]]
    parts = {}
    for words in entries:
        if "message" in words:
            status, _, velocity = (int(word) for word in words[words.index("message") + 1:][:3])
            if status & 0xF0 == 0x90 and velocity > 0:
                parts.setdefault(status & 15, []).append(int(words[0]))
    played = sorted(frame for part in (0, 1, 2) for frame in parts.get(part, []))
    print(f"notes of the zones: {[len(parts.get(part, [])) for part in range(4)]}; the control moved {len(moved)} times; "
          f"{xruns} xruns", flush=True)
    verdict.check([len(parts.get(part, [])) for part in range(4)] == [34, 33, 33, 25], "not every note was its zone's")
    if verdict.check(len(moved) == 100 and len(played) == 100, "not every value arrived"):
        apart = [note - value for note, value in zip(played, moved)]
        print(f"a value and the note sent behind it: {min(apart)} ... {max(apart)} frames apart", flush=True)
        verdict.check(0 <= min(apart) and max(apart) <= 48, "a value is more than a millisecond from its note")
