"""Formats: their table, how big a file will be, and an old file that is whole whatever ends the writing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

from tests.core.export.formats import FORMATS, LIMIT, answer, long_case
from tests.core.export.helpers import alignment, compared, comparison, sequence
from wavediff.app.commands import COMMANDS
from wavediff.app.commands.cli import parser
from wavediff.core.base.errors import ExportError, WavediffError
from wavediff.core.export import registry
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.registry import titles
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.system.program import CHECKOUT_PACKAGE

ROOT = Path(__file__).parents[3]
# The answers that can be written, each with its formats.
SUBJECTS = {
    "comparison": registry.COMPARISON,
    "record": registry.RECORD,
    "batch": (*registry.BATCH, *registry.MATRIX),
    "race": registry.RACE,
    "search": registry.SEARCH,
    "search of many files": registry.FILES_SEARCH,
    "transform": registry.BWT,
    "inverse transform": registry.INVERSE_BWT,
    "find": registry.FIND,
    "timings": (registry.TIMINGS,),
}
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
from wavediff.app.window.frame import actions
from wavediff.app.window.pictures import panel_pictures
from wavediff.app.ui.save_dialog import filter_of
print([filter_of(one) for one in panel_pictures.COMPARISON][-1])
print(next(one.tip() for one in actions.SPECS if one.id == "export"))
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.parametrize(("subject", "kind"), EVERY, ids=IDS)
def test_functions_named_in_the_table_exist(subject, kind):
    """They are strings there: nothing else would notice a wrong one before a person asks for the file."""
    for name in filter(None, (kind.writer, kind.check, kind.size)):
        assert callable(resolve_name(name if "." in name else f"wavediff.core.export.{name}"))


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
        with pytest.raises((SystemExit, WavediffError)):  # some have no help
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
    listed = titles([kind for kind in registry.COMPARISON if not kind.method]).replace(" or ", ", ")
    assert done.stdout.splitlines() == ["Runs (*.runs)", f"{listed} or Runs"]
    assert (tmp_path / "out.runs").read_text() == "= 3\nD 1\n= 3\nI 1\n= 1\n"


def known(a, b, runs):
    """Bytes of each format: as told before, and as made."""
    found = comparison(a, b, runs)
    told = {kind: one.least_bytes(found) for kind, one in FORMATS.items() if one.size}
    return {kind: (n, sum(map(len, FORMATS[kind].chunks(found)))) for kind, n in told.items()}


@given(case=compared())
def test_no_file_is_smaller_than_told(case):
    a, b, ops = case
    sizes = known(a, b, alignment(ops))
    assert all(told <= made for told, made in sizes.values()), sizes
    assert sizes["cigar"][0] == sizes["cigar"][1] - 1  # the end of the line
    assert sizes["fasta"][0] == sizes["fasta"][1] - len(b">ref\n>query\n")


def test_what_is_equal_takes_no_room_where_only_differences_are_written():
    letters = b"ACGT" * 1000
    for kind, (told, made) in known(
        sequence(letters, "ref"), sequence(letters, "query"), alignment("=" * 4000)
    ).items():
        assert told <= made, kind


def test_what_is_told_is_much_of_it():
    for kind, (told, made) in known(*long_case()).items():
        assert 0.4 * made < told <= made, kind


def test_a_disk_without_room_is_refused_before_anything_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=999))
    target = tmp_path / "out"
    target.write_bytes(b"old")
    with pytest.raises(ExportError, match=r"out: not written: it needs 1,000 bytes, and 999 are free there"):
        write_atomic(target, iter(lambda: pytest.fail("made"), None), size=1000)
    assert target.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
    assert write_atomic(target, b"new", size=999) == 3


posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits and signals")
every_format = pytest.mark.parametrize("kind", FORMATS)
# Each in a process of its own: `make test` has two, `make check` all.
every_format_in_turn = pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind in ("paf", "json") else pytest.mark.thorough) for kind in FORMATS]
)
OLD = b"what was there before\n"


@posix
@every_format_in_turn
def test_a_full_disk_keeps_the_old_file(tmp_path, kind):
    assert sum(map(len, FORMATS[kind].chunks(answer(*long_case())))) > LIMIT
    target = tmp_path / "out"
    target.write_bytes(OLD)
    words = [sys.executable, "-m", "tests.core.export.formats", kind, str(target)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (7, "")
    assert "out: not written: " in done.stdout
    assert "the file that was there is untouched" in done.stdout
    assert target.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["out"]


@every_format
def test_an_alignment_of_nothing_is_written(tmp_path, kind):
    write_atomic(
        tmp_path / "out", FORMATS[kind].chunks(comparison(sequence(b"", "ref"), sequence(b"", "query"), alignment("")))
    )
    content = (tmp_path / "out").read_bytes()
    assert (
        content == b"" if kind == "variants" else content.endswith(b"\n")
    )  # a list alone has no line where none is due


def test_what_is_exported_cannot_change_meanwhile():
    """A snapshot."""
    lengths = np.array([4], np.int64)
    runs = Alignment(np.array([0], np.uint8), lengths)
    lengths[0] = 9
    assert runs.cigar() == "4="
    assert not runs.lengths.flags.writeable
    assert not sequence(b"ACGT").letters.flags.writeable
