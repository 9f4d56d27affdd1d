"""The edit distance with unit costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs import KernelModules, Rates
from wavediff.core.methods.base import (
    NO_PATH_ON_A_CLUSTER,
    NOT_ON_A_CLUSTER,
    AlignedPair,
    Batch,
    BlockJob,
    Measure,
    Method,
    RaceKernel,
    Ties,
    TracebackMethod,
    short_kernels,
    skipping_kernels,
)
from wavediff.core.methods.common_options import AUTO_BLOCKS, BlockShape, block_option, path_option, ties_option
from wavediff.core.methods.free_ends import (
    BEST_ONLY,
    EDIT_PENALTY,
    ENDS,
    LOCI,
    Ends,
    as_placed,
    check_loci,
    edits_within,
    require_limit,
)
from wavediff.core.methods.options import Choice, Number, Options, Value
from wavediff.core.methods.placing import is_whole, loci_lines, loci_text, locus_fields, placed_lines, placed_text
from wavediff.core.methods.second import Second, backwards, rows
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
    from wavediff.core.jobs.edit_result import BandAttempt, EditResult, Skip
    from wavediff.core.sequences.sequence import Sequence

SUDO_BLOCKS: BlockShape = (128, 1280)
FINE_BLOCK = 1024  # letters a side of a block of a small matrix: the map has something to show
FINEST_BLOCK = 512
FINE_BLOCKS_CELLS = 1 << 31  # up to this size the time does not matter
FINEST_BLOCKS_CELLS = 10_000_000
TINY_CELLS = 1 << 22  # up to this size one kernel call computes the distance, without blocks


class BandMode(StrEnum):
    """Choice of the band of diagonals of an edit distance."""

    AUTO = "auto"  # ends, probe, seeds, then a proven band
    SUDO = "sudo"  # Sudo and Shinohara: subsequence check, one band from the Hamming distance, monotone borders
    NONE = "none"  # the whole matrix
    FIXED = "fixed"  # ``threshold`` as given: a distance above it is an upper bound


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EditJob(BlockJob):
    """Edit distance with unit costs of ``a`` (rows, reference) and ``b`` (columns, query).

    Attributes:
        path: BLOCKS for the alignment, NONE for the distance only; HIRSCHBERG is not offered.
        band: computed diagonals.
        threshold: for ``BandMode.FIXED`` the edits k of the band, at least 0; else None.
        ends: sequence whose overhang is free; with free ends ``band`` is AUTO or NONE.
        within: with ``Ends.A``: maximum edits of listed places of B in A, fewer than letters of B; None: the best place
            only.
        both_strands: also list places of the reverse complement (DNA only).
        ties: choice among the optimal alignments.
        circle: with ``Ends.A``: A is circular, and B may lie across its origin.
    """

    modules = KernelModules(
        cpu="wavediff.core.kernels.pairwise.edit.run",
        gpu="wavediff.gpu.pairwise.edit.run",
        **short_kernels("edit", "blocks small edit", "verify edit rows", "subsequence subsequence"),
    )
    rates = Rates(
        0.3e12, ((1e10, 1.8e12), (4e10, 4e12), (1.6e11, 7.8e12), (1.1e12, 32e12), (2.8e14, 45e12)), chained=True
    )

    band: BandMode = BandMode.AUTO
    threshold: int | None = None
    ends: Ends = Ends.NONE
    within: int | None = None
    both_strands: bool = False
    ties: Ties = Ties.FEWEST_GAPS
    circle: bool = False

    def __post_init__(self) -> None:
        if self.ends is not Ends.NONE and self.band not in (BandMode.AUTO, BandMode.NONE):
            raise ValueError(f"the band {self.band} is for a global alignment, and ends are free")
        if (self.band is BandMode.FIXED) != (self.threshold is not None):
            raise ValueError("a threshold is required with Band.FIXED, and only with it")
        if self.threshold is not None and self.threshold < 0:
            raise ValueError(f"the threshold must not be negative, got {self.threshold}")
        if self.within is not None and (self.ends is not Ends.A or not 0 <= self.within < self.b.size):
            raise ValueError("within needs free ends of A and must be less than the letters of B")
        if self.both_strands and self.within is None:
            raise ValueError("both_strands needs within, the limit of edits")
        if self.circle and (self.ends is not Ends.A or self.within is not None):
            raise ValueError("circle needs free ends of A, without a limit of edits")
        BlockJob.__post_init__(self)

    @property
    def cluster_obstacle(self) -> str:
        if self.ends is not Ends.NONE:
            return NOT_ON_A_CLUSTER
        return "" if self.path is TracebackMethod.NONE else NO_PATH_ON_A_CLUSTER

    @property
    def is_short(self) -> bool:
        return self.has_short_letters and self.band is BandMode.AUTO and self.ends is Ends.NONE

    @property
    def for_several_cards(self) -> bool:
        return self.ends is Ends.NONE


_BAND = Choice(
    id="band",
    label="Band",
    tip="Diagonals to compute",
    help="diagonals to compute: auto (default: the fastest strategy that proves the result), sudo (Sudo and "
    "Shinohara), none (no band: the whole matrix), or K edits (above K the result is reported as an upper bound)",
    default=BandMode.AUTO,
    values=(
        Value(
            BandMode.AUTO,
            "Auto",
            "Equal ends, few edits along diagonals, then a band, doubled until its result is proven",
        ),
        Value(
            BandMode.SUDO,
            "Sudo 2009",
            "Subsequence check, one band from the Hamming distance, no blocks behind monotone borders",
        ),
        Value(BandMode.NONE, "Whole matrix", "No band: all blocks but equal ends and those with known borders"),
        Value(
            BandMode.FIXED,
            "Fixed k",
            "The band that holds k edits; where more are needed, the answer is an upper bound only",
            typed="",
        ),
    ),
    kept=True,
    number=(BandMode.FIXED, "threshold"),
    number_name="a number of edits",
)
_THRESHOLD = Number(
    id="threshold",
    label="k",
    tip="Edits that fit into the band",
    help="",
    default=100,
    least=0,
    most=10**18,
    typed=False,
    only_with=("band", BandMode.FIXED),
)
_DEFINITION = "the fewest substitutions, insertions and deletions that turn A into B"


class Edit(Method):
    """The edit distance with unit costs."""

    id, name, long_name = "edit", "Edits", "edit distance"
    tip = "Edit distance: the fewest substitutions, insertions and deletions that turn A into B"
    job_type = EditJob
    table = "edit"
    sampled: ClassVar[Mapping[str, Any]] = {"within": None, "both_strands": False}
    options = (
        path_option(TracebackMethod.BLOCKS, TracebackMethod.NONE),
        ENDS,
        LOCI,
        _BAND,
        _THRESHOLD,
        block_option(
            Value(
                SUDO_BLOCKS,
                "128 × 1,280",
                "Rows and columns of a block of Sudo and Shinohara, rounded to vector sizes",
                typed="128x1280",
            ),
            shown=True,
            help="size of a block, rounded to vector sizes; 128x1280 is that of Sudo 2009 (default: the fastest)",
        ),
        ties_option(),
    )
    batch = Batch(
        modules=KernelModules(cpu="wavediff.core.kernels.batch.run", gpu="wavediff.gpu.batch.run"),
        rates=Rates(0.11e12, ((1e8, 1.4e12), (1e11, 33e12))),
        name="Edit distance",
        numbers="distances",
        column="distance",
        heading="Distance",
    )
    race_kernels = (
        *skipping_kernels({"band": BandMode.NONE}),
        RaceKernel(
            "sudo", "Sudo 2009", "Sudo and Shinohara's band and needless blocks", "cpu", {"band": BandMode.SUDO}
        ),
        RaceKernel("sudo-gpu", "Sudo 2009, GPU", "The same band on the graphics card", "gpu", {"band": BandMode.SUDO}),
    )
    usual = ("cpu", "gpu", "sudo", "cpu-full")

    def implied(self, values: Options) -> Options:
        corner_to_corner = values["band"] not in (BandMode.AUTO, BandMode.NONE)
        implied = {"band": BandMode.AUTO} if values["ends"] is not Ends.NONE and corner_to_corner else {}
        return implied if values["ends"] is Ends.A else implied | {"loci": BEST_ONLY}

    def check(self, values: Options) -> None:
        if values["ends"] is not Ends.NONE and values["band"] not in (BandMode.AUTO, BandMode.NONE):
            raise WavediffError(
                f"--band {_BAND.text(values['band']) or values['threshold']} goes from corner to corner of the matrix, "
                f"which --ends {values['ends']} does not; with free ends --band is auto or none"
            )
        check_loci(values)

    def job(self, a: Sequence, b: Sequence, options: Options, *, fold_case: bool, threads: int = 0) -> EditJob:
        values = self.values(options)
        require_limit(values["loci"], len(b))
        circle = b.orientation.circular
        if values["ends"] is Ends.A:
            b = as_placed(b, listed=values["loci"] != BEST_ONLY)
        job: EditJob = super().job(a, b, options, fold_case=fold_case, threads=threads)
        return replace(job, circle=circle) if values["ends"] is Ends.A else job

    def compared(self, result: EditResult, a: Sequence, b: Sequence) -> EditResult:
        from wavediff.core.sequences.orientation import Orientation, Strand

        if result.cut is not None:
            a = a.oriented(Orientation(circular=True, shift=result.cut))
        if result.cut is not None or result.loci is not None:
            b = as_placed(b, listed=result.loci is not None)
        if result.strand < 0:
            b = b.oriented(Orientation(Strand.MINUS))
        compared: EditResult = super().compared(result, a, b)
        return compared

    def finer(self, n_cells: int, values: Options) -> Options:
        if values["blocks"] != AUTO_BLOCKS or n_cells > FINE_BLOCKS_CELLS:
            return {}
        if n_cells <= TINY_CELLS and values["band"] in (BandMode.AUTO, BandMode.NONE):
            return {}
        size = FINEST_BLOCK if n_cells <= FINEST_BLOCKS_CELLS else FINE_BLOCK
        return {"blocks": (size, size)}

    def arguments(self, values: Options, a: Sequence, b: Sequence) -> dict[str, Any]:
        arguments = super().arguments(values, a, b) | ({} if values["band"] is BandMode.FIXED else {"threshold": None})
        arguments["within"] = edits_within(arguments.pop("loci"), len(b))
        # It has a name of the alphabet, which is not to be imported here for the help.
        arguments["both_strands"] = arguments["within"] is not None and (a.u_is_t or a.alphabet == b.alphabet == "DNA")
        return arguments

    def value(self, result: EditResult) -> int:
        return result.distance

    def same(self, result: EditResult, n_a: int, n_b: int) -> bool:
        return n_a == n_b and result.distance == 0 and is_whole(result.place, n_a, n_b)

    def answer(self, result: EditResult, n_a: int, n_b: int) -> str:
        edits = Edits.of(result)
        if result.place is not None:
            return placed_text(result, edits, n_a, n_b)
        if result.exact:
            text = edits_text(known_edits(result), edits)
        else:
            text = f"At most {count(known_edits(result), 'edit', 'edits')}"
        return identical_text(text, result, result.distance, n_a, n_b)

    def remarks(self, result: EditResult) -> list[str]:
        edits = Edits.of(result)
        if not result.exact:
            return [*gaps_named(edits, result.ties), "upper bound: the band was too narrow to prove it"]
        listed = [loci_text(result.loci)] if result.loci else []
        gaps = gaps_named(edits, result.ties)
        return [*few_edits_text(known_edits(result), edits), *gaps, *listed, "exact"]

    def explanation(self, result: EditResult) -> str:
        return "\n".join([*loci_lines(result.loci or ()), definition_text(result)])

    def summary(self, result: EditResult, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:
        if result.place is not None:
            lines = placed_lines(result, n_a, n_b)
        elif result.exact:
            lines = [f"{with_apart(f'edit distance: {number(known_edits(result))}', result)}, exact"]
        else:
            most = with_apart(f"edit distance: at most {number(known_edits(result))}", result)
            lines = [f"{most}, an upper bound: the band is too narrow to prove it"]
        if result.alignment is not None:
            counts = {
                key: number(figures[key].value or 0) for key in ("mismatches", "insertions", "deletions", "gap_opens")
            }
            lines.append(
                f"edits: substitutions {counts['mismatches']}, insertions {counts['insertions']}, "
                f"deletions {counts['deletions']}; gaps {counts['gap_opens']}"
            )
        return [*lines, *ties_lines(result), *identity_lines(figures)]

    def measures(self, result: EditResult) -> list[Measure]:
        if result.exact:
            return [Measure("distance", "Edit distance", _DEFINITION, known_edits(result))]
        bound = f"an upper bound of {_DEFINITION}: the band was too narrow to prove it"
        return [Measure("distance", "Edit distance, at most", bound, known_edits(result))]

    def bounded(self, measure: Measure, result: EditResult) -> Measure:
        if result.exact or measure.key != "one_minus_distance_over_longer":
            return measure
        definition = f"{measure.definition}; a lower bound"
        return replace(measure, name=f"{measure.name}, at least", definition=definition)

    def identities(self, result: EditResult, n_a: int, n_b: int) -> dict[str, float]:
        place = result.place
        return (
            super().identities(result, n_a, n_b) if place is None else super().identities(result, place.n_a, place.n_b)
        )

    def edit_distance(self, result: EditResult) -> int:
        return result.distance

    def end_to_end(self, job: EditJob) -> bool:
        return job.ends is Ends.NONE

    def shown_identity(self, result: EditResult, n_a: int, n_b: int) -> float | None:
        """Return the identity of the placed part; None for an overlap, which has a score."""
        if not result.exact or result.score is not None:
            return None
        n_a, n_b = (n_a, n_b) if result.place is None else (result.place.n_a, result.place.n_b)
        return shown_identity(result, result.distance, n_a, n_b)

    def automatic(self, result: EditResult) -> Mapping[str, str]:
        return {"band": result.reason}

    def fields(self, result: EditResult) -> dict[str, Any]:
        return {
            "distance": known_edits(result),
            "exact": result.exact,
            "place": None if result.place_in_file is None else result.place_in_file._asdict(),
            "overlap_score": result.score,
            "overlaps_expected_by_chance": result.expected_by_chance,
            "loci": None if result.loci is None else [locus_fields(one) for one in result.loci],
            "best_locus": result.best_locus,
            "bands": [{**one._asdict(), "proven": one.proven} for one in result.bands],
            "skips": [{**one._asdict(), "reason": str(one.reason)} for one in result.skips],
        }

    def second(self, job: EditJob, result: EditResult) -> Second:
        if job.ends is not Ends.NONE:
            a, b = result.letters(job.a, job.b)
            back = backwards(replace(job, a=a, b=b, within=None, both_strands=False))
            return back._replace(agrees=partial(overlaps_agree, result)) if job.ends is Ends.BOTH else back
        k = result.distance
        answer = rows(job, k, indel=False)
        if answer is not None:
            return answer
        what = f"blocks in a band of {count(k, 'edit', 'edits')}"
        fields = {"band": BandMode.FIXED, "threshold": k, "block_rows": 0, "block_cols": 0, "cluster": None}
        return backwards(job, what, exchanged=True, **fields)

    def skips(self, result: EditResult) -> tuple[Skip, ...]:
        return result.skips

    def bands(self, result: EditResult) -> tuple[BandAttempt, ...]:
        return result.bands

    def cost(self, pair: AlignedPair) -> tuple[str, float]:
        return "edits", int(pair.alignment.lengths[pair.alignment.ops > 0].sum())

    def batch_identity(self, values: Counts, n_a: Counts, n_b: Counts) -> np.ndarray:
        return distance_identity(values, n_a, n_b)


def overlaps_agree(one: EditResult, other: EditResult) -> bool:
    """Return whether two results can both be the best overlap; ``other`` is of the reversed sequences.

    A score counts letters of the sequence that begins in the overlap. In the reversed sequences this is the other
    sequence, which may have more or fewer letters there. So each score may not be below the minimum that follows from
    the other overlap.
    """
    least = [min(each.place.n_a, each.place.n_b) - EDIT_PENALTY * each.distance for each in (one, other) if each.place]
    return (one.score or 0) >= least[1] and (other.score or 0) >= least[0]


def identity_lines(figures: Mapping[str, Measure]) -> list[str]:
    """Return a summary line for each distinct identity, with the first definition that yields it."""
    from wavediff.core.methods.statistics import DEFINITIONS

    by_value: dict[str, str] = {}
    for figure in (figures[key] for key in DEFINITIONS):
        if figure.value is not None:
            by_value.setdefault(f"{figure.value:.2%}", figure.definition)
    lines = [f"{value} = {definition}" for value, definition in by_value.items()]
    heads = ("identity", *["by another definition"] * (len(lines) - 1))
    texts = [f"{head}: {line}" for head, line in zip(heads, lines, strict=False)]
    return texts or ["identity: n/a, no known letters are aligned"]


def distance_identity(distances: Counts, n_a: Counts, n_b: Counts) -> np.ndarray:
    """Return 1 - distance / length of the longer sequence for many pairs."""
    import numpy as np

    from wavediff.core.base.arrays import ratio

    longer = np.maximum(n_a, n_b)
    return ratio(longer - distances, longer)


EDIT = Edit()
