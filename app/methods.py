"""The methods a person can choose: one line each, everything else follows from the line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.dispatch import Device
from core.jobs import LcsJob, PathMethod
from core.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Choices:
    """What the job bar says.

    Attributes:
        method: ``Method.id``.
        fold_case: None = as the alphabets of the pair have it.
    """

    method: str = "lcs"
    device: Device = Device.AUTO
    path: PathMethod = PathMethod.BLOCKS
    fold_case: bool | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """A way to compare two sequences.

    Attributes:
        id: as on the command line.
        name: short, for the chooser; ``tip`` says in one sentence what it is.
        job_type: key of ``core.dispatch.KERNELS``.
        paths: ways to find the path that this method has; empty where it has no path.
        make: (A, B, choices, whether case is folded) -> job.
    """

    id: str
    name: str
    tip: str
    job_type: type
    paths: tuple[PathMethod, ...]
    make: Callable[[Sequence, Sequence, Choices, bool], Any]


# Up to this many cells the time does not matter and the map does: blocks as small as paper 1's.
_FINE_BLOCKS_CELLS = 1 << 31
_FINE_BLOCK = 1024


def _lcs(a: Sequence, b: Sequence, choices: Choices, fold_case: bool) -> LcsJob:
    block = _FINE_BLOCK if len(a) * len(b) <= _FINE_BLOCKS_CELLS else 0
    return LcsJob(a=a.letters, b=b.letters, fold_case=fold_case, path=choices.path, block_rows=block, block_cols=block)


METHODS: tuple[Method, ...] = (
    Method(
        id="lcs",
        name="LCS",
        tip="Longest common subsequence: the most letters that both have in the same order",
        job_type=LcsJob,
        paths=(PathMethod.BLOCKS, PathMethod.HIRSCHBERG),
        make=_lcs,
    ),
)

PATH_NAMES: dict[PathMethod, tuple[str, str]] = {
    PathMethod.BLOCKS: ("Blocks", "Walk back through the kept borders of the blocks: one pass over the matrix"),
    PathMethod.HIRSCHBERG: ("Hirschberg", "Halve and recurse: least memory, about twice the cells"),
    PathMethod.NONE: ("Length only", "No alignment, only its length"),
}


def method(id_: str) -> Method:
    """Return the method called ``id_``; the first one for a name that is not (or no longer) known."""
    return next((each for each in METHODS if each.id == id_), METHODS[0])
