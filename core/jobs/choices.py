"""Enumerations for the command line; imports no NumPy, so help appears at once."""

from __future__ import annotations

from enum import StrEnum

MIN_K, MAX_K = 11, 64  # letters of the k-mers that are shared by two sequences


class Device(StrEnum):
    """Device of a job."""

    AUTO = "auto"  # the fastest device
    CPU = "cpu"
    GPU = "gpu"


def gpu_unused(why: str) -> str:
    """Return the text for an unused GPU; ``why``: the reason, as a clause."""
    return f"GPU not used: {why}"


class Pairing(StrEnum):
    """Selection of the pairs that a batch computes."""

    ONE_TO_ONE = "one-to-one"  # first with first, second with second...
    ALL_TO_ALL = "all-to-all"  # each with each


class TreeMethod(StrEnum):
    """Tree building method."""

    NJ = "nj"  # neighbour joining
    UPGMA = "upgma"


class SearchLayout(StrEnum):
    """Layout of the pattern states in vectors, and letters processed per step."""

    AUTO = "auto"
    SINGLE = "single"  # one letter a step
    QUAD = "quad"  # four letters a step, their codes of two bits packed into a byte; meant for nucleotides


class BwtMethod(StrEnum):
    """Algorithm that sorts the rotations; all yield the same transform."""

    AUTO = "auto"  # the fastest for the text
    TERNARY = "ternary"  # Yamanaka, Ino and Hagihara: ternary quicksort, all segments of a level together
    YAMANAKA = "yamanaka"  # their published kernels, one letter per level; GPU only, for comparison
    SAIS = "sais"  # induced sorting
    PACKED = "packed"  # words of 31 letters, for at most four letters and few long repeats

    @property
    def cpu_obstacle(self) -> str | None:
        """Reason why the CPU cannot use this algorithm, as a sentence, or None."""
        if self is not BwtMethod.YAMANAKA:
            return None
        return "the kernel of Yamanaka, Ino and Hagihara runs on graphics cards only; the default kernel runs on both"

    @property
    def gpu_obstacle(self) -> str | None:
        """Reason why a card cannot use this algorithm, as a sentence, or None."""
        if self in (BwtMethod.AUTO, BwtMethod.YAMANAKA):
            return None
        return f"{self} sorting runs on the CPU only; auto runs on both"


class View(StrEnum):
    """Views that a picture can show, by their command-line names."""

    LETTERS = "letters"
    LINES = "lines"
    MAP = "map"
    BAND = "band"
    CELLS = "cells"
    WORDS = "words"
    DIFFERENCES = "differences"
    STATISTICS = "statistics"
    TIMINGS = "timings"
    SKIPPED = "skipped"
    DOTS = "dots"
    BLOCKS = "blocks"


class Column(StrEnum):
    """Columns by which the list of differences can be sorted."""

    NUMBER = "number"
    KIND = "kind"
    A = "a"
    B = "b"
    LENGTH = "length"
    CHANGE = "change"
    EFFECT = "effect"  # by features and places in them


class DifferenceKind(StrEnum):
    """Kinds of differences by their command-line names."""

    SUBSTITUTION = "substitution"
    INSERTION = "insertion"
    DELETION = "deletion"
    SWAP = "swap"
    UNKNOWN = "unknown"
