"""Differences as variants, one per line, in the notation of papers: ``C241T``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wavediff.core.base.errors import ExportError, printable
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import text_field
from wavediff.core.export.segments import Change, changes, in_file_order
from wavediff.core.sequences.ambiguity import common_rule, counted_apart
from wavediff.core.sequences.sequence import Alphabet, Sequence

CHUNK_LETTERS = 1 << 16  # of an insertion in a piece
_CHUNK_LINES = 1 << 13  # some ms of work


def check(a: Sequence, b: Sequence) -> None:
    """Raise an error for texts: their digits would be confused with positions.

    Raises:
        ExportError: A or B is a text.
    """
    for sequence in (a, b):
        if sequence.alphabet is Alphabet.TEXT:
            raise ExportError(
                f"{printable(sequence.name, 60)}: a list of variants holds nucleotides and proteins, this is text; the "
                "table of differences holds any"
            )


def variants(comparison: Comparison) -> Iterator[bytes]:
    """Yield one line per variant, sorted by position in A (1-based).

    ``C241T`` is a substitution, ``11288-11296del`` and ``11288del`` are deletions, ``21764_21765insACG`` is an
    insertion between two letters, ``241-243delinsGT`` a replacement. Proteins likewise (``S501Y``). Letters are
    capitals if case was ignored. Columns counted separately (unknown letters, ``N`` or in proteins ``X``, unless
    requested otherwise) are no variants.

    With features in A or B, their effects follow after a tab: ``A23063T``, ``S:N501Y``.
    """
    a, b = comparison.a.letters.data, comparison.b.letters.data  # their elements are numbers of Python
    cased = bytes(range(256)).upper() if comparison.fold_case else bytes(range(256))
    is_apart = counted_apart(common_rule(comparison.a, comparison.b), comparison.result.ambiguity)
    lines: list[bytes] = []
    place = comparison.a.place

    def line_end(change: Change) -> bytes:
        return b"\n" if comparison.effects is None else b"\t%b\n" % text_field(comparison.effects.text(*change))

    for change in (each for part in in_file_order(comparison.a, comparison.alignment) for each in changes(part)):
        if change.is_substitution:
            before, after = cased[a[change.a0]], cased[b[change.b0]]
            if before != after and not is_apart[before, after]:
                lines.append(b"%c%d%c%b" % (before, place(change.a0) + 1, after, line_end(change)))
        elif change.b0 == change.b1:
            lines.append(_place(change, place) + b"del" + line_end(change))
        else:
            lines.append(
                b"%d_%dins" % (place(change.a0 - 1) + 1, place(change.a0) + 1)
                if change.is_gap
                else _place(change, place) + b"delins"
            )
            for first in range(change.b0, change.b1, CHUNK_LETTERS):
                lines.append(bytes(b[first : min(change.b1, first + CHUNK_LETTERS)]).translate(cased))
                if change.b1 - change.b0 > CHUNK_LETTERS:
                    yield b"".join(lines)
                    lines.clear()
            lines.append(line_end(change))
        if len(lines) >= _CHUNK_LINES:
            yield b"".join(lines)
            lines.clear()
    yield b"".join(lines)


def _place(change: Change, place: Callable[[int], int]) -> bytes:
    first, last = place(change.a0) + 1, place(change.a1 - 1) + 1
    return b"%d" % last if first == last else b"%d-%d" % (first, last)
