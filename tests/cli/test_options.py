"""Options as they are typed: no abbreviations, files by names that fit, hints that name packages that exist."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import call, parsers, trouble
from wavediff.app.commands import cli
from wavediff.core.system import program

ROOT = Path(__file__).parents[2]


@pytest.fixture
def words(tmp_path, monkeypatch):
    (tmp_path / "kitten.txt").write_text("kitten")
    (tmp_path / "sitting.txt").write_text("sitting")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_command_takes_abbreviations():
    found = list(parsers().values())
    assert len(found) > 10
    assert [one.prog for one in found if one.allow_abbrev] == []


def test_every_parser_of_the_sources_takes_no_abbreviations():
    for path in [*ROOT.glob("app/**/*.py"), *ROOT.glob("core/**/*.py"), *ROOT.glob("tests/**/*.py")]:
        text = path.read_text("utf-8")
        for match in re.finditer(r"argparse\.ArgumentParser\(", text):
            call_text = text[match.start() : match.start() + 300]
            assert "allow_abbrev=False" in call_text or path.name == "test_options.py", path


@pytest.mark.parametrize("value", ["none", "checkpoints", "hirschberg"])
def test_a_trace_is_not_a_traceback(words, capsys, value):
    answer = call(capsys, "compare", "kitten.txt", "sitting.txt", "--trace", value, "--quiet")
    trouble(answer, f"--trace {value} names a file; is '--traceback {value}' meant?")
    assert not (words / value).exists()
    assert call(capsys, "compare", "kitten.txt", "sitting.txt", "--trace", f"./{value}", "--quiet")[0] == 1
    assert (words / value).exists()


def test_a_missing_package_is_told_with_the_command_of_this_python(monkeypatch, tmp_path):
    found = program.lacks("pillow")
    assert found == f"the package pillow is missing here: {shlex.quote(sys.executable)} -m pip install pillow"
    (tmp_path / "wavediff").mkdir()
    (tmp_path / "wavediff" / "pipx_metadata.json").write_text("{}")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "prefix", str(tmp_path / "wavediff"))
        assert program.lacks("pillow").endswith(": pipx inject wavediff pillow")
        patch.setattr(sys, "frozen", True, raising=False)
        assert program.lacks("pillow") == "the standalone program has no pillow"


def test_no_text_names_our_own_package_to_an_index():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    asks = re.compile(r"install +(?:-\S+ +)*['\"]?wavediff\b")
    found = []
    for name in listed.splitlines():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml", ".html", ".yml") and path.is_file():
            found += [f"{name}: {one}" for one in asks.findall(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.usefixtures("qapp")
def test_a_film_without_blocks_is_refused_with_the_view_that_has_one(words, capsys):
    pair = "compare", "kitten.txt", "sitting.txt", "--quiet", "--apng", "x.apng"
    trouble(call(capsys, *pair), "no block of this run was timed", "try --view cells")
    assert not (words / "x.apng").exists()
    assert call(capsys, *pair, "--view", "cells")[0] == 1
    assert (words / "x.apng").stat().st_size > 1000


def test_the_help_names_the_tracebacks_of_each_method(capsys):
    with pytest.raises(SystemExit):
        cli.main(["compare", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    found = "how the alignment is found: from stored block borders"
    assert f"edit, swap, affine, lines, words: {found} or not at all" in text
    assert f"lcs: {found}, by halving (least memory) or not at all" in text


def test_figures_that_say_the_same_are_said_once(words, capsys):
    _, out, _ = call(capsys, "compare", "-v", "kitten.txt", "sitting.txt")
    assert [line.partition(" = ")[0] for line in out.splitlines() if "% = " in line] == [
        "identity: 57.14%",
        "by another definition: 61.54%",
    ]
    _, out, _ = call(capsys, "compare", "-v", "kitten.txt", "kitten.txt")
    assert "computed 0, repeats included" in out
    assert "GCUPS" not in out
    _, out, err = call(capsys, "compare", "-v", "kitten.txt", "sitting.txt", "--method", "swap")
    assert "full: 84 cells in 1 x 1 blocks; no shortcut but equal ends; one matrix with swaps, one without" in err
    assert "matrix 42 cells, computed 126, repeats included (blocks 42, traceback 42, without swaps 42)" in out
    _, out, _ = call(capsys, "batch", "kitten.txt", "sitting.txt")
    assert "1 pair · distance 3 · identity by distance 57.1 %" in out.splitlines()


def test_only_errors_begin_as_errors_do():
    begins = re.compile(r"f?\"(?:notice|wavediff): \{")
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(ROOT.glob("app/commands/*.py"))
        for line in path.read_text("utf-8").splitlines()
        if begins.search(line)
    ]
    assert [one.partition(":")[0] for one in found] == ["cli.py", "progress.py"], found
