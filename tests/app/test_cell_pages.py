"""The pages of cells and of words beside the map: what they show of which pair, and the window that is chosen."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.app.alignments import sequence
from tests.app.parts import open_texts
from wavediff.app.compare.cell_pages import CellsView, WordsView
from wavediff.app.compare.cell_session import Area, CellSession, letters_of
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.stage.lesson_stage import LessonStage
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.kept_matrix import KernelLayout, lcs_cells
from wavediff.core.methods.affine import AffineJob
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.methods.window_job import WindowResult
from wavediff.core.reading import parse
from wavediff.core.teach.unit import Unit


def outcome(a, b, kind=LcsJob, **choice):
    one, other = sequence(a), sequence(b)
    job = kind(a=one.letters, b=other.letters, **choice)
    result = EditResult(
        job_id=job.id, device="cpu", kernel_seconds=0.0, wall_seconds=0.0, alignment=None, strategy="full",
        reason="as chosen", n_cells=job.n_cells, cells=job.n_cells, distance=3, exact=True, skips=(), bands=(),
    )  # fmt: skip
    return Comparison(job, one, other, False, result)


class Kept:
    """A matrix of which everything is kept, and only some columns were computed."""

    n_bytes, layout, computed_again = 1, KernelLayout(1, 512, 2), (512, 256)
    computed = 100, 2_000

    def columns(self, row, n_rows):
        return self.computed

    def words(self, row, col, n_rows, n_cols):
        raise NotImplementedError

    def values(self, step, row, col, n_rows, n_cols):
        raise NotImplementedError


@pytest.fixture
def model(qtbot):
    return BlockMapModel()


@pytest.fixture
def looking(model, monkeypatch):
    """Its jobs go nowhere: ``jobs`` has them."""
    found = CellSession(model)
    found.jobs = []
    monkeypatch.setattr(found, "_submit", lambda job, _status: found.jobs.append(job))
    yield found
    found.close()


def page(qtbot, looking, kind=CellsView):
    theme = Theme(Scheme.LIGHT)
    view = kind(looking, theme)
    qtbot.addWidget(view)
    view.resize(500, 700)
    view.show()
    qtbot.waitExposed(view)
    return view


def run(model, n, m, *, kept, before=0):
    model.start(1, n, m)
    grid = BlockGrid(n - before, m - before, 512, 128, before, before)
    model.apply(Planned(1, grid, np.zeros(grid.shape, np.uint8), "full", "", 1, kept=kept))
    model.end(Phase.DONE)


def test_two_words_have_a_table_that_is_stepped_in_any_unit(qtbot, looking):
    view = page(qtbot, looking)
    assert "cell by cell" in view.note.text()
    assert not view.stage.isVisible()
    looking.show_outcome(outcome("kitten", "sitting", EditJob))
    assert view.stage.isVisible()
    assert not view.picker.isVisible()
    assert not view.note.isVisible()
    player = view.stage.player
    assert (player.at, player.n_frames) == (42, 43)
    assert view.share == 1.0
    view.show_share(0.5)
    assert player.at == 21
    view.stage.units.setCurrentIndex(view.stage.units.row(Unit.ROW))
    view.stage.units.activated.emit(view.stage.units.currentIndex())
    assert player.frame.unit is Unit.ROW
    looking.show_outcome(outcome("abcde", "baexd"))
    assert view.stage.player is not player
    assert view.stage.units.value is Unit.ROW  # as chosen before
    qtbot.keyClick(view.stage.stage, Qt.Key.Key_U)
    assert view.stage.units.value is view.stage.player.frame.unit


def test_a_table_seen_before_its_answer_gets_the_path_with_it(qtbot, looking):
    view, alignment = page(qtbot, looking), Alignment([Op.EQUAL, Op.MISMATCH, Op.EQUAL], [2, 1, 3])
    answer = outcome("kitten", "kiten?", EditJob)
    looking.show_outcome(replace(answer, result=None))
    player = view.stage.player
    assert view.stage.stage.canvas.path == []
    looking.show_outcome(answer)
    assert view.stage.player is player, "without a path nothing changes"
    looking.show_outcome(replace(answer, result=replace(answer.result, alignment=alignment)))
    assert view.stage.stage.canvas.path == [(k, k) for k in range(6, -1, -1)]
    assert view.share == 1.0


@pytest.mark.parametrize(("a", "b"), [("", ""), ("", "hello")])
@pytest.mark.parametrize("kind", [CellsView, WordsView])
def test_an_empty_sequence_has_no_place_to_click(qtbot, looking, a, b, kind):
    view = page(qtbot, looking, kind)
    looking.show_outcome(outcome(a, b, EditJob))
    assert view.note.text() == "An empty sequence has no cells."


def test_some_hundred_letters_have_a_table_soon_and_words_of_a_window(qtbot, looking):
    rng = np.random.default_rng(1)
    a, b = ("".join(rng.choice(list("ACGT"), 200)) for _ in range(2))
    cells, words = page(qtbot, looking), page(qtbot, looking, WordsView)
    looking.show_outcome(outcome(a, b))
    qtbot.waitUntil(lambda: cells.stage.isVisible())
    assert not cells.picker.isVisible()
    assert words.note.text().startswith("Choose Map and click a place in it"), "the table is not too large"
    looking.choose(150, 199)
    assert looking.area == Area(118, 136, 64, 64)
    assert words.stage.isVisible()
    whole = looking.whole.table.values
    assert (looking.cells.values == whole[118:183, 136:201]).all()
    table = looking.cells.by_columns.table
    assert (table.a, table.b) == (a[118:182], b[136:200])
    words.picker.setFocus()
    qtbot.keyClick(words.picker, Qt.Key.Key_Up)
    qtbot.keyClick(words.picker, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert looking.area == Area(54, 135, 64, 64)
    assert words.picker.text == "A 55 to 118, B 136 to 199"
    assert not looking.jobs


def test_cells_of_a_long_pair_come_from_what_its_run_kept(qtbot, looking, model):
    letters = "ACGT" * 600
    run(model, 2_400, 2_400, kept=Kept(), before=10)
    looking.show_outcome(outcome(letters, letters))
    view = page(qtbot, looking, WordsView)
    assert "A table of 2,400 × 2,400 cells is too large to show: the maximum is 512 × 512" in view.note.text()
    looking.choose(1_000, 1_000)
    job = looking.jobs[-1]
    assert (job.row, job.col, job.before, job.kept) == (968, 968, 10, model.kept)
    assert looking.block == Area(522, 906, 512, 128)
    assert not looking.seconds
    looking.move(968, 50)  # the columns before the hundredth were not computed
    assert looking.jobs[-1].kept is None
    values = lcs_values(letters, 968, 50)
    result = WindowResult(
        job_id=1, device="cpu", kernel_seconds=0.0, wall_seconds=0.0, row=968, col=50, values=values, words={},
        kept=Kept(), layout=Kept.layout,
    )  # fmt: skip
    looking._on_result(result)
    looking.updated.emit()
    assert view.stage.isVisible()
    assert view.order.isVisible()
    looking.move(900, 10)
    assert looking.jobs[-1].kept is result.kept
    looking._on_result(result)  # of the window before: it is not shown
    assert looking.cells is None
    first, area = looking.outcome, looking.area
    model.start(2, 5, 5)
    assert model.kept is None
    assert looking.outcome is None
    looking.show_outcome(replace(first, job=replace(first.job)))
    assert looking.area == area  # the same cells by another run
    looking.show_outcome(outcome(letters, letters))
    assert looking.area is None


def test_cells_are_there_while_the_run_goes_on(qtbot, looking, model):
    letters, kept = "ACGT" * 600, Kept()
    answer = outcome(letters, letters)
    looking.run_begins(replace(answer, result=None))
    model.start(answer.job.id, 2_400, 2_400)
    grid = BlockGrid(2_400, 2_400, 512, 128)
    board = np.zeros(grid.shape, np.uint8)
    view = page(qtbot, looking, WordsView)
    assert view.note.text().startswith("Here you watch")
    model.apply(Planned(answer.job.id, grid, board, "full", "", 1, kept=kept))
    looking.choose(1_000, 2_100)  # beyond the columns that are computed
    assert view.note.text() == "The run has not reached these cells yet."
    assert not view.compute_button.isVisible()
    assert not looking.jobs
    kept.computed = 100, 2_200
    board[0, 0] = BlockState.DONE
    model.poll()
    job = looking.jobs[-1]
    assert (job.row, job.col, job.kept) == (968, 2_068, kept)
    values = lcs_values(letters, 968, 2_068)
    layout = Kept.layout
    result = WindowResult(
        job_id=job.id, device="cpu", kernel_seconds=0.0, wall_seconds=0.0, row=968, col=2_068, values=values, words={},
        layout=layout,
    )  # fmt: skip
    looking._on_result(result)
    looking.updated.emit()
    assert view.stage.isVisible()
    cells = looking.cells
    model.end(Phase.DONE)
    looking.show_outcome(answer)
    assert looking.cells is cells, "what is stepped stays as it is"
    assert looking.outcome is answer


def test_what_a_stopped_run_did_not_come_to_is_offered(qtbot, looking, model, monkeypatch):
    monkeypatch.setattr("wavediff.app.compare.cell_session.estimated_seconds", lambda job, _: job.n_cells / 1e5)
    letters = "ACGT" * 600
    answer = outcome(letters, letters)
    looking.run_begins(replace(answer, result=None))
    model.start(answer.job.id, 2_400, 2_400)
    grid = BlockGrid(2_400, 2_400, 512, 128)
    kept = Kept()
    model.apply(Planned(answer.job.id, grid, np.zeros(grid.shape, np.uint8), "full", "", 1, kept=kept))
    view = page(qtbot, looking, WordsView)
    looking.choose(1_000, 2_100)
    model.end(Phase.STOPPED)
    looking.updated.emit()
    assert "those above are recomputed, 22 s" in view.note.text()
    assert view.compute_button.isVisible()


def lcs_values(letters, row, col):
    from wavediff.core.jobs.kept_matrix import fill_cells

    a = np.frombuffer(letters.encode(), np.uint8)
    zeros = np.zeros(a.size + 1, np.int64)
    return fill_cells(lcs_cells, a[:, None] == a[None, :], zeros, zeros)[row : row + 65, col : col + 65]


def test_cells_have_the_height_of_a_low_panel(qtbot):
    """As at 200 % on 1280 x 800: seven rows of numbers need 8 x 12 pixels, and had 62 over a sentence of one line."""
    stage = LessonStage(Theme(Scheme.LIGHT), hall=False, narrow=True)
    qtbot.addWidget(stage)
    stage.resize(592, 220)
    stage.show()
    canvas, sentence = stage.canvas, stage.sentence
    qtbot.waitUntil(lambda: canvas.geometry().right() < sentence.geometry().left() and canvas.height() > 8 * 12)
    stage.resize(360, 220)
    qtbot.waitUntil(lambda: canvas.geometry().bottom() < sentence.geometry().top())


def test_words_of_a_large_pair_are_stepped_by_keys_in_a_narrow_panel(qtbot, looking, model):
    """Whichever order was clicked; and no sentence is cut off."""
    letters = "ACGT" * 600
    run(model, 2_400, 2_400, kept=Kept())
    looking.show_outcome(outcome(letters, letters, EditJob))
    view = page(qtbot, looking, WordsView)
    assert isinstance(view, WordsView)
    view.resize(360, 640)
    looking.choose(1_000, 1_000)
    layout = Kept.layout
    values = np.abs(np.arange(65)[:, None] - np.arange(65)) + 1_600_000
    result = WindowResult(
        job_id=1, device="cpu", kernel_seconds=0.0, wall_seconds=0.0, row=968, col=968, values=values, words={},
        layout=layout,
    )  # fmt: skip
    looking._on_result(result)
    looking.updated.emit()
    for order in (view.order.buttons[1], view.order.buttons[0]):
        qtbot.mouseClick(order, Qt.MouseButton.LeftButton)
        player, sentence = view.stage.player, view.stage.stage.sentence
        last = player.at
        for k in range(3):
            area = sentence.fontMetrics().boundingRect(sentence.rect(), Qt.TextFlag.TextWordWrap, sentence.text)
            assert area.height() <= sentence.height(), sentence.text
            assert player.at == last - k
            focus = view.focusWidget()
            assert focus is not None
            qtbot.keyClick(focus, Qt.Key.Key_Left)
        assert order.isChecked()
    for unit, step in ((Unit.WORD, 5), (Unit.COLUMN, 7)):  # as a picture of one says
        view.show_step(unit, step)
        player = view.stage.player
        assert (player.frame.unit, player.frame.step) == (unit, step)


def test_what_takes_long_is_said_and_waits_for_a_click(qtbot, looking, monkeypatch):
    letters = "ACGT" * 600
    monkeypatch.setattr("wavediff.app.compare.cell_session.estimated_seconds", lambda *_: 12.3)
    view = page(qtbot, looking, WordsView)
    looking.show_outcome(outcome(letters, letters))
    looking.choose(2_000, 2_000)
    assert not looking.jobs
    assert view.note.text() == "These cells are not stored: those above are recomputed, 12 s."
    view.compute_button.click()
    job = looking.jobs[-1]
    assert (job.row, job.col, job.kept) == (1_968, 1_968, None)


def test_what_lies_far_behind_what_is_kept_is_said_too(looking, model, monkeypatch):
    letters, asked = "ACGT" * 600, []
    monkeypatch.setattr("wavediff.app.compare.cell_session.estimated_seconds", lambda job, _: asked.append(job) or 12.3)
    run(model, 2_400, 2_400, kept=Kept())
    looking.show_outcome(outcome(letters, letters))
    looking.choose(1_000, 1_000)
    assert looking.seconds == 12.3
    assert not looking.jobs
    assert (asked[-1].a.size, asked[-1].b.size, asked[-1].threads) == (*Kept.computed_again, 1)


@pytest.mark.parametrize(("kind", "choice"), [(EditJob, {"ends": Ends.A}), (AffineJob, {})])
def test_a_comparison_without_such_a_table_says_so(qtbot, looking, kind, choice):
    view = page(qtbot, looking)
    looking.show_outcome(outcome("kitten", "sitting", kind, **choice))
    assert "cannot be shown" in view.note.text()
    looking.choose(1, 1)
    assert looking.area is None


def test_case_is_folded_as_in_the_comparison(looking):
    looking.show_outcome(outcome("Kitten", "sitting", EditJob, fold_case=True))
    assert letters_of(looking.outcome, slice(6), slice(0))[0] == "KITTEN"


@pytest.mark.parametrize(("b", "shown"), [("GCAUGCU", "GAUUACA GCAUGCU"), ("GCATGCT", "GAUUACA GCATGCT")])
def test_two_rnas_keep_their_u(looking, b, shown):
    one, other = (parse(text.encode()).sequence(0) for text in (">a\nGAUUACA", f">b\n{b}"))
    looking.show_outcome(replace(outcome("", "", EditJob, fold_case=True), a=replace(one, u_is_t=True), b=other))
    assert " ".join(letters_of(looking.outcome, slice(7), slice(7))) == shown


def test_the_views_are_of_one_moment(qtbot, window, pair):
    view, looking = window.view(ComputationView), window.session
    window.resize(1280, 800)
    assert view.view is View.MAP
    qtbot.expect(looking.compared, looking.open_paths, list(pair), None)
    qtbot.waitUntil(lambda: view.view is View.CELLS)  # the real cells of a few letters
    assert not view.canvas.isVisible()
    assert view.pages[View.CELLS].stage.isVisible()
    assert looking.cells.area == Area(0, 0, 10, 12)
    view.views.buttons[0].click()
    assert view.canvas.isVisible()
    assert not view.pages[View.CELLS].isVisible()
    qtbot.expect(looking.compared, looking.run)
    qtbot.wait(50)
    assert view.view is View.MAP  # as chosen, while the pair stays as small
    qtbot.mouseClick(view.views.buttons[3], Qt.MouseButton.LeftButton)
    assert view.pages[View.WORDS].stage.isVisible()
    qtbot.waitUntil(lambda: view.pages[View.WORDS].isAncestorOf(window.focusWidget()))
    player = view.pages[View.WORDS].stage.player
    before = player.at
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Left)
    assert player.at == before - 1


def test_a_pair_with_swaps_has_its_table_with_the_path_and_what_each_cell_looks_up(qtbot, window, session):
    view = window.view(ComputationView)
    window.resize(1280, 800)
    session.choose(method="swap", swaps=True)
    qtbot.expect(session.compared, open_texts, session, "ababca", "cbacab")
    qtbot.waitUntil(lambda: view.view is View.CELLS and view.pages[View.CELLS].stage.isVisible(), timeout=10_000)
    stage = view.pages[View.CELLS].stage
    canvas, player = stage.stage.canvas, stage.player
    assert player.at_end
    grid = player.frame.part.trace.scene(player.frame.unit, player.frame.step).grid
    assert grid.values[-1, -1] == 3
    assert (canvas.path[0], canvas.path[-1]) == ((6, 6), (0, 0))
    costs = [grid.values[cell] for cell in canvas.path]
    assert costs == sorted(costs, reverse=True), "a script costs no less the further it is"
    assert canvas.tip((5, 6)) == (
        "H[5, 6]\n"
        "DX: a 3, b 4, c 0 · DY: 4 · p = 4, q = 4\n"
        "H[5,6] = min(H[4,5] + 1 = 4; H[4,6] + 1 = 4; H[5,5] + 1 = 4; H[3,3] + 0 + 1 + 1 = 3) = 3"
    )
    assert "no swap ends here" in canvas.tip((1, 1))
    assert "nothing read yet" in canvas.tip((0, 3))
