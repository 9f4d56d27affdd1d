"""Maximal exact matches of both strands: every diagonal, letter by letter."""

from __future__ import annotations

from collections import Counter

from wavediff.core.sequences.matching import reverse_complement


def exact_matches(a: bytes, b: bytes, k: int, max_copies: int) -> tuple[list[tuple[int, int, int, bool, int]], int]:
    """Return (start in A, start in B, letters, minus, unique k-mers) of all matches, and places of A left out."""
    a, b = (letters.upper().replace(b"U", b"T") for letters in (a, b))
    kinds = kmer_kinds(a, b, k, max_copies)
    found = []
    for minus, other in ((False, b), (True, reverse_complement(b))):
        for offset in range(-len(a) + 1, len(other)):
            i = max(0, -offset)
            while i < len(a) and i + offset < len(other):
                length = 0
                while (
                    i + length < len(a)
                    and i + length + offset < len(other)
                    and a[i + length] == other[i + length + offset]
                    and a[i + length] in b"ACGT"
                ):
                    length += 1
                inside = [kinds[a[at : at + k]] for at in range(i, i + length - k + 1)]
                if any(kind != "left out" for kind in inside):
                    start = len(other) - i - offset - length if minus else i + offset
                    found.append((i, start, length, minus, inside.count("unique")))
                i += length + 1
    left_out = sum(kinds.get(a[at : at + k]) == "left out" for at in range(len(a) - k + 1))
    return sorted(found), left_out


def kmer_kinds(a: bytes, b: bytes, k: int, max_copies: int) -> dict[bytes, str]:
    """Return whether each k-mer that A and B share is unique, repeated or left out."""
    counts = []
    for letters in (a, b):
        count: Counter[bytes] = Counter()
        for at in range(len(letters) - k + 1):
            kmer = letters[at : at + k]
            if all(letter in b"ACGT" for letter in kmer):
                count.update({kmer, reverse_complement(kmer)})
        counts.append(count)
    of_a, of_b = counts
    return {
        kmer: "left out" if max(n, of_b[kmer]) > max_copies else "unique" if n == of_b[kmer] == 1 else "repeated"
        for kmer, n in of_a.items()
        if of_b[kmer]
    }
