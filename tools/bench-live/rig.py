"""The rig inside tools/alsa-vm: programs under test, keyboards of snd-virmidi, the count of xruns, levels of sound."""
import glob
import os
import shutil
import signal
import subprocess
import time

RATE = 48000
CAPTURE = "hw:Loopback,1,0"
PLAYBACK = "hw:0,0"
TRACING = "/sys/kernel/tracing"
SCRATCH = "/dev/shm"
"""Files of a run stay here: who writes to the host waits for it."""


def now():
    """Nanoseconds of CLOCK_MONOTONIC."""
    return time.monotonic_ns()


def within(seconds, condition):
    """The seconds until condition() was true; None when it never was."""
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        if condition():
            return time.monotonic() - start
        time.sleep(0.005)
    return None


def write_file(path, words):
    with open(path, "w") as file:
        file.write(words)


def read_file(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


class Xruns:
    """Counts the xruns of playback from outside, with a probe in the kernel. The word at 60 in struct
    snd_pcm_substream is the stream's direction."""

    def __init__(self):
        probe = f"{TRACING}/events/carillon/xrun"
        if not os.path.isdir(probe):
            write_file(f"{TRACING}/kprobe_events", "p:carillon/xrun __snd_pcm_xrun stream=+60(%di):s32\n")
            write_file(f"{probe}/filter", "stream == 0\n")
            write_file(f"{probe}/enable", "1\n")
        write_file(f"{TRACING}/trace_clock", "mono")
        self.reset()

    def reset(self):
        write_file(f"{TRACING}/trace", "\n")

    def count(self):
        return len(self.moments())

    def moments(self):
        """Nanoseconds of CLOCK_MONOTONIC."""
        lines = [line.split(": xrun: (")[0] for line in read_file(f"{TRACING}/trace").splitlines() if ": xrun: (" in line]
        return [round(float(line.split()[-1]) * 1e9) for line in lines]


class Program:
    """A synthesizer that runs; ended with the block. Its words are in `log`, and in the job's folder afterwards."""

    def __init__(self, name, command, file):
        self.name, self.command, self.path = name, command, f"{SCRATCH}/{file}"
        self.file = open(self.path, "wb")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=self.file, stderr=self.file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGTERM)

    @property
    def log(self):
        return read_file(self.path)

    @property
    def is_alive(self):
        return self.process.poll() is None

    def end(self, number):
        """Seconds it took to end after the signal, and its exit code (negative: killed by that signal)."""
        start = time.monotonic()
        if self.is_alive:
            self.process.send_signal(number)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        code = self.process.wait()
        self.file.close()
        shutil.copy(self.path, "/job")
        return time.monotonic() - start, code

    def wait_until_playing(self, seconds=60, card="Loopback"):
        """Until it has opened the card, its buffer moves and a keyboard is connected to it."""
        playing = within(seconds, lambda: not self.is_alive or (pcm_state(card) == "RUNNING" and connections() > 0))
        if playing is None or not self.is_alive:
            raise SystemExit(f"{self.name} does not play: card {pcm_state(card)}, {connections()} keyboards connected\n"
                             f"{' '.join(self.command)}\n{self.log}")

    def cpu_seconds(self):
        fields = read_file(f"/proc/{self.process.pid}/stat").rsplit(")", 1)[-1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_kib(self):
        for line in read_file(f"/proc/{self.process.pid}/status").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        return 0

    def descriptor_count(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def pcm_state(card="Loopback"):
    """RUNNING, XRUN, ..., or closed."""
    words = read_file(f"/proc/asound/{card}/pcm0p/sub0/status").split()
    return words[1] if words[:1] == ["state:"] else "closed"


def pcm_moves(card="Loopback"):
    """Whether what is written to the card is played: a program may go on without it, and then has no xruns."""
    def pointer():
        words = read_file(f"/proc/asound/{card}/pcm0p/sub0/status").split()
        return int(words[words.index("hw_ptr") + 2]) if words[:2] == ["state:", "RUNNING"] else None
    first = pointer()
    time.sleep(0.2)
    return first is not None and pointer() not in (None, first)


def keyboard_clients():
    """Sequencer clients of snd-virmidi: their numbers, by card and device."""
    found, number = {}, None
    for line in read_file("/proc/asound/seq/clients").splitlines():
        if line.startswith("Client ") and '"' in line and "info" not in line:
            number = int(line.split()[1]) if '"Virtual Raw MIDI' in line else None
            if number is not None:
                card, device = line.split('"')[1].split()[-1].split("-")
                found[int(card), int(device)] = number
    return found


def connections():
    """Subscriptions of the keyboards' output ports by anybody but `measure`."""
    total, inside, skip = 0, False, own_clients()
    for line in read_file("/proc/asound/seq/clients").splitlines():
        if line.startswith("Client ") and '"' in line:
            inside = '"Virtual Raw MIDI' in line
        elif inside and "Connecting To:" in line:
            targets = [part.split("[")[0].strip() for part in line.split(":", 1)[1].split(",")]
            total += sum(1 for target in targets if target and int(target.split(":")[0]) not in skip)
    return total


def own_clients():
    return {int(line.split()[1]) for line in read_file("/proc/asound/seq/clients").splitlines()
            if line.startswith("Client ") and '"measure"' in line}


def client_number(name):
    """The sequencer client of that name, or None."""
    for line in read_file("/proc/asound/seq/clients").splitlines():
        if line.startswith("Client ") and f'"{name}' in line:
            return int(line.split()[1])
    return None


class Keyboard:
    """A raw MIDI port of snd-virmidi: what is written comes out of its sequencer port, as from a USB keyboard."""

    def __init__(self, card, device=0):
        self.path = f"/dev/snd/midiC{card}D{device}"
        self.file = open(self.path, "wb", buffering=0)

    def send(self, *data):
        self.file.write(bytes(data))

    def close(self):
        try:
            self.file.close()
        except OSError:
            pass


class Levels:
    """Peaks of both channels of what is played, a line per millisecond, with times on CLOCK_MONOTONIC."""

    def __init__(self, measure, path):
        self.path, self.file = path, open(path, "wb")
        self.process = subprocess.Popen([measure, "levels", CAPTURE, str(RATE)], stdout=self.file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.file.close()

    def since(self, start, settle=0.1):
        """[(ns, left, right)] from start on, after everything until now has been written."""
        time.sleep(settle)
        found = []
        with open(self.path, "rb") as file:
            # A line is 30 bytes at most.
            back = min(os.path.getsize(self.path), int((now() - start) / 1e6 + 500) * 36)
            file.seek(-back, os.SEEK_END)
            for line in file.read().split(b"\n")[1:-1]:
                moment, left, right = line.split()
                if int(moment) >= start:
                    found.append((int(moment), float(left), float(right)))
        return found


def module_device(driver):
    """The platform device that the driver makes of its module's first card."""
    return sorted(os.path.basename(path) for path in glob.glob(f"/sys/bus/platform/drivers/{driver}/{driver}.*"))


def unplug(device):
    """As when the cable is pulled: the card is gone for everybody."""
    write_file(f"/sys/bus/platform/drivers/{device.rsplit('.', 1)[0]}/unbind", device)


def plug(device):
    write_file(f"/sys/bus/platform/drivers/{device.rsplit('.', 1)[0]}/bind", device)
