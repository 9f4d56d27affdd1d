"""Contigs in the window: dropped, stepped through, opened and back, saved, refused, stopped, and kept with the pair."""

import shlex

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMessageBox, QPushButton

from tests.app.conftest import session_of
from tests.app.dragging import drop, mime_of
from tests.app.fakes import fasta
from tests.app.parts import open_texts
from tests.app.saving import Asked
from tests.core.screening.test_relation import random_letters
from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.contigs.contig_rows import LENGTH
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.dots.dot_canvas import DotCanvas
from wavediff.app.ui.input_dialogs import RecordPicker
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_files import PICTURES
from wavediff.app.window.panels.panels import LOWER
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.export.recipe import read_recipe
from wavediff.core.export.registry import CONTIGS as FORMATS
from wavediff.core.jobs import KernelModules
from wavediff.core.jobs.alignment import APART, Op
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.jobs.events import Progress
from wavediff.core.sequences.orientation import Strand, reverse_complement

A = random_letters(12_000, 11)
EDITED = A[7_000:9_000] + b"ACGT" + A[9_000:10_500]
CONTIGS_OF_A = {  # in the order of the file
    "turned": reverse_complement(A[4_000:6_500]),
    "first": A[:3_900],
    "edited": EDITED,
    "stranger": random_letters(900, 12),
    "tiny": b"ACGTT",
    "last": A[10_400:],
}
ORDER = ["first", "turned", "edited", "last"]
Key = Qt.Key


@pytest.fixture
def files(tmp_path):
    assembly = fasta(tmp_path / "assembly.fa", *((name, one.decode()) for name, one in CONTIGS_OF_A.items()))
    return fasta(tmp_path / "ref.fa", ("ref", A.decode())), assembly


def picker_of(qtbot, window):
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(RecordPicker)))
    return next(one for one in window.findChildren(RecordPicker) if one.isVisible())


