"""Options as they are typed: no abbreviations, files by names that fit, hints that name packages that exist."""

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import call, trouble
from wavediff.app.commands import cli
from wavediff.core.system import program

ROOT = Path(__file__).parents[2]


@pytest.fixture
def words(tmp_path, monkeypatch):
    (tmp_path / "kitten.txt").write_text("kitten")
    (tmp_path / "sitting.txt").write_text("sitting")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parsers(parser):
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from parsers(one)


def test_no_command_takes_abbreviations():
    found = list(parsers(cli.parser()))
    assert len(found) > 10
    assert [one.prog for one in found if one.allow_abbrev] == []


def test_every_parser_of_the_sources_takes_no_abbreviations():
    for path in [*ROOT.glob("app/**/*.py"), *ROOT.glob("core/**/*.py"), *ROOT.glob("tests/**/*.py")]:
        text = path.read_text("utf-8")
        for match in re.finditer(r"argparse\.ArgumentParser\(", text):
            call_text = text[match.start() : match.start() + 300]
            assert "allow_abbrev=False" in call_text or path.name == "test_options.py", path


def test_an_abbreviation_is_refused(words, capsys):
    answer = call(capsys, "compare", "kitten.txt", "sitting.txt", "--meth", "lcs", "--cig", "-", "--quiet")
    trouble(answer, "unrecognized arguments: --meth lcs --cig -")


@pytest.mark.parametrize("value", ["none", "checkpoints", "hirschberg"])
def test_a_trace_is_not_a_traceback(words, capsys, value):
    answer = call(capsys, "compare", "kitten.txt", "sitting.txt", "--trace", value, "--quiet")
    trouble(answer, f"--trace {value} names a file; is '--traceback {value}' meant?")
    assert not (words / value).exists()
    assert call(capsys, "compare", "kitten.txt", "sitting.txt", "--trace", f"./{value}", "--quiet")[0] == 1
    assert (words / value).exists()


@pytest.mark.parametrize(
    ("option", "name", "right"),
    [
        ("png", "k.jpg", "the name ends in .png"),
        ("png", "k.svg", "the name ends in .png"),
        ("svg", "k.PNG", "the name ends in .svg"),
        ("gif", "k.mp4", "the name ends in .gif"),
        ("tsv", "", "the name of a file is needed, or - for standard output"),
        ("json", "", "the name of a file is needed, or - for standard output"),
        ("pdf", "", "the name of a file is needed, or - for standard output"),
    ],
)
def test_a_name_fits_what_is_written(words, capsys, option, name, right):
    trouble(call(capsys, "compare", "kitten.txt", "sitting.txt", f"--{option}", name, "--quiet"), f"--{option}", right)
    assert sorted(one.name for one in words.iterdir()) == ["kitten.txt", "sitting.txt"]


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
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--method nosuch", "--method: 'nosuch' is not edit, swap, lcs or affine (see "),
        ("--format json", "--format: 'json' is not auto, fasta, fastq, text or bytes; is --json meant? (see "),
        ("--method affine --gap-open -11", "--gap-open: '-11' is neither auto nor a number from 0 to 10,000"),
        ("--apng x.apng", "no block of this run was timed, so nothing moves: try --view cells, which plays each cell"),
    ],
)
def test_a_refusal_says_what_would_be_right(words, capsys, line, said):
    answer = call(capsys, "compare", "kitten.txt", "sitting.txt", *line.split(), "--quiet")
    trouble(answer, said)
    assert answer[2].count("argument") == 0
    assert not (words / "x.apng").exists()


@pytest.mark.usefixtures("qapp")
def test_what_it_says_instead_works(words, capsys):
    pair = "compare", "kitten.txt", "sitting.txt", "--quiet"
    assert call(capsys, *pair, "--apng", "x.apng", "--view", "cells")[0] == 1
    assert (words / "x.apng").stat().st_size > 1000


def test_a_pattern_is_called_so_once(words, capsys):
    (words / "a.fa").write_text(">a\nACGT\n")
    answer = call(capsys, "search", "a.fa", "--pattern", "GAA[TC]TC", "--quiet")
    trouble(answer, "wavediff: --pattern 1: 'GAA[TC]TC' has '[' at letter 4")


def test_pictures_of_a_batch_are_refused_before_anything_is_computed(words, capsys):
    pair = "batch", "kitten.txt", "sitting.txt", "--pairs", "one-to-one", "--quiet"
    trouble(call(capsys, *pair, "--svg", "x.svg", "--tsv", "x.tsv"), "--svg is the heat map of --pairs all-to-all")
    assert not (words / "x.tsv").exists()


def test_the_help_names_the_tracebacks_of_each_method(capsys):
    with pytest.raises(SystemExit):
        cli.main(["compare", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    found = "how the alignment is found: from kept block borders"
    assert f"edit, swap, affine: {found} or not at all" in text
    assert f"lcs: {found}, by halving (least memory) or not at all" in text


def test_figures_that_say_the_same_are_said_once(words, capsys):
    _, out, _ = call(capsys, "compare", "kitten.txt", "sitting.txt")
    assert [line.partition(" = ")[0] for line in out.splitlines() if "%" in line] == [
        "identity: 57.14%",
        "by another definition: 61.54%",
    ]
    _, out, _ = call(capsys, "compare", "kitten.txt", "kitten.txt")
    assert "0 computed" in out
    assert "GCUPS" not in out
    _, out, _ = call(capsys, "batch", "kitten.txt", "sitting.txt")
    assert "identity: 57.14% to 57.14%" in out.splitlines()


def test_only_errors_begin_as_errors_do():
    begins = re.compile(r"f?\"(?:notice|wavediff): \{")
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(ROOT.glob("app/commands/*.py"))
        for line in path.read_text("utf-8").splitlines()
        if begins.search(line)
    ]
    assert [one.partition(":")[0] for one in found] == ["cli.py", "progress.py"], found
