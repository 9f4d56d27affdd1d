"""Jobs that compare two sequences, and what can be chosen for them: frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from core.arrays import Letters, freeze
from core.jobs.job_id import next_job_id


class TracebackMethod(StrEnum):
    """Method of the traceback, after (or while) the matrix is computed."""

    BLOCKS = "blocks"  # from kept block borders, recomputing the blocks it crosses
    HIRSCHBERG = "hirschberg"  # Kawanami and Fujimoto: halves and recursion, linear memory, twice the cells
    NONE = "none"  # the length only


class Strategy(StrEnum):
    """Choice of the cells that are computed; AUTO takes the fastest strategy that proves itself."""

    AUTO = "auto"
    PROBE = "probe"  # O(ND), diagonals only
    BAND = "band"  # a band round the diagonal, doubled until it proves itself
    FULL = "full"  # the whole matrix


class LcsKernel(StrEnum):
    """Kernel that computes the blocks."""

    DEFAULT = "default"  # the fastest of the device
    # Kawanami and Fujimoto's, to compare with: graphics cards only, the whole matrix, path by Hirschberg's recursion
    PAPER = "paper"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LcsJob:
    """Longest common subsequence of ``a`` (rows, reference) and ``b`` (columns, query).

    Attributes:
        a, b: uint8, 1-D, any byte values, any length from 0.
        fold_case: ASCII letters match whatever their case.
        path: how the subsequence itself is found; NONE for the length only.
        way: which cells are computed.
        kernel: what computes them. PAPER keeps no borders, so that it halves for ``TracebackMethod.BLOCKS`` too, has
            blocks
            of 1024 x 1024 whatever is asked for, and knows no band.
        block_rows, block_cols: size of a block in letters, 0 = chosen by the kernel.
            The kernel rounds to what its vectors can do.
        threads: CPU threads, 0 = one a core.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: TracebackMethod = TracebackMethod.BLOCKS
    strategy: Strategy = Strategy.AUTO
    kernel: LcsKernel = LcsKernel.DEFAULT
    block_rows: int = 0
    block_cols: int = 0
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if self.kernel is LcsKernel.PAPER and self.strategy not in (Strategy.AUTO, Strategy.FULL):
            raise ValueError(f"the kernel of paper 1 computes the whole matrix, got way {self.strategy}")
        object.__setattr__(self, "a", freeze(self.a))
        object.__setattr__(self, "b", freeze(self.b))


class BandMode(StrEnum):
    """Choice of the band of diagonals of an edit distance."""

    AUTO = "auto"  # ends, probe, seeds, then a band that proves itself
    PAPER = "paper"  # Sudo and Shinohara: subsequence check, one band from the Hamming distance, monotone borders
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
        threshold: for ``BandMode.FIXED`` the edits k that the band must hold, at least 0; else None.
        block_rows, block_cols: size of a block in letters, 0 = chosen by the kernel.
        threads: CPU threads, 0 = one a core.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: TracebackMethod = TracebackMethod.BLOCKS
    band: BandMode = BandMode.AUTO
    threshold: int | None = None
    block_rows: int = 0
    block_cols: int = 0
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if (self.band is BandMode.FIXED) != (self.threshold is not None):
            raise ValueError("a threshold goes with Band.FIXED and with nothing else")
        if self.threshold is not None and self.threshold < 0:
            raise ValueError(f"the threshold must not be negative, got {self.threshold}")
        object.__setattr__(self, "a", freeze(self.a))
        object.__setattr__(self, "b", freeze(self.b))


class SwapKernel(StrEnum):
    """Kernel of distances with swaps. Those of Kim, Na and Sim, to compare with, give distances only, on graphics
    cards."""

    DEFAULT = "default"  # the fastest of the device
    PAPER = "paper"  # Kim, Na and Sim's: anti-diagonals in shared memory, the whole table in global memory
    PAPER_GLOBAL = "paper-global"  # the same with global memory only


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SwapEditJob:
    """Edit distance with swaps of ``a`` (rows, reference) and ``b`` (columns, query): Kim, Na and Sim.

    An insertion, a deletion, an exchange cost one, and so does a swap: two letters of A, with letters between them
    that are deleted, stand the other way round in B, with letters between them that are inserted (Lowrance and
    Wagner: unrestricted Damerau-Levenshtein, CA -> ABC costs 2).

    Attributes:
        a, b: uint8, 1-D, any byte values, any length from 0.
        fold_case: ASCII letters match whatever their case.
        path: BLOCKS for the alignment and its swaps, NONE for the distance only; HIRSCHBERG is not offered.
        swaps: False leaves the swaps out, which gives the plain edit distance.
        kernel: what computes the cells; those of the paper need ``TracebackMethod.NONE`` and swaps.
        threads: CPU threads, 0 = one a core.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: TracebackMethod = TracebackMethod.BLOCKS
    swaps: bool = True
    kernel: SwapKernel = SwapKernel.DEFAULT
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if self.kernel is not SwapKernel.DEFAULT and (self.path is not TracebackMethod.NONE or not self.swaps):
            raise ValueError("the kernels of paper 5 give the distance with swaps and nothing else")
        object.__setattr__(self, "a", freeze(self.a))
        object.__setattr__(self, "b", freeze(self.b))
