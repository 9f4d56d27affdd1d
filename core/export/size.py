"""Least size of a file before a byte of it is made: what does not fit on the disk is refused at once."""

from __future__ import annotations

import numpy as np

from core.export.cigar import digits
from core.export.comparison import Comparison
from core.export.fasta import LINE_LETTERS
from core.jobs.alignment import CONSUMES_A, CONSUMES_B, Op


def cigar_bytes(found: Comparison) -> int:
    """Return the bytes of the CIGAR; PAF has more, as a line has more bytes than the gaps that it leaves out."""
    alignment = found.alignment.aligned
    return int(digits(alignment.lengths).sum()) + int(alignment.ops.size) or 1


def paf_bytes(found: Comparison) -> int:
    """Return the bytes that PAF has at least; of places of B in A there may be none."""
    return cigar_bytes(found) if found.loci is None else 0


def sam_bytes(found: Comparison) -> int:
    """Return the bytes that SAM has at least: CIGAR and query."""
    return cigar_bytes(found) + len(found.b)


def fasta_bytes(found: Comparison) -> int:
    """Return the bytes of both gapped rows, titles not counted."""
    columns = found.alignment.n_columns
    return 2 * (columns + -(-columns // LINE_LETTERS))


def tsv_bytes(found: Comparison) -> int:
    """Return the bytes that the table has at least: a line a difference, and the letters that differ."""
    if found.loci is not None:
        return 0
    alignment = found.shown.aligned
    differs = alignment.ops != Op.EQUAL
    ops, lengths = alignment.ops[differs], alignment.lengths[differs]
    letters = int((lengths * (CONSUMES_A[ops] + CONSUMES_B[ops])).sum())
    return letters + 16 * int(np.count_nonzero(differs))
