"""Columns with ambiguity codes: counted as a walk over all columns counts them, and in no figure twice."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.export.helpers import alignment
from wavediff.core.jobs import code_columns as module
from wavediff.core.jobs.alignment import LETTER, Alignment
from wavediff.core.jobs.apart import NONE_APART, Apart, CodeColumns
from wavediff.core.jobs.code_columns import code_columns
from wavediff.core.jobs.swap_result import Swaps
from wavediff.core.methods.statistics import Statistics, identities
from wavediff.core.sequences.letter_rules import Ambiguity, LetterRule

STANDS = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "M": "AC", "N": "ACGT"}


def counted(
    runs: Alignment, a: str, b: str, rule: LetterRule = LetterRule.NUCLEOTIDE, swaps: Swaps | None = None
) -> CodeColumns:
    letters = (np.frombuffer(one.encode(), np.uint8) for one in (a, b))
    steps = code_columns(runs, *letters, rule, swaps)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: CodeColumns = stop.value
            return found


def pairs_of(ops: str, a: str, b: str) -> list[tuple[str, str, str]]:
    """Return (letter of A, letter of B, kind) of each column; kind ``P`` for two that face each other across a gap."""
    found, i, j = [], 0, 0
    for run in re.finditer(r"([=X])\1*|[ID]+", ops):
        n_a, n_b = len(run[0]) - run[0].count("I"), len(run[0]) - run[0].count("D")
        facing = run[0][0] in "=X" or (n_a == n_b and re.fullmatch("I+D+|D+I+", run[0]) is not None)
        kind = run[0][0] if run[0][0] in "=X" else "P"
        found += [(x, y, kind) for x, y in zip(a[i : i + n_a], b[j : j + n_b], strict=True)] if facing else []
        found += [("", "", "|")]  # a gap ends here, of pairs or not
        i, j = i + n_a, j + n_b
    return found


def expected(ops: str, a: str, b: str) -> CodeColumns:
    """Look at each column."""
    counts = {"missing": [0, 0, 0, 0], "compatible": [0, 0, 0, 0]}
    gap: list[tuple[bool, bool]] = []
    for x, y, kind in pairs_of(ops, a.upper(), b.upper()):
        if kind == "|":
            for k, name in enumerate(counts):
                counts[name][3] += 2 if gap and all(one[k] for one in gap) else 0
            gap = []
            continue
        missing = "N" in (x, y)
        is_code = len(STANDS[x]) > 1 or len(STANDS[y]) > 1
        compatible = kind != "=" and is_code and bool(set(STANDS[x]) & set(STANDS[y]))
        for name, yes in (("missing", missing), ("compatible", compatible)):
            counts[name]["=XP".index(kind)] += yes
        gap += [(missing, compatible)] if kind == "P" else []
    return CodeColumns("N", Apart(*counts["missing"]), Apart(*counts["compatible"], match=True))


@st.composite
def aligned(draw: st.DrawFn) -> tuple[str, str, str]:
    """Columns with codes of both cases, in any alignment."""
    runs = draw(st.lists(st.tuples(st.sampled_from(LETTER), st.integers(1, 4)), max_size=10))
    ops = "".join(op * n for op, n in runs)
    a = b = ""
    for op in ops:
        x, y = draw(st.sampled_from("ACGTRYMNnr")), draw(st.sampled_from("ACGTRYMNny"))
        a += x if op != "I" else ""
        b += {"=": x, "X": y, "I": y, "D": ""}[op]
    return ops, a, b


@given(aligned(), st.integers(1, 9))
@example(("=DDII=", "ANNA", "ACTA"), 3)
@example(("DDII", "AN", "NR"), 3)
def test_they_are_counted_as_by_looking_at_each_column(case: tuple[str, str, str], chunk: int) -> None:
    ops, a, b = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK_LETTERS", chunk)
        assert counted(alignment(ops), a, b) == expected(ops, a, b)


@given(aligned())
def test_all_counts_make_up_the_columns_and_identities_are_shares(case: tuple[str, str, str]) -> None:
    ops, a, b = case
    runs, codes = alignment(ops), counted(alignment(ops), a, b)
    for apart in (NONE_APART, codes.missing, codes.compatible):
        one = Statistics.of(runs, max(len(a), len(b)), apart)
        parts = (one.matches, one.mismatches, one.insertions, one.deletions, one.apart.n)
        assert min(parts) >= 0
        assert sum(parts) + apart.paired == len(ops)
        assert one.gap_opens >= 0
        assert all(0 <= share <= 1 for share in one.identity.values())
        assert bool(one.identity) == (apart.columns(len(ops)) > 0 or not apart.n)


def test_letters_that_were_not_read_lower_no_identity() -> None:
    """A consensus: 92 substitutions and 521 N in 29,903 letters."""
    runs = alignment("=" * 29_290 + "X" * 613)
    a, b = "A" * 29_903, "A" * 29_290 + "C" * 92 + "N" * 521
    codes = counted(runs, a, b)
    assert codes == CodeColumns("N", Apart(substituted=521), Apart(substituted=521, match=True))
    wanted = {Ambiguity.LETTERS: 29_290 / 29_903, Ambiguity.MISSING: 29_290 / 29_382}
    wanted[Ambiguity.COMPATIBLE] = (29_290 + 521) / 29_903
    for rule, share in wanted.items():
        assert identities(runs, 613, codes.apart(rule)) == pytest.approx(dict.fromkeys(identities(runs, 613), share))


def test_of_nothing_but_n_there_is_no_identity() -> None:
    codes = counted(alignment("===="), "NNNN", "NNNN")
    assert codes.missing == Apart(equal=4)
    assert identities(alignment("===="), 0, codes.missing) == {}
    assert set(identities(alignment("===="), 0, codes.compatible).values()) == {1.0}


def test_in_proteins_x_is_open_and_codes_stand_for_their_amino_acids() -> None:
    codes = counted(alignment("=XXXX"), "MXBZN", "MKNAX", LetterRule.PROTEIN)
    assert codes == CodeColumns("X", Apart(substituted=2), Apart(substituted=3, match=True))


def test_letters_that_swap_places_are_not_counted_apart() -> None:
    swaps = Swaps(*(np.array([place]) for place in (1, 2, 1, 2)))
    assert counted(alignment("=XX=X"), "ANCGA", "ACNGN", swaps=swaps).missing == Apart(substituted=1)
