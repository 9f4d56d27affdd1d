"""Exact matches of both strands against every diagonal, letter by letter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.pairs import in_no_memory
from tests.depth import examples
from tests.gpu import fake_cupy
from tests.oracles.exact_matches import exact_matches
from wavediff.core.base.errors import Cancelled, NotEnoughMemory
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.kernels.exact_matches import run as kernel
from wavediff.core.run.dispatch import resolve
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.matching import reverse_complement


def array(letters):
    return np.frombuffer(letters, np.uint8)


def random_letters(n, seed, letters=b"ACGT"):
    return array(letters)[np.random.default_rng(seed).integers(0, len(letters), n)].tobytes()


def rows(found):
    columns = found.a_starts, found.b_starts, found.lengths, found.minus, found.n_unique
    return list(zip(*(column.tolist() for column in columns), strict=True))


def changed(letters, share, seed):
    """Return ``letters`` with some replaced."""
    out, rng = array(letters).copy(), np.random.default_rng(seed)
    at = np.flatnonzero(rng.random(out.size) < share)
    out[at] = array(b"ACGTN")[rng.integers(0, 5, at.size)]
    return out.tobytes()


@examples(200)
@given(
    seed=st.integers(0, 1 << 30),
    n=st.integers(0, 120),
    letters=st.sampled_from([b"ACGT", b"ACGT", b"ACGTN", b"acgtACGU", b"AC", b"AT", b"A", b"NR"]),
    parts=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.booleans()), max_size=4),
    share=st.sampled_from([0, 0.02, 0.1]),
    k=st.sampled_from([11, 12, 16, 31, 33, 64]),
    copies=st.sampled_from([1, 2, 128]),
    threads=st.sampled_from([1, 2]),
)
def test_matches_are_those_of_every_diagonal(seed, n, letters, parts, share, k, copies, threads):
    a, b = random_letters(n, seed, letters), b""
    for start, end, minus in parts:
        part = a[int(start * n) : int(end * n)]
        b += reverse_complement(part) if minus else part
    b = changed(b, share, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "PIECE_LETTERS", 37)
        patch.setattr(kernel, "MATCHES_AT_ONCE", 1)
        patch.setattr(kernel, "BUCKET_KMERS_BITS", 4)
        patch.setattr(kernel, "cores", lambda: threads)
        found = run_job(ExactMatchesJob(a=array(a), b=array(b), k=k, max_copies=copies))
    expected, left_out = exact_matches(a, b, k, copies)
    assert sorted(rows(found)) == expected
    assert found.n_left_out == left_out
    order = [(minus, a + b + length if minus else b - a, a) for a, b, length, minus, _ in rows(found)]
    assert order == sorted(order)


def test_a_genome_against_itself_shows_its_repeats():
    repeat, one = random_letters(300, 11), random_letters(5_000, 12)
    genome = one[:1_000] + repeat + one[1_000:3_000] + reverse_complement(repeat) + one[3_000:] + repeat
    found = rows(run_job(ExactMatchesJob(a=array(genome), b=array(genome), k=24)))
    first, second, third = 1_000, 3_300, 5_600
    assert (0, 0, len(genome), False) in {row[:4] for row in found}
    pairs = {
        (round(a, -1), round(b, -1), minus)
        for a, b, length, minus, unique in found
        if 300 <= length < 310 and not unique
    }
    assert {(first, third, False), (third, first, False)} <= pairs
    assert {pair[:2] for pair in pairs if pair[2]} == {
        (first, second), (second, first), (second, third), (third, second)
    }  # fmt: skip


def test_too_many_matches_take_fewer_copies():
    unit, rest = random_letters(40, 103), random_letters(400, 104)
    text = b"".join(unit + random_letters(30, 200 + seed) for seed in range(20)) + rest
    job = ExactMatchesJob(a=array(text), b=array(text), k=31, max_matches=380)
    found = run_job(job)
    assert found.max_copies == 16
    assert found.n_left_out == 20 * 10
    assert 1 <= len(found) < 381  # a chance letter beside two copies makes a k-mer of fewer places
    all_of_them = run_job(ExactMatchesJob(a=array(text), b=array(text), k=31, max_matches=381))
    assert (all_of_them.max_copies, len(all_of_them)) == (128, 381)
    none = run_job(ExactMatchesJob(a=array(text), b=array(text), k=31, max_matches=0))
    assert (none.max_copies, len(none)) == (0, 0)


@pytest.mark.parametrize("letters", [b"A", b"AC", b"N", b"ACGTN"])
def test_low_complexity_and_runs_of_n_end_at_the_bound(letters):
    text = (letters * 200_000)[:200_000] + random_letters(5_000, 5)
    found = run_job(ExactMatchesJob(a=array(text), b=array(text), k=16))
    assert (found.a_starts[0], found.b_starts[0], found.lengths[0]) == (0, 0, 205_000) or b"N" in letters
    assert found.n_left_out == (0 if b"N" in letters else pytest.approx(200_000, abs=16))
    assert len(found) < 300


def test_k_longer_than_the_texts_finds_nothing():
    found = run_job(ExactMatchesJob(a=array(b"ACGTACGTAC"), b=array(b"ACGTACGTAC"), k=11))
    assert (len(found), found.n_left_out) == (0, 0)


@pytest.mark.parametrize(("name", "value"), [("k", 10), ("k", 65), ("max_copies", 0), ("max_copies", 1025)])
def test_what_is_out_of_range_is_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} is {value}"):
        ExactMatchesJob(a=array(b"A"), b=array(b"A"), **{name: value})


def test_stop_and_too_little_memory(monkeypatch):
    job = ExactMatchesJob(a=array(random_letters(1_000, 6)), b=array(random_letters(1_000, 7)))
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        run_job(job, cancel=token)
    monkeypatch.setattr(kernel, "available_memory", lambda: 1_000)
    with pytest.raises(NotEnoughMemory, match="take one record"):
        run_job(job)


def test_large_sequences_are_for_a_card_with_room(monkeypatch):
    card = fake_cupy.install(monkeypatch)
    few, many, most = (
        ExactMatchesJob(a=in_no_memory(n), b=in_no_memory(n), threads=4) for n in (50_000, 500_000_000, 1_500_000_000)
    )
    assert resolve(few).reason.startswith("faster for this size (100,000 letters): ")
    assert card.calls == []
    card.free = 1 << 36
    assert resolve(many).device is Device.GPU
    card.free = 1 << 33
    assert resolve(many).reason == "the GPU needs 26.2 GB, 8.6 GB are free"
    long = "the GPU takes up to 2,146,435,072 letters of both, and these are 3,000,000,000"
    assert (resolve(most).device, resolve(most).reason) == (Device.CPU, long)
