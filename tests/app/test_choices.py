"""A choice after a result: quick ones are compared again by themselves, else the result is said to be of before."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.app import fakes
from tests.app.alignments import sequence
from tests.app.parts import button
from tests.app.saving import Asked
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.window import session as session_module
from wavediff.app.window.frame.answer_text import stale_text
from wavediff.app.window.panels.band_bar import ProofBar
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob, LcsKernel
from wavediff.core.methods.swap import SWAP, SwapEditJob
from wavediff.core.run.dispatch import estimated_seconds


@pytest.fixture
def compared(qtbot, window, pair):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    return window


@pytest.fixture
def slow(monkeypatch):
    """Every run is estimated to take long."""
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)


def _darkest(widget):
    shown = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.bytesPerLine())
    return int(rows[:, : shown.width()].min())  # behind it a row is filled up with anything


def _choose(window, method):
    next(each for each in window.header.methods.buttons if each.text() == method).click()


def test_a_quick_pair_is_compared_again_after_each_choice(qtbot, compared):
    with qtbot.waitSignal(compared.session.compared) as got:
        _choose(compared, "Edits")
    assert isinstance(got.args[0].result, EditResult)
    assert not compared.session.stale
    with qtbot.waitSignal(compared.session.compared) as got:
        button(compared.header.options_popover, "Ignore case").click()
    assert not got.args[0].fold_case
    with qtbot.waitSignal(compared.session.compared) as got:
        compared.header.options_popover.options.parts["band"].box.setCurrentIndex(2)
        compared.header.options_popover.options.parts["band"].box.activated.emit(2)
    assert got.args[0].job.band == "none"


def test_a_result_of_before_is_greyed_and_keeps_its_name(qtbot, compared, slow, tmp_path):
    before, rows = _darkest(compared.alignment.canvas), compared.view(DifferencesView).table.rows
    bar = compared.findChild(ProofBar)
    qtbot.waitUntil(lambda: rows.model().rowCount() > 0 and not bar.isHidden())
    listed = _darkest(rows.viewport())
    _choose(compared, "Edits")
    assert not compared.session.running
    assert bar.isHidden(), "the answer of before is not the one to prove"
    assert _darkest(rows.viewport()) > listed + 50
    said = "Previous result (Common letters) – press Run to update"
    assert compared.alignment.stepper.toolTip() == said
    assert not compared.alignment.stepper.place_label.isEnabled()
    assert compared.views["statistics"].line.text.startswith(said)
    assert compared.views["skipped"].line.text.startswith(said)
    compared.session.screening.waiting = True  # a long run has begun
    assert stale_text(compared.session) == "Previous result (Common letters)"
    compared.session.screening.waiting = False
    words = compared.answer.words.words
    assert words.sentence.startswith("LCS ")
    assert words.quiet == "of Common letters; press Run"
    assert words.faded
    assert _darkest(compared.alignment.canvas) > before + 50
    compared.actions_by_id["export"].trigger()
    asked = Asked(qtbot, compared)
    assert asked.dialog.windowTitle() == "Export the previous result (Common letters)"
    assert asked.name.text() == "one_vs_two.lcs.paf"
    asked.dialog.reject()
    _choose(compared, "Common letters")  # back: it is the result of what is chosen again
    assert compared.alignment.stepper.place_label.isEnabled()
    assert compared.views["statistics"].line.text == compared.session.statistics.note
    assert not compared.answer.words.words.faded
    assert _darkest(compared.alignment.canvas) == before


def test_run_makes_a_stale_result_one_of_now(qtbot, compared, slow):
    _choose(compared, "Edits")
    qtbot.expect(compared.session.compared, compared.actions_by_id["run"].trigger)
    assert stale_text(compared.session) == ""
    assert compared.alignment.stepper.place_label.isEnabled()
    assert "identical" in compared.answer.words.words.sentence


def test_a_result_that_comes_after_another_choice_is_stale_at_once(qtbot, compared, slow):
    with qtbot.waitSignal(compared.session.compared):
        compared.session.run()
        _choose(compared, "Edits")
    assert stale_text(compared.session).startswith("Previous result (Common letters)")


def test_a_pair_that_is_about_to_be_replaced_is_not_compared_first(compared, monkeypatch):
    opened = []
    monkeypatch.setattr(compared.session, "open_records", lambda *records: opened.append(records))
    compared.show_pair("first", 0, "second", 3, SWAP)
    ((*records, job),) = opened
    assert records == ["first", 0, "second", 3]
    assert job.method == "swap"
    assert compared.session.choices.method == "lcs"  # the choices of another pair are that pair's
    assert not compared.session.running


def test_the_estimate_knows_the_device_and_the_way():
    a, b = sequence("ACGT" * 1000).letters, sequence("ACGA" * 1000).letters
    quick = estimated_seconds(EditJob(a=a, b=b))
    assert quick < 0.01
    assert estimated_seconds(LcsJob(a=a, b=b, path=TracebackMethod.HIRSCHBERG)) == 2 * estimated_seconds(
        LcsJob(a=a, b=b)
    )
    assert estimated_seconds(SwapEditJob(a=a, b=b)) > quick
    assert estimated_seconds(EditJob(a=a, b=b), Device.GPU) > quick
    paper = next(kernel for kernel in LcsKernel if kernel is not LcsKernel.DEFAULT)
    assert estimated_seconds(LcsJob(a=a, b=b, kernel=paper)) > quick


def test_an_answer_is_of_before_once_its_run_was_started_again_and_stopped(qtbot, compared):
    letters = compared.alignment
    assert not stale_text(compared.session)
    fakes.Lcs.endless, fakes.Lcs.seconds = True, 0.005
    compared.session.run()
    qtbot.waitUntil(lambda: compared.session.running)
    compared.session.stop()
    qtbot.waitUntil(lambda: letters.stepper.toolTip() == "Previous result (Common letters) – press Run to update")
    fakes.Lcs.endless = False
    qtbot.expect(compared.session.compared, compared.session.run)
    assert not stale_text(compared.session)
