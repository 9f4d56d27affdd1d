"""Look at a pair beside its comparison: what is the answer not going to show?"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from core.jobs.cancel import CancelToken
from core.methods import method_of
from core.run.runner import run_job
from core.screening.jobs import ChanceJob, screen_job
from core.screening.notices import Notice, Screened, chance_notice
from core.sequences.sequence import Sequence


class PairScreening:
    """Notices on a pair, which a thread of its own looks at; none where nothing is to be ``found``."""

    def __init__(self, job: Any, cancel: CancelToken, found: Future[Screened] | None) -> None:
        self._job, self._cancel, self._found = job, cancel, found

    def before(self) -> tuple[Notice, ...]:
        """Wait, and return what is to be said before a long comparison."""
        notice = self._known().notice
        return () if notice is None else (notice,)

    def after(self, result: Any) -> tuple[Notice, ...]:
        """Return what is to be said beside ``result``; takes some milliseconds where that may be chance."""
        if self._found is None:
            return ()
        known, job, chance = self._known(), self._job, None
        n, m = int(job.a.size), int(job.b.size)
        share = method_of(job).shown_identity(result, n, m)
        if share is not None and known.could_be_chance(share, n, m):
            expected = run_job(ChanceJob(pair=job), cancel=self._cancel)
            chance = None if expected is None else chance_notice(share, expected, n, m)
        return known.with_answer(chance)

    def _known(self) -> Screened:
        """Wait for what is found; a comparison does not fail for want of memory beside it."""
        try:
            return Screened() if self._found is None else self._found.result()
        except MemoryError:
            return Screened()


@contextmanager
def screening(a: Sequence, b: Sequence, job: Any, cancel: CancelToken, *, wanted: bool) -> Iterator[PairScreening]:
    """Begin to look at ``a`` and ``b``, which ``job`` compares; the end of the block waits for what was begun."""

    look = screen_job(a, b, job) if wanted else None
    if look is None:
        yield PairScreening(job, cancel, None)
        return
    with ThreadPoolExecutor(1, "screening") as thread:
        yield PairScreening(job, cancel, thread.submit(run_job, look, cancel=cancel))
