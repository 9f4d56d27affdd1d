"""Stand-ins for the ten inputs of the contest that Sudo and Shinohara wrote for (its Table 1).

The inputs themselves were never published, their lengths and distances were. Each stand-in has the lengths of the
original and its distance, or one within 0.3 % where the distance is that of random letters:

* distance 1, 2, 6, 256 (cases 3, 6, 10, 7): random DNA with that many edits, far apart. Cases 3 and 10 are exchanges;
  case 6 is an insertion near the front and a deletion near the end, so that nothing in between lies on the main
  diagonal and the Hamming distance of their prefixes says nothing; case 7 is one half exchanges, a quarter each
  insertions and deletions.
* distance = difference of the lengths (cases 2, 8, 9): the shorter one is a subsequence of the longer. In cases 2 and
  9 any random DNA of such unequal lengths is; in case 8 the letters of the shorter one lie at random places of a
  random longer one.
* distance = length (case 5): no letter in common.
* distance 0.935 n (case 1): random letters of an alphabet of 52, as many as there are Latin capitals and small letters.
* distance 0.468 n (case 4): random DNA with 74.8 % of its letters being two of the four.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Letters

DNA = np.frombuffer(b"ACGT", np.uint8)
LATIN = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", np.uint8)
COMMON = 0.374  # share of each of the two frequent letters in case 4


@dataclass(frozen=True, slots=True)
class Case:
    """One line of Table 1: lengths, distance and milliseconds as printed there, and our stand-in."""

    number: int
    distance: int
    paper_ms: float
    a: Letters
    b: Letters


def cases() -> list[Case]:
    rng = np.random.default_rng(2008)
    a5, b5 = rng.choice(DNA[:2], 130_816), rng.choice(DNA[2:], 130_816)
    skewed = [COMMON, COMMON, 0.5 - COMMON, 0.5 - COMMON]
    pairs = [
        (86_379, 79.6, (rng.choice(LATIN, 92_416), rng.choice(LATIN, 92_416))),
        (1_040_256, 2.6, (rng.choice(DNA, 8_064), rng.choice(DNA, 1_048_320))),
        (1, 28.5, edited(rng, 130_816, "X")),
        (61_276, 92.4, (rng.choice(DNA, 130_944, p=skewed), rng.choice(DNA, 130_944, p=skewed))),
        (130_816, 193.3, (a5, b5)),
        (2, 81.7, edited(rng, 131_072, "ID")),
        (256, 130.9, edited(rng, 131_072, "XIXD" * 64)),
        (92_672, 0.9, thinned(rng, 92_672, 185_344)),
        (1_031_936, 2.7, (rng.choice(DNA, 16_384), rng.choice(DNA, 1_048_320))),
        (6, 29.7, edited(rng, 130_816, "X" * 6)),
    ]
    return [Case(number, distance, ms, *pair) for number, (distance, ms, pair) in enumerate(pairs, 1)]


def edited(rng: np.random.Generator, n: int, script: str) -> tuple[Letters, Letters]:
    """Random DNA and the same after the edits of ``script``, in this order and evenly spread over it."""
    a = rng.choice(DNA, n)
    b = bytearray()
    step, done = n // (len(script) + 1), 0
    for k, op in enumerate(script, 1):
        at = k * step
        b += a[done:at].tobytes()
        if op in "XI":  # a letter that differs from the one it stands for or before
            b.append(int(rng.choice(np.setdiff1d(DNA, a[at]))))
        done = at + (op in "XD")
    b += a[done:].tobytes()
    return a, np.frombuffer(bytes(b), np.uint8)


def thinned(rng: np.random.Generator, n: int, m: int) -> tuple[Letters, Letters]:
    """Random DNA of ``m`` letters, as B, and ``n`` of them in their order, as A."""
    b = rng.choice(DNA, m)
    return b[np.sort(rng.choice(m, n, replace=False))], b
