"""Interface of a comparison method, and the records that it returns.

A method is one object, defined in one file of this folder and listed in ``wavediff.core.methods.METHODS``. It defines
the options on the command line and in the window, job kernel and device, result line, statistics and JSON, batches, and
kernels in a race. Heavy modules are imported inside functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from wavediff.core.jobs import Job, KernelModules, Rates, ShortKernel, card_limits
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods.options import Choice, Option, Options, accepted
from wavediff.core.sequences.letter_rules import LetterRule

if TYPE_CHECKING:
    import numpy as np

    from wavediff.core.base.arrays import Counts, Letters
    from wavediff.core.jobs.alignment import Alignment
    from wavediff.core.jobs.edit_result import BandAttempt, Skip
    from wavediff.core.methods.second import Second
    from wavediff.core.sequences.sequence import Sequence

SHORT_LETTERS = 1 << 11  # letters of each of two sequences up to which their matrix takes no time on any device
NEVER_WARN_LETTERS = 1 << 13  # letters of both sequences; less is never worth a forecast
LETTER, LINE, WORD = "letter", "line", "word"  # units of methods
AUTOMATIC = "auto"  # in the place of a method: ``wavediff.core.methods.default.default_method`` of the pair
NO_PATH_ON_A_CLUSTER = "a cluster computes the number of a pair, and no alignment: add '--traceback none'"
NOT_ON_A_CLUSTER = "on a cluster one pair is compared by --method lcs or edit, and from end to end"


class TracebackMethod(StrEnum):
    """Method of the traceback, which follows or accompanies the computation of the matrix."""

    BLOCKS = "checkpoints"  # from kept block borders, recomputing the blocks it crosses
    HIRSCHBERG = "hirschberg"  # Kawanami and Fujimoto: halves and recursion, linear memory, twice the cells
    NONE = "none"  # the number only


class Ties(StrEnum):
    """Choice among the optimal alignments."""

    FEWEST_GAPS = "fewest-gaps"  # between long equal runs the fewest gap openings, then as far left as can be
    LEFT_MOST = "left-most"  # as traced from the end: no gap can move left


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairJob(Job):
    """Request for a comparison of two sequences.

    Attributes:
        a, b: 1-D, any values, any length from 0; ``a`` are the rows (reference), ``b`` the columns (query). Both are
            uint8, or both uint16 or uint32, see ``wavediff.core.sequences.common_characters.comparable_pair``.
        fold_case: ASCII letters match regardless of case.
        path: traceback method, NONE for the number only.
        threads: CPU threads; 0: one per core.
        codes: meaning of ambiguity codes, for the statistics only; LITERAL without any.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: TracebackMethod = TracebackMethod.BLOCKS
    threads: int = 0
    codes: LetterRule = LetterRule.LITERAL

    @property
    def n_cells(self) -> int:
        return int(self.a.size) * int(self.b.size)

    @property
    def n_letters(self) -> int:
        return int(self.a.size) + int(self.b.size)

    @property
    def size(self) -> str:
        return f"{int(self.a.size):,} × {int(self.b.size):,}"

    @property
    def passes(self) -> int:
        return 2 if self.path is TracebackMethod.HIRSCHBERG else 1

    @property
    def card_bytes(self) -> int:
        return card_limits.BYTES_PER_LETTER * self.n_letters

    @property
    def cpu_obstacle(self) -> str | None:
        given = ((getattr(self, id_, None), value, why) for id_, value, why in _gpu_only_options(self.kind))
        return next((why for chosen, value, why in given if chosen is value), None)

    @property
    def card_limit_reason(self) -> str | None:
        if self.a.itemsize > 1:
            return card_limits.WIDE_LETTERS
        if self.n_letters <= card_limits.MAX_LETTERS:
            return None
        return card_limits.too_long(max(int(self.a.size), int(self.b.size)))

    @property
    def cluster_obstacle(self) -> str:
        return NOT_ON_A_CLUSTER

    @property
    def for_several_cards(self) -> bool:
        """Return whether several graphics cards can share the full matrix."""
        return False

    @property
    def single_card_reason(self) -> str | None:
        if not self.for_several_cards:
            return "its kernel uses a single card"
        return None if card_limits.pair_is_shared(int(self.a.size), int(self.b.size)) else card_limits.TOO_SHORT

    @property
    def several_cards(self) -> str:
        return "share it, except with a band"

    @property
    def memory_is_small(self) -> bool:
        return self.n_letters <= NEVER_WARN_LETTERS


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BlockJob(PairJob):
    """Request for a comparison whose matrix is computed in blocks.

    Attributes:
        block_rows, block_cols: size of a block in letters, rounded to the vectors of the kernel; 0: automatic.
        cluster: computes the matrix (for the number only); None: this computer.
        in_order: share of the shared unique k-mers on one path, 0 to 1, by the screening: a smaller one widens the
            first band. Does not change the answer.
    """

    cluster_tasks = "matrix"

    block_rows: int = 0
    block_cols: int = 0
    cluster: Cluster | None = None
    in_order: float = 1.0

    @property
    def has_short_letters(self) -> bool:
        """Return whether both sequences are short and the job names no block size."""
        return (
            max(int(self.a.size), int(self.b.size)) <= SHORT_LETTERS
            and not self.block_rows
            and self.cluster is None
            and self.path is not TracebackMethod.HIRSCHBERG
        )


