"""Every device that can run a SwapEditJob agrees with the table of Lowrance and Wagner, with rapidfuzz and Kim."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tests.core.pairs import EDGES, letters, pairs, random_letters
from tests.core.swaps import check_script, every_device, peer, run, swapped
from tests.depth import deeper, examples, some
from tests.oracles import swap_edit as oracle
from wavediff.core.jobs.alignment import SWAP, Op, mark_swaps
from wavediff.core.methods.base import TracebackMethod

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "kim_fig1.json").read_text())


def test_the_table_of_the_paper():
    x, y = GOLDEN["x"].encode(), GOLDEN["y"].encode()
    table = oracle.table(x, y)
    for row, known in zip(table, GOLDEN["h"], strict=True):
        assert row[: len(known)].tolist() == known
    cell = GOLDEN["cell"]
    assert oracle.look_up(x, y, cell["i"], cell["j"]) == (cell["p"], cell["q"])


@every_device
def test_every_cell_of_the_paper_s_table(device):
    x, y = (letters(GOLDEN[name].encode()) for name in "xy")
    for i, row in enumerate(GOLDEN["h"]):
        for j, known in enumerate(row):
            result = run(x[:i], y[:j], device)
            assert result.distance == known
            check_script(x[:i], y[:j], result)


@every_device
@pytest.mark.parametrize(
    ("a", "b", "distance", "plain", "swaps"),
    [
        (b"CA", b"ABC", 2, 3, ["0-1/0-2"]),  # the restricted form says 3
        (b"ABC", b"CA", 2, 3, ["0-2/0-1"]),
        (b"AB", b"BA", 1, 2, ["0-1/0-1"]),
        (b"xxABxx", b"xxBAxx", 1, 2, ["2-3/2-3"]),
        (b"ABCD", b"BADC", 2, 3, ["0-1/0-1", "2-3/2-3"]),
        (b"AAAA", b"AAAA", 0, 0, []),
        (b"", b"", 0, 0, []),
        (b"", b"AB", 2, 2, []),
    ],
)
def test_small_scripts(device, a, b, distance, plain, swaps):
    result = run(letters(a), letters(b), device)
    assert (result.distance, result.distance_without_swaps) == (distance, plain)
    check_script(letters(a), letters(b), result)
    assert result.swaps.text() == ",".join(swaps)


@deeper
@every_device
def test_small_pairs_against_the_full_table(device):
    rng = np.random.default_rng(1)
    for k in some(10_000):
        n_letters = 1 + k % 26
        a = random_letters(rng, int(rng.integers(0, 14)), n_letters)
        b = (
            swapped(rng, a, 2, n_letters)
            if k % 3 == 0
            else random_letters(rng, int(rng.integers(0, 14)), n_letters)
        )  # fmt: skip
        result = run(a, b, device)
        assert result.distance == oracle.distance(a.tobytes(), b.tobytes())
        assert result.distance_without_swaps == Levenshtein.distance(a.tobytes(), b.tobytes())
        check_script(a, b, result)


@every_device
@given(
    pair=pairs(),
    path=st.sampled_from([TracebackMethod.BLOCKS, TracebackMethod.NONE]),
    threads=st.sampled_from([1, 2, 3]),
)
@examples(100)
def test_round_every_edge_of_words_and_strips(device, pair, path, threads):
    a, b = pair
    result = run(a, b, device, path=path, threads=threads)
    assert result.distance == peer(a, b)
    if path is TracebackMethod.NONE:
        assert result.alignment is result.swaps is result.distance_without_swaps is None
        assert result.distance_with_swaps == result.distance
    else:
        assert result.distance_without_swaps == Levenshtein.distance(a.tobytes(), b.tobytes())
        check_script(a, b, result)


@every_device
@pytest.mark.parametrize("n", [n for n in EDGES if n > 2])
def test_swaps_across_every_edge(device, n):
    """Pairs that differ in swaps only, so that some lie across the edges of words, strips and blocks."""
    rng = np.random.default_rng(n)
    for n_letters in (4, 20, 256):
        a = random_letters(rng, n, n_letters)
        b = swapped(rng, a, n // 3, n_letters)
        for left, right in ((a, b), (b, a)):
            result = run(left, right, device, threads=2)
            assert result.distance == peer(left, right)
            check_script(left, right, result)


@every_device
@pytest.mark.parametrize("gap", [1, 62, 63, 64, 65, 511, 512, 1023, 1024, 1025, 2500])
def test_what_lies_between_may_be_long(device, gap):
    """A swap pays whatever lies between, where that is a gap anyway: across words, strips and blocks."""
    filler = np.full(gap, ord("z"), np.uint8).tobytes()
    rng = np.random.default_rng(gap)
    front, back = (random_letters(rng, 1500, 4).tobytes() for _ in range(2))
    short, long = front + b"xy" + back, front + b"y" + filler + b"x" + back
    for a, b in ((short, long), (long, short)):
        result = run(letters(a), letters(b), device)
        assert result.distance == gap + 1
        assert result.distance_without_swaps == gap + 2
        assert result.swaps.between.tolist() == [gap]
        check_script(letters(a), letters(b), result)


@every_device
@pytest.mark.parametrize("n_letters", [1, 4, 20, 256])
def test_several_strips_and_blocks(device, n_letters):
    rng = np.random.default_rng(n_letters)
    a = random_letters(rng, 5_000, n_letters)
    for b in (random_letters(rng, 4_001, n_letters), swapped(rng, a, 900, n_letters)):
        for threads in (1, 3):
            result = run(a, b, device, threads=threads)
            assert result.distance == peer(a, b)
            check_script(a, b, result)


@every_device
@pytest.mark.parametrize(("n", "m"), [(0, 7), (7, 0), (1, 1), (1, 70_000), (70_000, 1), (43, 66_000), (66_000, 43)])
def test_more_edits_than_sixteen_bits_hold(device, n, m):
    rng = np.random.default_rng(n + 2 * m)
    a, b = random_letters(rng, n, 4), random_letters(rng, m, 4)
    for path in (TracebackMethod.BLOCKS, TracebackMethod.NONE):
        result = run(a, b, device, path=path)
        assert result.distance == peer(a, b)
    check_script(a, b, run(a, b, device))


@every_device
@pytest.mark.parametrize("n", [32_766, 32_767, 32_768, 32_769])
def test_round_the_end_of_sixteen_bits(device, n):
    """No letter shared but one: the distance is n - 1, and the numbers that Kim keeps would not fit any more."""
    a, b = np.full(n, 1, np.uint8), np.full(n, 2, np.uint8)
    a[n // 2] = b[n // 2] = 3
    result = run(a, b, device)
    assert (result.distance, result.distance_without_swaps) == (n - 1, n - 1)
    check_script(a, b, result)


@every_device
def test_all_byte_values_and_none_set_aside(device):
    every = np.tile(np.arange(256, dtype=np.uint8), 6)
    shuffled = np.random.default_rng(0).permutation(every)
    for a, b in ((every, shuffled), (every, every[::-1].copy()), (np.zeros(900, np.uint8), every)):
        result = run(a, b, device)
        assert result.distance == peer(a, b)
        check_script(a, b, result)


def test_without_swaps_it_is_the_edit_distance():
    rng = np.random.default_rng(7)
    for n_letters in (2, 4, 20):
        a = random_letters(rng, 1_200, n_letters)
        b = swapped(rng, a, 300, n_letters)
        result = run(a, b, swaps=False)
        assert result.distance == result.distance_without_swaps == Levenshtein.distance(a.tobytes(), b.tobytes())
        assert len(result.swaps) == 0
        assert run(a, b).distance == result.distance_with_swaps == peer(a, b) < result.distance
        assert run(a, b, swaps=False, path=TracebackMethod.NONE).distance == result.distance
        check_script(a, b, result)


def test_runs_with_swaps_marked_are_the_same_columns():
    rng = np.random.default_rng(8)
    for n_letters in (2, 4, 20):
        a = random_letters(rng, 400, n_letters)
        b = swapped(rng, a, 120, n_letters)
        result = run(a, b)
        ops, columns, in_a, in_b = mark_swaps(result.alignment, result.swaps)
        assert (columns > 0).all()
        assert (columns.sum(), in_a.sum(), in_b.sum()) == (result.alignment.n_columns, a.size, b.size)
        at_a, at_b = np.cumsum(in_a) - in_a, np.cumsum(in_b) - in_b
        marked = ops == SWAP
        found = zip(*(one[marked].tolist() for one in (at_a, at_a + in_a - 1, at_b, at_b + in_b - 1)), strict=True)
        assert list(found) == list(result.swaps.rows())
        plain = result.alignment.n_columns - result.alignment.count(Op.EQUAL)
        assert columns[(ops != Op.EQUAL) & ~marked].sum() == plain - (columns[marked]).sum()


def test_case_is_folded_only_when_asked():
    a, b = letters(b"ACGTacgt"), letters(b"cAGTCAgt")
    assert run(a, b, fold_case=True).distance == 2
    assert run(a, b).distance == peer(a, b) > 2


def test_the_script_does_not_depend_on_the_threads():
    rng = np.random.default_rng(6)
    a = random_letters(rng, 6_000, 4)
    b = swapped(rng, a, 700, 4)
    seen = set()
    for threads in (1, 2, 3, 3):
        result = run(a, b, threads=threads)
        seen.add((result.alignment.cigar(), result.swaps.text()))
    assert len(seen) == 1
