"""Every device that can run an LcsJob or an EditJob agrees with textbooks, rapidfuzz, edlib and the known answers."""

from pathlib import Path
from re import findall

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.edits import check_path, columns, every_device, peers, run
from tests.core.methods import EDIT, every_choice, every_method
from tests.core.pairs import EDGES, letters, mutate, pairs, random_letters
from tests.depth import DEEP, deeper, examples, some
from tests.oracles.edit import in_one_piece, left_most
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.kernels.pairwise import cpu, strategy
from wavediff.core.methods.base import Ties, TracebackMethod
from wavediff.core.methods.edit import BandMode
from wavediff.core.reading import read

ROOT = Path(__file__).parents[2]
HUMAN, ORANG = "resources/demo/mt_human_NC_012920.1.fa", "resources/demo/mt_orangutan.fa"


@every_device
@every_method
@given(
    pair=pairs(),
    threads=st.sampled_from([1, 2, 3]),
    block=st.sampled_from([(0, 0), (128, 1280), (512, 128), (1024, 1024), (2048, 256)]),
    data=st.data(),
)
@examples(150)
def test_every_strategy_gives_the_same_score(device, method, pair, threads, block, data):
    a, b = pair
    choice, path = data.draw(st.sampled_from(method.proven)), data.draw(st.sampled_from(method.paths))
    found = method.scored(a, b, device, path=path, threads=threads, block_rows=block[0], block_cols=block[1], **choice)
    assert found == method.peer(a, b)


@deeper
@every_device
@every_method
def test_small_pairs_against_the_plain_table(device, method):
    rng = np.random.default_rng(1)
    for k in some(10_000):
        n, m = rng.integers(0, 20, 2)
        a, b = (random_letters(rng, int(size), 1 + k % 7) for size in (n, m))
        assert method.scored(a, b, device) == method.textbook(a.tobytes(), b.tobytes())


@every_device
@every_choice
@pytest.mark.parametrize("n_letters", [4, 256, *(pytest.param(n, marks=pytest.mark.thorough) for n in (2, 5, 20))])
def test_several_strips_and_blocks(device, method, choice, n_letters):
    rng = np.random.default_rng(n_letters)
    a = random_letters(rng, 9_000, n_letters)
    for b in (random_letters(rng, 7_001, n_letters), mutate(rng, a, 150, n_letters)):
        found = method.scored(a, b, device, block_rows=1024, block_cols=512, threads=2, **choice)
        assert found == method.peer(a, b)


@every_device
@every_choice
@pytest.mark.parametrize(
    ("a", "b", "scores"),
    [
        (HUMAN, ORANG, {"length": 13_966, "distance": 3_315}),
        (
            "tests/data/phix174_NC_001422.1.fa",
            "tests/data/phix174_illumina_control.fa",
            {"length": 5_381, "distance": 5},
        ),
        (
            "tests/data/sars_cov_2_MN908947.3.fa",
            "tests/data/lambda_NC_001416.1.fa",
            {"length": 23_805, "distance": 25_941},
        ),
    ],
)
def test_real_sequences_have_their_known_answers(device, method, choice, a, b, scores):
    left, right = (read(ROOT / name).sequence(0).letters for name in (a, b))
    for path in method.paths:
        result = method.run(left, right, device, fold_case=True, path=path, **choice)
        assert (getattr(result, method.score), getattr(result, "exact", True)) == (scores[method.score], True)


@every_device
@every_choice
@pytest.mark.parametrize(
    ("n", "m"), [(0, 0), (0, 7), (7, 0), (1, 1), (1, 100_000), (100_000, 1), (43, 176_128), (176_128, 43)]
)
def test_very_unequal_lengths(device, method, choice, n, m):
    """Distances beyond 16 bits too."""
    rng = np.random.default_rng(n + 2 * m)
    a, b = random_letters(rng, n, 4), random_letters(rng, m, 4)
    for path in method.paths:
        assert method.scored(a, b, device, path=path, **choice) == method.peer(a, b)


