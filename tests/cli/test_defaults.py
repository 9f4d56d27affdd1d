"""Defaults of options: which place goes first, what is reported, what is refused, and who takes none."""

import os
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import call, python, trouble
from tests.test_documents import DOCS, blocks
from wavediff.app.commands import defaults


@pytest.fixture
def pair(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("kitten")
    (tmp_path / "b").write_text("sitting")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WAVEDIFF_OPTIONS", "")
    monkeypatch.setattr(defaults, "path", lambda: tmp_path / "options.toml")

    def write(text):
        (tmp_path / "options.toml").write_text(text)

    return write


COMPARE = ("compare", "a", "b", "--quiet", "--cigar", "-")
EDIT, LCS = "1X3=1X1=1I\n", "1D1I3=1D1I1=1I\n"


@pytest.mark.parametrize("folder", [os.devnull, "x" * 300])
def test_a_home_that_can_hold_no_file_has_no_defaults(pair, capsys, monkeypatch, folder):
    monkeypatch.setattr(defaults, "path", lambda: Path(folder, "wavediff", "options.toml"))
    assert call(capsys, *COMPARE) == (1, EDIT, "")


def test_the_command_line_goes_before_the_variable_and_that_before_the_file(pair, capsys, monkeypatch):
    assert call(capsys, *COMPARE)[1] == EDIT
    pair('method = "lcs"')
    assert call(capsys, *COMPARE) == (1, LCS, "")
    pair('method = "swap"\n[compare]\nmethod = "lcs"\n[batch]\nmethod = "edit"')
    assert call(capsys, *COMPARE)[1] == LCS
    monkeypatch.setenv("WAVEDIFF_OPTIONS", "--method edit")
    assert call(capsys, *COMPARE)[1] == EDIT
    assert call(capsys, *COMPARE, "-m", "lcs")[1] == LCS


def test_difftool_takes_those_of_compare_and_its_own(pair, capsys):
    words = ("difftool", *COMPARE[1:])
    pair('[compare]\nmethod = "lcs"')
    assert call(capsys, *words) == (0, LCS, "")
    pair('[compare]\nmethod = "lcs"\n[difftool]\nmethod = "edit"')
    assert call(capsys, *words)[1] == EDIT
    pair("[compare]\nwindow = true")
    trouble(call(capsys, *words), "options.toml, line 2: 'compare' has no option 'window'")


def test_defaults_can_be_left_out(pair, capsys, monkeypatch):
    pair('method = "lcs"')
    assert call(capsys, *COMPARE, "--no-defaults")[1] == EDIT
    monkeypatch.setenv("WAVEDIFF_OPTIONS", "--no-defaults")
    assert call(capsys, *COMPARE)[1] == EDIT
    monkeypatch.setenv("WAVEDIFF_OPTIONS", "--no-defaults -m lcs")
    assert call(capsys, *COMPARE)[1] == LCS


def test_verbose_reports_exactly_the_defaults_that_are_used(pair, capsys, monkeypatch, tmp_path):
    pair('threads = 1\nlimit = 7\n[compare]\nmethod = "lcs"\nall = true\nties = "left-most"')
    monkeypatch.setenv("WAVEDIFF_OPTIONS", "--color never --count-only -t 2")
    _, _, err = call(capsys, "compare", "a", "b", "-v", "--ties", "left-most")
    (line,) = [line for line in err.splitlines() if line.startswith("note: defaults")]
    found = dict(part.split(": ") for part in line.removeprefix("note: defaults of ").split("; "))
    assert {place: sorted(words.split()) for place, words in found.items()} == {
        str(tmp_path / "options.toml"): ["--all", "--method", "lcs"],
        "WAVEDIFF_OPTIONS": ["--color", "-t", "2", "never"],
    }


def test_an_option_of_another_method_is_left_out(pair, capsys):
    pair('[compare]\nband = "sudo"\nswaps = false')
    for method, wanted in (("edit", EDIT), ("lcs", LCS)):
        assert call(capsys, *COMPARE, "-m", method) == (1, wanted, "")


def test_options_of_pictures_are_no_error_where_there_is_none(pair, capsys):
    pair('[compare]\ncolours = "letters"\ndpi = 300')
    assert call(capsys, *COMPARE, "-m", "edit") == (1, EDIT, "")
    trouble(call(capsys, *COMPARE, "-m", "edit", "--width", "80"), "--width is for pictures and films")


def test_the_command_line_chooses_among_options_that_exclude_each_other(pair, capsys):
    pair("[search]\nedits = true\nerrors = 1")
    (pattern, *rest) = ("search", "a", "--pattern", "kiten", "--quiet", "--tsv", "-"), "--mismatches"
    assert call(capsys, *pattern)[1].count("\n") == 2
    assert call(capsys, *pattern, *rest)[1].count("\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("threads = 2\nmehtod = 1", "options.toml, line 2: no command has an option 'mehtod'; did you mean method?"),
        ("[compare]\n\nlimit = 3", "options.toml, line 3: 'compare' has no option 'limit'"),
        ("[compaer]\nthreads = 3", "options.toml, line 1: no command 'compaer' has defaults; did you mean compare?"),
        ("[doctor]\njson = true", "options.toml, line 1: no command 'doctor' has defaults"),
        ("# x\n[compare]\nmethod = 'lsc'", "options.toml, line 3: --method: 'lsc' is not edit, swap, lcs"),
        ("threads = true", "options.toml, line 1: --threads needs a value"),
        ("all = 3", "options.toml, line 1: --all: '3' is not true or false"),
        ("threads = 5000", "options.toml, line 1: --threads: '5000' is no whole number from 0 to 4,096"),
        ("[search]\npattern = 'A'", "--pattern has no default"),
        ("help = true", "no command has an option 'help'"),
        ("threads = 1 2", "options.toml: this is no TOML: Expected newline"),
        ("[compare]\nband = 'wide'", ("--band: 'wide' is no", "(--band is a default: ", "options.toml, line 2)")),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_file_is_named_with_its_line(pair, capsys, text, said):
    pair(text)
    trouble(
        call(capsys, *(("search", "a", "--pattern", "t") if "search" in text else COMPARE)),
        *([said] if isinstance(said, str) else said),
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--mehtod lcs", "WAVEDIFF_OPTIONS: no command has an option '--mehtod'; did you mean --method?"),
        ("--method", "WAVEDIFF_OPTIONS: --method needs a value"),
        ("lcs", "WAVEDIFF_OPTIONS: no command has an option 'lcs'"),
        ("--method 'lcs", "WAVEDIFF_OPTIONS: No closing quotation"),
        ("--all=yes", "WAVEDIFF_OPTIONS: --all: 'yes' is not true or false"),
    ],
)
def test_what_is_wrong_in_the_variable_is_named(pair, capsys, monkeypatch, words, said):
    monkeypatch.setenv("WAVEDIFF_OPTIONS", words)
    trouble(call(capsys, *COMPARE), said)


def test_help_and_other_commands_do_not_read_the_file(pair, capsys, tmp_path):
    pair("this is no TOML")
    assert call(capsys, "compare", "--help")[0] == 0
    assert call(capsys, "completion", "bash")[0] == 0
    assert str(tmp_path / "options.toml") in call(capsys, "--help")[1]


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is that of freedesktop.org")
def test_the_program_reads_the_file_of_its_user_and_the_library_does_not(pair, tmp_path):
    (tmp_path / "wavediff").mkdir()
    (tmp_path / "wavediff" / "options.toml").write_text('method = "lcs"')
    env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "WAVEDIFF_OPTIONS": ""}
    assert python("main.py", "compare", tmp_path / "a", tmp_path / "b", *COMPARE[3:], env=env).stdout == LCS
    code = "import wavediff; print(wavediff.compare('kitten', 'sitting').cigar)"
    assert python("-c", code, env=env).stdout == EDIT


def test_the_file_of_the_documents_is_understood(pair, capsys, monkeypatch):
    text = (DOCS / "commands.md").read_text(encoding="utf-8").partition("## Defaults")[2]
    file, line = blocks(text)[:2]
    pair(file)
    monkeypatch.setenv("WAVEDIFF_OPTIONS", line.split('"')[1])
    code, out, err = call(capsys, "compare", "a", "b")
    assert code == 1
    for option in ("--method swap", "--threads 4", "--color never", "--verbose", "--device cpu"):
        assert option in err
    assert "edit distance with swaps: 3" in out
