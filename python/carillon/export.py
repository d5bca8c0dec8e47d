"""Data sets of what `batch` made: npz, Parquet, WebDataset's tar files, Hugging Face's AudioFolder.

Each takes rows (an iterable, or the path of a file with a row on each line) and the folder of the batch. Rows without sound are
left out, and a sound that several rows have is taken once. The order is that of the keys, so that the same sounds give the same
bytes, in whatever order they were rendered. What is written appears under its name when it is whole.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from typing import Any

import numpy as np

from ._rendered import Rendered, load
from ._rows import Path, Rows, contents, ending, groups, labels_of, lasting, sample, sounding, stems_of, tables_of, text


def npz(rendered: Rendered, path: Path) -> None:
    """Writes one `Rendered` for `numpy.load`: `audio`, `sample_rate`, `notes`, `bends`, `beats`, `tempos`, `stem/NAME`, and `row`,
    `report`, `labels` as JSON texts."""
    arrays: dict[str, Any] = {
        "audio": rendered.audio,
        "sample_rate": np.array(rendered.sample_rate),
        "notes": rendered.notes,
        "bends": rendered.bends,
        "beats": rendered.beats,
        "tempos": rendered.tempos,
    }
    arrays.update({"stem/" + name.replace("/", "_"): samples for name, samples in rendered.stems.items()})
    for name in ("row", "report", "labels"):
        arrays[name] = np.array(text(getattr(rendered, name)))
    with _Whole(path) as draft, open(draft, "wb") as file:
        np.savez_compressed(file, **arrays)


def npz_folder(rows: Rows, folder: Path, out: Path) -> list[str]:
    """Writes `out/KEY.npz` for each row (`npz`). Returns the paths."""
    os.makedirs(out, exist_ok=True)
    paths = []
    for row in sounding(rows):
        path = os.path.join(out, row["key"] + ".npz")
        npz(load(row, folder), path)
        paths.append(path)
    return paths


def parquet(rows: Rows, folder: Path, path: Path, *, chunk: int = 64, stems: bool = True) -> int:
    """Writes one Parquet file with a row group for each `chunk` sounds, by pyarrow. Returns how many sounds it has.

    Columns: `key`, `song`, `audio` (a struct of `bytes`, the file as it is, and `path`, as Hugging Face's `Audio` has it),
    `sample_rate`, `channels`, `frames`, `notes`, `beats`, `tempos` (lists of structs, frames; `bends` of a note too), `stems` (a list of structs: `number`,
    `name`, `kind`, `bytes`, `path`), `row` (the whole row, a JSON text).
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError("Parquet needs the package pyarrow: pip install carillon[export]") from error
    if chunk < 1:
        raise ValueError(f"chunk is {chunk}; it is 1 at least")
    sound = [("bytes", pa.binary()), ("path", pa.string())]
    integers, number = pa.int64(), pa.float64()
    note = [(name, integers) for name in ("onset", "keyUp", "release", "end")] + [("pitch", number), ("level", number)]
    note += [(name, pa.int32()) for name in ("key", "soundingKey", "velocity", "channel", "track", "stem")]
    note += [("outcome", pa.string()), ("bends", pa.list_(pa.struct([("frame", integers), ("pitch", number)])))]
    beat = [("frame", integers), ("bar", pa.int32()), ("beat", pa.int32()), ("unit", pa.int32())]
    schema = pa.schema(
        [
            ("key", pa.string()),
            ("song", pa.string()),
            ("audio", pa.struct(sound)),
            ("sample_rate", pa.int32()),
            ("channels", pa.int32()),
            ("frames", integers),
            ("notes", pa.list_(pa.struct(note))),
            ("beats", pa.list_(pa.struct(beat))),
            ("tempos", pa.list_(pa.struct([("frame", integers), ("quartersPerMinute", number)]))),
            ("stems", pa.list_(pa.struct([("number", pa.int32()), ("name", pa.string()), ("kind", pa.string()), *sound]))),
            ("row", pa.string()),
        ]
    )

    def record(row: dict[str, Any]) -> dict[str, Any]:
        report, labels = row["report"], labels_of(row, folder)

        def file(name: str) -> dict[str, Any]:
            return {"bytes": contents(os.path.join(folder, name)), "path": os.path.basename(name)}

        return {
            "key": row["key"],
            "song": row.get("song"),
            "audio": file(report["output"]),
            "sample_rate": report["sampleRate"],
            "channels": report["channels"],
            "frames": report["frames"],
            **tables_of(labels),
            "stems": [{**stem, **file(name)} for stem, name in stems_of(row)] if stems else [],
            "row": text(lasting(row)),
        }

    count = 0
    with _Whole(path) as draft, pq.ParquetWriter(draft, schema) as writer:
        for group in groups(sounding(rows), chunk):
            writer.write_table(pa.Table.from_pylist([record(row) for row in group], schema), row_group_size=chunk)
            count += len(group)
    return count


def webdataset(rows: Rows, folder: Path, pattern: Path, *, per_shard: int = 1000, stems: bool = True) -> list[str]:
    """Writes tar files for WebDataset: `KEY.flac` (or the format that was rendered), `KEY.json` (the row, `notes`, `beats` and all other
    labels), and `KEY.stem-01.flac` for the stems. No times and no owners are in them.

    Args:
        pattern: Their names, with a number in it: `"data-{:06d}.tar"`.
        per_shard: Sounds in each.

    Returns:
        Their paths.
    """
    pattern = os.fspath(pattern)
    if pattern.format(0) == pattern.format(1):
        raise ValueError(f"{pattern}: has no place for a number; write it as data-{{:06d}}.tar")
    paths = []
    for number, group in enumerate(groups(sounding(rows), per_shard)):
        path = pattern.format(number)
        with _Whole(path) as draft, tarfile.open(draft, "w", format=tarfile.USTAR_FORMAT) as tar:
            for row in group:
                name = row["key"]
                whole = sample(row, folder)
                del whole["__key__"]
                for kind in sorted(whole):
                    _add(tar, f"{name}.{kind}", whole[kind])
                for stem, output in stems_of(row) if stems else ():
                    _add(tar, f"{name}.stem-{stem['number']:02d}{ending(output)}", contents(os.path.join(folder, output)))
        paths.append(path)
    return paths


def audiofolder(rows: Rows, folder: Path, out: Path, *, split: str = "", copy: bool = False) -> int:
    """Writes a folder that `datasets.load_dataset("audiofolder", data_dir=out)` reads: the sounds, and `metadata.jsonl` with
    `file_name`, `key`, `song`, `sample_rate`, `frames`, `notes`, `beats`, `tempos` (lists of structs) and `row` (a JSON text).

    Args:
        split: `"train"`, `"test"`: the folder in it that they go to.
        copy: `False`: sounds are linked where the file system can do that, and take no room.

    Returns:
        How many sounds it has.
    """
    place = os.path.join(out, split)
    os.makedirs(place, exist_ok=True)
    count = 0
    with _Whole(os.path.join(place, "metadata.jsonl")) as draft, open(draft, "w", encoding="utf-8") as file:
        for row in sounding(rows):
            report, labels = row["report"], labels_of(row, folder)
            name = row["key"] + ending(report["output"])
            _link(os.path.join(folder, report["output"]), os.path.join(place, name), copy)
            told = {
                "file_name": name,
                "key": row["key"],
                "song": row.get("song"),
                "sample_rate": report["sampleRate"],
                "frames": report["frames"],
                **tables_of(labels),
                "row": text(lasting(row)),
            }
            file.write(text(told) + "\n")
            count += 1
    return count


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    tar.addfile(entry, io.BytesIO(data))


def _link(source: str, path: str, copy: bool) -> None:
    with _Whole(path) as draft:
        if not copy:
            try:
                os.link(source, draft)
                return
            except OSError:
                pass  # another file system, or one without links
        shutil.copyfile(source, draft)


class _Whole:
    """A path to write to, which has its name when all went well."""

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self.draft = os.path.join(os.path.dirname(self.path), f".{os.path.basename(self.path)}.{os.getpid()}")

    def __enter__(self) -> str:
        return self.draft

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            os.replace(self.draft, self.path)
        # Also of two links to one file the first stays.
        if os.path.lexists(self.draft):
            os.unlink(self.draft)
