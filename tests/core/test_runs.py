"""Runs gathered from what a walk met: the same columns, with the gaps in order."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.results.alignment import Op
from core.traceback.runs import gather

MET = st.lists(st.tuples(st.integers(0, 8), st.sampled_from(Op)), max_size=40)


def _columns(met):
    """Return the columns that were met, the insertions of each gap before its deletions."""
    columns = [op for n, last in met for op in (*[Op.EQUAL] * n, *([last] if last else []))]
    out = []
    for in_gap, group in groupby(columns, key=lambda op: op in (Op.INSERTION, Op.DELETION)):
        ops = list(group)
        out += sorted(ops) if in_gap else ops
    return out


@given(MET)
@settings(deadline=None)
def test_runs_have_the_columns_that_were_met(met):
    ops, lengths = np.empty(2 * len(met), np.uint8), np.empty(2 * len(met), np.int64)
    runs = gather(np.array([4 * n + op for n, op in met], np.uint8), ops, lengths)
    expected = [(op, len(list(group))) for op, group in groupby(_columns(met))]
    assert list(zip(ops[:runs].tolist(), lengths[:runs].tolist(), strict=True)) == expected
