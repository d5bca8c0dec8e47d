"""Manifests on Dask: each piece of work is a `carillon batch` into one folder that all workers see. Its finished sounds are
skipped, so a worker that dies costs what it had in hand, and a run that was interrupted is begun again by the same call.
"""

from __future__ import annotations

import os
from typing import Any

import dask
import dask.bag
from distributed import Worker, WorkerPlugin, get_worker

from . import _jobs
from ._batch import batch
from ._renderer import Renderer


def render_chunk(lines: list[str], out: str, options: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of some lines, by one process: Dask's workers are what there are several of."""
    return list(batch(lines, out, **{"jobs": 1, **options}))


def delayed(manifest: Any, out: Any, *, chunk: int = 32, **options: Any) -> list[Any]:
    """The manifest as `dask.delayed` lists of rows, one for each `chunk` jobs. Arguments are those of `carillon.batch`; paths are
    read by the workers."""
    task = dask.delayed(render_chunk, pure=True)
    return [task(lines, os.path.abspath(out), options) for lines in _jobs.chunks(manifest, chunk)]


def from_manifest(manifest: Any, out: Any, *, chunk: int = 32, **options: Any) -> dask.bag.Bag:
    """The manifest as a `dask.bag` of rows, one for each job whatever came of it; `chunk` jobs are a partition."""
    return dask.bag.from_delayed(delayed(manifest, out, chunk=chunk, **options))


class RendererPlugin(WorkerPlugin):  # type: ignore[misc]
    """A `Renderer` on each worker: `client.register_plugin(RendererPlugin("GM.sf2", rate=16000))`, then `renderer()` in a task."""

    name = "carillon-renderer"

    def __init__(self, soundfonts: Any = None, **options: Any) -> None:
        self.renderer: Renderer | None = Renderer(soundfonts, **{"jobs": 1, **options})

    def teardown(self, worker: Worker) -> None:
        if self.renderer is not None:
            self.renderer.close()


def renderer() -> Renderer:
    """The `Renderer` of the worker that calls this: arrays in a task, without files."""
    found: Renderer = get_worker().plugins[RendererPlugin.name].renderer
    return found
