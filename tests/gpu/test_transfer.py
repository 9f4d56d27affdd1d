"""Between host and card in pieces: every byte comes over, at every edge of a piece."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpu import transfer

SIZES = (1, 4095, 4096, 4097, 16 * 4096, 16 * 4096 + 1, 40 * 4096 + 7)


class Memory:
    """A pointer into what stands for a card's memory."""

    def __init__(self, letters: Any, at: int = 0) -> None:
        self.letters, self.at = letters, at

    def __add__(self, by: int) -> Memory:
        return Memory(self.letters, self.at + by)

    def copy_from_host_async(self, address: int, size: int) -> None:
        self.letters[self.at : self.at + size] = _bytes_at(address, size)

    def copy_to_host_async(self, address: int, size: int) -> None:
        _bytes_at(address, size)[:] = self.letters[self.at : self.at + size]


def _bytes_at(address: int, size: int) -> Any:
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))


@pytest.mark.parametrize("n", SIZES)
def test_every_byte_comes_over(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "PIECE", 4096)
    event = SimpleNamespace(record=lambda: None, synchronize=lambda: None)
    stream = SimpleNamespace(synchronize=lambda: None)
    cuda = SimpleNamespace(alloc_pinned_memory=bytearray, Event=lambda: event, get_current_stream=lambda: stream)
    way = transfer.Transfer(SimpleNamespace(cuda=cuda))
    host = np.random.default_rng(n).integers(0, 256, n, np.uint8)
    for _ in range(2):
        card, back = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        way.upload(host, Memory(card))
        way.download(Memory(card), back)
        assert np.array_equal(card, host)
        assert np.array_equal(back, host)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
@pytest.mark.parametrize("n", [transfer.LEAST - 1, transfer.LEAST, 100_000_001])
def test_large_arrays_come_over(cuda_card, n, dtype):
    host = np.random.default_rng(n).integers(0, 100, n).astype(dtype)
    for array in (host, host[::2], host[: host.size // 2 * 2].reshape(2, -1)):
        card = cuda_card.upload(array)
        assert (card.shape, card.dtype) == (array.shape, array.dtype)
        assert np.array_equal(cuda_card.download(card), array)
