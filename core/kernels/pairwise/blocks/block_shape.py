"""Partition of a rectangle into strips and blocks, by speed, threads and memory."""

from __future__ import annotations

from typing import NamedTuple

from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.methods.base import PairJob, TracebackMethod
from wavediff.core.system.machine import available_memory, cores

ENCODED_BYTES_PER_LETTER = 3.25  # for each letter of both sequences: codes, packed letters, seeds
UNCHECKED_BYTES = 1 << 28  # bytes no one need be asked for
CHECK_BYTES = 1 << 24  # bytes that may be kept where no one walks back
MAX_DEPTH = WORD  # a stripe must fit into one word
MAX_BAND_DEPTH = 32  # of the strips of a band
STEP_OVERHEAD_ROWS = 6  # of a stripe would take as long as all else of a step
WARM_UP_WIDTHS = 1.5  # of the band: rows below which it hardly matters what row was begun with
MAX_PIECES, PIECE_CELLS = 64, 1 << 28  # pieces; cells of one, that take longer than it takes to begin
MIN_PIECES_GAIN = 1.2  # times as fast as threads that follow each other
ACTIVE_STRIPS_PER_THREAD = 1.75  # strips under way for each thread
DISSIMILAR_EDITS = (
    64  # in a strip; the walk back does not go through it at once then, nor where nothing is known of them
)


class BlockShapePlan(NamedTuple):
    """Rows per stripe, steps per block, blocks per stored state (0: none), threads; ``marks``: whether lane borders are
    stored, for a lane-wise traceback; ``alike``: whether the diagonal traceback may be faster.
    """

    depth: int
    steps: int
    keep: int
    threads: int
    marks: bool = False
    alike: bool = True
    kept: int = 0  # bytes
    warm_up: int = 0  # strips that each thread computes above its own piece; 0: all follow each other

    def seconds(self, n: int, width: int, rate: float) -> float:
        """Estimate the seconds for ``n`` rows of a band of ``width`` diagonals.

        Args:
            rate: cells per second and thread.
        """
        extra = BITS * self.depth + GROUP_COLUMNS * (BITS + self.steps)  # computed and not asked for, of each row
        n += self.threads * self.warm_up * BITS * self.depth
        return n * (width + extra) * (1 + STEP_OVERHEAD_ROWS / self.depth) / (rate * self.threads)

    def rounding(self, block_rows: int, block_cols: int) -> str:
        """Return a note if blocks do not have the requested size (0: none), or an empty string."""
        rows, cols = self.depth * BITS, self.steps * GROUP_COLUMNS
        if block_rows in (0, rows) and block_cols in (0, cols):
            return ""
        return (
            f"blocks of {rows:,} x {cols:,} letters, where {block_rows or rows:,} x {block_cols or cols:,} were asked"
        )


def n_active(width: int, depth: int, steps: int) -> int:
    """Return the useful number of threads for a band of ``width`` diagonals, at least one.

    A thread that mostly waits for the strip above slows down both.
    """
    lasts = (width + BITS * depth) // GROUP_COLUMNS + BITS
    behind = (
        BITS * depth // GROUP_COLUMNS + BITS + steps
    )  # a strip begins so much further right, and after that much of it
    return max(1, int(lasts / behind / ACTIVE_STRIPS_PER_THREAD))


