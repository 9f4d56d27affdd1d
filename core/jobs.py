"""What can be asked of the core: one frozen dataclass a job."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count

import numpy as np

from core.arrays import Counts, Letters, freeze
from core.patterns.given import Pattern
from core.patterns.matching import LetterRule
from core.pool import BatchMethod, Pairs, Pool
from core.read_as import ReadAs
from core.sequence import Alphabet

_next_id = count(1)


def next_job_id() -> int:
    return next(_next_id)


class PathMethod(StrEnum):
    """How the path of an alignment is found after (or while) the matrix is computed."""

    BLOCKS = "blocks"  # from kept block borders, recomputing the blocks it crosses
    HIRSCHBERG = "hirschberg"  # paper 1: halves and recursion, linear memory, twice the cells
    NONE = "none"  # the length only


class Way(StrEnum):
    """Which cells are computed; AUTO takes what is fastest and proves itself."""

    AUTO = "auto"
    PROBE = "probe"  # O(ND), diagonals only
    BAND = "band"  # a band round the diagonal, doubled until it proves itself
    FULL = "full"  # the whole matrix


class LcsKernel(StrEnum):
    """What computes the blocks."""

    DEFAULT = "default"  # the fastest of the device
    PAPER = "paper"  # paper 1's, to compare with: graphics cards only, the whole matrix, path by Hirschberg's recursion


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LcsJob:
    """Longest common subsequence of ``a`` (rows, reference) and ``b`` (columns, query).

    Attributes:
        a, b: uint8, 1-D, any byte values, any length from 0.
        fold_case: ASCII letters match whatever their case.
        path: how the subsequence itself is found; NONE for the length only.
        way: which cells are computed.
        kernel: what computes them. PAPER keeps no borders, so that it halves for ``PathMethod.BLOCKS`` too, has blocks
            of 1024 x 1024 whatever is asked for, and knows no band.
        block_rows, block_cols: size of a block in letters, 0 = chosen by the kernel.
            The kernel rounds to what its vectors can do.
        threads: CPU threads, 0 = one a core.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: PathMethod = PathMethod.BLOCKS
    way: Way = Way.AUTO
    kernel: LcsKernel = LcsKernel.DEFAULT
    block_rows: int = 0
    block_cols: int = 0
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if self.kernel is LcsKernel.PAPER and self.way not in (Way.AUTO, Way.FULL):
            raise ValueError(f"the kernel of paper 1 computes the whole matrix, got way {self.way}")
        object.__setattr__(self, "a", freeze(self.a))
        object.__setattr__(self, "b", freeze(self.b))


class Band(StrEnum):
    """How the edit distance is kept to a band of diagonals."""

    AUTO = "auto"  # ends, probe, seeds, then a band that proves itself
    PAPER = "paper"  # paper 2: subsequence check, one band from the Hamming distance, monotone borders
    NONE = "none"  # the whole matrix
    FIXED = "fixed"  # ``threshold`` as given: more edits than that are only bounded from above


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EditJob:
    """Edit distance with unit costs of ``a`` (rows, reference) and ``b`` (columns, query).

    Attributes:
        a, b: uint8, 1-D, any byte values, any length from 0.
        fold_case: ASCII letters match whatever their case.
        path: BLOCKS for the alignment, NONE for the distance only; HIRSCHBERG is not offered.
        band: how many diagonals are computed.
        threshold: for ``Band.FIXED`` the edits k that the band must hold, at least 0; else None.
        block_rows, block_cols: size of a block in letters, 0 = chosen by the kernel.
        threads: CPU threads, 0 = one a core.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: PathMethod = PathMethod.BLOCKS
    band: Band = Band.AUTO
    threshold: int | None = None
    block_rows: int = 0
    block_cols: int = 0
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if (self.band is Band.FIXED) != (self.threshold is not None):
            raise ValueError("a threshold goes with Band.FIXED and with nothing else")
        if self.threshold is not None and self.threshold < 0:
            raise ValueError(f"the threshold must not be negative, got {self.threshold}")
        object.__setattr__(self, "a", freeze(self.a))
        object.__setattr__(self, "b", freeze(self.b))


class SwapKernel(StrEnum):
    """What computes distances with swaps. Those of paper 5, to compare with, give distances only, on graphics cards."""

    DEFAULT = "default"  # the fastest of the device
    PAPER = "paper"  # paper 5's: anti-diagonals in shared memory, the whole table in global memory
    PAPER_GLOBAL = "paper-global"  # the same with global memory only


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SwapEditJob:
    """Edit distance with swaps of ``a`` (rows, reference) and ``b`` (columns, query): paper 5.

    An insertion, a deletion, an exchange cost one, and so does a swap: two letters of A, with letters between them
    that are deleted, stand the other way round in B, with letters between them that are inserted (Lowrance and
    Wagner: unrestricted Damerau-Levenshtein, CA -> ABC costs 2).

    Attributes:
        a, b: uint8, 1-D, any byte values, any length from 0.
        fold_case: ASCII letters match whatever their case.
        path: BLOCKS for the alignment and its swaps, NONE for the distance only; HIRSCHBERG is not offered.
        swaps: False leaves the swaps out, which gives the plain edit distance.
        kernel: what computes the cells; those of the paper need ``PathMethod.NONE`` and swaps.
        threads: CPU threads, 0 = one a core.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: PathMethod = PathMethod.BLOCKS
    swaps: bool = True
    kernel: SwapKernel = SwapKernel.DEFAULT
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if self.kernel is not SwapKernel.DEFAULT and (self.path is not PathMethod.NONE or not self.swaps):
            raise ValueError("the kernels of paper 5 give the distance with swaps and nothing else")
        object.__setattr__(self, "a", freeze(self.a))
        object.__setattr__(self, "b", freeze(self.b))


