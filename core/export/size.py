"""Least size of a file before a byte of it is made: what does not fit on the disk is refused at once."""

from __future__ import annotations

import numpy as np

from core.export.cigar import digits
from core.export.comparison import Comparison
from core.export.fasta import WIDTH
from core.results.alignment import CONSUMES_A, CONSUMES_B, Op


def of_cigar(found: Comparison) -> int:
    """Return the bytes of the CIGAR: what PAF has at least."""
    alignment = found.alignment
    return int(digits(alignment.lengths).sum()) + int(alignment.ops.size) or 1


def of_sam(found: Comparison) -> int:
    """Return the bytes that SAM has at least: CIGAR and query."""
    return of_cigar(found) + len(found.b)


def of_fasta(found: Comparison) -> int:
    """Return the bytes of both gapped rows, titles not counted."""
    columns = found.alignment.n_columns
    return 2 * (columns + -(-columns // WIDTH))


def of_tsv(found: Comparison) -> int:
    """Return the bytes that the table has at least: a line a difference, and the letters that differ."""
    alignment = found.alignment
    differs = alignment.ops != Op.EQUAL
    ops, lengths = alignment.ops[differs], alignment.lengths[differs]
    letters = int((lengths * (CONSUMES_A[ops] + CONSUMES_B[ops])).sum())
    return letters + 16 * int(np.count_nonzero(differs))
