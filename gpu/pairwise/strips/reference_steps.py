"""Column steps of Kawanami and Sudo in Python integers: slow, and independent of the card's code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits

Rows = tuple[int, ...]  # one integer per sign, bit i for row i


class Replayed(NamedTuple):
    """Result of recomputing a block.

    Attributes:
        rows: after the last column.
        below: uint8, shape (signs, columns), 0 or 1: output of the last row.
    """

    rows: Rows
    below: Letters


def fresh(delta_bits: DeltaBits, height: int, free_rows: bool = False) -> Rows:
    """Return the initial state of ``height`` rows: zero growth (LCS, free rows), or one edit per row."""
    return (0 if free_rows else (1 << height) - 1, 0)[: int(delta_bits)]


def replay(
    delta_bits: DeltaBits, height: int, a: Letters, b: Letters, n_shared: int, rows: Rows, above: Letters
) -> Replayed:
    """Compute ``height`` rows (padding past ``a`` matches nothing) and the columns ``b``.

    Args:
        a, b: codes; only those below ``n_shared`` match.
        rows: before the first column.
        above: uint8, shape (signs, columns), 0 or 1: input from the row above.
    """
    full, last = (1 << height) - 1, height - 1
    match = {
        code: int.from_bytes(np.packbits(a == code, bitorder="little").tobytes(), "little") if code < n_shared else 0
        for code in np.unique(b).tolist()
    }
    below = np.zeros((int(delta_bits), b.size), np.uint8)
    if delta_bits is DeltaBits.LCS:
        (v,) = rows
        for column, (code, carry) in enumerate(zip(b.tolist(), above[0].tolist(), strict=True)):
            both = v & match[code]
            total = v + both + carry
            below[0, column] = total >> height
            v = (total | (v ^ both)) & full
        return Replayed((v,), below)
    vp, vn = rows
    for column, (code, up, down) in enumerate(zip(b.tolist(), *above.tolist(), strict=True)):
        equal = match[code]
        x = equal | vn
        equal |= down
        d0 = ((((equal & vp) + vp) ^ vp) | equal | vn) & full
        hp, hn = vn | (full & ~(d0 | vp)), d0 & vp
        below[:, column] = hp >> last, hn >> last
        hp, hn = (hp << 1 | up) & full, (hn << 1 | down) & full
        vp, vn = hn | (full & ~(x | hp)), hp & x
    return Replayed((vp, vn), below)
