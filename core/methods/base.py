"""Contract of a comparison method: everything that any part of the program asks of one.

A method is one object, made in one file of this folder and listed in ``wavediff.core.methods.METHODS``; from it follow
its options on the command line and in the window, its job's kernel and device, its result line, statistics and JSON,
its kind of batch and its kernels in a race. Nothing heavy is imported here, and what is needed inside functions only is
imported there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wavediff.core.jobs import Job
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods.options import Choice, Option, Options, Value, accepted, joined
from wavediff.core.sequences.letter_rules import LetterRule

if TYPE_CHECKING:
    import numpy as np

    from wavediff.core.base.arrays import Counts, Letters
    from wavediff.core.jobs.edit_result import BandAttempt, Skip
    from wavediff.core.methods.second import Second
    from wavediff.core.sequences.sequence import Sequence

NOT_ON_A_CLUSTER = "on a cluster one pair is compared by --method lcs or edit, and from end to end"


class TracebackMethod(StrEnum):
    """Method of the traceback, after (or while) the matrix is computed."""

    BLOCKS = "checkpoints"  # from kept block borders, recomputing the blocks it crosses
    HIRSCHBERG = "hirschberg"  # Kawanami and Fujimoto: halves and recursion, linear memory, twice the cells
    NONE = "none"  # the number only


class Ties(StrEnum):
    """Choice among the alignments of least cost."""

    FEWEST_GAPS = "fewest-gaps"  # between long equal runs the fewest gap openings, then as far left as can be
    LEFT_MOST = "left-most"  # as the walk from the end leaves it: no gap could be moved a letter to the left


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairJob(Job):
    """Request for a comparison of two sequences.

    Attributes:
        a, b: uint8, 1-D, any byte values, any length from 0; ``a`` are the rows (reference), ``b`` the columns (query).
        fold_case: ASCII letters match whatever their case.
        path: how the alignment is found, NONE for the number only.
        threads: CPU threads, 0 = one a core.
        codes: what ambiguity codes among the letters stand for, which changes no cell but is counted in the alignment;
            LITERAL where there are none.
    """

    a: Letters
    b: Letters
    fold_case: bool = False
    path: TracebackMethod = TracebackMethod.BLOCKS
    threads: int = 0
    codes: LetterRule = LetterRule.LITERAL

    @property
    def n_cells(self) -> int:
        """Cells of the full matrix."""
        return int(self.a.size) * int(self.b.size)

    @property
    def n_letters(self) -> int:
        """Letters of both sequences."""
        return int(self.a.size) + int(self.b.size)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BlockJob(PairJob):
    """Request for a comparison by blocks.

    Attributes:
        block_rows, block_cols: size of a block in letters, 0 = chosen by the kernel, which rounds to what its vectors
            can do.
        cluster: where the matrix is computed, None = on this computer; for the number alone.
        in_order: share of the k-mers that both have once, 0 to 1, which one path can hold, as the screening says: the
            less, the wider is the first band. It changes no answer.
    """

    block_rows: int = 0
    block_cols: int = 0
    cluster: Cluster | None = None
    in_order: float = 1.0


class KernelModules(NamedTuple):
    """Modules that run a kind of job, each with a function: ``run(job)``, and of ``gpu`` ``run_on(card, job)``,
    which takes what wakes other cards too where ``wavediff.gpu.card.sharing`` gives them a part.

    ``gpu`` is None where only the CPU can.

    That for the CPU may have a function ``memory(job)``: the bytes that the job takes beside its letters, or least and
    most of them, where that depends on how alike two sequences are.
    """

    cpu: str
    gpu: str | None = None


class Rates(NamedTuple):
    """Cells a second of one kind of job; of a transform, letters.

    Attributes:
        core: of one core of an AMD EPYC (Zen 4); threads share the blocks without loss. A transform gains little by
            threads: that of the processor.
        card: of one NVIDIA H200: (cells of the matrix, rate) by size; a small matrix does not fill it. Empty where
            there is no kernel for cards.
    """

    core: float
    card: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of a table of statistics.

    Attributes:
        key: name for programs, as in the JSON.
        name, definition: texts.
        value: a number; None where the job did not compute it.
        is_share: whether it is one in 0..1, which a person reads in percent.
    """

    key: str
    name: str
    definition: str
    value: int | float | None
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class RaceKernel:
    """A kernel that can race.

    Attributes:
        id: as on the command line; the same in all methods where it stands for the same.
        name: short, over a map. tip: what it is, one sentence.
        device: ``auto``, ``cpu`` or ``gpu``, see ``wavediff.core.run.dispatch.Device``.
        options: of its job, beside what all of them are asked.
    """

    id: str
    name: str
    tip: str
    device: str
    options: Options = field(default_factory=dict)

    @property
    def needs_path(self) -> bool:
        """True for a traceback of its own, which has nothing to say where only the number is wanted."""
        return "traceback" in self.options


