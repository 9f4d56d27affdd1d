"""The example of CONTRIBUTING: it can be typed as it stands there, passes the checks and works."""

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from PySide6.QtCore import Qt

from tests.app.alignments import sequence
from tests.app.test_locale import unlocalized
from wavediff.app.ui.pair import Pair, Side
from wavediff.core.base.numbers import number

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def panel():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = next(part for part in text.split("```text\n") if "class LengthsView" in part).split("   ```")[0]
    return dedent(code).rstrip() + "\n"


@pytest.mark.parametrize("check", [("check",), ("format", "--check")])
def test_the_panel_is_as_ruff_wants_it(panel, check):
    command = [sys.executable, "-m", "ruff", *check, "--stdin-filename", "app/compare/lengths_view.py", "-"]
    done = subprocess.run(command, input=panel, text=True, capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_panel_writes_numbers_as_the_locale_does(panel):
    assert not list(unlocalized(ast.parse(panel)))


def test_the_panel_says_the_lengths(qtbot, panel):
    names = {"__name__": "lengths_view"}
    exec(compile(panel, "CONTRIBUTING.md", "exec"), names)
    pair = Pair()
    view = names["LengthsView"](pair)
    qtbot.addWidget(view)
    said = []
    view.noticed.connect(lambda notice: said.append(notice.text))
    qtbot.keyClick(view.button, Qt.Key.Key_Space)
    pair.replace({Side.A: sequence("ACGT" * 500)})
    qtbot.keyClick(view.button, Qt.Key.Key_Space)
    assert said == ["Nothing is open", f"A: {number(2000)} letters"]
