"""Jobs, their events and their results: immutable, safe to hand to another thread."""

from __future__ import annotations

from itertools import count

_ids = count(1)


def next_job_id() -> int:
    return next(_ids)
