"""Two-bit codes of nucleotides."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Letters

NO_CODE = 4
_LETTERS_OF_CODES = (b"Aa", b"Cc", b"Gg", b"TtUu")  # the complement of code c is 3 - c


def nucleotide_codes() -> Letters:
    """Return uint8, shape (256,): 0 to 3 for A, C, G, T or U (any case), else ``NO_CODE``."""
    codes = np.full(256, NO_CODE, np.uint8)
    for code, letters in enumerate(_LETTERS_OF_CODES):
        codes[list(letters)] = code
    return codes
