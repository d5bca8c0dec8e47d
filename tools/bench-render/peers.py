"""Other SoundFont synthesizers beside which tools/bench sets this one, from PyPI, in a folder of their own."""
import glob
import os
import shutil
import subprocess
import sys
import tarfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
TINY = "tinysoundfont==0.3.7"
"""Its source package holds the two headers of TinySoundFont."""
PYTHON = {"symusic": "symusic==0.5.9", "RustySynth": "midirenderer==0.1.3"}
"""Name of the synthesizer and package that renders with it. Version 0.6.0 of symusic cannot return what it renders."""
LEAVES_OUT = {
    "TinySoundFont": "no reverb, no chorus, no modulators; linear interpolation; events on a grid of 64 frames in ms",
    "symusic": "no controllers, pedals, bends or effects: notes and programs alone; ends with the last key's release",
    "RustySynth": "has reverb and chorus; no modulators, linear interpolation, 64 voices, events on a grid of 64 frames",
}
SYMUSIC = """
import sys, time
import numpy, symusic
start = time.process_time()
synth = symusic.Synthesizer(sf_path=sys.argv[2], sample_rate=int(sys.argv[4]), quality=4)
sound = synth.render(symusic.Score(sys.argv[1]), stereo=True)
frames = numpy.clip(sound.T * 32767, -32768, 32767).astype("<i2")
open(sys.argv[3], "wb").write(bytes(44) + frames.tobytes())
print(time.process_time() - start)
"""
RUSTY = """
import sys, time
import midirenderer
start = time.process_time()
sound = midirenderer.render_wave_from(open(sys.argv[2], "rb").read(), open(sys.argv[1], "rb").read())
open(sys.argv[3], "wb").write(sound)
print(time.process_time() - start)
"""
SCRIPTS = {"symusic": SYMUSIC, "RustySynth": RUSTY}
"""Both say how much processor time they took; the interpreter's start is not in it."""


def tiny(work):
    """The program `bench-tiny`, built against headers that are fetched; None, and a line that says why, without them."""
    program = os.path.join(work, "bench-tiny")
    source = os.path.join(FOLDER, "tiny.c")
    if os.path.exists(program) and os.path.getmtime(program) > os.path.getmtime(source):
        return program
    headers = os.path.join(work, "tsf")
    try:
        if not os.path.exists(os.path.join(headers, "tsf.h")):
            fetch_headers(work, headers)
        subprocess.run(["cc" if shutil.which("cc") else "clang", "-O2", "-I", headers, "-o", program, source, "-lm"],
                       check=True, capture_output=True)
    except (OSError, subprocess.SubprocessError) as error:
        leave_out("TinySoundFont", error)
        return None
    return program


def fetch_headers(work, headers):
    pip(environment(work), "download", "--no-deps", "--no-binary", "tinysoundfont", "-d", work, TINY)
    [archive] = glob.glob(os.path.join(work, "tinysoundfont-*.tar.gz"))
    os.makedirs(headers, exist_ok=True)
    with tarfile.open(archive) as files:
        for member in files:
            name = os.path.basename(member.name)
            if name in ("tsf.h", "tml.h"):
                with open(os.path.join(headers, name), "wb") as file:
                    file.write(files.extractfile(member).read())


def python(work):
    """{name: the start of a command}, of those that can be had; a line that says why of the others."""
    found = {}
    for name, package in PYTHON.items():
        try:
            own = environment(work)
            stamp = os.path.join(work, "venv", package)
            if not os.path.exists(stamp):
                pip(own, "install", "--only-binary", ":all:", package, "numpy")
                open(stamp, "w").close()
            found[name] = [own, "-c", SCRIPTS[name]]
        except (OSError, subprocess.SubprocessError) as error:
            leave_out(name, error)
    return found


def environment(work):
    """The interpreter of a virtual environment under `work`."""
    own = os.path.join(work, "venv", "bin", "python")
    if not os.path.exists(own):
        subprocess.run([sys.executable, "-m", "venv", os.path.join(work, "venv")], check=True, capture_output=True)
    return own


def pip(interpreter, *words):
    subprocess.run([interpreter, "-m", "pip", "--disable-pip-version-check", "-q", *words], check=True,
                   capture_output=True, timeout=600)


def leave_out(name, error):
    words = getattr(error, "stderr", None) or str(error).encode()
    last = words.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
    print(f"{name} is left out: {last[0][:100]}", flush=True)
