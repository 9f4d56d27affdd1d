"""How many bytes a file will have, before a byte of it is made: what does not fit is refused at once (faults E2)."""

from __future__ import annotations

import numpy as np

from core.export.cigar import digits
from core.export.fasta import WIDTH
from core.results.alignment import CONSUMES_A, CONSUMES_B, Alignment, Op
from core.sequence import Sequence


def of_cigar(alignment: Alignment) -> int:
    """Return the bytes of ``cigar(alignment)``: what PAF has at least."""
    return int(digits(alignment.lengths).sum()) + int(alignment.ops.size) or 1


def of_sam(b: Sequence, alignment: Alignment) -> int:
    """Return the bytes that SAM has at least: CIGAR and query."""
    return of_cigar(alignment) + len(b)


def of_fasta(alignment: Alignment) -> int:
    """Return the bytes of both gapped rows, titles not counted."""
    columns = alignment.n_columns
    return 2 * (columns + -(-columns // WIDTH))


def of_tsv(alignment: Alignment) -> int:
    """Return the bytes that the table has at least: a line a difference, and the letters that differ."""
    differs = alignment.ops != Op.EQUAL
    ops, lengths = alignment.ops[differs], alignment.lengths[differs]
    letters = int((lengths * (CONSUMES_A[ops] + CONSUMES_B[ops])).sum())
    return letters + 16 * int(np.count_nonzero(differs))
