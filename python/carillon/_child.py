"""One `carillon batch -` that stays alive."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from typing import Any

from ._batch import explained

_PREFIX = "carillon-renderer-"
_OWNER = ".owner"


class Child:
    """A process that renders jobs into a folder of its own, which goes with it."""

    def __init__(self, program: str, options: list[str], parent: str | None) -> None:
        self.owner = os.getpid()
        self.folder, self._lock = _folder(parent or tempfile.gettempdir())
        self._said = tempfile.TemporaryFile()
        self._count = 0
        # Not in the group of processes that a terminal interrupts: the end of its input is what ends it.
        try:
            self.process = subprocess.Popen(
                [program, "batch", "-", "--out", self.folder, "--quiet", "--accept-failures", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                start_new_session=True,
            )
        except OSError:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(self._lock)
            raise
        self._rows: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._jobs: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        for target, stream, lines in ((_read, self.process.stdout, self._rows), (_write, self.process.stdin, self._jobs)):
            threading.Thread(target=target, args=(stream, lines), daemon=True).start()

    def send(self, line: str) -> int:
        """Gives it a job, and returns the number of its line. A process that is no more is found out by `row`."""
        self._jobs.put(line.encode() + b"\n")
        self._count += 1
        return self._count

    def row(self, patience: float) -> dict[str, Any] | None:
        """The next row; `None` where none comes any more, or none came for `patience` seconds."""
        try:
            line = self._rows.get(timeout=patience)
        except queue.Empty:
            return None
        return None if line is None else json.loads(line)

    def reason(self) -> tuple[str, int]:
        """Why it is no more, and its exit code. Ends it where it is still there: it said nothing for too long."""
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "carillon gave no answer, and was ended", 70
        if code == 0:
            return "carillon ended by itself", 70
        return explained(self._said, code)

    def close(self) -> None:
        """Ends it, and takes its folder away. In a fork of the process that started it nothing is done."""
        if self.owner != os.getpid():
            return
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._jobs.put(None)
        self._said.close()
        # Those that it started end with it, a moment later, and may have made a file since.
        for _ in range(50):
            if _take_away(self.folder):
                break
            time.sleep(0.02)
        os.close(self._lock)


def _read(stream: Any, rows: queue.SimpleQueue[bytes | None]) -> None:
    with stream:
        for line in stream:
            if line.endswith(b"\n"):
                rows.put(line)
    rows.put(None)


def _write(stream: Any, jobs: queue.SimpleQueue[bytes | None]) -> None:
    try:
        with stream:
            for line in iter(jobs.get, None):
                stream.write(line)
                stream.flush()
    except BrokenPipeError:
        pass  # Its rows end too, which is looked at.


def _folder(parent: str) -> tuple[str, int]:
    """A new folder with a lock that is held as long as this process lives; those whose process is no more are taken away."""
    for name in os.listdir(parent):
        if not name.startswith(_PREFIX):
            continue
        path = os.path.join(parent, name)
        try:
            lock = os.open(os.path.join(path, _OWNER), os.O_RDWR)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _take_away(path)
        except OSError:
            pass
        finally:
            os.close(lock)
    # It has its name only when it is locked.
    made = tempfile.mkdtemp(prefix=".carillon-new-", dir=parent)
    lock = os.open(os.path.join(made, _OWNER), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    path = os.path.join(parent, _PREFIX + os.path.basename(made)[len(".carillon-new-") :])
    os.rename(made, path)
    return path, lock


def _take_away(path: str) -> bool:
    """Takes a folder away, its lock last: where somebody still writes there, the next renderer finds the rest."""
    try:
        names = os.listdir(path)
    except FileNotFoundError:
        return True
    for name in names:
        inside = os.path.join(path, name)
        if os.path.isdir(inside):
            shutil.rmtree(inside, ignore_errors=True)
        elif name != _OWNER:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(inside)
    if os.listdir(path) != [_OWNER]:
        return False
    os.unlink(os.path.join(path, _OWNER))
    with contextlib.suppress(OSError):
        os.rmdir(path)
    return not os.path.exists(path)
