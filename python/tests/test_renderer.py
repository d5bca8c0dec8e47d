"""Renderer: the program's own samples, each kind of song, processes that die, errors."""

import contextlib
import io
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import threading

import mido
import mir_eval
import numpy as np
import pretty_midi
import pytest
import soundfile
import symusic
from conftest import files_of, nobody_works_in, song

import carillon


def rendered_by_program(path, out, *options):
    subprocess.run(
        [carillon.program(), "render", path, "-o", out, "--soundfont", "embedded", "--rate", "16000", "--bits", "32f"]
        + ["--loudness", "off", "--quiet", *options],
        check=True,
    )
    samples, rate = soundfile.read(out, dtype="float32", always_2d=True)
    return samples.T, rate


def test_version_is_that_of_the_program():
    said = subprocess.run([carillon.program(), "--version"], check=True, capture_output=True, text=True).stdout
    assert said.split()[0] == carillon.__version__


@pytest.mark.parametrize("options", [{}, {"tempo": 0.8, "transpose": 3}, {"channels": 1}])
def test_samples_are_those_of_render(renderer, songs, tmp_path, options):
    given = renderer.render(songs[0], **options)
    words = [word for name, value in options.items() if name != "channels" for word in (f"--{name}", str(value))]
    words += ["--layout", "mono"] if options.get("channels") == 1 else []
    expected, rate = rendered_by_program(songs[0], tmp_path / "song.wav", *words)
    assert given.audio.dtype == np.float32 and given.audio.flags.c_contiguous
    assert given.audio.shape == (options.get("channels", 2), given.report["frames"])
    assert given.sample_rate == rate == 16000
    assert np.array_equal(given.audio, expected)
    assert np.abs(given.audio).max() > 0.01


def test_stems_are_arrays_that_add_up(renderer, songs):
    given = renderer.render(songs[0], stems="channel")
    assert len(given.stems) >= 2
    assert all(stem.shape == given.audio.shape and stem.dtype == np.float32 for stem in given.stems.values())
    assert np.abs(sum(given.stems.values()) - given.audio).max() < 1e-6
    assert {one["stem"] for one in given.notes} == {1, 2}


def test_stems_with_one_name_are_told_apart(renderer):
    both = mido.MidiFile(file=io.BytesIO(song(0)))
    for message in both.tracks[0]:
        if message.type == "program_change":
            message.program = 0
    given = renderer.render(both, stems="channel")
    assert len(given.stems) == sum("output" in stem for stem in given.report["stems"]) >= 2


def test_every_kind_of_song(renderer, songs, tmp_path):
    path = songs[3]
    data = path.read_bytes()
    expected = renderer.render(path)
    with open(path, "rb") as file:
        for kind in (str(path), data, bytearray(data), file):
            again = renderer.render(kind)
            assert np.array_equal(again.audio, expected.audio)
            assert again.row["songHash"] == expected.row["songHash"]
    # These write files of their own, with the same music in them.
    for kind in (mido.MidiFile(path), pretty_midi.PrettyMIDI(str(path)), symusic.Score(str(path))):
        again = renderer.render(kind)
        assert len(again.notes) == len(expected.notes)
        assert list(again.notes["key"]) == list(expected.notes["key"])
        assert np.abs(again.notes["onset"] - expected.notes["onset"]).max() <= 1
    with pytest.raises(TypeError):
        renderer.render(7)
    with pytest.raises(TypeError), open(__file__) as text:
        renderer.render(text)
    assert "song" not in renderer.render(data).row
    assert renderer.render(path).row["song"] == str(path)


