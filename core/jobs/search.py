"""Job that searches a text for many patterns, and its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import count_noun
from wavediff.core.jobs import Job, KernelModules, Rates, card_limits
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.results import Result
from wavediff.core.sequences.enzymes import of_nucleotides
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.sequences.sequence import Sequence

MAX_ERRORS = 8
MAX_HITS = 10_000_000
MIN_COSTED_PATTERN_LETTERS = 200  # letters of patterns: fewer take a text as long
# On the CPU, which looks up exact patterns, a pattern takes as long as this many of its letters elsewhere, and a
# row of errors as several.
LOOKED_UP_PATTERN_LETTERS, CPU_ROWS_OF_ERRORS = 2, 2


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SearchJob(Job):
    """Search for every occurrence of every pattern, overlapping and nested ones included.

    Attributes:
        text: 1-D, any values, any length from 0; concatenated records. uint8, or the wider codes of ``characters``;
            then patterns are UTF-8.
        starts: int64, shape (n_records + 1,): start of each record in ``text``, then the end; None: one record. An
            occurrence lies within one record.
        patterns: at least one; in nucleotides the name of an enzyme stands for its site on both strands.
        rule: meaning of pattern letters.
        fold_case: ignore case.
        characters: of text and patterns, see ``wavediff.core.sequences.characters``.
        both_strands: also search for the reverse complements of all patterns; needs ``LetterRule.NUCLEOTIDE``.
        errors: maximum mismatches, or edits, of an occurrence, 0 to ``MAX_ERRORS``.
        edits: whether errors include insertions and deletions.
        limit: maximum hits; the first ones of the text are returned.
        layout: of the automaton states; does not change the hits.
        threads: CPU threads; 0: one per core.
    """

    modules = KernelModules(cpu="wavediff.core.kernels.search.run", gpu="wavediff.gpu.search.run")
    rates = Rates(0.8e12, ((1e9, 100e12), (1e12, 250e12)))
    timed_kernel = "scan"

    text: Letters
    patterns: tuple[Pattern, ...]
    starts: Counts | None = None
    rule: LetterRule = LetterRule.LITERAL
    fold_case: bool = False
    characters: str = ""
    both_strands: bool = False
    errors: int = 0
    edits: bool = False
    limit: int = MAX_HITS
    layout: SearchLayout = SearchLayout.AUTO
    threads: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.errors <= MAX_ERRORS:
            raise ValueError(f"0 to {MAX_ERRORS} errors can be allowed, got {self.errors}")
        if self.limit < 1:
            raise ValueError(f"the limit must be at least 1 hit, got {self.limit}")
        if self.rule is LetterRule.NUCLEOTIDE:
            object.__setattr__(self, "patterns", tuple(map(of_nucleotides, self.patterns)))
        starts = np.array([0, self.text.size]) if self.starts is None else self.starts
        object.__setattr__(self, "starts", np.asarray(starts, np.int64))
        Job.__post_init__(self)

    @property
    def n_letters(self) -> int:
        return int(self.text.size)

    @property
    def size(self) -> str:
        patterns = count_noun(len(self.patterns), "pattern")
        return f"{patterns} in {count_noun(self.n_letters, 'letter')}"

    @property
    def n_cells(self) -> int:
        """Number of cells: letters of the text times letters of the patterns, times the rows that errors require."""
        return self.n_letters * max(self._pattern_letters, MIN_COSTED_PATTERN_LETTERS) * (self.errors + 1)

    @property
    def cpu_cells(self) -> int:
        if self.errors:
            return CPU_ROWS_OF_ERRORS * self.n_cells
        if self.layout is not SearchLayout.AUTO:
            return self.n_cells
        patterns = len(self.patterns) * self.strands
        return self.n_letters * (MIN_COSTED_PATTERN_LETTERS + LOOKED_UP_PATTERN_LETTERS * patterns)

    @property
    def strands(self) -> int:
        """Number of strands searched for at least one pattern."""
        return 1 + (self.both_strands or any(one.has_both_strands for one in self.patterns))

    @property
    def card_bytes(self) -> int:
        return card_limits.SEARCH_BYTES

    @property
    def card_limit_reason(self) -> str | None:
        return card_limits.WIDE_TEXT if self.text.itemsize > 1 else None

    @property
    def single_card_reason(self) -> str | None:
        return card_limits.TOO_SHORT if self.n_letters < card_limits.MIN_TEXT_LETTERS else None

    def on_card(self, seconds: float) -> float:
        return max(seconds, self.n_letters / card_limits.SEARCH_LETTERS_PER_SECOND)

    def rated_cells(self, n_cells: float, device: str) -> float:
        costed = self.cpu_cells if device == "cpu" else self.n_cells
        return n_cells * costed / max(1, self.n_letters * self._pattern_letters)

    @property
    def _pattern_letters(self) -> int:
        return sum(len(pattern.letters) for pattern in self.patterns) * self.strands


@dataclass(frozen=True, slots=True, eq=False)
class SearchedRecords:
    """Records of the searched text, to locate hits in them.

    Attributes:
        starts: int64, shape (n_records + 1,): start of each record in the text, then the end.
        name: name of a record, by its 0-based number.
        letters: letters of a record, uint8.
        characters: of all records, see ``wavediff.core.sequences.characters``.
        circular: records marked circular in their file.
    """

    starts: Counts
    name: Callable[[int], str]
    letters: Callable[[int], Letters]
    characters: str = ""
    circular: frozenset[int] = frozenset()

    @classmethod
    def of_sequences(cls, *sequences: Sequence) -> SearchedRecords:
        """Return ``sequences`` as consecutive records; all have the alphabet of the first."""
        return cls(
            np.cumsum([0, *map(len, sequences)], dtype=np.int64),
            lambda k: sequences[k].name,
            lambda k: sequences[k].letters,
            sequences[0].characters,
            frozenset(k for k, each in enumerate(sequences) if each.circular),
        )

    def of(self, places: Counts) -> Counts:
        """Return the record of each position in the text, int64, 0-based."""
        records: Counts = np.searchsorted(self.starts, places, "right") - 1
        return records


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SearchResult(Result):
    """Answer to a ``SearchJob``.

    An occurrence is a range of one record that a pattern matches with at most ``errors`` mismatches. With edits there
    is one occurrence for every possible end of a range with at most ``errors`` edits. It has the least cost for that
    end, and is the shortest such range. So one good match has several occurrences.

    Attributes:
        hits: ordered by start, then end, then pattern and strand.
        counts: int64, shape (n_patterns,), read-only: hits of each pattern.
        complete: False if the limit was reached; ``hits`` are then the ones that end first in the text.
        limit: of the job.
        n_letters: of the text.
        n_searched: searched patterns, counting both strands.
        strategy: ``single``, ``quad``: see ``SearchLayout``; or ``q-grams``.
        reason: of the strategy, one sentence.
        cells: letters of the text times letters of the patterns.
    """

    hits: Hits
    counts: Counts
    complete: bool
    limit: int
    n_letters: int
    n_searched: int
    strategy: str
    reason: str
    cells: int

    @property
    def message(self) -> str:
        """Notice about the limit of hits; empty if not reached."""
        if self.complete:
            return ""
        return f"stopped at the limit of {self.limit:,} hits: there are more further on in the text"
