"""Exact matches of a card beside those of the CPU: strands, collisions, copies, too many matches, borders of warps."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.core.assemblies import assembly
from tests.core.test_contigs import told
from tests.core.test_exact_matches import array, changed, random_letters, rows
from tests.core.test_rearranged import rearranged
from tests.depth import examples
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.kernels.contigs import run as contigs_cpu
from wavediff.core.kernels.exact_matches import run as cpu
from wavediff.core.kernels.rearranged import run as rearranged_cpu
from wavediff.core.sequences.matching import reverse_complement
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.exact_matches import run as gpu
from wavediff.gpu.exact_matches import seeded


def check(card, a, b, **choices):
    """Assert that both find the same; return it."""
    job = ExactMatchesJob(a=array(a), b=array(b), **choices)
    found, expected = (run_to_end(kernel) for kernel in (gpu.run_on(card, job), cpu.run(job)))
    assert rows(found) == rows(expected)
    assert (found.max_copies, found.n_left_out) == (expected.max_copies, expected.n_left_out)
    assert found.b_left_out.tolist() == expected.b_left_out.tolist()
    return found


@examples(60, HealthCheck.function_scoped_fixture)
@given(
    seed=st.integers(0, 1 << 30),
    n=st.integers(0, 150),
    letters=st.sampled_from([b"ACGT", b"ACGTN", b"acgtACGU", b"AC", b"AT", b"A", b"NR"]),
    parts=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.booleans()), max_size=4),
    share=st.sampled_from([0, 0.02, 0.1]),
    k=st.sampled_from([11, 12, 16, 31, 33, 64]),
    copies=st.sampled_from([1, 2, 128]),
)
def test_any_parts_of_both_strands(card, seed, n, letters, parts, share, k, copies):
    a, b = random_letters(n, seed, letters), b""
    for start, end, minus in parts:
        part = a[int(start * n) : int(end * n)]
        b += reverse_complement(part) if minus else part
    check(card, a, changed(b, share, seed), k=k, max_copies=copies)


@pytest.mark.parametrize("hash_bits", [1, 3, 6])
@pytest.mark.parametrize("k", [11, 24])
def test_kmers_that_share_a_hash_are_told_apart(card, monkeypatch, k, hash_bits):
    """Places with more bits leave fewer for the hash."""
    monkeypatch.setattr(gpu, "place_bits", lambda _size: gpu.WORD - hash_bits)
    a = random_letters(700, 1, b"ACGTN") + b"ACAC" * 20
    b = reverse_complement(a[200:600]) + a[:150] + b"ACAC" * 9 + a[100:300]
    assert check(card, a, b, k=k, max_copies=2).n_left_out


@pytest.mark.parametrize("n", [255, 256, 263, 264, 265, 520, 3_000])
@pytest.mark.parametrize("minus", [False, True])
def test_lengths_round_the_letters_of_a_warp(card, n, minus):
    one = random_letters(n, n)
    other = random_letters(9, 1) + (reverse_complement(one) if minus else one) + random_letters(40, 2)
    assert max(check(card, one, other, k=16).lengths) >= n


@pytest.mark.parametrize("k", [11, 16, 32, 63, 64])
def test_repeats_and_palindromes(card, k):
    half = random_letters(60, 5)
    palindrome = half + reverse_complement(half)
    text = random_letters(300, 6) + palindrome + random_letters(200, 7) + palindrome + b"N" * 70 + palindrome[:90]
    assert len(check(card, text, text, k=k)) > 3


@pytest.mark.parametrize("k", [12, 32, 64])
def test_a_palindrome_of_one_kmer_matches_on_both_strands(card, k):
    half = random_letters(k // 2, 21)
    palindrome = half + reverse_complement(half)
    a, b = (random_letters(50, seed) + palindrome + random_letters(40, seed + 1) for seed in (22, 24))
    found = check(card, a, b, k=k)
    assert found.minus.tolist() == [False, True]
    assert found.n_unique.tolist() == [1, 1]


@pytest.mark.parametrize("most", [0, 1, 380, 381])
def test_too_many_matches_take_fewer_copies(card, monkeypatch, most):
    monkeypatch.setattr(gpu, "MIN_ROOM", 1)
    unit = random_letters(40, 103)
    text = b"".join(unit + random_letters(30, 200 + seed) for seed in range(20)) + random_letters(400, 104)
    check(card, text, text, k=31, max_matches=most)


def test_more_matches_than_letters(card, monkeypatch):
    monkeypatch.setattr(gpu, "MIN_ROOM", 1)
    unit = random_letters(12, 3)
    text = b"".join(unit + random_letters(2, seed) for seed in range(40))
    assert len(check(card, text, text, k=11)) > 2 * len(text)


@pytest.mark.parametrize("letters", [b"A", b"AC", b"N"])
def test_low_complexity(card, letters):
    text = (letters * 5_000)[:5_000] + random_letters(600, 5)
    check(card, text, text, k=16)


def test_empty_sequences(card):
    assert not len(check(card, b"", b"", k=11))
    assert not len(check(card, random_letters(50, 1), b"", k=11))


def test_a_card_with_too_little_memory_refuses(card, monkeypatch):
    monkeypatch.setattr(card, "free", lambda: 1_000)
    job = ExactMatchesJob(a=array(b"A" * 99), b=array(b"C" * 99))
    with pytest.raises(DeviceOutOfMemory, match="matches of 198 letters need"):
        run_to_end(gpu.run_on(card, job))


@pytest.mark.gpu
def test_millions_of_letters(cuda_card):
    a = random_letters(3_000_000, 8)
    repeats = random_letters(2_000, 9) * 400 + b"AC" * 100_000
    b = changed(reverse_complement(a[1_000_000:]), 0.01, 10) + repeats + changed(a[:1_000_000], 0.1, 11)
    assert len(check(cuda_card, a + repeats[700_000:], b, k=20)) > 10_000
    assert np.max(check(cuda_card, a, a, k=24).lengths) == len(a)


@pytest.mark.parametrize("seed", range(3))
def test_blocks_of_the_matches_of_a_card_are_those_of_the_cpu(card, seed):
    a, b, *_ = rearranged(seed, 0.02)
    job = RearrangedJob(a=array(a), b=array(b + b"NNNUUU" + a[:2_000].lower()))
    one, other = (run_to_end(steps) for steps in (seeded.run_on(card, job), rearranged_cpu.run(job)))
    assert one.text == other.text
    for mine, theirs in zip(one.blocks, other.blocks, strict=True):
        assert (mine.kind, mine.a, mine.b, mine.minus, mine.moved) == (
            theirs.kind,
            theirs.a,
            theirs.b,
            theirs.minus,
            theirs.moved,
        )
        if mine.result is not None:
            assert mine.result.alignment.lengths.tolist() == theirs.result.alignment.lengths.tolist()


@pytest.mark.parametrize("circular", [False, True])
def test_contigs_by_the_matches_of_a_card_are_placed_as_on_the_cpu(card, circular):
    a, contigs, _ = assembly(5, n=12_000, parts=6, share=0.02)
    pool = SequencePool.of([array(one) for one in [*contigs, contigs[0] + reverse_complement(contigs[4]), b"ACGT"]])
    job = ContigsJob(a=array(a), contigs=pool, names=("c",) * len(pool), circular=circular)
    one, other = (run_to_end(steps) for steps in (seeded.run_on(card, job), contigs_cpu.run(job)))
    assert told(one) == told(other)
    assert one.text == other.text
