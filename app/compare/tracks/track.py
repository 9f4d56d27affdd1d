"""Track of the zoom strip: one lane for the spans of both sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtGui import QColor

from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.alignment_index import AlignmentIndex, columns_of
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import Spans

BySide = Mapping[Side, Spans]


@dataclass(frozen=True, slots=True)
class Track:
    """Lane of the zoom strip, shown if either sequence has spans for it.

    Attributes:
        noun, nouns: of one span and of several, for tips.
        spans: returns the spans of a sequence as in its file, on any thread; None: the hits.
        is_bars: drawn as bars, with names if there is room.
    """

    noun: str
    nouns: str
    colour: Callable[[Theme], QColor]
    spans: Callable[[Sequence, CancelToken], Spans | None] | None = None
    is_bars: bool = False


def in_columns(index: AlignmentIndex, side: Side, spans: Spans) -> Spans:
    """Convert spans in letters of the compared sequence to columns of the alignment."""
    starts, last = (columns_of(index, each, of_a=side is Side.A) for each in (spans.starts, spans.ends - 1))
    return replace(spans, n_letters=index.n_columns, starts=starts, ends=last + 1).prepare()