def short_kernels(function: str, *compiled: str) -> dict[str, ShortKernel]:
    """Return the kernels for short pairs: plain Python until ``compiled`` replaces them, and all in one call."""
    of_all = ("encode encode", "verify verify", "verify points again", "ties ties")
    return {
        "uncompiled": ShortKernel("wavediff.core.kernels.uncompiled.run", function, (*of_all, *compiled)),
        "one_call": ShortKernel("wavediff.core.kernels.pairwise.short_pair", function, ("blocks short pair",)),
    }


@dataclass(frozen=True, slots=True)
class Measure:
    """One row of the statistics table.

    Attributes:
        key: name for programs, as in the JSON.
        name, definition: texts.
        value: a number, or None if not computed.
        is_share: whether it is in 0..1 and shown in percent.
    """

    key: str
    name: str
    definition: str
    value: int | float | None
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class RaceKernel:
    """Kernel that can take part in a race.

    Attributes:
        id: name on the command line; the same kernel has the same id in all methods.
        name: short name, shown over a block map. tip: description in one sentence.
        device: ``auto``, ``cpu`` or ``gpu``, see ``wavediff.core.run.dispatch.Device``.
        options: options of its job, in addition to those common to all kernels.
    """

    id: str
    name: str
    tip: str
    device: str
    options: Options = field(default_factory=dict)

    @property
    def needs_path(self) -> bool:
        """Return whether the kernel sets the traceback, so it cannot take part in a race for the number alone."""
        return "traceback" in self.options


def device_kernels(cpu: str, gpu: str = "") -> tuple[RaceKernel, ...]:
    """Return the default kernels of each device, with the tooltips ``cpu`` and ``gpu``."""
    default = RaceKernel("default", "Default", "The kernel of a comparison with device Auto", "auto")
    on_cpu = RaceKernel("cpu", "CPU", cpu, "cpu")
    on_card = RaceKernel("gpu", "GPU", gpu, "gpu")
    return (default, on_cpu, on_card) if gpu else (default, on_cpu)


