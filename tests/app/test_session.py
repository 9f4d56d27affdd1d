"""The session without a window: loading, running, stopping, and results that come too late."""

import gzip
import unicodedata
from dataclasses import replace

import numpy as np

from tests.app.fakes import Lcs, fasta
from tests.app.parts import open_texts
from tests.core.reading.tools import noticed
from wavediff.app.compare.pair.recent import RecentPair
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.core.base.errors import NotEnoughMemory, WavediffError
from wavediff.core.jobs.choices import Device
from wavediff.core.methods import LCS
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.sequences.sequence import Alphabet


def compare(qtbot, session, pair):
    with qtbot.waitSignal(session.compared) as got:
        session.open_paths(pair)
    return got.args[0]


def test_two_files_become_a_and_b_and_are_compared(qtbot, session, pair):
    outcome = compare(qtbot, session, pair)
    assert (outcome.a.name, outcome.b.name) == ("one", "two")
    assert bytes(outcome.job.a) == b"ACGTACGTAC"
    assert outcome.result.length == 10
    assert session.outcome is outcome
    assert not session.running
    assert session.wavefront.phase is Phase.DONE
    assert [row.kernel for row in session.timings.rows] == ["blocks"]


def test_one_file_goes_to_the_first_empty_pane_then_to_b(qtbot, session, pair, notices):
    qtbot.expect(session.pair.changed, session.open_paths, [pair[1]])
    assert session.pair[Side.A].name == "two"
    qtbot.expect(session.compared, session.open_paths, [pair[0]])
    assert session.pair[Side.B].name == "one"
    assert notices == []
    qtbot.expect(session.compared, session.open_paths, [pair[1]])
    assert session.pair[Side.B].name == "two"
    assert [(n.level, "two.fa opened as B" in n.text) for n in notices] == [(Severity.INFO, True)]


def test_a_file_that_is_refused_is_not_said_to_be_taken(qtbot, session, pair, notices, tmp_path):
    qtbot.expect(session.compared, session.open_paths, pair)
    blank = tmp_path / "blank.fa"
    blank.write_text(">a\nACG1\n")
    qtbot.expect(session.noticed, session.open_paths, [blank])
    qtbot.waitUntil(lambda: not session.loader.busy)
    assert [n.level for n in notices] == [Severity.ERROR]
    assert "digits are not letters" in notices[0].text


def test_an_empty_file_is_an_empty_text_as_on_the_command_line(qtbot, session, pair, notices, tmp_path):
    empty = tmp_path / "empty.fa"
    empty.touch()
    qtbot.expect(session.compared, session.open_paths, [empty, pair[1]])
    assert len(session.outcome.a) == 0
    assert [n.text for n in notices] == ["A: empty, read as a text of 0 letters"]


def test_a_side_that_is_still_read_is_not_empty(qtbot, session, pair):
    with qtbot.waitSignal(session.compared):
        session.open_paths([pair[0]])
        session.open_paths([pair[1]])
    assert [session.pair[side].name for side in Side if session.pair[side]] == ["one", "two"]


def test_of_two_files_both_are_taken_or_none(qtbot, session, pair, notices, tmp_path):
    """Earlier data and results stay, no partial object appears."""
    outcome = compare(qtbot, session, pair)
    bad = tmp_path / "picture.fa"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    qtbot.expect(session.loader.failed, session.open_paths, [fasta(tmp_path / "good.fa", ("good", "ACGT")), bad])
    assert session.outcome is outcome
    assert session.pair[Side.A] is outcome.a
    assert notices[-1].level is Severity.ERROR
    assert "picture.fa" in notices[-1].text
    assert "PNG" in notices[-1].text
    assert not session.loader.busy


def test_stop_is_immediate_and_keeps_the_partial_map(qtbot, session, pair, notices):
    Lcs.endless, Lcs.seconds = True, 0.002
    session.open_paths(pair)
    qtbot.waitUntil(lambda: session.wavefront.done_cells >= 3 * 24)
    session.stop()
    assert not session.running  # at once: nothing was waited for
    assert session.wavefront.phase is Phase.STOPPED
    assert (session.wavefront.block_map != 0).any()
    assert 0 < session.wavefront.fraction < 1
    cells = session.wavefront.done_cells
    qtbot.waitUntil(lambda: bool(Lcs.closed))
    qtbot.wait(50)
    assert session.wavefront.done_cells == cells
    assert session.outcome is None
    Lcs.endless, Lcs.seconds = False, 0.0
    qtbot.expect(session.compared, session.run)
    assert notices == []


def test_a_failure_is_said_and_ends_the_run(qtbot, session, pair, notices):
    crashes = []
    session.crashed.connect(crashes.append)
    for error, text, crash in (
        (NotEnoughMemory("needs 9 GB of 8 GB"), "needs 9 GB of 8 GB", False),
        (MemoryError(), "The comparison failed: not enough memory", False),
        (ZeroDivisionError("oh"), "The comparison failed: ZeroDivisionError: oh", True),
    ):
        Lcs.error = error
        before = len(crashes)
        session.open_paths(pair)
        qtbot.waitUntil(lambda text=text: bool(notices) and notices[-1].text == text)
        assert notices[-1].level is Severity.ERROR
        assert not session.running
        assert session.wavefront.phase is Phase.FAILED
        assert len(crashes) - before == crash


def test_a_choice_that_makes_no_job_is_told_and_ends_nothing(qtbot, session, pair, notices, monkeypatch):
    """A file that an option names may be gone by the time that it is read."""

    def refused(*_, **__):
        raise WavediffError("scores.txt: there is no such file")

    compare(qtbot, session, pair)
    monkeypatch.setattr(type(LCS), "job", refused)
    session.choose(traceback=TracebackMethod.HIRSCHBERG)
    assert [(one.level, one.text) for one in notices][-1] == (Severity.ERROR, "scores.txt: there is no such file")
    assert session.stale
    assert not session.running
    session.race.run()
    assert notices[-1].text == "scores.txt: there is no such file"
    monkeypatch.undo()
    qtbot.expect(session.compared, session.run)


