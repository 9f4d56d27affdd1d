"""Swaps in the window: the switch, what changes with it, the crossing links."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.app.alignment_window import Shown, place, shown, view  # noqa: F401
from tests.app.alignments import from_cigar, sequence
from tests.app.fakes import fasta
from tests.app.parts import kinds
from tests.core.pairs import random_letters
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.jobs.alignment import SWAP, Swaps
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.events import StepDone
from wavediff.core.jobs.time_left import PLANNED
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job

A, B = "ACGTCATTACG", "ACTGABCTTACG"


def swaps_of(*rows):
    return Swaps(*(np.array(column, np.int64) for column in zip(*rows, strict=True)))


def model(front=0):
    """Two swaps, the second one with a letter of B inside, ``front`` letters further right."""
    runs = ((front + 2, "="), (3, "X"), (1, "I"), (1, "X"), (5, "="))
    swaps = swaps_of((front + 2, front + 3, front + 2, front + 3), (front + 4, front + 5, front + 4, front + 6))
    a, b = sequence("G" * front + A), sequence("G" * front + B)
    return AlignmentModel(a, b, index_alignment(from_cigar(*runs), swaps), False, swaps)


@pytest.mark.parametrize("front", [0, 7, 3000])
def test_each_swap_that_is_in_sight_is_found(front):
    made = model(front)
    both = [(front + 2, front + 3), (front + 4, front + 6)]
    assert made.swaps_at(0, made.n_columns) == both
    assert made.swaps_at(front + 3, front + 4) == both[:1]
    assert made.swaps_at(front + 5, front + 6) == both[1:], "a page inside a swap"
    assert made.swaps_at(front + 7, front + 12) == []
    assert made.swaps_at(0, front + 2) == []
    both_and_between = {*range(front + 2, front + 7)}
    for first, end in ((0, made.n_columns), (front + 3, front + 4), (front + 5, front + 6), (0, front + 2)):
        marked = np.flatnonzero(made.rows(first, end).op == SWAP) + first
        assert set(marked.tolist()) == both_and_between & {*range(first, end)}


def test_a_column_says_what_was_swapped():
    made = model()
    assert made.describe(2).endswith("swapped: A 3 is B 4, A 4 is B 3")
    assert made.describe(6).endswith("swapped: A 6 is B 5, A 5 is B 7")
    assert made.describe(5).endswith("swap, 3 letters")
    assert made.describe(1).endswith("equal")


def test_a_swap_is_one_step_with_a_kind_of_its_own_and_counts_as_the_list_does(qtbot, window, session, tmp_path):
    session.choose(method="swap")
    with qtbot.waitSignal(session.compared, timeout=60_000):
        session.open_paths(
            [fasta(tmp_path / "a.fa", ("a", A + "ACGT" * 9)), fasta(tmp_path / "b.fa", ("b", B + "ACGA" + "ACGT" * 8))]
        )
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    letters, rows = window.alignment, window.view(DifferencesView).model
    assert kinds(letters)[Kinds.SWAP].isVisible()
    assert kinds(letters)[Kinds.SWAP].text() == "2"
    assert kinds(letters)[Kinds.MISMATCH].text() == "1", "the letters of a swap are no substitutions"
    assert (place(letters), rows.n_rows) == ("3 differences", 3)
    steps = []
    for _ in range(3):
        letters.navigation.go_next()
        steps.append((place(letters), letters.canvas.caret))
    assert steps == [("difference 1 of 3", 2), ("difference 2 of 3", 4), ("difference 3 of 3", len(B) + 3)]
    qtbot.mouseClick(kinds(letters)[Kinds.SWAP], Qt.MouseButton.LeftButton)
    assert (place(letters), rows.n_rows) == ("difference 1 of 1", 1)
    letters.navigation.go_previous()
    assert letters.canvas.caret == len(B) + 3, "swaps are passed over"


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize("width", [260, 700])
def test_links_cross_between_the_letters(qtbot, shown, wrapped, width):  # noqa: F811
    pictures = []
    for swaps in (None, model(40).swaps):
        made = model(40)
        view_ = shown((1, "="), size=(width, 420))
        view_.show_result(made.a, made.b, made.index.alignment, False, swaps)
        qtbot.waitUntil(lambda shown_=view_: shown_.model is not None)
        view_.canvas.set_wrapped(wrapped)
        view_.canvas.reveal(made.n_columns - 1)
        image = view_.canvas.grab().toImage()
        cross = Theme(Scheme.LIGHT).kind(SWAP).strong.rgb()
        pictures.append(sum(image.pixel(x, y) == cross for x in range(image.width()) for y in range(image.height())))
    assert pictures[1] > pictures[0] + 20


def test_the_switch_compares_again_and_tells_the_change(qtbot, window, session, tmp_path):
    bar = window.header.options_popover
    assert not bar.options.parts["swaps"].box.isVisibleTo(bar)
    session.choose(method="swap")
    assert bar.options.parts["swaps"].box.isVisibleTo(bar)
    assert bar.options.parts["swaps"].box.isChecked()
    with qtbot.waitSignal(session.compared, timeout=60_000):
        session.open_paths([fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", B))])
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    assert len(window.alignment.model.swaps) == 2
    words = window.answer.words.words
    assert words.sentence.startswith("3 edits · ")
    assert "2 swaps" in words.quiet
    assert "4 edits without swaps" in words.quiet
    qtbot.expect(session.compared, bar.options.parts["swaps"].box.click)
    assert len(window.alignment.model.swaps) == 0
    assert window.answer.words.words.sentence.startswith("4 edits · ")
    assert "swaps not allowed (3 edits if allowed)" in window.answer.words.words.quiet
    rows = {row.key: row.value for row in session.statistics.rows}
    assert (rows["distance"], rows["distance_without_swaps"], rows["swaps"]) == (3, 4, 0)


def test_a_swap_is_found_from_any_columns_that_it_has():
    swaps = Swaps(*(np.array([each]) for each in (1, 4, 1, 2)))
    runs = from_cigar((1, "="), (1, "X"), (2, "D"), (1, "X"), (2, "="), (1, "X"))
    model = AlignmentModel(sequence("GACCTGGA"), sequence("GTAGGC"), index_alignment(runs, swaps), swaps=swaps)
    for col0, col1 in itertools.combinations(range(9), 2):
        assert model.swaps_at(col0, col1) == ([(1, 4)] if col0 <= 4 and col1 > 1 else []), (col0, col1)


@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
def test_the_share_that_is_done_counts_the_second_matrix(qtbot, path):
    """With a path the other choice of swaps is computed too, which takes as long."""
    rng, seen, model = np.random.default_rng(3), [], BlockMapModel()
    job = SwapEditJob(a=random_letters(rng, 3_000, 4), b=random_letters(rng, 3_100, 4), path=path)
    model.start(job.id, 3_000, 3_100)

    def report(event):
        model.apply(event)
        if isinstance(event, StepDone) and event.cells and event.kernel in PLANNED:
            seen.append((event.kernel, model.fraction))

    run_job(job, report=report)
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert (shares[-1], shares[:-1].count(1.0)) == (1.0, 0)
    assert dict(seen) == ({"blocks": 1.0} if path is TracebackMethod.NONE else {"blocks": 0.5, "without swaps": 1.0})
    model.end(Phase.DONE)
