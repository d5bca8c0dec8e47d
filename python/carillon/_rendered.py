"""What a render gave, as arrays."""

from __future__ import annotations

import json
import os
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._errors import RenderError

# Frames that are not there are -1, numbers that are not there NaN; the JSON has null for both.
NOTES = np.dtype(
    [
        ("onset", "i8"),
        ("keyUp", "i8"),
        ("release", "i8"),
        ("end", "i8"),
        ("pitch", "f8"),
        ("level", "f8"),
        ("key", "i2"),
        ("soundingKey", "i2"),
        ("velocity", "i2"),
        ("channel", "i2"),
        ("track", "i4"),
        ("stem", "i4"),
        ("outcome", "U12"),
    ]
)
BENDS = np.dtype([("note", "i8"), ("frame", "i8"), ("pitch", "f8")])
BEATS = np.dtype([("frame", "i8"), ("bar", "i4"), ("beat", "i4"), ("unit", "i2")])
TEMPOS = np.dtype([("frame", "i8"), ("quartersPerMinute", "f8")])

Array = np.ndarray


@dataclass
class Rendered:
    """A song as sound, and what was played in it. All times are frames of `audio`, 0 its first.

    Attributes:
        audio: float32, shape (channels, frames), 1.0 is full scale.
        sample_rate: Hz.
        stems: float32 arrays of shape (channels, frames) by the stem's name, dry ones and effects; silent ones are left out.
        notes: A record for each note-on of the song: `onset`, `keyUp`, `release`, `end` in frames (-1: none), `pitch` in Hz
            (NaN: none), `level` in dBFS (NaN: none), `key`, `soundingKey` with the transposition (-1: none), `velocity`, `channel`
            and `track` from 1, `stem` (its number), `outcome` (`played`, or why not).
        bends: Records of `note` (its index in `notes`), `frame` and `pitch` in Hz: changes of a note's pitch while it sounds.
        beats: Records of `frame`, `bar`, `beat`, 1 a downbeat, and `unit`: 4 a quarter, 8 an eighth.
        tempos: Records of `frame` and `quartersPerMinute`, from each frame on.
        labels: All other labels: `timeSignatures`, `keys`, `markers`, `lyrics`, `controls`, `parts`, `counts`.
        report: The report of the render: peak, loudness, SoundFonts, repairs; `remarks` are objects of `kind`, `subject`, `count`,
            `sentence` and `remedy`.
        row: The job with every option that was drawn, its `key` and the song's hash; rendered again it gives the same samples.
    """

    audio: Array
    sample_rate: int
    stems: dict[str, Array] = field(default_factory=dict)
    notes: Array = field(default_factory=lambda: np.empty(0, NOTES))
    bends: Array = field(default_factory=lambda: np.empty(0, BENDS))
    beats: Array = field(default_factory=lambda: np.empty(0, BEATS))
    tempos: Array = field(default_factory=lambda: np.empty(0, TEMPOS))
    labels: dict[str, Any] = field(default_factory=dict)
    report: dict[str, Any] = field(default_factory=dict)
    row: dict[str, Any] = field(default_factory=dict)

    def intervals(self) -> tuple[Array, Array]:
        """The notes that are heard and have a pitch, as `mir_eval.transcription` takes them: onset and offset in seconds, shape
        (notes, 2), and the pitch in Hz, shape (notes,).

        The offset is the release; where there is none, the end of the sound (for an instrument that does not tell, the key's), or
        that of the audio. Notes that are over on the frame on which they begin are left out: `instants` counts them.
        """
        notes, spans = self._spans()
        lasting = spans[:, 1] > spans[:, 0]
        return spans[lasting] / self.sample_rate, notes["pitch"][lasting]

    @property
    def instants(self) -> int:
        """Heard notes with a pitch that are over on the frame on which they begin."""
        spans = self._spans()[1]
        return int(np.count_nonzero(spans[:, 1] <= spans[:, 0]))

    def _spans(self) -> tuple[Array, Array]:
        notes, frames = self.notes, self.audio.shape[-1]
        notes = notes[np.isin(notes["outcome"], ("played", "sent")) & ~np.isnan(notes["pitch"]) & (notes["onset"] >= 0)]
        up = np.where(notes["outcome"] == "sent", notes["keyUp"], -1)
        offset = np.full(len(notes), frames)
        for told in (up, notes["end"], notes["release"]):
            offset = np.where(told >= 0, np.minimum(told, frames), offset)
        return notes, np.stack([notes["onset"], offset], axis=1)


