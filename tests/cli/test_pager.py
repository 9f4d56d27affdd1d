"""An answer longer than the terminal goes through a pager, and nothing else does."""

import random
import shlex
import shutil
import sys

import pytest

from tests.cli.terminal import on_terminal, without_colours

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")


@pytest.fixture
def pair(tmp_path):
    """Two files with a substitution every 200 letters: some 160 lines with ``--all``."""
    letters = random.Random(7).choices("ACGT", k=8000)
    changed = [
        "C" if at % 200 == 100 and one == "A" else "A" if at % 200 == 100 else one for at, one in enumerate(letters)
    ]
    for name, one in (("a.fa", letters), ("b.fa", changed)):
        (tmp_path / name).write_text(f">{name}\n{''.join(one)}\n")
    return tmp_path / "a.fa", tmp_path / "b.fa"


def python_pager(code):
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def test_a_long_answer_goes_through_the_pager_that_is_named(pair):
    pager = python_pager("import os, sys; print('PAGED', os.environ['LESS'], *sys.stdin.read().splitlines()[-1:])")
    code, shown = on_terminal("compare", *pair, "--all", rows=24, env={"PAGER": pager})
    assert (code, "PAGED FRX edits · " in without_colours(shown)) == (1, True)


@pytest.mark.parametrize("seen", [0, 3])
def test_a_pager_that_is_left_early_changes_nothing(pair, seen):
    """It is gone before all is written to it: no traceback, and the exit code of the comparison."""
    pager = python_pager(f"import sys; [print('PAGED', sys.stdin.readline()) for _ in range({seen})]")
    code, shown = on_terminal("compare", *pair, "--all", rows=24, env={"PAGER": pager})
    assert (code, shown.count("PAGED")) == (1, seen)
    assert "Traceback" not in shown
    assert "wavediff:" not in shown


@pytest.mark.skipif(shutil.which("less") is None, reason="less is not installed")
@pytest.mark.parametrize("keys", [b"q", b"\x03q", b" q"])
def test_less_shows_the_first_screen_until_it_is_left(pair, keys):
    code, shown = on_terminal("compare", *pair, "--all", rows=24, keys=keys, after=b"\n:")
    text = without_colours(shown)
    assert code == 1
    assert "40 substitutions" in text
    assert "--all" not in text
    assert ("edits · " in text, "Traceback" in text, "stopped" in text) == (False, False, False)


@pytest.mark.parametrize(
    "environment", [{}, {"PAGER": ""}, {"PAGER": "cat"}, {"TERM": "dumb"}, {"PAGER": "no-such-one"}]
)
def test_a_short_answer_and_a_terminal_without_a_pager_are_printed(pair, environment):
    words = [*pair, "--all"] if environment else pair
    code, shown = on_terminal("compare", *words, rows=24, env=environment)
    assert code == 1
    assert without_colours(shown).rstrip().rsplit("\n", 1)[-1].startswith("edits · ")


def test_what_is_no_terminal_has_no_pager(pair, capsys, monkeypatch):
    from tests.cli.helpers import call

    monkeypatch.setenv("PAGER", "false")
    code, out, _ = call(capsys, "compare", *pair, "--all")
    assert (code, out.splitlines()[-1].split(" ")[0]) == (1, "edits")
    assert len(out.splitlines()) > 100
