"""Detection of the alphabet from byte counts; the rules are in ``wavediff.core.reading``."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.reading.letters import GAPS, STOP, WHITE, table
from wavediff.core.sequences.sequence import Alphabet

_BASES = table(b"ACGTUacgtu")
_IUPAC = table(b"ACGTUNRYSWKMBDHVacgtunryswkmbdhv")
_AMINO = table(b"ACDEFGHIKLMNPQRSTVWY")
_AMINO_ANY = table(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NEUTRAL = table(GAPS + STOP + WHITE)
_NO_TEXT = tuple(bytes(np.flatnonzero(kind | _NEUTRAL).tolist()) for kind in (_IUPAC, _AMINO_ANY))
_WITHOUT_LETTERS = bytes(np.flatnonzero(_NEUTRAL).tolist())
_WITHOUT_AMINO = bytes(np.flatnonzero(_AMINO | _NEUTRAL).tolist())
_MIN_TELLING_LETTERS = 20  # letters that say less of what they are than a word does


def guess(counts: Counts) -> Alphabet:
    """Return the alphabet of a FASTA or FASTQ record: never TEXT, as its letters are residues.

    Args:
        counts: int64, shape (256,).
    """
    counts = np.where(_NEUTRAL, 0, counts)
    return _nucleic(counts, 2) or Alphabet.PROTEIN


def guess_raw(counts: Counts) -> Alphabet:
    """Return the alphabet of a file without a ``>`` line; TEXT unless the counts show residues."""
    letters = np.where(_NEUTRAL, 0, counts)
    if not letters.sum():
        return Alphabet.TEXT
    few = int(letters.sum()) < _MIN_TELLING_LETTERS  # a word as "stay" has no other letters either
    return _nucleic(letters, 10 if few else 2) or (Alphabet.PROTEIN if _protein(letters) else Alphabet.TEXT)


def guess_plain(letters: bytes) -> Alphabet | None:
    """Return the alphabet as ``guess_raw`` does; None if a letter may be an ambiguity code or U.

    None is returned only if ``letters`` may be a sequence: in a text these letters have no meaning.
    """
    if letters and not letters.translate(None, b"ACGTacgt"):
        return Alphabet.DNA
    if all(letters.translate(None, kind) for kind in _NO_TEXT):
        return Alphabet.TEXT
    if not letters.translate(None, _NO_TEXT[0]):
        return Alphabet.TEXT if not letters.translate(None, _WITHOUT_LETTERS) else None
    plain, amino = (letters.translate(None, some) for some in (_WITHOUT_LETTERS, _WITHOUT_AMINO))
    if not _is_raw_protein(len(plain), len(plain), len(plain) - len(amino)):
        return Alphabet.TEXT
    return None if any(code in letters for code in b"BJXZ") else Alphabet.PROTEIN


def is_text(counts: Counts) -> bool:
    """Return whether these counts make ``guess_raw`` return TEXT, regardless of further letters."""
    letters = np.flatnonzero(np.where(_NEUTRAL, 0, counts))
    return not _IUPAC[letters].all() and not _AMINO_ANY[letters].all()


def _nucleic(letters: Counts, one_in: int) -> Alphabet | None:
    """Return DNA or RNA if all letters are IUPAC codes and at most one in ``one_in`` is ambiguous (N excluded)."""
    total, n = int(letters.sum()), int(letters[[ord("N"), ord("n")]].sum())
    others = total - n - int(letters[_BASES].sum())
    if int(letters[_IUPAC].sum()) != total or others * one_in > total - n:
        return None
    u, t = (int(letters[ord(c)] + letters[ord(c.lower())]) for c in "UT")
    return Alphabet.RNA if u and not t else Alphabet.DNA


def _protein(letters: Counts) -> bool:
    return _is_raw_protein(*(int(some.sum()) for some in (letters, letters[_AMINO_ANY], letters[_AMINO])))


def _is_raw_protein(total: int, capitals: int, amino: int) -> bool:
    # B J O U X Z are 1 in 10 letters of English capitals and 1 in 1000 residues.
    return total >= _MIN_TELLING_LETTERS and capitals == total and amino * 100 >= total * 97
