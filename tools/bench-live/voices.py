"""Many voices held on the dummy card: the smallest buffer at which none of it comes too late, and what a voice costs."""
import json
import os
import socket
import time

from latency import buffers
from rig import RATE, SCRATCH, Keyboard, Xruns, now, pcm_moves, pcm_state, read_file, within

DEVICE, CARD = "hw:2,0", "Dummy"
"""snd-dummy moves by a timer of high resolution; snd-aloop by jiffies, 4 ms apart, more than a small period."""
SOUNDFONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"
PROGRAM = 50
"""Synthesized strings: each key has two voices, looped and filtered, which sound as long as the key is down."""
VOICES_A_KEY = 2
PIECE = 5
"""Seconds to the first look: when there has been an xrun, there is nothing more to find out."""
POLYPHONY = 512


class FluidSynth:
    """fluidsynth, asked by its shell."""

    def __init__(self, programs, period, periods):
        self.program = programs.run("fluidsynth", [
            "fluidsynth", "-q", "-a", "alsa", "-o", f"audio.alsa.device={DEVICE}", "-m", "alsa_seq", "-r", str(RATE),
            "-z", str(period), "-c", str(periods), "-R", "0", "-C", "0", "-o", "midi.autoconnect=1",
            "-o", "synth.cpu-cores=1", "-o", f"synth.polyphony={POLYPHONY}", SOUNDFONT])

    def voices(self):
        """How many sound now."""
        before = self.program.log.count("voice_count:")
        self.program.process.stdin.write(b"voice_count\n")
        self.program.process.stdin.flush()
        if within(5, lambda: self.program.log.count("voice_count:") > before) is None:
            return 0
        return int(self.program.log.rsplit("voice_count:", 1)[1].split()[0])


class Carillon:
    """carillon live, asked at its socket."""

    def __init__(self, programs, period, periods):
        self.path = f"{SCRATCH}/voices-{period}"
        self.program = programs.run("carillon", [
            programs.carillon, "live", "--device", DEVICE, "--rate", str(RATE), "--period", str(period), "--periods",
            str(periods), "--connect", "any", "--dry", "--soundfont", SOUNDFONT, "--set", f"soundfont.polyphony={POLYPHONY}",
            "--control", self.path, "--timing-report", *programs.more])

    def voices(self):
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(self.path)
            asked.sendall(b"status\n")
            with asked.makefile() as answer:
                return json.loads(answer.readline())["voices"]


def run_nanoseconds(process):
    """What all threads of a process have had of a processor, to the nanosecond."""
    return sum(int(read_file(f"/proc/{process}/task/{task}/schedstat").split()[0])
               for task in os.listdir(f"/proc/{process}/task"))


def load(program, seconds):
    """The part of a processor that it takes over so long, and the moments between which it was measured."""
    before, begin = run_nanoseconds(program.process.pid), now()
    time.sleep(seconds)
    end = now()
    return (run_nanoseconds(program.process.pid) - before) / (end - begin), begin, end


def press_keys(keyboard, count):
    """So many keys on the channels that are not drums', a hundredth of a second apart."""
    channels = [channel for channel in range(16) if channel != 9]
    for channel in channels:
        keyboard.send(0xC0 | channel, PROGRAM)
    time.sleep(1)
    for number in range(count):
        channel = channels[number % len(channels)]
        keyboard.send(0x90 | channel, 36 + 4 * (number // len(channels)) + channel % 4, 80)
        time.sleep(0.01)


class Held:
    """A program that holds its voices for so long; for a few seconds when it has an xrun in them."""

    def __init__(self, kind, programs, period, periods, count, seconds):
        instance = kind(programs, period, periods)
        self.seconds, self.moments, loads = 0, [], []
        with instance.program as program:
            program.wait_until_playing(card=CARD)
            time.sleep(1)
            idle, xruns, keyboard = load(program, 2)[0], Xruns(), Keyboard(1)
            press_keys(keyboard, count // VOICES_A_KEY)
            time.sleep(1)
            counts = [instance.voices()]
            for span in (min(PIECE, seconds), seconds - PIECE):
                if span <= 0 or self.moments:
                    break
                # Who looks disturbs: the kernel lets nobody run for a millisecond while it empties or reads the trace.
                xruns.reset()
                time.sleep(0.5)
                part, begin, end = load(program, span)
                time.sleep(0.1)
                self.moments += [moment for moment in xruns.moments() if begin <= moment <= end]
                self.seconds += span
                loads.append((part, span))
                counts.append(instance.voices())
            is_playing = program.is_alive and pcm_moves(CARD)
            keyboard.close()
        within(5, lambda: pcm_state(CARD) == "closed")
        least = min(counts)
        whole = sum(part * span for part, span in loads) / self.seconds
        self.is_clean = is_playing and not self.moments and least >= count and self.seconds >= seconds
        cost = f"{(whole - idle) * 1e9 / RATE / count:13.1f}" if least >= count else f"{'-':>13}"
        print(f"{program.name:11}{f'{period} x {periods}':>9}{least:8}{self.seconds:9.0f}{len(self.moments):7}"
              f"{100 * idle:9.1f} %{100 * whole:8.1f} %{cost}{'' if is_playing else '  PLAYS NO MORE'}", flush=True)


def voices(options, programs):
    """For each program and number of voices the smallest buffer of those given at which they sound that long without an
    xrun."""
    print(f"{'':11}{'buffer':>9}{'voices':>8}{'seconds':>9}{'xruns':>7}{'idle':>11}{'load':>10}{'ns a voice':>13}")
    kinds = [kind for kind in (FluidSynth, Carillon) if kind.__name__.lower() in options.programs.split(",")]
    verdicts = []
    for count in (int(words) for words in options.voices.split(",")):
        smallest = {kind: smallest_clean(kind, programs, count, options) for kind in kinds}
        told = ", ".join(f"{kind.__name__.lower()} with {frames or 'none of these'}" for kind, frames in smallest.items())
        ours, theirs = smallest.get(Carillon), smallest.get(FluidSynth)
        verdict = Carillon not in kinds or ours is not None and (theirs is None or ours <= theirs)
        verdicts.append(verdict)
        print(f"    {count} voices for {options.seconds:.0f} s without an xrun: {told}: "
              f"{'holds' if verdict else 'DOES NOT HOLD'}", flush=True)
    if options.counted:
        print("    a nanosecond is one instruction here; `ns a voice` is for a frame, what idling takes left out")
    return all(verdicts)


def smallest_clean(kind, programs, count, options):
    """Frames of the smallest buffer that is enough, or None."""
    for period, periods in buffers(options):
        if Held(kind, programs, period, periods, count, options.seconds).is_clean:
            return period * periods
    return None
