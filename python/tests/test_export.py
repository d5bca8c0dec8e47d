"""Data sets, read by those who will read them."""

import io
import json
import pathlib
import random
import tarfile

import mir_eval
import numpy as np
import pyarrow.json
import pyarrow.parquet
import pytest
import soundfile
import webdataset
from conftest import SOUND

import carillon
from carillon import export


@pytest.fixture(scope="module")
def made(songs, tmp_path_factory):
    """Rows and the folder of a batch: ten sounds with stems and labels, one of them twice, one job that failed."""
    folder = tmp_path_factory.mktemp("batch")
    recipe = {**SOUND, "format": "flac", "stems": "channel", "labels": ["json", "tsv"]}
    jobs = [{"song": str(path), "id": path.stem} for path in songs[:10]]
    jobs += [{"song": str(songs[0]), "id": "again"}, {"song": "none.mid"}]
    rows = list(carillon.batch(jobs, folder, recipe=recipe))
    assert [row["status"] for row in rows].count("failed") == 1
    return rows, folder


def expected_keys(rows):
    return sorted({row["key"] for row in rows if "key" in row})


def test_webdataset(made, tmp_path):
    rows, folder = made
    paths = export.webdataset(rows, folder, tmp_path / "data-{:03d}.tar", per_shard=4)
    assert [pathlib.Path(path).name for path in paths] == ["data-000.tar", "data-001.tar", "data-002.tar"]
    samples = list(webdataset.WebDataset(paths, shardshuffle=False))
    assert [sample["__key__"] for sample in samples] == expected_keys(rows)
    for sample in samples:
        told = json.loads(sample["json"])
        audio, rate = soundfile.read(io.BytesIO(sample["flac"]))
        assert (len(audio), rate) == (told["frames"], told["sampleRate"]) == (told["report"]["frames"], 16000)
        assert len(told["notes"]) == 6 and told["beats"] and told["key"] == sample["__key__"]
        stems = [name for name in sample if name.startswith("stem-")]
        assert len(stems) == sum("output" in stem for stem in told["report"]["stems"]) >= 2
        assert all(len(soundfile.read(io.BytesIO(sample[name]))[0]) == len(audio) for name in stems)


def test_the_same_sounds_give_the_same_bytes(made, songs, tmp_path):
    rows, folder = made
    other = tmp_path / "other"
    recipe = {**SOUND, "format": "flac", "stems": "channel", "labels": ["json", "tsv"]}
    jobs = [{"song": str(path), "id": path.stem} for path in songs[:10]] + [{"song": str(songs[0]), "id": "again"}]
    random.Random(1).shuffle(jobs)
    again = list(carillon.batch(jobs, other, recipe=recipe, jobs=2))
    for writer, name in ((export.webdataset, "{}.tar"), (export.parquet, "0.parquet")):
        first, second = tmp_path / "first", tmp_path / "second"
        for place, told, where in ((first, rows, folder), (second, again, other)):
            place.mkdir(exist_ok=True)
            writer(told, where, place / name)
        for path in first.iterdir():
            assert path.read_bytes() == (second / path.name).read_bytes(), path.name
    with tarfile.open(tmp_path / "first" / "0.tar") as tar:
        assert {(member.mtime, member.uid, member.uname, member.mode) for member in tar} == {(0, 0, "", 0o644)}


def test_parquet(made, tmp_path):
    rows, folder = made
    assert export.parquet(rows, folder, tmp_path / "data.parquet", chunk=4) == 10
    file = pyarrow.parquet.ParquetFile(tmp_path / "data.parquet")
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [4, 4, 2]
    table = file.read().to_pylist()
    assert [one["key"] for one in table] == expected_keys(rows)
    for one in table:
        audio, rate = soundfile.read(io.BytesIO(one["audio"]["bytes"]))
        assert (len(audio), rate) == (one["frames"], one["sample_rate"])
        assert one["notes"][0].keys() == {*carillon._rendered.NOTES.names, "bends"}
        assert len(one["notes"]) == 6 and one["notes"][0]["outcome"] == "played" and one["tempos"][0]["quartersPerMinute"] == 120
        assert len(one["stems"]) >= 2 and {stem["kind"] for stem in one["stems"]} >= {"dry"}
        assert json.loads(one["row"])["key"] == one["key"]
    export.parquet(rows, folder, tmp_path / "small.parquet", stems=False)
    assert pyarrow.parquet.read_table(tmp_path / "small.parquet")["stems"].to_pylist() == [[]] * 10


@pytest.mark.parametrize("copy", [False, True])
def test_audiofolder(made, tmp_path, copy):
    rows, folder = made
    listed = tmp_path / "rows.jsonl"
    listed.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for _ in range(2):  # again over what is there
        assert export.audiofolder(listed, folder, tmp_path / "set", split="train", copy=copy) == 10
    place = tmp_path / "set" / "train"
    table = pyarrow.json.read_json(place / "metadata.jsonl").to_pylist()
    assert sorted(one["file_name"] for one in table) == sorted(path.name for path in place.iterdir() if path.suffix == ".flac")
    assert len(list(place.iterdir())) == 11
    for one in table:
        audio, rate = soundfile.read(place / one["file_name"])
        assert (len(audio), rate) == (one["frames"], one["sample_rate"])
        assert [note["velocity"] for note in one["notes"]] == [60, 65, 70, 75, 80, 85]


def test_npz(made, tmp_path):
    rows, folder = made
    paths = export.npz_folder(rows, folder, tmp_path)
    assert len(paths) == 10
    row = next(row for row in rows if row.get("id") == "song-03")
    given = carillon.load(row, folder)
    with np.load(tmp_path / (row["key"] + ".npz")) as kept:
        assert np.array_equal(kept["audio"], given.audio) and np.array_equal(kept["notes"], given.notes) and len(kept["bends"]) == 0
        assert int(kept["sample_rate"]) == 16000 and json.loads(str(kept["row"]))["id"] == "song-03"
        assert [name for name in kept if name.startswith("stem/")] == [f"stem/{name}" for name in given.stems]


def test_tables_are_read_by_mir_eval(made):
    rows, folder = made
    for row in rows:
        if "report" in row:
            table = next(path for path in row["report"]["labels"] if path.endswith(".tsv"))
            intervals, pitches = mir_eval.io.load_valued_intervals(str(folder / table))
            mir_eval.util.validate_intervals(intervals)
            assert len(pitches) == 6


def test_what_cannot_be_written_leaves_nothing(made, tmp_path):
    rows, folder = made
    gone = [{**row, "report": {**row["report"], "output": "none.flac"}} for row in rows if "report" in row]
    for write in (
        lambda: export.webdataset(gone, folder, tmp_path / "{}.tar"),
        lambda: export.parquet(gone, folder, tmp_path / "0.parquet"),
        lambda: export.audiofolder(gone, folder, tmp_path),
        lambda: export.npz_folder(gone, folder, tmp_path),
    ):
        with pytest.raises(FileNotFoundError):
            write()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError):
        export.webdataset(rows, folder, tmp_path / "data.tar")
