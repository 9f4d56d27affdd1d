"""Common character table of two sequences for comparison; U equated with T."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.sequences.characters import (
    BYTE_CODES,
    FIRST_CODE,
    alphabet_of,
    bytes_notice,
    encoded,
    n_codes,
    utf8_pieces,
)
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.sequences.sequence import Sequence

U_IS_T = Notice(NoticeKind.U_IS_T, "U is compared as T")
OTHER_IS_BYTES = "those of the other text are"  # end of a notice
_URACIL, _THYMINE = list(b"Uu"), list(b"Tt")


def u_is_t_notices(a: Counts, b: Counts) -> tuple[tuple[Notice, ...], tuple[Notice, ...]] | None:
    """Return the notices of A and of B that U is compared as T; None if neither has U.

    Args:
        a, b: int64, shape (256,) or longer: counts of each code.
    """
    has_u = [bool(letters[_URACIL].any()) for letters in (a, b)]
    if not any(has_u):
        return None
    notices = (U_IS_T,) if (a + b)[_THYMINE].any() else ()
    return (notices if has_u[0] else (), notices if has_u[1] else ())


def keeps_uracil(a: Sequence, b: Sequence) -> bool:
    """Return whether the rule for U matters: nucleotides with both U and T."""
    notices = u_is_t_notices(a.counts, b.counts) if a.alphabet.is_nucleotide and b.alphabet.is_nucleotide else None
    return notices is not None and any(notices)


def without_u_is_t(sequence: Sequence) -> Sequence:
    """Return ``sequence`` with U and T distinct."""
    notices = tuple(notice for notice in sequence.notices if notice != U_IS_T)
    return replace(sequence, u_is_t=False, notices=notices)


def with_common_characters(a: Sequence, b: Sequence, uracil: UracilRule = UracilRule.AUTO) -> tuple[Sequence, Sequence]:
    """Return both sequences with a common table of ``characters``; if one is not UTF-8, both with bytes as letters.

    Nucleotide sequences are marked ``u_is_t`` instead if one of them has U and ``uracil`` is AUTO.
    """
    if uracil is UracilRule.AUTO and a.alphabet.is_nucleotide and b.alphabet.is_nucleotide:
        both = u_is_t_notices(a.counts, b.counts)
        if both is not None:
            one, other = (
                replace(each, u_is_t=True, notices=(*each.notices, *notices))
                for each, notices in zip((a, b), both, strict=True)
            )
            return one, other
    a, b = in_common_characters((a, b))
    return a, b


def in_common_characters(sequences: Iterable[Sequence]) -> list[Sequence]:
    """Return all sequences with a common table of ``characters``, or all as bytes if one is not UTF-8."""
    every = [*sequences]
    tables = {each.characters for each in every}
    if len(tables) == 1:
        return every
    if all(each.characters or each.is_ascii for each in every):
        common = "".join(sorted(set("".join(tables))))
        return [_recoded(each, common) for each in every]
    return [as_bytes(each, OTHER_IS_BYTES) for each in every]


def comparable_pair(a: Sequence, b: Sequence, fold_case: bool) -> tuple[Letters, Letters]:
    """Return the letters of two sequences in common codes; kernels fold ASCII case."""
    return narrowed(a.comparable(fold_case), b.comparable(fold_case), fold_case)


def narrowed(one: Letters, other: Letters, fold_case: bool) -> tuple[Letters, Letters]:
    """Convert two code arrays to bytes if possible, else to a common type.

    Each ASCII character in use and each non-ASCII character in both sequences has its own code. Non-ASCII characters of
    one sequence match nothing and share one code per sequence. If a byte has too few codes, both get the wider type.

    Args:
        fold_case: kernels fold the case of ASCII bytes; wide codes are folded here.
    """
    if one.dtype == other.dtype == np.uint8:
        return one, other
    wide = one.dtype if one.itemsize > other.itemsize else other.dtype
    size = 1 + max((int(each.max()) for each in (one, other) if each.size), default=0)
    in_one, in_other = (np.bincount(each, minlength=max(size, BYTE_CODES)) > 0 for each in (one, other))
    free = ~(in_one | in_other)[:BYTE_CODES]
    free[FIRST_CODE:] = True
    if fold_case:
        free[ord("a") : ord("z") + 1] = False
    free_codes = np.flatnonzero(free)
    beyond_ascii = np.arange(in_one.size) >= FIRST_CODE
    shared = np.flatnonzero(in_one & in_other & beyond_ascii)
    if shared.size + 2 > free_codes.size:
        return one.astype(wide, copy=False), other.astype(wide, copy=False)
    table = np.arange(in_one.size).astype(np.uint8)
    table[beyond_ascii & in_one], table[beyond_ascii & in_other] = free_codes[:2]
    table[shared] = free_codes[2 : shared.size + 2]
    return table[one], table[other]


def as_bytes(sequence: Sequence, why: str) -> Sequence:
    """Return ``sequence`` with UTF-8 bytes as letters, and a notice with the reason."""
    if not sequence.characters:
        return sequence
    letters = np.frombuffer(b"".join(utf8_pieces(sequence.letters, sequence.characters)), np.uint8)
    counts = np.bincount(letters, minlength=BYTE_CODES)
    notice = Notice(NoticeKind.BYTES, bytes_notice(int(counts[FIRST_CODE:].sum()), why))
    return replace(sequence, letters=letters, counts=counts, characters="", notices=(*sequence.notices, notice))


def _recoded(sequence: Sequence, characters: str) -> Sequence:
    if sequence.characters == characters:
        return sequence
    table = encoded(alphabet_of(sequence.characters), characters)  # from old codes to new ones
    counts = np.zeros(n_codes(characters), np.int64)
    np.add.at(counts, table, sequence.counts)
    letters: Letters = sequence.letters if sequence.is_ascii else table[sequence.letters]
    return replace(sequence, letters=letters, counts=counts, characters=characters)