def test_labels_are_read_by_mir_eval(renderer):
    count, seconds, rate = 12, 0.25, 16000
    given = renderer.render(song(1, count, seconds))
    assert set(given.notes["outcome"]) == {"played"}
    heard = np.stack([given.notes["onset"], given.notes["keyUp"]], axis=1) / rate
    starts = np.arange(count) * seconds
    expected = np.stack([starts, starts + seconds], axis=1)
    keys = np.array([48 + (5 + place * 7) % 30 for place in range(count)])
    hertz = 440 * 2 ** ((keys - 69) / 12)
    precision, recall, score, _ = mir_eval.transcription.precision_recall_f1_overlap(
        expected, hertz, heard, given.notes["pitch"], onset_tolerance=0.001, pitch_tolerance=1, offset_ratio=None
    )
    assert (precision, recall, score) == (1, 1, 1)
    assert mir_eval.transcription.offset_precision_recall_f1(expected, heard, offset_min_tolerance=0.001)[2] == 1
    mir_eval.util.validate_events(given.beats["frame"] / rate)
    assert list(given.beats["beat"][:5]) == [1, 2, 3, 4, 1] and set(given.beats["unit"]) == {4}
    assert list(given.tempos["quartersPerMinute"]) == [120]
    assert given.labels["counts"]["played"] == count


def written(*messages):
    """A song of one track: messages and the ticks before them, 960 a second."""
    file = mido.MidiFile(ticks_per_beat=480)
    file.tracks.append(mido.MidiTrack(message.copy(time=ticks) for ticks, message in messages))
    return file


def test_intervals_are_those_of_mir_eval(renderer):
    on, off = (lambda key, kind=kind: mido.Message(kind, note=key, velocity=90) for kind in ("note_on", "note_off"))
    pedal = mido.Message("control_change", control=64, value=127)
    # A key that is struck twice on one frame, an instant and one that is over, and one under the pedal that sounds on where the audio is cut.
    notes = [(0, on(62)), (0, on(62)), (480, off(62)), (0, pedal), (0, on(64)), (240, off(64))]
    song = written(*notes, (960, on(65)), (480, off(65)))
    given = renderer.render(song, max_duration="1s", tail="exact")
    intervals, pitches = given.intervals()
    mir_eval.transcription.validate(intervals, pitches, intervals, pitches)
    assert intervals.tolist() == [[0, 0.5], [0.5, 1]] and given.instants == 1
    assert np.allclose(pitches, 440 * 2 ** ((np.array([62, 64]) - 69) / 12))


def test_restrikes_end_notes_where_that_is_asked_for(renderer):
    on, off = (lambda kind=kind: mido.Message(kind, note=60, velocity=90) for kind in ("note_on", "note_off"))
    pedal = mido.Message("control_change", control=64, value=127)
    song = written((0, pedal), (0, on()), (240, off()), (240, on()), (240, off()), (240, pedal.copy(value=0)))
    assert renderer.render(song).notes["release"].tolist() == [16000, 16000]
    given = renderer.render(song, restrike="cut")
    assert given.notes["release"].tolist() == [8000, 16000] and (given.notes["end"] > 8000).all()


def test_notes_have_what_sounds(renderer):
    bend = mido.Message("pitchwheel", pitch=4096)
    song = written((0, mido.Message("note_on", note=60)), (240, bend), (240, mido.Message("note_off", note=60)))
    given = renderer.render(song, transpose=3)
    assert given.notes[["key", "soundingKey"]].tolist() == [(60, 63)]
    assert given.bends[["note", "frame"]].tolist() == [(0, 4000)]
    assert np.isclose(given.bends["pitch"][0], 440 * 2 ** ((64 - 69) / 12), rtol=1e-4)
    assert -60 < given.notes["level"][0] < 0
    volume = mido.Message("control_change", control=7, value=0)
    silent = renderer.render(written((0, volume), (0, mido.Message("note_on", note=60)), (480, mido.Message("note_off", note=60))))
    assert silent.notes["outcome"].tolist() == ["inaudible"]


def test_labels_are_left_out(renderer, songs):
    given = renderer.render(songs[0], labels=False)
    assert len(given.notes) == len(given.beats) == 0 and given.labels == {} and given.audio.size > 0


