"""Columns with ambiguity codes: counted as a walk over all columns counts them, and in no figure twice."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.export.helpers import alignment
from wavediff.core.jobs import code_columns as module
from wavediff.core.jobs.alignment import LETTER, Swaps
from wavediff.core.jobs.ambiguous_columns import NONE_APART, Apart
from wavediff.core.jobs.code_columns import code_columns
from wavediff.core.jobs.events import run_to_end
from wavediff.core.methods.statistics import Statistics, identities
from wavediff.core.sequences.letter_rules import Ambiguity, LetterRule

STANDS = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "M": "AC", "N": "ACGT"}


def counted(runs, a, b, rule=LetterRule.NUCLEOTIDE, *, indel=False, swaps=None):
    letters = (np.frombuffer(one.encode(), np.uint8) for one in (a, b))
    return run_to_end(code_columns(runs, *letters, rule, indel=indel, swaps=swaps))


def is_missing(x, y):
    return "N" in (x, y)


def is_compatible(x, y):
    return (len(STANDS[x]) > 1 or len(STANDS[y]) > 1) and bool(set(STANDS[x]) & set(STANDS[y]))


def shown_columns(ops, a, b, *, indel):
    """Return (operation, letter of A, letter of B) of each column that is shown, and those of each pair of gaps."""
    columns, pairs, i, j = [], [], 0, 0
    for run in re.finditer(r"D+I+|=+|X+|D+|I+", ops):
        n_a, n_b = len(run[0]) - run[0].count("I"), len(run[0]) - run[0].count("D")
        x, y, least = a[i : i + n_a], b[j : j + n_b], min(n_a, n_b)
        i, j = i + n_a, j + n_b
        if run[0][0] in "=X":
            columns += [(run[0][0], *each) for each in zip(x, y, strict=True)]
            continue
        facing = list(zip(x[n_a - least :], y[n_b - least :], strict=True))
        if least and not indel and not all(is_missing(*each) for each in facing):
            facing = []
        columns += [("D", each, "") for each in x[: n_a - len(facing)]]
        columns += [("I", "", each) for each in y[: n_b - len(facing)]]
        if facing:
            pairs.append([*range(len(columns), len(columns) + least), n_a == n_b])
            columns += [("X", *each) for each in facing]
    return columns, pairs


def check(found, ops, a, b, *, indel=False):
    columns, pairs = shown_columns(ops, a.upper(), b.upper(), indel=indel)
    assert found.alignment.cigar() == alignment("".join(one[0] for one in columns)).cigar()
    equal = sum(op == "=" and is_missing(x, y) for op, x, y in columns)
    for apart, at, asked in (
        (found.missing, found.missing_at, is_missing),
        (found.compatible, found.compatible_at, is_compatible),
    ):
        wanted = [k for k, (op, x, y) in enumerate(columns) if op == "X" and asked(x, y)]
        assert [k for first, end in at.tolist() for k in range(first, end)] == wanted
        paired = sum(k in wanted for *some, _ in pairs for k in some)
        opens = sum(1 + one[-1] for one in pairs if set(one[:-1]) <= set(wanted))
        match = asked is is_compatible
        assert apart == Apart(0 if match else equal, len(wanted) - paired, paired, opens, match)


@st.composite
def aligned(draw):
    """Columns with codes of both cases, in any alignment."""
    runs = draw(st.lists(st.tuples(st.sampled_from(LETTER), st.integers(1, 4)), max_size=10))
    ops = "".join(op * n for op, n in runs)
    a = b = ""
    for op in ops:
        x, y = draw(st.sampled_from("ACGTRYMNnr")), draw(st.sampled_from("ACGTRYMNny"))
        a += x if op != "I" else ""
        b += {"=": x, "X": y, "I": y, "D": ""}[op]
    return ops, a, b


@given(aligned(), st.integers(1, 9), st.booleans())
@example(("=DDII=", "ANNA", "ACTA"), 3, False)
@example(("DDII", "AN", "NR"), 3, False)
@example(("XDDDIIX", "ACNGA", "CNNC"), 3, False)
@example(("DDDII=", "ACNG", "TRG"), 3, True)
def test_they_are_found_as_by_looking_at_each_column(case, chunk, indel):
    ops, a, b = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK_LETTERS", chunk)
        check(counted(alignment(ops), a, b, indel=indel), ops, a, b, indel=indel)


@given(aligned(), st.booleans())
def test_all_counts_make_up_the_columns_and_identities_are_shares(case, indel):
    ops, a, b = case
    runs, codes = alignment(ops), counted(alignment(ops), a, b, indel=indel)
    for apart in (NONE_APART, codes.missing, codes.compatible):
        one = Statistics.of(runs, max(len(a), len(b)), apart)
        parts = (one.matches, one.mismatches, one.insertions, one.deletions, one.apart.n)
        assert min(parts) >= 0
        assert sum(parts) + apart.paired == len(ops)
        assert one.gap_opens >= 0
        assert all(0 <= share <= 1 for share in one.identity.values())
        assert bool(one.identity) == (apart.columns(len(ops)) > 0 or not apart.n)


def test_letters_that_were_not_read_lower_no_identity():
    """A consensus: 92 substitutions and 521 N in 29,903 letters."""
    runs = alignment("=" * 29_290 + "X" * 613)
    a, b = "A" * 29_903, "A" * 29_290 + "C" * 92 + "N" * 521
    codes = counted(runs, a, b)
    assert (codes.missing, codes.compatible) == (Apart(substituted=521), Apart(substituted=521, match=True))
    wanted = {Ambiguity.LETTERS: 29_290 / 29_903, Ambiguity.MISSING: 29_290 / 29_382}
    wanted[Ambiguity.COMPATIBLE] = (29_290 + 521) / 29_903
    for rule, share in wanted.items():
        assert identities(runs, 613, codes.apart(rule)) == pytest.approx(dict.fromkeys(identities(runs, 613), share))


def test_of_nothing_but_n_there_is_no_identity():
    codes = counted(alignment("===="), "NNNN", "NNNN")
    assert codes.missing == Apart(equal=4)
    assert identities(alignment("===="), 0, codes.missing) == {}
    assert set(identities(alignment("===="), 0, codes.compatible).values()) == {1.0}


def test_in_proteins_x_is_open_and_codes_stand_for_their_amino_acids():
    codes = counted(alignment("=XXXX"), "MXBZN", "MKNAX", LetterRule.PROTEIN)
    assert (codes.letter, codes.missing.n, codes.compatible.n) == ("X", 2, 3)
    assert (codes.missing_at.tolist(), codes.compatible_at.tolist()) == ([[1, 2], [4, 5]], [[1, 3], [4, 5]])


def test_letters_that_swap_places_are_not_counted_apart():
    swaps = Swaps(*(np.array([place]) for place in (1, 2, 1, 2)))
    assert counted(alignment("=XX=X"), "ANCGA", "ACNGN", swaps=swaps).missing == Apart(substituted=1)
