"""Sixty jobs on Dask and on Ray, with a worker and the driver killed: what comes of it is what `carillon batch` alone makes."""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import SOUND, files_of, nobody_works_in

import carillon

ENGINES = ["dask", pytest.param("ray", marks=pytest.mark.deep)]


@pytest.fixture(scope="module")
def manifest(songs, tmp_path_factory):
    path = tmp_path_factory.mktemp("manifest") / "jobs.jsonl"
    fields = {**SOUND, "format": "flac", "labels": ["json"], "tempo": {"uniform": [0.8, 1.2]}}
    path.write_text("".join(json.dumps({"song": str(one), "id": one.stem, **fields}) + "\n" for one in songs))
    return path


@pytest.fixture(scope="module")
def alone(manifest, tmp_path_factory):
    out = tmp_path_factory.mktemp("alone")
    assert len(list(carillon.batch(manifest, out))) == 60
    return sums(out)


def sums(out):
    """SHA-256 by path; of rows, which tell how long it took, that they are there. Anything that was left over is here too."""
    found = {}
    for path in files_of(out):
        data = (pathlib.Path(out) / path).read_bytes()
        is_row = path.endswith(".json") and not path.endswith(".labels.json")
        if path != ".index":
            found[path] = "row" if is_row else hashlib.sha256(data).hexdigest()
    return found


def done(out):
    return list(out.glob("??/*.flac"))


def finished(out):
    """The sounds that have their row, and which file each row is: one that is made again is another."""
    return {path.name: path.stat().st_ino for path in out.glob("??/*.json") if not path.name.endswith(".labels.json")}


class Run:
    """A driver, as a process."""

    def __init__(self, engine, manifest, out, rows):
        self.out, self.rows = out, rows
        script = pathlib.Path(__file__).with_name("driver.py")
        self.said = open(str(rows) + ".log", "wb")
        words = [sys.executable, str(script), engine, str(manifest), str(out), str(rows)]
        self.process = subprocess.Popen(words, stdout=self.said, stderr=self.said, start_new_session=True)

    def wait_for(self, count):
        """Until so many sounds are there."""
        while len(done(self.out)) < count:
            assert self.process.poll() is None, self.log()
            time.sleep(0.01)

    def workers(self):
        return [int(line) for line in pathlib.Path(str(self.out) + ".workers").read_text().split()]

    def ends(self):
        assert self.process.wait() == 0, self.log()
        return [json.loads(line) for line in self.rows.read_text().splitlines()]

    def log(self):
        return pathlib.Path(str(self.rows) + ".log").read_text()[-4000:]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_worker_is_killed(engine, manifest, alone, tmp_path):
    run = Run(engine, manifest, tmp_path / "out", tmp_path / "rows")
    run.wait_for(10)
    before = finished(tmp_path / "out")
    os.kill(run.workers()[0], signal.SIGKILL)
    rows = run.ends()
    assert len(rows) == 60 and {row["id"] for row in rows} == {f"song-{number:02d}" for number in range(60)}
    assert not [row for row in rows if row["status"] not in ("done", "skipped")]
    nobody_works_in(tmp_path / "out")
    assert before.items() <= finished(tmp_path / "out").items(), "what was finished is made again"
    assert sums(tmp_path / "out") == alone
    assert not (tmp_path / "out" / ".work").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_driver_is_killed_and_run_again(engine, manifest, alone, tmp_path):
    first = Run(engine, manifest, tmp_path / "out", tmp_path / "first")
    first.wait_for(25)
    os.killpg(first.process.pid, signal.SIGKILL) if engine == "ray" else os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()
    nobody_works_in(tmp_path / "out")
    before = finished(tmp_path / "out")
    assert 24 <= len(before) < 60
    rows = Run(engine, manifest, tmp_path / "out", tmp_path / "second").ends()
    assert len(rows) == 60 and not [row for row in rows if row["status"] not in ("done", "skipped")]
    assert [row["status"] for row in rows].count("skipped") >= len(before)
    assert before.items() <= finished(tmp_path / "out").items(), "what was finished is made again"
    assert sums(tmp_path / "out") == alone
    assert not (tmp_path / "out" / ".work").exists()


def test_arrays_in_tasks_of_dask(songs, tmp_path, renderer):
    from distributed import Client, LocalCluster

    import carillon.dask

    def loudest(path):
        return float(np.abs(carillon.dask.renderer().render(path).audio).max())

    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster, Client(cluster) as client:
        client.register_plugin(carillon.dask.RendererPlugin("embedded", rate=16000))
        given = client.gather(client.map(loudest, [str(path) for path in songs[:6]]))
    assert given == [float(np.abs(one.audio).max()) for one in renderer.map(songs[:6])]


@pytest.mark.deep
def test_ray_writes_parquet_and_tar(manifest, songs, tmp_path):
    script = """
import os, sys, ray, carillon.ray
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}})
out, jobs = sys.argv[2], carillon.ray.from_manifest(sys.argv[1], blocks=2)
for samples, place in ((False, "rows"), (True, "parquet"), (True, "tar")):
    table = jobs.map_batches(carillon.ray.Render, fn_constructor_kwargs={"out": out + "/sounds", "samples": samples},
        batch_size=8, compute=ray.data.ActorPoolStrategy(size=1))
    table.write_webdataset(out + "/tar", encoder=None) if place == "tar" else table.write_parquet(out + "/" + place)
"""
    few = tmp_path / "few.jsonl"
    few.write_text("".join(manifest.read_text().splitlines(True)[:12]) + '{"song": "none.mid", "id": "none"}\n')
    subprocess.run([sys.executable, "-c", script, str(few), str(tmp_path)], check=True)
    import pyarrow.parquet
    import webdataset

    rows = pyarrow.parquet.read_table(tmp_path / "rows").to_pylist()
    assert len(rows) == 13 and [row["status"] for row in rows].count("failed") == 1
    sounds = pyarrow.parquet.read_table(tmp_path / "parquet").to_pylist()
    keys = {row["key"] for row in rows if row["key"]}
    assert {one["__key__"] for one in sounds} == keys and len(sounds) == 12 and all(one["flac"][:4] == b"fLaC" for one in sounds)
    tars = [str(path) for path in (tmp_path / "tar").iterdir()]
    samples = list(webdataset.WebDataset(tars, shardshuffle=False))
    assert {sample["__key__"] for sample in samples} == keys
    assert all(len(json.loads(sample["json"])["notes"]) == 6 for sample in samples)
