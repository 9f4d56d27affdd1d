"""The search panel: from patterns to hits, counts, ticks, the place in the alignment, and files."""

import pytest
from PySide6.QtCore import QPoint, Qt

from tests.app.fakes import fasta
from tests.app.hits import fake_search, shown
from tests.app.parts import open_texts
from tests.app.saving import Asked
from wavediff.app.compare.tracks.track import in_columns
from wavediff.app.search.hits_view import BINS
from wavediff.app.search.search_session import Search, SearchSides
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.core.base.errors import DeviceLost
from wavediff.core.export.registry import HITS, of_id
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import HitsFound
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search.run import run as run_on_cpu
from wavediff.core.run import runner
from wavediff.core.run.dispatch import DeviceChoice
from wavediff.core.sequences.orientation import reverse_complement

FAR = 30_000  # ms, for a first run that compiles
A = "ACGTACGTACTTGACCA" * 20
B = "TTGGTCAAGTAACCGGTT" * 20


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pair")
    return [fasta(folder / "a.fa", ("first", A)), fasta(folder / "b.fa", ("second", B))]


@pytest.fixture
def window(qtbot, module_window, files):
    """The window with both sequences and their alignment."""
    session = module_window.session
    if session.pair[Side.A] is None or session.pair[Side.A].name != "first":
        qtbot.waitUntil(lambda: not session.busy)  # the pair before was chosen another method, or case
        qtbot.expect(session.compared, session.open_paths, files)
        qtbot.waitUntil(lambda: module_window.alignment.model is not None and not module_window.turns.busy)
        module_window.actions_by_id["search"].trigger()
    return module_window


@pytest.fixture
def session(window):
    return window.session


@pytest.fixture
def view(window):
    """The panel without hits, filters and an order."""
    view = window.view(SearchView)
    view.wish.forget()
    window.session.search.started.emit(None)
    view.filter.clear()
    view.hits.rows.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    return view