def skipping_kernels(no_band: Options) -> tuple[RaceKernel, ...]:
    """Return the kernels of a method that skips cells: the default, and ``no_band``, without skipping."""
    cpu = "Every core; no band: only equal ends are skipped"
    gpu = "The graphics card; no band: only equal ends are skipped"
    return (
        *device_kernels(
            "Every core, the fastest strategy with a proven result",
            "The graphics card, the fastest strategy with a proven result",
        ),
        RaceKernel("cpu-full", "CPU, no band", cpu, "cpu", no_band),
        RaceKernel("gpu-full", "GPU, no band", gpu, "gpu", no_band),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Computation of many pairs at once; returns numbers only.

    Attributes:
        modules: modules that run a ``BatchJob`` of the method. rates: speed of these modules.
        name: name in the window. numbers: noun for the values, on the command line.
        column, heading: heading of the values in tables for programs, and in tables for users.
        options: options of the method that are available in batches.
        share: similarity of a pair, 0 to 1; its first word is the name for programs. share_definition: its formula.
    """

    modules: KernelModules
    rates: Rates
    name: str
    numbers: str
    column: str
    heading: str
    options: tuple[Option, ...] = ()
    share: str = "Identity by distance"
    share_definition: str = "1 − distance / longer sequence"


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Two sequences, an alignment of them from any source, and the options of the comparison."""

    alignment: Alignment
    a: Sequence
    b: Sequence
    fold_case: bool
    options: Options


class Method(ABC):
    """A way to compare two sequences.

    Attributes:
        id: name on the command line, in JSON, PAF and the settings.
        name: short name, for choosers. long_name: name for ``--help`` and messages; lower case, no article.
        tip: description in one sentence.
        job_type: class of its jobs, a ``PairJob``, with the modules that run them and their speed.
        options: options of the method, including the one of ``path_option`` if it has a traceback.
        batch: how it computes batches, or None.
        race_kernels: kernels that can race. usual: ids of those that race by default, in order of preference.
        unknown: text shown in place of the answer before there is one.
        unit: what a row or column of the matrix is; only a method of letters has a chance level and cells.
        table: name of the ``wavediff.core.teach`` table that computes its cells; empty: none.
        equal_adds: increase of the value if one equal letter is put in front of both sequences.
        sampled: job fields that differ for random letters, see ``wavediff.core.run.chance``.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    long_name: ClassVar[str]
    tip: ClassVar[str]
    job_type: ClassVar[Any]
    options: ClassVar[tuple[Option, ...]]
    batch: ClassVar[Batch | None] = None
    race_kernels: ClassVar[tuple[RaceKernel, ...]] = ()
    unknown: ClassVar[str] = "no distance yet"
    usual: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str] = LETTER
    table: ClassVar[str] = ""
    equal_adds: ClassVar[int] = 0
    sampled: ClassVar[Mapping[str, Any]] = {}

    def __str__(self) -> str:
        return self.id

    @property
    def of_letters(self) -> bool:
        return self.unit == LETTER

    # Options and jobs

    def option(self, id_: str) -> Option | None:
        return next((one for one in self.options if one.id == id_), None)

    def values(self, options: Options) -> dict[str, Any]:
        """Return the value of each option: from ``options`` where the method accepts it, else the default."""
        values = accepted(self.options, options)
        return values | dict(self.implied(values))

    def implied(self, values: Options) -> Options:  # noqa: ARG002
        """Return the option values that follow from ``values``; the user cannot change them."""
        return {}

    def check(self, values: Options) -> None:  # noqa: B027
        """Raise an error for option values that exclude each other.

        Raises:
            WavediffError: two values exclude each other; the message has their command-line names.
        """

    def finer(self, n_cells: int, values: Options) -> Options:  # noqa: ARG002
        """Return option values for a small matrix whose block map is shown: more detail, less speed."""
        return {}

    def job(self, a: Sequence, b: Sequence, options: Options, *, fold_case: bool, threads: int = 0) -> Any:
        """Return the job that compares ``a`` with ``b``; options of other methods are ignored.

        Raises:
            WavediffError: invalid options for these sequences.
        """
        arguments = self.arguments(self.values(options), a, b)
        letters = dict(zip("ab", self.letters(a, b, fold_case), strict=True))
        return self.job_type(**letters, fold_case=fold_case, threads=threads, codes=_codes(a, b), **arguments)

    def letters(self, a: Sequence, b: Sequence, fold_case: bool) -> tuple[Letters, Letters]:
        from wavediff.core.sequences.common_characters import comparable_pair  # needs NumPy, which the help does not

        return comparable_pair(a, b, fold_case)

    def arguments(self, values: Options, a: Sequence, b: Sequence) -> dict[str, Any]:  # noqa: ARG002
        """Convert option values to arguments of the job class."""
        options = dict(values)
        options["path"] = options.pop("traceback")
        if "blocks" in options:
            options["block_rows"], options["block_cols"] = options.pop("blocks")
        return options

    def compared(self, result: Any, a: Sequence, b: Sequence) -> Any:
        """Return ``result`` with ``read``: both sequences in the orientation to which its alignment refers."""
        return replace(result, read=(a, b))

    # Cells

    def table_of(self, job: Any) -> str:
        """Return the name of the ``wavediff.core.teach`` table with the cells of ``job``; empty if there is none."""
        return self.table if self.end_to_end(job) else ""

    # Answer

    @abstractmethod
    def value(self, result: Any) -> int | float:
        """Return the distance, length or score; kernels in a race must agree on it."""

    @abstractmethod
    def same(self, result: Any, n_a: int, n_b: int) -> bool:
        """Return whether the sequences are equal under the case rule."""

    def sizes(self, result: Any, n_a: int, n_b: int) -> tuple[int, int]:  # noqa: ARG002
        """Return the sizes of A and B in units of the method (letters or lines)."""
        return n_a, n_b

    def headline(self, result: Any, n_a: int, n_b: int) -> str:
        """Return the one-line answer, e.g. ``3,315 edits · 80.6 % identical``."""
        return "No differences" if self.same(result, n_a, n_b) else self.answer(result, n_a, n_b)

    @abstractmethod
    def answer(self, result: Any, n_a: int, n_b: int) -> str:
        """Return the one-line answer for sequences that differ."""

    @abstractmethod
    def remarks(self, result: Any) -> list[str]:
        """Return remarks shown after the answer, e.g. ``283 gaps`` and ``exact``."""

    @abstractmethod
    def explanation(self, result: Any) -> str:
        """Return one sentence that defines the identity in the answer."""

    @abstractmethod
    def summary(self, result: Any, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:
        """Return the summary lines of the command line that are specific to this method.

        Args:
            figures: statistics by key.
        """

    @abstractmethod
    def measures(self, result: Any) -> list[Measure]:
        """Return the statistics rows that are specific to this method; the first is the answer."""

    def bounded(self, measure: Measure, result: Any) -> Measure:  # noqa: ARG002
        """Return a common statistics row adapted to this result, e.g. marked as a bound."""
        return measure

    def edit_distance(self, result: Any) -> int | None:  # noqa: ARG002
        """Return the edit distance at unit costs if known; identities are derived from it."""
        return None

    def identities(self, result: Any, n_a: int, n_b: int) -> dict[str, float]:
        """Return the values of ``wavediff.core.methods.statistics.DEFINITIONS`` that need no alignment."""
        distance = self.edit_distance(result)
        return {} if distance is None else {"one_minus_distance_over_longer": of_distance(distance, n_a, n_b)}

    def end_to_end(self, job: Any) -> bool:  # noqa: ARG002
        """Return whether the alignment is global: it has every letter of both sequences."""
        return True

    def shown_identity(self, result: Any, n_a: int, n_b: int) -> float | None:  # noqa: ARG002
        """Return the identity in the answer, 0 to 1; None if unknown or only a bound.

        This identity is also measured for random letters, see ``wavediff.core.run.chance``.
        """
        return None

    def automatic(self, result: Any) -> Mapping[str, str]:  # noqa: ARG002
        """Return the values that automatic options resolved to, with the reason, by option id."""
        return {}

    @abstractmethod
    def fields(self, result: Any) -> dict[str, Any]:
        """Return the JSON fields that are specific to this method."""

    def skips(self, result: Any) -> tuple[Skip, ...] | None:  # noqa: ARG002
        """Return the skipped cells and the reasons; None if the method does not record them."""
        return None

    def bands(self, result: Any) -> tuple[BandAttempt, ...]:  # noqa: ARG002
        """Return the computed bands in order."""
        return ()

    def second(self, job: Any, result: Any) -> Second:  # noqa: ARG002
        """Return a second way to compute the score of ``result``, for verification."""
        return import_module("wavediff.core.methods.second").backwards(job)  # type: ignore[no-any-return]

    def cost(self, pair: AlignedPair) -> tuple[str, float] | None:  # noqa: ARG002
        """Return name and value of the cost (or score) of ``pair``'s alignment by this method; None if undefined."""
        return None

    # Many pairs

    def with_itself(self, sizes: Counts) -> Counts:
        """Return the value of each sequence compared with itself, for a batch of one file."""
        return sizes * 0

    def batch_identity(self, values: Any, n_a: Counts, n_b: Counts) -> np.ndarray:
        """Return the identity of each pair of a batch, 0 to 1; unused when ``BatchResult.shares`` has it."""
        raise NotImplementedError


def gpu_only(options: Iterable[Option]) -> list[tuple[str, Any, str]]:
    """Return the option values that need a graphics card: option id, value, reason."""
    choosers = [one for one in options if isinstance(one, Choice)]
    return [(one.id, value.value, value.gpu_only) for one in choosers for value in one.values if value.gpu_only]


@cache
def _gpu_only_options(job_type: Any) -> list[tuple[str, Any, str]]:
    methods: tuple[Method, ...] = import_module("wavediff.core.methods").METHODS
    return gpu_only(option for one in methods if one.job_type is job_type for option in one.options)


def _codes(a: Sequence, b: Sequence) -> LetterRule:
    from wavediff.core.sequences.ambiguity import common_rule, has_codes

    rule = common_rule(a, b)
    return rule if has_codes(rule, a, b) else LetterRule.LITERAL


def of_distance(distance: int, n_a: int, n_b: int) -> float:
    """Return the identity computed from the edit distance alone."""
    longer = max(n_a, n_b)
    return (longer - distance) / longer if longer else 1.0


def of_lengths(matches: int, n_a: int, n_b: int) -> float:
    """Return the identity computed from the LCS length alone."""
    return 2 * matches / (n_a + n_b) if n_a + n_b else 1.0
