"""`carillon batch` as an iterator of rows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import warnings
from collections.abc import Iterable, Iterator
from typing import IO, Any

from . import _jobs
from ._errors import RenderError
from ._program import program as find_program


_WARNING = "warning: "


def batch(
    manifest: str | os.PathLike[str] | Iterable[Any],
    out: str | os.PathLike[str],
    *,
    executable: None | str | os.PathLike[str] = None,
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """Renders a manifest into a folder, and gives a row for each job as it is done, whatever came of it.

    What is in the folder already is skipped, so the same call goes on where one was interrupted. Nothing is rendered before
    the first row is asked for; leaving the loop ends the batch.

    Args:
        manifest: The path of a file with a job on each line, or the jobs themselves: dictionaries (`{"song": "a.mid", "rate":
            16000}`), lines, or songs as `Renderer.render` takes them. They are taken as they are needed, in another thread.
        out: The folder of the sounds; paths in a row's report begin there.
        executable: The program, where it is not to be looked for.
        options: Those of `carillon batch`: `recipe` (a dictionary or a file), `seed`, `jobs`, `time_limit`, `memory_limit`,
            `sample_memory`, `shard`, `shards`, `shuffle`, `lock`.

    Warns:
        UserWarning: A field of a job is no option, and its name is nearly that of one.

    Raises:
        RenderError: The batch as a whole came to nothing. A job that failed is a row: `status`, `error`, `exitCode`.
    """
    is_file = isinstance(manifest, (str, os.PathLike))
    if options.get("check"):
        raise TypeError("check gives no rows; run the program: carillon batch MANIFEST --out DIR --check")
    words = [os.fspath(executable or find_program()), "batch", os.fspath(manifest) if is_file else "-"]  # type: ignore[arg-type]
    words += ["--out", os.fspath(out), "--accept-failures", "--quiet"] + _words(options)
    fault: list[BaseException] = []
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL if is_file else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            start_new_session=True,
        )
        feeder = None
        if process.stdin is not None:
            feeder = threading.Thread(target=_feed, args=(process, process.stdin, manifest, fault), daemon=True)
            feeder.start()
        try:
            assert process.stdout is not None
            for row in process.stdout:
                yield json.loads(row)
            code = process.wait()
            if fault:
                raise fault[0]
            if code != 0:
                raise RenderError(*explained(said, code))
        finally:
            # Its processes go with it.
            if process.poll() is None:
                process.terminate()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        for warning in _warnings(said):
            warnings.warn(warning, stacklevel=2)


def _feed(process: Any, stream: IO[bytes], manifest: Any, fault: list[BaseException]) -> None:
    try:
        with stream:
            for text in _jobs.lines(manifest):
                stream.write(text.encode() + b"\n")
                stream.flush()
    except BrokenPipeError:
        pass  # Why it went is told by its exit code.
    except BaseException as error:
        fault.append(error)
        process.terminate()


def _words(options: dict[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, (dict, list, tuple)):
            words.append(_jobs.dumps(value))
        elif value is not True:
            words.append(str(value))
    return words


def _warnings(said: IO[bytes]) -> list[str]:
    said.seek(0)
    told = said.read().decode(errors="replace").splitlines()
    return [text[len(_WARNING) :] for text in told if text.startswith(_WARNING)]


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def explained(said: IO[bytes], code: int) -> tuple[str, int]:
    """What a program that has ended said last, and its exit code."""
    said.seek(0)
    told = [text for text in said.read().decode(errors="replace").splitlines() if text.strip()]
    error = next((text for text in told if text.startswith(("carillon: ", "Error: "))), told[-1] if told else "")
    for opening in ("carillon: ", "Error: "):
        if error.startswith(opening):
            error = error[len(opening) :]
    if code < 0:
        return error or f"carillon was killed by {_signal(-code)}", 128 - code
    return error or f"carillon ended with exit code {code}", code
