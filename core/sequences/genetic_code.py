"""Genetic codes by NCBI number, including IUPAC codes of nucleotides."""

from __future__ import annotations

from functools import cache

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.sequences.ambiguity import NUCLEOTIDES

UNKNOWN, STOP = ord("X"), ord("*")


def translated(codons: Letters, table: int) -> Letters:
    """Return the amino acid of each codon.

    Args:
        codons: letters, uint8, shape (n, 3); U is T, case is ignored.

    Returns:
        uint8, shape (n,): one-letter codes, ``*`` for a stop, ``X`` for ambiguous codons, and for all codons of an
        unknown NCBI table.
    """
    residues: Letters = _amino_acids(table)[tuple(_SETS[codons].T)]
    return residues


def is_start(codon: bytes, table: int) -> bool:
    """Return whether a codon (as in ``translated``) can start a protein."""
    from Bio.Data.CodonTable import unambiguous_dna_by_id

    of_dna = codon.decode("latin-1").upper().replace("U", "T")
    return table in unambiguous_dna_by_id and of_dna in unambiguous_dna_by_id[table].start_codons


def _nucleotide_sets() -> Letters:
    """Return the nucleotide set (bits 1, 2, 4, 8) of each letter, or 0."""
    sets = np.zeros(256, np.uint8)
    for letter, each in NUCLEOTIDES.items():
        sets[[letter, letter | 0x20]] = each
    return sets


_SETS = _nucleotide_sets()


@cache
def _amino_acids(table: int) -> Letters:
    """Return the amino acid for the nucleotide sets of a codon, shape (16, 16, 16)."""
    from Bio.Data.CodonTable import unambiguous_dna_by_id

    code, residues = unambiguous_dna_by_id.get(table), np.zeros((16, 16, 16), np.uint8)
    codons = (one + two + three for one in "TCAG" for two in "TCAG" for three in "TCAG")
    for codon in codons if code is not None else ():
        letter = ord(code.forward_table[codon]) if codon in code.forward_table else STOP
        those = np.ix_(*(np.arange(16) & NUCLEOTIDES[ord(each)] > 0 for each in codon))
        residues[those] = np.where((residues[those] == 0) | (residues[those] == letter), letter, UNKNOWN)
    residues[residues == 0] = UNKNOWN
    return residues
