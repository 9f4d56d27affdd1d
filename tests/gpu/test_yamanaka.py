"""Yamanaka's quicksort as published: beside sorted rotations and the CPU; its levels; refused and stopped."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from tests.core.running import watched
from tests.core.texts import HARD
from tests.depth import one_of
from tests.oracles import bwt as oracle
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.bwt import BwtJob
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.run.runner import run_job
from wavediff.gpu.bwt import bwt_launches as steps_of
from wavediff.gpu.bwt import run, yamanaka
from wavediff.tests.bench.letters import frozen

# A level compares one letter: texts that repeat little.
SHORT = ("empty", "one letter", "two, rising", "two, falling", "two NUL", "banana", "mississippi", "all bytes",
         "all bytes, falling", "four times", "rising runs", "NUL and 0xFF")  # fmt: skip


def transform(card, text, **choices):
    return watched(run.run_on(card, BwtJob(text=frozen(text), method=BwtMethod.YAMANAKA, **choices)))[1]


@pytest.mark.parametrize("name", SHORT)
def test_it_is_the_last_column_of_the_sorted_rotations(card, name):
    text = HARD[name]
    result = transform(card, text, suffixes=True)
    assert (result.last.tobytes(), result.primary) == oracle.bwt(text)
    assert result.suffixes.tolist() == oracle.suffix_order(text)


@pytest.mark.parametrize("n_letters", one_of(3, [2, 4, 27, 256]))
@pytest.mark.parametrize("n", [yamanaka.BLOCK - 1, yamanaka.BLOCK, 5_000])
def test_it_agrees_with_the_cpu(card, n, n_letters, monkeypatch):
    """Several blocks of threads write one segment, and several launches are a level."""
    monkeypatch.setattr(steps_of, "LAUNCH_ITEMS", 2 * yamanaka.BLOCK)
    text = random_letters(np.random.default_rng(n), n, n_letters)
    text[n // 2 : n // 2 + 40] = text[:40]
    cpu = run_job(BwtJob(text=frozen(text.tobytes()), suffixes=True), device=Device.CPU)
    result = transform(card, text.tobytes(), suffixes=True)
    assert (result.last.tobytes(), result.primary, result.n_runs) == (cpu.last.tobytes(), cpu.primary, cpu.n_runs)
    assert np.array_equal(result.suffixes, cpu.suffixes)
    assert "levels of one letter" in result.reason


@pytest.mark.parametrize("n", [2, 33, 150])
def test_a_repeat_takes_a_level_a_letter(card, n):
    """The paper's limit, which ``ternary`` has a way out of: of n letters alike n levels, and one for what is last."""
    result = transform(card, b"a" * n)
    assert (result.last.tobytes(), result.primary) == (b"a" * n, n)
    assert f"{n:,} levels" in result.reason


def test_what_does_not_fit_is_refused_before_anything_is_allocated(card, monkeypatch):
    monkeypatch.setattr(card, "free", lambda: 10_000)
    with pytest.raises(
        DeviceOutOfMemory,
        match=r"the quicksort of Yamanaka, Ino and Hagihara of 6,000 letters needs .* 0\.00 GiB are free",
    ):
        transform(card, b"banana" * 1000)


def test_it_stops_between_levels(card):
    """A text that would take 20,000 levels."""
    steps = run.run_on(card, BwtJob(text=frozen(b"a" * 20_000), method=BwtMethod.YAMANAKA))
    for _ in range(60):
        next(steps)
    steps.close()


@pytest.mark.gpu
@pytest.mark.parametrize("n_letters", [4, 27, 200])
def test_millions_of_letters_agree_with_the_cpu(cuda_card, n_letters):
    text = random_letters(np.random.default_rng(1), 3_000_000, n_letters)
    text[2_000_000:2_000_300] = text[:300]
    cpu = run_job(BwtJob(text=frozen(text.tobytes())), device=Device.CPU)
    result = transform(cuda_card, text.tobytes())
    assert (result.last.tobytes(), result.primary) == (cpu.last.tobytes(), cpu.primary)
