"""Real sessions behind a real gateway, each with what the others have not."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

PATCH_SCENES = """
scenes:
  dry:
    values: {reverb.decay: 1 s}
  "big hall":
    values: {reverb.decay: 5 s}
"""

HOUSE = """version: 1
device: "null"
playlists:
  day:
    songs: [{song: %(songs)s/pachelbel-canon.mid}]
    pause: 60 s
  evening: [%(songs)s/gymnopedie-1.mid, %(songs)s/bach-prelude-fugue-c-major.mid, %(songs)s/blue-lantern.mid, /proc/nowhere/lost.mid]
layers:
  beat: %(songs)s/drum-groove.mid
cues:
  anthem: {song: %(songs)s/auld-lang-syne.mid, priority: 1}
fade: 1 s
calendar:
  %(calendar)s
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Session:
    """A `carillon` and a `carillon-gateway`, in a folder of their own."""

    def __init__(self, carillon, gateway, folder, arguments, tokens=None):
        self.gateway, self.folder = gateway, folder
        self.socket, self.port = os.path.join(self.folder, "control"), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.token_file = None
        if tokens:
            self.token_file = os.path.join(self.folder, "tokens")
            with open(os.open(self.token_file, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                file.write(tokens)
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.session = self.run([carillon, *arguments, "--control", self.socket])
        self.wait(lambda: os.path.exists(self.socket), "the session has no socket")
        self.door = None
        self.open_door()

    def run(self, command):
        # What a house writes down is its own, not the next one's.
        environment = {**os.environ, "XDG_STATE_HOME": self.folder}
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def open_door(self):
        command = [self.gateway, "--socket", self.socket, "--listen", str(self.port)]
        self.door = self.run(command + (["--token-file", self.token_file] if self.token_file else []))
        self.wait(self.answers, "the gateway does not answer")

    def close_door(self):
        self.door.send_signal(signal.SIGTERM)
        self.door.wait(10)

    def answers(self):
        try:
            return urllib.request.urlopen(self.url + "/", timeout=2).status == 200
        except OSError:
            return False

    def wait(self, test, fault, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if test():
                return
            time.sleep(0.1)
        with open(self.log.name, errors="replace") as log:
            raise RuntimeError(f"{fault}: {log.read()[-2000:]}")

    def end(self):
        for process in (self.door, self.session):
            if process and process.poll() is None:
                process.terminate()
                process.wait(20)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Sessions:
    """Starts what a test needs: `songs`, `live` with scenes and a set list, `keys` alone, a `house`, a `closed` one, songs
    `guarded` by tokens."""

    def __init__(self, carillon, gateway, root):
        self.carillon, self.gateway, self.root = os.path.abspath(carillon), os.path.abspath(gateway), root

    def start(self, kind):
        songs, folder = os.path.join(self.root, "songs"), tempfile.mkdtemp(prefix="carillon-page-")
        if kind == "live":
            arguments = ["live", "--device", "null"]
            for name in ("grand-piano", "layer-pad"):
                path = os.path.join(folder, name + ".yaml")
                made = subprocess.run([self.carillon, "patch", "new", name], capture_output=True, text=True, check=True)
                with open(path, "w") as file:
                    file.write(made.stdout + ("" if "\nscenes:" in made.stdout else PATCH_SCENES))
                arguments += ["--patch", path]
            return Session(self.carillon, self.gateway, folder, arguments)
        if kind == "keys":
            return Session(self.carillon, self.gateway, folder, ["live", "--device", "null"])
        if kind in ("house", "closed"):
            path, hour = os.path.join(folder, "house.yaml"), time.localtime().tm_hour
            # Open for an hour that is far from now.
            opens = f'later: {{from: "{(hour + 12) % 24:02}:07", to: "{(hour + 12) % 24:02}:57", playlist: day}}'
            with open(path, "w") as file:
                # Softer for an hour that is far from now, too: the week has something to tell.
                softer = opens.replace("later", "softer").replace("playlist: day", "level: -6 dB")
                calendar = f"always: {{playlist: day}}\n  {softer}" if kind == "house" else opens
                file.write(HOUSE % {"songs": songs, "calendar": calendar})
            return Session(self.carillon, self.gateway, folder, ["serve", path])
        names = ["pachelbel-canon.mid", "auld-lang-syne.mid", "drum-groove.mid"]
        arguments = ["play", *(os.path.join(songs, name) for name in names), "--loop", "--device", "null"]
        tokens = "full abcdefghijklmnop0123456789full\nreader abcdefghijklmnop0123456789read\n"
        return Session(self.carillon, self.gateway, folder, arguments, tokens if kind == "guarded" else None)
