"""Our alignment in the columns of two, and the stretches in which they differ, against a look at each column."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.depth import examples
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.difference_index import NEITHER, Kinds
from wavediff.core.jobs.difference_rows import all_rows, rows_of
from wavediff.core.jobs.given_alignment import stacked

A, B = "ACGTTACGAC", "ACTTTACCGA"


@st.composite
def alignments(draw):
    """An alignment of A and B, of any cost, with overhang at its ends or without."""
    columns, i, j = [], 0, 0
    while i < len(A) or j < len(B):
        ops = ["D"] * (i < len(A)) + ["I"] * (j < len(B)) + 3 * ["M"] * (i < len(A) and j < len(B))
        op = draw(st.sampled_from(ops))
        columns.append({"D": Op.DELETION, "I": Op.INSERTION}.get(op) if op != "M" else Op(int(A[i] != B[j])))
        i, j = i + (op != "I"), j + (op != "D")
    heads = [k for k, op in enumerate(columns) if k == 0 or op != columns[k - 1]]
    ops = [int(columns[k]) for k in heads]
    free = draw(st.booleans())
    head, tail = (int(free and op > Op.MISMATCH) for op in (ops[0], ops[-1]))
    return Alignment(ops, np.diff(heads, append=len(columns)), head, tail if len(ops) > 1 else 0)


@examples(300)
@given(alignments(), alignments())
def test_every_column_of_both(ours, theirs):
    both, whole = stacked(ours, theirs), index_alignment(ours)
    index, steps = both.index_of_ours(whole)
    n = int(both.starts[-1])
    letters, differs = both.window(0, n)
    window = index.window(0, n)
    assert (index.n_columns, index.n_a, index.n_b, steps.n_columns) == (n, len(A), len(B), n)
    assert window.a.tolist() == letters[0].tolist()
    assert window.b.tolist() == letters[1].tolist()
    assert ((window.op == NEITHER) == ((letters[0] < 0) & (letters[1] < 0))).all()
    assert [index.column_of_a(i) for i in range(len(A))] == np.flatnonzero(letters[0] >= 0).tolist()
    assert [index.column_of_b(j) for j in range(len(B))] == np.flatnonzero(letters[1] >= 0).tolist()
    for col in range(n + 1):
        before = [int((letters[k, :col] >= 0).sum()) for k in range(2)]
        assert list(index.letters_before(col)) == before
        found = steps.difference_at(col)
        assert (found is not None) == bool(differs[col : col + 1].any())
        if found is not None:
            assert differs[found.col0 : found.col1].all()
            assert not differs[max(0, found.col0 - 1) : found.col0].any() or found.col0 == 0
            assert not differs[found.col1 : found.col1 + 1].any()
    inside = index.aligned_columns
    assert [index.letters_before(col) for col in inside] == [whole.letters_before(col) for col in whole.aligned_columns]
    rows = [row for some in all_rows(index) for row in zip(some.op, some.a0, some.a1, some.b0, some.b1, strict=True)]
    same = rows_of(index, np.arange(index.n_differences()))
    assert rows == [*zip(same.op, same.a0, same.a1, same.b0, same.b1, strict=True)]
    for kind, op in ((Kinds.MISMATCH, Op.MISMATCH), (Kinds.INSERTION, Op.INSERTION), (Kinds.DELETION, Op.DELETION)):
        assert (
            index.n_columns_of(kind)
            == whole.n_columns_of(kind)
            == sum(max(a1 - a0, b1 - b0) for one, a0, a1, b0, b1 in rows if one == op)
        )
