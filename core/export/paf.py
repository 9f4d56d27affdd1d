"""PAF, and the CIGAR of a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.export import letter_fields
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.segments import Segment, segments
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, LETTER, Alignment, Op, Swaps
from wavediff.core.methods.statistics import Statistics

_CHUNK_RUNS = 1 << 17  # runs in a piece: some hundred kB of text, a few ms of work
_LETTERS = np.frombuffer(LETTER.encode(), np.uint8)
_POWERS = 10 ** np.arange(1, 19, dtype=np.int64)


def cigar(alignment: Alignment) -> Iterator[bytes]:
    """Yield the CIGAR of ``alignment`` in chunks of whole runs, without overhang; ``*`` if empty, as in SAM."""
    alignment = alignment.aligned
    if not alignment.ops.size:
        yield b"*"
    for first in range(0, alignment.ops.size, _CHUNK_RUNS):
        yield _format(alignment.ops[first : first + _CHUNK_RUNS], alignment.lengths[first : first + _CHUNK_RUNS])


def cigar_line(comparison: Comparison) -> Iterator[bytes]:
    yield from cigar(comparison.alignment)
    yield b"\n"


def digits(numbers: Counts) -> Counts:
    """Return the number of decimal digits of each (non-negative) number."""
    return np.searchsorted(_POWERS, numbers, side="right") + 1


def _format(ops: np.ndarray, lengths: np.ndarray) -> bytes:
    """Format all runs at once, without a Python object per run."""
    n_digits = digits(lengths)
    ends = np.cumsum(n_digits + 1)
    text = np.empty(int(ends[-1]), np.uint8)
    text[ends - 1] = _LETTERS[ops]
    place, rest = ends - 2, lengths.copy()
    for _ in range(int(n_digits.max())):
        text[place] = ord("0") + rest % 10
        place, rest = place - 1, rest // 10
        more = rest > 0
        place, rest = place[more], rest[more]
    return text.tobytes()


def cigar_bytes(comparison: Comparison) -> int:
    """Return the size of the CIGAR in bytes. Lines of a split PAF take more: their fixed fields exceed omitted gaps."""
    alignment = comparison.alignment.aligned
    return int(digits(alignment.lengths).sum()) + int(alignment.ops.size) or 1


_UNKNOWN_QUALITY = 255


def paf(comparison: Comparison) -> Iterator[bytes]:
    """Yield lines in chunks: one per part (see ``parts``), or per place of B in A if these were listed.

    Tags: ``NM:i`` letters inserted, deleted and exchanged (for an edit distance in one line: that distance); ``AS:i``
    letters equal; ``de:f`` 1 - gap-compressed identity; ``zk:Z`` the method; ``cg:Z`` the CIGAR with ``=`` and ``X``.
    All tags refer to their line. ``zp:Z``, for a proven score, has the score and the second algorithm. Overhang (free
    ends) is in no line. Coordinates are 0-based, half-open, and count in the files, also for B on the ``-`` strand; the
    CIGAR is in the order of A.

    A swap is written to the CIGAR as an X, an optional gap and an X. ``zd:i`` has the distance with each swap counted
    once, ``zs:Z`` the swapped letters: 0-based, first and last in the target, then in the query, in the order of the
    target: ``12-13/12-13,40-44/39-40``.
    """
    b = comparison.b
    if comparison.loci is not None:  # a line for each place of B in A: all of B, on the strand that lies there
        for at in comparison.loci:
            assert at.alignment is not None
            yield from line(comparison, at.alignment, (0, len(b), "+" if at.strand > 0 else "-"), at.a_start)
        return
    for segment in segments(comparison.a, b, comparison.alignment, comparison.swaps):
        for part in parts(segment, comparison.split_gap):
            places = (*b.stretch(part.b0, part.b1), b.orientation.strand.sign)
            yield from line(comparison, part.alignment, places, comparison.a.place(part.a0), part.swap_tags(b))


def line(
    comparison: Comparison, alignment: Alignment, in_b: tuple[object, ...], a0: int, tags: Iterable[str] = ()
) -> Iterator[bytes]:
    a, b, counts = comparison.a, comparison.b, Statistics.of(alignment)
    fields: list[object] = [letter_fields.field(b), len(b), *in_b, letter_fields.field(a), len(a), a0, a0 + counts.n_a]
    fields += [counts.matches, counts.columns, _UNKNOWN_QUALITY, f"NM:i:{counts.edits}", f"AS:i:{counts.matches}"]
    fields += [f"de:f:{1 - counts.identity['gap_compressed']:.6f}", f"zk:Z:{comparison.method}", *tags]
    fields += [f"zp:Z:{comparison.seal}"] if comparison.seal else []
    yield "\t".join(map(str, fields)).encode("utf-8", "backslashreplace") + b"\tcg:Z:"
    yield from cigar(alignment)
    yield b"\n"


def parts(segment: Segment, split_gap: int) -> Iterator[Segment]:
    """Split a segment at its long gaps.

    A gap is a run of insertions and deletions. A gap with ``split_gap`` or more letters of A, or of B, is left out,
    also at the ends, unless it is inside a swap. An alignment without a column of two letters is one part.

    Args:
        split_gap: minimum letters of a long gap; 0: never split.
    """
    swaps = segment.swaps
    ops, lengths = segment.alignment.ops, segment.alignment.lengths
    in_gap = (ops == Op.INSERTION) | (ops == Op.DELETION)
    ends_a = segment.a0 + np.cumsum(lengths * CONSUMES_A[ops])
    ends_b = segment.b0 + np.cumsum(lengths * CONSUMES_B[ops])
    starts_a, starts_b = ends_a - lengths * CONSUMES_A[ops], ends_b - lengths * CONSUMES_B[ops]
    long = in_gap & (lengths >= split_gap)
    if swaps is not None and len(swaps):
        swap = np.searchsorted(swaps.a_first, starts_a) - 1  # the one that begins before each run
        long &= (swap < 0) | (starts_a > swaps.a_last[np.maximum(swap, 0)])
    if not split_gap or not long.any() or in_gap.all():
        yield segment
        return
    run = np.cumsum(np.diff(in_gap, prepend=in_gap[:1]))  # neighbours of one kind have one number
    kept = ~np.isin(run, run[long])
    edges = np.flatnonzero(np.diff(kept, prepend=False, append=False)).tolist()
    for first, end in zip(edges[::2], edges[1::2], strict=True):
        a0, b0 = int(starts_a[first]), int(starts_b[first])
        inside = None
        if swaps is not None:
            some = slice(*np.searchsorted(swaps.a_first, (a0, int(ends_a[end - 1]))))
            inside = Swaps(swaps.a_first[some], swaps.a_last[some], swaps.b_first[some], swaps.b_last[some])
        yield Segment(Alignment(ops[first:end], lengths[first:end]), a0, b0, inside)


def paf_bytes(comparison: Comparison) -> int:
    """Return the minimum size of the PAF in bytes; 0 if places were listed, as B may have no place in A."""
    return cigar_bytes(comparison) if comparison.loci is None else 0
