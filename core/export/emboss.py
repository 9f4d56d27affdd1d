"""Alignment in the ``srspair`` format of EMBOSS *needle* and *water*: 50 columns per line with a match line.

Source: EMBOSS, Alignment Formats, https://emboss.sourceforge.net/docs/themes/AlignFormats.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import printable
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.fasta import fits
from wavediff.core.export.letter_fields import CAN_HOLD, require_letters
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_alignment
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.sequence import Sequence

LINE_COLUMNS = 50
NAME_AND_PLACE = 20  # characters before the letters and a blank: a name cut to 13, and a place
_PIECE_COLUMNS = LINE_COLUMNS << 10
_RULE, _PAIR_RULE, _END_RULE = "#" * 40, f"#{'=' * 39}", f"#{'-' * 39}"


class _Piece(NamedTuple):
    """Range of columns: positions in A and B (-1: gap), both rows and the match line."""

    a: Counts
    b: Counts
    row_a: str
    row_b: str
    match: str


def emboss(comparison: Comparison) -> Iterator[bytes]:
    """Yield the header with statistics, then the blocks; overhang of free ends is omitted, as *water* does."""
    index = index_alignment(comparison.shown)
    first, _ = index.aligned_columns
    names = [_name(comparison.a, "A"), _name(comparison.b, "B")]
    yield "\n".join([*_header(comparison, index, names), "", ""]).encode()
    done = index.letters_before(first)
    for piece in _pieces(comparison, index):
        for at in range(0, len(piece.match), LINE_COLUMNS):
            part = slice(at, at + LINE_COLUMNS)
            rows = []
            for sequence, name, places, letters, before in zip(
                (comparison.a, comparison.b), names, (piece.a, piece.b), (piece.row_a, piece.row_b), done, strict=True
            ):
                n_letters = int((places[part] >= 0).sum())
                rows.append(_row(sequence, name, letters[part], before, n_letters))
                done = (*done[1:], before + n_letters)
            match = f"{'':{NAME_AND_PLACE}} {piece.match[part]}"
            yield "\n".join([rows[0], match, rows[1], "", ""]).encode()
    yield f"\n{_END_RULE}\n{_END_RULE}\n".encode()


def check(*sequences: Sequence) -> None:
    """Check that the format can hold both sequences.

    Raises:
        ExportError: a sequence has blanks, or dashes that would be read as gaps.
    """
    for sequence in sequences:
        require_letters(sequence, fits, "EMBOSS's format", CAN_HOLD)


def _header(comparison: Comparison, index: AlignmentIndex, names: list[str]) -> Iterator[str]:
    first, end = index.aligned_columns
    columns, aligned = end - first, comparison.shown.aligned
    matches = aligned.count(Op.EQUAL)
    scoring = getattr(comparison.result, "scoring", None)
    similar = 0 if scoring is None else sum(piece.match.count(":") for piece in _pieces(comparison, index))
    gaps = columns - matches - aligned.count(Op.MISMATCH)
    yield from (_RULE, "# Program: wavediff", "# Align_format: srspair", _RULE, "", _PAIR_RULE, "#")
    yield from ("# Aligned_sequences: 2", f"# 1: {names[0]}", f"# 2: {names[1]}")
    if scoring is not None:
        yield f"# Matrix: {printable(scoring.matrix.name)}"
        yield from (f"# Gap_penalty: {scoring.gap_open:.1f}", f"# Extend_penalty: {scoring.gap_extend:.1f}")
    yield from ("#", f"# Length: {columns}")
    for title, n in (("Identity:", matches), ("Similarity:", matches + similar), ("Gaps:", gaps)):
        share = 100 * n / columns if columns else 0
        yield f"# {title}{n:>{17 - len(title)}}/{columns} ({share:4.1f}%)"
    if scoring is not None:
        yield f"# Score: {comparison.result.score:.1f}"
    yield from ("#", "#", _PAIR_RULE)


def _pieces(comparison: Comparison, index: AlignmentIndex) -> Iterator[_Piece]:
    first, end = index.aligned_columns
    scoring = getattr(comparison.result, "scoring", None)
    for at in range(first, end, _PIECE_COLUMNS):
        window = index.window(at, min(at + _PIECE_COLUMNS, end))
        match = np.full(window.op.size, ord(" "), np.uint8)
        match[window.op == Op.EQUAL] = ord("|")
        match[window.op == Op.MISMATCH] = ord(".")
        if scoring is not None:
            pairs = np.flatnonzero(window.op == Op.MISMATCH)
            codes = scoring.matrix.codes
            rows, columns = codes[comparison.a.letters[window.a[pairs]]], codes[comparison.b.letters[window.b[pairs]]]
            match[pairs[scoring.matrix.scores[rows, columns] > 0]] = ord(":")
        rows_of_letters = _gapped(comparison.a, window.a), _gapped(comparison.b, window.b)
        yield _Piece(window.a, window.b, *rows_of_letters, match.tobytes().decode())


def _gapped(sequence: Sequence, places: Counts) -> str:
    letters = np.full(places.size, ord("-"), sequence.letters.dtype)
    letters[places >= 0] = sequence.letters[places[places >= 0]]
    return decoded(letters, sequence.characters)


def _row(sequence: Sequence, name: str, letters: str, before: int, n_letters: int) -> str:
    """Return a line; if it is all gaps, both positions are that of the preceding letter, or 0."""
    start = end = sequence.place(before - 1) + 1 if before else 0
    if n_letters:
        start, end = sequence.place(before) + 1, sequence.place(before + n_letters - 1) + 1
    label = name[: min(13, NAME_AND_PLACE - 1 - len(str(start)))]
    return f"{label}{start:>{NAME_AND_PLACE - len(label)}} {letters} {end:>6}"


def _name(sequence: Sequence, other: str) -> str:
    return "_".join(printable(sequence.name).replace(":", " ").split()) or other
