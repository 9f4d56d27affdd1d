"""Backward search beside looking everywhere, and an index that went through a file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.pairs import random_letters
from tests.core.running import stopped
from tests.core.texts import HARD, texts
from tests.depth import examples, one_of
from tests.oracles import bwt as oracle
from wavediff.core.base.errors import NotEnoughMemory, SelfCheckFailed
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.bwt import bwt_file
from wavediff.core.jobs.bwt import FindJob, IndexJob, LoadBwtJob, LocateRowsJob, RowsOfPositionsJob
from wavediff.core.jobs.bwt_result import BLOCK_BITS
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.jobs.events import StepDone
from wavediff.core.kernels.bwt import memory_check
from wavediff.core.kernels.bwt.index import wavelet_matrix
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.letters import CPU_METHODS, fibonacci, frozen


def index_of(text, **choices):
    return run_job(IndexJob(text=frozen(text), **choices))


def some_patterns(text, rng):
    """Pieces of the text, pieces with a letter changed, what is too long, and what has letters it has not."""
    found = [b"", text[:1], text[-1:], text, text + b"x", b"\x07", bytes(range(256))]
    for size in (1, 2, 3, 5, 20, 70):
        at = int(rng.integers(0, max(1, len(text) - size + 1)))
        piece = bytearray(text[at : at + size])
        found.append(bytes(piece))
        if piece:
            piece[int(rng.integers(len(piece)))] = int(rng.integers(256))
            found.append(bytes(piece))
    return tuple(found)


def check(index, text, patterns):
    result = run_job(FindJob(index=index, patterns=patterns, locate=True, trace=True))
    rows = oracle.suffix_order(text)
    for number, pattern in enumerate(patterns):
        wanted = oracle.find(text, pattern)
        assert result.counts[number] == len(wanted)
        assert result.positions_of(number).tolist() == wanted
        assert sorted(rows[result.lows[number] : result.highs[number]]) == wanted
        for letters, (low, high) in enumerate(result.traces[number]):
            assert high - low == len(oracle.find(text, pattern[len(pattern) - letters :]))
        if wanted:
            assert len(result.traces[number]) == len(pattern) + 1


@pytest.mark.parametrize(("name", "every"), one_of(3, HARD, (1, 32)))
def test_every_occurrence_is_counted_and_located(name, every):
    text = HARD[name]
    check(index_of(text, every=every), text, some_patterns(text, np.random.default_rng(len(text))))


@examples(40)
@given(text=texts(), every=st.sampled_from([1, 2, 31, 32, 33, 64]), seed=st.integers(0, 1000))
def test_random_texts(text, every, seed):
    check(index_of(text, every=every), text, some_patterns(text, np.random.default_rng(seed)))


EDGES = (BLOCK_BITS - 2, BLOCK_BITS - 1, BLOCK_BITS, BLOCK_BITS + 1, 2 * BLOCK_BITS - 1, 2 * BLOCK_BITS)


@pytest.mark.parametrize(("n", "n_letters"), one_of(5, EDGES, [1, 2, 3, 4, 5, 128, 256]))
def test_round_the_edges_of_a_block(n, n_letters):
    rng = np.random.default_rng(n)
    text = random_letters(rng, n, n_letters).tobytes()
    check(index_of(text), text, some_patterns(text, rng))


@pytest.mark.parametrize("name", ["banana", "one NUL", "all bytes twice", "Fibonacci", "one letter often", "empty"])
def test_rows_know_where_they_begin_and_what_is_before(name):
    text = HARD[name]
    order = oracle.suffix_order(text)
    rows = np.random.default_rng(3).permutation(len(text) + 1)
    result = run_job(LocateRowsJob(index=index_of(text), rows=rows))
    assert result.positions.tolist() == [order[row] for row in rows]
    row_of = {position: row for row, position in enumerate(order)}
    assert result.before.tolist() == [row_of[order[row] - 1] if order[row] else 0 for row in rows]


@pytest.mark.parametrize("name", ["banana", "one NUL", "all bytes twice", "Fibonacci", "one letter often", "empty"])
@pytest.mark.parametrize("every", [1, 7, 4096])
def test_positions_know_their_rows(name, every):
    text = HARD[name]
    order = oracle.suffix_order(text)
    positions = np.random.default_rng(4).permutation(len(text) + 1)[:300]
    positions = np.append(positions, [0, len(text)])
    result = run_job(RowsOfPositionsJob(index=index_of(text, every=every), positions=positions))
    assert [order[row] for row in result.rows] == result.positions.tolist() == positions.tolist()


def test_many_patterns_go_side_by_side():
    rng = np.random.default_rng(6)
    text = random_letters(rng, 3_000, 4).tobytes()
    patterns = tuple(text[i : i + 1 + k % 12] for k, i in enumerate(rng.integers(0, 3_000, 5000)))
    result = run_job(FindJob(index=index_of(text), patterns=patterns))
    assert result.counts.tolist() == [len(oracle.find(text, one)) for one in patterns[:400]] + [
        text.count(one) if len(one) > 8 else len(oracle.find(text, one)) for one in patterns[400:]
    ]
    assert result.positions.size == 0
    assert result.traces == ()


def test_a_limit_is_kept_and_the_count_is_whole():
    result = run_job(FindJob(index=index_of(b"ab" * 500), patterns=(b"a", b"ba", b"c"), locate=True, limit=10))
    assert result.counts.tolist() == [500, 499, 0]
    assert [result.positions_of(k).size for k in range(3)] == [10, 10, 0]
    assert all(p % 2 == 0 for p in result.positions_of(0))


def test_case_is_folded_in_patterns_as_it_was_in_the_text():
    for fold, counts in ((True, [2, 2, 0]), (False, [0, 2, 0])):
        index = index_of(b"GATTACAGATT", fold_case=fold)
        assert run_job(FindJob(index=index, patterns=(b"gatt", b"GATT", b"@AT"))).counts.tolist() == counts


@pytest.mark.parametrize("name", ["banana", "empty", "one NUL", "all bytes twice", "Fibonacci", "long repeat"])
def test_a_saved_index_is_the_same_index(name, tmp_path):
    text = HARD[name]
    index = index_of(text, name="a b\udcff", fold_case=True, every=8)
    write_atomic(tmp_path / "x", bwt_file(index.saved()))
    saved = run_job(LoadBwtJob(path=tmp_path / "x"))
    again = run_job(IndexJob(saved=saved))
    for field in ("name", "fold_case", "primary", "n_runs", "every"):
        assert getattr(again, field) == getattr(index, field)
    for field in ("last", "samples", "letters", "first", "marks", "seeds"):
        assert np.array_equal(getattr(again, field), getattr(index, field)), field
    assert all(map(np.array_equal, again.ranks, index.ranks))


@pytest.mark.parametrize("method", CPU_METHODS)
def test_all_ways_of_sorting_give_the_same_index(method):
    text = random_letters(np.random.default_rng(8), 2000, 4)
    index, wanted = (run_job(IndexJob(text=text, method=one)) for one in (method, BwtMethod.AUTO))
    assert np.array_equal(index.samples, wanted.samples)
    assert np.array_equal(index.marks, wanted.marks)
    assert np.array_equal(index.last, wanted.last)


def test_a_saved_transform_without_samples_can_be_searched():
    text = fibonacci(5000)
    whole = index_of(text, name="f", every=8).saved()
    bare = type(whole)(name="f", fold_case=False, last=whole.last, primary=whole.primary, n_runs=whole.n_runs)
    check(run_job(IndexJob(saved=bare)), text, (b"abaab", b"bb", b""))


def test_samples_of_another_text_are_noticed():
    """A file may fit in every checksum and be made wrong on purpose."""
    index = index_of(b"GATTACA" * 300)
    saved = index.saved()
    marks = np.zeros_like(saved.marks)
    marks[0] = 1 << (index.primary % 64)
    wrong = type(saved)(
        name="w", fold_case=False, last=saved.last, primary=saved.primary, n_runs=saved.n_runs, every=32,
        marks=marks, samples=saved.samples,
    )  # fmt: skip
    found = run_job(IndexJob(saved=wrong))
    for job in (
        FindJob(index=found, patterns=(b"A",), locate=True),
        RowsOfPositionsJob(index=found, positions=np.array([40])),
    ):
        with pytest.raises(SelfCheckFailed, match="contradicts itself"):
            run_job(job)


def test_stop_and_memory(monkeypatch):
    text = random_letters(np.random.default_rng(1), 1_000_000, 4)
    index = run_job(IndexJob(text=text))
    for job in (IndexJob(text=text), FindJob(index=index, patterns=(b"",), locate=True)):
        assert sum(isinstance(each, StepDone) for each in stopped(job, after=3)) == 3
    monkeypatch.setattr(memory_check, "available_memory", lambda: 1000)
    with pytest.raises(NotEnoughMemory, match="the index of 1,000,000 letters needs"):
        run_job(IndexJob(text=text))


@pytest.mark.parametrize("choices", [{}, {"text": frozen(b"a"), "every": 0}, {"text": frozen(b"a"), "every": 5000}])
def test_what_makes_no_index_is_refused(choices):
    with pytest.raises(ValueError, match=r"either a text|sampling interval"):
        IndexJob(**choices)


def test_lanes_hold_a_whole_number_of_patterns():
    rng = np.random.default_rng(2)
    text = random_letters(rng, 3000, 3).tobytes()
    index = index_of(text)
    for n in (1, wavelet_matrix.LANES - 1, wavelet_matrix.LANES, wavelet_matrix.LANES + 1, 3 * wavelet_matrix.LANES):
        patterns = tuple(text[i : i + 4] for i in range(n))
        counts = run_job(FindJob(index=index, patterns=patterns)).counts.tolist()
        assert counts == [len(oracle.find(text, one)) for one in patterns]
