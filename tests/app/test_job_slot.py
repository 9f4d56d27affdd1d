"""The slot that every session runs its jobs in."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QThread

from tests.app.fakes import FakeJob
from wavediff.app.ui import background_task, devices
from wavediff.app.ui.background_task import JobSlot, SideSession
from wavediff.app.ui.notices import Severity
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.events import Progress

APP = Path(__file__).parents[2] / "app"


def counting(steps=3, error=None):
    """Return a job of ``steps`` of 5 ms, which then fails with ``error`` if there is one."""

    def run(job):
        for step in range(steps):
            time.sleep(0.005)
            yield Progress(job.id, f"stage {step}", 1, 1, "letters")
        if error is not None:
            raise error

    return FakeJob(run)


@pytest.fixture
def slot(qtbot, fake_kernels):
    slot = JobSlot("test")
    yield slot
    assert slot.close()


def test_a_result_comes_with_its_job_and_finds_the_slot_free(qtbot, slot):
    answers = []
    slot.finished.connect(lambda result, job: answers.append((result, job, slot.job)))
    job = counting()
    slot.submit(job)
    assert slot.job is job
    qtbot.waitUntil(lambda: bool(answers))
    assert answers[0][1:] == (job, None)


def test_of_a_job_that_was_replaced_nothing_is_heard(qtbot, slot):
    heard = []
    slot.reported.connect(lambda event: heard.append(event.job_id))
    slot.finished.connect(lambda _result, job: heard.append(job.id))
    first, second = counting(1000), counting()
    slot.submit(first)
    qtbot.waitUntil(lambda: bool(heard))
    slot.submit(second)
    heard.clear()
    slot._finish(first.id, "a result nobody waits for")
    slot._fail(first.id, RuntimeError("an error nobody waits for"))
    with qtbot.waitSignal(slot.finished):
        pass
    assert set(heard) == {second.id}


def test_stopping_frees_the_slot_at_once(qtbot, slot):
    heard = []
    slot.reported.connect(heard.append)
    slot.submit(counting(1000))
    qtbot.waitUntil(lambda: bool(heard))
    assert slot.stop()
    assert slot.job is None
    assert not slot.stop()
    heard.clear()
    qtbot.wait(50)
    assert heard == []


def test_threads_for_jobs_are_owned_by_slots():
    """But for the one that asks the driver of the card."""
    owners = {path for path in APP.rglob("*.py") if "JobWorker(" in path.read_text(encoding="utf-8")}
    assert owners == {Path(background_task.__file__), Path(devices.__file__)}


def test_events_of_jobs_inside_a_job_are_told_apart(slot):
    own = []
    inside = []
    slot.reported.connect(own.append)
    slot.part_reported.connect(inside.append)
    slot.job = job = counting()
    for job_id in (job.id, job.id + 1):
        slot._report(Progress(job_id, "stage", 1, 2, "letters"))
    slot.job = None
    slot._report(Progress(job.id, "stage", 2, 2, "letters"))
    assert [event.job_id for event in own] == [job.id]
    assert [event.job_id for event in inside] == [job.id + 1]


def test_a_closed_slot_takes_no_job(qtbot, fake_kernels):
    slot = JobSlot("test")
    assert slot.close()  # without a thread
    slot.submit(counting())
    slot.probe(FakeJob)
    assert slot.job is None
    assert not slot.findChildren(QThread)


@pytest.mark.parametrize(
    ("error", "text", "crash"),
    [
        (NotEnoughMemory("needs 9 GB of 8 GB"), "needs 9 GB of 8 GB", False),
        (MemoryError(), "It failed: not enough memory", False),
        (OSError("the disk is gone"), "It failed: OSError: the disk is gone", False),
        (ZeroDivisionError("oh"), "It failed: ZeroDivisionError: oh", True),
    ],
)
def test_a_session_says_why_a_job_failed(qtbot, fake_kernels, error, text, crash):
    session = SideSession("test", "It failed", "Nothing yet", "")
    said = []
    crashes = []
    session.noticed.connect(said.append)
    session.crashed.connect(crashes.append)
    session._submit(counting(1, error), "Working…")
    assert (session.running, session.status) == (True, "Working…")
    qtbot.waitUntil(lambda: bool(said))
    assert (session.running, session.status) == (False, "Failed")
    assert [(each.level, each.text) for each in said] == [(Severity.ERROR, text)]
    assert bool(crashes) == crash
    assert session.close()
