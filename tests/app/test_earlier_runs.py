"""What the window shows of a run: forecasts as forecasts, and nothing of an earlier run beside a later one."""

import pytest
from PySide6.QtCore import Qt

from tests.app.parts import open_texts
from tests.app.real_kernels import fake_kernels, window
from tests.core.screening.test_relation import random_letters
from wavediff.app.compare import computation_facts
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.window import session as session_module
from wavediff.app.window.panels.band_bar import BandBar, ProofBar
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.run.rates import MemoryEstimate

__all__ = ["fake_kernels", "window"]

A = random_letters(3_000, 5).decode()
B = A[:900] + "ACGTACGTAA" + A[960:2_400] + A[2_405:]


@pytest.fixture
def edited(qtbot, window):
    session = window.session
    session.choose(method="edit")
    qtbot.expect(session.compared, open_texts, session, A, B)
    window.show_panel("computation")
    return window


def facts(window):
    return {fact.name: fact.value for fact in window.view(ComputationView).figures.facts.facts}


@pytest.mark.parametrize(
    ("estimate", "said"), [((60, 6_900), "60 MB to 6.9 GB"), ((700, 700), "700 MB")], ids=["by the letters", "known"]
)
def test_memory_beside_an_answer_is_worded_as_an_estimate(qtbot, edited, monkeypatch, estimate, said):
    monkeypatch.setattr(computation_facts, "estimate_memory", lambda _: MemoryEstimate(*(10**6 * n for n in estimate)))
    qtbot.expect(edited.session.compared, edited.session.run)
    qtbot.waitUntil(lambda: facts(edited).get("Memory") == f"{said}, estimated before the run")


@pytest.mark.parametrize("anew", [False, True], ids=["same options", "other options"])
def test_marks_of_an_answer_end_when_another_run_begins(qtbot, edited, monkeypatch, anew):
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)
    session, bar, proof = edited.session, edited.findChild(BandBar), edited.findChild(ProofBar)
    said, distance = bar.verdict.text, session.outcome.result.distance
    assert said == f"{distance} edits, exact"
    assert not proof.isHidden()
    if anew:
        session.choose(band="none")
    session.run()
    assert session.running, "its result comes with a later turn of the event loop"
    assert (bar.verdict.text, proof.isHidden()) == ("", True)
    edited.setFocus()
    qtbot.keyClick(edited, Qt.Key.Key_Escape)
    assert not session.running
    assert (bar.verdict.text, proof.isHidden()) == ("", True)
    listed = edited.view(DifferencesView)
    assert listed.status.text.startswith("Previous result (Edits) – press Run to update")
    assert f"Before: {session.outcome.headline}" in edited.answer.words.words.quiet
    qtbot.expect(session.compared, session.run)
    assert (bar.verdict.text, proof.isHidden()) == (said, False)
    qtbot.waitUntil(lambda: "Previous" not in listed.status.text)


def test_no_place_waits_for_a_path_that_no_run_computes(qtbot, window):
    session, listed = window.session, window.view(DifferencesView)
    session.choose(method="edit")
    session.choose(traceback=TracebackMethod.NONE)
    seen = []
    session.phase_changed.connect(
        lambda: seen.append((window.alignment.message, listed.message)) if session.running else None
    )
    session.start = session.start.changed(traceback=TracebackMethod.NONE)
    qtbot.expect(session.compared, open_texts, session, A, B)
    seen.append((window.alignment.message, listed.message))
    assert len(seen) > 1
    for letters, rows in seen:
        assert letters.startswith("Distance only: ")
        assert rows.startswith("No difference list: ")
        assert letters.endswith("choose a traceback under Options and press Run.")
        assert rows.endswith("Choose a traceback under Options and press Run.")


def test_a_job_is_built_once_for_all_that_the_window_asks_of_it(qtbot, edited, monkeypatch):
    session, built, job = edited.session, [], JobOptions.job
    monkeypatch.setattr(JobOptions, "job", lambda *args, **named: built.append(args) or job(*args, **named))
    qtbot.expect(session.compared, session.run)
    qtbot.waitUntil(lambda: not edited.turns.busy)
    assert len(built) == 1, "the one that runs"
    qtbot.expect(session.compared, session.choose, fold_case=False)
    assert len(built) == 3, "whether it is quick, and the one that runs"
    first = session.outcome.job
    qtbot.expect(session.compared, session.run)
    assert session.outcome.job.id != first.id
