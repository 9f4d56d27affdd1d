"""Display names of kernels; files use their ids."""

from __future__ import annotations

KERNEL_NAMES = {
    "allocate": "memory",
    "bound": "upper bound",
    "download": "copy back",
    "encode": "letter encoding",
    "induced": "induced sorting",
    "inverse": "inverse transform",
    "pack": "letter packing",
    "packed": "sorting of packed letters",
    "pairs": "many pairs",
    "prepare": "preparation",
    "profile": "scores of letters",
    "ranks": "index of the transform",
    "scan": "search",
    "screening": "shared k-mers",
    "seeds": "shared k-mers",
    "skipped": "skipped blocks",
    "small": "small pair",
    "split": "halves",
    "spot-check": "check",
    "subsequence": "search for B inside A",
    "ternary": "ternary quicksort",
    "ties": "choice among equal paths",
    "transfer": "copy to the card",
    "uncompiled": "bit vectors in Python",
    "upload": "copy to the card",
    "verify": "check",
}


def kernel_name(kernel: str) -> str:
    """Return the display name of a kernel; its id if that is a technical term."""
    return KERNEL_NAMES.get(kernel, kernel.strip("_").replace("_", " "))


def stage_name(kernels: str) -> str:
    """Return the name of a phase; ``kernels``: ids joined by ``+``."""
    return ", ".join(dict.fromkeys(map(kernel_name, kernels.split("+"))))
