"""Shared unique k-mers of two DNA sequences, with a dictionary of strings."""

from __future__ import annotations

from wavediff.core.sequences.matching import reverse_complement


def canonical_places(text: bytes, k: int) -> dict[bytes, list[tuple[int, bool]]]:
    """Return where each k-mer or its reverse complement begins, and whether it is that; palindromes are left out."""
    text, found = text.upper().replace(b"U", b"T"), {}
    for i in range(len(text) - k + 1):
        kmer = text[i : i + k]
        other = reverse_complement(kmer)
        if kmer != other and not kmer.strip(b"ACGT"):
            found.setdefault(min(kmer, other), []).append((i, other < kmer))
    return found


def shared_unique_kmers(a: bytes, b: bytes, k: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return (place in A, place in B) of the seeds on the plus strand; on the minus strand, counted from its start."""
    of_a, of_b = canonical_places(a, k), canonical_places(b, k)
    plus, minus = set(), set()
    for kmer, places in of_a.items():
        if len(places) == 1 and len(of_b.get(kmer, ())) == 1:
            (i, flip_a), (j, flip_b) = places[0], of_b[kmer][0]
            if flip_a == flip_b:
                plus.add((i, j))
            else:
                minus.add((i, len(b) - k - j))
    return plus, minus
