"""No code in the folder that one stands in is executed: not by the program, and not by the children that it starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wavediff.core.system.machine import start_child
from wavediff.core.system.program import CHECKOUT_PACKAGE, child_command, child_environment

ROOT = Path(__file__).parents[2]
PLANTED = (
    "app/__init__.py", "core/__init__.py", "gpu/__init__.py", "wavediff/__init__.py", "json.py", "numba.py", "numpy.py",
    "main.py",
)  # fmt: skip

WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from wavediff.app.window import application
from wavediff.core.jit import background_compile
qt = application.create_qt()
app = application.Application(qt, [Path("a.fa"), Path("b.fa")], Path("settings"))
timer = QTimer()
def look():
    if any(one._ready for one in background_compile._ahead):
        app.window.close()
timer.timeout.connect(look)
timer.start(50)
app.start()
qt.exec()
app.finish()
"""


@pytest.fixture
def downloads(tmp_path):
    for name in PLANTED:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"open({str(tmp_path / 'RAN')!r}, 'a').write(__name__)\nraise SystemExit(7)\n")
    (tmp_path / "a.fa").write_text(">a\nACGT\n")
    (tmp_path / "b.fa").write_text(">b\nACGA\n")
    return tmp_path


def environment(downloads):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    return {
        **kept,
        "QT_QPA_PLATFORM": "offscreen",
        "WAVEDIFF_CACHE_DIR": str(downloads / "cold"),
        "XDG_CONFIG_HOME": str(downloads / "settings"),
    }


@pytest.mark.thorough  # all kernels of a comparison are compiled
def test_a_command_with_a_cold_cache(downloads):
    command = [sys.executable, ROOT / "main.py", "compare", "a.fa", "b.fa", "--quiet"]
    done = subprocess.run(
        command, cwd=downloads, env=environment(downloads), capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert not (downloads / "RAN").exists()


@pytest.mark.thorough
def test_a_window_with_a_cold_cache(downloads):
    """It stays open until a child has compiled something, so a child has been started."""
    code = downloads / "cold.py"
    code.write_text(WINDOW)
    command = [sys.executable, "-P", code]
    env = environment(downloads) | {"PYTHONPATH": str(CHECKOUT_PACKAGE)}
    done = subprocess.run(command, cwd=downloads, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert not (downloads / "RAN").exists()


@pytest.mark.parametrize("path", ["", ".", os.pathsep, f".{os.pathsep}elsewhere"])
def test_a_child_inherits_no_relative_search_path(path, downloads, monkeypatch):
    monkeypatch.chdir(downloads)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([path, str(downloads / "absolute")]))
    assert child_environment()["PYTHONPATH"] == f"{CHECKOUT_PACKAGE}{os.pathsep}{downloads / 'absolute'}"
    child = start_child(child_command("--version"), child_environment(), ROOT)
    said, _ = child.communicate(timeout=60)
    assert said.startswith("wavediff ")
    assert not (downloads / "RAN").exists()


def test_a_frozen_program_starts_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command("compile-kernels", "rest") == (sys.executable, "compile-kernels", "rest")