class Layout(StrEnum):
    """How the states of the patterns lie in vectors, and how many letters of the text a step takes."""

    AUTO = "auto"
    LETTER = "letter"  # one letter a step
    QUAD = "quad"  # four letters a step, their codes of two bits packed into a byte; meant for nucleotides
    PAPER = "paper"  # paper 3's 256 bits: cyclic, dummy bits at the low end, accepting bits on top


MOST_ERRORS = 8
MOST_HITS = 10_000_000


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
        errors: mismatches, or edits, allowed in an occurrence, 0 to ``MOST_ERRORS``.
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
    limit: int = MOST_HITS
    layout: Layout = Layout.AUTO
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if not 0 <= self.errors <= MOST_ERRORS:
            raise ValueError(f"0 to {MOST_ERRORS} errors can be allowed, got {self.errors}")
        if self.layout is Layout.PAPER and self.errors:
            raise ValueError("the layout of paper 3 has no rows for errors")
        if self.limit < 1:
            raise ValueError(f"the limit must be at least 1 hit, got {self.limit}")
        object.__setattr__(self, "text", freeze(self.text))
        starts = np.array([0, self.text.size]) if self.starts is None else self.starts
        object.__setattr__(self, "starts", freeze(np.asarray(starts, np.int64)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BatchJob:
    """Distances (LCS: lengths) of many pairs of ``a`` (reference) and ``b`` (query) at once.

    Attributes:
        a, b: the sequences; ``b`` None for those of ``a`` against each other, each pair computed once.
        pairs: which of them are compared; ZIP needs as many of ``a`` as of ``b``.
        method: what is computed of each pair.
        fold_case: ASCII letters match whatever their case.
        kernel: what computes the cells; those of the paper go with ``BatchMethod.SWAP``.
        threads: CPU threads, 0 = one a core.
    """

    a: Pool
    b: Pool | None
    pairs: Pairs = Pairs.ALL
    method: BatchMethod = BatchMethod.EDIT
    fold_case: bool = False
    kernel: SwapKernel = SwapKernel.DEFAULT
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if self.kernel is not SwapKernel.DEFAULT and self.method is not BatchMethod.SWAP:
            raise ValueError(f"the kernels of paper 5 are for swaps, got method {self.method}")
        if self.pairs is Pairs.ZIP and (self.b is None or len(self.a) != len(self.b)):
            raise ValueError("pair by pair needs as many of A as of B")

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the answers: (pairs,) pair by pair, (sequences of A, of B) of all against all."""
        return (len(self.a),) if self.pairs is Pairs.ZIP else (len(self.a), len(self.a if self.b is None else self.b))

    @property
    def n_pairs(self) -> int:
        """Pairs that are computed: of one file against itself each once, and none with itself."""
        n = len(self.a)
        if self.b is None:
            return n * (n - 1) // 2
        return n if self.pairs is Pairs.ZIP else n * len(self.b)

    @property
    def n_cells(self) -> int:
        """Cells of their matrices."""
        a, b = self.a.sizes, (self.a if self.b is None else self.b).sizes
        if self.pairs is Pairs.ZIP:
            return int(a @ b)
        whole = int(a.sum()) * int(b.sum())
        return (whole - int(a @ a)) // 2 if self.b is None else whole


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadJob:
    """Read one file into records; runs through the same runner and worker as a computation.

    Attributes:
        path: as the person named it, which a ``Path`` would change in ``http://x`` and in the empty name.
        alphabet: what the letters are, whatever they look like; None = guessed.
    """

    path: str | os.PathLike[str]
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    id: int = field(default_factory=next_job_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseJob:
    """Read pasted or dropped text as if it were a file."""

    text: str
    source: str = "<pasted>"
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    id: int = field(default_factory=next_job_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPatternsJob:
    """Read a list of patterns, FASTA or one a line, compressed or not."""

    path: str | os.PathLike[str]
    id: int = field(default_factory=next_job_id)
