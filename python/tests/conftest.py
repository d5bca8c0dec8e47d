"""Songs, and folders that must be empty in the end."""

import io
import os
import pathlib
import time

import mido
import pytest

import carillon

SOUND = {"soundfont": "embedded", "rate": 16000}


def song(number: int, notes: int = 6, seconds: float = 0.25) -> bytes:
    """A song of its own for each number: a scale on two channels, one note beginning as another ends."""
    file = mido.MidiFile(ticks_per_beat=480)
    track = mido.MidiTrack()
    file.tracks.append(track)
    track.append(mido.MetaMessage("track_name", name=f"song {number}"))
    track.append(mido.MetaMessage("set_tempo", tempo=500_000))
    for channel, program in enumerate((number % 8, 32)):
        track.append(mido.Message("program_change", channel=channel, program=program))
    ticks = round(seconds * 960)
    for place in range(notes):
        channel, key = place % 2, 48 + (number * 5 + place * 7) % 30
        track.append(mido.Message("note_on", channel=channel, note=key, velocity=60 + place * 5))
        track.append(mido.Message("note_off", channel=channel, note=key, time=ticks))
    buffer = io.BytesIO()
    file.save(file=buffer)
    return buffer.getvalue()


@pytest.fixture(scope="session")
def songs(tmp_path_factory) -> "list[pathlib.Path]":
    """Sixty songs as files."""
    folder = tmp_path_factory.mktemp("songs")
    paths = []
    for number in range(60):
        path = folder / f"song-{number:02d}.mid"
        path.write_bytes(song(number))
        paths.append(path)
    return paths


@pytest.fixture
def temporary(tmp_path) -> pathlib.Path:
    """A folder for a renderer, which must leave nothing in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    yield folder
    assert os.listdir(folder) == []


@pytest.fixture
def renderer(temporary):
    with carillon.Renderer("embedded", rate=16000, folder=temporary) as made:
        yield made


def files_of(folder) -> "list[str]":
    """The paths of all files below a folder, in it."""
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if path.is_file())


def nobody_works_in(out):
    """Waits until no process has this folder among its words."""
    while True:
        words = [path.read_bytes() for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if is_there(path)]
        if not any(os.fsencode(out) in one and b"batch" in one for one in words):
            return
        time.sleep(0.05)


def is_there(path):
    try:
        return bool(path.read_bytes())
    except OSError:
        return False
