"""Numbers of jobs."""

from __future__ import annotations

from itertools import count

_next_id = count(1)


def next_job_id() -> int:
    return next(_next_id)
