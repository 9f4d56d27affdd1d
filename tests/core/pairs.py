"""Pairs of sequences for tests of every method: sizes round the edges of words, vectors, strips and blocks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import numpy as np
from hypothesis import strategies as st

from tests.depth import DEEP
from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.results import TieBreak
from wavediff.core.kernels.traceback.tie_rules import Settled
from wavediff.core.methods.base import Ties
from wavediff.tests.bench.letters import random_letters

# Both sides of a word, of a vector of 2, 4 or 8 words, of a strip and of a block.
EDGES = (0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2049)

# Round each number of bit planes; in `make test` kernels are compiled for three numbers of them.
PAIR_LETTERS = (1, 2, 3, 4, 5, 16, 17, 255, 256) if DEEP else (1, 2, 3, 4, 255, 256)


def letters(text: bytes) -> Letters:
    return np.frombuffer(text, np.uint8)


def in_no_memory(n: int) -> Letters:
    """Return ``n`` zeros that take no memory: nobody writes to them, and a job takes them as they are."""
    zeros = np.zeros(n, np.uint8)
    zeros.setflags(write=False)
    return zeros


def mutate(rng: np.random.Generator, a: Letters, edits: int, n_letters: int) -> Letters:
    """``a`` after ``edits`` changes, insertions, deletions and longer gaps at random places."""
    out = bytearray(a.tobytes())
    for _ in range(edits):
        at, kind = int(rng.integers(len(out) + 1)), rng.integers(4)
        letter = int(rng.integers(n_letters)) * 256 // n_letters
        if kind == 0:
            out.insert(at, letter)
        elif kind == 1:
            del out[at : at + 1]
        elif kind == 2:
            out[at : at + 1] = bytes([letter])
        else:
            del out[at : at + int(rng.integers(40))]
    return np.frombuffer(bytes(out), np.uint8)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Letters, Letters]:
    """Two sequences of edge lengths: unrelated, or one mutated from the other."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_letters = draw(st.sampled_from(PAIR_LETTERS))
    a = random_letters(rng, draw(st.sampled_from(EDGES)), n_letters)
    if draw(st.booleans()):
        return a, random_letters(rng, draw(st.sampled_from(EDGES)), n_letters)
    return a, mutate(rng, a, draw(st.sampled_from([0, 1, 3, 20, 100])), n_letters)


def aligned_as(alignment: Alignment) -> Callable[..., Iterator[Event]]:
    """Return what stands in for ``pairwise.problem.align`` and answers ``alignment`` whatever was walked."""

    def align(*_: object, **__: object) -> Generator[Event, None, Settled]:
        yield from ()
        return Settled(alignment, TieBreak(Ties.LEFT_MOST))

    return align
