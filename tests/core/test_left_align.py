"""Runs gathered from what a walk met, and put in order: the same columns, with the gaps where they belong."""

from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.depth import examples
from wavediff.core.jit.bits import common_prefix
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.traceback import assemble, left_align
from wavediff.core.kernels.traceback import verify as follow_module
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.kernels.traceback.left_align import NormalizedRuns, count_letters, normalized_prefix
from wavediff.core.kernels.traceback.parallel import run_parallel
from wavediff.core.kernels.traceback.runs_from_trace import runs_of_trace
from wavediff.core.kernels.traceback.verify import verify_alignment

MET = st.lists(st.tuples(st.integers(0, 8), st.sampled_from(Op)), max_size=40)


def _columns(met):
    """Return the columns that were met, the insertions of each gap before its deletions."""
    columns = [op for n, last in met for op in (*[Op.EQUAL] * n, *([last] if last else []))]
    out = []
    for in_gap, group in groupby(columns, key=lambda op: op in (Op.INSERTION, Op.DELETION)):
        these = list(group)
        out += sorted(these) if in_gap else these
    return out


@given(MET)
def test_runs_have_the_columns_that_were_met(met):
    ops, lengths = np.empty(2 * len(met) + 2, np.uint8), np.empty(2 * len(met) + 2, np.int64)
    n = runs_of_trace(np.array([4 * n + op for n, op in met], np.uint8), ops, lengths)
    expected = [(op, len(list(group))) for op, group in groupby(_columns(met))]
    assert list(zip(ops[:n].tolist(), lengths[:n].tolist(), strict=True)) == expected


