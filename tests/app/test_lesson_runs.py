"""The lesson of a run of one's own, in the window: it follows the current answer."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.app.parts import open_texts
from tests.app.real_kernels import fake_kernels
from wavediff.app.teach.lesson_view import LessonView
from wavediff.core.teach.lesson import headings

__all__ = ["fake_kernels"]
RNG = np.random.default_rng(5)
LARGE = ["".join("ACGT"[x] for x in RNG.integers(0, 4, 30_000)) for _ in range(2)]


@pytest.fixture
def view(window):
    window.show_panel("lessons")
    view = window.view(LessonView)
    view.lessons.choose(next(one.path for one in headings() if one.id == "your-run"))
    view.lessons.activated.emit(0)
    return view


def test_the_lesson_plays_the_run_of_the_answer_that_is_shown(qtbot, window, session, view):
    def seen():
        trace = view.player.frame.part.trace
        sheet = trace.scene(*view.player.frame[2:]).parts[1]
        return sheet.title, trace.value_of("rows"), trace.value_of("columns")

    ships = seen()
    assert ships[0] == "Run that ships"
    qtbot.expect(session.compared, open_texts, session, *LARGE)
    assert seen() == ("Run of the answer", 30_000, 30_000)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_End)
    first = view.player
    view.hide()
    view.show()
    assert view.player is first  # the same answer: the lesson goes on where it was
    qtbot.expect(session.compared, session.compare_range, 1_000, 29_000, 0, 30_000)
    assert seen() == ("Run of the answer", 28_000, 30_000)
    qtbot.expect(session.compared, open_texts, session, "ACGT", "AGT")
    assert seen() == ships  # so small a pair has no times of places
    assert "Compare something large" in view.player.frame.part.trace.value_of("whose")
