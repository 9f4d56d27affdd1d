"""The kernels of the papers as the choosers name them: to compare with, on graphics cards only."""

from __future__ import annotations

from core.jobs.pair import LcsKernel, SwapKernel

KernelChoice = LcsKernel | SwapKernel
DEFAULT = ("Default", "The fastest of the device")
LCS_KERNELS: dict[LcsKernel, tuple[str, str]] = {
    LcsKernel.DEFAULT: DEFAULT,
    LcsKernel.PAPER: ("Paper 1", "As paper 1 has it, to compare with: on a GPU only, all cells, the path by halving"),
}
SWAP_KERNELS: dict[SwapKernel, tuple[str, str]] = {
    SwapKernel.DEFAULT: DEFAULT,
    SwapKernel.PAPER: (
        "Paper 5",
        "As paper 5 has it, to compare with: on a GPU only, anti-diagonals in shared memory, distances without a path",
    ),
    SwapKernel.PAPER_GLOBAL: (
        "Paper 5, global memory",
        "As paper 5 has it with global memory only, to compare with: on a GPU only, distances without a path",
    ),
}


def kernel_name(kernel: KernelChoice) -> tuple[str, str]:
    """Return the name of a kernel, and what it is."""
    return LCS_KERNELS[kernel] if isinstance(kernel, LcsKernel) else SWAP_KERNELS[kernel]
