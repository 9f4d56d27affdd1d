"""Table of kernels that can race; it loads nothing, for the help of the command line has it too."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

MAX_KERNELS = 4
MAX_ROUNDS = 9


class RaceMethod(StrEnum):
    """Method that races; kernels of two methods have no answer in common."""

    LCS = "lcs"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class RaceKernel:
    """A kernel that can race.

    Attributes:
        id: as on the command line; the same in both methods where it stands for the same.
        name: short, over a map. tip: what it is, one sentence.
        device: ``auto``, ``cpu`` or ``gpu``, see ``core.run.dispatch.Device``.
        options: of its job, beside what all of them are asked: ``way``, ``path``, ``kernel``, ``band``.
        needs_path: it is a way to an alignment, and has nothing to say where only the number is wanted.
    """

    id: str
    name: str
    tip: str
    device: str
    options: dict[str, str] = field(default_factory=dict)
    needs_path: bool = False


_EVERY_CELL_REASON = "computes every cell, whatever the two have in common"
_DEFAULT = RaceKernel("default", "Default", "What a comparison with the device on Auto does", "auto")

ENTRANTS: dict[RaceMethod, tuple[RaceKernel, ...]] = {
    RaceMethod.LCS: (
        _DEFAULT,
        RaceKernel("cpu", "CPU", "Every core, the fastest way that proves itself", "cpu"),
        RaceKernel("gpu", "GPU", "The graphics card, the fastest way that proves itself", "gpu"),
        RaceKernel("cpu-full", "CPU, all cells", f"Every core; {_EVERY_CELL_REASON}", "cpu", {"strategy": "full"}),
        RaceKernel("gpu-full", "GPU, all cells", f"The graphics card; {_EVERY_CELL_REASON}", "gpu",
            {"strategy": "full"}),
        RaceKernel(
            "hirschberg", "Hirschberg, CPU", "Halves and recursion on every core: least memory, twice the cells", "cpu",
            {"path": "hirschberg"}, True,
        ),
        RaceKernel(
            "hirschberg-gpu", "Hirschberg, GPU", "The same with its large halves on the graphics card", "gpu",
            {"path": "hirschberg"}, True,
        ),
        RaceKernel(
            "paper1", "Paper 1", "Kawanami and Fujimoto's kernel as it is, on the graphics card: all cells", "gpu",
            {"kernel": "paper"},
        ),
    ),
    RaceMethod.EDIT: (
        RaceKernel(_DEFAULT.id, _DEFAULT.name, _DEFAULT.tip, _DEFAULT.device),
        RaceKernel("cpu", "CPU", "Every core, the fastest way that proves itself", "cpu"),
        RaceKernel("gpu", "GPU", "The graphics card, the fastest way that proves itself", "gpu"),
        RaceKernel("cpu-full", "CPU, all cells", f"Every core; {_EVERY_CELL_REASON}", "cpu", {"band": "none"}),
        RaceKernel("gpu-full", "GPU, all cells", f"The graphics card; {_EVERY_CELL_REASON}", "gpu", {"band": "none"}),
        RaceKernel("paper2", "Paper 2", "Sudo and Shinohara's band and needless blocks", "cpu", {"band": "paper"}),
        RaceKernel("paper2-gpu", "Paper 2, GPU", "The same band on the graphics card", "gpu", {"band": "paper"}),
    ),
}  # fmt: skip
USUAL = ("cpu", "gpu", "paper1", "paper2", "hirschberg", "cpu-full")  # who races unless others are asked for


def race_kernels(method: RaceMethod) -> dict[str, RaceKernel]:
    """Return the kernels of a method by their ids, in the order in which they are listed."""
    return {one.id: one for one in ENTRANTS[method]}
