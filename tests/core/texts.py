"""Texts for tests of sorting: the worst for each way, and lengths round the edges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st

from tests.core.pairs import EDGES
from tests.oracles import bwt as oracle
from wavediff.core.jobs.bwt_result import BwtResult
from wavediff.core.kernels.bwt.inverse.invert import InvalidTransform
from wavediff.tests.bench.letters import fibonacci, random_letters

# What sorting or a sentinel stumbles over.
HARD = {
    "empty": b"",
    "one letter": b"x",
    "one NUL": b"\0",
    "two, rising": b"ab",
    "two, falling": b"ba",
    "two NUL": b"\0\0",
    "banana": b"banana",
    "mississippi": b"mississippi",
    "all bytes": bytes(range(256)),
    "all bytes, falling": bytes(range(255, -1, -1)),
    "all bytes twice": bytes(range(256)) * 2,
    "NUL and 0xFF": b"\0\xff\0\0\xff\xff" * 30,
    "NUL runs": b"\0" * 200 + b"a" + b"\0" * 199,
    "0xFF run": b"\xff" * 300,
    "one letter often": b"a" * 1000,
    "a smaller one last": b"b" * 500 + b"a",
    "a smaller one first": b"a" + b"b" * 500,
    "in turn": b"ab" * 400,
    "in turn, odd": b"ab" * 400 + b"a",
    "Fibonacci": fibonacci(2500),
    "four times": b"GATTACA-banana" * 4,
    "period with a flaw": b"ACGT" * 200 + b"C" + b"ACGT" * 200,
    "long repeat": (bytes(range(97, 117)) * 20 + b"!") * 2,
    "rising runs": b"".join(bytes([c]) * c for c in range(1, 60)),
}


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """A text of an edge length: random over few or many letters, or a repeated piece with a few changes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.sampled_from(EDGES))
    n_letters = draw(st.sampled_from([1, 2, 3, 4, 5, 16, 256]))
    if draw(st.booleans()):
        return random_letters(rng, n, n_letters).tobytes()
    unit = random_letters(rng, draw(st.integers(1, 60)), n_letters)
    text = np.tile(unit, n // unit.size + 1)[:n].copy()
    at = rng.integers(0, max(n, 1), draw(st.integers(0, 5)) if n else 0)
    text[at] = random_letters(rng, at.size, n_letters)
    return text.tobytes()


def check_transform(text: bytes, transform: Callable[..., BwtResult], inverted: Callable[..., bytes]) -> BwtResult:
    """Check a transform and its inverse against sorted rotations."""
    for suffixes in (False, True):
        result = transform(text, suffixes=suffixes)
        assert (result.last.tobytes(), result.primary) == oracle.bwt(text)
        assert (result.suffixes is not None) == suffixes
        if result.suffixes is not None:
            assert result.suffixes.tolist() == oracle.suffix_order(text)
            assert not result.suffixes.flags.writeable
        assert not result.last.flags.writeable
        assert result.n_runs == sum(a != b for a, b in zip(result.last, result.last[1:], strict=False)) + bool(text)
    assert inverted(result.last, result.primary) == text
    return result


def check_every_column(n: int, inverted: Callable[[bytes, int], bytes]) -> None:
    """Check that each column of ``n`` of three letters with a row is refused, or is the transform of what it gives."""
    seen = set()
    for number in range(3**n):
        last = bytes(97 + number // 3**k % 3 for k in range(n))
        for primary in range(n + 1):
            try:
                text = inverted(last, primary)
            except InvalidTransform:
                continue
            assert oracle.bwt(text) == (last, primary)
            seen.add(text)
    assert len(seen) == 3**n  # each text has one transform, so none was refused that has a text
