"""The longest common subsequence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import count, identity, localized, number
from wavediff.core.jobs import KernelModules, Rates
from wavediff.core.methods.base import (
    NO_PATH_ON_A_CLUSTER,
    AlignedPair,
    Batch,
    BlockJob,
    Measure,
    Method,
    RaceKernel,
    Ties,
    TracebackMethod,
    of_lengths,
    short_kernels,
    skipping_kernels,
)
from wavediff.core.methods.common_options import AUTO_BLOCKS, block_option, path_option, ties_option
from wavediff.core.methods.options import Choice, Options, Value, kernel_option
from wavediff.core.methods.second import Second, backwards, rows
from wavediff.core.methods.tie_texts import ties_lines
from wavediff.core.methods.wording import Edits, gaps_named, with_apart

if TYPE_CHECKING:
    import numpy as np

    from wavediff.core.base.arrays import Counts
    from wavediff.core.jobs.lcs_result import LcsResult

KAWANAMI_BLOCKS = (1024, 1024)
FINE_BLOCK = 1024  # letters a side of a block of a small matrix: the map has something to show
FINE_BLOCKS_CELLS = 1 << 31  # up to this size the time does not matter


class Strategy(StrEnum):
    """Choice of the cells to compute; AUTO takes the fastest strategy that proves its result."""

    AUTO = "auto"
    DIAGONALS = "diagonals"  # diagonal transition, O(nd)
    BAND = "band"  # a band around the diagonal, doubled until proven
    FULL = "full"  # the whole matrix


class LcsKernel(StrEnum):
    """Kernel that computes the blocks."""

    DEFAULT = "default"  # the fastest of the device
    KAWANAMI = "kawanami"  # as published: graphics cards only, the whole matrix, path by Hirschberg's recursion


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LcsJob(BlockJob):
    """Longest common subsequence of ``a`` (rows, reference) and ``b`` (columns, query).

    Attributes:
        strategy: computed cells.
        ties: choice among the optimal alignments.
        kernel: for the cells. KAWANAMI stores no borders, so it uses Hirschberg's recursion for
            ``TracebackMethod.BLOCKS`` too; its blocks are always 1024 x 1024, without a band.
    """

    modules = KernelModules(
        cpu="wavediff.core.kernels.pairwise.lcs.run",
        gpu="wavediff.gpu.pairwise.lcs.run",
        **short_kernels("lcs", "blocks small", "verify indel rows"),
    )
    rates = Rates(
        0.6e12, ((1e10, 1.8e12), (4e10, 5.5e12), (1.6e11, 9e12), (1.1e12, 60e12), (2.8e14, 145e12)), chained=True
    )

    strategy: Strategy = Strategy.AUTO
    kernel: LcsKernel = LcsKernel.DEFAULT
    ties: Ties = Ties.FEWEST_GAPS

    def __post_init__(self) -> None:
        if self.kernel is LcsKernel.KAWANAMI and self.strategy not in (Strategy.AUTO, Strategy.FULL):
            raise ValueError(f"the kernel of Kawanami 2011 computes the whole matrix, got {self.strategy}")
        BlockJob.__post_init__(self)

    @property
    def cluster_obstacle(self) -> str:
        if self.kernel is not LcsKernel.DEFAULT:
            return f"--kernel {self.kernel} runs on this computer only"
        return "" if self.path is TracebackMethod.NONE else NO_PATH_ON_A_CLUSTER

    @property
    def is_short(self) -> bool:
        return self.has_short_letters and self.strategy is Strategy.AUTO and self.kernel is LcsKernel.DEFAULT

    @property
    def for_several_cards(self) -> bool:
        return self.kernel is LcsKernel.DEFAULT and self.path is not TracebackMethod.HIRSCHBERG


_CELLS = Choice(
    id="strategy",
    label="Cells",
    tip="Cells to compute",
    help="cells to compute (default: auto, the fastest with a proven result)",
    default=Strategy.AUTO,
    values=(
        Value(Strategy.AUTO, "Auto", "The fastest strategy with a proven result"),
        Value(Strategy.FULL, "Whole matrix", "No band: all blocks but equal ends and those with known borders"),
        Value(Strategy.BAND, "Band", "A band around the diagonal, doubled until its result is proven"),
        Value(Strategy.DIAGONALS, "Diagonals", "Along the diagonals only, for sequences that are alike"),
    ),
    shown=False,
)
_KERNELS = kernel_option(
    LcsKernel.DEFAULT,
    "kernel of the cells; kawanami: by Kawanami and Fujimoto (2011), for comparison: GPU only, all cells, "
    "alignment by halving",
    Value(
        LcsKernel.KAWANAMI,
        "Kawanami 2011",
        "By Kawanami and Fujimoto, for comparison: GPU only, all cells, path by halving",
        gpu_only="the kernel of Kawanami 2011 runs on graphics cards only; the default kernel runs on both",
    ),
)


class Lcs(Method):
    """The longest common subsequence."""

    id, name, long_name = "lcs", "Common letters", "longest common subsequence"
    tip = "Longest common subsequence: the most letters that both have in the same order"
    job_type = LcsJob
    table, equal_adds = "lcs", 1
    options = (
        path_option(TracebackMethod.BLOCKS, TracebackMethod.HIRSCHBERG, TracebackMethod.NONE),
        _CELLS,
        _KERNELS,
        block_option(shown=False, help="size of a block, rounded to vector sizes (default: the fastest)"),
        ties_option(),
    )
    batch = Batch(
        modules=KernelModules(cpu="wavediff.core.kernels.batch.run", gpu="wavediff.gpu.batch.run"),
        rates=Rates(0.2e12, ((1e8, 1.6e12), (1e11, 50e12))),
        name="LCS length",
        numbers="LCS lengths",
        column="lcs",
        heading="LCS",
        share="Identity by matches",
        share_definition="2 × LCS / both lengths",
    )
    race_kernels = (
        *skipping_kernels({"strategy": Strategy.FULL}),
        RaceKernel(
            "hirschberg", "Hirschberg, CPU",
            "Halves and recursion on every core: least memory, twice the cells",
            "cpu",
            {"traceback": TracebackMethod.HIRSCHBERG},
        ),
        RaceKernel(
            "hirschberg-gpu", "Hirschberg, GPU",
            "Hirschberg, with large halves on the graphics card",
            "gpu",
            {"traceback": TracebackMethod.HIRSCHBERG},
        ),
        RaceKernel(
            "kawanami", "Kawanami 2011",
            "Kawanami and Fujimoto's published kernel on the graphics card: all cells",
            "gpu",
            {"kernel": LcsKernel.KAWANAMI},
        ),
    )  # fmt: skip
    unknown = "no length yet"
    usual = ("cpu", "gpu", "kawanami", "hirschberg", "cpu-full")

    def check(self, values: Options) -> None:
        strategy, (rows, cols) = values["strategy"], values["blocks"]
        if values["kernel"] is LcsKernel.KAWANAMI:
            if strategy not in (Strategy.AUTO, Strategy.FULL):
                raise WavediffError(
                    f"--strategy {strategy}: --kernel kawanami computes every cell, that is --strategy full"
                )
            if (rows, cols) not in (AUTO_BLOCKS, KAWANAMI_BLOCKS):
                raise WavediffError(f"--blocks {rows}x{cols}: the blocks of --kernel kawanami are 1024x1024")

    def finer(self, n_cells: int, values: Options) -> Options:
        fine = n_cells <= FINE_BLOCKS_CELLS and values["kernel"] is LcsKernel.DEFAULT
        return {"blocks": (FINE_BLOCK, FINE_BLOCK)} if fine else {}

    def value(self, result: LcsResult) -> int:
        return result.length

    def same(self, result: LcsResult, n_a: int, n_b: int) -> bool:
        return result.length == n_a == n_b

    def answer(self, result: LcsResult, n_a: int, n_b: int) -> str:
        matches, share = result.apart.matches(result.length), self.shown_identity(result, n_a, n_b)
        letters = with_apart(f"LCS {count(matches, 'letter', 'letters')}", result)
        return letters if share is None else f"{letters} · {identity(share)}"

    def remarks(self, result: LcsResult) -> list[str]:
        return [*gaps_named(Edits.of(result), result.ties), "exact"]

    def explanation(self, result: LcsResult) -> str:  # noqa: ARG002
        return (
            "LCS: the longest common subsequence; its share: twice its length / the letters of A and B together, each "
            "substitution costs 2 letters."
        )

    def summary(self, result: LcsResult, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:  # noqa: ARG002
        share, letters = self.shown_identity(result, n_a, n_b), count(result.length, "letter", "letters")
        if share is None or not n_a + n_b:
            return [f"longest common subsequence: {letters}"]
        lines = [f"longest common subsequence: {letters}, {localized(f'{share:.2%}')} of both"]
        edits = Edits.of(result)
        if edits is not None:
            lines.append(
                f"differences: substitutions {number(edits.substitutions)} (each a deletion and an insertion in the "
                f"LCS), insertions {number(edits.insertions)}, deletions {number(edits.deletions)}; gaps "
                f"{number(edits.gaps)}"
            )
        return [*lines, *ties_lines(result)]

    def bounded(self, measure: Measure, result: LcsResult) -> Measure:  # noqa: ARG002
        if measure.key != "mismatches" or not measure.value:
            return measure
        definition = "columns with two different letters; each is a deletion and an insertion in the LCS"
        return replace(measure, definition=definition)

    def measures(self, result: LcsResult) -> list[Measure]:
        return [Measure("lcs", "LCS length", "the most letters that both have in the same order", result.length)]

    def identities(self, result: LcsResult, n_a: int, n_b: int) -> dict[str, float]:
        return {"two_matches_over_lengths": of_lengths(result.length, n_a, n_b)}

    def shown_identity(self, result: LcsResult, n_a: int, n_b: int) -> float | None:
        apart = result.apart
        n, m = apart.letters(n_a), apart.letters(n_b)
        return None if apart.n and not n + m else of_lengths(apart.matches(result.length), n, m)

    def fields(self, result: LcsResult) -> dict[str, Any]:
        return {"lcs": result.length}

    def second(self, job: LcsJob, result: LcsResult) -> Second:
        answer = rows(job, int(job.a.size) + int(job.b.size) - 2 * result.length, indel=True)
        if answer is not None:
            return answer
        other = Strategy.FULL if result.strategy == "band" else Strategy.BAND
        what = "the matrix in blocks" if other is Strategy.FULL else "the cells or points of a band"
        fields = {"strategy": other, "kernel": LcsKernel.DEFAULT, "block_rows": 0, "block_cols": 0, "cluster": None}
        return backwards(job, what, exchanged=True, **fields)

    def with_itself(self, sizes: Counts) -> Counts:
        return sizes

    def cost(self, pair: AlignedPair) -> tuple[str, float]:
        return "common letters", int(pair.alignment.lengths[pair.alignment.ops == 0].sum())

    def batch_identity(self, values: Counts, n_a: Counts, n_b: Counts) -> np.ndarray:
        from wavediff.core.base.arrays import ratio

        return ratio(2 * values, n_a + n_b)


LCS = Lcs()
