"""Block ends letter by letter: possible cuts and extensions.

Near its end a chain is aligned exactly. Beyond the end, the best local alignment (Smith and Waterman 1981) extends it;
further columns follow the diagonal.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Op
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise.edit import run as edit
from wavediff.core.kernels.rearranged.parts import Pair, Part
from wavediff.core.methods.edit import EditJob

EXTENSION = 256  # letters beyond a chain
EXTENSION_MATCH, EXTENSION_MISMATCH, EXTENSION_GAP = 1, -2, -4  # score of a column
# Costs of a border: a letter in no block, an edit at the end of a block, and at that of a copy. Unrelated letters have
# three mismatches in four columns, which cost more than the letters that they take from two gaps, or from one.
GAP_COST, EDIT_COST, COPY_EDIT_COST = 1, 4, 2


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """Alignment columns at one end of a block.

    Attributes:
        right: whether it is the end in A; else the start.
        b_right: whether it is the end in the file of B.
        m: letters of B. inner: columns of the chain itself.
        places: int64, shape (2, columns + 1): border in A and in the file of B for each number of columns; negative if
            the block lies to its right, so that both rise outwards.
        costs: int64, shape (columns + 1,): edits in these columns, minus the cost of their letters in no block.
    """

    part: Part
    right: bool
    b_right: bool
    m: int
    inner: int
    places: Counts
    costs: Counts

    def border(self, axis: int, column: int) -> int:
        return abs(int(self.places[axis, column]))


def end_of(part: Part, right: bool, depth: int, letters: Pair, job_id: int) -> Generator[Event, None, End]:
    """Return the alignment columns at one end of ``part``, enough to cut off ``depth`` letters of A."""
    chain, (a0, a1, b0, b1) = part.chain, part.box
    a, strand = letters.a, letters.strand(chain.minus)
    inner = a1 - depth if right else a0 + depth
    at = max(int(np.searchsorted(chain.a, inner, "right")) - 1, 0)
    along = min(max(inner - int(chain.a[at]), 0), int(chain.lengths[at]))
    if not right and chain.a[at] + along < inner and at + 1 < chain.a.size:
        at, along = at + 1, 0  # the next match, or what lies between could not be cut off
    at_a, at_b = int(chain.a[at]) + along, int(chain.b[at]) + along
    pair = (a[at_a:a1], strand[at_b:b1]) if right else (a[a0:at_a][::-1], strand[b0:at_b][::-1])
    beyond = [part.outwards(axis, right, EXTENSION, letters).copy() for axis in (0, 1)]
    inside = yield from edit.run(EditJob(a=pair[0], b=pair[1], threads=1, id=job_id))
    room = np.empty(beyond[0].size + beyond[1].size, np.uint8)
    n = extension(*beyond, room)
    found = inside.alignment
    assert found is not None
    ops = np.concatenate([np.repeat(found.ops, found.lengths), room[:n]])
    sign, m, minus = (1 if right else -1), int(strand.size), chain.minus
    places = np.zeros((2, ops.size + 1), np.int64)
    np.cumsum(CONSUMES_A[ops], out=places[0, 1:])
    np.cumsum(CONSUMES_B[ops], out=places[1, 1:])
    places += [[sign * at_a], [sign * at_b - (sign * m if minus else 0)]]
    costs = np.zeros(ops.size + 1, np.int64)
    np.cumsum(ops != Op.EQUAL, out=costs[1:])
    costs *= EDIT_COST if part.copy_of < 0 else COPY_EDIT_COST
    for axis in (0, 1):
        if axis != part.copy_of:
            costs -= GAP_COST * places[axis]
    middle = int(np.searchsorted(places[0], sign * inner))  # the other end begins there
    return End(part, right, right != minus, m, max(ops.size - n - middle, 0), places[:, middle:], costs[middle:])


@jit
def extension(a: Letters, b: Letters, ops: Letters) -> Any:
    """Write the columns of the best extension, followed by those on its diagonal; return their number.

    Args:
        a, b: letters outwards. ops: uint8, output; at least as long as both together.
    """
    scores = np.empty((a.size + 1, b.size + 1), np.int64)
    scores[0, 0] = best = end_a = end_b = 0
    for i in range(a.size + 1):
        for j in range(b.size + 1):
            if i == 0 or j == 0:
                scores[i, j] = (i + j) * EXTENSION_GAP
                continue
            match = EXTENSION_MATCH if a[i - 1] == b[j - 1] else EXTENSION_MISMATCH
            gap = max(scores[i - 1, j], scores[i, j - 1]) + EXTENSION_GAP
            scores[i, j] = max(scores[i - 1, j - 1] + match, gap)
            if scores[i, j] > best:
                best, end_a, end_b = scores[i, j], i, j
    i, j, n = end_a, end_b, 0
    while i > 0 and j > 0:
        match = a[i - 1] == b[j - 1]
        if scores[i, j] == scores[i - 1, j - 1] + (EXTENSION_MATCH if match else EXTENSION_MISMATCH):
            ops[n] = Op.EQUAL if match else Op.MISMATCH
            i, j = i - 1, j - 1
        elif scores[i, j] == scores[i - 1, j] + EXTENSION_GAP:
            ops[n], i = Op.DELETION, i - 1
        else:
            ops[n], j = Op.INSERTION, j - 1
        n += 1
    while i > 0 or j > 0:
        ops[n] = Op.DELETION if i > 0 else Op.INSERTION
        i, j, n = i - (i > 0), j - (i == 0), n + 1
    ops[:n] = ops[:n][::-1].copy()
    while end_a < a.size and end_b < b.size:
        ops[n] = Op.EQUAL if a[end_a] == b[end_b] else Op.MISMATCH
        end_a, end_b, n = end_a + 1, end_b + 1, n + 1
    return n