def test_a_row_says_what_was_drawn_and_renders_again(renderer, songs):
    drawn = renderer.render(songs[1], recipe={"tempo": {"uniform": [0.5, 1.5]}}, seed=7)
    assert 0.5 <= drawn.row["tempo"] <= 1.5
    other = renderer.render(songs[1], recipe={"tempo": {"uniform": [0.5, 1.5]}}, seed=8)
    assert other.row["tempo"] != drawn.row["tempo"]
    again = renderer.render(songs[1], tempo=drawn.row["tempo"])
    assert np.array_equal(again.audio, drawn.audio)


def test_map_keeps_the_order(renderer, songs):
    several = [songs[0], songs[1], songs[0], songs[0].read_bytes(), *songs[2:12]]
    given = list(renderer.map(several))
    assert len(given) == len(several)
    assert [one.row["songHash"] for one in given[:4]] == [given[index].row["songHash"] for index in (0, 1, 0, 0)]
    for one, path in zip(given, several):
        if not isinstance(path, bytes):
            assert one.row["song"] == str(path)
    assert np.array_equal(given[0].audio, renderer.render(songs[0]).audio)


def test_a_song_after_many_others_is_the_song_alone(songs, temporary):
    with carillon.Renderer("embedded", rate=16000, folder=temporary) as alone:
        expected = alone.render(songs[0], stems="channel")
    with carillon.Renderer("embedded", rate=16000, jobs=1, folder=temporary) as made:
        for _ in made.map(songs[1:]):
            pass
        given = made.render(songs[0], stems="channel")
    assert np.array_equal(given.audio, expected.audio) and np.array_equal(given.notes, expected.notes)
    assert all(np.array_equal(given.stems[name], expected.stems[name]) for name in expected.stems)


def test_the_same_song_many_times(renderer):
    data = song(2)
    given = list(renderer.map([data] * 9)) + list(renderer.map([data] * 9, seed=3))
    given += list(renderer.map(io.BytesIO(data) for _ in range(3)))
    assert len(given) == 21 and all(np.array_equal(one.audio, given[0].audio) for one in given)
    # Jobs that differ, whose sound is the same.
    child = renderer._child
    several = [renderer._ask(data, {"seed": number}) for number in range(9)]
    assert all(np.array_equal(renderer._await(one).audio, given[0].audio) for one in several)
    assert renderer._child is child


def test_files_that_were_handed_out_are_gone(renderer, songs):
    list(renderer.map([*songs[:5], song(1), song(1)], stems="channel"))
    with pytest.raises(carillon.RenderError):
        renderer.render(songs[0], max_duration="long")
    left = [path for path in files_of(renderer._child.folder) if not path.startswith(".work")]
    assert left == [".owner"]
    assert not renderer._pending and not renderer._same and not renderer._songs


def test_errors_tell_and_end_nothing(renderer, songs, tmp_path):
    with pytest.raises(carillon.RenderError) as missing:
        renderer.render("no-such-song.mid")
    assert missing.value.exit_code == 66 and missing.value.row["status"] == "failed" and missing.value.report is None
    assert "no-such-song.mid" in str(missing.value)
    child = renderer._child
    with pytest.raises(carillon.RenderError) as broken:
        renderer.render(b"no song at all")
    assert broken.value.exit_code == 65
    with pytest.raises(carillon.RenderError) as option:
        renderer.render(songs[0], tempo="fast")
    assert option.value.exit_code == 64
    with pytest.raises(carillon.RenderError) as font:
        renderer.render(songs[0], soundfonts=tmp_path / "none.sf2")
    assert font.value.exit_code == 66
    for refused in ({"format": "flac"}, {"bits": 16}, {"time_limit": "1 h"}):
        with pytest.raises(TypeError):
            renderer.render(songs[0], **refused)
    assert renderer.render(songs[0]).audio.size > 0 and renderer._child is child
    copy = pickle.loads(pickle.dumps(missing.value))
    assert (str(copy), copy.exit_code, copy.row) == (str(missing.value), 66, missing.value.row)


def test_a_song_that_takes_too_long_costs_itself(renderer, songs):
    with pytest.raises(carillon.RenderError) as slow:
        renderer.render(songs[0], loops=1000, rate=192_000, time_limit=0.02)
    assert slow.value.row["status"] == "timeout" and slow.value.ended == "time-limit"
    assert renderer.render(songs[0]).audio.size > 0