@every_device
@every_choice
def test_all_byte_values_and_none_set_aside(device, method, choice):
    every = np.tile(np.arange(256, dtype=np.uint8), 9)
    shuffled = np.random.default_rng(0).permutation(every)
    for a, b in (
        (every, shuffled),
        (every, every[::-1].copy()),
        (np.zeros(900, np.uint8), every),
        (np.full(900, 255, np.uint8), shuffled),
    ):
        assert method.scored(a, b, device, block_rows=512, **choice) == method.peer(a, b)


@every_device
@every_method
@pytest.mark.parametrize("n", [n for n in EDGES if n > 2] + [n + d for n in (4096, 16_384) for d in (-1, 0, 1)])
def test_round_every_edge_of_words_strips_and_blocks(device, method, n):
    rng = np.random.default_rng(n)
    a = random_letters(rng, n, 4)
    for b in (random_letters(rng, n + 1, 4), random_letters(rng, n - 1, 4)):
        for block_rows in (0, 512):
            found = method.scored(a, b, device, block_rows=block_rows, block_cols=1024, **method.full)
            assert found == method.peer(a, b)


@every_device
@every_choice
@pytest.mark.parametrize(
    "make",
    [
        lambda s: (b"a" * 6000, b"a" * 5000),
        lambda s: (b"ab" * 3000, b"ba" * 3000),
        lambda s: (b"ab" * 3000, b"abb" * 2000),
        lambda s: (s, s[::-1]),
        lambda s: (s, s[3000:] + s[:3000]),
        lambda s: (s, s[:1000] + s[4000:]),
        lambda s: (s[:2000] + b"N" * 2000 + s[2000:], s),
        lambda s: (b"A" * 5000, b"C" * 5000),
        lambda s: (s, s),
    ],
    ids=[
        "one-letter", "periodic", "two-periods", "inversion", "rotation", "huge-gap", "n-run", "nothing-shared",
        "identical",
    ],
)  # fmt: skip
def test_shapes_that_break_bands(device, method, choice, make):
    text = (
        random_letters(np.random.default_rng(4), 6000, 4)
        .tobytes()
        .translate(bytes.maketrans(b"\x00\x40\x80\xc0", b"ACGT"))
    )
    a, b = (letters(part) for part in make(text))
    for left, right in ((a, b), (b, a)):
        found = method.scored(left, right, device, block_rows=512, block_cols=256, **choice)
        assert found == method.peer(left, right)


@every_method
def test_case_is_folded_only_when_asked(method):
    a, b = letters(b"ACGTacgt[`{@"), letters(b"acgtACGT{@[`")
    upper = method.peer(letters(b"ACGTACGT[`{@"), letters(b"ACGTACGT{@[`"))
    assert getattr(method.run(a, b, fold_case=True), method.score) == upper != method.peer(a, b)
    assert method.scored(a, b, fold_case=False) == method.peer(a, b)


@deeper
@every_device
@every_choice
@pytest.mark.parametrize("block_rows", [0, 512])
def test_of_many_best_paths_the_stated_one_is_taken(device, method, choice, block_rows, monkeypatch):
    """Every strategy finds it, whatever it strips or leaves out, and no gap in it could lie further left."""
    monkeypatch.setattr(cpu, "NO_BAND_CELLS", 0)  # bands even where the whole matrix takes no time
    monkeypatch.setattr(strategy, "ALIKE_LETTER_SECONDS", 1e-10)  # and where diagonals take as little
    rng = np.random.default_rng(66)
    taken = set()
    for k in some(200):
        n_letters = 2 + k % 3
        a = random_letters(rng, int(rng.integers(1, 70 if k % 10 else 1500)), n_letters)
        b = mutate(rng, a, 5 * (1 + k % 40), n_letters) if k % 2 else random_letters(rng, 10 + k % 60, n_letters)
        if k % 5 == 0:
            a, b = (np.concatenate([a[:k], x, a[-k:]]) for x in (a, b))
        shape = {"block_rows": block_rows, "block_cols": 128}
        result = method.run(a, b, device, ties=Ties.LEFT_MOST, **shape, **choice)
        taken.add(result.strategy)
        fewest = method.run(a, b, device, **shape, **choice)
        assert np.array_equal(fewest.alignment.ops, method.run(a, b, **method.full).alignment.ops)
        script = columns(result)
        if (whole := in_one_piece(a.tobytes(), b.tobytes())) and len(findall("D+|I+", script)) > 2:
            assert columns(fewest) == whole, (
                "what the other one contains is not divided, though a gap could lie further left"
            )
        else:
            assert columns(fewest) == left_most(a.tobytes(), b.tobytes(), columns(fewest))
        assert script == method.script(a.tobytes(), b.tobytes())
        assert script == left_most(a.tobytes(), b.tobytes(), script)
        if TracebackMethod.HIRSCHBERG in method.paths:  # at least moves gaps left
            script = columns(method.run(a, b, device, path=TracebackMethod.HIRSCHBERG, ties=Ties.LEFT_MOST))
            assert script == left_most(a.tobytes(), b.tobytes(), script)
    if method is EDIT and DEEP:
        least = {BandMode.AUTO: 4 if block_rows else 3, BandMode.SUDO: 1, BandMode.NONE: 0}
        assert len(taken) > least[choice["band"]], taken


