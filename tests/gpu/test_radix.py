"""The stable sort beside NumPy's: edges of warps, items, tiles and digits."""

import numpy as np
import pytest

from wavediff.core.jobs.events import Step, run_to_end
from wavediff.gpu.bwt import sync_set_sort
from wavediff.gpu.bwt.bwt_launches import LaunchQueue


def sorted_by(card, keys, bits, values=None, **choices):
    steps = sync_set_sort.sort(
        LaunchQueue(card, Step(1), "sort"), card.upload(keys), bits, values and card.upload(values[0]), **choices
    )
    out, with_it = run_to_end(steps)
    return card.download(out), None if with_it is None else card.download(with_it)


def check(card, keys, bits):
    low, high = bits
    compared = keys >> np.uint64(low) & np.uint64((1 << (high - low)) - 1)
    order = np.argsort(compared, kind="stable")
    values = np.arange(keys.size, dtype=np.uint32)[::-1] * np.uint32(3)
    alone, nothing = sorted_by(card, keys, bits)
    assert nothing is None
    assert np.array_equal(alone, keys[order])
    for given, wanted in (((values,), values[order]), (None, order)):
        out, with_it = sorted_by(card, keys, bits, given, order=given is None)
        assert np.array_equal(out, keys[order])
        assert np.array_equal(with_it, wanted)


def random_keys(n, bits=64):
    return np.random.default_rng(n).integers(0, 1 << bits, n, np.uint64)


@pytest.mark.parametrize("n", [1, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 9000])
def test_sizes_round_every_edge(card, n):
    check(card, random_keys(n), (0, 64))


@pytest.mark.parametrize("bits", [(0, 1), (0, 8), (0, 9), (2, 64), (7, 63), (56, 64), (63, 64), (5, 13)])
def test_only_the_bits_asked_for_count(card, bits):
    check(card, random_keys(5000), bits)


@pytest.mark.parametrize("kind", ["one key", "two keys", "falling", "high bits alone", "few low bits"])
def test_keys_that_are_much_alike(card, kind):
    n = 6000
    keys = {
        "one key": np.full(n, 77, np.uint64),
        "two keys": random_keys(n, 1) * np.uint64(~np.uint64(0)),
        "falling": np.arange(n, 0, -1).astype(np.uint64),
        "high bits alone": random_keys(n, 3) << np.uint64(61),
        "few low bits": random_keys(n, 2),
    }[kind]
    check(card, keys, (0, 64))
    check(card, keys, (2, 40))


def test_counts_that_need_wide_words(card, monkeypatch):
    monkeypatch.setattr(sync_set_sort, "MAX_NARROW", 1)
    check(card, random_keys(9000), (3, 50))


@pytest.mark.gpu
@pytest.mark.parametrize("bits", [(0, 64), (2, 64), (0, 20)])
def test_millions_of_keys(cuda_card, bits):
    check(cuda_card, random_keys(20_000_003), bits)