def test_a_death_explains_itself(renderer, songs):
    renderer.render(songs[0])
    process = renderer._child.process.pid
    is_over = threading.Event()

    def kill():
        while not is_over.is_set():
            with contextlib.suppress(OSError):
                with open(f"/proc/{process}/task/{process}/children") as children:
                    child = int((children.read().split() or [0])[0])
                held = [os.readlink(f"/proc/{child}/fd/{name}") for name in os.listdir(f"/proc/{child}/fd")] if child else []
                if any(re.search(r"/\.work/[^/]+/", path) for path in held):
                    os.kill(child, signal.SIGSEGV)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with pytest.raises(carillon.RenderError) as dead:
            renderer.render(songs[0], loops=1000, rate=192_000)
    finally:
        is_over.set()
        killer.join()
    assert dead.value.row["status"] == "crashed" and dead.value.ended == "signal" and dead.value.exit_code == 70
    assert re.search(r"crashed while \w+.*\(SIGSEGV\)", str(dead.value))
    assert renderer.render(songs[0]).audio.size > 0


def test_map_raises_or_returns_errors(renderer, songs):
    several = [songs[0], "none.mid", songs[1]]
    with pytest.raises(carillon.RenderError):
        list(renderer.map(several))
    first, second, third = renderer.map(several, errors="return")
    assert isinstance(second, carillon.RenderError) and first.audio.size > 0 and third.audio.size > 0
    with pytest.raises(ValueError):
        renderer.map(several, errors="ignore")
    with pytest.raises(TypeError):
        renderer.map("song.mid")
    first, second, third = renderer.map([songs[0], None, songs[1]], errors="return")
    assert isinstance(second, carillon.RenderError) and first.audio.size > 0 and third.audio.size > 0


def test_slips_are_refused_and_nothing_hangs(renderer, songs, tmp_path):
    for slip in ({"ratee": 8000}, {"sample_rat": 8000}, {"set_": {}}):
        with pytest.raises(TypeError):
            renderer.render(songs[0], **slip)
    for wrong in ({"time_limit": 0}, {"seed": 1.5}, {"recipe": "{"}, {"recipe": {"tempo": {"uniform": [2, 1]}}}):
        with pytest.raises(carillon.RenderError):
            renderer.render(songs[0], **wrong)
    named = os.fsencode(tmp_path) + b"/\xe9.mid"
    with open(named, "wb") as file:
        file.write(songs[0].read_bytes())
    expected = renderer.render(songs[0]).audio
    assert np.array_equal(renderer.render(os.fsdecode(named)).audio, expected)


def test_a_killed_process_is_started_anew(renderer, songs):
    expected = [renderer.render(path).audio for path in songs[:8]]
    first = renderer._child
    os.kill(first.process.pid, signal.SIGKILL)
    assert np.array_equal(renderer.render(songs[0]).audio, expected[0])
    assert renderer._child is not first and not os.path.exists(first.folder)
    given = []
    for one in renderer.map(songs[:8]):
        given.append(one.audio)
        if len(given) in (1, 4):
            os.kill(renderer._child.process.pid, signal.SIGKILL)
    assert all(np.array_equal(one, other) for one, other in zip(given, expected)) and len(given) == 8


def test_a_killed_worker_costs_nothing(renderer, songs):
    expected = renderer.render(songs[0]).audio
    child = renderer._child
    workers = subprocess.run(["pgrep", "-P", str(child.process.pid)], capture_output=True, text=True).stdout.split()
    assert workers
    for worker in workers:
        os.kill(int(worker), signal.SIGKILL)
    assert np.array_equal(renderer.render(songs[0]).audio, expected) and renderer._child is child


def test_a_process_that_ends_at_once_is_an_error(temporary, songs, tmp_path):
    program = tmp_path / "carillon"
    program.write_text("#!/bin/sh\necho 'carillon: not today' >&2\nexit 71\n")
    program.chmod(0o755)
    with carillon.Renderer(executable=program, folder=temporary) as made:
        with pytest.raises(carillon.RenderError) as ended:
            made.render(songs[0])
        assert (ended.value.exit_code, str(ended.value)) == (71, "not today")


