"""Names of kernels in plain words; files and the command line have their ids."""

from __future__ import annotations

KERNEL_NAMES = {
    "allocate": "memory",
    "bound": "upper bound",
    "download": "copy back",
    "encode": "read letters",
    "pack": "pack letters",
    "prepare": "preparation",
    "profile": "scores of letters",
    "seeds": "shared k-mers",
    "skipped": "skipped blocks",
    "small": "small pair",
    "split": "halves",
    "spot-check": "check",
    "subsequence": "is B inside A?",
    "ties": "choose among equal paths",
    "upload": "copy to the card",
    "verify": "check",
}


def kernel_name(kernel: str) -> str:
    """Return the name of a kernel, which is its id where that is a word of the field."""
    return KERNEL_NAMES.get(kernel, kernel)


def stage_name(kernels: str) -> str:
    """Return the name of a stage; ``kernels``: its kernels, joined by ``+``.

    >>> stage_name("blocks+verify")
    'blocks, check'
    """
    return ", ".join(dict.fromkeys(map(kernel_name, kernels.split("+"))))
