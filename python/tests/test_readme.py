"""The README's examples, one after the other as a reader would type them."""

import pathlib
import re
import shutil
import subprocess
import sys

import carillon

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_examples_of_the_readme(songs, tmp_path):
    text = (ROOT / "python" / "README.md").read_text()
    examples = [code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if not code.startswith("# not run here")]
    assert len(examples) >= 7
    (tmp_path / "songs").mkdir()
    for path in songs[:8]:
        shutil.copy(path, tmp_path / "songs")
    (tmp_path / "GM.sf2").symlink_to(ROOT / "soundfonts" / "carillon.sf2")
    (tmp_path / "readme.py").write_text("\n".join(examples))
    ran = subprocess.run([sys.executable, "readme.py"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "float32" in ran.stdout and "done" in ran.stdout
    for made in ("train-000000.tar", "train.parquet", "hub/train/metadata.jsonl", "arrays", "dask-000000.tar"):
        assert (tmp_path / made).exists(), made
    assert (tmp_path / "train-000000.tar").read_bytes() == (tmp_path / "dask-000000.tar").read_bytes()


def test_options_that_the_readme_names_are_there():
    said = subprocess.run([carillon.program(), "render", "--help"], capture_output=True, text=True, check=True).stdout
    for option in ("--tempo", "--transpose", "--set", "--stems", "--labels", "--max-duration", "--loudness"):
        assert option in said
