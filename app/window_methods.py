"""The methods a person can choose: one line each, everything else follows from the line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from app.ui.block_map.band_attempts import SLIDER_CELLS
from app.ui.kernel_labels import KernelChoice
from core.jobs.pair import BandMode, EditJob, LcsJob, LcsKernel, SwapEditJob, SwapKernel, TracebackMethod
from core.run.dispatch import Device
from core.sequences.sequence import Sequence

Question = tuple[object, ...]  # what a job asks of its pair, see ``question``
BlockShape = tuple[int, int]  # rows, columns in letters; (0, 0) = as suits the pair
AUTO_BLOCKS: BlockShape = (0, 0)
PAPER_BLOCKS: BlockShape = (128, 1280)


@dataclass(frozen=True, slots=True)
class JobOptions:
    """What the job bar says.

    Attributes:
        method: ``WindowMethod.id``.
        fold_case: None = as the alphabets of the pair have it.
        band, threshold: how many diagonals are computed; ``threshold`` counts for ``BandMode.FIXED`` only.
        blocks: size of a block, rounded by the kernel to what its vectors can do.
        swaps: whether swaps are allowed, where the method knows them.
        kernel: what computes the cells, where the method has more than one kernel.
    """

    method: str = "lcs"
    device: Device = Device.AUTO
    path: TracebackMethod = TracebackMethod.BLOCKS
    fold_case: bool | None = None
    band: BandMode = BandMode.AUTO
    threshold: int = 100
    blocks: BlockShape = AUTO_BLOCKS
    swaps: bool = True
    kernel: KernelChoice = LcsKernel.DEFAULT


@dataclass(frozen=True, slots=True)
class WindowMethod:
    """A way to compare two sequences.

    Attributes:
        id: as on the command line.
        name: short, for the chooser; ``tip`` says in one sentence what it is.
        job_type: key of ``core.run.dispatch.KERNELS``.
        paths: ways to find the path that this method has; empty where it has no path.
        make: (A, B, choices, whether case is folded) -> job.
        bands, blocks, kernels: what may be chosen of these; empty where the method has no such choice.
        swaps: whether it can do with and without them.
    """

    id: str
    name: str
    tip: str
    job_type: type
    paths: tuple[TracebackMethod, ...]
    make: Callable[[Sequence, Sequence, JobOptions, bool], Any]
    bands: tuple[BandMode, ...] = ()
    blocks: tuple[BlockShape, ...] = ()
    swaps: bool = False
    kernels: tuple[KernelChoice, ...] = ()

    def kernel(self, wanted: KernelChoice) -> KernelChoice:
        """Return ``next_cell``, or the first kernel of this method where it has no such one."""
        return next((one for one in self.kernels if one is wanted), self.kernels[0])

    def path(self, wanted: TracebackMethod) -> TracebackMethod:
        """Return ``next_cell``, or the first path of this method where it has no such one."""
        return wanted if wanted in self.paths else self.paths[0]

    def only_distance(self, choices: JobOptions) -> bool:
        """Return whether the kernel chosen gives the distance with swaps and nothing else, as those of Kim, Na and Sim
        do."""
        kernel = self.kernel(choices.kernel) if self.kernels else None
        return isinstance(kernel, SwapKernel) and kernel is not SwapKernel.DEFAULT


# Up to this many cells the time does not matter and the map does: blocks as small as Kawanami and Fujimoto's.
_FINE_BLOCKS_CELLS = 1 << 31
_FINE_BLOCK = 1024
_FINEST_BLOCK = 512
_TINY_CELLS = 1 << 22  # up to here the kernel computes the edit distance at once, without blocks


def _lcs(a: Sequence, b: Sequence, choices: JobOptions, fold_case: bool) -> LcsJob:
    kernel = LcsKernel(method("lcs").kernel(choices.kernel))
    fine = len(a) * len(b) <= _FINE_BLOCKS_CELLS and kernel is LcsKernel.DEFAULT
    block = _FINE_BLOCK if fine else 0
    return LcsJob(
        a=a.letters,
        b=b.letters,
        fold_case=fold_case,
        path=method("lcs").path(choices.path),
        kernel=kernel,
        block_rows=block,
        block_cols=block,
    )


def _edit_blocks(n_cells: int, choices: JobOptions) -> BlockShape:
    if choices.blocks != AUTO_BLOCKS or n_cells > _FINE_BLOCKS_CELLS:
        return choices.blocks
    if n_cells <= _TINY_CELLS and choices.band in {BandMode.AUTO, BandMode.NONE}:
        return AUTO_BLOCKS
    size = _FINEST_BLOCK if n_cells <= SLIDER_CELLS else _FINE_BLOCK
    return size, size


def _edit(a: Sequence, b: Sequence, choices: JobOptions, fold_case: bool) -> EditJob:
    rows, cols = _edit_blocks(len(a) * len(b), choices)
    return EditJob(
        a=a.letters,
        b=b.letters,
        fold_case=fold_case,
        path=method("edit").path(choices.path),
        band=choices.band,
        threshold=choices.threshold if choices.band is BandMode.FIXED else None,
        block_rows=rows,
        block_cols=cols,
    )


def _swap(a: Sequence, b: Sequence, choices: JobOptions, fold_case: bool) -> SwapEditJob:
    chosen = method("swap")
    kernel, bare = SwapKernel(chosen.kernel(choices.kernel)), chosen.only_distance(choices)
    path = TracebackMethod.NONE if bare else chosen.path(choices.path)
    swaps = bare or choices.swaps
    return SwapEditJob(a=a.letters, b=b.letters, fold_case=fold_case, path=path, swaps=swaps, kernel=kernel)


METHODS: tuple[WindowMethod, ...] = (
    WindowMethod(
        id="lcs",
        name="LCS",
        tip="Longest common subsequence: the most letters that both have in the same order",
        job_type=LcsJob,
        paths=(TracebackMethod.BLOCKS, TracebackMethod.HIRSCHBERG),
        make=_lcs,
        kernels=tuple(LcsKernel),
    ),
    WindowMethod(
        id="edit",
        name="Edit distance",
        tip="Edit distance: the fewest letters to exchange, insert or delete to make B of A",
        job_type=EditJob,
        paths=(TracebackMethod.BLOCKS, TracebackMethod.NONE),
        make=_edit,
        bands=tuple(BandMode),
        blocks=(AUTO_BLOCKS, PAPER_BLOCKS),
    ),
    WindowMethod(
        id="swap",
        name="Edit distance with swaps",
        tip="Edit distance where two letters that stand the other way round cost one; what lies between is a gap",
        job_type=SwapEditJob,
        paths=(TracebackMethod.BLOCKS, TracebackMethod.NONE),
        make=_swap,
        swaps=True,
        kernels=tuple(SwapKernel),
    ),
)

PATH_NAMES: dict[TracebackMethod, tuple[str, str]] = {
    TracebackMethod.BLOCKS: ("Blocks", "Walk back through the kept borders of the blocks: one pass over the matrix"),
    TracebackMethod.HIRSCHBERG: ("Hirschberg", "Halve and recurse: least memory, about twice the cells"),
    TracebackMethod.NONE: ("None", "Only the number, no alignment"),
}
BAND_NAMES: dict[BandMode, tuple[str, str]] = {
    BandMode.AUTO: (
        "Auto",
        "Equal ends, few edits along diagonals, then a band that is doubled until it proves itself",
    ),
    BandMode.PAPER: (
        "Paper 2",
        "Subsequence check, one band from the Hamming distance, no blocks behind monotone borders",
    ),
    BandMode.NONE: ("Whole matrix", "No band: every cell is computed"),
    BandMode.FIXED: (
        "Fixed k",
        "The band that holds k edits; where more are needed, the answer is an upper bound only",
    ),
}  # fmt: skip


def block_name(shape: BlockShape) -> tuple[str, str]:
    """Return the name of a block shape, and what it is."""
    if shape == AUTO_BLOCKS:
        return "Auto", "Blocks as large as suits the pair"
    paper = " as in paper 2" if shape == PAPER_BLOCKS else ""
    return f"{shape[0]} × {shape[1]:,}", f"Rows and columns of a block{paper}; rounded to what the vectors can do"


def method(id_: str) -> WindowMethod:
    """Return the method called ``id_``; the first one for a name that is not (or no longer) known."""
    return next((each for each in METHODS if each.id == id_), METHODS[0])


def method_of(job: object) -> WindowMethod:
    """Return the method that ``job`` belongs to, whatever is chosen now."""
    return next(each for each in METHODS if each.job_type is type(job))


def question(job: Any, device: Device) -> Question:
    """Return what ``job`` asks of its pair; jobs that ask alike give alike answers."""
    asked = (each.name for each in fields(job) if each.name not in {"a", "b", "id"})
    return (type(job), device, *((name, getattr(job, name)) for name in asked))
