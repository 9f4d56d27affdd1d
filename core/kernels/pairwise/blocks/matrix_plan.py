"""Memory layout of a matrix: strips, blocks, and the arrays shared by threads."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import ALIGN_BYTES, BlockMap, Counts, Letters, Words, aligned_words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit_inline, jit_no_nrt, register_jitable
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.jobs.grid import MAX_BOARD, BlockGrid, BlockState
from wavediff.core.kernels.pairwise.blocks.packed_pair import PackedPair
from wavediff.core.kernels.pairwise.blocks.row_borders import edge_stream

OUTSIDE, PATH = int(BlockState.OUTSIDE_BAND), int(BlockState.PATH)
ACTIVE_STRIPS_PER_THREAD_MIN = 2  # strips for each of several threads, so that there is another one to go on with
ONLY_BEGINNINGS = 1 << 40  # blocks from a kept state to the next, where of each strip only the first one is kept
CARRY_WORDS = GROUP_COLUMNS * LANES  # words of the carries that a strip has under way, for each sign


@register_jitable
def padded(n: int) -> int:
    """Return the row pitch in words; two threads never write to one cache line."""
    return (n + ALIGN_BYTES // 8 - 1) // (ALIGN_BYTES // 8) * (ALIGN_BYTES // 8)


@jit_inline
def row(words: Words, k: int, n: int) -> Words:
    """Return the k-th row of ``n`` words."""
    start = k * padded(n)
    return words[start : start + n]


class MatrixPlan(NamedTuple):
    """Input arrays of the threads; integers are column groups, words or counts.

    lo, hi: groups of each strip; above_lo: the first of the strip above; first, last: its blocks. border_at,
    border_words: start of the row border below strip s - 1 at index s, and words of each of its streams. saved_at:
    start of the strip's first stored state; the state of every ``keep``-th block is stored, none for 0. marks_at: start
    of the strip's marks, and the end of the last ones. delta_bits: a tuple with one element per bit of a difference
    between neighbouring cells: one for the LCS (growth), two for edit distance (up, down). Stored entries are
    contiguous.
    """

    rows: Letters  # codes of A
    letters: Letters  # codes of B
    columns: Words
    rare_a: Counts
    rare_b: Counts
    lo: Counts
    above_lo: Counts
    hi: Counts
    first: Counts
    last: Counts
    border_at: Counts
    border_words: Counts
    saved_at: Counts
    marks_at: Counts
    edge: Words
    delta_bits: tuple[int, ...]
    monotone: bool  # hand borders through where Sudo and Shinohara's rule allows it
    free_rows: bool  # column 0 costs nothing, in any row a path begins (Sellers 1980)
    n_cols: int
    n_planes: int
    words: int
    depth: int
    steps: int
    keep: int
    board_rows: int
    board_cols: int


class MatrixState(NamedTuple):
    """Output arrays: shared counters, and rows per strip or thread."""

    border: Words
    saved: Words
    marks: Letters  # the topmost bit of each lane's carries, a byte a step, stream after stream; empty if not asked for
    final: Words  # state of the rows before the first column, then after the last: (strips, signs * depth * LANES)
    block_map: BlockMap
    shared: Counts  # 0: strips above it are finished, 1: stop, 2: clock at the beginning, 3: its bits that make a tick
    progress: Counts  # blocks finished, counted from column 0, of each strip
    owner: Counts  # of each strip: 0 where no thread is at it
    strip: Counts  # that each thread is at
    cells: Counts  # of the blocks done
    skipped: Counts  # of those handed through
    row_planes: Words  # a ``row`` a strip of n_planes * depth * LANES words; empty where nothing is kept
    work: Words  # a ``row`` a strip at work, see ``strip_workspace``
    began: Any  # of each place of the block map, see ``wavediff.core.jobs.run_record.RunRecord``
    ended: Any
    by: Letters


@jit_inline
def strip_workspace(plan: Any, state: Any, k: Any) -> Any:
    """Return the workspace of the k-th active strip: state, carries, rows.

    That is signs * depth * LANES, signs * CARRIES and n_planes * depth * LANES words. They are adjacent because AMD's
    Zen 4 is slow with some address pairs, probably cache aliases: of 1,500 random pairs 1 % took 1.3 to 3.1 times as
    long, reproducibly; of as many adjacent ones none did.
    """
    size, carries = len(plan.delta_bits) * plan.depth * LANES, len(plan.delta_bits) * CARRY_WORDS
    place = row(state.work, k, size + carries + plan.n_planes * plan.depth * LANES)
    return place[:size], place[size : size + carries], place[size + carries :]


def strip_rows(depth: int) -> int:
    return BITS * depth


def plan_matrix(
    packed: PackedPair,
    *,
    depth: int,
    steps: int,
    threads: int,
    keep: int,
    n_delta_bits: int,
    band: tuple[int, int] | None = None,
    monotone: bool = False,
    marks: bool = False,
    free_rows: bool = False,
    free_columns: bool = False,
    spare: int = 0,
) -> tuple[MatrixPlan, MatrixState, BlockGrid]:
    """Lay out strips and blocks of two sequences, and allocate their arrays.

    Args:
        band: (low, high): only diagonals ``low <= column - row <= high`` need to be inside; None for all.
        keep: keep the state of every ``keep``-th block of a strip and all row borders; 0 keeps neither.
        marks: store the borders between the lanes of each strip.
        free_rows, free_columns: a path may begin in any row of column 0, in any column of row 0, at no cost; of edit
            distance.
        spare: additional row borders to allocate at the end.
    """
    a, b, n_planes = packed.rows, packed.letters, packed.n_planes
    height, streams_each = strip_rows(depth), GROUP_COLUMNS * n_delta_bits
    n_strips = -(-a.size // height)
    n_active = threads * (ACTIVE_STRIPS_PER_THREAD_MIN if threads > 1 else 1)
    groups = -(-b.size // GROUP_COLUMNS)
    top = np.arange(n_strips, dtype=np.int64) * height
    if band is None:
        lo, hi = np.zeros(n_strips, np.int64), np.full(n_strips, groups, np.int64)
    else:
        low, high = band
        unit = steps * GROUP_COLUMNS
        lo = np.clip((top + low) // unit * steps, 0, max(0, groups - 1) // steps * steps)
        bottom = np.minimum(top + height, a.size)
        hi = np.clip(-(-(bottom + high + 1) // unit) * steps, lo + 1, groups)
        hi[-1] = groups
    first, last = lo // steps, -(-(hi + BITS - 1) // steps)
    reach = np.append(np.maximum(hi[1:], hi[:-1]), groups) if n_strips > 1 else hi.copy()
    streams = (reach - lo + WORD - 1) // WORD + 1
    border_words = np.concatenate([[(groups + WORD - 1) // WORD + 1 if n_strips else 1], streams])
    if keep or band is not None:
        border_at = starts(border_words * streams_each)
        border_size, border_at = int(border_at[-1]), border_at[:-1]
    else:  # a ring: a strip's border is dead once the strip below has read it
        ring = n_active + 1
        size = int(border_words.max()) * streams_each
        border_at = np.concatenate([[0], size * (1 + np.arange(n_strips) % ring)])
        border_size = size * (ring + 1)
    if spare:
        border_size += spare * int(streams.max()) * streams_each
    size = n_delta_bits * depth * LANES
    state_words, planes = size + n_delta_bits * CARRY_WORDS, n_planes * depth * LANES
    kept = (last - first + keep - 1) // keep if keep else np.zeros(n_strips, np.int64)
    saved_at = starts(kept * state_words)
    marks_at = starts((hi - lo + BITS - 1) * (streams_each * marks))
    shape = (n_strips, max(1, -(-groups // steps)))
    board_rows, board_cols = (-(-side // MAX_BOARD) for side in (max(1, shape[0]), shape[1]))
    block_map = np.zeros((-(-shape[0] // board_rows), -(-shape[1] // board_cols)), np.uint8)
    whole = MatrixPlan(
        a,
        b,
        packed.columns,
        packed.rare_a,
        packed.rare_b,
        lo,
        np.append(0, lo[:-1])[: lo.size],
        hi,
        first,
        last,
        border_at,
        border_words,
        saved_at,
        marks_at,
        edge_stream(),
        (0,) * n_delta_bits,
        monotone,
        free_rows,
        int(b.size),
        n_planes,
        packed.words,
        depth,
        steps,
        keep,
        board_rows,
        board_cols,
    )
    state = MatrixState(
        border=borders(border_size, border_at, border_words, n_delta_bits, free_columns),
        saved=np.empty(int(saved_at[-1]), np.uint64),
        marks=np.empty(int(marks_at[-1]), np.uint8),
        final=_rows(n_strips, size, depth * LANES, free_rows),
        block_map=block_map,
        shared=np.zeros(4, np.int64),
        progress=first.copy(),
        owner=np.zeros(n_strips, np.int64),
        strip=np.full(threads, -1, np.int64),
        cells=np.zeros(threads, np.int64),
        skipped=np.zeros(threads, np.int64),
        row_planes=aligned_words(n_strips * padded(planes) if keep else 0),
        work=aligned_words(n_active * padded(state_words + planes)),
        began=np.zeros(block_map.shape, np.uint32),
        ended=np.zeros(block_map.shape, np.uint32),
        by=np.zeros(block_map.shape, np.uint8),
    )
    if band is not None:
        mark_outside(block_map, first, np.minimum(-(-hi // steps), shape[1]), board_rows, board_cols)
    return whole, state, BlockGrid(int(a.size), int(b.size), height * board_rows, steps * GROUP_COLUMNS * board_cols)


def starts(sizes: Counts) -> Counts:
    """Return the offsets of consecutive pieces, and the end of the last."""
    out = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes, out=out[1:])
    return out


def borders(size: int, at: Counts, words: Counts, n_delta_bits: int, free_columns: bool) -> Words:
    """Return initial row borders: zero growth, or one edit per column.

    Args:
        free_columns: zeros for the topmost border.
    """
    border = np.zeros(size, np.uint64)
    if n_delta_bits == 2:
        for start, n in zip(at.tolist(), (words * GROUP_COLUMNS).tolist(), strict=True):
            border[start : start + n] = ~np.uint64(0)
        if free_columns:
            border[at[0] : at[0] + GROUP_COLUMNS * words[0]] = 0
    return border


def _rows(n_strips: int, size: int, sign: int, free: bool) -> Words:
    """Return initial column borders: zero growth, or one edit per row.

    Args:
        sign: words of a sign. free: rows cost nothing in column 0.
    """
    rows = np.zeros((n_strips, size), np.uint64)
    if not free:
        rows[:, :sign] = ~np.uint64(0)
    return rows


def mark_outside(block_map: BlockMap, first: Counts, ends: Counts, board_rows: int, board_cols: int) -> None:
    """Mark map entries without computed blocks; strip s has the blocks from ``first`` to ``ends``."""
    block_map[:] = OUTSIDE
    there = zip((first // board_cols).tolist(), (-(-ends // board_cols)).tolist(), strict=True)
    for s, (begin, end) in enumerate(there):
        block_map[s // board_rows, begin:end] = 0


def n_cells(plan: MatrixPlan) -> int:
    """Return the cells in the strips' ranges, without padding."""
    height = strip_rows(plan.depth)
    rows = np.minimum(plan.rows.size - np.arange(plan.lo.size) * height, height)
    cols = np.minimum(plan.hi * GROUP_COLUMNS, plan.n_cols) - plan.lo * GROUP_COLUMNS
    return int((rows * cols).sum())


