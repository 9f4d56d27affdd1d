"""Find a substitution matrix by its name: one that is shipped, or a file."""

from __future__ import annotations

from functools import cache

import numpy as np

from wavediff.core.base.errors import InputError
from wavediff.core.sequences.scoring.matrix import SubstitutionMatrix
from wavediff.core.sequences.scoring.ncbi import parse_matrix, read_matrix
from wavediff.core.system.program import ROOT

FOLDER = ROOT / "resources" / "matrices"
BUILT_IN = ("BLOSUM45", "BLOSUM62", "BLOSUM80", "PAM250", "DNAfull")
MATCH_NAME = "match 1, mismatch -1"
_ALIASES = {"ednafull": "DNAfull", "nuc.4.4": "DNAfull", **{name.lower(): name for name in BUILT_IN}}


@cache
def built_in(name: str) -> SubstitutionMatrix:
    """Return the shipped matrix ``name``, one of ``BUILT_IN``."""
    matrix = parse_matrix((FOLDER / name).read_bytes(), name)
    return SubstitutionMatrix(name, matrix.letters, matrix.scores)


def match_matrix(letters: str) -> SubstitutionMatrix:
    """Return the matrix of a text's ``letters``: 1 for equal ones, -1 for all others."""
    scores = 2 * np.identity(len(letters), np.int16) - 1
    return SubstitutionMatrix(MATCH_NAME, letters, scores)


def find_matrix(name: str) -> SubstitutionMatrix:
    """Return the shipped matrix of that name, whatever its case, or else the one that the file ``name`` holds.

    Raises:
        InputError: there is no such file, or it holds no matrix.
    """
    if (known := _ALIASES.get(name.lower())) is not None:
        return built_in(known)
    try:
        return read_matrix(name)
    except InputError as error:
        if error.line is None:  # nothing of a matrix was met
            names = ", ".join(BUILT_IN)
            raise InputError(error.source, error.found, f"a file in NCBI's format, or one of {names}") from error
        raise
