"""Groups of pairs in vector lanes, and the threads that compute them.

A group is up to ``LANES`` pairs whose first sequences (rows) have similar lengths. Rows fill 64-bit words from the
first letter; missing rows come last and are never read. Columns end together: shorter pairs start with columns of the
code ``pad``, which no row has and which does not change the state. So neither different lengths nor empty sequences
need a mask. The answer is counted from the rows at the end.

Pair by pair, each lane has its own columns. All against all, all lanes share one sequence, and a group processes the
sequences of the other file in turn. The rows of each letter are tabulated once per group, unless the table exceeds a
fast cache. Rows of up to 64 letters are then short: a group has as many as fill ``SHORT_WORDS`` words, in lanes of 32
or 64 bits (Hyyro, Fredriksson and Navarro, 2005).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.atomics import fetch_add, load_acquire
from wavediff.core.jit.decorators import jit, jit_callee, jit_with
from wavediff.core.jit.simd import BITS, LANES, WORD, broadcast, store
from wavediff.core.kernels.batch.column_steps import (
    LCS,
    begin,
    columns,
    columns_by_table,
    count,
    short_columns,
    short_count,
    tabulate,
)

CHUNK_COLUMNS = 2048  # columns whose masks are laid out at once
SEQUENCE_COST_WORDS = 8  # what one sequence of columns costs in addition to its columns, in words of columns
UNIT, SEQUENCE, COLUMN, DONE = range(4)  # of a thread's place: its unit (-1: none), where it is, pairs done
FIRST, FIRST_MIRRORED, OWN_COLUMNS, CELLS = range(4)  # of ``BatchState.lanes``


class BatchPlan(NamedTuple):
    """Input arrays of the threads.

    rows, row_starts, cols, col_starts: concatenated codes of all records, and the start of each (and the end of the
    last). row_of: the record of each lane of each group, -1 for none. n_rows: records in it. words: of each group. at:
    start of each group's bit planes in ``planes``. columns: all against all, the records of the columns in processing
    order. units: (number, 3): a group, and the first and last place in ``columns`` (one-to-one: 0 and 1). own: one
    file against itself, where ``columns`` equals ``row_of``: a pair is computed if the row's place is below the
    column's. out_row, out_col: steps in the answers between adjacent records. most_words: groups of up to this many
    words have a letter table.
    """

    rows: Letters
    row_starts: Counts
    cols: Letters
    col_starts: Counts
    row_of: Counts
    first_lane: Counts
    words: Counts
    lane_bytes: Counts
    at: Counts
    columns: Counts
    units: Counts
    all_to_all: bool
    own: bool
    out_row: int
    out_col: int
    pad: int
    most_words: int


class BatchState(NamedTuple):
    """Output arrays: results, bit planes; shared counters (next unit, stop); per-thread rows.

    lanes: per lane of a thread's group: index in ``out`` of its first answer and of its first mirrored answer, number
    of its own columns (all-to-all: 0), and cells of all lanes up to it (all-to-all: of one column).
    """

    out: npt.NDArray[np.int32]
    planes: Words
    shared: Counts
    place: Counts
    cells: Counts
    masks: Words
    tables: Words
    rows: Words
    found: npt.NDArray[np.int32]
    lanes: Counts
    v: Words


@jit_callee
def _row_bit(lane_bytes, k, r):  # type: ignore[no-untyped-def]
    """Return the bit index of row ``r`` of lane ``k`` in a vector of all words of a group."""
    return (8 * lane_bytes * k + r) if lane_bytes > 0 else (r // WORD * LANES + k) * WORD + r % WORD


@jit
def pack_group(plan, planes, n_planes, g):  # type: ignore[no-untyped-def]
    """Write the bit planes of the rows of group g, (words, planes, LANES)."""
    at = plan.at[g]
    for x in range(plan.words[g] * n_planes * LANES):
        planes[at + x] = 0
    for k in range(plan.first_lane[g + 1] - plan.first_lane[g]):
        record = plan.row_of[plan.first_lane[g] + k]
        first = plan.row_starts[record]
        bit = _row_bit(plan.lane_bytes[g], k, 0)
        begin, shift = at + bit // BITS * n_planes * LANES + bit % BITS // WORD, bit % WORD
        for r in range(plan.row_starts[record + 1] - first):
            code = np.uint64(plan.rows[first + r])
            place = begin + (r // WORD) * n_planes * LANES  # short rows end in the word in which they begin
            for p in range(n_planes):
                planes[place + p * LANES] |= ((code >> np.uint64(p)) & np.uint64(1)) << np.uint64(shift + r % WORD)


@jit
def pack_groups(plan, planes, n_planes, first, last):  # type: ignore[no-untyped-def]
    for g in range(first, last):
        pack_group(plan, planes, n_planes, g)


@jit_callee
def _n_columns(plan, g):  # type: ignore[no-untyped-def]
    """Return the number of columns of the longest pair of group g (one-to-one batches)."""
    most = 0
    for record in plan.row_of[plan.first_lane[g] : plan.first_lane[g + 1]]:
        most = max(most, plan.col_starts[record + 1] - plan.col_starts[record])
    return most


@jit_callee
def _lay_out(plan, g, record, n, first, last, masks, n_planes):  # type: ignore[no-untyped-def]
    """Write the masks of columns ``first`` to ``last`` of ``record``; -1: of each lane's record, padded to ``n``."""
    stride = (n_planes + 1) * LANES
    if record >= 0:
        start = plan.col_starts[record]
        for j in range(first, last):
            code, at = np.uint64(plan.cols[start + j]), (j - first) * stride
            for p in range(n_planes):
                store(masks, at + p * LANES, broadcast(np.uint64(0) - ((code >> np.uint64(p)) & np.uint64(1))))
            store(masks, at + n_planes * LANES, broadcast(~np.uint64(0)))
        return
    for k in range(plan.first_lane[g + 1] - plan.first_lane[g]):
        record = plan.row_of[plan.first_lane[g] + k]
        start = plan.col_starts[record]
        size = plan.col_starts[record + 1] - start
        for j in range(first, last):
            at, mine = (j - first) * stride + k, j - (n - size)
            code = np.uint64(plan.cols[start + mine]) if mine >= 0 else np.uint64(plan.pad)
            for p in range(n_planes):
                masks[at + p * LANES] = np.uint64(0) - ((code >> np.uint64(p)) & np.uint64(1))
            masks[at + n_planes * LANES] = ~np.uint64(0) if mine >= 0 else np.uint64(0)