def test_a_process_that_says_nothing_is_an_error(temporary, songs, tmp_path, monkeypatch):
    program = tmp_path / "carillon"
    program.write_text("#!/bin/sh\n[ $1 = render ] || exec sleep 600\n")
    program.chmod(0o755)
    with carillon.Renderer(executable=program, folder=temporary) as made:
        monkeypatch.setattr(made, "_patience", lambda: 0.05)
        with pytest.raises(carillon.RenderError) as silent:
            made.render(songs[0], title="x" * 1_000_000)  # more than a pipe takes
        assert silent.value.exit_code == 70


def test_a_program_that_is_not_there(monkeypatch, songs, temporary):
    monkeypatch.setenv("CARILLON_PROGRAM", "/proc/nowhere/carillon")
    with carillon.Renderer(folder=temporary) as made, pytest.raises(carillon.ProgramNotFound):
        made.render(songs[0])
    monkeypatch.delenv("CARILLON_PROGRAM")
    monkeypatch.setenv("PATH", "/proc/nowhere")
    if not os.path.exists(os.path.join(os.path.dirname(carillon.__file__), "bin")):
        with pytest.raises(carillon.ProgramNotFound):
            carillon.program()


def test_threads_take_turns(renderer, songs):
    expected = [renderer.render(path).audio for path in songs[:4]]
    given = {}

    def work(number):
        given[number] = [one.audio for one in renderer.map(songs[:4])] + [renderer.render(songs[number]).audio]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        assert all(np.array_equal(one, other) for one, other in zip(given[number], expected + [expected[number]]))


def fork_renders(renderer, path, answers):
    answers.put(renderer.render(path).audio)
    renderer.close()


def test_copies_and_forks_have_their_own_process(renderer, songs, temporary):
    expected = renderer.render(songs[0]).audio
    with pickle.loads(pickle.dumps(renderer)) as copy:
        assert copy._child is None
        assert np.array_equal(copy.render(songs[0]).audio, expected)
        assert copy._child.process.pid != renderer._child.process.pid
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    fork = context.Process(target=fork_renders, args=(renderer, songs[0], answers))
    fork.start()
    assert np.array_equal(answers.get(timeout=60), expected)
    fork.join()
    assert renderer._child.process.poll() is None
    assert np.array_equal(renderer.render(songs[0]).audio, expected)


def test_folders_of_the_dead_are_taken_away(temporary, songs):
    script = (
        "import carillon, os, signal, sys\n"
        "made = carillon.Renderer('embedded', rate=16000, folder=sys.argv[1])\n"
        "made.render(sys.argv[2])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([__import__("sys").executable, "-c", script, str(temporary), str(songs[0])], check=False)
    assert len(os.listdir(temporary)) == 1
    nobody_works_in(temporary)
    with carillon.Renderer("embedded", rate=16000, folder=temporary) as made:
        made.render(songs[0])
        assert [os.path.join(temporary, name) for name in os.listdir(temporary)] == [made._child.folder]


def test_remarks_are_objects_and_can_fail(renderer):
    # A dry level of XG, which is not followed.
    file = mido.MidiFile()
    file.tracks.append(mido.MidiTrack())
    file.tracks[0].append(mido.Message("sysex", data=[0x43, 0x10, 0x4C, 0x08, 0x00, 0x11, 20]))
    file.tracks[0].append(mido.Message("note_on", note=69, velocity=100))
    file.tracks[0].append(mido.Message("note_off", note=69, time=240))
    given = renderer.render(file)
    (remark,) = [one for one in given.report["remarks"] if one["kind"] == "not-followed"]
    assert remark["count"] == 1 and remark["sentence"] == "XG part dry level (08 0x 11) is not followed"
    with pytest.raises(carillon.RenderError) as refused:
        renderer.render(file, fail_on="remarks")
    assert refused.value.exit_code == 65 and "XG part dry level" in str(refused.value)
