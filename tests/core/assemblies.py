"""Assemblies made from a known sequence: cut, turned, shuffled and changed, with the truth of each contig."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wavediff.core.sequences.orientation import reverse_complement

SAFE = 40  # letters at the ends of a contig without insertions and deletions, or the place would not be its own


class Truth(NamedTuple):
    """Place of a contig in A, from 0, and the edits that were made."""

    start: int
    end: int
    minus: bool
    edits: int


def random_letters(rng, n):
    return np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, n)].tobytes()


def changed(rng, letters, share):
    """Return ``letters`` with substitutions and, away from the ends, insertions and deletions, and their number."""
    out, n = bytearray(), 0
    hit = rng.random(len(letters)) < share
    for at, letter in enumerate(letters):
        kind = int(rng.integers(8)) if hit[at] else 7
        inside = SAFE <= at < len(letters) - SAFE
        n += int(hit[at] and (kind >= 2 or inside))
        if not hit[at]:
            out.append(letter)
        elif kind == 0 and inside:
            continue
        elif kind == 1 and inside:
            out += bytes([int(rng.choice([*b"ACGT"])), letter])
        else:
            out.append(int(rng.choice([one for one in b"ACGT" if one != letter])) if kind >= 2 or inside else letter)
    return bytes(out), n


def assembly(seed, n=60_000, parts=20, share=0.01, most_gap=400):
    """Return A, its contigs in any order, and the truth of each."""
    rng = np.random.default_rng(seed)
    a = random_letters(rng, n)
    step = n // parts
    cuts = [0, *(at * step + int(rng.integers(-step // 3, step // 3)) for at in range(1, parts)), n]
    made = []
    for start, end in pairwise(cuts):
        end -= int(rng.choice([0, rng.integers(1, most_gap)]))
        letters, edits = changed(rng, a[start:end], share)
        minus = bool(rng.integers(2))
        made.append((reverse_complement(letters) if minus else letters, Truth(start, end, minus, edits)))
    rng.shuffle(made)
    return a, [letters for letters, _ in made], [truth for _, truth in made]


def fasta(contigs, names=None):
    """Return FASTA in lines of 70 letters."""
    out = []
    for at, letters in enumerate(contigs):
        lines = [letters[k : k + 70].decode() for k in range(0, len(letters), 70)]
        out.append("\n".join([f">{names[at] if names else f'c{at + 1}'} made", *lines, ""]))
    return "".join(out)
