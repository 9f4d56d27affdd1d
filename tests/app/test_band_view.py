"""The band on the map, the slider for k, the options in the job bar and the ledger's table, in a window."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication

from tests.app import fakes
from tests.app.alignment_window import place
from tests.app.fake_edit import Edit
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.skipped_work import cell_of
from wavediff.app.ui.block_map.block_text import block_text
from wavediff.app.ui.block_map.map_legend import LegendEntry, skip_reasons
from wavediff.app.ui.theme import Scheme
from wavediff.app.window import session as session_module
from wavediff.app.window.panels.band_bar import BandBar
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import SUDO_BLOCKS, BandMode, Ends

A = "ACGTTGCAACGT" + "ACCAGATTACAGGATTACCA" * 3
B = "ACGTTGCAACGT" + "TCCAGTTACAGGAATTACCA" * 3  # the first 12 letters are equal, then an edit here and there


@pytest.fixture
def edit_pair(tmp_path):
    return [fakes.fasta(tmp_path / "a.fa", ("a", A)), fakes.fasta(tmp_path / "b.fa", ("b", B))]


@pytest.fixture
def edited(qtbot, window, session, edit_pair):
    window.resize(1400, 900)
    session.choose(method="edit")
    qtbot.expect(session.compared, session.open_paths, edit_pair)
    window.show_panel("computation")
    return window


def bar_of(window):
    bar = window.view(ComputationView).findChild(BandBar)
    assert isinstance(bar, BandBar)
    return bar


def colours(window):
    image = window.view(ComputationView).canvas.grab().toImage()
    return {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(image.height())}


def test_the_slider_computes_another_band_and_leaving_it_goes_back(qtbot, edited):
    session, bar = edited.session, bar_of(edited)
    exact = session.outcome.result.distance if session.outcome else -1
    assert session.outcome.result.exact
    assert "exact" in bar.verdict.text
    assert not bar.back.isEnabled()
    qtbot.expect(session.compared, bar.slider.setValue, 1)
    result = session.outcome.result
    assert (session.outcome.job.band, session.outcome.job.threshold) == (BandMode.FIXED, 1)
    assert not result.exact
    assert result.distance >= exact
    assert bar.verdict.text.startswith("Upper bound only: at most")
    assert bar.verdict.palette().color(bar.verdict.backgroundRole()) == edited.theme.warning
    assert bar.spin.value() == 1
    assert edited.view(ComputationView).model.plan.threshold == 1
    assert session.choices.values["band"] is BandMode.AUTO  # tried, not chosen
    assert edited.answer.words.words.sentence.startswith("At most ")
    assert "upper bound" in edited.answer.words.words.quiet
    qtbot.expect(session.compared, bar.spin.setValue, exact)
    assert session.outcome.result.exact
    assert bar.verdict.text == f"{exact} edits, exact: this band is wide enough"
    qtbot.expect(session.compared, qtbot.mouseClick, bar.back, Qt.MouseButton.LeftButton)
    assert session.trial is None
    assert session.outcome.job.band is BandMode.AUTO
    assert not bar.back.isEnabled()


def test_escape_leaves_the_slider_instead_of_stopping(qtbot, edited):
    session, bar = edited.session, bar_of(edited)
    qtbot.expect(session.compared, bar.slider.setValue, 2)
    bar.slider.setFocus()
    qtbot.expect(session.compared, qtbot.keyClick, bar.slider, Qt.Key.Key_Escape)
    assert session.trial is None
    assert session.outcome.job.band is BandMode.AUTO


def test_while_a_band_is_computed_only_the_newest_waits(qtbot, edited):
    session, bar = edited.session, bar_of(edited)
    before = len(Edit.jobs)
    for k in (1, 2, 3, 4, 5):
        bar.slider.setValue(k)
    qtbot.waitUntil(lambda: not session.running and session.outcome is not None and session.outcome.job.threshold == 5)
    assert [job.threshold for job in Edit.jobs[before:]] == [1, 5]


def test_a_click_beside_the_handle_computes_that_band_only(qtbot, edited):
    session, bar = edited.session, bar_of(edited)
    before = len(Edit.jobs)
    place = QPoint(round(bar.slider.width() * 0.7), bar.slider.height() // 2)
    qtbot.expect(session.compared, qtbot.mouseClick, bar.slider, Qt.MouseButton.LeftButton, pos=place)
    qtbot.wait(50)
    assert len(Edit.jobs) == before + 1
    assert bar.slider.value() == pytest.approx(0.7 * bar.slider.maximum(), abs=3)
    assert Edit.jobs[-1].threshold == bar.slider.value()


def test_a_run_ends_the_trial(qtbot, edited):
    session, bar = edited.session, bar_of(edited)
    qtbot.expect(session.compared, bar.slider.setValue, 2)
    assert session.trial == 2
    qtbot.expect(session.compared, session.run)
    assert session.trial is None


def test_there_is_no_slider_before_an_answer(qtbot, window, session, edit_pair):
    """It stood at 0, where nothing was chosen or found."""
    window.resize(1400, 900)
    session.choose(method="edit")
    window.show_panel("computation")
    bar, seen = bar_of(window), []
    session.phase_changed.connect(lambda: seen.append((session.outcome is not None, bar.slider.isVisibleTo(bar))))
    qtbot.expect(session.compared, session.open_paths, edit_pair)
    assert bar.slider.isVisible()
    assert (False, False) in seen
    assert (False, True) not in seen


def test_a_verdict_ends_with_the_options_that_it_is_of(qtbot, edited, monkeypatch):
    session, bar = edited.session, bar_of(edited)
    said, k = bar.verdict.text, bar.spin.value()
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)
    session.choose(ends=Ends.A)
    assert session.stale
    assert (bar.verdict.text, bar.slider.isVisible()) == ("", False)
    session.choose(ends=Ends.NONE)
    assert (bar.verdict.text, bar.slider.isVisible(), bar.spin.value()) == (said, True, k)


def test_large_matrices_have_no_slider(qtbot, edited, monkeypatch):
    bar = bar_of(edited)
    assert bar.slider.isVisible()
    monkeypatch.setattr("wavediff.app.ui.block_map.band_attempts.SLIDER_CELLS", 100)
    bar.refresh()
    assert not bar.slider.isVisible()
    assert not bar.spin.isVisible()
    assert bar.verdict.isVisible(), "what the band proves is said for any size"


def test_methods_without_a_band_have_neither_slider_nor_options(qtbot, edited):
    session, bar, options = edited.session, bar_of(edited), edited.header.options_popover.options.parts
    assert not bar.isHidden()
    assert not options["band"].box.isHidden()
    session.choose(method="lcs")
    assert bar.isHidden()
    assert options["band"].box.isHidden()
    session.choose(method="swap")
    assert options["band"].box.isHidden()
    assert options["blocks"].box.isHidden()
    jobs = len(Edit.jobs)
    session.try_threshold(3)
    assert len(Edit.jobs) == jobs


def test_the_options_choose_band_k_and_blocks(qtbot, edited):
    session, options = edited.session, edited.header.options_popover.options.parts
    assert options["threshold"].box.isHidden()
    options["band"].box.setCurrentIndex(options["band"].box.findText("Fixed k"))
    options["band"].box.activated.emit(options["band"].box.currentIndex())
    assert session.choices.values["band"] is BandMode.FIXED
    assert not options["threshold"].box.isHidden()
    options["threshold"].box.setValue(12)
    options["blocks"].box.setCurrentIndex(1)
    options["blocks"].box.activated.emit(1)
    assert (session.choices.values["threshold"], session.choices.values["blocks"]) == (12, SUDO_BLOCKS)
    qtbot.expect(session.compared, session.run)
    job = Edit.jobs[-1]
    assert (job.band, job.threshold, job.block_rows, job.block_cols) == (BandMode.FIXED, 12, 128, 1280)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_edges_of_the_band_and_the_hatch_are_painted(qtbot, edited, scheme):
    theme, view = edited.theme, edited.view(ComputationView)
    theme.set_scheme(scheme)
    assert len(edited.session.outcome.result.bands) > 1
    qtbot.waitUntil(lambda: view.canvas.path is not None)
    assert {theme.outside.name(), theme.hatch.name(), theme.text.name()} <= colours(edited)
    said = {fact.name: fact.value for fact in view.facts.facts}
    assert "exact" in said["Bands tried"]
    assert view.figures.way.text.startswith("Band of")
    assert view.figures.way.text.endswith("wide enough for an exact answer")


def test_the_legend_says_what_is_on_the_map_and_why(qtbot, edited):
    view = edited.view(ComputationView)
    model, legend = view.model, view.legend
    qtbot.waitUntil(lambda: view.canvas.path is not None)
    said = dict(legend.entries)
    assert {LegendEntry.DONE, LegendEntry.PATH, LegendEntry.SKIPPED, LegendEntry.EDGE} <= set(said)
    assert skip_reasons(model) == [SkipReason.BAND, SkipReason.ENDS]
    assert said[LegendEntry.SKIPPED] == "skipped: outside the band, equal start or end"
    assert "Paths outside the band cost more" in legend.toolTip()
    assert all(text in legend.accessibleName() for text in said.values())
    edited.session.choose(band=BandMode.SUDO)
    qtbot.expect(edited.session.compared, edited.session.run)
    assert SkipReason.MONOTONE in skip_reasons(model)
    edited.session.choose(method="lcs")
    qtbot.expect(edited.session.compared, edited.session.run)
    assert not {LegendEntry.EDGE, LegendEntry.SKIPPED} & set(dict(legend.entries))


def test_a_zoomed_map_stays_where_it_is_while_k_changes(qtbot, edited):
    canvas = edited.view(ComputationView).canvas
    canvas.zoom(4, QPointF(canvas.rect().center()))
    before = canvas.frame
    qtbot.expect(edited.session.compared, bar_of(edited).slider.setValue, 3)
    assert canvas.frame == before
    edited.view(ComputationView).grab()


def test_a_tip_says_whether_a_cell_is_inside_the_band(edited):
    model = edited.view(ComputationView).model
    for a0, b0, said in ((40, 40, "inside the band"), (70, 14, "outside the band"), (3, 30, "equal start or end")):
        text = block_text(model, a0, b0)
        assert said in text, (a0, b0)
        assert f"diagonal {b0 - a0:+,}" in text


def test_the_ledger_is_filled_copied_and_emptied_with_the_pair(qtbot, edited, pair):
    ledger = edited.views["skipped"]
    assert ledger.line.text == edited.view(ComputationView).figures.way.text
    edited.show_panel("skipped")
    ledger.grab()
    qtbot.mouseClick(ledger.copy_button, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert text.splitlines()[0].split("\t")[:2] == ["status", "reason"]
    assert f"\t{len(A) * len(B)}\t1\t" in text
    # A click on a line leads to cells of that part and their words, the next one to others.
    model, cells = edited.session.wavefront, edited.session.cells
    rows = {line.reason: row for row, line in enumerate(edited.session.ledger.rows) if line.kind == "skipped"}
    for reason, state in ((SkipReason.BAND, BlockState.OUTSIDE_BAND), (SkipReason.ENDS, None)):
        index = edited.session.ledger.index(rows[reason], 0)
        ledger.table.setCurrentIndex(index)
        qtbot.mouseClick(
            ledger.table.viewport(), Qt.MouseButton.LeftButton, pos=ledger.table.visualRect(index).center()
        )
        row, col = cell_of(edited.session.ledger.rows[rows[reason]], model, 0)
        place = model.block_at(row, col)
        assert (None if place is None else model.state_at(*place)) == state
        assert cells.area.row <= row < cells.area.row + cells.area.n_rows
        assert cells.area.col <= col < cells.area.col + cells.area.n_cols
        assert edited.view(ComputationView).view is View.WORDS
    qtbot.keyClick(ledger.table, Qt.Key.Key_Return)
    edited.session.pair.swap()
    edited.session.swap()
    assert edited.session.ledger.rowCount() == 0
    qtbot.waitUntil(lambda: not edited.session.running)


def test_a_distance_without_a_path_is_said_everywhere(qtbot, edited):
    edited.session.choose(traceback=TracebackMethod.NONE)
    qtbot.expect(edited.session.compared, edited.session.run)
    assert "Distance only: A and B are not aligned" in edited.alignment.message
    assert edited.alignment.canvas.model is not None, "the letters are there all the same"
    assert place(edited.alignment) == "differences: not listed"
    assert "traceback not computed" in edited.views["statistics"].line.text
    assert edited.session.statistics.rows[0].value is not None
    assert "Strategy: band. Enough for" in edited.answer.words.words.tip
