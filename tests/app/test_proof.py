"""The button that proves an answer: what it says, what it puts into files, and an answer that is wrong."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tests.app.real_kernels import fake_kernels
from wavediff.app.window.panels.band_bar import ProofBar

__all__ = ["fake_kernels"]

SEAL = "came out the same by rows of words with additions, read from the end to the beginning"


@pytest.fixture
def bar(qtbot, window, session, pair):
    found = window.findChild(ProofBar)
    assert found.isHidden()
    session.choose(method="edit")
    qtbot.expect(session.compared, session.open_paths, list(pair), None)
    qtbot.waitUntil(lambda: not found.isHidden(), timeout=10_000)
    return found


def test_an_answer_is_proven_and_its_files_say_so(qtbot, window, session, bar, tmp_path):
    assert bar.said.text() == "Computed again in full by another kernel"
    with qtbot.waitSignal(session.proven, timeout=60_000):
        qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
        assert not bar.button.isEnabled()
    assert bar.said.text().startswith(SEAL.capitalize())
    assert not bar.button.isEnabled()
    assert session.outcome.result.verified
    assert SEAL in window.answer.words.toolTip()
    session.swap()  # another pair, another answer
    qtbot.waitUntil(lambda: bar.button.isEnabled(), timeout=30_000)
    assert SEAL.capitalize() not in bar.said.text()


def test_an_answer_that_is_wrong_is_told(qtbot, session, bar):
    notices = []
    session.noticed.connect(notices.append)
    outcome = session.outcome
    session.proof.prove(replace(outcome, result=replace(outcome.result, distance=outcome.result.distance + 1)))
    qtbot.waitUntil(lambda: bool(notices), timeout=30_000)
    assert "one of the two is wrong" in notices[0].text
    assert session.outcome is outcome
    assert bar.button.isEnabled()


def test_a_bound_is_not_offered(qtbot, session, bar):
    qtbot.expect(session.compared, session.try_threshold, 1)
    assert not session.outcome.result.exact
    qtbot.waitUntil(bar.isHidden, timeout=10_000)
