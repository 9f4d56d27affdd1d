"""Checks of a score: Gotoh's recurrence as published, cell by cell, and the score of an alignment's own columns.

Nothing of the vectors, the differences and the blocks is used here.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit
from wavediff.core.jobs.alignment import Op

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
IDENTITIES, POSITIVES, PAIRS, GAPS, GAP_LETTERS, UNITS, ROWS, COLUMNS = range(8)  # of ``count_columns``
LOWEST = -(1 << 60)


@jit
def gotoh_rows(a, b, scores, first, more, best, deleted, row0, row1):  # type: ignore[no-untyped-def]
    """Bring ``best`` (H) and ``deleted`` (F), int64, (columns + 1,), from row ``row0`` to row ``row1``.

    Args:
        a, b: codes. first, more: what the first letter of a gap costs, and every further one.
    """
    m = b.size
    if row0 == 0:
        best[0] = 0
        for j in range(1, m + 1):
            best[j] = -first - (j - 1) * more
        for j in range(m + 1):
            deleted[j] = LOWEST
    for i in range(row0 + 1, row1 + 1):
        diagonal, inserted = best[0], np.int64(LOWEST)
        best[0] = -first - (i - 1) * more
        code = a[i - 1]
        for j in range(1, m + 1):
            inserted = max(best[j - 1] - first, inserted - more)
            deleted[j] = max(best[j] - first, deleted[j] - more)
            pair = diagonal + scores[code, b[j - 1]]
            diagonal = best[j]
            best[j] = max(pair, inserted, deleted[j])


@jit
def count_columns(a, b, scores, first, more, ops, lengths, counts):  # type: ignore[no-untyped-def]
    """Add up the columns of an alignment: into ``counts``, int64, (8,), at the places named above."""
    i = j = 0
    for k in range(ops.size):
        op, n = ops[k], lengths[k]
        if op >= INSERTION:
            counts[GAPS] += 1
            counts[GAP_LETTERS] += n
            counts[UNITS] -= first + (n - 1) * more
            i, j = i + (n if op == DELETION else 0), j + (n if op == INSERTION else 0)
            continue
        counts[PAIRS] += n
        counts[IDENTITIES] += n if op == EQUAL else 0
        for x in range(n):
            score = np.int64(scores[a[i + x], b[j + x]])
            counts[UNITS] += score
            counts[POSITIVES] += score > 0
        i, j = i + n, j + n
    counts[ROWS], counts[COLUMNS] = i, j
