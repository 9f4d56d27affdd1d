"""The table of formats: what it names exists, and a line in it is all that a new format needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wavediff.app.commands import COMMANDS
from wavediff.app.commands.cli import parser
from wavediff.core.export import registry
from wavediff.core.export.registry import SUBJECTS, titles
from wavediff.core.system.program import CHECKOUT_PACKAGE

ROOT = Path(__file__).parents[3]
EVERY = [(subject, one) for subject, formats in SUBJECTS.items() for one in formats]
IDS = [f"{subject}-{one.id}" for subject, one in EVERY]

# Run as a program: the one line of a new format, then the command line and the window's dialog as they are.
NEW_FORMAT = """
import sys
from wavediff.core.export import registry
registry.COMPARISON += (
    registry.Format("runs", "Runs", (".runs",), "tests.core.export.helpers:runs_text", "one run a line", True),
)
from wavediff.app.commands import cli
from wavediff.app.window import actions, alignment_export
from wavediff.app.ui.save_dialog import filter_of
print([filter_of(one) for one in alignment_export.COMPARISON][-1])
print(next(one.tip() for one in actions.SPECS if one.id == "export"))
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.parametrize(("subject", "kind"), EVERY, ids=IDS)
def test_functions_named_in_the_table_exist(subject, kind):
    """They are strings there: nothing else would notice a wrong one before a person asks for the file."""
    for name in filter(None, (kind.writer, kind.check, kind.size)):
        assert callable(registry._function(name))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_an_ending_says_which_format_is_meant(subject):
    formats = registry.INDEX if subject == "transform" else SUBJECTS[subject]  # others of it have no dialog
    for values in (
        [one.id for one in formats],
        [one.title for one in formats],
        [e for f in formats for e in f.endings],
    ):
        assert len(set(values)) == len(values)


def test_the_command_line_explains_every_format(capsys):
    helps = []
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            parser().parse_args([command, "--help"])
        helps.append(" ".join(capsys.readouterr().out.split()))
    missing = [
        f"{subject}: --{one.id}"
        for subject, one in EVERY
        if not any(f"--{one.id} F" in text and " ".join(one.help.split()) in text for text in helps)
    ]
    assert missing == ["inverse transform: --json"]  # of bwt, whose two directions share the option


def test_titles_make_a_sentence():
    assert titles(registry.RACE) == "JSON or TSV"
    assert titles([registry.TIMINGS]) == "Timings"


def test_a_line_in_the_table_is_all_that_a_format_needs(tmp_path):
    pytest.importorskip("PySide6")
    for name, letters in (("a", "ACGTACGT"), ("b", "ACGACGTT")):
        (tmp_path / name).write_text(f">{name}\n{letters}\n")
    path = os.pathsep.join(map(str, (CHECKOUT_PACKAGE, ROOT)))
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": path}
    asked = ["compare", "a", "b", "--method", "edit", "--quiet", "--runs", "out.runs"]
    done = subprocess.run(
        [sys.executable, "-c", NEW_FORMAT, *asked], cwd=tmp_path, env=env,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == ["Runs (*.runs)", f"{titles(registry.COMPARISON).replace(' or ', ', ')} or Runs"]
    assert (tmp_path / "out.runs").read_text() == "= 3\nD 1\n= 3\nI 1\n= 1\n"
