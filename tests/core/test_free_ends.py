"""Free ends of the edit distance: places and overlaps against edlib and the textbook, on each device."""

import edlib
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.edits import every_device, run, run_with_events
from tests.core.pairs import letters, mutate, random_letters
from tests.depth import deeper, examples, some
from tests.oracles import free_ends as oracle
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import Ends

SMALL = st.binary(max_size=12).map(lambda raw: bytes(65 + each % 3 for each in raw))

DNA = st.binary(max_size=16).map(lambda raw: bytes(b"ACGT"[each % 4] for each in raw))


def check(a, b, result):
    """The alignment goes from end to end; without its overhang it costs what was found, and lies at the place."""
    alignment, place = result.alignment, result.place
    assert (alignment.n_a, alignment.n_b) == (a.size, b.size)
    assert (alignment.lengths > 0).all()
    aligned = alignment.aligned
    assert alignment.start == (place.a_start, place.b_start)
    assert (aligned.n_a, aligned.n_b) == (place.n_a, place.n_b)
    i, j, cost = *alignment.start, 0
    for op, n in aligned.runs():
        if op in (Op.EQUAL, Op.MISMATCH):
            same = a[i : i + n] == b[j : j + n]
            assert same.all() if op == Op.EQUAL else not same.any()
        i, j = i + n * (op != Op.INSERTION), j + n * (op != Op.DELETION)
        cost += n * (op != Op.EQUAL)
    assert (i, j, cost) == (place.a_end, place.b_end, result.distance)


@given(a=SMALL, b=SMALL)
@example(a=b"AAAA", b=b"AA")
@example(a=b"CABC", b=b"ABX")
@example(a=b"", b=b"AB")
@examples(300)
def test_the_place_is_that_of_the_textbook(a, b):
    """Longer ones of the two are placed too."""
    edits, start, end = oracle.inside(a, b)
    for ends, one, other in ((Ends.A, a, b), (Ends.B, b, a)):
        result = run(letters(one), letters(other), ends=ends)
        check(letters(one), letters(other), result)
        place = result.place
        assert result.distance == edits
        assert (start, end) == ((place.a_start, place.a_end) if ends is Ends.A else (place.b_start, place.b_end))
        without = run(letters(one), letters(other), ends=ends, path=TracebackMethod.NONE)
        assert (without.distance, without.place, without.alignment) == (edits, place, None)


@every_device
@pytest.mark.parametrize(
    ("ends", "a", "b"),
    [
        (Ends.A, b"hello", b""),
        (Ends.B, b"", b"hello"),
        (Ends.BOTH, b"hello", b""),
        (Ends.BOTH, b"", b"hello"),
        (Ends.BOTH, b"", b""),
    ],
)
def test_nothing_has_a_place_whatever_the_blocks(device, ends, a, b):
    shapes = [run(letters(a), letters(b), device, ends=ends, block_rows=n, block_cols=n) for n in (0, 16)]
    for result in shapes:
        check(letters(a), letters(b), result)
        assert (result.distance, result.place) == (0, shapes[0].place)


@given(a=SMALL, b=SMALL)
@example(a=b"AAABBB", b=b"BBBCCC")
@example(a=b"BBBCCC", b=b"AAABBB")
@example(a=b"", b=b"")
@examples(300)
def test_an_overlap_has_the_score_of_the_textbook(a, b):
    result = run(letters(a), letters(b), ends=Ends.BOTH)
    check(letters(a), letters(b), result)
    place = result.place
    assert result.score == oracle.overlap_score(a, b)
    if result.score:
        assert place.a_start == 0 or place.b_start == 0
        assert place.a_end == len(a) or place.b_end == len(b)
        assert result.score + oracle.PENALTY * result.distance in (place.n_a, place.n_b)
    else:
        assert place.n_a + place.n_b == 0


@deeper
def test_places_are_edlibs():
    rng = np.random.default_rng(5)
    for _ in some(10_000):
        sigma = int(rng.integers(2, 5))
        a = random_letters(rng, int(rng.integers(1, 200)), sigma)
        b = random_letters(rng, int(rng.integers(1, 60)), sigma)
        if rng.random() < 0.7:
            start = int(rng.integers(0, a.size))
            b = mutate(rng, a[start : start + b.size], int(rng.integers(0, 6)), sigma)
        if not b.size:
            continue
        result = run(a, b, ends=Ends.A, path=TracebackMethod.NONE)
        peer = edlib.align(b.tobytes(), a.tobytes(), mode="HW", task="distance")
        assert result.distance == peer["editDistance"]
        assert result.place.a_end - 1 in [end for _, end in peer["locations"]] or not result.place.n_a


