"""Threads of many jobs."""

import os
import sys
import threading

import pytest

from wavediff.core.system.thread_loop import thread_pool


def test_the_threads_of_a_task_are_the_same_ones():
    assert thread_pool("same", 2) is thread_pool("same", 2)
    assert thread_pool("same", 2) is not thread_pool("other", 2)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux")
def test_they_give_way_to_the_window():
    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    here = priority()
    assert thread_pool("polite", 1).submit(priority).result() > here or here == 19
    assert priority() == here