def test_hits_are_marked_when_patterns_or_options_change(qtbot, view):
    search(qtbot, view, "GATTACA\nACTT")
    assert "search again" not in view.status.text
    view.wish.errors.setValue(2)
    assert "search again" in view.status.text
    view.wish.errors.setValue(0)
    assert "search again" not in view.status.text
    session = view.window().session
    session.choose(fold_case=not session.fold_case)
    assert "search again" in view.status.text
    session.choose(fold_case=None)
    assert "search again" not in view.status.text
    view.wish.strands.setChecked(True)
    assert "search again" in view.status.text
    view.wish.strands.setFocus()
    with qtbot.waitSignal(view.window().session.search.finished, timeout=FAR):
        qtbot.keyClick(view.wish.strands, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "search again" not in view.status.text


def search(qtbot, view, text, **choices):
    view.wish.editor.setPlainText(text)
    view.wish.where.setCurrentIndex(view.wish.where.findData(choices.get("where", SearchSides.A)))
    view.wish.strands.setChecked(choices.get("strands", False))
    view.wish.errors.setValue(choices.get("errors", 0))
    with qtbot.waitSignal(view.window().session.search.finished, timeout=FAR) as done:
        view.wish.search_button.click()
    qtbot.waitUntil(lambda: not any(task.running for task in view.findChildren(BackgroundTask)))
    return Hits.joined(done.args[0])


def finds(text, word):
    return [k for k in range(len(text)) if text.startswith(word, k)]


def test_tab_leaves_the_patterns_and_ctrl_tab_types_one(qtbot, view):
    editor = view.wish.editor
    editor.clear()
    editor.setFocus()
    qtbot.keyClicks(editor, "left")
    qtbot.keyClick(editor, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(editor, "ACGT")
    assert editor.toPlainText() == "left\tACGT"
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "left\tACGT"
    assert view.window().focusWidget() is view.wish.open_button


def test_typed_patterns_are_found_and_counted(qtbot, view):
    hits = search(qtbot, view, "left\tTTGACC\nACGT\nGGGGGG")
    assert hits.start[hits.pattern == 0].tolist() == finds(A, "TTGACC")
    assert hits.start[hits.pattern == 1].tolist() == finds(A, "ACGT")
    assert view.patterns.counts.tolist() == [20, 40, 0]
    assert shown(view.model, 0) == ["ACGT", "+", "A", "1", "4", "0", "[ACGT]ACGTACTTGA"]
    assert view.status.text.startswith("60 hits · ")
    assert view.strip.counts(0).sum() == 60


@pytest.mark.parametrize(
    ("pattern", "length"), [("ACGTTG..CCATGA", "12"), ("EcoRI", "6"), ("ACGTTGCC", "8")], ids=["primers", "site", "own"]
)
def test_letters_of_a_pattern_are_those_that_are_searched_for(qtbot, view, pattern, length):
    search(qtbot, view, pattern)
    column = view.patterns.columns.index("Letters")
    assert view.patterns.text(0, column) == length
    view.patterns.sort(column)
    assert view.patterns.text(0, column) == length


def test_case_is_folded_beyond_ascii(qtbot, view, session):
    qtbot.expect(session.compared, open_texts, session, "Die Stadt KÖLN, МОСКВА", "Köln und αθηνα")
    session.choose(fold_case=True)
    hits = search(qtbot, view, "köln\nмосква\nΑΘΗΝΑ", where=SearchSides.BOTH)
    assert sorted(hits.start.tolist()) == [10, 16, 22, 31]


def test_both_sequences_both_strands_and_errors(qtbot, view):
    hits = search(qtbot, view, "TTGACCA", where=SearchSides.BOTH, strands=True)
    starts = [*finds(A, "TTGACCA"), *(len(A) + k for k in finds(B, "TGGTCAA"))]
    assert hits.start.tolist() == starts
    assert set(hits.strand[hits.start >= len(A)].tolist()) == {-1}
    row = view.model.row_at(len(A))
    assert view.model.place(row)[:2] == (1, finds(B, "TGGTCAA")[0])
    assert view.strip.counts(1).sum() == len(finds(B, "TGGTCAA"))
    loose = search(qtbot, view, "TTGATCA", errors=1)
    assert set(loose.cost.tolist()) == {1}
    assert set(finds(A, "TTGACCA")) <= set(loose.start.tolist())


def test_a_hit_is_shown_in_the_alignment(qtbot, view, window, session):
    search(qtbot, view, "TTGACC")
    view.hits.select(3)
    qtbot.keyClick(view.hits.rows, Qt.Key.Key_Return)
    place = finds(A, "TTGACC")[3]
    index = window.alignment.model.index
    assert window.alignment.canvas.selection == (index.column_of_a(place), index.column_of_a(place + 5) + 1)


def test_a_click_on_a_hit_shows_it(qtbot, view, window):
    search(qtbot, view, "TTGACC")
    rows = view.hits.rows
    spot = rows.visualRect(rows.model().index(1, 0)).center()
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert window.alignment.canvas.selection[0] == window.alignment.model.index.column_of_a(finds(A, "TTGACC")[1])


def test_the_hit_at_the_caret_is_selected(qtbot, view, window):
    search(qtbot, view, "TTGACC\nGACCAA", where=SearchSides.BOTH)
    places = finds(A, "TTGACC")
    window.alignment.go_to_letter(places[5] + 1, None)
    assert view.model.place(view.hits.current) == (0, places[5], places[5] + 6)
    view.hits.rows.horizontalHeader().setSortIndicator(3, Qt.SortOrder.DescendingOrder)
    window.alignment.go_to_letter(places[7] + 1, None)
    assert view.model.place(view.hits.current) == (0, places[7], places[7] + 6)
    other = view.hits.current
    window.alignment.go_to_letter(0, None)
    assert view.hits.current == other, "no hit there"


def test_one_of_two_hits_that_overlap_stays_chosen(qtbot, view, window):
    search(qtbot, view, "ACGTACGT\nCGTA")
    for row in range(4):
        view.hits.select(row)
        qtbot.keyClick(view.hits.rows, Qt.Key.Key_Return)
        assert view.hits.current == row


def test_a_click_on_the_ticks_goes_to_the_nearest_hit(qtbot, view):
    search(qtbot, view, "TTGACC")
    strip = view.strip
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() - 2, 8))
    assert view.hits.current == 19
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(24, 8))
    assert view.hits.current == 0
    assert not strip.grab().isNull()


def test_one_pattern_or_those_of_a_name_can_be_shown(qtbot, view):
    search(qtbot, view, "left\tTTGACC\nright\tACGT\n")
    view.counts.clicked.emit(view.patterns.index(0, 0))
    assert view.model.n_rows == 20
    assert "20 of 60 shown" in view.status.text
    view.all_button.click()
    assert view.model.n_rows == 60
    view.filter.setText("RIGHT")
    assert view.model.n_rows == 40
    assert shown(view.model, 0)[0] == "right"


def test_patterns_of_a_file_and_what_is_wrong_with_one(qtbot, view, session, notices, tmp_path):
    listed = tmp_path / "primers.txt"
    listed.write_text("one\tTTGACC\ntwo\tACGT\n")
    qtbot.expect(session.search.patterns_read, session.search.open, listed)
    assert view.wish.file.text == "2 patterns of primers.txt"
    qtbot.expect(session.search.finished, view.run)
    assert view.patterns.counts.tolist() == [20, 40]
    listed.write_text("ACGT\n\nGG\\q\n")
    session.search.open(listed)
    qtbot.waitUntil(lambda: any(one.level is Severity.ERROR for one in notices))
    assert "primers.txt, line 3" in notices[-1].text
    assert not session.search.running


