"""Seeds of both strands against a dictionary, and what they say of pairs whose relation is known."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.depth import examples
from tests.oracles.shared_kmers import canonical_places, shared_unique_kmers
from wavediff.core.jobs.read import ReadJob
from wavediff.core.run.runner import run_job
from wavediff.core.screening import kmer_table
from wavediff.core.screening import run as screening
from wavediff.core.screening.run import sampling
from wavediff.core.screening.shared_kmers import ScreenJob
from wavediff.core.sequences.matching import reverse_complement

DEMO = Path(__file__).parents[3] / "resources" / "demo"


def _array(letters):
    return np.frombuffer(letters, np.uint8)


def _screen(a, b):
    return run_job(ScreenJob(a=_array(a), b=_array(b)))


def _random(n, seed, letters=b"ACGT"):
    return _array(letters)[np.random.default_rng(seed).integers(0, len(letters), n)].tobytes()


def _pairs(strand):
    return set(zip(strand.a_places.tolist(), strand.b_places.tolist(), strict=True))


@examples(200)
@given(
    seed=st.integers(0, 1 << 30),
    n=st.integers(0, 300),
    letters=st.sampled_from([b"ACGT", b"ACGTN", b"acgtACGU", b"AC", b"A", b"N"]),
    turn=st.booleans(),
    cut=st.floats(0, 1),
    k=st.sampled_from([2, 5, 16]),
)
def test_seeds_are_those_of_a_dictionary(seed, n, letters, turn, cut, k):
    a = _random(n, seed, letters)
    b = a[int(cut * n) :] + _random(20, seed + 1, letters) + a[: int(cut * n)]
    b = reverse_complement(b) if turn else b
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screening, "SHORT_K", k)
        patch.setattr(screening, "SLICE_LETTERS", 37)
        found = _screen(a, b)
    assert (_pairs(found.plus), _pairs(found.minus)) == shared_unique_kmers(a, b, k)
    assert found.plus.n_seeds == len(_pairs(found.plus))
    assert found.minus.n_seeds == len(_pairs(found.minus))
    shorter = a if len(a) <= len(b) else b
    assert found.n_unique == sum(len(places) == 1 for places in canonical_places(shorter, k).values())
    assert (np.diff(found.plus.a_places) > 0).all()
    swapped = run_job(ScreenJob(a=_array(b), b=_array(a)))
    if k == screening.SHORT_K:
        assert {(j, i) for i, j in _pairs(swapped.plus)} == _pairs(found.plus)
        assert swapped.minus.n_seeds == found.minus.n_seeds


def test_a_sample_of_the_kmers_has_the_same_shares(monkeypatch):
    a = _random(200_000, 1)
    b = reverse_complement(a[150_000:]) + a[:150_000]
    whole = _screen(a, b)
    monkeypatch.setattr(screening, "MAX_INSERTED", 10_000)
    some = _screen(a, b)
    assert (whole.sampled, some.sampled) == (1, 32)
    assert _pairs(some.plus) < _pairs(whole.plus)
    assert some.n_seeds == pytest.approx(whole.n_seeds / 32, rel=0.1)
    assert some.minus_share == pytest.approx(whole.minus_share, abs=0.03)
    assert some.plus.offset == whole.plus.offset == 50_000


def test_long_sequences_are_sampled_so_that_time_and_memory_stay_small():
    assert sampling(1_000, 1_000) == 1
    assert sampling(5_000_000, 5_000_000) == 32
    assert sampling(250_000_000, 250_000_000) == 1024
    assert sampling(1_500, 250_000_000) == 16  # a gene keeps some of its k-mers


def test_collinear_sequences_have_their_seeds_near_the_diagonal():
    for one, other in (("mt_human_NC_012920.1.fa", "mt_orangutan.fa"), ("phix174_NC_001422.1.fa",) * 2):
        a, b = (run_job(ReadJob(path=DEMO / name)).sequence(0) for name in (one, other))
        found = run_job(ScreenJob(a=a.letters, b=b.letters))
        assert found.plus.near_share > 0.94
        assert found.minus_share < 0.01


def test_another_origin_shows_as_two_diagonals_a_length_apart():
    a = _random(5_000, 2)
    found = _screen(a, a[2_000:] + a[:2_000])
    assert [(one.offset, one.n_seeds) for one in found.plus.peaks] == [(-2_000, 2_985), (3_000, 1_985)]
    assert found.plus.near_share == 0
    other = _screen(a, reverse_complement(a[1_234:] + a[:1_234]))
    assert [one.offset for one in other.minus.peaks] == [-1_234, 3_766]
    assert other.minus_share == 1


def test_an_inverted_part_lies_on_the_minus_strand():
    a = _random(20_000, 3)
    found = _screen(a, a[:5_000] + reverse_complement(a[5_000:9_000]) + a[9_000:])
    assert found.minus_share == pytest.approx(0.2, abs=0.01)
    assert found.plus.near_share == 1
    assert found.minus.offset_share == 1


def test_unrelated_letters_share_what_chance_has_them_share():
    found = _screen(_random(200_000, 4), _random(200_000, 5))
    assert found.plus.expected_by_chance == pytest.approx(2e5**2 / 4**16, rel=0.01)
    assert 0 < found.n_seeds < 60


@pytest.mark.parametrize("b", [b"", b"A", b"N" * 500, b"A" * 500, b"ACAC" * 200, b"ACGT" * 3 + b"ACG"])
def test_what_has_no_unique_kmers_has_no_seeds(b):
    for found in (_screen(b, b), _screen(b, _random(500, 6)), _screen(_random(500, 6), b)):
        assert found.n_seeds == 0
        assert found.minus_share == found.plus.near_share == found.plus.offset_share == found.plus.offset == 0


def test_a_full_table_takes_up_no_more_and_ends(monkeypatch):
    table = kmer_table.table
    monkeypatch.setattr(kmer_table, "table", lambda n_kmers: table(n_kmers // 40))
    a = _random(20_000, 7)
    found = _screen(a, a)
    assert found.n_unique == 2_048 // 2
    assert found.n_seeds == found.n_unique
    assert found.plus.near_share == 1


IN_ADVANCE = """
import numpy as np
from wavediff.core.jit import compile_cache
compile_cache.prepare()
from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.events import Step
from wavediff.core.run.runner import run_job
from wavediff.core.screening import kmer_table
from wavediff.core.screening.shared_kmers import ScreenJob
run_to_end(kmer_table.make_ready(Step(0)))
calls = {*kmer_table.scan_kmers.calls}
a, b = np.random.default_rng(5).choice(np.frombuffer(b"ACGT", np.uint8), (2, 20_000))
run_job(ScreenJob(a=a, b=b))
print(len(calls), {*kmer_table.scan_kmers.calls} == calls)
"""


def test_the_kernel_compiled_ahead_is_the_one_that_jobs_call():
    """Else an installation with kernels compiles another one for its first pair."""
    command = [sys.executable, "-c", IN_ADVANCE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout == "1 True\n"
