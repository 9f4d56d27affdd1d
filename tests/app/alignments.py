"""Sequences and alignments for the tests of the alignment view."""

from __future__ import annotations

import numpy as np

from wavediff.core.jobs.alignment import LETTER, Alignment, Op
from wavediff.core.sequences.sequence import Alphabet, Sequence


def sequence(letters: str | bytes, name: str = "seq", alphabet: Alphabet = Alphabet.DNA) -> Sequence:
    raw = letters.encode("latin-1") if isinstance(letters, str) else letters
    array = np.frombuffer(raw, np.uint8)
    return Sequence(letters=array, name=name, alphabet=alphabet, counts=np.bincount(array, minlength=256))


def from_cigar(*runs: tuple[int, str]) -> Alignment:
    return Alignment(np.array([LETTER.index(op) for _, op in runs], np.uint8), np.array([n for n, _ in runs], np.int64))


def random_pair(n_runs: int, seed: int = 0, longest: int = 9) -> tuple[Sequence, Sequence, Alignment]:
    """Return two sequences of DNA and an alignment of them with ``n_runs`` runs; equal columns are equal."""
    rng = np.random.default_rng(seed)
    ops = (np.cumsum(rng.integers(1, 4, n_runs)) % 4).astype(np.uint8)
    lengths = rng.integers(1, longest + 1, n_runs)
    alignment = Alignment(ops, lengths)
    columns = np.repeat(ops, lengths)
    codes = rng.integers(0, 4, columns.size)
    others = np.where(columns == Op.EQUAL, codes, (codes + 1) % 4)
    dna = np.frombuffer(b"ACGT", np.uint8)
    a = dna[codes[columns != Op.INSERTION]]
    b = dna[others[columns != Op.DELETION]]
    return sequence(a.tobytes(), "a"), sequence(b.tobytes(), "b"), alignment
