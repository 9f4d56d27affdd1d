"""Verification of the number of edits at the best place of a sequence, if it takes little time."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.verification import Check, Verification
from wavediff.core.kernels.pairwise.look_again import FULL_SECONDS, budget
from wavediff.core.kernels.pairwise.recompute import EDIT, WordRows, make_ready, rows_seconds, start_seconds
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.sequences.orientation import reverse_complement


def verify_place(job: EditJob, claimed: int, seconds: float) -> Generator[Event, None, Verification | None]:
    """Recompute the edits of the best place; None for overlaps, or if this would be slow.

    Args:
        claimed: edits reported by the kernels, of B in A, or of A in B. seconds: expected for the job.

    Raises:
        SelfCheckFailed: the two results differ.
    """
    guest, host = (job.b, job.a) if job.ends is Ends.A else (job.a, job.b)
    n, m = int(guest.size), int(host.size)
    takes = (1 + job.both_strands) * (start_seconds(n, m) + rows_seconds(EDIT, n, m))
    if job.ends is Ends.BOTH or not n or not m or takes > budget(seconds, FULL_SECONDS):
        return None
    yield from make_ready(job.step, EDIT, guest.dtype.type)
    least, guests = [], [guest]
    if job.both_strands:
        guests.append(np.frombuffer(reverse_complement(guest.tobytes()), np.uint8))
    for one in guests:
        start = perf_counter()
        rows = WordRows(one, host, job.fold_case, EDIT)
        rows.begin(np.zeros_like(rows.up), rows.down)  # at any place in the host
        rows.advance(0, n)
        least.append(rows.least())
        yield job.step.done("verify", start)
    if min(least) != claimed:
        raise SelfCheckFailed(
            f"the edits of {n:,} letters at their best place in {m:,} came out as {claimed:,}, and as {min(least):,} "
            "when recomputed in another way; the result was discarded"
        )
    return Verification(Check.RECOMPUTED)