def test_what_cannot_be_searched_for_is_said(qtbot, view, notices):
    view.wish.editor.setPlainText("  ")
    view.run()
    assert "no pattern" in notices[-1].text
    view.wish.editor.setPlainText("AC\\q")
    view.run()
    assert "unknown escape" in notices[-1].text
    view.wish.editor.setPlainText("AC!T")
    view.run()
    qtbot.waitUntil(lambda: any("'!' at letter 3" in one.text for one in notices))
    assert all(one.text.startswith("Patterns") for one in notices), [one.text for one in notices]
    assert view.status.text == "Failed"
    assert view.patterns.rowCount() == 0, "no pattern without hits: none was sought"


def test_esc_stops_a_search(qtbot, view, window, session):
    stop = window.actions_by_id["stop"]
    assert not stop.isEnabled()
    view.wish.editor.setPlainText("ACGT")
    view.run()
    assert stop.isEnabled()
    stop.trigger()
    assert not session.search.running
    assert not stop.isEnabled()
    assert view.status.text.startswith("Stopped")


def test_hits_of_sequences_that_are_gone_are_dropped(qtbot, view, session):
    search(qtbot, view, "ACGT")
    session.swap()
    assert view.model.n_rows == 0
    assert view.patterns.rowCount() == 0
    assert "search again" in view.status.text
    assert not view.save_button.isEnabled()


@pytest.mark.parametrize("name", ["hits.tsv", "hits.bed"])
def test_saving(qtbot, view, tmp_path, name):
    search(qtbot, view, "TTGACC", where=SearchSides.BOTH, strands=True)
    said = []
    view.noticed.connect(said.append)
    view.save(tmp_path / name, of_id(HITS, name[-3:]))
    qtbot.waitUntil(lambda: bool(said))
    lines = (tmp_path / name).read_text().splitlines()
    n = view.model.n_hits
    assert len(lines) == n + name.endswith("tsv")
    assert f"{n} hits saved" in said[0].text
    view.save(tmp_path / "none" / name, of_id(HITS, name[-3:]))
    qtbot.waitUntil(lambda: len(said) > 1)
    assert said[1].level is Severity.ERROR


def test_a_name_without_an_ending_gets_that_of_its_kind(qtbot, view, tmp_path):
    search(qtbot, view, "TTGACC")
    said = []
    view.noticed.connect(said.append)
    view.save_button.click()
    asked = Asked(qtbot, view)
    asked.choose("BED (*.bed)")
    asked.type(tmp_path / "hits")
    qtbot.waitUntil(lambda: bool(said))
    assert (tmp_path / "hits.bed").read_text().startswith("first\t")


def test_hits_come_in_while_searching(qtbot, view, session):
    """Hits are shown before the search ends, and the same ones after it; "0" is said after it alone."""
    searched, hits = fake_search(3 * BINS)
    column = view.patterns.columns.index("Hits")

    def counted():
        return [view.patterns.index(row, column).data() for row in range(3)]

    session.search.started.emit(searched)
    assert not any(counted()), "none was looked for yet"
    session.search.found.emit(hits.take(slice(0, 100)))
    assert (view.model.n_rows, view.strip.counts(0).sum()) == (100, 100)
    assert not view.save_button.isEnabled()
    assert counted() == ["34", "33", "33"]
    session.search.found.emit(hits.take(slice(100, None)))
    session.search.finished.emit((hits.take(slice(0, 50)), hits.take(slice(50, None))))
    assert view.model.n_rows == len(hits)
    assert view.patterns.counts.sum() == len(hits)
    assert isinstance(session.search, Search)
    session.search.started.emit(searched)
    session.search.finished.emit(())
    assert counted() == ["0", "0", "0"]


def test_hits_have_a_lane_of_the_strip_of_the_alignment(qtbot, view, window):
    strip = window.alignment.strip

    def annotated():
        return not any(task.running for task in window.findChildren(BackgroundTask))

    qtbot.waitUntil(annotated)
    plain = strip.grab().toImage()
    search(qtbot, view, "TTGACC\nTTGGTC", where=SearchSides.BOTH)
    qtbot.waitUntil(annotated)
    assert strip.grab().toImage() != plain
    index, spans = window.alignment.model.index, view.strip.spans()
    assert sorted(spans[Side.A].starts.tolist()) == finds(A, "TTGACC")
    assert sorted(spans[Side.B].starts.tolist()) == finds(B, "TTGGTC")
    assert min(int(in_columns(index, side, one).starts.min()) for side, one in spans.items()) == min(
        index.column_of_a(finds(A, "TTGACC")[0]), index.column_of_b(finds(B, "TTGGTC")[0])
    )
    search(qtbot, view, "GGGGGGGG")
    qtbot.waitUntil(annotated)
    assert strip.grab().toImage() == plain


