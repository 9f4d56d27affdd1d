"""No command imports anything from the folder that one stands in, which has files with the names of 40 modules."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.depth import one_of
from tests.processes import finish
from wavediff.app.commands import COMMANDS

ROOT = Path(__file__).parents[2]
PLANTED = (
    *("argparse", "ast", "asyncio", "bisect", "shtab", "copy", "csv", "ctypes", "dataclasses", "decimal", "email"),
    *("enum", "functools", "hashlib", "html", "inspect", "json", "logging", "multiprocessing", "pickle", "queue"),
    *("random", "re", "runpy", "shutil", "socket", "ssl", "subprocess", "typing", "uuid"),
    *("numpy", "numba", "llvmlite", "cupy", "PySide6", "distributed", "click", "app", "core", "tests"),
)
WORDS = {
    "open": ("a.fa", "b.fa"),
    "compare": ("a.fa", "b.fa", "--quiet"),
    "batch": ("many.fa", "--tsv", "-", "--quiet"),
    "contigs": ("a.fa", "many.fa", "--quiet"),
    "race": ("a.fa", "b.fa", "--quiet"),
    "search": ("a.fa", "--pattern", "ACG", "--quiet"),
    "bwt": ("a.fa", "--quiet"),
    "find": ("a.fa", "ACG", "--quiet"),
    "lesson": ("edit-table", "--html", "page.html"),
    "doctor": (),
    "setup": ("--help",),
    "bench": ("--help",),
    "worker": ("tcp://127.0.0.1:1", "--help"),
    "desktop": ("--remove",),
    "completion": ("bash",),
    "difftool": ("a.fa", "b.fa", "--quiet"),
    "compile-kernels": ("rest", "--asked"),
}


@pytest.fixture
def folder(tmp_path):
    """Return a folder of sequences and of modules that leave a mark, and are of no use, when they are imported."""
    for name in PLANTED:
        mark = f"open({str(tmp_path / 'RAN')!r}, 'a').write('{name} ')\nraise SystemExit(7)\n"
        (tmp_path / f"{name}.py").write_text(mark)
    (tmp_path / "a.fa").write_text(">a\nACGTACGTAC\n")
    (tmp_path / "b.fa").write_text(">b\nACGTTACGGAC\n")
    (tmp_path / "many.fa").write_text(">a\nACGT\n>b\nACGA\n>c\nTTTT\n")
    return tmp_path


def environment(folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {
        **kept,
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(folder / "settings"),
        "XDG_DATA_HOME": str(folder / "data"),
    }


def ended(process, folder):
    """Wait for the end; a window is closed once it has noted what it opened."""
    recent = folder / "settings" / "wavediff" / "wavediff.ini"
    while "open" in str(process.args) and process.poll() is None and not recent.exists():
        time.sleep(0.1)
    if process.poll() is None and "open" in str(process.args):
        process.send_signal(signal.SIGTERM)
    return finish(process, 120)


def test_forty_modules_are_planted():
    assert len(set(PLANTED)) == 40
    assert WORDS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", one_of(4, list(COMMANDS)))
def test_a_command_imports_nothing_of_the_folder(command, folder, spawn):
    if command == "open":
        pytest.importorskip("PySide6")
    start = [sys.executable, ROOT / "main.py", command, *WORDS[command]]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    said, wrong = ended(spawn(start, cwd=folder, env=environment(folder), **pipes), folder)
    assert not (folder / "RAN").exists(), (folder / "RAN").read_text() + said + wrong
    assert "Traceback" not in wrong


def test_the_package_imports_nothing_of_the_folder(folder):
    """What Python itself imports for ``-m``, before anything of ours runs, is looked for there; so these stay away."""
    for name in ("runpy", "typing", "functools", "enum", "re", "copy"):
        (folder / f"{name}.py").unlink()
    env = environment(folder) | {"PYTHONPATH": str(ROOT / ".ci" / "package")}
    command = [sys.executable, "-m", "wavediff", "compare", "a.fa", "b.fa", "--quiet"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (1, "")
    assert not (folder / "RAN").exists()
