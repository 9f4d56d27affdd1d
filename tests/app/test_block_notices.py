"""Notices beside blocks, and what their time counts."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.app.parts import offered
from tests.app.real_kernels import fake_kernels, window
from tests.app.test_blocks import A, B, answer, arrange, opened
from wavediff.app.ui import background_task
from wavediff.app.ui.notices import RUN, Severity
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.events import Progress
from wavediff.core.run.api.rearranged import blocks

__all__ = ["fake_kernels", "window"]


def test_the_blocks_are_offered_beside_the_dots(qtbot, window, write):
    window.session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: "Show the dots" in offered(window))
    qtbot.mouseClick(offered(window)["Show the dots"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Show the dots" not in offered(window))
    qtbot.mouseClick(offered(window)["Show the blocks"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.blocks.answer is not None)
    assert window.answer.notices.notices == ()


def test_what_is_said_of_the_answer_in_order_goes_with_it_and_comes_back(qtbot, window, write):
    window.session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: "Show the blocks" in offered(window))
    window.session.notice(Severity.WARNING, "No more alike than random letters", RUN)
    arrange(qtbot, window)
    assert window.answer.notices.notices == ()
    arrange(qtbot, window, "In order")
    qtbot.waitUntil(lambda: "Show the blocks" in offered(window))


def test_the_time_of_the_blocks_is_without_that_of_the_compiler(qtbot, window, write, monkeypatch):
    opened(qtbot, window, write(A, B))
    slot, now = window.session.blocks.slot, [100.0]
    monkeypatch.setattr(background_task, "monotonic", lambda: now[0])
    monkeypatch.setattr(slot, "submit", lambda job, *_: setattr(slot, "job", job))
    window.session.arrange()
    result = blocks(*window.session.pair.complete).result
    for seconds, stage in (
        (0.25, STAGE),
        (20.0, f"{STAGE} chains"),
        (9.0, "blocks"),
        (0.5, f"{STAGE} more"),
        (30.0, ""),
    ):
        now[0] += seconds
        if stage:
            slot.reported.emit(Progress(slot.job.id, stage, 1, 4, "letters"))
    job, slot.job = slot.job, None
    slot.finished.emit(result, job)
    assert answer(window).endswith(" · 0.75 s")
