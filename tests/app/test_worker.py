"""Jobs on the worker thread, seen from the GUI thread."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import QObject, Signal, Slot

from tests.app.fakes import FakeJob, Lcs
from tests.depth import DEEP, deeper
from wavediff.core.base.errors import InputError
from wavediff.core.jobs.events import Compiled, KernelTiming, Planned, Progress, Recorded, StepDone
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.worker import JobWorker


class Listener(QObject):
    """Keeps what arrives, and in which thread."""

    def __init__(self, worker):
        super().__init__()
        self.events = []
        self.ends = []
        self.values = []
        self.threads = set()
        worker.reported.connect(self.event)
        worker.finished.connect(self.finished)
        worker.failed.connect(self.failed)
        worker.cancelled.connect(self.cancelled)

    @Slot(object)
    def event(self, event):
        self.events.append(event)
        self.threads.add(threading.get_ident())

    @Slot(int, object)
    def finished(self, job_id, value):
        self.ends.append(("finished", job_id))
        self.values.append(value)

    @Slot(int, object)
    def failed(self, job_id, error):
        self.ends.append(("failed", job_id))
        self.values.append(error)

    @Slot(int)
    def cancelled(self, job_id):
        self.ends.append(("cancelled", job_id))


@pytest.fixture
def worker(qtbot, fake_kernels):
    worker = JobWorker()
    yield worker
    assert worker.close()


@pytest.fixture
def heard(worker):
    return Listener(worker)


def lcs_job():
    return LcsJob(a=np.zeros(64, np.uint8), b=np.zeros(64, np.uint8))


def test_events_arrive_in_order_on_the_gui_thread(qtbot, worker, heard):
    job = lcs_job()
    worker.submit(job)
    qtbot.waitUntil(lambda: bool(heard.ends))
    steps = [event for event in heard.events if isinstance(event, StepDone)]
    kinds = [Compiled, Planned, *[StepDone] * len(steps), Recorded, KernelTiming]
    assert [type(event) for event in heard.events] == kinds
    assert sum(step.calls for step in steps) == 8
    assert sum(step.cells for step in steps) == job.a.size * job.b.size
    assert heard.threads == {threading.get_ident()}
    assert heard.ends == [("finished", job.id)]
    assert Lcs.threads != {threading.current_thread().name}


def test_steps_are_added_up_and_none_is_lost(qtbot, worker, heard):
    """A window shows figures some times a second; a kernel may report thousands of times."""

    def steps(job):
        for at in range(3000):
            yield StepDone(job.id, "blocks" if at % 1000 else "encode", 1, 7, 0.001)
        yield Progress(job.id, "packing", 1, 2)
        yield StepDone(job.id, "blocks", 1, 7, 0.001)

    worker.submit(FakeJob(steps))
    qtbot.waitUntil(lambda: bool(heard.ends))
    sums = {"blocks": 0, "encode": 0}
    for event in heard.events:
        if isinstance(event, StepDone):
            sums[event.kernel] += event.calls
            assert event.cells == 7 * event.calls
            assert event.seconds == pytest.approx(0.001 * event.calls)
    assert sums == {"blocks": 2998, "encode": 3}
    told = [type(event) for event in heard.events]
    assert told.index(Progress) == len(told) - 5  # after what came before it; then the last step, record and timings
    assert len(told) < 100


def test_every_job_ends_exactly_once_and_the_last_wins(qtbot, worker, heard):
    Lcs.endless, Lcs.seconds = True, 0.002
    jobs = [lcs_job() for _ in range(3)]
    worker.submit(jobs[0])
    qtbot.waitUntil(lambda: len(heard.events) > 3)
    worker.submit(jobs[1])  # never begins: the third replaces it while the first still ends
    worker.submit(jobs[2])
    qtbot.waitUntil(lambda: len(heard.ends) == 2)
    Lcs.endless = False
    qtbot.waitUntil(lambda: len(heard.ends) == 3)
    assert heard.ends == [("cancelled", jobs[0].id), ("cancelled", jobs[1].id), ("finished", jobs[2].id)]
    assert jobs[1].id not in Lcs.closed


def test_cancel_reaches_a_running_job_and_closes_its_kernel(qtbot, worker, heard):
    Lcs.endless, Lcs.seconds = True, 0.002
    job = lcs_job()
    worker.submit(job)
    qtbot.waitUntil(lambda: len(heard.events) > 3)
    worker.cancel()
    worker.cancel()  # twice is once
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [("cancelled", job.id)]
    assert Lcs.closed == [job.id]
    assert isinstance(heard.events[-1], KernelTiming)  # what was measured so far is kept


@pytest.mark.parametrize(
    "error", [ValueError("x"), MemoryError(), KeyboardInterrupt(), SystemExit(3), InputError("f.fa", "nothing")]
)
def test_whatever_is_raised_arrives_as_failed(qtbot, worker, heard, error):
    """A slot that raises would leave the window running for ever."""
    Lcs.error = error
    job = lcs_job()
    worker.submit(job)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [("failed", job.id)]
    assert heard.values == [error]
    Lcs.error = None
    worker.submit(lcs_job())
    qtbot.waitUntil(lambda: len(heard.ends) == 2)
    assert heard.ends[1][0] == "finished"  # the thread is still good


def test_an_expected_error_holds_no_frames_that_hold_sequences(qtbot, worker, heard):
    Lcs.error = InputError("f.fa", "nothing")
    worker.submit(lcs_job())
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert isinstance(heard.values[0], InputError)
    assert heard.values[0].__traceback__ is None


def test_progress_is_throttled_but_the_last_one_and_other_stages_pass(qtbot, worker, heard):
    """700,000 queued signals make the window late by seconds."""

    def steps(job):
        for stage in ("reading", "counting"):
            for done in range(20_001):
                yield Progress(job.id, stage, done, 20_000)

    worker.submit(FakeJob(steps))
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=20_000)
    progress = [event for event in heard.events if isinstance(event, Progress)]
    for stage in ("reading", "counting"):
        mine = [event.done for event in progress if event.stage == stage]
        assert mine[0] == 0
        assert mine[-1] == 20_000
        assert len(mine) < 500


def test_close_during_a_run_ends_the_thread(qtbot, fake_kernels):
    """No "Destroyed while running"; Qt's warning would fail this test."""
    Lcs.endless, Lcs.seconds = True, 0.002
    worker = JobWorker()
    worker.submit(lcs_job())
    qtbot.waitUntil(lambda: bool(Lcs.threads))
    assert worker.close()
    worker.deleteLater()


