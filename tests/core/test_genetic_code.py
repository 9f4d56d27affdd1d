"""Genetic codes: every codon of every table as Biopython translates it."""

from itertools import product

import numpy as np
import pytest
from Bio.Data.CodonTable import unambiguous_dna_by_id
from Bio.Seq import Seq

from wavediff.core.sequences.genetic_code import translated

CODES = "ACGTRYSWKMBDHVN"


def codons(text):
    return np.frombuffer(text.encode(), np.uint8).reshape(-1, 3)


@pytest.mark.parametrize("table", [1, 2, 4, 11, 25, 33])
def test_codons_are_those_of_biopython(table):
    text = "".join(map("".join, product("ACGT", repeat=3)))
    assert translated(codons(text), table).tobytes().decode() == str(Seq(text).translate(table))
    assert translated(codons(text.lower().replace("t", "u")), table).tobytes().decode() == str(
        Seq(text).translate(table)
    )


@pytest.mark.parametrize("table", [1, 27])  # in table 27 TGA is a stop and W
def test_codes_of_several_nucleotides_leave_one_amino_acid_or_none(table):
    bases = dict(zip("ACGT", "ACGT", strict=True)) | {
        "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT", "M": "AC",
        "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT",
    }  # fmt: skip
    code = unambiguous_dna_by_id[table].forward_table
    for codon in product(CODES, repeat=3):
        every = {code.get("".join(one), "*") for one in product(*(bases[each] for each in codon))}
        wanted = every.pop() if len(every) == 1 else "X"
        assert chr(translated(codons("".join(codon)), table)[0]) == wanted, codon


def test_codons_of_other_letters_and_of_other_tables_are_unknown():
    assert translated(codons("A-CZZZ"), 1).tobytes() == b"XX"
    assert translated(codons("ATGTAA"), 7).tobytes() == b"XX"