def press(qtbot, parent, text):
    button = next(one for one in parent.findChildren(QPushButton) if one.text() == text and one.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def placed(qtbot, window):
    qtbot.waitUntil(lambda: window.session.contigs.answer is not None and not window.session.loader.busy)
    qtbot.waitUntil(lambda: window.alignment.tracks.isVisible())
    return window.session.contigs.answer.result


@pytest.fixture
def shown(qtbot, window, files):
    """The window with an assembly that was dropped on A."""
    window.resize(1_280, 800)
    window.session.open_paths(files[:1])
    qtbot.waitUntil(lambda: window.session.pair[Side.A] is not None)
    drop(window.header.chips[Side.B], mime_of(files[1]))
    press(qtbot, picker_of(qtbot, window), "Contigs on A")
    placed(qtbot, window)
    return window


def listed(window):
    table = window.view(DifferencesView).model
    return [table.index(row, 1).data() for row in range(table.rowCount())]


def current(window):
    view, table = window.alignment.tracks, window.view(DifferencesView).table.rows
    return view.where.text.split(":")[0], table.model().index(table.currentIndex().row(), 1).data()


def test_an_assembly_that_is_dropped_is_placed_and_listed(shown):
    assert shown.header.order.currentText() == "Contigs on A"
    assert shown.windowTitle() == "ref and assembly.fa – Wavediff"
    assert shown.header.chips[Side.B].accessibleName().startswith("Sequence B: assembly.fa · 6 contigs")
    assert shown.answer.words.words.sentence.startswith("4 of 6 contigs placed, 1 turned, cover 95.0 % of A")
    assert "2 not placed" in shown.answer.words.words.quiet
    assert listed(shown) == [*ORDER, "stranger", "tiny"]
    table = shown.view(DifferencesView).model
    fields = {table.index(row, 1).data(): [table.index(row, k).data() for k in range(9)] for row in range(6)}
    assert fields["turned"] == ["1", "turned", "2,500", "−", "4,001–6,500", "0", "100 %", "gap 500", ""]
    assert fields["edited"][4:7] == ["7,001–10,500", "4", "99.9 %"]
    assert fields["edited"][7] == "overlap 100"
    assert fields["stranger"][3:7] == [""] * 4
    assert fields["stranger"][7:] == ["not placed", "no shared k-mer"]
    assert fields["tiny"][7:] == ["not placed", "too short"]
    assert shown.tabs.bar.tabText(0) == "Contigs"
    assert shown.session.outcome is None, "A and one of the records are not compared in order"


def test_a_reference_is_made_a_circle_and_a_line_again(qtbot, window, tmp_path):
    """The contig across the origin is a chimera on the line; as a circle it is opened with both ends of A."""
    over = A[10_000:] + A[:1_000]
    assembly = fasta(tmp_path / "over.fa", ("over", over.decode()), ("middle", A[4_000:8_000].decode()))
    window.resize(1_280, 800)
    window.session.open_paths([fasta(tmp_path / "ref.fa", ("ref", A.decode()))])
    qtbot.waitUntil(lambda: window.session.pair[Side.A] is not None)
    drop(window.header.chips[Side.B], mime_of(assembly))
    press(qtbot, picker_of(qtbot, window), "Contigs on A")
    line = placed(qtbot, window)
    view, table = window.alignment.tracks, window.view(DifferencesView).model
    assert (line.circular, view.circle.isChecked(), line.covered) == (False, False, 6_000)

    def row():
        return next(
            [table.index(k, n).data() for n in (4, 7, 8)] for k in range(2) if table.index(k, 1).data() == "over"
        )

    assert row()[2].startswith("chimeric: ")
    qtbot.mouseClick(view.circle, Qt.MouseButton.LeftButton, pos=QPoint(8, view.circle.height() // 2))
    qtbot.waitUntil(lambda: window.session.contigs.answer is not None and window.session.contigs.answer.result.circular)
    assert placed(qtbot, window).covered == 7_000
    assert row() == ["10,001–1,000", "gap 3,000", ""]
    assert view.circle.isChecked()
    window.alignment.contigs.go_to("over")
    assert "A 10,001–1,000" in view.where.text
    view.open_button.click()
    pair = window.session.pair
    qtbot.waitUntil(lambda: [pair.complete and pair.original(side).letters.tobytes() for side in Side] == [over, over])
    qtbot.waitUntil(lambda: not window.session.loader.busy)
    window.session.back_to_whole()
    qtbot.waitUntil(lambda: window.session.placing and view.isVisible())
    assert view.circle.isChecked(), "it comes back as it was"
    qtbot.mouseClick(view.circle, Qt.MouseButton.LeftButton, pos=QPoint(8, view.circle.height() // 2))
    qtbot.waitUntil(
        lambda: window.session.contigs.answer is not None and not window.session.contigs.answer.result.circular
    )
    assert told_of(window) == (10_000, 12_000)
    session = window.session
    window.actions_by_id["undo"].trigger()
    qtbot.waitUntil(lambda: session.contigs.answer is not None and session.contigs.answer.result.circular)
    assert view.circle.isChecked()
    assert window.history.redo_text == "A is linear"
    session.remember()
    recent = session.recent.pairs[0]
    assert recent.words["contigs"] == "circular"
    session.open_sample()
    qtbot.waitUntil(lambda: not session.placing and session.outcome is not None and not session.busy)
    session.open_recent(recent)
    qtbot.waitUntil(lambda: session.contigs.answer is not None and session.contigs.answer.result.circular)
    assert view.circle.isChecked()


def told_of(window):
    (_, one) = window.session.contigs.answer.result.placed
    return one.a[0].at, one.a[1].at


def test_another_reference_gets_the_same_assembly(qtbot, shown, tmp_path, notices):
    other = fasta(tmp_path / "other.fa", ("other", A[3_000:9_000].decode()))
    drop(shown, mime_of(other), shown.header.chips[Side.A])
    qtbot.waitUntil(lambda: shown.session.pair[Side.A].name == "other")
    assert placed(qtbot, shown).n == 6_000
    assert shown.header.order.currentText() == "Contigs on A"
    assert listed(shown)[:3] == ["first", "turned", "edited"]
    shown.session.swap()
    assert not shown.session.placing
    assert any("open an assembly as B" in one.text for one in notices)


def test_keys_and_clicks_go_from_contig_to_contig_in_all_views(qtbot, shown):
    steps, view = shown.alignment.contigs, shown.view(DifferencesView)
    assert current(shown) == ("contig 2 (first)", "first")
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    shown.alignment.tracks.setFocus()
    qtbot.keyClick(shown.alignment.tracks, Key.Key_N)
    assert current(shown) == ("contig 1 (turned)", "turned")
    assert shown.alignment.stepper.place_label.text == steps.where() == "contig 1: 2 of 4 along A"
    qtbot.keyClick(shown.alignment.tracks, Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert current(shown) == ("contig 2 (first)", "first")
    qtbot.keyClick(shown.alignment.tracks, Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert current(shown) == ("contig 2 (first)", "first"), "it stops at the first one"
    for key, name in ((Key.Key_Right, "turned"), (Key.Key_Right, "edited"), (Key.Key_Left, "turned")):
        qtbot.keyClick(shown.alignment.tracks, key)
        assert current(shown)[1] == name
    for text, name in (("3", "edited"), ("turned", "turned"), ("#6", "last")):
        steps.go_to(text)
        assert current(shown)[1] == name
    steps.go_back()
    assert current(shown)[1] == "turned"
    view.table.rows.sortByColumn(LENGTH, Qt.SortOrder.DescendingOrder)
    assert listed(shown) == ["first", "edited", "turned", "last", "stranger", "tiny"]
    assert current(shown)[1] == "turned", "the row goes with the contig"
    at = view.table.rows.visualRect(view.model.index(1, 1)).center()
    qtbot.mouseClick(view.table.rows.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert current(shown) == ("contig 3 (edited)", "edited")


def test_go_to_takes_letters_of_a(shown):
    for text, place, name, said in (
        ("A 4,001", 4_001, "turned", ""), ("5k", 5_000, "turned", ""), ("a:10450", 10_450, "edited", ""),
        ("A 3,950", 3_950, "turned", "in a gap"),
    ):  # fmt: skip
        shown.alignment.tracks.canvas.zoom(0.01, 1_000)
        shown.alignment.contigs.go_to(text)
        window = shown.alignment.tracks.canvas.window_shown
        assert current(shown)[1] == name
        assert window.first < place <= window.end
        assert said in shown.alignment.stepper.place_label.text


def test_a_contig_that_is_not_there_is_not_gone_to(shown):
    before = current(shown)
    for text in ("#99", "A 12,001", "13k", "A 0", "nobody", "stranger"):
        shown.alignment.contigs.go_to(text)
        assert current(shown) == before, text


def test_enter_opens_the_turned_contig_and_backspace_brings_all_of_them_back(qtbot, shown):
    session, answer = shown.session, shown.session.contigs.answer
    view = shown.view(DifferencesView)
    shown.alignment.contigs.go_to("turned")
    view.table.setFocus()
    qtbot.keyClick(view.table.rows, Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    assert session.pair[Side.A].letters.tobytes() == A[4_000:6_500]
    assert session.pair.orientation.strand is Strand.MINUS
    assert (session.pair[Side.B].name, session.pair[Side.B].letters.tobytes()) == ("turned", A[4_000:6_500])
    assert not session.placing
    assert not shown.alignment.tracks.isVisible()
    assert shown.tabs.bar.tabText(0) == "Differences"
    computation = shown.view(ComputationView)
    computation.choose_view(View.DOTS)
    canvas = next(one for one in computation.findChildren(DotCanvas) if one.isVisible())
    qtbot.waitUntil(lambda: canvas.tiles is session.dots.tiles is not None)
    seen = canvas.grab().toImage()
    canvas.show_mark(None)
    assert canvas.grab().toImage() == seen, "no frame of a contig is left"
    qtbot.mouseClick(shown.answer.back, Qt.MouseButton.LeftButton)
    placed(qtbot, shown)
    assert session.contigs.answer is answer, "nothing was placed again"
    assert current(shown) == ("contig 1 (turned)", "turned")


def figures(window, panel):
    table = window.views[panel].table.model()
    return {table.index(row, 0).data(): table.index(row, 1).data() for row in range(table.rowCount())}


def test_statistics_and_timings_are_of_the_placement_until_the_pair_is_compared(qtbot, shown):
    session, view = shown.session, shown.views["statistics"]
    found = figures(shown, "statistics")
    assert (found["Contigs placed"], found["Contigs not placed"], found["Contigs turned"]) == ("4", "2", "1")
    assert (found["Letters covered"], found["Coverage"], found["Gaps"]) == ("11,400", "95.00 %", "2")
    assert (found["Longest gap"], found["Edits"]) == ("500", "4")
    assert "Not compared" not in view.line.text
    assert "4 of 6 contigs placed" in view.line.text
    assert figures(shown, "timings")
    shown.alignment.contigs.go_to("turned")
    shown.alignment.tracks.open_button.click()
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    assert "Contigs placed" not in figures(shown, "statistics")
    qtbot.mouseClick(shown.answer.back, Qt.MouseButton.LeftButton)
    placed(qtbot, shown)
    qtbot.waitUntil(lambda: figures(shown, "statistics").get("Contigs placed") == "4")
    shown.header.order.setCurrentText("In order")
    shown.header.order.activated.emit(shown.header.order.currentIndex())
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    assert "Contigs placed" not in figures(shown, "statistics")


def test_the_letters_of_the_current_contig_are_below_it(qtbot, shown):
    letters, steps = shown.alignment.tracks.letters, shown.alignment.contigs
    assert letters.isVisible()
    for name, place in (("turned", 4_000), ("first", 0)):
        steps.go_to(name)
        seen = letters.stretch
        own = A[place : place + len(seen.ops)].decode()
        assert seen.a == seen.b == own
        assert seen.ends[0] == (place, 2_499 if name == "turned" else 0)
        assert seen.ends[1][0] == place + len(own) - 1
        assert own in letters.accessibleDescription()
    steps.go_to("edited")
    (_, b), (_, last) = letters.stretch.ends
    assert "ACGT" in letters.stretch.b
    assert letters.stretch.a.count("–") == 4
    assert EDITED[b : last + 1].decode() == letters.stretch.b


def test_letters_that_nobody_read_are_no_differences(qtbot, shown, tmp_path):
    unread, edited = (bytearray(A[:5_000]) for _ in range(2))
    unread[1_000:1_300] = edited[1_000:1_300] = b"N" * 300
    edited[2_000:2_001] = b"C" if A[2_000:2_001] != b"C" else b"G"
    for name, letters, differs in (("unread", unread, []), ("edited", edited, [2_000])):
        for strand in (bytes(letters), reverse_complement(bytes(letters))):
            before = shown.session.contigs.answer
            other = random_letters(900, 13).decode()
            path = fasta(tmp_path / f"{name}.fa", ("stranger", other), (name, strand.decode()))
            drop(shown.header.chips[Side.B], mime_of(path))
            press(qtbot, picker_of(qtbot, shown), "Contigs on A")
            qtbot.waitUntil(lambda before=before: shown.session.contigs.answer not in (None, before))
            shown.alignment.contigs.go_to(name)
            seen = shown.alignment.tracks.letters.stretch
            columns = np.flatnonzero((seen.ops != Op.EQUAL) & (seen.ops != APART))
            assert [seen.ends[0][0] + column for column in columns] == differs


def test_dots_show_all_contigs_along_a_and_a_click_goes_to_one(qtbot, shown):
    view, steps = shown.view(ComputationView), shown.alignment.contigs
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: shown.session.dots.tiles is not None)
    a, b = shown.session.dots.letters
    order = [*ORDER, "stranger", "tiny"]
    assert a.letters.tobytes() == A
    assert b.letters.tobytes() == b"N".join(CONTIGS_OF_A[name] for name in order)
    assert [b.records.name(at) for at in range(6)] == order
    view.place_wanted.emit(7_001, 3_901 + 2_501 + 10, "")
    assert current(shown)[1] == "edited"
    view.place_wanted.emit(200, len(b) - 2, "")
    assert current(shown)[1] == "first", "that contig has no place, but the letter of A is in one"
    steps.go_to("last")
    shown.session.arrange(None)
    qtbot.waitUntil(lambda: not shown.session.placing)
    assert shown.session.dots.letters[1].name == "turned", "the record of B again"
    canvas = next(one for one in view.findChildren(DotCanvas) if one.isVisible())
    qtbot.waitUntil(lambda: canvas.tiles is shown.session.dots.tiles is not None)
    seen = canvas.grab().toImage()
    canvas.show_mark(None)
    assert canvas.grab().toImage() == seen, "no frame of a contig is left"


def test_the_placement_is_saved_by_the_writers_of_the_command(qtbot, shown, tmp_path, subtests):
    answer = shown.session.contigs.answer
    answer = ContigsAnswer(shown.session.pair.original(Side.A), answer.contigs, answer.result)
    view = shown.view(DifferencesView)
    for kind in FORMATS:
        with subtests.test(kind.id):
            press(qtbot, view, "Save placement…")
            asked, path = Asked(qtbot, shown), tmp_path / f"placed{kind.endings[0]}"
            assert asked.name.text().startswith("ref_vs_assembly.contigs")
            asked.type(path)
            qtbot.waitUntil(lambda path=path: path.exists() and not view.writing)
            written, whole = path.read_bytes(), answer.to(kind.id)
            assert written == whole if kind.id != "json" else b'"placed": 4' in written


def test_export_writes_the_placement_and_a_picture_has_the_tracks(qtbot, shown, tmp_path):
    shown.actions_by_id["export"].trigger()
    path = tmp_path / "placed.agp"
    Asked(qtbot, shown).type(path)
    qtbot.waitUntil(lambda: path.exists() and not shown.commands.exporter.errand.running)
    assert path.read_bytes() == shown.session.contigs.answer.to("agp")
    made = parts_of(shown, LOWER[0], shown.centralWidget())["Tracks"].made(None)
    assert made.sheet.title.text() == "ref – assembly.fa: Contigs"
    assert made.sheet.text.text() == shown.session.contigs.answer.result.text
    before = made.sheet.grab().toImage()
    shown.alignment.contigs.go_next()
    assert parts_of(shown, LOWER[0], shown.centralWidget())["Tracks"].made(None).sheet.grab().toImage() != before


def test_a_picture_of_contigs_places_them_again(qtbot, shown, tmp_path, monkeypatch):
    part = parts_of(shown, LOWER[0], shown.centralWidget())["Tracks"]
    picture = tmp_path / "tracks.svg"
    picture.write_bytes(part.made(None).by(part.recipe()).picture(PICTURES["svg"]))
    session = shown.session
    text = session.contigs.answer.result.text
    open_texts(session, "kitten", "sitting")
    qtbot.waitUntil(lambda: session.outcome is not None and not session.placing)
    session.open_paths([picture])
    qtbot.waitUntil(lambda: shown.findChild(QMessageBox, "picture_box") is not None)
    box = shown.findChild(QMessageBox, "picture_box")
    assert box.text().splitlines()[0] == "This picture shows the contigs of assembly.fa on ref. Open these?"
    qtbot.keyClick(box, Key.Key_Return)
    qtbot.waitUntil(lambda: session.placing and session.contigs.answer is not None)
    assert session.contigs.answer.result.text == text
    assert not [one.text for one in shown.answer.notices.notices if "has changed" in one.text]
    monkeypatch.chdir(tmp_path)
    words = shlex.split(read_recipe(picture).command(), comments=True)
    assert cli.main([*words[words.index("contigs") :], "--quiet"]) == 1


def test_the_choice_belongs_to_the_pair_and_comes_back_with_it(qtbot, shown, tmp_path):
    session = shown.session
    session.remember()
    recent = session.recent.pairs[0]
    assert recent.words["contigs"] == ""
    shown.header.order.choose("in_order")
    shown.header.order.activated.emit(0)
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    assert not shown.alignment.tracks.isVisible()
    shown.actions_by_id["undo"].trigger()
    qtbot.waitUntil(lambda: session.placing)
    session.open_text("ACGTACGT", Side.B)
    qtbot.waitUntil(lambda: session.pair[Side.B] is not None and len(session.pair[Side.B]) == 8)
    assert not session.placing, "it ends with its pair"
    session.open_recent(recent)
    qtbot.waitUntil(lambda: session.placing)
    assert placed(qtbot, shown).text.startswith("4 of 6 contigs placed")


READS = "".join(f"@r{k}\n{A[k : k + 80].decode()}\n+\n{'I' * 80}\n" for k in range(0, 800, 40))
PROTEINS = "".join(f">p{k}\n{'MKVLAAGIVWEEF' * (k + 3)}\n" for k in range(2))


@pytest.mark.parametrize(
    ("name", "text", "why", "advice"),
    [
        ("reads.fq", READS, "reads.fq has reads (FASTQ), not contigs: Search", "Search"),
        ("p.fa", PROTEINS, "p.fa: this is protein, which has no other strand; contigs are DNA or RNA", "DNA or RNA"),
    ],
    ids=["reads", "protein"],
)
def test_reads_proteins_and_single_records_are_refused_with_the_reason(
    qtbot, window, tmp_path, files, notices, name, text, why, advice
):
    session, chooser = window.session, window.header.order
    reads = tmp_path / name
    reads.write_text(text)
    session.open_paths(files[:1])
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None)
    session.open_paths([reads], Side.B)
    press(qtbot, picker_of(qtbot, window), "Contigs on A")
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    assert any(why in notice.text for notice in notices)
    assert not session.placing
    item = chooser.model().item(chooser.row("contigs"))
    assert not item.isEnabled()
    assert advice in item.toolTip()
    session.open_text(">one\nACGTACGTACGTACGT\n", Side.B)
    qtbot.waitUntil(lambda: session.pair[Side.B] is not None and session.pair[Side.B].name == "one")
    assert "one record" in session.contigs.refusal


def test_none_placed_says_so_and_lists_the_contigs(qtbot, window, tmp_path):
    session = window.session
    window.resize(1_280, 800)
    strangers = [(f"s{k}", random_letters(600, 20 + k).decode()) for k in range(3)]
    session.open_paths([fasta(tmp_path / "a.fa", ("a", A.decode()))])
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None)
    session.open_paths([fasta(tmp_path / "strangers.fa", *strangers)], Side.B)
    press(qtbot, picker_of(qtbot, window), "Contigs on A")
    result = placed(qtbot, window)
    assert window.alignment.tracks.message == f"No contig shares a {result.k}-mer with A."
    assert listed(window) == ["s0", "s1", "s2"]
    assert window.answer.words.words.sentence.startswith("None of 3 contigs placed")
    assert not window.alignment.tracks.open_button.isVisible()


def run(job):
    """A kernel that goes on until it is stopped."""
    done = 0
    while True:
        done = min(done + 1, 3)
        yield Progress(job.id, "contigs", done, 6, "contigs")


def test_stop_ends_the_placing_and_run_begins_it_again(qtbot, window, files, monkeypatch):
    monkeypatch.setattr(ContigsJob, "modules", KernelModules(cpu=__name__))
    session = window.session
    session.open_paths(files[:1])
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None)
    session.open_paths(files[1:], Side.B)
    press(qtbot, picker_of(qtbot, window), "Contigs on A")
    qtbot.waitUntil(lambda: "3 of 6 contigs" in window.answer.words.words.quiet)
    assert window.answer.words.words.share == pytest.approx(0.5)
    window.actions_by_id["stop"].trigger()
    assert not session.contigs.running
    assert window.answer.words.words.sentence == "Stopped"
    assert "press Run" in window.alignment.tracks.message
    monkeypatch.undo()
    window.actions_by_id["run"].trigger()
    assert len(placed(qtbot, window).order) == 4


def test_a_new_session_reads_the_choice(qtbot, shown, tmp_path):
    shown.session.remember()
    other = session_of(tmp_path)
    other.open_recent(other.recent.pairs[0])
    qtbot.waitUntil(lambda: other.contigs.answer is not None)
    assert np.array_equal([one.number for one in other.contigs.answer.result.placed], [2, 1, 3, 6])
    qtbot.waitUntil(other.close)
