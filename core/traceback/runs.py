"""Runs of an alignment as a walk leaves them, made canonical and checked; any method's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts, Letters
from core.results.alignment import Alignment, Op

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
Ops = npt.NDArray[np.uint8]
MORE, RIGHT, WRONG = 0, 1, 2


@njit(nogil=True, cache=True)
def canonical(ops: Ops, lengths: Counts) -> tuple[Ops, Counts]:
    """Merge neighbours of one kind and put the D of every gap before its I; first column first."""
    out, sizes = np.empty(ops.size, np.uint8), np.empty(ops.size, np.int64)
    runs, k = 0, 0
    while k < ops.size:
        if ops[k] == DELETION or ops[k] == INSERTION:
            deleted = inserted = np.int64(0)
            while k < ops.size and (ops[k] == DELETION or ops[k] == INSERTION):
                if ops[k] == DELETION:
                    deleted += lengths[k]
                else:
                    inserted += lengths[k]
                k += 1
            if deleted:
                out[runs], sizes[runs] = DELETION, deleted
                runs += 1
            if inserted:
                out[runs], sizes[runs] = INSERTION, inserted
                runs += 1
        else:
            op, total = ops[k], np.int64(0)
            while k < ops.size and ops[k] == op:
                total += lengths[k]
                k += 1
            if total:
                out[runs], sizes[runs] = op, total
                runs += 1
    return out[:runs], sizes[:runs]


@njit(nogil=True, cache=True)
def replay(a: Letters, b: Letters, table: Letters, ops: Ops, lengths: Counts, place: Counts, budget: int) -> int:
    """Follow an alignment over two sequences, ``budget`` letters a call.

    Args:
        table: uint8, shape (256,): letters with the same entry are equal.
        place: int64, shape (4,), at first zeros: verdict, run, letters of A and of B used; updated.

    Returns:
        ``place[0]``: MORE to be called again; RIGHT when every ``=`` joins equal letters, every ``X`` different
        ones and both sequences are used up exactly; WRONG otherwise, run ``place[1]`` being the first wrong one.
    """
    k, i, j = place[1], place[2], place[3]
    verdict = WRONG
    while k < ops.size:
        n = lengths[k]
        down, right = ops[k] != INSERTION, ops[k] != DELETION
        if n <= 0 or (down and i + n > a.size) or (right and j + n > b.size):
            break
        fine = True
        if down and right:
            same = ops[k] == EQUAL
            for x in range(n):
                fine &= (table[a[i + x]] == table[b[j + x]]) == same
        if not fine:
            break
        i += n if down else 0
        j += n if right else 0
        k += 1
        budget -= n
        if budget < 0 and k < ops.size:
            verdict = MORE
            break
    if k == ops.size and i == a.size and j == b.size:
        verdict = RIGHT
    place[0], place[1], place[2], place[3] = verdict, k, i, j
    return verdict


def from_walk(pieces: list[tuple[Ops, Counts]], prefix: int, suffix: int) -> Alignment:
    """Join pieces of a walk (last column first, in the order walked) and the equal ends stripped before."""
    ops = np.concatenate([np.array([EQUAL], np.uint8), *(p[0] for p in pieces), np.array([EQUAL], np.uint8)])
    lengths = np.concatenate([np.array([suffix], np.int64), *(p[1] for p in pieces), np.array([prefix], np.int64)])
    return Alignment(*canonical(ops[::-1].copy(), lengths[::-1].copy()))