@jit_callee
def _write(out, step, mirrored, lanes, n_lanes, columns, totals):  # type: ignore[no-untyped-def]
    """Store the total of each lane plus ``columns``, or if that is negative plus the lane's own number of columns.

    Args:
        out: int32, the answers.
        step, mirrored: from a row's first answer to this one, and from its first mirrored one (-1: none).
        lanes: int64, (4, lanes of the group); see ``BatchState``.
    """
    for k in range(n_lanes):
        total = totals[k] + (columns if columns >= 0 else lanes[OWN_COLUMNS, k])
        out[lanes[FIRST, k] + step] = total
        if mirrored >= 0:
            out[lanes[FIRST_MIRRORED, k] + mirrored] = total


@jit_callee
def _short(kind, lane_bytes, table, cols, first, last, v, begins, rows, totals):  # type: ignore[no-untyped-def]
    """Process columns of a group of short rows, and store the totals of each lane."""
    if lane_bytes == 4:
        short_columns(kind, (0,) * 4, table, cols, first, last, v, begins)
        short_count(kind, (0,) * 4, rows, v, totals)
    else:
        short_columns(kind, (0,) * 8, table, cols, first, last, v, begins)
        short_count(kind, (0,) * 8, rows, v, totals)


@jit_callee
def _take_unit(plan, state, every, me):  # type: ignore[no-untyped-def]
    """Start the next unit in thread ``me``: prepare the data shared by all its columns."""
    place, n_units = state.place[me], plan.units.shape[0]
    place[UNIT] = min(fetch_add(state.shared, 0, 1), n_units)
    if place[UNIT] == n_units:
        return
    g = plan.units[place[UNIT], 0]
    rows, lanes = state.rows[me], state.lanes[me]
    rows[: plan.words[g] * LANES] = 0
    cells = 0
    for k in range(plan.first_lane[g + 1] - plan.first_lane[g]):
        record = plan.row_of[plan.first_lane[g] + k]
        n = plan.row_starts[record + 1] - plan.row_starts[record]
        for r in range(0, n, WORD):
            bit = _row_bit(plan.lane_bytes[g], k, r)
            rows[bit // WORD] |= (~np.uint64(0) >> np.uint64(WORD - min(WORD, n - r))) << np.uint64(bit % WORD)
        lanes[FIRST, k], lanes[FIRST_MIRRORED, k] = record * plan.out_row, record * plan.out_col
        lanes[OWN_COLUMNS, k] = 0 if plan.all_to_all else plan.col_starts[record + 1] - plan.col_starts[record]
        cells += n * (1 if plan.all_to_all else lanes[OWN_COLUMNS, k])
        lanes[CELLS, k] = cells
    place[SEQUENCE], place[COLUMN] = plan.units[place[UNIT], 1], 0
    if not plan.all_to_all:
        pack_group(plan, state.planes, len(every), g)
    elif plan.words[g] <= plan.most_words:
        tabulate(plan.words[g], state.planes, plan.at[g], plan.pad, state.masks[me], state.tables[me], every)


@jit_with(error_model="numpy")
def advance(plan, state, kind, every, me, budget):  # type: ignore[no-untyped-def]
    """Process up to about ``budget`` thousand words of columns in thread ``me``.

    Returns:
        Thousands of words done, at least one; 0 when stopped or finished (``state.place[me, UNIT]``
        is then the number of units).
    """
    n_units = plan.units.shape[0]
    place = state.place[me]
    masks, table, v = state.masks[me], state.tables[me], state.v[me]
    rows, lanes, totals = state.rows[me], state.lanes[me], state.found[me]
    left, cells, pairs = budget * 1000, 0, 0
    worked = False
    while left > 0 and load_acquire(state.shared, 1) == 0:
        if place[UNIT] < 0:
            _take_unit(plan, state, every, me)
        u = place[UNIT]
        if u >= n_units:
            break
        worked = True
        g, last_sequence = plan.units[u, 0], plan.units[u, 2]
        words, short = plan.words[g], plan.lane_bytes[g]
        first_lane, last_lane = plan.first_lane[g], plan.first_lane[g + 1]
        tabled = plan.all_to_all and words <= plan.most_words
        sequence, first = place[SEQUENCE], place[COLUMN]
        while sequence < last_sequence and left > 0:
            record = plan.columns[sequence] if plan.all_to_all else -1
            start = plan.col_starts[record] if record >= 0 else 0
            n = plan.col_starts[record + 1] - start if record >= 0 else _n_columns(plan, g)
            last = min(n, first + left // max(words, 1) + 1)
            if first == 0 and not short:
                begin(kind, words, v)
            if short:
                _short(kind, short, table, plan.cols, start + first, start + last, v, first == 0, rows, totals)
            elif tabled:
                columns_by_table(kind, words, table, plan.cols, start + first, start + last, v)
            else:
                chunk = first // CHUNK_COLUMNS * CHUNK_COLUMNS
                last = min(last, chunk + CHUNK_COLUMNS)
                if first == chunk:
                    _lay_out(plan, g, record, n, chunk, min(n, chunk + CHUNK_COLUMNS), masks, len(every))
                columns(kind, words, state.planes, plan.at[g], masks, first - chunk, last - chunk, v, every)
            left -= (last - first) * max(words, 1) + SEQUENCE_COST_WORDS
            first = last
            if last == n:
                if not short:
                    count(kind, words, rows, v, totals)
                n_lanes = (min(sequence, last_lane) if plan.own else last_lane) - first_lane
                step, mirrored = (
                    record * plan.out_col if plan.all_to_all else 0,
                    record * plan.out_row if plan.own else -1,
                )
                more = 0 if len(kind) == len(LCS) else n if plan.all_to_all else -1
                _write(state.out, step, mirrored, lanes, n_lanes, more, totals)
                if n_lanes > 0:
                    cells += lanes[CELLS, n_lanes - 1] * (n if plan.all_to_all else 1)
                pairs += n_lanes
                sequence, first = sequence + 1, 0
        place[SEQUENCE], place[COLUMN] = sequence, first
        if sequence == last_sequence:
            place[UNIT] = -1
    state.cells[me] += cells
    place[DONE] += pairs
    return max(1, budget - max(left, 0) // 1000) if worked else 0