def device_kernels(cpu: str, gpu: str = "") -> tuple[RaceKernel, ...]:
    """Return the kernels that a comparison takes by itself, on each device: ``cpu`` and ``gpu`` are their tips."""
    found = RaceKernel("default", "Default", "What a comparison with the device on Auto does", "auto")
    on_cpu = RaceKernel("cpu", "CPU", cpu, "cpu")
    on_card = RaceKernel("gpu", "GPU", gpu, "gpu")
    return (found, on_cpu, on_card) if gpu else (found, on_cpu)


def skipping_kernels(all_cells: Options) -> tuple[RaceKernel, ...]:
    """Return the kernels of a method that skips cells: by itself, and with ``all_cells``, options by which none is."""
    cpu = "Every core; computes every cell, whatever the two have in common"
    gpu = "The graphics card; computes every cell, whatever the two have in common"
    return (
        *device_kernels(
            "Every core, the fastest strategy that proves itself",
            "The graphics card, the fastest strategy that proves itself",
        ),
        RaceKernel("cpu-full", "CPU, all cells", cpu, "cpu", all_cells),
        RaceKernel("gpu-full", "GPU, all cells", gpu, "gpu", all_cells),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A method for many pairs at once, numbers only.

    Attributes:
        kernel: modules that run a ``BatchJob`` of the method.
        rates: their speed.
        name: in the window. numbers: what is computed, in a line of the command line. tip: what it is.
        column, heading: of the value, in tables for programs and for a person.
        options: those of the method that its batches have too.
        share: how alike a pair is, 0 to 1: its name in tables. share_definition: its formula.
    """

    kernel: KernelModules
    rates: Rates
    name: str
    numbers: str
    column: str
    heading: str
    options: tuple[Option, ...] = ()
    share: str = "Identity"
    share_definition: str = "1 − distance / longer sequence"


class Method(ABC):
    """A way to compare two sequences.

    Attributes:
        id: as on the command line, in JSON, PAF and the settings.
        name: short, for choosers. long_name: for ``--help`` and messages; lower case, no article.
        tip: one sentence on what it is.
        job_type: class of its jobs, a ``PairJob``; key of ``wavediff.core.run.dispatch.KERNELS``.
        kernel: modules that run them. rates: their speed.
        options: what can be chosen; the path, where it has one, by ``path_option``.
        batch: its batches, None where it has none.
        race_kernels: its kernels that can race. usual: the ids of those that do unless others are asked for, the first
            ones that can.
        unknown: what is said of the answer before there is one.
        table: of ``wavediff.core.teach`` that has its cells; empty: they cannot be shown. equal_adds: to a cell, an
            equal letter in front of both sequences.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    long_name: ClassVar[str]
    tip: ClassVar[str]
    job_type: ClassVar[type]
    kernel: ClassVar[KernelModules]
    rates: ClassVar[Rates]
    options: ClassVar[tuple[Option, ...]]
    batch: ClassVar[Batch | None] = None
    race_kernels: ClassVar[tuple[RaceKernel, ...]] = ()
    unknown: ClassVar[str] = "no distance yet"
    usual: ClassVar[tuple[str, ...]] = ()
    table: ClassVar[str] = ""
    equal_adds: ClassVar[int] = 0

    def __str__(self) -> str:
        return self.id

    # Options and jobs

    def option(self, id_: str) -> Option | None:
        """Return an option of the method, None where it has no such one."""
        return next((one for one in self.options if one.id == id_), None)

    def values(self, options: Options) -> dict[str, Any]:
        """Return the value of each option: as chosen in ``options`` if the method has that value, else its default."""
        found = accepted(self.options, options)
        return found | dict(self.implied(found))

    def implied(self, values: Options) -> Options:  # noqa: ARG002
        """Return the values that follow from others, so that nothing else can be chosen beside them."""
        return {}

    def check(self, values: Options) -> None:  # noqa: B027
        """Refuse values typed on the command line that do not go together.

        Raises:
            WavediffError: says so in the words of the command line.
        """

    def finer(self, n_cells: int, values: Options) -> Options:  # noqa: ARG002
        """Return other values for a small matrix whose map is looked at: there what is seen matters, and not time."""
        return {}

    def job(self, a: Sequence, b: Sequence, options: Options, *, fold_case: bool, threads: int = 0) -> Any:
        """Return the job that compares ``a`` with ``b``; of ``options`` those that the method does not have are left.

        Raises:
            WavediffError: what was chosen cannot be done with these sequences.
        """
        arguments = self.arguments(self.values(options), a, b)
        letters = {"a": a.comparable(fold_case), "b": b.comparable(fold_case)}
        return self.job_type(**letters, fold_case=fold_case, threads=threads, codes=_codes(a, b), **arguments)

    def arguments(self, values: Options, a: Sequence, b: Sequence) -> dict[str, Any]:  # noqa: ARG002
        """Return what ``values`` are as arguments of the job class."""
        found = dict(values)
        found["path"] = found.pop("traceback")
        if "blocks" in found:
            found["block_rows"], found["block_cols"] = found.pop("blocks")
        return found

    def compared(self, result: Any, a: Sequence, b: Sequence) -> Any:
        """Return ``result`` of a job made from ``a`` and ``b``, with the two as its alignment reads them (``read``)."""
        return replace(result, read=(a, b))

    # Cells

    def table_of(self, job: Any) -> str:
        """Return which table of ``wavediff.core.teach`` has the cells of ``job``; empty: they cannot be shown."""
        return self.table if self.end_to_end(job) else ""

    # Cost

    def card_bytes(self, job: Any) -> int:  # noqa: ARG002
        """Return the bytes of a card that a job needs beside those for its letters."""
        return 0

    def cluster_obstacle(self, job: Any) -> str:  # noqa: ARG002
        """Return why a cluster does not compute a job, a sentence; empty where it does."""
        return NOT_ON_A_CLUSTER

    def for_several_cards(self, job: Any) -> bool:  # noqa: ARG002
        """Return whether several cards can share a whole matrix of a job."""
        return False

    # Answer

    @abstractmethod
    def value(self, result: Any) -> int | float:
        """Return the number that is the answer; kernels in a race must agree on it."""

    @abstractmethod
    def same(self, result: Any, n_a: int, n_b: int) -> bool:
        """Return whether both sequences have the same letters under the case rule."""

    def headline(self, result: Any, n_a: int, n_b: int) -> str:
        """Return the answer in a sentence, e.g. ``3,315 edits · 80.6 % identical``."""
        return "No differences" if self.same(result, n_a, n_b) else self.answer(result, n_a, n_b)

    @abstractmethod
    def answer(self, result: Any, n_a: int, n_b: int) -> str:
        """Return the answer for sequences that differ in a sentence."""

    @abstractmethod
    def remarks(self, result: Any) -> list[str]:
        """Return what is to be said beside the answer, e.g. ``283 gaps, the fewest found`` and ``exact``."""

    @abstractmethod
    def explanation(self, result: Any) -> str:
        """Return by which definition the answer says how alike the pair is, a sentence."""

    @abstractmethod
    def summary(self, result: Any, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:
        """Return the lines of the command line's summary that only this method has.

        Args:
            figures: the statistics by their keys.
        """

    @abstractmethod
    def measures(self, result: Any) -> list[Measure]:
        """Return the lines of the statistics that only this method has; the first one is the answer."""

    def bounded(self, measure: Measure, result: Any) -> Measure:  # noqa: ARG002
        """Return a line that all methods have as it is for this result, e.g. as a bound."""
        return measure

    def edit_distance(self, result: Any) -> int | None:  # noqa: ARG002
        """Return the edit distance at unit costs where it is known; identities follow from it."""
        return None

    def identities(self, result: Any, n_a: int, n_b: int) -> dict[str, float]:
        """Return what is known of ``wavediff.core.methods.statistics.DEFINITIONS`` without an alignment."""
        distance = self.edit_distance(result)
        return {} if distance is None else {"one_minus_distance_over_longer": of_distance(distance, n_a, n_b)}

    def end_to_end(self, job: Any) -> bool:  # noqa: ARG002
        """Return whether the alignment has every letter of both sequences: no end is free."""
        return True

    def shown_identity(self, result: Any, n_a: int, n_b: int) -> float | None:  # noqa: ARG002
        """Return how alike the pair is by the answer, 0 to 1; None where that is not known, or a bound only.

        Random letters are measured by it too, see ``wavediff.core.run.chance``.
        """
        return None

    def automatic(self, result: Any) -> Mapping[str, str]:  # noqa: ARG002
        """Return by option ids what was found where the method was left to find it, and why, for a person."""
        return {}

    @abstractmethod
    def fields(self, result: Any) -> dict[str, Any]:
        """Return the fields of the JSON that only this method has."""

    def skips(self, result: Any) -> tuple[Skip, ...] | None:  # noqa: ARG002
        """Return which cells were not computed and why; None where the method keeps no account of that."""
        return None

    def bands(self, result: Any) -> tuple[BandAttempt, ...]:  # noqa: ARG002
        """Return the bands that were computed, in their order."""
        return ()

    def second(self, job: Any, result: Any) -> Second:  # noqa: ARG002
        """Return another way to the score of ``result``."""
        return import_module("wavediff.core.methods.second").backwards(job)  # type: ignore[no-any-return]

    # Many pairs

    def with_itself(self, sizes: Counts) -> Counts:
        """Return the value of sequences of these ``sizes``, each compared with itself, in a batch of one file."""
        return sizes * 0

    def batch_identity(self, values: Any, n_a: Counts, n_b: Counts) -> np.ndarray:
        """Return how alike pairs of a batch are, 0 to 1; not asked where ``BatchResult.shares`` says it."""
        raise NotImplementedError


def _codes(a: Sequence, b: Sequence) -> LetterRule:
    from wavediff.core.sequences.ambiguity import common_rule, has_codes

    rule = common_rule(a, b)
    return rule if has_codes(rule, a, b) else LetterRule.LITERAL


def path_option(*paths: TracebackMethod) -> Choice:
    """Return the option for how the alignment is found; the first of ``paths`` is the default."""
    return Choice(
        id="traceback",
        label="Traceback",
        tip="How the path of the alignment is found",
        help=f"how the alignment is found: {joined([_PATHS_HELP[one] for one in paths], 'or')}",
        default=paths[0],
        values=tuple(one for one in _PATHS if one.value in paths),
    )


def ties_option() -> Choice:
    """Return the option for which of the alignments of least cost is shown."""
    return Choice(
        id="ties",
        label="Equal costs",
        tip="Which of the alignments that cost the same is shown",
        help="which of the alignments that cost the same is shown: the one with the fewest gaps (default), or the one "
        "whose gaps lie as far left as they can, however many",
        default=Ties.FEWEST_GAPS,
        values=(
            Value(Ties.FEWEST_GAPS, "Fewest gaps", "As few gaps as can be, then as far left"),
            Value(Ties.LEFT_MOST, "Left-most", "Every gap as far left as it can lie, however many"),
        ),
    )


_PATHS_HELP = {
    TracebackMethod.BLOCKS: "from kept block borders",
    TracebackMethod.HIRSCHBERG: "by halving (least memory)",
    TracebackMethod.NONE: "not at all",
}
_PATHS = (
    Value(TracebackMethod.BLOCKS, "Checkpoints", "Trace back through the kept borders of the blocks: one pass"),
    Value(TracebackMethod.HIRSCHBERG, "Hirschberg", "Halve and recurse: least memory, about twice the cells"),
    Value(TracebackMethod.NONE, "None", "Only the number, no alignment"),
)

BlockShape = tuple[int, int]  # rows, columns in letters; (0, 0) = as suits the pair
AUTO_BLOCKS: BlockShape = (0, 0)
MAX_BLOCK_LETTERS = 1 << 20


def block_option(*shapes: Value, shown: bool, help: str) -> Choice:
    """Return the option for the size of a block."""
    return Choice(
        id="blocks",
        label="Blocks",
        tip="Rows and columns of a block",
        help=help,
        default=AUTO_BLOCKS,
        values=(
            Value(AUTO_BLOCKS, "Auto", "Blocks as large as suits the pair", typed="0x0"),
            *shapes,
        ),
        others=_shape,
        others_metavar="ROWSxCOLS",
        shown=shown,
    )


def _shape(text: str) -> BlockShape:
    rows, _, cols = text.lower().partition("x")
    if not (rows.isascii() and rows.isdigit() and cols.isascii() and cols.isdigit()):
        raise ValueError(f"'{text}' is not like 128x1280")
    if not (1 <= int(rows) <= MAX_BLOCK_LETTERS and 1 <= int(cols) <= MAX_BLOCK_LETTERS):
        raise ValueError(f"{text}: a block has 1 to {MAX_BLOCK_LETTERS:,} rows and columns")
    return int(rows), int(cols)


def of_distance(distance: int, n_a: int, n_b: int) -> float:
    """Return the identity that needs no alignment but the edit distance."""
    longer = max(n_a, n_b)
    return (longer - distance) / longer if longer else 1.0


def of_lengths(matches: int, n_a: int, n_b: int) -> float:
    """Return the identity that needs no alignment but the length of an LCS."""
    return 2 * matches / (n_a + n_b) if n_a + n_b else 1.0
