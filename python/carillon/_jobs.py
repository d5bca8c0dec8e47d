"""Songs and options as the lines of a manifest."""

from __future__ import annotations

import base64
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Job = dict[str, Any]

# Options that name files: the program may have been started in another folder.
_FILES = ("soundfont", "patch", "layer")


def song_bytes(song: Any) -> bytes | None:
    """The bytes of a song that is no path: bytes, an open file, or an object of symusic, mido or pretty_midi."""
    if isinstance(song, (bytes, bytearray, memoryview)):
        return bytes(song)
    if isinstance(song, (str, os.PathLike)):
        return None
    if hasattr(song, "dumps_midi"):  # symusic.Score
        return bytes(song.dumps_midi())
    if hasattr(song, "read"):
        data = song.read()
        if not isinstance(data, bytes):
            raise TypeError("the song's file is open as text; open it with mode 'rb'")
        return data
    buffer = io.BytesIO()
    if hasattr(song, "save"):  # mido.MidiFile
        song.save(file=buffer)
    elif hasattr(song, "write"):  # pretty_midi.PrettyMIDI
        song.write(buffer)
    else:
        raise TypeError(f"a song is a path, bytes, or an object with dumps_midi, save or write, not {type(song).__name__}")
    return buffer.getvalue()


def song_fields(song: Any) -> Job:
    """The fields of a job that say which song it is."""
    data = song_bytes(song)
    if data is None:
        path = os.path.abspath(os.fsdecode(os.fspath(song)))
        if not _is_text(path):  # a name that is no UTF-8 finds no way through JSON
            with open(path, "rb") as file:
                data = file.read()
        else:
            return {"song": path}
    return {"bytes": base64.b64encode(data).decode("ascii")}


def option_fields(options: Mapping[str, Any]) -> Job:
    """Options of `carillon render` as fields of a job: `max_duration` is `max-duration`, `soundfonts` is `soundfont`."""
    fields: Job = {}
    for name, value in options.items():
        if value is None:
            continue
        name = "soundfont" if name == "soundfonts" else name.replace("_", "-")
        if name in _FILES:
            value = _paths(value)
        fields[name] = value
    return fields


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _paths(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_paths(one) for one in value]
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        # What is no file here is a name that the program knows, such as `embedded`, or its error to tell.
        return os.path.abspath(text) if os.path.exists(text) else text
    return value


def line(job: Any) -> str:
    """A job as a line of a manifest: a dictionary, a line that is one already, or a song alone."""
    if isinstance(job, Mapping):
        fields = dict(job)
        song = fields.get("song")
        if song is not None and not isinstance(song, (str, os.PathLike)):
            del fields["song"]
            fields.update(song_fields(song))
        if isinstance(fields.get("bytes"), (bytes, bytearray, memoryview)):
            fields["bytes"] = base64.b64encode(fields["bytes"]).decode("ascii")
        return dumps(fields)
    if isinstance(job, str):
        text = job.strip("\r\n")
        if text.startswith("{") and "\n" not in text:
            return text
        return dumps({"song": text})
    if isinstance(job, os.PathLike):
        return dumps({"song": os.fspath(job)})
    return dumps(song_fields(job))


def dumps(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot stand in a job: {value!r}")


def lines(manifest: str | os.PathLike[str] | Iterable[Any]) -> Iterator[str]:
    """The lines of a manifest: a file's, or those of the jobs given."""
    if isinstance(manifest, (str, os.PathLike)):
        with open(manifest, encoding="utf-8") as file:
            for text in file:
                if text.strip():
                    yield line(text)
    else:
        for job in manifest:
            yield line(job)


def chunks(manifest: str | os.PathLike[str] | Iterable[Any], size: int) -> list[list[str]]:
    """The lines of a manifest in lists of `size`: pieces of work for an engine."""
    if size < 1:
        raise ValueError(f"chunk is {size}; it is 1 at least")
    every = list(lines(manifest))
    return [every[start : start + size] for start in range(0, len(every), size)]
