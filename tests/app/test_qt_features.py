"""Modules that are imported after Qt are not read once more as text."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = """
import inspect, sys
read = []
original = inspect.getsource
inspect.getsource = lambda module: read.append(module) or original(module)
import PySide6.QtCore
import colorsys
before = len(read)
from wavediff.app.window.qt_features import leave_sources_unread
leave_sources_unread()
read.clear()
import cmd
print(before > 0, len(read))
"""


def test_sources_are_read_before_and_not_after():
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stdout, done.stderr) == ("True 0\n", "")