@st.composite
def walks(draw):
    """Two sequences and the runs, last column first, of some path through them, good or bad."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    a, b = (rng.integers(0, draw(st.integers(1, 4)), draw(st.integers(0, 50)), np.uint8) for _ in range(2))
    straight, met = draw(st.sampled_from([0.5, 0.9, 1.0])), []
    i, j = a.size, b.size
    while i or j:
        equal = i and j and a[i - 1] == b[j - 1]
        others = [Op.INSERTION] * (j > 0) + [Op.DELETION] * (i > 0) + [Op.MISMATCH] * bool(i and j and not equal)
        met.append(Op.EQUAL if equal and rng.random() < straight else others[rng.integers(len(others))])
        i, j = i - (met[-1] != Op.INSERTION), j - (met[-1] != Op.DELETION)
    together = rng.random(len(met)) < 0.9
    ids = np.cumsum([not (k and together[k] and met[k] == met[k - 1]) for k in range(len(met))])
    return a, b, [(met[list(ids).index(x)], int((ids == x).sum())) for x in np.unique(ids)]


def _runs(walked):
    return np.array([op for op, _ in walked], np.uint8), np.array([n for _, n in walked], np.int64)


def _told(a, b, prefix, pieces):
    """Return the pieces, cut where they are in order no more, and those that are told to be."""
    i, j, out = a.size, b.size, []
    for ops, lengths in pieces:
        n, i1, j1 = normalized_prefix(a, b, prefix, ops, lengths, i, j)
        out += [NormalizedRuns(ops[:n], lengths[:n], (i - i1, j - j1)), (ops[n:], lengths[n:])]
        i, j = (here - int(gone) for here, gone in zip((i, j), count_letters([(ops, lengths)])[0], strict=True))
    return out


def _aligned(a, b, walked, cuts=(), prefix=0, threads=1, tell=False):
    ends = [0, *sorted(cut % (len(walked) + 1) for cut in cuts), len(walked)]
    pieces = [_runs(walked[first:last]) for first, last in pairwise(ends)]
    return run_to_end(
        assemble_alignment(Step(0), _told(a, b, prefix, pieces) if tell else pieces, a, b, prefix, 0, threads)
    )


@pytest.fixture(params=[1, 2, 5])
def tiny_parts(request, monkeypatch):
    """Let a few runs be enough for a part, and a few letters for a report."""
    monkeypatch.setattr(assemble, "SPLIT_SEARCH_RUNS", request.param)
    monkeypatch.setattr(assemble, "STRETCH_RUNS", 4)
    for module, name, value in (
        (assemble, "MIN_THREAD_RUNS", 1), (follow_module, "MIN_PART_RUNS", 1),
        (left_align, "REPORT_RUNS", 3), (follow_module, "REPORT_LETTERS", 7),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)


@given(walk=walks(), cuts=st.lists(st.integers(0, 99), max_size=4), threads=st.integers(1, 5), tell=st.booleans())
@examples(100, HealthCheck.function_scoped_fixture)
def test_pieces_parts_and_reports_make_no_difference(tiny_parts, walk, cuts, threads, tell):
    a, b, walked = walk
    prefix = int(common_prefix(a, b))
    expected = run_to_end(assemble_alignment(Step(0), [_runs(walked)], a, b, prefix, 0))
    found = _aligned(a, b, walked, cuts, prefix, threads, tell)
    assert found.cigar() == expected.cigar()
    for n in (1, threads):
        verdict = run_to_end(verify_alignment(Step(0), a, b, False, found, n))
        assert verdict.right
        assert verdict.columns.tolist() == [found.count(op) for op in Op]


@pytest.mark.parametrize("sorted_already", [False, True])
def test_a_long_walk_on_one_thread_is_told_of_again_and_again(monkeypatch, sorted_already):
    """Stop is looked for at each report."""
    monkeypatch.setattr(assemble, "MIN_THREAD_RUNS", 100)
    monkeypatch.setattr(left_align, "REPORT_RUNS", 100)
    n = 5000
    a, b = np.zeros(n, np.uint8), np.arange(n, dtype=np.uint8) % 2
    runs = np.tile(np.array([Op.MISMATCH, Op.EQUAL], np.uint8), n // 2), np.ones(n, np.int64)
    piece = NormalizedRuns(*runs, (n, n)) if sorted_already else runs
    reports = len(list(assemble_alignment(Step(0), [piece], a, b, 0, 0)))
    assert (run_to_end(assemble_alignment(Step(0), [piece], a, b, 0, 0)).ops[::-1] == runs[0]).all()
    assert reports > n // 100 // 2


@given(walk=walks(), threads=st.integers(1, 5), at=st.integers(0, 99))
@examples(50, HealthCheck.function_scoped_fixture)
def test_the_first_wrong_run_is_told(tiny_parts, walk, threads, at):
    a, b, walked = walk
    right = _aligned(a, b, walked)
    if not right.ops.size:
        return
    at %= right.ops.size
    ops = right.ops.copy()
    ops[at] = Op.MISMATCH if ops[at] == Op.EQUAL else Op.EQUAL
    verdict = run_to_end(verify_alignment(Step(0), a, b, False, Alignment(ops, right.lengths), threads))
    assert not verdict.right
    # Where the letters do not add up any more, that is all that is told.
    if right.ops[at] in (Op.EQUAL, Op.MISMATCH):
        assert verdict.run == at


def test_what_a_task_raises_ends_the_others():
    ended = []

    def fails(_):
        raise ValueError("as the test has it")

    def goes_on(stop):
        ended.append(stop.wait(20))

    with pytest.raises(ValueError, match="as the test has it"):
        run_to_end(run_parallel(Step(1), "check", [fails, goes_on]))
    assert ended == [True]


@given(walks())
@examples(100)
def test_whatever_was_walked_is_put_in_order(walk):
    a, b, walked = walk
    found = _aligned(a, b, walked)
    assert run_to_end(verify_alignment(Step(0), a, b, False, found)).right
    assert all(found.count(op) == sum(n for one, n in walked if one == op) for op in Op)
    i = j = 0
    ops, lengths = [None, *found.ops.tolist(), None], [0, *found.lengths.tolist(), 0]
    for before, op, n, after in zip(ops, ops[1:-1], lengths[1:-1], ops[2:], strict=False):
        assert op != before
        assert (before, op) != (Op.INSERTION, Op.DELETION)
        if before == Op.EQUAL and op == Op.DELETION and after != Op.INSERTION:
            assert a[i - 1] != a[i + n - 1]
        if before == Op.EQUAL and op == Op.INSERTION:
            assert b[j - 1] != b[j + n - 1]
        i, j = i + n * (op != Op.INSERTION), j + n * (op != Op.DELETION)


@pytest.mark.parametrize("fold_case", [False, True])
def test_bytes_are_equal_as_the_case_rule_has_it(fold_case):
    """All pairs of bytes, and many equal ones in a row."""
    letters = np.arange(256, dtype=np.uint8)
    table = np.frombuffer(bytes(letters).upper() if fold_case else bytes(letters), np.uint8)
    a = np.concatenate([letters.repeat(256), letters])
    b = np.concatenate([np.tile(letters, 256), table])
    same = table[a] == table[b]
    bounds = np.flatnonzero(np.diff(same, prepend=not same[0], append=not same[-1]))
    runs = Alignment(np.where(same[bounds[:-1]], Op.EQUAL, Op.MISMATCH), np.diff(bounds))
    assert run_to_end(verify_alignment(Step(0), a, b, fold_case, runs)).right
    for k in range(0, runs.ops.size, 37):
        ops = runs.ops.copy()
        ops[k] ^= 1
        assert run_to_end(verify_alignment(Step(0), a, b, fold_case, Alignment(ops, runs.lengths))).run == k


@pytest.mark.parametrize("n", [0, 1, 1023, 1024, 1025, 3000])
def test_runs_come_one_by_one(n):
    ops, lengths = np.arange(n) % 4, np.arange(1, n + 1)
    assert list(Alignment(ops, lengths).runs()) == list(zip(ops.tolist(), lengths.tolist(), strict=True))