def load(row: dict[str, Any], folder: str | os.PathLike[str]) -> Rendered:
    """The sound of a row of `batch`, from the folder of the batch. Formats other than WAV are read by the package soundfile.

    Raises:
        RenderError: The row says that there is no sound.
    """
    if row.get("status") not in ("done", "skipped"):
        raise RenderError(str(row.get("error", "there is no sound")), int(row.get("exitCode", 70)), row)
    report = row["report"]
    folder = os.fspath(folder)

    def samples(path: str) -> Array:
        return read_samples(os.path.join(folder, path), report)

    rendered = Rendered(samples(report["output"]), int(report["sampleRate"]), report=report)
    read: dict[str, Array] = {}
    names = stem_names(report.get("stems", []))
    for stem, name in zip(report.get("stems", []), names):
        path = stem.get("output")
        if path is None:
            continue
        if path not in read:
            read[path] = samples(path)
        channels = [channel - 1 for channel in stem["fileChannels"]]
        whole = channels == list(range(len(read[path])))
        rendered.stems[name] = read[path] if whole else read[path][channels]
    path = labels_path(report)
    if path is not None:
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            labels = json.load(file)
        notes = labels.pop("notes")
        bends = [(number, *bend) for number, note in enumerate(notes) for bend in note.get("bends", ())]
        rendered.notes = records(notes, NOTES)
        rendered.bends = np.array(bends, BENDS)
        rendered.beats = records(labels.pop("beats"), BEATS)
        rendered.tempos = records(labels.pop("tempos"), TEMPOS)
        rendered.labels = labels
    rendered.row = {name: value for name, value in row.items() if name not in ("report", "status")}
    return rendered


def labels_path(report: dict[str, Any]) -> str | None:
    """The path of the labels as JSON, in the folder of the batch."""
    return next((path for path in report.get("labels", []) if path.endswith(".json")), None)


def files(report: dict[str, Any]) -> list[str]:
    """The paths of all files of a job but its row, in the folder of the batch."""
    paths = [report["output"], *report.get("labels", []), *report.get("pictures", [])]
    paths += [stem["output"] for stem in report.get("stems", []) if "output" in stem]
    return list(dict.fromkeys(paths))


def stem_names(stems: list[dict[str, Any]]) -> list[str]:
    """A name for each stem that no other has: its own, with its number behind it where several have the same."""
    names = [stem["name"] for stem in stems]
    return [name if names.count(name) == 1 else f"{name} {stem['number']}" for name, stem in zip(names, stems)]


def records(objects: list[dict[str, Any]], kind: np.dtype) -> Array:
    """A structured array of objects; `null` is -1, or NaN."""
    empty = tuple(np.nan if kind[name].kind == "f" else -1 for name in kind.names or ())
    rows = []
    for one in objects:
        values = map(one.get, kind.names or ())
        rows.append(tuple(none if value is None else value for value, none in zip(values, empty)))
    return np.array(rows, kind)


def read_samples(path: str, report: dict[str, Any]) -> Array:
    """The samples of a file as float32, shape (channels, frames)."""
    if path.endswith(".raw"):
        if "32-bit float" not in report["format"]:
            raise ValueError(f"{path}: raw samples are read as 32-bit floats; render with bits='32f'")
        return _deinterleaved(np.fromfile(path, "<f4"), int(report["channels"]))
    if path.endswith(".wav"):
        return _wav(path)
    try:
        import soundfile
    except ImportError as error:
        raise ImportError(f"{path}: is read by the package soundfile; pip install soundfile") from error
    with open(path, "rb") as file:
        data, _ = soundfile.read(file, dtype="float32", always_2d=True)
    return np.ascontiguousarray(data.T)


def _deinterleaved(samples: Array, channels: int) -> Array:
    return np.ascontiguousarray(samples.reshape(-1, channels).T)


def _wav(path: str) -> Array:
    """WAV and RF64: 16, 24 and 32 bits, 32-bit floats."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if file.read(4) not in (b"RIFF", b"RF64"):
            raise ValueError(f"{path}: is no WAV file")
        file.seek(12)
        form: tuple[int, int, int] | None = None
        while True:
            head = file.read(8)
            if len(head) < 8 or head[:4] == b"data":
                break
            length = struct.unpack("<I", head[4:])[0]
            chunk = file.read(length + length % 2)
            if head[:4] == b"fmt ":
                tag, channels = struct.unpack("<HH", chunk[:4])
                if tag == 0xFFFE:  # the extensible form has the true one behind it
                    tag = struct.unpack("<H", chunk[24:26])[0]
                form = (tag, channels, struct.unpack("<H", chunk[14:16])[0])
        if form is None or len(head) < 8:
            raise ValueError(f"{path}: has no samples")
        length = struct.unpack("<I", head[4:])[0]
        # RF64 says its length elsewhere; the samples are the last chunk then.
        data = file.read(min(length, size) if length != 0xFFFFFFFF else size)
    tag, channels, bits = form
    if (tag, bits) == (3, 32):
        values = np.frombuffer(data, "<f4")
    elif (tag, bits) == (1, 16):
        values = np.frombuffer(data, "<i2").astype(np.float32) / np.float32(1 << 15)
    elif (tag, bits) == (1, 24):
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        values = (wide.view("<i4").ravel() / np.float64(1 << 31)).astype(np.float32)
    elif (tag, bits) == (1, 32):
        values = (np.frombuffer(data, "<i4") / np.float64(1 << 31)).astype(np.float32)
    else:
        raise ValueError(f"{path}: samples of {bits} bits in form {tag} are not read here; use soundfile")
    return _deinterleaved(values, channels)