@every_choice
def test_the_path_does_not_depend_on_the_threads(method, choice):
    rng = np.random.default_rng(6)
    a = random_letters(rng, 20_000, 4)
    b = mutate(rng, a, 700, 4)
    cigars = {
        method.run(a, b, threads=threads, block_rows=1024, **choice).alignment.cigar() for threads in (1, 2, 3, 3)
    }
    assert len(cigars) == 1


@every_device
@given(pair=pairs(), more=st.sampled_from([-1, 0, 1]), block=st.sampled_from([(0, 0), (512, 128)]))
@examples(100)
def test_a_fixed_band_is_exact_from_the_distance_on(device, pair, more, block):
    a, b = pair
    distance = peers(a, b)
    threshold = max(0, distance + more)
    result = run(a, b, device, band=BandMode.FIXED, threshold=threshold, block_rows=block[0], block_cols=block[1])
    check_path(a, b, result)
    # Where stripped ends leave nothing to compute no band was needed for the proof.
    assert result.exact == (distance <= threshold or result.strategy == "common-ends")
    if result.exact:
        assert result.distance == distance
    else:
        assert result.distance >= distance


@every_device
@pytest.mark.parametrize("threshold", [0, 1, 40, 700, 3_000, 10**12])
def test_a_fixed_band_of_any_width_has_a_path(device, threshold):
    """Unequal lengths: a band narrower than their difference is still joined from corner to corner."""
    rng = np.random.default_rng(threshold % 1000)
    a = random_letters(rng, 5_000, 4)
    for b in (random_letters(rng, 5_700, 4), mutate(rng, a, 100, 4), a[:4_000], a[1_000:]):
        result = run(a, b, device, band=BandMode.FIXED, threshold=threshold, block_rows=512, block_cols=256)
        check_path(a, b, result)
        distance = peers(a, b)
        assert result.distance >= distance
        assert result.exact == (distance <= threshold or result.strategy == "common-ends")


@every_device
@pytest.mark.parametrize("band", [BandMode.AUTO, BandMode.SUDO])
def test_a_subsequence_is_found_before_any_cell(device, band):
    rng = np.random.default_rng(8)
    whole = random_letters(rng, 200_000, 4)
    part = whole[np.sort(rng.choice(whole.size, 60_000, replace=False))]
    for a, b in ((part, whole), (whole, part)):
        result = run(a, b, device, band=band)
        assert (result.distance, result.exact) == (140_000, True)
        assert result.strategy == "subsequence"
        assert SkipReason.SUBSEQUENCE in [one.reason for one in result.skips]
        check_path(a, b, result)


@every_device
def test_more_cells_and_edits_than_small_numbers_hold(device):
    """Over 2^32 cells and over 2^15 edits."""
    rng = np.random.default_rng(5)
    a, b = random_letters(rng, 70_000, 4), random_letters(rng, 71_000, 4)
    result = run(a, b, device, band=BandMode.NONE)
    assert result.n_cells > 1 << 32
    assert result.distance == peers(a, b) > 1 << 15
    check_path(a, b, result)
