"""Slips of a person at the command line, and what is said of them."""

import pytest

from tests.cli.helpers import call, trouble


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("compair kitten.txt sitting.txt", "no command 'compair'; did you mean compare?"),
        ("serach a.fa GATTACA", "no command 'serach'; did you mean search?"),
        ("compare a b --metod lcs", "unrecognized arguments: --metod lcs; did you mean --method?"),
        ("search a.fa --pattrn=GAT", "unrecognized arguments: --pattrn=GAT; did you mean --pattern?"),
        ("compare a b --nothing-like-it", "unrecognized arguments: --nothing-like-it (see"),
        ("lesson edit-tabel", "did you mean edit-table?"),
    ],
)
def test_a_slip_is_told_with_what_is_meant(capsys, line, said):
    trouble(call(capsys, *line.split()), said)


def test_an_unknown_option_points_to_the_help_of_its_command(capsys):
    assert call(capsys, "compare", "a", "b", "-x")[2].rstrip().endswith("compare --help)")


def test_a_file_that_is_called_nearly_as_a_command_is_a_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    opened = []
    monkeypatch.setattr(
        "wavediff.app.commands.tools.open_window", lambda arguments: opened.append(arguments.paths) or 0
    )
    (tmp_path / "compair").write_text("x")
    assert call(capsys, "compair")[0] == 0
    assert opened == [["compair"]]


@pytest.mark.parametrize("words", [["help"], ["help", "compare"]])
def test_help_is_a_command(capsys, words):
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    assert ("usage: " in out, "--band" in out) == (True, "compare" in words)


def test_the_version_has_a_short_option(capsys):
    assert call(capsys, "-V") == call(capsys, "--version")


def test_short_options_are_those_of_other_tools(capsys, files):
    words = files / "a.fa", files / "b.fa"
    assert call(capsys, "compare", *words, "-q", "-t", "1", "-m", "lcs", "--cigar", "-") == call(
        capsys, "compare", *words, "--quiet", "--threads", "1", "--method", "lcs", "--cigar", "-"
    )
