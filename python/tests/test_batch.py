"""`batch`: rows, what is skipped, what fails."""

import json

import mido
import numpy as np
import pytest
from conftest import SOUND, files_of, nobody_works_in, song

import carillon


def jobs(songs, **fields):
    return [{"song": str(path), "id": number, **SOUND, **fields} for number, path in enumerate(songs)]


def test_rows_of_jobs_of_every_kind(songs, tmp_path):
    several = jobs(songs[:3]) + [
        {"song": mido.MidiFile(songs[3]), "id": 3},
        {"bytes": song(4), "id": 4},
        {"song": songs[5], "id": 5},
    ]
    several += [json.dumps({"song": str(songs[6]), "id": 6}), songs[7], str(songs[8]), song(9), {"song": "none.mid", "id": 10}]
    rows = list(carillon.batch(several, tmp_path / "out", recipe={"labels": "json", "channels": 1, "rate": np.int64(8000)}))
    assert len(rows) == 11
    assert [row["status"] for row in rows].count("done") == 10
    failed = next(row for row in rows if row["status"] == "failed")
    assert (failed["id"], failed["exitCode"]) == (10, 66)
    with pytest.raises(carillon.RenderError):
        carillon.load(failed, tmp_path / "out")
    for row in rows:
        if row["status"] == "done":
            given = carillon.load(row, tmp_path / "out")
            assert given.audio.shape == (1, given.report["frames"]) and len(given.notes) == 6
            assert given.sample_rate == (16000 if "id" in row and row["id"] < 3 else 8000)


def test_what_is_there_is_skipped_and_rows_are_jobs(songs, tmp_path):
    out = tmp_path / "out"
    first = list(carillon.batch(jobs(songs[:4]), out, recipe={"tempo": {"uniform": [0.8, 1.2]}}, seed="s", jobs=2))
    before = files_of(out)
    manifest = tmp_path / "rows.jsonl"
    manifest.write_text("".join(json.dumps(row) + "\n" for row in first))
    again = list(carillon.batch(manifest, out))
    assert [row["status"] for row in again] == ["skipped"] * 4
    assert {row["key"] for row in again} == {row["key"] for row in first}
    assert [path for path in files_of(out) if path not in before and path != ".index"] == []


@pytest.mark.parametrize("form", [{"format": "wav", "bits": 16}, {"format": "wav", "bits": 24}, {"format": "flac"}])
def test_samples_of_files(renderer, songs, tmp_path, form):
    row = next(carillon.batch(jobs(songs[:1], **form), tmp_path / "out"))
    given, exact = carillon.load(row, tmp_path / "out"), renderer.render(songs[0])
    step = 2.0 ** -(int(form.get("bits", 16)) - 1)
    assert given.audio.shape == exact.audio.shape and given.audio.dtype == np.float32
    assert np.abs(given.audio - exact.audio).max() <= 2 * step


def test_floats_are_those_of_the_renderer(renderer, songs, tmp_path):
    fields = {"bits": "32f", "stems": "channel", "labels": ["json"]}
    row = next(carillon.batch(jobs(songs[:1], **fields), tmp_path / "out"))
    given, other = carillon.load(row, tmp_path / "out"), renderer.render(songs[0], stems="channel")
    assert np.array_equal(given.audio, other.audio) and np.array_equal(given.notes, other.notes)
    assert list(given.stems) == list(other.stems)
    assert all(np.array_equal(given.stems[name], other.stems[name]) for name in given.stems)


def test_a_batch_that_is_refused_is_an_error(songs, tmp_path):
    for wrong, code in (({"shard": "3/2"}, 64), ({"lock": "none.json"}, 66), ({"no_such_option": 1}, 64)):
        with pytest.raises(carillon.RenderError) as refused:
            list(carillon.batch(jobs(songs[:1]), tmp_path / "out", **wrong))
        assert refused.value.exit_code == code and len(str(refused.value)) > 10
    with pytest.raises(carillon.RenderError) as missing:
        list(carillon.batch(tmp_path / "none.jsonl", tmp_path / "out"))
    assert missing.value.exit_code == 66


def test_what_is_nearly_an_option_is_warned_of(songs, tmp_path):
    job = {**jobs(songs[:1])[0], "tranpose": 2, "mine": 2**64 - 1, "hash": -(10**37) - 1}
    with pytest.warns(UserWarning, match="tranpose .* did you mean transpose"):
        row = next(iter(list(carillon.batch([job], tmp_path / "out"))))
    assert (row["status"], row["tranpose"], row["mine"], row["hash"]) == ("done", 2, 2**64 - 1, -(10**37) - 1)


def test_an_error_of_the_jobs_is_raised(songs, tmp_path):
    def several():
        yield {"song": str(songs[0]), **SOUND}
        raise KeyError("mine")

    with pytest.raises(KeyError):
        list(carillon.batch(several(), tmp_path / "out"))
    with pytest.raises(TypeError):
        list(carillon.batch([{"song": "a.mid", "tempo": object()}], tmp_path / "out"))


@pytest.mark.filterwarnings("error")
def test_a_warning_takes_the_place_of_no_error(songs, tmp_path):
    def several():
        yield {**jobs(songs[:1])[0], "tranpose": 2}
        raise KeyError("mine")

    with pytest.raises(KeyError):
        list(carillon.batch(several(), tmp_path / "out"))


def test_leaving_the_loop_ends_the_batch(songs, tmp_path):
    rows = carillon.batch(jobs(songs), tmp_path / "out", jobs=1)
    next(rows)
    rows.close()
    nobody_works_in(tmp_path / "out")
    done = [path for path in files_of(tmp_path / "out") if path.endswith(".wav")]
    assert 1 <= len(done) < len(songs)
    # What was left behind is taken away by the next one.
    rows = list(carillon.batch(jobs(songs[:20]), tmp_path / "out"))
    assert len(rows) == 20 and not (tmp_path / "out" / ".work").exists()