def choose_shape(
    n: int,
    m: int,
    *,
    threads: int,
    block_rows: int = 0,
    block_cols: int = 0,
    path: bool = False,
    checked: bool = False,
    n_delta_bits: int = 1,
    width: int | None = None,
    edits: int = 0,
    in_pieces: bool = False,
) -> BlockShapePlan | None:
    """Return the partition of ``n`` rows by ``m`` columns, or None if the stored borders exceed memory.

    Args:
        path, checked: store states for a traceback, or only (if few) for a check.
        width: diagonals of the band; None for the whole matrix.
        edits: expected; 0: unknown. in_pieces: allow pieces of a band for threads.
    """
    if block_rows:
        depth = -(-block_rows // BITS)
    elif width is not None:  # strips no taller than the band asks for: what sticks out of it is wasted
        depth = min(max(width // (4 * BITS), 4), MAX_BAND_DEPTH)
    else:  # many strips feed the threads and make the walk back cheap; deep ones make the steps cheap
        deepest = 32 if n < 1 << 22 else MAX_DEPTH
        strips = max(-(-n // (BITS * deepest)), min(8, n * m >> 29), 1)
        depth = -(-n // (BITS * strips))
    depth = min(depth, MAX_DEPTH, -(-n // BITS))
    reach = m if width is None else min(m, width + BITS * depth)
    if block_cols:
        steps = -(-block_cols // (WORD * GROUP_COLUMNS)) * WORD
    else:
        blocks = 96 if path else 32  # of a strip; a walk back begins where a block did
        steps = min(max(8, reach // (GROUP_COLUMNS * blocks * WORD)) * WORD, 2048 if m < 1 << 24 else 8192)
    n_strips = -(-n // (BITS * depth))
    warm_up = 0
    if width is not None:
        pieces, threads = min(threads, MAX_PIECES), min(threads, n_active(width, depth, steps))
        above = int(WARM_UP_WIDTHS * width + GROUP_COLUMNS * steps) // (BITS * depth) + 2  # what sticks out, too
        pieces = min(pieces, n_strips // (2 * above), n * (width + BITS * depth) // PIECE_CELLS)
        if in_pieces and pieces > max(1, MIN_PIECES_GAIN * threads * (1 + pieces * above / n_strips)):
            threads, warm_up = pieces, above
    threads = min(threads, n_strips)
    borders = n_delta_bits * n_strips * (reach // 8 + WORD)
    states = (-(-reach // (steps * GROUP_COLUMNS)) + 1) * n_delta_bits * (n // 8 + n_strips * GROUP_COLUMNS * LANES * 8)
    if not path:
        if width is not None and borders > _budget(borders):  # a whole matrix needs those of the strips at work alone
            return None
        return BlockShapePlan(depth, steps, int(checked and borders + states <= CHECK_BYTES), threads, warm_up=warm_up)
    keep, budget = 1, _budget(borders + states)
    while borders + states // keep > budget and keep * steps < 1 << 16:
        keep *= 2
    if borders + states // keep > budget:
        return None
    marks = n_strips * (reach // GROUP_COLUMNS + BITS) * n_delta_bits * GROUP_COLUMNS
    many = edits == 0 or edits * depth * BITS > n * DISSIMILAR_EDITS
    marked = many and marks <= UNCHECKED_BYTES // 2
    kept = borders + states // keep + marks * marked
    return BlockShapePlan(depth, steps, keep, threads, marked, 2 * edits < n, kept, warm_up)


def _budget(needed: int) -> int:
    """Return the bytes that stored borders and states may take, where ``needed`` would be best."""
    return UNCHECKED_BYTES if needed <= UNCHECKED_BYTES else max(UNCHECKED_BYTES, available_memory() // 3)


def kept_bytes(n: int, m: int, threads: int, n_delta_bits: int, *, path: bool = True) -> int:
    """Return the bytes to store for ``n`` by ``m`` letters, limited to the allowed maximum.

    Args:
        path: for a traceback, else for the widest band.
    """
    if not path:
        borders = n_delta_bits * n * m // (8 * BITS * MAX_BAND_DEPTH)
        return min(borders, _budget(borders))
    shape = choose_shape(n, m, threads=threads, path=True, n_delta_bits=n_delta_bits)
    return _budget(UNCHECKED_BYTES + 1) if shape is None else shape.kept


def pair_memory(job: PairJob, n_delta_bits: int, *, bands: bool) -> tuple[int, int]:
    """Return bytes of a blockwise comparison, without its letters: for equal sequences, and the maximum.

    Args:
        bands: whether the distance alone may be computed in a band, all of whose row borders are stored.
    """
    n, m = int(job.a.size), int(job.b.size)
    coded, path = int(ENCODED_BYTES_PER_LETTER * (n + m)), job.path is TracebackMethod.BLOCKS
    if not n or not m or job.path is TracebackMethod.HIRSCHBERG or not (path or bands):
        return coded, coded
    return coded, coded + kept_bytes(n, m, job.threads or cores(), n_delta_bits, path=path)
