"""``wavediff A B`` with options of a comparison: the window compares and shows the pair as they say."""

import os
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.helpers import call, trouble
from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.choices import Device
from wavediff.core.sequences.letter_rules import Ambiguity
from wavediff.core.sequences.orientation import Strand, reverse_complement
from wavediff.core.sequences.read_as import ReadAs

LETTERS = "ACGTTGCATTACCATGACCAGATTACATTTGGCCACGTAACGTTAGCAGGATCCATTACG"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    swapped = LETTERS[:20] + LETTERS[21] + LETTERS[20] + LETTERS[22:]
    (tmp_path / "a.fa").write_text(f">a\n{LETTERS}\n")
    (tmp_path / "b.fa").write_text(f">r1\n{swapped}\n>r2\n{LETTERS[10:]}\n")
    (tmp_path / "minus.fa").write_text(f">minus\n{reverse_complement(LETTERS.encode()).decode()}\n")
    (tmp_path / "cp1252.txt").write_bytes("caf\xe9".encode("cp1252"))
    return tmp_path


@pytest.fixture
def opened(qtbot, window, folder):
    """Open two files as words say, and return the window once they are compared."""

    def run(*words):
        with qtbot.waitSignal(window.session.compared):
            window.pictures.open_typed(cli.parsed(["open", *words]))
        return window

    return run


def test_method_and_place_are_those_that_are_asked_for(qtbot, opened):
    window = opened("a.fa", "b.fa:r1", "--method", "swap", "--at", "A:40")
    assert (window.session.choices.method, window.session.outcome.result.distance) == ("swap", 1)
    qtbot.waitUntil(lambda: window.alignment.canvas.caret == 39)


def test_each_choice_of_the_command_line_is_made(opened):
    window = opened(
        "a.fa", "b.fa", "--record-b", "r2", "--ends", "a", "--case", "exact", "--ambiguity", "letters",
        "--device", "cpu", "--letters", "exact",
    )  # fmt: skip
    session = window.session
    choices = session.choices
    assert (choices.method, choices.fold_case, choices.ambiguity, choices.device, choices.letters) == (
        "edit", False, Ambiguity.LETTERS, Device.CPU, "exact",
    )  # fmt: skip
    assert (choices.typed, session.outcome.job.ends) == ({"ends": "a"}, "a")
    assert (session.pair[Side.B].name, session.pair[Side.B].record) == ("r2", 2)


def test_what_is_not_asked_for_stays(opened, window):
    window.session.start = window.session.start.changed(method="lcs", fold_case=False)
    opened("a.fa", "b.fa:1", "--at", "5")
    assert (window.session.choices.method, window.session.choices.fold_case) == ("lcs", False)


@pytest.mark.parametrize("words", [("--orient", "minus"), ("--orient", "auto")])
def test_the_other_strand_is_compared(qtbot, opened, words):
    window = opened("a.fa", "minus.fa", "--method", "edit", *words)
    qtbot.waitUntil(lambda: window.session.outcome is not None and window.session.outcome.result.distance == 0)
    assert window.session.pair.orientation.strand is Strand.MINUS


def test_a_view_is_brought_to_the_front(qtbot, opened):
    window = opened("a.fa", "b.fa:r1", "--view", "map", "--moment", "40%")
    qtbot.waitUntil(lambda: window.view(ComputationView).isVisible())
    window = opened("a.fa", "b.fa:r1", "--view", "differences", "--sort", "b:desc")
    assert window.session.state.listing.words == {"sort": "b:desc"}


def test_a_text_is_read_in_its_encoding(opened):
    window = opened("cp1252.txt", "cp1252.txt", "--encoding", "cp1252", "--format", "text")
    assert window.session.pair[Side.A].characters == "é"


