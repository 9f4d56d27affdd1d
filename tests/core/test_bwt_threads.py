"""Induced sorting on several threads beside one, and beside an independent library."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from tests.core.texts import HARD, texts
from tests.depth import DEEP, deeper, examples
from tests.oracles import bwt as oracle
from wavediff.core.jobs.events import run_to_end
from wavediff.core.kernels.bwt import memory_check
from wavediff.core.kernels.bwt.clock import Clock
from wavediff.core.kernels.bwt.sort import induce_blocks, sais, suffix_types, team
from wavediff.core.kernels.bwt.sort.team import Team
from wavediff.tests.bench.letters import fibonacci, frozen, random_letters

THREADS = [2, 3, 8] if DEEP else [2, 8]


def repeats(rng, n):
    unit = random_letters(rng, 7001, 4)
    text = np.tile(unit, n // unit.size + 1)[:n].copy()
    at = rng.integers(0, n, n // 500)
    text[at] = random_letters(rng, at.size, 4)
    return text.tobytes()


KINDS: dict[str, Callable[[np.random.Generator], bytes]] = {
    "two letters": lambda rng: random_letters(rng, 60_001, 2).tobytes(),
    "four letters": lambda rng: random_letters(rng, 200_000, 4).tobytes(),
    "twenty letters": lambda rng: random_letters(rng, 150_007, 20).tobytes(),
    "all bytes": lambda rng: random_letters(rng, 100_000, 256).tobytes(),
    "repeats": lambda rng: repeats(rng, 120_000),
    "runs": lambda rng: bytes(np.repeat(random_letters(rng, 2000, 5), rng.integers(1, 90, 2000))),
    "one letter": lambda rng: b"a" * 50_000,
    "Fibonacci": lambda rng: fibonacci(80_000),
}


@pytest.fixture(autouse=True)
def many_cores(monkeypatch):
    monkeypatch.setattr(team, "cores", lambda: 8)


def sort(text, threads, suffixes):
    # a step of some letters is shared already
    some = Team(threads, Clock(1, "induced"), 16)
    if suffixes:
        last, primary, order = run_to_end(sais.with_suffixes(frozen(text), some))
        return last.tobytes(), primary, order.tolist()
    last, primary = run_to_end(sais.last_column(frozen(text), some))
    return last.tobytes(), primary, []


@deeper
@pytest.mark.parametrize("kind", KINDS)
def test_all_threads_find_what_one_finds(kind):
    text = KINDS[kind](np.random.default_rng(3))
    wanted = sort(text, 1, True)
    library = pytest.importorskip("pydivsufsort")
    assert wanted[2][1:] == library.divsufsort(np.frombuffer(text, np.uint8).copy()).tolist()
    for threads in THREADS:
        assert sort(text, threads, True) == wanted
        assert sort(text, threads, False)[:2] == wanted[:2]


@pytest.mark.parametrize("name", [name for name in HARD if len(HARD[name]) > 1])
def test_short_texts_are_shared_too(name):
    for suffixes in (False, True):
        last, primary, order = sort(HARD[name], 3, suffixes)
        assert (last, primary) == oracle.bwt(HARD[name])
        assert not suffixes or order == oracle.suffix_order(HARD[name])


@examples(40)
@given(text=texts())
def test_any_text_is_sorted_by_two_threads(text):
    if len(text) > 1:
        assert sort(text, 2, True) == (*oracle.bwt(text), oracle.suffix_order(text))


@pytest.mark.parametrize("kind", ["four letters", "all bytes", "repeats"])
def test_texts_beyond_31_bits_are_shared(kind, monkeypatch):
    text = KINDS[kind](np.random.default_rng(4))
    wanted = sort(text, 1, True)
    monkeypatch.setattr(suffix_types, "MAX_INT32_LETTERS", 1000)
    assert sort(text, 2, True) == wanted


@pytest.mark.parametrize("suffixes", [False, True])
@pytest.mark.parametrize("kind", ["four letters", "twenty letters", "repeats"])
def test_where_all_wait_for_others_one_goes_on_alone(kind, suffixes, monkeypatch):
    text, scan, shares = KINDS[kind](np.random.default_rng(5)), induce_blocks.scan_blocks, []

    def late(*arguments):
        shared, states = arguments[-2:]
        shared[induce_blocks.RESTS] = 1 << 40  # as if others had been waited for all the time
        shares.append(states)
        return int(scan(*arguments))

    wanted = sort(text, 1, suffixes)
    monkeypatch.setattr(induce_blocks, "scan_blocks", late)
    assert sort(text, 2, suffixes) == wanted
    places = {int(states[0, induce_blocks.DONE]) for states in shares}
    assert places
    assert 0 < min(places) <= max(places) < len(text)


@pytest.mark.parametrize("threads", [1, 8])
def test_no_more_memory_is_taken_than_is_asked_for(threads):
    text = random_letters(np.random.default_rng(6), 2_000_000, 256)  # almost every LMS substring differs
    some = Team(threads, Clock(1, "induced"))
    run_to_end(sais.last_column(text[:100_000].copy(), some))
    tracemalloc.start()
    try:
        run_to_end(sais.last_column(text, some))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most <= memory_check.needed_bytes(text.size, memory_check.INDUCED_BYTES)


def test_a_team_has_no_more_threads_than_cores_and_than_a_step_is_worth(monkeypatch):
    pace = Clock(1, "induced")
    assert Team(100, pace).threads == team.MAX_TEAM_THREADS
    assert Team(3, pace, 10).threads_for(29) == 2
    assert Team(3, pace, 10).threads_for(5) == 1
    monkeypatch.setattr(team, "cores", lambda: 2)
    assert Team(100, pace).threads == 2
