"""Every device that can run an LcsJob agrees with the oracle, with rapidfuzz and with the known answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from core.arrays import Letters
from core.kernels.pairwise.lcs import lcs_matrix
from core.methods.base import TracebackMethod
from core.methods.lcs import LcsJob, Strategy
from core.reading import read
from core.results.alignment import Op
from core.results.lcs import LcsResult
from core.run.dispatch import Device, gpu_obstacle
from core.run.runner import run_job
from tests.core.edits import columns
from tests.core.pairs import letters, mutate, pairs, random_letters
from tests.oracles import lcs as oracle
from tests.oracles.edit import left_most

ROOT = Path(__file__).parents[2]
DEVICES = [
    pytest.param(Device.CPU, id="cpu"),
    pytest.param(
        Device.GPU,
        id="gpu",
        marks=[pytest.mark.gpu, pytest.mark.skipif(gpu_obstacle() is not None, reason=f"{gpu_obstacle()}")],
    ),
]
every_device = pytest.mark.parametrize("device", DEVICES)


def run(a: Letters, b: Letters, device: Device = Device.CPU, **choices: object) -> LcsResult:
    result = run_job(LcsJob(a=a, b=b, **choices), device=device)  # type: ignore[arg-type]
    assert isinstance(result, LcsResult)
    return result


def common(a: Letters, b: Letters, result: LcsResult) -> bytes:
    """The subsequence that the alignment shows, after checking that it is an alignment of both."""
    assert result.alignment is not None
    i = j = 0
    found = bytearray()
    gap = ""
    for op, n in zip(result.alignment.ops, result.alignment.lengths.tolist(), strict=True):
        if op == Op.EQUAL:
            found += a[i : i + n].tobytes()
            gap = ""
        else:
            assert op in (Op.DELETION, Op.INSERTION)
            gap += "D" if op == Op.DELETION else "I"
            assert gap in ("D", "I", "DI"), "in a gap, D comes before I"
        i += n if op != Op.INSERTION else 0
        j += n if op != Op.DELETION else 0
    assert (i, j) == (a.size, b.size)
    assert oracle.is_subsequence(bytes(found), a.tobytes())
    assert oracle.is_subsequence(bytes(found), b.tobytes())
    assert len(found) == result.length
    return bytes(found)


@every_device
@given(
    pair=pairs(),
    strategy=st.sampled_from(Strategy),
    path=st.sampled_from(TracebackMethod),
    threads=st.sampled_from([1, 2, 3]),
    block=st.sampled_from([(0, 0), (512, 128), (1024, 1024), (2048, 256)]),
)
@settings(deadline=None, max_examples=150)
def test_every_way_gives_the_same_length(device, pair, strategy, path, threads, block):
    a, b = pair
    result = run(a, b, device, strategy=strategy, path=path, threads=threads, block_rows=block[0], block_cols=block[1])
    assert result.length == LCSseq.similarity(a.tobytes(), b.tobytes())
    if path is TracebackMethod.NONE:
        assert result.alignment is None
    else:
        common(a, b, result)


@every_device
def test_ten_thousand_small_pairs_against_the_plain_table(device):
    rng = np.random.default_rng(1)
    for k in range(10_000):
        n, m = rng.integers(0, 20, 2)
        a, b = (random_letters(rng, int(size), 1 + k % 7) for size in (n, m))
        result = run(a, b, device)
        assert result.length == oracle.length(a.tobytes(), b.tobytes())
        common(a, b, result)


@every_device
@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("n_letters", [2, 4, 5, 20, 256])
def test_several_strips_and_blocks(device, n_letters, strategy):
    rng = np.random.default_rng(n_letters)
    a = random_letters(rng, 9_000, n_letters)
    for b in (random_letters(rng, 7_001, n_letters), mutate(rng, a, 150, n_letters)):
        result = run(a, b, device, strategy=strategy, block_rows=1024, block_cols=512, threads=2)
        assert result.length == LCSseq.similarity(a.tobytes(), b.tobytes())
        common(a, b, result)


@every_device
@pytest.mark.parametrize(
    ("a", "b", "answers"),
    [
        (b"abcdefghij", b"cfilorux", {b"cfi"}),
        (b"abcde", b"baexd", {b"ad", b"ae", b"bd", b"be"}),
    ],
)
def test_examples_of_paper_1_section_2_1(device, a, b, answers):
    assert common(letters(a), letters(b), run(letters(a), letters(b), device)) in answers


@every_device
@pytest.mark.parametrize(
    ("a", "b", "length"),
    [
        ("resources/demo/mt_human_NC_012920.1.fa", "resources/demo/mt_orangutan.fa", 13_966),
        ("tests/data/phix174_NC_001422.1.fa", "tests/data/phix174_illumina_control.fa", 5_381),
        ("tests/data/sars_cov_2_MN908947.3.fa", "tests/data/lambda_NC_001416.1.fa", 23_805),
    ],
)
def test_real_sequences_have_their_known_answers(device, a, b, length):
    left, right = (read(ROOT / name).sequence(0).letters for name in (a, b))
    for path in TracebackMethod:
        assert run(left, right, device, fold_case=True, path=path).length == length


@every_device
@pytest.mark.parametrize(
    ("n", "m"), [(0, 0), (0, 7), (7, 0), (1, 1), (1, 100_000), (100_000, 1), (43, 176_128), (176_128, 43)]
)
def test_very_unequal_lengths(device, n, m):
    rng = np.random.default_rng(n + 2 * m)
    a, b = random_letters(rng, n, 4), random_letters(rng, m, 4)
    for path in TracebackMethod:
        assert run(a, b, device, path=path, strategy=Strategy.FULL).length == LCSseq.similarity(
            a.tobytes(), b.tobytes()
        )


@every_device
def test_all_byte_values_and_none_set_aside(device):
    every = np.tile(np.arange(256, dtype=np.uint8), 9)
    shuffled = np.random.default_rng(0).permutation(every)
    for a, b in (
        (every, shuffled),
        (every, every[::-1].copy()),
        (np.zeros(900, np.uint8), every),
        (np.full(900, 255, np.uint8), shuffled),
    ):
        result = run(a, b, device, strategy=Strategy.FULL, block_rows=512)
        assert result.length == LCSseq.similarity(a.tobytes(), b.tobytes())
        common(a, b, result)


@every_device
@pytest.mark.parametrize("n", [n + d for n in (512, 1024, 4096, 16_384) for d in (-1, 0, 1)])
def test_round_every_edge_of_strips_and_blocks(device, n):
    rng = np.random.default_rng(n)
    a, b = random_letters(rng, n, 4), random_letters(rng, n + 1, 4)
    for block_rows in (0, 512):
        result = run(a, b, device, strategy=Strategy.FULL, block_rows=block_rows, block_cols=1024)
        assert result.length == LCSseq.similarity(a.tobytes(), b.tobytes())
        common(a, b, result)


@every_device
@pytest.mark.parametrize(
    "make",
    [
        lambda s: (b"a" * 6000, b"a" * 5000),
        lambda s: (b"ab" * 3000, b"ba" * 3000),
        lambda s: (s, s[::-1]),
        lambda s: (s, s[3000:] + s[:3000]),
        lambda s: (s, s[:1000] + s[4000:]),
        lambda s: (s[:2000] + b"N" * 2000 + s[2000:], s),
        lambda s: (b"A" * 5000, b"C" * 5000),
        lambda s: (s, s),
    ],
    ids=["one-letter", "periodic", "inversion", "rotation", "huge-gap", "n-run", "nothing-shared", "identical"],
)
@pytest.mark.parametrize("strategy", Strategy)
def test_shapes_that_break_bands(device, make, strategy):
    text = (
        random_letters(np.random.default_rng(4), 6000, 4)
        .tobytes()
        .translate(bytes.maketrans(b"\x00\x40\x80\xc0", b"ACGT"))
    )
    a, b = (letters(part) for part in make(text))
    result = run(a, b, device, strategy=strategy, block_rows=512, block_cols=256)
    assert result.length == LCSseq.similarity(a.tobytes(), b.tobytes())
    common(a, b, result)


def test_case_is_folded_only_when_asked():
    a, b = letters(b"ACGTacgt[`{@"), letters(b"acgtACGT{@[`")
    assert run(a, b, fold_case=True).length == 8 + LCSseq.similarity(b"[`{@", b"{@[`")
    assert run(a, b, fold_case=False).length == LCSseq.similarity(a.tobytes(), b.tobytes())


@every_device
@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("block_rows", [0, 512])
def test_of_many_best_paths_the_stated_one_is_taken(device, strategy, block_rows, monkeypatch):
    """Every way finds it, whatever it strips or leaves out; Hirschberg's recursion at least moves gaps left."""
    monkeypatch.setattr(lcs_matrix, "NO_BAND_CELLS", 0)  # bands even where the whole matrix takes no time
    rng = np.random.default_rng(66)
    for k in range(120):
        n_letters = 2 + k % 3
        a = random_letters(rng, int(rng.integers(1, 70 if k % 10 else 1500)), n_letters)
        b = mutate(rng, a, 5 * (1 + k % 40), n_letters) if k % 2 else random_letters(rng, 10 + k % 60, n_letters)
        if k % 5 == 0:
            a, b = (np.concatenate([a[:k], x, a[-k:]]) for x in (a, b))
        script = columns(run(a, b, device, strategy=strategy, block_rows=block_rows, block_cols=128))
        assert script == oracle.script(a.tobytes(), b.tobytes())
        script = columns(run(a, b, device, path=TracebackMethod.HIRSCHBERG))
        assert script == left_most(a.tobytes(), b.tobytes(), script)


@pytest.mark.parametrize("strategy", Strategy)
def test_the_path_does_not_depend_on_the_threads(strategy):
    rng = np.random.default_rng(6)
    a = random_letters(rng, 20_000, 4)
    b = mutate(rng, a, 700, 4)
    cigars = {
        run(a, b, strategy=strategy, threads=threads, block_rows=1024).alignment.cigar() for threads in (1, 2, 3, 3)
    }
    assert len(cigars) == 1
