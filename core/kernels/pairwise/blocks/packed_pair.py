"""Two encoded sequences in vector layout, shared by all matrices over them."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, LetterType, Words, letter_type
from wavediff.core.jit.bits import GROUP_COLUMNS, N_COMMON_CODES, pack_columns, rare_prefix_counts, stream_words
from wavediff.core.jit.simd import WORD
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.traceback.parallel import map_ranges

THREAD_TASK_GROUPS, REPORT_WORDS = 1 << 16, 1 << 16  # that a thread packs at a time; counted between two reports
NAME = "pack"  # of this between processes, see ``wavediff.core.jit.warmup``


class PackedPair(NamedTuple):
    """Codes, bit planes of B (``wavediff.core.jit.bits``), and prefix counts of rare letters per word."""

    rows: Letters  # codes of A
    letters: Letters  # codes of B
    n_codes: int
    n_planes: int
    columns: Words
    words: int  # of each stream of ``columns``
    rare_a: Counts
    rare_b: Counts


def pack(
    step: Step, a: Letters, b: Letters, n_codes: int, n_planes: int, threads: int = 1
) -> Generator[Event, None, PackedPair]:
    """Pack the non-empty codes ``a`` and ``b`` (``n_codes`` codes, ``n_planes`` planes), in pieces."""
    yield from make_ready(step, a.dtype.type)
    groups = -(-b.size // GROUP_COLUMNS)
    words = stream_words(groups)
    columns = np.zeros(GROUP_COLUMNS * n_planes * words, np.uint64)
    some_rare = n_codes > N_COMMON_CODES
    rare_a, rare_b = (np.zeros(-(-x.size // WORD) + 1 if some_rare else 1, np.int64) for x in (a, b))
    head = min((groups + 1) % WORD, groups)  # no word is of two threads: the last group is at the end of one

    def pack_some(first: int, end: int) -> None:
        pack_columns(b, n_planes, words, columns, head + first, head + end)

    pack_columns(b, n_planes, words, columns, 0, head)
    yield from map_ranges(step, "encode", pack_some, groups - head, THREAD_TASK_GROUPS, threads)
    start = perf_counter()
    for letters, out in ((a, rare_a), (b, rare_b)):
        for first in range(0, out.size - 1, REPORT_WORDS):
            rare_prefix_counts(letters, out, first, min(first + REPORT_WORDS, out.size - 1))
            yield step.done("encode", start)
            start = perf_counter()
    return PackedPair(a, b, n_codes, n_planes, columns, words, rare_a, rare_b)


def no_codes(n_planes: int) -> Letters:
    """Return an empty code array of the type for ``n_planes`` planes."""
    return np.empty(0, letter_type(1 << n_planes))


def blank(n_codes: int, n_planes: int) -> PackedPair:
    """Return a dummy pair of three zero codes, for compilation only."""
    words = stream_words(2)
    none = np.zeros(2 if n_codes > N_COMMON_CODES else 1, np.int64)
    few = np.zeros(3, no_codes(n_planes).dtype)
    return PackedPair(
        few, few, n_codes, n_planes, np.zeros(GROUP_COLUMNS * n_planes * words, np.uint64), words, none, none
    )


def make_ready(step: Step, letter_type: LetterType = np.uint8) -> Generator[Event, None, None]:
    """Compile (or load) the packing kernels."""

    code, count = np.zeros(1, letter_type), np.zeros(2, np.int64)

    def rehearse() -> None:
        pack_columns(code, 1, stream_words(1), np.zeros(GROUP_COLUMNS * stream_words(1), np.uint64), 0, 1)
        rare_prefix_counts(code, count, 0, 1)

    yield from warm_up(step, "encode", variant(NAME, code), rehearse)
