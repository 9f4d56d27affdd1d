"""Texts of any length that transforms are measured with."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np

from core.base.arrays import Letters
from tests.bench.letters import frozen, random_letters


def dna(n: int) -> Letters:
    return frozen(random_letters(np.random.default_rng(1), n, 4).tobytes())


def words(n: int) -> Letters:
    """Text of made-up words whose frequencies fall as those of English do."""
    rng = np.random.default_rng(3)
    letters = np.frombuffer(b"etaoinshrdlcumwfgypbvkjxqz", np.uint8)
    share = 1 / np.arange(1, 27) ** 0.7
    vocabulary = [
        letters[rng.choice(26, size=int(rng.poisson(4)) + 1, p=share / share.sum())].tobytes() for _ in range(50_000)
    ]
    chosen = np.minimum(rng.zipf(1.25, n // 3), len(vocabulary)) - 1
    return frozen(b" ".join(vocabulary[k] for k in chosen)[:n])


def repeats(n: int) -> Letters:
    """A stretch of 10,000 nucleotides again and again, with a letter in a thousand changed."""
    rng = np.random.default_rng(2)
    text = np.resize(random_letters(rng, 10_000, 4), n).copy()
    at = rng.integers(0, n, n // 1000)
    text[at] = random_letters(rng, at.size, 4)
    return frozen(text.tobytes())


def sources(n: int) -> Letters:
    """The Python sources of this machine, the standard library's first; shorter where there are not so many."""
    paths = sysconfig.get_paths()
    parts, size = [], 0
    for folder in (paths["stdlib"], paths["purelib"], str(Path(np.__file__).parents[1])):
        for file in sorted(Path(folder).rglob("*.py")):
            if size >= n:
                break
            parts.append(file.read_bytes())
            size += len(parts[-1])
    return frozen(b"".join(parts)[:n])
