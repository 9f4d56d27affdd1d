"""The threads behind every block kernel: each unit is done once, and whatever stops them, they end."""

import os
import sys
import threading
import time
from itertools import pairwise

import pytest

from tests.core.threads import of_jobs as threads_of_jobs
from wavediff.core.system.machine import NICE_STEPS
from wavediff.core.system.thread_loop import Piece, run_threads

TOGETHER = pytest.mark.parametrize("threads", [1, 2, 5])


class Work:
    """``units`` units for whoever comes first; after ``stop`` nothing is ready, and nothing is finished either."""

    def __init__(self, units):
        self.left, self.stopped, self.calls = units, False, 0
        self._lock = threading.Lock()

    def advance(self, _me, budget):
        with self._lock:
            self.calls += 1
            taken = 0 if self.stopped else min(budget, self.left)
            self.left -= taken
        time.sleep(0.0002 * taken)
        return taken

    def finished(self, _me):
        return self.left == 0

    def stop(self):
        self.stopped = True

    def drive(self, threads):
        return run_threads(self.advance, self.finished, self.stop, threads)


def ends(run):
    """Return whether ``run`` comes back; a thread that never ends must not take the tests with it."""
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20)
    return not thread.is_alive()


@TOGETHER
def test_what_each_thread_does_is_told_with_its_times(threads):
    work, pieces, start = Work(777), list[Piece](), time.perf_counter()
    assert sum(run_threads(work.advance, work.finished, work.stop, threads, pieces)) == 777
    end = time.perf_counter()
    assert sum(one.units for one in pieces) == 777
    for thread in range(threads):
        mine = [one for one in pieces if one.thread == thread]
        assert all(start <= one.began <= one.ended <= end for one in mine)
        assert all(before.ended <= after.began for before, after in pairwise(mine))


@TOGETHER
@pytest.mark.parametrize("units", [0, 1, 2, 777])
def test_every_unit_is_reported_once(threads, units):
    work = Work(units)
    assert sum(work.drive(threads)) == units
    assert work.left == 0


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_stop_ends_threads_that_find_nothing_to_do(threads):
    """After it ``advance`` returns 0 for ever and nothing is finished; the threads must end all the same."""
    work = Work(10**9)
    steps = work.drive(threads)
    assert next(steps) > 0
    assert ends(steps.close)
    calls = work.calls
    time.sleep(0.05)
    assert work.calls == calls  # nobody is left behind
    assert not threads_of_jobs()


def test_an_error_in_one_thread_ends_the_others_and_is_raised_here():
    work = Work(10**9)

    def advance(me, budget):
        if me == 1:
            raise MemoryError("no room")
        return work.advance(me, budget)

    raised = []

    def run():
        try:
            list(run_threads(advance, work.finished, work.stop, 3))
        except MemoryError as error:
            raised.append(error)

    assert ends(run)
    assert [str(error) for error in raised] == ["no room"]
    assert work.stopped


@TOGETHER
def test_threads_wait_for_what_is_not_ready_yet(threads):
    work, ready = Work(50), threading.Event()
    threading.Timer(0.1, ready.set).start()

    def advance(me, budget):
        return work.advance(me, budget) if ready.is_set() else 0

    assert sum(run_threads(advance, work.finished, work.stop, threads)) == 50


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities of their own")
def test_the_threads_give_way_to_the_one_that_draws():
    mine, theirs = os.getpriority(os.PRIO_PROCESS, 0), set()

    class Told(Work):
        def advance(self, me, budget):
            theirs.add(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
            return super().advance(me, budget)

    list(Told(50).drive(2))
    assert theirs == {min(19, mine + NICE_STEPS)}
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == mine
