"""Texts of any length that transforms are measured with."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.tests.bench.letters import frozen, random_letters

REPEAT_LETTERS = 300


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


def sources(n: int, *suffixes: str) -> Letters:
    """The Python sources of this machine, the standard library's first; shorter where there are not so many.

    Args:
        suffixes: of other files instead.
    """
    paths = sysconfig.get_paths()
    parts, size = [], 0
    for folder in (paths["stdlib"], paths["include"], paths["purelib"], str(Path(np.__file__).parents[1])):
        for file in sorted(one for suffix in suffixes or (".py",) for one in Path(folder).rglob(f"*{suffix}")):
            if size >= n:
                break
            if file.is_file():
                parts.append(file.read_bytes())
                size += len(parts[-1])
    return frozen(b"".join(parts)[:n])


def headers(n: int) -> Letters:
    return sources(n, ".h", ".hpp", ".json", ".rst", ".md", ".txt")


def machine_code(n: int) -> Letters:
    return sources(n, ".so", ".pyd", ".dylib", ".dll")


def versions(n: int) -> Letters:
    """Twenty versions of some sources, each with a line in two hundred of the one before written anew."""
    rng = np.random.default_rng(6)
    lines = sources(n // 20).tobytes().split(b"\n")
    parts = []
    for version in range(20):
        for at in rng.integers(0, len(lines), len(lines) // 200).tolist():
            lines[at] = b"    changed_%d = %d" % (version, at)
        parts += [b"\n".join(lines)]
    return frozen(b"".join(parts)[:n])


def protein(n: int) -> Letters:
    """Amino acids by their frequencies, a tenth of it copies of stretches from before, as families are."""
    rng = np.random.default_rng(7)
    share = np.array([8, 1, 5, 6, 4, 7, 2, 6, 6, 10, 2, 4, 5, 4, 5, 7, 5, 7, 1, 3])
    text = np.frombuffer(b"ACDEFGHIKLMNPQRSTVWY", np.uint8)[rng.choice(20, n, p=share / share.sum())]
    for at in rng.integers(n // 2, n - 300, n // 3000).tolist():
        text[at : at + 300] = text[at - n // 2 : at - n // 2 + 300]
    return frozen(text.tobytes())


def families(n: int) -> tuple[Letters, list[bytes]]:
    """Return ``n`` nucleotides, some of them diverged copies of eight repeats, and stretches of these."""
    rng = np.random.default_rng(5)
    text = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, n, dtype=np.uint8)]
    repeats = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, (8, REPEAT_LETTERS))]
    for at in rng.integers(0, n - REPEAT_LETTERS, n // (4 * REPEAT_LETTERS)).tolist():
        kept = rng.random(REPEAT_LETTERS) >= rng.choice([0.02, 0.05, 0.1])
        text[at : at + REPEAT_LETTERS][kept] = repeats[at % 8][kept]
    return frozen(text.tobytes()), [repeats[k % 8, 20 * (k // 8) :][:20].tobytes() for k in range(32)]
