"""The index of an alignment against the plain expansion of its runs, column by column."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.running import watched
from wavediff.core.jobs import alignment_index
from wavediff.core.jobs.alignment import APART, SWAP, Alignment, Op, Swaps
from wavediff.core.jobs.alignment_index import STEP_RUNS, columns_of, index_alignment, index_steps
from wavediff.core.jobs.difference_index import CHECKPOINT_RUNS, OP_OF_KIND, Difference, Kinds

ALL_KINDS = [Kinds(value) for value in range(1, Kinds.ANY + 1)]
KIND_OF = {op: kind for kind, op in OP_OF_KIND.items()}


def merged(ops, lengths):
    """Merge equal neighbours, as the runs of an alignment must be."""
    runs = [
        (op, sum(n for _, n in group))
        for op, group in itertools.groupby(zip(ops, lengths, strict=True), lambda r: r[0])
    ]
    return Alignment(np.array([op for op, _ in runs], np.uint8), np.array([n for _, n in runs], np.int64))


def random_alignment(n_runs, seed, longest=4):
    rng = np.random.default_rng(seed)
    ops = np.cumsum(rng.integers(1, 4, n_runs)) % 4  # a step of 1 to 3: neighbours differ
    return Alignment(ops.astype(np.uint8), rng.integers(1, longest + 1, n_runs))


class Naive:
    """Every column written out."""

    def __init__(self, alignment, apart=0, seed=0):
        """Count a share of the substitutions apart, those of ``apart_at``."""
        self.op = []
        self.a = []
        self.b = []
        i = j = 0
        for op, length in zip(alignment.ops.tolist(), alignment.lengths.tolist(), strict=True):
            for _ in range(length):
                in_a, in_b = op != Op.INSERTION, op != Op.DELETION
                self.op.append(op)
                self.a.append(i if in_a else -1)
                self.b.append(j if in_b else -1)
                i, j = i + in_a, j + in_b
        self.n_a, self.n_b = i, j
        chosen = np.random.default_rng(seed).random(len(self.op)) < apart
        self.kind = [APART if op == Op.MISMATCH and yes else op for op, yes in zip(self.op, chosen, strict=True)]

    @property
    def apart_at(self):
        """Columns ``[first, end)`` of each stretch that is counted apart."""
        edges = np.diff(np.array(self.kind, np.int64) == APART, prepend=False, append=False)
        return np.flatnonzero(edges).reshape(-1, 2)

    def differences(self, kinds):
        found = []
        col = 0
        for op, group in itertools.groupby(self.kind):
            width = len(list(group))
            if op in KIND_OF and KIND_OF[op] & kinds:
                found.append(Difference(len(found), col, col + width, op))
            col += width
        return found


def check(index, naive, columns):
    n = len(naive.op)
    assert (index.n_columns, index.n_a, index.n_b) == (n, naive.n_a, naive.n_b)
    for col in columns:
        window = index.window(col, col + 7)
        low, high = max(0, col), max(0, min(col + 7, n))
        assert window.op.tolist() == naive.op[low:high]
        assert index.ops_at(min(low, high), high).tolist() == naive.kind[low:high]
        assert window.a.tolist() == naive.a[low:high]
        assert window.b.tolist() == naive.b[low:high]
        if 0 <= col < n:
            before = [i for i in naive.a[:col] if i >= 0], [j for j in naive.b[:col] if j >= 0]
            assert index.letters_before(col) == (len(before[0]), len(before[1]))
    for kinds in ALL_KINDS:
        expected = naive.differences(kinds)
        assert index.n_differences(kinds) == len(expected)
        some = expected[:: max(1, len(expected) // 50)]
        for d in some:
            assert index.difference(d.number, kinds) == d
        ops, col0, width = index.differences(np.array([d.number for d in some[::-1]], np.int64), kinds)
        assert (ops.tolist(), col0.tolist()) == ([d.op for d in some[::-1]], [d.col0 for d in some[::-1]])
        assert width.tolist() == [d.columns for d in some[::-1]]
        for col in columns:
            after = [d for d in expected if d.col0 > col]
            before_col = [d for d in expected if d.col0 < col]
            here = [d for d in expected if d.col0 <= col < d.col1]
            assert index.next_difference(col, kinds) == (after[0] if after else None)
            assert index.previous_difference(col, kinds) == (before_col[-1] if before_col else None)
            assert index.difference_at(col, kinds) == (here[0] if here else None)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), max_size=40), st.sampled_from([0, 0.4, 1]))
def test_small_alignments_agree_with_their_expansion(runs, apart):
    alignment = merged([op for op, _ in runs], [n for _, n in runs])
    naive = Naive(alignment, apart, seed=1)
    index = index_alignment(alignment, apart_at=naive.apart_at)
    check(index, naive, list(range(-2, len(naive.op) + 3)))
    assert [index.column_of_a(i) for i in range(naive.n_a)] == [naive.a.index(i) for i in range(naive.n_a)]
    assert [index.column_of_b(j) for j in range(naive.n_b)] == [naive.b.index(j) for j in range(naive.n_b)]


@pytest.mark.parametrize(
    "n_runs", [CHECKPOINT_RUNS - 1, CHECKPOINT_RUNS, CHECKPOINT_RUNS + 1, 2 * CHECKPOINT_RUNS, 5 * CHECKPOINT_RUNS + 3]
)
@pytest.mark.parametrize("apart", [0, 0.4])
def test_run_counts_round_the_checkpoints_agree_with_their_expansion(n_runs, apart):
    alignment = random_alignment(n_runs, seed=n_runs)
    naive = Naive(alignment, apart, seed=1)
    index = index_alignment(alignment, apart_at=naive.apart_at)
    check(index, naive, [*range(0, len(naive.op), 101), len(naive.op) - 1, len(naive.op)])
    letters = range(0, naive.n_a, 11)
    assert [index.column_of_a(i) for i in letters] == [naive.a.index(i) for i in letters]


@pytest.mark.parametrize("n_runs", [1, 255, 256, 257, 900])
def test_letters_in_any_order_have_their_columns(n_runs, monkeypatch):
    monkeypatch.setattr(alignment_index, "STEP_RUNS", CHECKPOINT_RUNS)
    alignment = random_alignment(n_runs, seed=n_runs)
    naive, index = Naive(alignment), index_alignment(alignment)
    for of_a, numbers in ((True, naive.a), (False, naive.b)):
        columns = np.flatnonzero(np.array(numbers) >= 0)
        letters = np.random.default_rng(1).permutation(columns.size)
        assert columns_of(index, letters, of_a=of_a).tolist() == columns[letters].tolist()


def test_runs_of_a_part_are_cut_at_its_ends():
    index = index_alignment(merged([0, 3, 0, 2], [5, 2, 4, 3]))
    ops, lengths = index.runs(3, 12)
    assert (ops.tolist(), lengths.tolist()) == ([0, 3, 0, 2], [2, 2, 4, 1])
    assert index.runs(4, 4)[1].size == 0


def test_letters_that_are_not_there_raise():
    index = index_alignment(merged([0, 3], [5, 2]))
    for ask in (lambda: index.column_of_a(7), lambda: index.column_of_b(5), lambda: index.column_of_a(-1)):
        with pytest.raises(IndexError):
            ask()
    with pytest.raises(IndexError):
        index.difference(1)


def test_nothing_aligned_has_no_columns_and_no_differences():
    index = index_alignment(Alignment(np.empty(0, np.uint8), np.empty(0, np.int64)))
    assert (index.n_columns, index.n_differences()) == (0, 0)
    assert index.window(0, 10).op.size == 0
    assert index.next_difference(0) is None


def test_neighbours_of_two_kinds_are_two_differences():
    n = 3 * STEP_RUNS
    ops = np.tile(np.array([Op.DELETION, Op.INSERTION], np.uint8), n)
    index = index_alignment(Alignment(ops, np.ones(2 * n, np.int64)))
    assert index.n_differences() == 2 * n
    assert index.difference(2 * n - 1) == Difference(2 * n - 1, 2 * n - 1, 2 * n, Op.INSERTION)
    assert index.n_differences(Kinds.DELETION) == n


def test_a_swap_is_one_difference_with_what_lies_between():
    """GACT.. against GTCA..: columns = X D X = with a swap over the three in the middle, then one X of its own."""
    alignment = merged([0, 1, 3, 1, 0, 1], [1, 1, 2, 1, 2, 1])
    swaps = Swaps(*(np.array([each]) for each in (1, 4, 1, 2)))
    index = index_alignment(alignment, swaps)
    assert [index.difference(k) for k in range(index.n_differences())] == [
        Difference(0, 1, 5, SWAP),
        Difference(1, 7, 8, Op.MISMATCH),
    ]
    assert index.n_differences(Kinds.SWAP) == index.n_differences(Kinds.MISMATCH) == 1
    assert index.difference_at(3) == index.difference(0)
    assert index.difference_at(3, Kinds.DELETION) is None


def test_fifty_million_columns_in_pieces_and_at_random_places():
    """5 * 10^7 columns: windows taken anywhere agree with those computed by counting letters from the start."""
    n = 3_000_000
    rng = np.random.default_rng(5)
    ops = (np.cumsum(rng.integers(1, 4, n, dtype=np.uint8), dtype=np.int64) % 4).astype(np.uint8)
    lengths = rng.integers(1, 33, n)
    alignment = Alignment(ops, lengths)
    shares, index = watched(index_steps(alignment))
    assert index.n_columns > 45_000_000
    assert len(shares) > n // STEP_RUNS
    assert shares == sorted(shares)
    ends = np.cumsum(lengths)
    a_before = np.concatenate([[0], np.cumsum(lengths * (ops != Op.INSERTION))])
    for col in rng.integers(0, index.n_columns - 200, 200).tolist():
        run = int(np.searchsorted(ends, col, "right"))
        window = index.window(col, col + 200)
        assert window.op.size == 200
        assert window.op[0] == ops[run]
        if ops[run] != Op.INSERTION:
            assert window.a[0] == a_before[run] + col - (ends[run] - lengths[run])
        letters = window.a[window.a >= 0]
        assert np.array_equal(letters, np.arange(letters[0], letters[0] + letters.size))
        assert index.column_of_a(int(letters[0])) == col + int(np.argmax(window.a >= 0))


def test_every_part_of_an_index_is_made_in_small_steps(monkeypatch):
    """Each step takes a few runs, however many substitutions are counted apart; the index is the same."""
    alignment = random_alignment(4_000, 5)
    apart_at = Naive(alignment, 0.5, 5).apart_at
    whole = index_alignment(alignment, None, apart_at)
    monkeypatch.setattr(alignment_index, "STEP_RUNS", 2 * CHECKPOINT_RUNS)
    sizes = []
    for name in ("_add_up", "_cut", "count_runs"):
        call = getattr(alignment_index, name)
        monkeypatch.setattr(
            alignment_index, name, lambda ops, *rest, call=call: (sizes.append(ops.size), call(ops, *rest))[1]
        )
    steps = index_alignment(alignment, None, apart_at)
    assert max(sizes) == 2 * CHECKPOINT_RUNS
    for name in ("run_ops", "run_columns", "run_marks", "marks"):
        np.testing.assert_array_equal(getattr(steps, name), getattr(whole, name))