def test_a_part_of_a_file_is_opened(qtbot, window, folder):
    """Also without options; its recent pair opens the same part again."""
    window.session.choose(method="edit")
    window.session.open_paths([folder / "a.fa:11-", folder / "b.fa:r2"])
    qtbot.waitUntil(lambda: window.session.outcome is not None)
    assert window.session.outcome.result.distance == 0
    assert [window.session.pair[side].name for side in Side] == ["a:11-60", "r2"]
    part = window.session.recent.pairs[0]
    assert part.a.path == folder / "a.fa:11-"
    assert (part.b.path, part.b.record, part.missing) == (folder / "b.fa", 2, ())
    window.session.open_paths([folder / "a.fa", folder / "b.fa:r2"])
    qtbot.waitUntil(lambda: len(window.session.recent.pairs) == 2)
    assert window.session.recent.pairs[1] == part
    qtbot.waitUntil(lambda: window.session.outcome is not None and window.session.outcome.result.distance == 10)
    window.session.open_recent(part)
    qtbot.waitUntil(lambda: window.session.pair[Side.A].name == "a:11-60")
    assert window.session.pair[Side.A].letters.tobytes() == LETTERS[10:].encode()
    assert (window.session.pair[Side.B].name, window.session.pair[Side.B].record) == ("r2", 2)
    qtbot.waitUntil(lambda: window.session.outcome is not None and window.session.outcome.result.distance == 0)


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
def test_a_pipe_and_the_empty_device_are_opened(qtbot, window, folder):
    """A pipe is read once: it is not among the recent pairs, and cannot be read in another way."""
    session = window.session
    session.choose(method="edit")
    os.mkfifo("pipe")
    writer = Thread(target=Path("pipe").write_text, args=(">one\nACGT\n>two\nACCT\n",))
    writer.start()
    session.open_paths([Path("pipe:two"), Path("a.fa:1-4")])
    qtbot.waitUntil(lambda: session.outcome is not None)
    writer.join()
    assert ([session.pair[side].name for side in Side], session.outcome.result.distance) == (["two", "a:1-4"], 1)
    with qtbot.waitSignal(session.loader.failed) as failed:
        session.read_again(Side.A, ReadAs.TEXT, None)
    assert "a pipe can be read once" in str(failed.args[0].error)
    session.open_paths([Path(os.devnull), Path("a.fa")])
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.pair[Side.A]) == 0)
    assert session.outcome.result.distance == len(LETTERS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a.fa b.fa --metod swap", "unrecognized arguments: --metod swap; did you mean --method?"),
        ("a.fa b.fa --method swapp", "'swapp' is not edit"),
        ("a.fa b.fa --band x", "--band: "),
        ("a.fa b.fa --method lcs --band 5", "--band goes with --method edit, not with lcs"),
        ("a.fa b.fa --method affine --matrix nothing", "nothing"),
        ("a.fa b.fa --view letters --sort b", "--sort goes with --view differences"),
        ("a.fa b.fa --view map --at 5", "--at goes with --view letters"),
        ("a.fa b.fa --at 5 --traceback none --view letters", "--view letters needs the alignment"),
        ("a.fa --method swap", "--method is for a pair: name A and B"),
        ("--at 5", "--at is for a pair: name A and B"),
        ("a.fa b.fa --paf x", "unrecognized arguments: --paf x; 'wavediff compare' has --paf (see"),
        ("a.fa b.fa --prove", "unrecognized arguments: --prove; 'wavediff compare' has --prove (see"),
        ("a.fa b.fa --seed-letters 11", "--seed-letters goes with --rearranged, --view blocks or dots"),
        ("a.fa b.fa --all-records", "--all-records goes with --view dots alone"),
    ],
)
def test_a_wrong_option_is_told_before_there_is_a_window(folder, capsys, monkeypatch, line, said):
    monkeypatch.setattr("wavediff.app.window.application.main", lambda *_: pytest.fail("a window"))
    trouble(call(capsys, *line.split()), said)


def test_options_reach_the_window(folder, capsys, monkeypatch):
    got = []
    monkeypatch.setattr("wavediff.app.window.application.main", lambda *what: got.append(what) or 0)
    assert call(capsys, "a.fa", "b.fa", "--method", "swap", "--at", "A:5000")[0] == 0
    assert call(capsys, "a.fa", "b.fa")[0] == 0
    (paths, typed), plain = got
    assert (paths, typed.method, typed.at, typed.case) == (["a.fa", "b.fa"], "swap", "A:5000", None)
    assert plain == (["a.fa", "b.fa"], None)
