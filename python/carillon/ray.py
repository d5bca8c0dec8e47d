"""Manifests on Ray Data: each batch of rows is a `carillon batch` into one folder that all actors see. Its finished sounds are
skipped, so an actor that dies costs what it had in hand, and a run that was interrupted is begun again by the same call.
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import ray.data

from . import _jobs
from ._batch import batch
from ._rows import sample


def from_manifest(manifest: Any, *, blocks: int = 0) -> ray.data.Dataset:
    """The manifest as a data set with one column, `job`, a line each; `blocks`: how many it is cut into, 0 as Ray thinks fit."""
    items = [{"job": line} for line in _jobs.lines(manifest)]
    return ray.data.from_items(items, override_num_blocks=min(blocks, len(items)) or None)


class Render:
    """An actor for `map_batches(Render, fn_constructor_kwargs={"out": "/shared/data"}, batch_size=32,
    compute=ray.data.ActorPoolStrategy(size=8))`.

    Args:
        out: The folder of the sounds.
        samples: `False`: a row for each job, whatever came of it, with the columns `key`, `status`, `error`, `row` (a JSON text), for
            `write_parquet`. `True`: a sample for each sound, `__key__`, `json` (the row and all labels) and `wav`, `flac`, ... (the file),
            for `write_webdataset(..., encoder=None)` or `write_parquet`; all jobs have one format then, and those that failed are left out.
        options: Those of `carillon.batch`.
    """

    def __init__(self, out: Any, *, samples: bool = False, **options: Any) -> None:
        self.out, self.samples, self.options = os.path.abspath(out), samples, {"jobs": 1, **options}

    def __call__(self, jobs: dict[str, Any]) -> dict[str, Any]:
        rows = list(batch([str(line) for line in jobs["job"]], self.out, **self.options))
        if not self.samples:
            texts = {name: [str(row.get(name, "")) for row in rows] for name in ("key", "status", "error")}
            return {name: np.array(column, object) for name, column in {**texts, "row": list(map(json.dumps, rows))}.items()}
        found = [sample(row, self.out) for row in rows if "report" in row]
        kinds = list(found[0]) if found else ["__key__", "json"]
        return {kind: np.array([one[kind] for one in found], object) for kind in kinds}
