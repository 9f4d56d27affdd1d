"""Job that searches a text for many patterns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from core.arrays import Counts, Letters, freeze
from core.choices import LetterRule, SearchLayout
from core.methods.base import next_job_id
from core.patterns.pattern_list import Pattern

MAX_ERRORS = 8
MAX_HITS = 10_000_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SearchJob:
    """Every occurrence of every pattern in a text, overlapping and nested ones too.

    Attributes:
        text: uint8, 1-D, any byte values, any length from 0; the records one after the other.
        starts: int64, shape (n_records + 1,): where each record starts in ``text``, and the end; None: one record.
            An occurrence lies in one record.
        patterns: at least one.
        rule: what their letters stand for.
        fold_case: ASCII letters match whatever their case.
        both_strands: also search for the reverse complements; needs ``LetterRule.NUCLEOTIDE``.
        errors: mismatches, or edits, allowed in an occurrence, 0 to ``MAX_ERRORS``.
        edits: whether letters may also be missing or added.
        limit: hits after which the search stops; the first ones of the text are kept.
        layout: how the states are laid out; all give the same hits.
        threads: CPU threads, 0 = one a core.
    """

    text: Letters
    patterns: tuple[Pattern, ...]
    starts: Counts | None = None
    rule: LetterRule = LetterRule.LITERAL
    fold_case: bool = False
    both_strands: bool = False
    errors: int = 0
    edits: bool = False
    limit: int = MAX_HITS
    layout: SearchLayout = SearchLayout.AUTO
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if not 0 <= self.errors <= MAX_ERRORS:
            raise ValueError(f"0 to {MAX_ERRORS} errors can be allowed, got {self.errors}")
        if self.layout is SearchLayout.CYCLIC and self.errors:
            raise ValueError("the cyclic layout has no rows for errors")
        if self.limit < 1:
            raise ValueError(f"the limit must be at least 1 hit, got {self.limit}")
        object.__setattr__(self, "text", freeze(self.text))
        starts = np.array([0, self.text.size]) if self.starts is None else self.starts
        object.__setattr__(self, "starts", freeze(np.asarray(starts, np.int64)))
