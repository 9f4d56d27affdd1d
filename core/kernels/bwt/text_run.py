"""Job that prepares the text to transform, in the background."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.bwt import BwtTextJob
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import FILL_PLACES, Clock, ranges
from wavediff.core.sequences.characters import case_folding
from wavediff.core.sequences.concatenation import ConcatenatedText, separator_of
from wavediff.core.system.machine import available_memory


def run(job: BwtTextJob) -> Generator[Event, None, ConcatenatedText]:
    """Return the letters of A, of B, or of both with a unique separator.

    Raises:
        InputError: every byte value occurs, so that no separator is left.
        NotEnoughMemory: a copy exceeds memory.
    """
    first, second = (job.a, job.b) if job.a is not None else (job.b, None)
    assert first is not None  # which the job has seen to
    if second is None and not job.fold_case:
        return ConcatenatedText(first.letters, None, len(first) if job.a is not None else 0)
    pace = Clock(job.id, "text")
    parts = [first.letters]
    separator = None
    if second is not None:
        separator = separator_of(first, second, None)
        parts += [np.array([separator], np.uint8), second.letters]
    size = sum(part.size for part in parts)
    if size > available_memory():
        raise NotEnoughMemory(f"a copy of {size:,} letters does not fit into memory; transform one of them, case exact")
    out, at, table = np.empty(size, np.uint8), 0, np.arange(256, dtype=np.uint8)
    if job.fold_case:
        table = case_folding(first.characters)
    for part in parts:
        for lo, hi in ranges(part.size, FILL_PLACES // 2):
            np.take(table, part[lo:hi], out=out[at + lo : at + hi])
            yield from pace()
        at += part.size
    yield pace.took("text", 0.0)
    out.setflags(write=False)
    start_b = len(first) + 1 if second is not None else len(first) if job.a is not None else 0
    return ConcatenatedText(out, separator, start_b)
