"""Order of the rows of two texts on the screen: every row once, folds by the rule, both directions agree."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavediff.app.compare.lines.shown_rows import CONTEXT_ROWS, LEAST_HIDDEN_ROWS, Folding, ShownRows
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.line_result import LineKind, LineRows

STRETCH = st.tuples(st.sampled_from(["equal", "changed", "added", "removed", "mixed"]), st.integers(1, 25))
KINDS = {
    "changed": [LineKind.CHANGED],
    "added": [LineKind.ADDED],
    "removed": [LineKind.REMOVED],
    "mixed": [LineKind.REMOVED, LineKind.CHANGED, LineKind.ADDED],
}


def rows_of(stretches):
    kinds, hunks, hunk = [], [], 0
    for name, n in stretches:
        hunk += name != "equal"
        kinds += [LineKind.EQUAL] * n if name == "equal" else [KINDS[name][k % len(KINDS[name])] for k in range(n)]
        hunks += [hunk * (name != "equal")] * n
    kind = np.array(kinds, np.uint8)
    has_a, has_b = kind != LineKind.ADDED, kind != LineKind.REMOVED
    a, b = (np.where(has, np.cumsum(has) - 1, -1) for has in (has_a, has_b))
    starts_a, starts_b = np.arange(has_a.sum() + 1), np.arange(has_b.sum() + 1)
    none = np.zeros(kind.size, bool)
    return LineRows(kind, a, b, np.array(hunks, np.int64), none, np.full(kind.size, -1), starts_a, starts_b)


@given(st.lists(STRETCH, max_size=8), st.booleans(), st.booleans(), st.integers(0, 3))
def test_every_line_is_shown_once_or_folded(stretches, inline, all_open, n_others):
    rows = rows_of(stretches)
    folds = {e.row for e in ShownRows(rows).entries(0, 1 << 30) if e.is_fold}
    shown = ShownRows(rows, inline, Folding(all_open, frozenset(sorted(folds)[:n_others])))
    entries = shown.entries(-5, 1 << 30)
    assert len(entries) == shown.n
    lines = {Side.A: [], Side.B: []}
    for place, entry in enumerate(entries):
        for side, of in ((Side.A, rows.a), (Side.B, rows.b)):
            if entry.side in (None, side):
                there = range(entry.row, entry.end)
                lines[side] += [int(of[row]) for row in there if of[row] >= 0]
                assert all(shown.place(row, side) == place for row in there if of[row] >= 0)
        if entry.is_fold:
            assert not rows.hunk[entry.row : entry.end].any()
            assert entry.end - entry.row >= LEAST_HIDDEN_ROWS
            assert shown.fold_at(entry.row) == entry.row
    # No line is missing and none comes twice, so each text can be read from above.
    assert lines == {Side.A: rows.a[rows.a >= 0].tolist(), Side.B: rows.b[rows.b >= 0].tolist()}
    for first in range(0, shown.n, 7):
        assert shown.entries(first, first + 5) == entries[first : first + 5]


@given(st.lists(STRETCH, max_size=8))
def test_folds_keep_two_rows_beside_each_hunk(stretches):
    rows = rows_of(stretches)
    hidden = np.zeros(rows.kind.size, bool)
    for entry in ShownRows(rows).entries(0, 1 << 30):
        hidden[entry.row : entry.end] = entry.is_fold
    hunks = np.flatnonzero(rows.hunk)
    for row in np.flatnonzero(rows.hunk == 0).tolist():
        distance = np.abs(hunks - row).min(initial=1 << 30)
        before, after = hunks[hunks < row], hunks[hunks > row]
        first = int(before[-1]) + 1 + CONTEXT_ROWS if before.size else 0
        end = int(after[0]) - CONTEXT_ROWS if after.size else rows.kind.size
        assert hidden[row] == (first <= row < end and end - first >= LEAST_HIDDEN_ROWS)
        assert not hidden[row] or distance > CONTEXT_ROWS
    assert not hidden[rows.hunk > 0].any()


def test_inline_has_the_lines_of_a_before_those_of_b():
    rows = rows_of([("equal", 3), ("mixed", 6), ("equal", 3)])
    sides = [entry.side for entry in ShownRows(rows, inline=True).entries(0, 100)]
    assert sides == [None] * 3 + [Side.A] * 4 + [Side.B] * 4 + [None] * 3


def test_a_fold_opens_and_closes_alone():
    rows = rows_of([("equal", 20), ("changed", 1), ("equal", 20)])
    closed = ShownRows(rows)
    assert [e.end - e.row for e in closed.entries(0, 9)] == [18, 1, 1, 1, 1, 1, 18]
    folding = Folding().toggled(0)
    assert ShownRows(rows, folding=folding).n == 24
    assert ShownRows(rows, folding=folding.toggled(0)).n == closed.n
    assert ShownRows(rows, folding=Folding(all_open=True)).n == 41
    assert ShownRows(rows, folding=Folding(all_open=True).toggled(23)).n == 24