def block_cells(plan: MatrixPlan, strips: Counts, blocks: Counts) -> int:
    """Return the cells of some blocks (``blocks`` counted from column 0 per strip); int64 arrays of equal shape."""
    rows = np.minimum(plan.rows.size - strips * strip_rows(plan.depth), strip_rows(plan.depth))
    ends = np.minimum(np.minimum((blocks + 1) * plan.steps, plan.hi[strips]) * GROUP_COLUMNS, plan.n_cols)
    return int((rows * (ends - blocks * plan.steps * GROUP_COLUMNS)).sum())


def mark_path(plan: MatrixPlan, block_map: BlockMap, strip: int, j0: int, j1: int) -> None:
    """Mark the blocks of a strip on a path between columns ``j0`` and ``j1``."""
    mark_row(block_map, strip // plan.board_rows, plan.steps * GROUP_COLUMNS * plan.board_cols, j0, j1)


@jit_no_nrt
def mark_row(block_map: BlockMap, row: int, unit: int, j0: int, j1: int) -> None:
    """Mark like ``mark_path``; ``row``: row of the map, ``unit``: columns per entry."""
    last = block_map.shape[1] - 1
    for at in range(min(j0 // unit, last), min((max(j1, 1) - 1) // unit, last) + 1):
        if block_map[row, at] != OUTSIDE:
            block_map[row, at] = PATH
