"""Contigs on a cluster: this computer finds the matches once, workers place and align some contigs per task."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.contigs import ContigsJob, ContigsResult, Placement
from wavediff.core.jobs.events import Event, run_to_end
from wavediff.core.jobs.exact_matches import ExactMatches
from wavediff.core.jobs.rearranged import CollinearBlock
from wavediff.core.kernels.contigs.run import MatchedContigs, matched, ordered, reported
from wavediff.core.kernels.rearranged.run import make_ready
from wavediff.core.run.cluster.client import Session, Work
from wavediff.core.sequences.sequence import SequencePool

CHEAP_LETTERS = 1 << 18  # letters of a contig placed here too, per worker
TASKS_PER_THREAD = 4  # minimum groups per thread, so that the last ones do not delay the end
Group = tuple[int, int]  # first contig and last one, half open


def run(job: ContigsJob, session: Session, device: Device) -> Generator[Event, None, ContigsResult]:  # noqa: ARG001
    contigs = yield from matched(job)
    groups = _Groups(contigs, session)
    yield from reported(job, session.run(groups), groups.placed)
    return ordered(contigs, groups.placed)


def place_group(a: Letters, job: ContigsJob, matches: ExactMatches, first: int) -> list[Placement]:
    """Place some contigs in a thread of a worker.

    Args:
        job: job with these contigs, without A. matches: exact matches of each. first: number of preceding contigs.
    """
    try:
        contigs = MatchedContigs(replace(job, a=a), matches)
        run_to_end(make_ready(job.step))
        placed = [run_to_end(contigs.placement(at, 1)) for at in range(len(job.contigs))]
    except WavediffError as error:  # as one that can be sent, with its text alone
        raise WavediffError(str(error)) from None
    return [replace(one, number=first + one.number) for one in placed]


class _Groups(Work[Group]):
    """See ``wavediff.core.run.cluster.client.Work``."""

    stage, unit, kernel, is_checked = "contigs", "contigs", "contigs", True

    def __init__(self, contigs: MatchedContigs, session: Session) -> None:
        self._contigs, self.placed, self._first, self._again = contigs, dict[int, Placement](), 0, list[Group]()
        self._letters = contigs.job.contigs.letters.size // (TASKS_PER_THREAD * max(1, session.threads))

    def next(self) -> Group | None:
        if self._again:
            return self._again.pop()
        first, starts = self._first, self._contigs.job.contigs.starts
        if first == starts.size - 1:
            return None
        enough = int(np.searchsorted(starts, int(starts[first]) + max(1, self._letters)))
        self._first = min(max(enough, first + 1), starts.size - 1)
        return first, self._first

    def submit(self, session: Session, task: Group) -> Any:
        job, matches = self._contigs.job, self._contigs.found
        first, end = task
        starts, offset = job.contigs.starts[first : end + 1], int(self._contigs.starts[first])
        some = self._contigs.matches_of(first, end)
        rows = {name: getattr(matches, name)[some] for name in ("a_starts", "lengths", "minus", "n_unique")}
        pool = SequencePool(job.contigs.letters[starts[0] : starts[-1]], starts - starts[0])
        part = replace(job, a=job.a[:0], contigs=pool, names=job.names[first:end], cluster=None)
        b_starts, left_out = matches.b_starts[some] - offset, matches.b_left_out - offset
        own = replace(matches, **rows, b_starts=b_starts, b_left_out=left_out)
        return session.submit(place_group, session.keep("a", job.a), part, own, first)

    def enter(self, task: Group, answer: list[Placement]) -> int:
        self.placed |= zip(range(*task), answer, strict=True)
        return 0

    def fault(self, task: Group, answer: list[Placement], *, cheaply: bool) -> str:
        """Verify a task: place its shortest contig here too, preferring contigs with a place."""
        there = min(answer, key=lambda one: (not one.placed, one.letters))
        if cheaply and there.letters > CHEAP_LETTERS:
            return ""
        here = run_to_end(self._contigs.placement(there.number - 1, 1))
        if len(answer) == task[1] - task[0] and _compared(here) == _compared(there):
            return ""
        return f"gives another answer than this computer for contig {there.number:,}; all its answers are recomputed"

    def undo(self, tasks: list[Group]) -> None:
        self._again += tasks
        for task in tasks:
            for at in range(*task):
                del self.placed[at]

    def progress(self) -> tuple[int, int]:
        return len(self.placed), len(self._contigs.job.contigs)


def _compared(one: Placement) -> tuple[Any, ...]:
    """Return the fields of a placement as comparable values."""

    def columns(block: CollinearBlock) -> Any:
        alignment = None if block.result is None else block.result.alignment
        return alignment and (alignment.ops.tobytes(), alignment.lengths.tobytes())

    fields = one.number, one.name, one.letters, one.reason, one.minus, one.a, one.contig, one.n_places
    parts = [(block.kind, block.a, block.b, block.minus, columns(block)) for block in (*one.blocks, *one.others)]
    return *fields, len(one.blocks), parts
