"""The edit distance with swaps (unrestricted Damerau-Levenshtein)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import count
from wavediff.core.jobs import KernelModules, Rates, card_limits
from wavediff.core.methods.base import (
    AlignedPair,
    Batch,
    Measure,
    Method,
    PairJob,
    RaceKernel,
    Ties,
    TracebackMethod,
    device_kernels,
)
from wavediff.core.methods.common_options import path_option, ties_option
from wavediff.core.methods.edit import distance_identity, identity_lines
from wavediff.core.methods.options import Flag, Options, Value, kernel_option
from wavediff.core.methods.second import Second, backwards
from wavediff.core.methods.tie_texts import ties_lines
from wavediff.core.methods.wording import (
    Edits,
    definition_text,
    edits_text,
    few_edits_text,
    gaps_named,
    identical_text,
    known_edits,
    shown_identity,
    with_apart,
)

if TYPE_CHECKING:
    import numpy as np

    from wavediff.core.base.arrays import Counts
    from wavediff.core.jobs.swap_result import SwapEditResult

CELLS_PER_KEPT_BYTE = 80  # for each byte kept of a matrix that is walked back, on a card


class SwapKernel(StrEnum):
    """Kernel of the distance with swaps; those of Kim, Na and Sim compute distances only, on graphics cards."""

    DEFAULT = "default"  # the fastest of the device
    KIM = "kim"  # as published: anti-diagonals in shared memory, the whole table in global memory
    KIM_GLOBAL = "kim-global"  # the same with global memory only


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SwapEditJob(PairJob):
    """Edit distance with swaps of ``a`` (rows, reference) and ``b`` (columns, query).

    Insertions, deletions, substitutions and swaps cost one. A swap: two letters of A, with deleted letters between
    them, occur in reverse order in B, with inserted letters between them (Lowrance and Wagner: unrestricted
    Damerau-Levenshtein, CA -> ABC costs 2).

    Attributes:
        path: BLOCKS for the alignment and its swaps, NONE for the distance only; HIRSCHBERG is not offered.
        swaps: False: the plain edit distance.
        kernel: for the cells; those of the paper need ``TracebackMethod.NONE`` and swaps.
        ties: choice among the optimal alignments.
    """

    modules = KernelModules(cpu="wavediff.core.kernels.swap_edit.run", gpu="wavediff.gpu.swap_edit.run")
    rates = Rates(0.042e12, ((1e8, 0.065e12), (1e10, 0.7e12), (1e12, 5.5e12)))

    swaps: bool = True
    kernel: SwapKernel = SwapKernel.DEFAULT
    ties: Ties = Ties.FEWEST_GAPS

    def __post_init__(self) -> None:
        if self.kernel is not SwapKernel.DEFAULT and (self.path is not TracebackMethod.NONE or not self.swaps):
            raise ValueError("the kernels of Kim 2015 give the distance with swaps and nothing else")
        PairJob.__post_init__(self)

    @property
    def card_bytes(self) -> int:
        kept = 0 if self.path is TracebackMethod.NONE else self.n_cells // CELLS_PER_KEPT_BYTE
        return card_limits.BYTES_PER_LETTER * self.n_letters + kept


_GPU_ONLY = "the kernel of Kim 2015 runs on graphics cards only; the default kernel runs on both"
_KERNELS = kernel_option(
    SwapKernel.DEFAULT,
    "kernel of the cells; kim: by Kim, Na and Sim (2015), for comparison: GPU only, distance "
    "only; kim-global: the same without shared memory",
    Value(
        SwapKernel.KIM,
        "Kim 2015",
        "By Kim, Na and Sim, for comparison: GPU only, anti-diagonals in shared memory, distances without a path",
        gpu_only=_GPU_ONLY,
    ),
    Value(
        SwapKernel.KIM_GLOBAL,
        "Kim 2015, global memory",
        "By Kim, Na and Sim with global memory only, for comparison: GPU only, distances without a path",
        gpu_only=_GPU_ONLY,
    ),
)
_SWAPS = Flag(
    id="swaps",
    label="Swaps",
    advanced=False,
    tip="Swapping two letters counts as one edit",
    help="allow swaps; without them it is the edit distance (default: yes)",
    default=True,
)


class Swap(Method):
    """The edit distance with swaps."""

    id, name, long_name = "swap", "Edits with swaps", "edit distance with swaps"
    tip = "Edit distance in which swapping two letters counts as one edit; letters between them count as gaps"
    job_type = SwapEditJob
    table = "swap"
    options = (path_option(TracebackMethod.BLOCKS, TracebackMethod.NONE), _SWAPS, _KERNELS, ties_option())
    batch = Batch(
        modules=KernelModules(cpu="wavediff.core.kernels.batch.run", gpu="wavediff.gpu.batch.run"),
        rates=Rates(0.04e12, ((1e8, 1.1e12), (1e11, 17e12))),
        name="Edit distance with swaps",
        numbers="distances with swaps",
        column="distance_with_swaps",
        heading="Distance",
        options=(_KERNELS,),
    )
    race_kernels = (
        *device_kernels("Every core, without a band", "The graphics card, without a band"),
        RaceKernel(
            "kim", "Kim 2015", "Kim, Na and Sim's published kernel on the graphics card: the distance only",
            "gpu",
            {"kernel": SwapKernel.KIM},
        ),
    )  # fmt: skip
    usual = ("cpu", "gpu", "kim")

    def implied(self, values: Options) -> Options:
        return {} if values["kernel"] is SwapKernel.DEFAULT else {"traceback": TracebackMethod.NONE, "swaps": True}

    def check(self, values: Options) -> None:
        kernel = values["kernel"]
        if kernel is not SwapKernel.DEFAULT and values["traceback"] is not TracebackMethod.NONE:
            raise WavediffError(f"--kernel {kernel} gives the distance only: '--traceback none' goes with it")
        if kernel is not SwapKernel.DEFAULT and not values["swaps"]:
            raise WavediffError(f"--no-swaps: --kernel {kernel} computes with swaps only")

    def table_of(self, job: SwapEditJob) -> str:
        return self.table if job.swaps else "edit"

    def value(self, result: SwapEditResult) -> int:
        return result.distance

    def same(self, result: SwapEditResult, n_a: int, n_b: int) -> bool:
        return n_a == n_b and result.distance == 0

    def answer(self, result: SwapEditResult, n_a: int, n_b: int) -> str:
        text = edits_text(known_edits(result), Edits.of(result))
        return identical_text(text, result, result.distance, n_a, n_b)

    def remarks(self, result: SwapEditResult) -> list[str]:
        """Return remarks on the effect of swaps on the distance."""
        edits, (one, other) = Edits.of(result), _known(result)
        if one is None or other is None:
            compared = "swaps allowed" if other is None else "swaps not allowed"
        elif one == other:
            compared = "as many edits without swaps"
        elif known_edits(result) == one:
            compared = f"{count(other, 'edit', 'edits')} without swaps"
        else:
            compared = f"swaps not allowed ({count(one, 'edit', 'edits')} if allowed)"
        kinds = few_edits_text(known_edits(result), edits)
        if not kinds and edits is not None and edits.swaps not in (0, known_edits(result)):
            kinds = [count(edits.swaps, "swap", "swaps")]
        return [*kinds, compared, *gaps_named(edits, result.ties), "exact"]

    def explanation(self, result: SwapEditResult) -> str:
        return definition_text(result)

    def summary(self, result: SwapEditResult, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:  # noqa: ARG002
        left_out = " (swaps not allowed)" if result.distance_with_swaps != result.distance else ""
        lines = [with_apart(f"edit distance{left_out or ' with swaps'}: {known_edits(result):,}", result)]
        one, other = _known(result)
        if result.swaps is not None and one is not None and other is not None:
            inside = int(result.swaps.between.sum())
            lines.append(
                f"without swaps: {other:,}; with swaps: {one:,} ({other - one:,} fewer); swaps in "
                f"this alignment: {len(result.swaps):,}, letters inside them: {inside:,}"
            )
        return [*lines, *ties_lines(result), *identity_lines(figures)]

    def measures(self, result: SwapEditResult) -> list[Measure]:
        distance = "the fewest substitutions, insertions, deletions and swaps that turn A into B"
        plain = "the fewest substitutions, insertions and deletions that turn A into B"
        one, other = _known(result)
        swaps = "pairs of letters that swap places; in the counts below two X each, with a gap between or not"
        return [
            Measure("distance", "Edit distance with swaps", distance, one),
            Measure("distance_without_swaps", "Edit distance without swaps", plain, other),
            Measure("swaps", "Swaps", swaps, None if result.swaps is None else len(result.swaps)),
        ]

    def edit_distance(self, result: SwapEditResult) -> int | None:
        return result.distance_without_swaps

    def shown_identity(self, result: SwapEditResult, n_a: int, n_b: int) -> float | None:
        return shown_identity(result, result.distance, n_a, n_b)

    def fields(self, result: SwapEditResult) -> dict[str, Any]:
        """``swaps`` lists the first and the last letter of each swap, 0-based, in the files of A and of B."""
        swaps, (one, other) = result.swaps, _known(result)
        if swaps is not None and result.read is not None:
            swaps = swaps.in_file(result.read[1])
        return {
            "distance": known_edits(result),
            "distance_with_swaps": one,
            "distance_without_swaps": other,
            "swaps": None if swaps is None else [{"a": list(row[:2]), "b": list(row[2:])} for row in swaps.rows()],
        }

    def second(self, job: SwapEditJob, result: SwapEditResult) -> Second:  # noqa: ARG002
        return backwards(job, exchanged=True, kernel=SwapKernel.DEFAULT)

    def cost(self, pair: AlignedPair) -> tuple[str, float]:
        """Count the edits; two adjacent substitutions that can be one swap count once."""
        import numpy as np

        from wavediff.core.sequences.characters import fold_table
        from wavediff.core.sequences.common_characters import comparable_pair

        fold, (in_a, in_b) = fold_table(pair.fold_case), pair.alignment.pairs()
        a, b = (fold[each] for each in comparable_pair(pair.a, pair.b, pair.fold_case))
        between = np.minimum(np.diff(in_a), np.diff(in_b)) == 1  # letters of one sequence alone, or none
        crossed = (a[in_a[:-1]] == b[in_b[1:]]) & (a[in_a[1:]] == b[in_b[:-1]]) & (a[in_a[:-1]] != b[in_b[:-1]])
        edges = np.flatnonzero(np.diff(between & crossed, prepend=False, append=False))
        swaps = int(((np.diff(edges)[::2] + 1) // 2).sum())  # no two of them share a letter
        return "edits with swaps", int(pair.alignment.lengths[pair.alignment.ops > 0].sum()) - swaps

    def batch_identity(self, values: Counts, n_a: Counts, n_b: Counts) -> np.ndarray:
        return distance_identity(values, n_a, n_b)


def _known(result: SwapEditResult) -> tuple[int | None, int | None]:
    with_swaps, without = (
        None if distance is None else distance - result.apart.edits
        for distance in (result.distance_with_swaps, result.distance_without_swaps)
    )
    return with_swaps, without


SWAP = Swap()
