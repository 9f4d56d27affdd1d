"""Threads that outlive a job: to begin one takes longer than much of what it would do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

from core.system.machine import lower_thread_priority


@cache
def thread_pool(task: str, n: int) -> ThreadPoolExecutor:
    """Return the ``n`` threads of all jobs for a task; a window is drawn before they go on, however many there are."""
    return ThreadPoolExecutor(n, thread_name_prefix=task, initializer=lower_thread_priority)