def test_case_follows_the_alphabets_until_it_is_chosen(qtbot, session, pair):
    """The case rule is visible and can be switched."""
    assert compare(qtbot, session, pair).fold_case
    session.choose(fold_case=False)
    with qtbot.waitSignal(session.compared) as got:
        session.run()
    assert not got.args[0].job.fold_case
    with qtbot.waitSignal(session.compared) as got:
        session.open_text("some plain text, with Capitals", Side.A)
    assert not session.fold_case
    assert compare(qtbot, session, pair).fold_case  # a new pair, a new rule


def test_a_gpu_that_is_not_there_is_refused_with_its_reason(qtbot, session, pair, notices):
    qtbot.expect(session.devices.changed, session.probe_gpu)
    assert session.devices.reason
    session.choose(device=Device.GPU)
    session.open_paths(pair)
    qtbot.waitUntil(lambda: bool(notices))
    assert notices[-1].text == f"GPU not used: {session.devices.reason}"


def test_run_without_a_pair_says_what_is_missing(session, notices):
    session.run()
    assert notices[0].text.startswith("A is missing")


def test_pasted_text_is_a_sequence(qtbot, session):
    qtbot.expect(session.pair.changed, session.open_text, ">x\nACGT\n", Side.B)
    got = session.pair[Side.B]
    assert (got.name, got.letters.tobytes(), got.source) == ("x", b"ACGT", "<pasted>")


def test_lines_as_web_pages_number_them_are_pasted_without_the_numbers(qtbot, session):
    with qtbot.waitSignal(session.pair.changed):
        session.open_text(
            "        1 gatcacaggt ctatcaccct attaaccact cacgggagct ctccatgcat ttggtatttt\n"
            "       61 cgtctggggg gtatgcacgc gatagcattg cgagacgctg gagccggagc accctatgtc\n",
            Side.B,
        )
    got = session.pair[Side.B]
    assert (len(got), got.alphabet, got.letters[58:62].tobytes()) == (120, Alphabet.DNA, b"ttcg")
    assert any("2 numbers and the blanks dropped" in one for one in noticed(got))


def files(pair):
    return [ReadItem(side, path, record=1) for side, path in zip(Side, pair, strict=True)]


def test_recent_pairs_hold_files_only_and_open_again(qtbot, session, pair, tmp_path):
    compare(qtbot, session, pair)
    a, b = files(pair)
    assert session.recent.pairs == (RecentPair(a, b),)
    qtbot.expect(session.compared, session.open_text, ">x\nACGT\n", Side.B)
    assert len(session.recent.pairs) == 1
    many = fasta(tmp_path / "many.fa", ("r1", "A"), ("r2", "CC"), ("r3", "GGG"))
    with qtbot.waitSignal(session.compared) as got:
        session.open_recent(RecentPair(ReadItem(Side.A, many, record=2), b))
    assert got.args[0].a.name == "r2"
    assert session.recent.pairs[0].a == ReadItem(Side.A, many, record=2)


def test_a_record_that_is_gone_is_said(qtbot, session, pair, notices):
    a, b = files(pair)
    session.open_recent(RecentPair(replace(a, record=7), b))
    qtbot.waitUntil(lambda: bool(notices))
    assert "record 7 is missing" in notices[0].text
    assert not session.loader.busy


def test_a_new_request_for_a_side_replaces_the_older_one(qtbot, session, pair, tmp_path):
    """One rule for a drop during a load."""
    big = tmp_path / "big.fa"
    letters = np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(1).integers(0, 4, 30_000_000)]
    big.write_bytes(b">big\n" + letters.tobytes())
    session.open_paths([big], Side.A)
    session.open_paths([pair[0]], Side.A)
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None and not session.loader.busy)
    assert session.pair[Side.A].name == "one"


def test_stop_ends_a_load(qtbot, session, tmp_path, notices):
    """In the midst of inflating."""
    packed = tmp_path / "packed.fa.gz"
    packed.write_bytes(gzip.compress(b">x\n" + b"ACGT" * 10_000_000, 1))
    session.open_paths([packed])
    assert session.loader.busy == {Side.A}
    session.stop()
    assert not session.loader.busy
    qtbot.wait(100)
    assert session.pair[Side.A] is None
    assert notices == []


def test_what_the_reader_noticed_about_the_file_reaches_the_pane(qtbot, session, tmp_path):
    """Nothing is dropped silently."""
    raw = tmp_path / "raw.txt"
    raw.write_text("ACGT ACGT\n\nACGT\n", encoding="utf-8")
    qtbot.expect(session.pair.changed, session.open_paths, [raw])
    got = session.pair[Side.A]
    assert got is not None
    assert any("'>'" in notice for notice in noticed(got))


def test_texts_in_two_forms_of_unicode_are_noticed_and_made_one(qtbot, session, notices):
    with qtbot.waitSignal(session.compared):
        open_texts(session, "Köln und Zürich", unicodedata.normalize("NFD", "Köln und Zürich"))
    (notice,) = [one for one in notices if "Unicode normalization forms" in one.text]
    assert len(session.pair[Side.B] or "") == 17
    qtbot.expect(session.compared, notice.actions[0].do)
    assert session.outcome.result.length == 15
    assert len(session.pair[Side.B] or "") == 15
    assert sum("Unicode normalization forms" in one.text for one in notices) == 1
