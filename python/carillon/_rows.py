"""Rows of a batch, and the files behind them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any, Union

from ._rendered import labels_path, stem_names

Path = Union[str, "os.PathLike[str]"]
Rows = Union[Path, Iterable[dict[str, Any]]]


def sounding(rows: Rows) -> list[dict[str, Any]]:
    """The rows that have sound, each sound once, in the order of their keys."""
    if isinstance(rows, (str, os.PathLike)):
        with open(rows, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file if line.strip()]
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row.get("status") in ("done", "skipped"):
            # Of several jobs that have one sound, the same one each time.
            other = found.setdefault(row["key"], row)
            if other is not row and text(lasting(row)) < text(lasting(other)):
                found[row["key"]] = row
    return [found[key] for key in sorted(found)]


def groups(rows: list[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    """Lists of `size` rows."""
    return (rows[start : start + size] for start in range(0, len(rows), size))


def lasting(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is another each time."""
    kept = {name: value for name, value in row.items() if name != "status"}
    kept["report"] = {name: value for name, value in row["report"].items() if name not in ("seconds", "replaced")}
    return kept


def labels_of(row: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The labels of a row, empty where it has none."""
    path = labels_path(row["report"])
    if path is None:
        return {}
    labels = json.loads(contents(os.path.join(folder, path)))
    # These two are the row's.
    return {name: value for name, value in labels.items() if name not in ("song", "stems")}


def tables_of(labels: dict[str, Any]) -> dict[str, Any]:
    """Notes, beats and tempos as lists of structs that are alike in all sounds: the bends of a note are a list of them too."""
    notes = []
    for note in labels.get("notes", []):
        bends = [{"frame": frame, "pitch": float(pitch)} for frame, pitch in note.get("bends", [])]
        notes.append({**note, "bends": bends})
    return {"notes": notes, "beats": labels.get("beats", []), "tempos": labels.get("tempos", [])}


def stems_of(row: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """The stems that have sound, and their files."""
    stems = row["report"].get("stems", [])
    for stem, name in zip(stems, stem_names(stems)):
        if "output" in stem:
            yield {"number": stem["number"], "name": name, "kind": stem["kind"]}, stem["output"]


def ending(path: str) -> str:
    """`.flac`"""
    return os.path.splitext(path)[1]


def text(value: Any) -> str:
    """JSON that is the same for the same value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def contents(path: str) -> bytes:
    """All bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def sample(row: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A sound as WebDataset has it: `__key__`, `json` (the row and all labels), and the file under its ending."""
    output = row["report"]["output"]
    return {
        "__key__": row["key"],
        "json": text({**lasting(row), **labels_of(row, folder)}).encode(),
        ending(output)[1:]: contents(os.path.join(folder, output)),
    }
