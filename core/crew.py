"""Threads that outlive a job: to begin one takes longer than much of what it would do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache


@cache
def crew(task: str, n: int) -> ThreadPoolExecutor:
    """Return the ``n`` threads of all jobs for a task."""
    return ThreadPoolExecutor(n, thread_name_prefix=task)
