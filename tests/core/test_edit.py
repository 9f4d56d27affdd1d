"""Every device that can run an EditJob agrees with the textbook, edlib, rapidfuzz and the known answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.kernels.pairwise.edit import edit_matrix
from core.methods.base import TracebackMethod
from core.methods.edit import BandMode
from core.reading import read
from core.results.edit import SkipReason
from tests.core.edits import check_path, columns, every_device, peers, run, textbook
from tests.core.pairs import EDGES, letters, mutate, pairs, random_letters
from tests.oracles import edit as oracle

ROOT = Path(__file__).parents[2]
PROVEN = [BandMode.AUTO, BandMode.PAPER, BandMode.NONE]
PATHS = [TracebackMethod.BLOCKS, TracebackMethod.NONE]
every_band = pytest.mark.parametrize("band", PROVEN)
HUMAN, ORANG = "resources/demo/mt_human_NC_012920.1.fa", "resources/demo/mt_orangutan.fa"


@every_device
@given(
    pair=pairs(),
    band=st.sampled_from(PROVEN),
    path=st.sampled_from(PATHS),
    threads=st.sampled_from([1, 2, 3]),
    block=st.sampled_from([(0, 0), (128, 1280), (512, 128), (1024, 1024), (2048, 256)]),
)
@settings(deadline=None, max_examples=150)
def test_every_band_gives_the_same_distance(device, pair, band, path, threads, block):
    a, b = pair
    result = run(a, b, device, band=band, path=path, threads=threads, block_rows=block[0], block_cols=block[1])
    assert result.exact
    assert result.distance == peers(a, b)
    if path is TracebackMethod.NONE:
        assert result.alignment is None
    else:
        check_path(a, b, result)


@every_device
@given(pair=pairs(), more=st.sampled_from([-1, 0, 1]), block=st.sampled_from([(0, 0), (512, 128)]))
@settings(deadline=None, max_examples=100)
def test_a_fixed_band_is_exact_from_the_distance_on(device, pair, more, block):
    a, b = pair
    distance = peers(a, b)
    threshold = max(0, distance + more)
    result = run(a, b, device, band=BandMode.FIXED, threshold=threshold, block_rows=block[0], block_cols=block[1])
    check_path(a, b, result)
    # Where stripped ends leave nothing to compute no band was needed for the proof.
    assert result.exact == (distance <= threshold or result.strategy == "ends")
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
        assert result.exact == (distance <= threshold or result.strategy == "ends")


@every_device
def test_ten_thousand_small_pairs_against_the_plain_table(device):
    rng = np.random.default_rng(1)
    for k in range(10_000):
        n, m = rng.integers(0, 20, 2)
        a, b = (random_letters(rng, int(size), 1 + k % 7) for size in (n, m))
        result = run(a, b, device)
        assert result.distance == textbook(a, b)
        check_path(a, b, result)


@every_device
@every_band
@pytest.mark.parametrize("n_letters", [2, 4, 5, 20, 256])
def test_several_strips_and_blocks(device, n_letters, band):
    rng = np.random.default_rng(n_letters)
    a = random_letters(rng, 9_000, n_letters)
    for b in (random_letters(rng, 7_001, n_letters), mutate(rng, a, 150, n_letters)):
        result = run(a, b, device, band=band, block_rows=1024, block_cols=512, threads=2)
        assert result.distance == peers(a, b)
        check_path(a, b, result)


@every_device
@every_band
@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("tests/data/phix174_NC_001422.1.fa", "tests/data/phix174_illumina_control.fa", 5),
        (HUMAN, ORANG, 3_315),
        ("tests/data/sars_cov_2_MN908947.3.fa", "tests/data/lambda_NC_001416.1.fa", 25_941),
    ],
)
def test_real_sequences_have_their_known_answers(device, a, b, distance, band):
    left, right = (read(ROOT / name).sequence(0).letters for name in (a, b))
    for path in PATHS:
        result = run(left, right, device, fold_case=True, path=path, band=band)
        assert (result.distance, result.exact) == (distance, True)


@every_device
@pytest.mark.parametrize(
    ("n", "m"), [(0, 0), (0, 7), (7, 0), (1, 1), (1, 100_000), (100_000, 1), (43, 176_128), (176_128, 43)]
)
def test_very_unequal_lengths(device, n, m):
    """Distances beyond 16 bits."""
    rng = np.random.default_rng(n + 2 * m)
    a, b = random_letters(rng, n, 4), random_letters(rng, m, 4)
    for band in PROVEN:
        for path in PATHS:
            result = run(a, b, device, path=path, band=band)
            assert result.distance == peers(a, b)
            if path is TracebackMethod.BLOCKS:
                check_path(a, b, result)


@every_device
@every_band
def test_all_byte_values_and_none_set_aside(device, band):
    every = np.tile(np.arange(256, dtype=np.uint8), 9)
    shuffled = np.random.default_rng(0).permutation(every)
    for a, b in (
        (every, shuffled),
        (every, every[::-1].copy()),
        (np.zeros(900, np.uint8), every),
        (np.full(900, 255, np.uint8), shuffled),
    ):
        result = run(a, b, device, band=band, block_rows=512)
        assert result.distance == peers(a, b)
        check_path(a, b, result)


@every_device
@pytest.mark.parametrize("n", [n for n in EDGES if n > 2] + [n + d for n in (4096, 16_384) for d in (-1, 0, 1)])
def test_round_every_edge_of_words_strips_and_blocks(device, n):
    rng = np.random.default_rng(n)
    a, b, c = random_letters(rng, n, 4), random_letters(rng, n + 1, 4), random_letters(rng, n - 1, 4)
    for other in (b, c):
        for block_rows in (0, 512):
            result = run(a, other, device, band=BandMode.NONE, block_rows=block_rows, block_cols=1024)
            assert result.distance == peers(a, other)
            check_path(a, other, result)


@every_device
@every_band
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
def test_shapes_that_break_bands(device, make, band):
    text = (
        random_letters(np.random.default_rng(4), 6000, 4)
        .tobytes()
        .translate(bytes.maketrans(b"\x00\x40\x80\xc0", b"ACGT"))
    )
    a, b = (letters(part) for part in make(text))
    for left, right in ((a, b), (b, a)):
        result = run(left, right, device, band=band, block_rows=512, block_cols=256)
        assert (result.distance, result.exact) == (peers(left, right), True)
        check_path(left, right, result)


@every_device
@pytest.mark.parametrize("band", [BandMode.AUTO, BandMode.PAPER])
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


def test_case_is_folded_only_when_asked():
    a, b = letters(b"ACGTacgt[`{@"), letters(b"acgtACGT{@[`")
    assert run(a, b, fold_case=True).distance == peers(letters(b"[`{@"), letters(b"{@[`"))
    assert run(a, b, fold_case=False).distance == peers(a, b)


@every_device
@every_band
@pytest.mark.parametrize("block_rows", [0, 512])
def test_of_many_best_paths_the_stated_one_is_taken(device, band, block_rows, monkeypatch):
    """Every way finds it, whatever it strips or leaves out, and no gap in it could lie further left."""
    monkeypatch.setattr(edit_matrix, "NO_BAND_CELLS", 0)  # bands even where the whole matrix takes no time
    rng = np.random.default_rng(66)
    taken = set()
    for k in range(200):
        n_letters = 2 + k % 3
        a = random_letters(rng, int(rng.integers(1, 70 if k % 10 else 1500)), n_letters)
        b = mutate(rng, a, 5 * (1 + k % 40), n_letters) if k % 2 else random_letters(rng, 10 + k % 60, n_letters)
        if k % 5 == 0:
            a, b = (np.concatenate([a[:k], x, a[-k:]]) for x in (a, b))
        result = run(a, b, device, band=band, block_rows=block_rows, block_cols=128)
        taken.add(result.strategy)
        script = columns(result)
        assert script == oracle.script(a.tobytes(), b.tobytes())
        assert script == oracle.left_most(a.tobytes(), b.tobytes(), script)
    assert len(taken) > {BandMode.AUTO: 4 if block_rows else 3, BandMode.PAPER: 1, BandMode.NONE: 0}[band], taken


@pytest.mark.parametrize("band", PROVEN)
def test_the_path_does_not_depend_on_the_threads(band):
    rng = np.random.default_rng(6)
    a = random_letters(rng, 20_000, 4)
    b = mutate(rng, a, 700, 4)
    cigars = {run(a, b, band=band, threads=threads, block_rows=1024).alignment.cigar() for threads in (1, 2, 3, 3)}
    assert len(cigars) == 1
