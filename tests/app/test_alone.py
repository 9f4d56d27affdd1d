"""Of processes that come for one file, one is inside at a time; what a killed one left behind holds up nobody."""

import sys
import time
from pathlib import Path

from tests.processes import spawned
from wavediff.app.ui import json_store as module
from wavediff.app.ui.json_store import file_lock

ROOT = Path(__file__).parents[2]
ADD = """
import sys, time
from pathlib import Path
from wavediff.app.ui.json_store import file_lock
folder = Path(sys.argv[1])
for _ in range(20):
    with file_lock(folder / "lock"):
        n = int((folder / "sum").read_text())
        time.sleep(0.001)
        (folder / "sum").write_text(str(n + 1))
"""


def test_two_processes_are_never_inside_at_once(tmp_path):
    (tmp_path / "sum").write_text("0")
    command = [sys.executable, "-c", ADD, str(tmp_path)]
    with spawned(command, cwd=ROOT) as one, spawned(command, cwd=ROOT) as other:
        assert (one.wait(60), other.wait(60)) == (0, 0)
    assert (tmp_path / "sum").read_text() == "40"
    assert not (tmp_path / "lock").exists()


def test_a_file_left_behind_is_taken_away(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LOCK_TIMEOUT_SECONDS", 0.05)
    (tmp_path / "lock").write_text("")
    start = time.monotonic()
    with file_lock(tmp_path / "lock"):
        assert time.monotonic() - start >= 0.05
    assert not (tmp_path / "lock").exists()


def test_without_a_folder_nobody_is_kept_out(tmp_path):
    entered = False
    with file_lock(tmp_path / "nowhere" / "lock"):
        entered = True
    assert entered
