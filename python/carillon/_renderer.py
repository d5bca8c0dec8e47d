"""Songs as numpy arrays."""

from __future__ import annotations

import base64
import hashlib
import itertools
import os
import threading
import weakref
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from . import _jobs
from ._child import Child
from ._errors import RenderError
from ._program import program as find_program
from ._program import require_options
from ._rendered import Rendered, files, load

_NAME = "python-request"
# Samples come as they are, without a header that somebody would have to read.
_OWN = {"format": "raw", "bits": "32f"}
# So many processes may die of a job, and so often may another have taken its sound away.
_TRIES = 3
_ROUNDS = 1000


class Renderer:
    """Renders songs into numpy arrays, by one process `carillon batch` that is started with the first song and kept.

    Everything is the same each time, on each machine, for the same song, SoundFonts, options and seed. A process that dies is
    started anew, and its jobs are done again; a job that fails is a `RenderError`. Threads may share a renderer, and take
    turns; forks and pickled copies have a process of their own. Close it, or use it in a `with`: the process ends then.

    Args:
        soundfonts: Path or paths of SoundFonts, a later one on top; `"embedded"` is in the program. `None`: `$CARILLON_SOUNDFONT`,
            or the best installed, another one on another machine.
        rate: Sample rate, Hz.
        channels: 1 or 2; other arrangements are `layout="5.1"`.
        stems: `"channel"`, `"group"`, `"track"` or `"instrument"`; `None`: none.
        labels: `False` leaves notes, beats and tempos out.
        jobs: Processes that `map` uses at the same time; `None`: one for each processor.
        sample_memory: The memory that samples may take in each process, such as `"300M"`; larger libraries are read from their
            files while they play, and sound the same. `None`: 1 GiB.
        folder: The folder for temporary files, `None`: the system's. `/dev/shm` spares the disk.
        executable: The program, where it is not to be looked for.
        options: Any other option of `carillon render`, with underscores for dashes: `tempo=0.9`, `transpose=-2`,
            `max_duration="30s"`, `set={"reverb.decay": "3s"}`; and of a batch: `seed=7` (of draws, and of round robin and chance
            of SFZ), `time_limit=60` (seconds, 600 by default), `recipe={"tempo": {"uniform": [0.9, 1.1]}}`.
    """

    def __init__(
        self,
        soundfonts: None | str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = None,
        *,
        rate: int = 48_000,
        channels: int = 2,
        stems: str | None = None,
        labels: bool = True,
        jobs: int | None = None,
        sample_memory: str | None = None,
        folder: None | str | os.PathLike[str] = None,
        executable: None | str | os.PathLike[str] = None,
        **options: Any,
    ) -> None:
        self._options = dict(options, soundfonts=soundfonts, rate=rate, channels=channels, stems=stems, labels=labels)
        self._setup: dict[str, Any] = {
            "jobs": jobs,
            "sample_memory": sample_memory,
            "folder": folder and os.fspath(folder),
            "executable": executable and os.fspath(executable),
        }
        self._fields(self._options)
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._owner = os.getpid()
        self._child: Child | None = None
        self._ending: Any = None
        self._pending: dict[int, _Request] = {}
        # How many of these there are with the same job, and with the same song that goes with the job.
        self._same: Counter[str] = Counter()
        self._songs: Counter[str] = Counter()
        self._numbers = itertools.count()

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self._options, "setup": self._setup}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._options, self._setup = state["options"], state["setup"]
        self._begin()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def render(self, song: Any, **options: Any) -> Rendered:
        """Renders a song.

        Args:
            song: A path, bytes, an open file, or an object of pretty_midi, symusic (`Score`) or mido (`MidiFile`).
            options: As those of the renderer, beside or instead of them, for this song.

        Raises:
            RenderError: The song or an option is wrong (`exit_code`), or no process could render it.
        """
        self._after_fork()
        with self._lock:
            request = self._ask(song, options)
            try:
                return self._await(request)
            except BaseException:
                request.is_wanted = False
                raise

    def map(self, songs: Iterable[Any], *, errors: str = "raise", **options: Any) -> Iterator[Any]:
        """Renders songs, several at the same time, and gives them in their order.

        Args:
            songs: As `render` takes them; they are taken a few ahead.
            errors: `"raise"` ends with the first song that fails; `"return"` gives its `RenderError` in its place.
            options: For all of these songs.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors is {errors!r}; it is 'raise' or 'return'")
        if isinstance(songs, (str, bytes, os.PathLike)):
            raise TypeError("map takes several songs, such as a list of paths; render takes one")
        return self._map(iter(songs), errors == "return", options)

    def _map(self, songs: Iterator[Any], returns: bool, options: dict[str, Any]) -> Iterator[Any]:
        self._after_fork()
        depth = 2 * (self._setup["jobs"] or os.cpu_count() or 1)
        waiting: deque[_Request] = deque()
        try:
            while True:
                with self._lock:
                    for song in itertools.islice(songs, depth - len(waiting)):
                        try:
                            waiting.append(self._ask(song, options))
                        except (TypeError, OSError) as error:
                            if not returns:
                                raise
                            waiting.append(_Request.failed(RenderError(f"no song: {error}", 66)))
                    if not waiting:
                        return
                    request = waiting.popleft()
                    try:
                        result: Any = self._await(request)
                    except RenderError as error:
                        if not returns:
                            raise
                        result = error
                yield result
        finally:
            for request in waiting:
                request.is_wanted = False

    def close(self) -> None:
        """Ends the process. The next song starts another."""
        self._after_fork()
        with self._lock:
            self._end()
            for number in list(self._pending):
                self._pending[number].error = RenderError("the renderer was closed")
                self._forget(number)

    # One process and its requests; the lock is held.

    def _fields(self, options: dict[str, Any]) -> dict[str, Any]:
        own = [name for name in options if name in ("format", "bits", "bytes", "song", _NAME)]
        if own:
            raise TypeError(f"{own[0]} is no option of a Renderer, which gives arrays; carillon.batch writes files")
        fields = dict(options)
        fields["labels"] = ["json"] if fields.get("labels") else None
        if fields.get("layout") is not None:
            fields["channels"] = None
        return {**_jobs.option_fields(fields), **_OWN}

    def _ask(self, song: Any, options: dict[str, Any]) -> _Request:
        number = next(self._numbers)
        own = {("soundfonts" if name == "soundfont" else name): value for name, value in options.items()}
        require_options({**self._options, **own}, self._program())
        fields = {**self._fields({**self._options, **own}), **_jobs.song_fields(song)}
        request = _Request(fields, number)
        child = self._running()
        self._pending[number] = request
        self._same[request.job] += 1
        self._songs[request.song] += 1
        request.place = child.send(request.line)
        return request

    def _await(self, request: _Request) -> Rendered:
        while request.result is None and request.error is None:
            child = self._running()
            row = child.row(self._patience())
            if row is None:
                self._bury(child)
            else:
                self._take(row, child)
        if request.error is not None:
            raise request.error
        assert request.result is not None
        return request.result

    def _take(self, row: dict[str, Any], child: Child) -> None:
        number = row.pop(_NAME, None)
        if number is None:  # the line could not be read at all
            number = next((one for one, request in self._pending.items() if request.place == row.get("line")), None)
        request = self._pending.get(number) if number is not None else None
        if request is None:
            return
        if request.song:
            row.pop("song", None)  # where the program kept it
        if row["status"] not in ("done", "skipped"):
            request.error = RenderError(row["error"], row["exitCode"], row)
        else:
            try:
                if request.is_wanted:
                    request.result = load(row, child.folder)
            except FileNotFoundError as error:
                # Two jobs have one sound, and the other has taken it away: once more.
                request.again += 1
                if request.again < _ROUNDS:
                    request.place = child.send(request.line)
                    return
                request.error = RenderError(f"the sound is gone: {error}", 74, row)
            except (OSError, ValueError) as error:
                request.error = RenderError(f"the sound cannot be read: {error}", 74, row)
        self._forget(number)
        if "report" in row and not self._same[request.job]:
            for path in [f"{row['key'][:2]}/{row['key']}.json", *files(row["report"]), ".index"]:
                _remove(os.path.join(child.folder, path))
        if request.song and not self._songs[request.song]:
            _remove(os.path.join(child.folder, "songs", request.song[:2], request.song + ".mid"))

    def _bury(self, child: Child) -> None:
        """Its process is no more: another one does what is left of its jobs."""
        reason, code = child.reason()
        self._end()
        for number, request in list(self._pending.items()):
            request.tries += 1
            if request.tries >= _TRIES or not request.is_wanted:
                request.error = RenderError(reason, code)
                self._forget(number)
        if self._pending:
            another = self._running()
            for request in self._pending.values():
                request.place = another.send(request.line)

    def _forget(self, number: int) -> None:
        request = self._pending.pop(number)
        for counter, name in ((self._same, request.job), (self._songs, request.song)):
            counter[name] -= 1
            if not counter[name]:
                del counter[name]

    def _program(self) -> str:
        return self._setup["executable"] or find_program()

    def _running(self) -> Child:
        if self._child is None:
            options = ["--jobs", str(self._setup["jobs"])] if self._setup["jobs"] else []
            if self._setup["sample_memory"]:
                options += ["--sample-memory", str(self._setup["sample_memory"])]
            self._child = Child(self._program(), options, self._setup["folder"])
            self._ending = weakref.finalize(self, self._child.close)
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            self._ending()
            self._child = None

    def _patience(self) -> float:
        # The batch gives a job up after its limit, and begins one whose process died once more.
        return 60 + 2 * max((request.limit for request in self._pending.values()), default=0)

    def _after_fork(self) -> None:
        if self._owner != os.getpid():
            self._begin()


class _Request:
    def __init__(self, fields: dict[str, Any], number: int) -> None:
        limit = fields.get("time-limit", 600)
        if not isinstance(limit, (int, float)):
            raise TypeError(f"time_limit is {limit!r}; it is a number of seconds")
        self.limit = float(limit)
        self.line = _jobs.dumps({**fields, _NAME: number})
        self.job = hashlib.sha256(_jobs.dumps(fields).encode()).hexdigest()
        # A song that goes with its job is kept under its hash, as long as one of its jobs may read it.
        self.song = hashlib.sha256(base64.b64decode(fields["bytes"])).hexdigest() if "bytes" in fields else ""
        self.tries = self.again = self.place = 0
        self.is_wanted = True
        self.result: Rendered | None = None
        self.error: RenderError | None = None

    @classmethod
    def failed(cls, error: RenderError) -> _Request:
        """A request that never came to be one."""
        request = cls({}, 0)
        request.error = error
        return request


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