def test_close_says_when_a_thread_is_stuck(qtbot, fake_kernels):
    """A read that does not come back must not take the window with it."""
    inside, gate = threading.Event(), threading.Event()

    def steps(job):
        inside.set()
        gate.wait(20)
        yield Progress(job.id, "reading", 0, 0)

    worker = JobWorker()
    worker.submit(FakeJob(steps))
    qtbot.waitUntil(inside.is_set)
    try:
        assert not worker.close(0.05)
    finally:
        gate.set()
    assert worker.close(10)


def test_the_gpu_is_asked_in_the_worker_thread(qtbot, worker, monkeypatch):
    asked = []

    def why(job_type):
        asked.append(threading.get_ident())
        if job_type is int:
            raise RuntimeError("driver lost")
        return "none here"

    monkeypatch.setattr("wavediff.core.run.worker.gpu_obstacle", why)
    with qtbot.waitSignal(worker.probed) as first:
        worker.probe(LcsJob)
    with qtbot.waitSignal(worker.probed) as second:
        worker.probe(int)
    assert first.args == [LcsJob, "none here", None]
    assert second.args == [int, "the GPU could not be asked: driver lost", None]
    assert threading.get_ident() not in asked


@deeper
def test_a_million_emits_lose_no_reference():
    """PySide6 6.12.0 on Python 3.11 aborts here after some 600 of them; `make test` emits a tenth."""
    n = 1_000_000 if DEEP else 100_000

    class Source(QObject):
        flag = Signal(object, bool)

    class Sink(QObject):
        count = 0

        @Slot(object, bool)
        def take(self, _what, flag):
            self.count += flag
            return True

    source, sink = Source(), Sink()
    source.flag.connect(sink.take)
    for _ in range(n):
        source.flag.emit(None, True)
    assert sink.count == n
