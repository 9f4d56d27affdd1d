"""Features of one sequence at the letters of the other one, through their alignment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.difference_index import IN_A, IN_B
from wavediff.core.sequences.spans import Spans


def projected(spans: Spans, alignment: Alignment, *, onto_a: bool) -> Spans:
    """Return features at the letters of the other sequence, but for those of which it has no letter.

    Args:
        spans: features as aligned, of B where they are put ``onto_a``, else of A. Those of which the other sequence
            lacks the first letters are cut there.
    """
    of_here, of_there = (IN_B, IN_A) if onto_a else (IN_A, IN_B)
    consumed = np.stack([of[alignment.ops] for of in (of_here, of_there)])
    here, there = np.pad(np.cumsum(alignment.lengths * consumed, axis=1), ((0, 0), (1, 0)))
    shared = np.flatnonzero(consumed.all(axis=0))  # runs
    if not shared.size:
        return spans.taken(shared)
    first, last = spans.starts, spans.ends - 1
    begins, ends = (np.searchsorted(here, places, "right") - 1 for places in (first, last))
    next_shared = shared[np.minimum(np.searchsorted(shared, begins), shared.size - 1)]
    last_shared = shared[np.maximum(np.searchsorted(shared, ends, "right") - 1, 0)]
    first, last = np.maximum(first, here[next_shared]), np.minimum(last, here[last_shared + 1] - 1)
    found = np.flatnonzero((first <= last) & (first < here[next_shared + 1]) & (last >= here[last_shared]))
    low = there[next_shared] + first - here[next_shared]
    high = there[last_shared] + last + 1 - here[last_shared]
    kept = spans.taken(found)
    lost = np.where(kept.minus, kept.ends - 1 - last[found], first[found] - kept.starts)
    moved = replace(kept, n_letters=int(there[-1]), starts=low[found], ends=high[found], before=found[:0])
    owners, cut = kept.owned(np.arange(found.size)), spans.offsets[found] + lost
    return replace(moved, before=moved.offsets + cut[np.searchsorted(owners, owners)])