@every_device
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("n", "m"), [(20_000, 700), (9_000, 2_100), (513, 512), (3_000, 64)])
def test_places_in_long_sequences_are_edlibs(device, n, m, threads):
    rng = np.random.default_rng(n)
    a = random_letters(rng, n, 4)
    b = mutate(rng, a[n - m - 100 : n - 100] if n > m + 100 else a[:m], m // 20, 4)
    peer = edlib.align(b.tobytes(), a.tobytes(), mode="HW", task="locations")
    for ends, one, other in ((Ends.A, a, b), (Ends.B, b, a)):
        result = run(one, other, device, ends=ends, threads=threads, block_rows=512, block_cols=128)
        check(one, other, result)
        place = result.place
        assert result.distance == peer["editDistance"]
        assert (place.a_end if ends is Ends.A else place.b_end) - 1 in [end for _, end in peer["locations"]]
        assert result.cells >= result.n_cells


@every_device
@pytest.mark.parametrize("first", [True, False])
def test_an_overlap_of_long_sequences_is_found(device, first):
    rng = np.random.default_rng(8)
    whole = random_letters(rng, 9_000, 4)
    left, right = whole[:6_000], whole[4_000:].copy()
    right[100:1_900:12] = right[101:1_901:12]
    a, b = (left, right) if first else (right, left)
    result = run(a, b, device, ends=Ends.BOTH, block_rows=512, block_cols=128)
    check(a, b, result)
    place = result.place
    left_place, right_place = (place.a_start, place.a_end), (place.b_start, place.b_end)
    assert (left_place, right_place)[:: 1 if first else -1] == ((4_000, 6_000), (0, 2_000))
    assert result.score == (place.n_b if first else place.n_a) - 3 * result.distance


@every_device
def test_the_answer_does_not_depend_on_blocks_and_bands(device):
    rng = np.random.default_rng(9)
    a = random_letters(rng, 6_000, 4)
    b = mutate(rng, a[2_000:4_500], 60, 4)
    known = run(a, b, ends=Ends.A)
    for choices in ({"band": BandMode.NONE}, {"block_rows": 512, "block_cols": 128}, {"block_rows": 4096}):
        found = run(a, b, device, ends=Ends.A, **choices)
        assert found.place == known.place
        assert found.alignment.cigar() == known.alignment.cigar()


@pytest.mark.parametrize(("ends", "n_plans"), [(Ends.A, 1), (Ends.B, 1), (Ends.BOTH, 3)])
def test_the_map_is_that_of_the_whole_matrix(ends, n_plans):
    rng = np.random.default_rng(10)
    a = random_letters(rng, 5_000, 4)
    _, events = run_with_events(a, a[1_000:2_500], ends=ends, block_rows=512, block_cols=128)
    plans = [event for event in events if isinstance(event, Planned)]
    assert len(plans) == n_plans  # A inside B has no score above 0 where A is so much longer
    assert (plans[-1].grid.n_rows, plans[-1].grid.n_cols) == (5_000, 1_500)
    for plan in plans:
        assert plan.block_map.shape == plan.grid.shape
        assert plan.grid.row0 + plan.grid.n_rows <= 5_000
    assert (plans[-1].block_map == BlockState.PATH).any()


def test_a_band_from_corner_to_corner_is_refused():
    with pytest.raises(ValueError, match="global alignment"):
        EditJob(a=letters(b"A"), b=letters(b"A"), ends=Ends.A, band=BandMode.SUDO)


COMPLEMENT = bytes.maketrans(b"ACGT", b"TGCA")


def listed(result, strand):
    return [(one.a_start, one.a_end, one.edits) for one in result.loci if one.strand == strand]


@given(a=DNA, b=DNA.filter(len), limit=st.integers(0, 6))
@example(a=b"AAAAAAAAAAAAA", b=b"AAAA", limit=1)
@example(a=b"ACACACACAC", b=b"ACAG", limit=2)
@example(a=b"TTGAATTCTTGATTC", b=b"GAATTC", limit=1)
@examples(300)
def test_loci_are_those_of_the_textbook_on_both_strands(a, b, limit):
    limit = min(limit, len(b) - 1)
    result = run(letters(a), letters(b), ends=Ends.A, within=limit, both_strands=True)
    assert listed(result, 1) == oracle.loci(a, b, limit)
    back = b.translate(COMPLEMENT)[::-1]
    assert listed(result, -1) == ([] if back == b else oracle.loci(a, back, limit))  # a palindrome is listed once
    assert [one.a_start for one in result.loci] == sorted(one.a_start for one in result.loci)
    for one in result.loci:
        columns = one.alignment
        assert (columns.n_a, columns.n_b) == (one.a_end - one.a_start, len(b))
        assert int(columns.lengths[columns.ops != Op.EQUAL].sum()) == one.edits
    best = result.best_locus
    if not result.loci:
        ends = [oracle.inside(a, one)[0] for one in (b, b.translate(COMPLEMENT)[::-1])]
        assert (result.distance, result.alignment, best) == (min(ends), None, None)
        return
    one = result.loci[best]
    assert (one.edits, -one.strand) == min((each.edits, -each.strand) for each in result.loci)
    assert (result.distance, result.strand) == (one.edits, one.strand)
    check(*result.letters(letters(a), letters(b)), result)


@given(a=DNA.filter(len), b=DNA.filter(len))
@example(a=b"GTACCCCAC", b=b"ACGTA")
@example(a=b"ACGT", b=b"GTAC")
@example(a=b"AAAA", b=b"AAAA")
@example(a=b"AAGC", b=b"GCAG")  # GCAAG has five letters of a circle of four
@examples(300)
def test_the_best_place_in_a_circle_is_that_of_all_its_turns(a, b):
    if len(b) > len(a):
        a, b = b, a
    result = run(letters(a), letters(b), ends=Ends.A, circle=True)
    assert result.distance == min(oracle.inside(a[k:] + a[:k], b)[0] for k in range(len(a)))
    check(*result.letters(letters(a), letters(b)), result)


@every_device
@pytest.mark.parametrize(
    ("at", "n"), [(0, 1_200), (150, 1_200), (49_000, 1_200), (49_400, 1_200), (49_999, 1_200), (48_000, 3_000)]
)
def test_a_gene_is_found_anywhere_in_a_circle(device, at, n):
    rng = np.random.default_rng(5)
    circle = rng.choice(letters(b"ACGT"), 50_000)
    gene = np.roll(circle, -at)[:n].copy()
    gene[10::100] = gene[11::100]
    edits = int((gene != np.roll(circle, -at)[:n]).sum())
    result = run(circle, gene, device, ends=Ends.A, circle=True)
    assert ((result.place.a_start + result.cut) % 50_000, result.distance) == (at, edits)
    check(*result.letters(circle, gene), result)


@every_device
def test_copies_of_a_gene_are_found_on_both_strands(device):
    rng = np.random.default_rng(11)
    genome = rng.choice(letters(b"ACGT"), 60_000)
    gene = genome[1_000:2_200].copy()
    other = np.frombuffer(gene.tobytes().translate(COMPLEMENT)[::-1], np.uint8)
    expected = {(1_000, 1)}
    for at, copy, strand in ((9_000, gene, 1), (10_200, gene, 1), (30_000, other, -1), (58_800, other, -1)):
        copy = copy.copy()
        copy[50:1_150:40] = copy[51:1_151:40]
        genome[at : at + copy.size] = copy
        expected.add((at, strand))
    for choices in ({}, {"path": TracebackMethod.NONE}, {"block_rows": 512, "block_cols": 128}):
        result = run(genome, gene, device, ends=Ends.A, within=60, both_strands=True, **choices)
        assert {(one.a_start, one.strand) for one in result.loci} == expected
        assert all(one.a_end - one.a_start == 1_200 for one in result.loci)
        assert result.distance == 0


def test_loci_of_one_letter_again_and_again_take_no_long_time():
    result = run(letters(b"A" * 20_000), letters(b"A" * 20), ends=Ends.A, within=3, path=TracebackMethod.NONE)
    assert listed(result, 1) == [(k, k + 20, 0) for k in range(0, 20_000, 20)]


@pytest.mark.parametrize(
    "wrong", [{"within": 3}, {"within": 3, "ends": Ends.A}, {"both_strands": True, "ends": Ends.A}]
)
def test_places_without_a_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=r"needs (free ends of A|within)"):
        EditJob(a=letters(b"ACGT"), b=letters(b"ACG"), **wrong)