def test_hits_that_come_in_quickly_are_told_together(qtbot, view, session, monkeypatch):
    """Each telling draws tables and ticks; none holds more than they can take in at once, and none is lost."""
    monkeypatch.setattr("wavediff.app.search.search_session.REPORT_HITS", 150)
    one = session.search
    hits = search(qtbot, view, "A\nC\nG\nT")
    assert len(hits) == len(A) == 340
    one.started.emit(one.current)
    told = []
    one.found.connect(lambda hits: told.append(len(hits)))
    one._record = 0
    for first in range(0, 340, 20):
        one._on_event(HitsFound(1, hits.take(slice(first, first + 20))))
    assert told == []
    qtbot.waitUntil(lambda: sum(told) == 340)
    assert told == [150, 150, 40]
    assert view.model.n_rows == view.strip.counts(0).sum() == 340


def test_a_card_that_fails_is_told_and_its_hits_are_not_counted_twice(qtbot, view, session, monkeypatch):
    def failing(job):
        yield HitsFound(job.id, fake_search(1)[1])
        raise DeviceLost("gone")

    choices = [DeviceChoice(Device.CPU, run_on_cpu, "it failed"), DeviceChoice(Device.GPU, failing, "asked for")]
    resolve = runner.resolve  # of the pair's screening, which may run beside the search
    chosen = lambda job, device: choices.pop() if isinstance(job, SearchJob) else resolve(job, device)  # noqa: E731
    monkeypatch.setattr(runner, "resolve", chosen)
    monkeypatch.setattr(runner, "gpu_failure", lambda error: error)
    monkeypatch.setattr("wavediff.gpu.card.current_card.release", lambda: None)
    said = []
    session.search.noticed.connect(said.append)
    search(qtbot, view, "TTGACC")
    assert any("CPU" in one.text for one in said)
    assert view.model.n_rows == view.patterns.counts.sum() == view.strip.counts(0).sum() == 20


def test_an_enzyme_in_the_field_is_its_site(qtbot, view, session):
    search(qtbot, view, "RsaI\nBsrI")  # GTAC; ACTGG, of which A has the reverse complement
    text = A.replace("GTAC", "....")
    assert [view.patterns.index(row, 0).data() for row in range(2)] == ["RsaI", "BsrI"]
    assert [one.letters for one in session.search.current.wish.patterns] == [b"GTAC", b"ACTGG"], "for the states too"
    assert view.model.hits.counts(2).tolist() == [A.count("GTAC"), text.count("ACTGG") + text.count("CCAGT")]


def test_an_error_of_a_search_ends_with_the_next_search(qtbot, window, view):
    """Of the two ways to refuse a search one is met while the patterns are read, the other by the job."""
    told = window.answer.notices
    for typed, why in (("[AC", "is not a nucleotide code"), ("", "no pattern in it")):
        view.wish.editor.setPlainText(typed)
        view.run()
        qtbot.waitUntil(lambda why=why: any(why in one.text for one in told.notices))
        search(qtbot, view, "ACGTA")
        assert not [one.text for one in told.notices if why in one.text]


def test_enzymes_primers_and_circles_in_the_field(qtbot, view, session):
    """Both strands, two primers and their product, and what lies across the origin, of the same letters as A."""
    text = A + A
    forward, reverse = text[3:19], reverse_complement(text[60:76].encode()).decode()
    search(qtbot, view, f"HaeIII\npair\t{forward}..{reverse}")
    assert [view.patterns.index(row, 0).data() for row in range(2)] == ["HaeIII", "pair"]
    hits = view.model.hits
    assert set(hits.pattern.tolist()) == {1}
    sizes = {(start % 17, end % 17) for start, end in zip(hits.start.tolist(), hits.end.tolist(), strict=True)}
    assert sizes == {(3, 76 % 17)}
    across = A[-5:] + A[:5]
    search(qtbot, view, across)
    inside = view.model.n_hits
    view.wish.circle.setChecked(True)
    search(qtbot, view, across)
    view.wish.circle.setChecked(False)
    assert view.model.n_hits == inside + 1
    last = view.model.n_hits - 1
    role = Qt.ItemDataRole.DisplayRole
    shown = [view.model.cell(last - view.model.top, column, role) for column in range(view.model.columnCount())]
    assert shown[3:5] == [str(len(A) - 4), "5"]
    assert f"[{across}]" in shown[-1]
    with qtbot.waitSignal(view.place_wanted) as told:
        view.hits.chosen.emit(last)
    assert told.args == [Side.A, len(A) - 5, len(A)]
    spans = view.strip.spans()[Side.A]
    assert int(spans.ends.max()) <= len(A)
    search(qtbot, view, "NlaIII")  # CATG
    assert view.model.n_hits == A.count("CATG")
