"""Two sequences in one table of characters, as those that are compared must be; U and T as one nucleotide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import number
from wavediff.core.sequences.characters import FIRST_CODE, MAX_CHARACTERS, bytes_notice, recoding, utf8_pieces
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.sequences.sequence import Sequence

U_IS_T = Notice(NoticeKind.U_IS_T, "U is compared as T")
_URACIL, _THYMINE = list(b"Uu"), list(b"Tt")


def u_is_t_notices(a: Counts, b: Counts) -> tuple[tuple[Notice, ...], tuple[Notice, ...]] | None:
    """Return the notices about two nucleotide sequences of which one has U, so that U is compared as T; else None.

    A notice says so where one has T.

    Args:
        a, b: int64, shape (256,): how often each code occurs.
    """
    has_u = [bool(one[_URACIL].any()) for one in (a, b)]
    if not any(has_u):
        return None
    notices = (U_IS_T,) if (a + b)[_THYMINE].any() else ()
    return (notices if has_u[0] else (), notices if has_u[1] else ())


def keeps_uracil(a: Sequence, b: Sequence) -> bool:
    """Return whether it matters for two sequences if U is T: they are nucleotides, with both letters."""
    found = u_is_t_notices(a.counts, b.counts) if a.alphabet.is_nucleotide and b.alphabet.is_nucleotide else None
    return found is not None and any(found)


def without_u_is_t(sequence: Sequence) -> Sequence:
    """Return ``sequence`` with U and T as two letters."""
    notices = tuple(one for one in sequence.notices if one != U_IS_T)
    return replace(sequence, u_is_t=False, notices=notices)


def with_common_characters(a: Sequence, b: Sequence, uracil: UracilRule = UracilRule.AUTO) -> tuple[Sequence, Sequence]:
    """Return both with the same ``characters``: their own in common, or none where that cannot be.

    Then each byte is a letter, in both: where one is no UTF-8, or where together they have too many characters.
    Nucleotides of which one has U are marked ``u_is_t`` as ``uracil`` has it.
    """
    if uracil is UracilRule.AUTO and a.alphabet.is_nucleotide and b.alphabet.is_nucleotide:
        told = u_is_t_notices(a.counts, b.counts)
        if told is not None:
            one, other = (
                replace(each, u_is_t=True, notices=(*each.notices, *notices))
                for each, notices in zip((a, b), told, strict=True)
            )
            return one, other
    if a.characters == b.characters:
        return a, b
    are_characters = all(each.characters or each.is_ascii for each in (a, b))
    common = "".join(sorted(set(a.characters + b.characters)))
    if are_characters and len(common) <= MAX_CHARACTERS:
        return _recoded(a, common), _recoded(b, common)
    many = f"A and B have more than {number(MAX_CHARACTERS)} different characters together"
    why = many if are_characters else "those of the other text are"
    return as_bytes(a, why), as_bytes(b, why)


def as_bytes(sequence: Sequence, why: str) -> Sequence:
    """Return ``sequence`` with each byte of its UTF-8 a letter, and a notice that says why."""
    if not sequence.characters:
        return sequence
    letters = np.frombuffer(b"".join(utf8_pieces(sequence.letters, sequence.characters)), np.uint8)
    counts = np.bincount(letters, minlength=256)
    notice = Notice(NoticeKind.BYTES, bytes_notice(int(counts[FIRST_CODE:].sum()), why))
    return replace(sequence, letters=letters, counts=counts, characters="", notices=(*sequence.notices, notice))


def _recoded(sequence: Sequence, characters: str) -> Sequence:
    if sequence.characters == characters:
        return sequence
    table = recoding(sequence.characters, characters)
    counts = np.zeros(256, np.int64)
    np.add.at(counts, table, sequence.counts)
    letters: Letters = sequence.letters if sequence.is_ascii else table[sequence.letters]
    return replace(sequence, letters=letters, counts=counts, characters=characters)
