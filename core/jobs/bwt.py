"""Jobs of the Burrows-Wheeler transform."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs import Job, KernelModules, Rates, card_limits
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.sequences.letter_rules import UracilRule

if TYPE_CHECKING:
    from wavediff.core.jobs.bwt_result import BwtIndex, SavedBwt
    from wavediff.core.sequences.sequence import Sequence

MAX_SAMPLE_INTERVAL = 1 << 12  # letters between two samples of an index
MAX_LEVELLED = 1 << 12  # maximum letters of a text with recorded sort levels


class TransformJob(Job):
    """Base of transform, inverse and index; size and speed are in letters of the text."""

    __slots__ = ()

    @property
    def rated_threads(self) -> int:
        return 1

    @property
    def card_bytes(self) -> int:
        return card_limits.BYTES_SORTED * self.n_letters

    @property
    def card_limit_reason(self) -> str | None:
        """Reason if the text is too long; joined texts can be longer than either sequence."""
        if self.n_letters <= card_limits.MAX_LETTERS:
            return None
        most = f"{card_limits.MAX_LETTERS:,} letters, and this one has {self.n_letters:,}"
        return f"the GPU transforms texts of up to {most}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BwtTextJob(Job):
    """Letters to transform: of ``a``, of ``b``, or of both joined; upper case with ``fold_case``."""

    modules = KernelModules("wavediff.core.kernels.bwt.text_run")

    a: Sequence | None = None
    b: Sequence | None = None
    fold_case: bool = False

    def __post_init__(self) -> None:
        if self.a is None and self.b is None:
            raise ValueError("a text needs at least one sequence")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BwtJob(TransformJob):
    """Burrows-Wheeler transform of ``text``.

    Attributes:
        text: uint8, 1-D, any byte values, any length from 0.
        method: suffix sorting.
        suffixes: also return the suffix order (4 more bytes per letter; PACKED has none).
        levels: return the levels of the ternary quicksort: for TERNARY and short texts only.
        threads: CPU threads; 0: one per core.
    """

    modules = KernelModules("wavediff.core.kernels.bwt.run", "wavediff.gpu.bwt.run")
    rates = Rates(25e6, ((1e6, 0.1e9), (1e8, 1.4e9)))

    text: Letters
    method: BwtMethod = BwtMethod.AUTO
    suffixes: bool = False
    levels: bool = False
    threads: int = 0

    def __post_init__(self) -> None:
        if self.levels and (self.method is not BwtMethod.TERNARY or self.text.size > MAX_LEVELLED):
            raise ValueError(f"levels are those of the ternary quicksort of up to {MAX_LEVELLED:,} letters")
        Job.__post_init__(self)

    @property
    def n_letters(self) -> int:
        return int(self.text.size)

    @property
    def cpu_obstacle(self) -> str | None:
        return self.method.cpu_obstacle

    @property
    def gpu_obstacle(self) -> str | None:
        return self.method.gpu_obstacle


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InverseBwtJob(TransformJob):
    """The text whose transform is ``last`` (uint8, shape (n,), ``$`` left out) with row ``primary`` (0 to n)."""

    modules = KernelModules("wavediff.core.kernels.bwt.inverse.run", "wavediff.gpu.bwt.inverse")
    rates = Rates(120e6, ((1e6, 0.2e9), (1e8, 3e9)))

    last: Letters
    primary: int
    threads: int = 0

    def __post_init__(self) -> None:
        Job.__post_init__(self)
        if not 0 <= self.primary <= self.last.size:
            raise ValueError(f"the primary row must be 0 to {self.last.size:,}, got {self.primary:,}")

    @property
    def n_letters(self) -> int:
        return int(self.last.size)

    @property
    def card_bytes(self) -> int:
        return card_limits.BYTES_PER_LETTER * self.n_letters


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IndexJob(TransformJob):
    """Index for backward search in ``text``, or in a ``saved`` transform (one of the two).

    Attributes:
        name: name of ``text``. fold_case: whether text and patterns are converted to upper case.
        method: suffix sorting of ``text`` (PACKED sorts no suffixes, and equals DEFAULT here).
        every: distance of sampled positions of ``text``; a larger one needs less memory, and more time to locate.
        threads: CPU threads; 0: one per core.
    """

    modules = KernelModules("wavediff.core.kernels.bwt.index.build", "wavediff.gpu.bwt.index")
    rates = Rates(13e6, ((1e6, 40e6), (1e8, 100e6)))  # the CPU does most of it on both devices

    text: Letters | None = None
    saved: SavedBwt | None = None
    name: str = ""
    fold_case: bool = False
    method: BwtMethod = BwtMethod.AUTO
    every: int = 32
    threads: int = 0

    def __post_init__(self) -> None:
        if (self.text is None) == (self.saved is None):
            raise ValueError("an index needs either a text or a saved transform")
        if not 1 <= self.every <= MAX_SAMPLE_INTERVAL:
            raise ValueError(f"the sampling interval must be 1 to {MAX_SAMPLE_INTERVAL:,}, got {self.every:,}")
        Job.__post_init__(self)

    @property
    def n_letters(self) -> int:
        if self.text is not None:
            return int(self.text.size)
        return int(self.saved.last.size) if self.saved is not None else 0

    @property
    def cpu_obstacle(self) -> str | None:
        return self.method.cpu_obstacle

    @property
    def gpu_obstacle(self) -> str | None:
        if self.saved is not None and self.saved.samples is not None:
            return "a saved index needs no sorting; all other steps run on the CPU only"
        return self.method.gpu_obstacle


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FindJob(Job):
    """Occurrences of ``patterns`` (any bytes, any length from 0) in the text of ``index``.

    Attributes:
        locate: return positions, not only counts.
        uracil: U in patterns matches T in a text of nucleotides without U, and T matches U.
        limit: maximum positions per pattern, those of its first rows; None: all.
        trace: also return the range of rows after each letter of a pattern.
    """

    modules = KernelModules("wavediff.core.kernels.bwt.index.backward_search")

    index: BwtIndex
    patterns: tuple[bytes, ...]
    uracil: UracilRule = UracilRule.AUTO
    locate: bool = False
    limit: int | None = None
    trace: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LocateRowsJob(Job):
    """Text positions of the ``rows`` (int64, 0 to n) of ``index``, and the row of the position before each."""

    modules = KernelModules("wavediff.core.kernels.bwt.index.locate_rows")

    index: BwtIndex
    rows: Counts


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowsOfPositionsJob(Job):
    """Rows of ``index`` whose rotations begin at ``positions`` (int64, 0 to n) of its text."""

    modules = KernelModules("wavediff.core.kernels.bwt.index.rows_of_positions")

    index: BwtIndex
    positions: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadBwtJob(Job):
    """Read a transform file of ``wavediff.core.export.bwt``, with or without samples."""

    modules = KernelModules("wavediff.core.reading.bwt")

    path: Path
