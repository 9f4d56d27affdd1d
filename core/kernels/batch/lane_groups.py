"""Groups of pairs in the lanes of a vector, and the threads that compute them.

A group is up to ``LANES`` pairs whose first sequences (rows) are of about the same length. Rows lie in words of 64 from
the first letter on; rows that a pair does not have come last and are nowhere read. Columns end together: before a
pair's first column come such with the code ``pad``, which no row has; they leave its state as it is. So neither
lengths nor empty sequences need a mask, and the answer is counted off the rows at the end.

Pair by pair each lane has columns of its own. All against all, every lane has those of one sequence, against which the
groups of the other file are computed one after the other: the rows that have each letter are tabulated for a group,
which is cheaper than to compare planes column by column, unless the table is larger than a cache near by.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import Counts, Letters, Words
from core.jit.atomics import fetch_add, load_acquire, store_release
from core.jit.decorators import jit, jit_callee, jit_with
from core.jit.simd import LANES, WORD, broadcast, popcount, store
from core.kernels.batch.column_steps import LCS, begin, columns, columns_by_table, tabulate

CHUNK_COLUMNS = 2048  # columns whose masks are laid out at once
UNIT, GROUP, COLUMN, DONE = range(4)  # of a thread's place: its unit (-1: none), where it is, pairs done


class BatchPlan(NamedTuple):
    """Arrays that the threads read.

    rows, row_starts, cols, col_starts: codes of all records one after the other, and where each begins (and the last
    one ends). row_of: the record of each lane of each group, -1 for none. words: of each group. at: place of each
    group's bit planes in ``planes``. units: (number, 3): first and last group, and the record of the columns that all
    lanes have (-1: each lane has that of ``col_of``). own: one file against itself, of which a pair is computed where
    the ``rank`` of the row's record is below that of the column's. out_row, out_col: steps in the answers from one
    record to the next. most_words: groups of up to so many words have their letters tabulated.
    """

    rows: Letters
    row_starts: Counts
    cols: Letters
    col_starts: Counts
    row_of: Counts
    col_of: Counts
    words: Counts
    at: Counts
    units: Counts
    rank: Counts
    own: bool
    out_row: int
    out_col: int
    pad: int
    most_words: int


class BatchState(NamedTuple):
    """Arrays that they write: answers, bit planes of rows; shared: next unit, stop; and a row a thread of the rest."""

    out: npt.NDArray[np.int32]
    planes: Words
    shared: Counts
    place: Counts
    cells: Counts
    masks: Words
    tables: Words
    v: Words


@jit
def pack_group(plan, planes, n_planes, g):  # type: ignore[no-untyped-def]
    """Write the bit planes of the rows of group g, (words, planes, LANES)."""
    at = plan.at[g]
    for x in range(plan.words[g] * n_planes * LANES):
        planes[at + x] = 0
    for k in range(LANES):
        record = plan.row_of[g * LANES + k]
        if record < 0:
            continue
        first = plan.row_starts[record]
        for r in range(plan.row_starts[record + 1] - first):
            code = np.uint64(plan.rows[first + r])
            place = at + (r // WORD) * n_planes * LANES + k
            for p in range(n_planes):
                planes[place + p * LANES] |= ((code >> np.uint64(p)) & np.uint64(1)) << np.uint64(r % WORD)


@jit
def pack_groups(plan, planes, n_planes, first, last):  # type: ignore[no-untyped-def]
    for g in range(first, last):
        pack_group(plan, planes, n_planes, g)


@jit_callee
def _record(plan, u, g, k):  # type: ignore[no-untyped-def]
    """Return the record of the columns of lane k of group g in unit u."""
    return plan.units[u, 2] if plan.units[u, 2] >= 0 else plan.col_of[g * LANES + k]


@jit_callee
def _n_columns(plan, u, g):  # type: ignore[no-untyped-def]
    most = 0
    for k in range(LANES):
        record = _record(plan, u, g, k)
        if record >= 0:
            most = max(most, plan.col_starts[record + 1] - plan.col_starts[record])
    return most


@jit_callee
def _lay_out(plan, u, g, n, first, last, masks, n_planes):  # type: ignore[no-untyped-def]
    """Write the masks of columns ``first`` to ``last`` of ``n``; see ``columns``."""
    stride = (n_planes + 1) * LANES
    shared = plan.units[u, 2]
    if shared >= 0:
        start = plan.col_starts[shared]
        for j in range(first, last):
            code, at = np.uint64(plan.cols[start + j]), (j - first) * stride
            for p in range(n_planes):
                store(masks, at + p * LANES, broadcast(np.uint64(0) - ((code >> np.uint64(p)) & np.uint64(1))))
            store(masks, at + n_planes * LANES, broadcast(~np.uint64(0)))
        return
    for k in range(LANES):
        record = plan.col_of[g * LANES + k]
        start, size = (plan.col_starts[record], 0) if record >= 0 else (0, 0)
        if record >= 0:
            size = plan.col_starts[record + 1] - start
        for j in range(first, last):
            at, mine = (j - first) * stride + k, j - (n - size)
            code = np.uint64(plan.cols[start + mine]) if mine >= 0 else np.uint64(plan.pad)
            for p in range(n_planes):
                masks[at + p * LANES] = np.uint64(0) - ((code >> np.uint64(p)) & np.uint64(1))
            masks[at + n_planes * LANES] = ~np.uint64(0) if mine >= 0 else np.uint64(0)


@jit_callee
def _answer(plan, state, kind, u, g, v):  # type: ignore[no-untyped-def]
    """Count the answers off the rows of group g; return how many pairs that were."""
    size = len(kind) * LANES
    pairs = 0
    for k in range(LANES):
        record, other = plan.row_of[g * LANES + k], _record(plan, u, g, k)
        if record < 0 or (plan.own and plan.rank[record] >= plan.rank[other]):
            continue
        n = plan.row_starts[record + 1] - plan.row_starts[record]
        total = 0 if len(kind) == len(LCS) else plan.col_starts[other + 1] - plan.col_starts[other]
        for w in range((n + WORD - 1) // WORD):
            rows = ~np.uint64(0) >> np.uint64(max(0, (w + 1) * WORD - n))
            if len(kind) == len(LCS):
                total += popcount(~v[w * size + k] & rows)
            else:
                total += popcount(v[w * size + k] & rows) - popcount(v[w * size + LANES + k] & rows)
        state.out[record * plan.out_row + other * plan.out_col] = total
        if plan.own:
            state.out[record * plan.out_col + other * plan.out_row] = total
        pairs += 1
    return pairs


@jit_with(error_model="numpy")
def advance(plan, state, kind, every, me, budget):  # type: ignore[no-untyped-def]
    """Let thread ``me`` do up to about ``budget`` thousand words of columns.

    Returns:
        Thousands of words done, at least one; 0 when told to stop or when nothing is left (``state.place[me, UNIT]``
        is then the number of units).
    """
    n_planes, n_units = len(every), plan.units.shape[0]
    place = state.place[me]
    masks, table, v = state.masks[me], state.tables[me], state.v[me]
    left = budget * 1000
    worked = False
    while left > 0 and load_acquire(state.shared, 1) == 0:
        if place[UNIT] < 0:
            place[UNIT] = min(fetch_add(state.shared, 0, 1), n_units)
            if place[UNIT] < n_units:
                place[GROUP], place[COLUMN] = plan.units[place[UNIT], 0], 0
        u, g, first = place[UNIT], place[GROUP], place[COLUMN]
        if u >= n_units:
            break
        worked = True
        shared = plan.units[u, 2] >= 0
        words, n = plan.words[g], _n_columns(plan, u, g)
        tabled = shared and plan.words[plan.units[u, 1] - 1] <= plan.most_words  # groups grow
        if first == 0:
            begin(kind, words, v)
            if not shared:
                pack_group(plan, state.planes, n_planes, g)
            elif tabled:
                tabulate(words, state.planes, plan.at[g], plan.pad, masks, table, every)
        chunk = first // CHUNK_COLUMNS
        end = min(n, (chunk + 1) * CHUNK_COLUMNS)
        # One sequence against many groups: what fits is laid out for the first of them only.
        if (
            not tabled
            and first == chunk * CHUNK_COLUMNS
            and first < end
            and (n > CHUNK_COLUMNS or not shared or g == plan.units[u, 0])
        ):
            _lay_out(plan, u, g, n, first, end, masks, n_planes)
        last = min(end, first + left // max(words, 1) + 1)
        if tabled:
            start = plan.col_starts[plan.units[u, 2]]
            columns_by_table(kind, words, table, plan.cols, start + first, start + last, v)
        else:
            columns(
                kind,
                words,
                state.planes,
                plan.at[g],
                masks,
                first - chunk * CHUNK_COLUMNS,
                last - chunk * CHUNK_COLUMNS,
                v,
                every,
            )
        left -= (last - first) * max(words, 1) + 50 * LANES
        place[COLUMN] = last
        if last == n:
            place[DONE] += _answer(plan, state, kind, u, g, v)
            for k in range(LANES):
                record, other = plan.row_of[g * LANES + k], _record(plan, u, g, k)
                if record >= 0 and other >= 0:
                    state.cells[me] += (plan.row_starts[record + 1] - plan.row_starts[record]) * (
                        plan.col_starts[other + 1] - plan.col_starts[other]
                    )
            place[GROUP], place[COLUMN] = g + 1, 0
            if g + 1 == plan.units[u, 1]:
                place[UNIT] = -1
    return max(1, budget - max(left, 0) // 1000) if worked else 0


@jit
def stop(shared: Counts) -> None:
    """Tell every thread inside ``advance`` to return soon."""
    store_release(shared, 1, 1)
