"""Between host and card in pieces: every byte comes over, at every edge of a piece, whatever stops or fails."""

import threading

import numpy as np
import pytest

from tests.gpu.host_queue import HostDriver
from wavediff.core.jit import pinned_copy
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.gpu.card import transfer
from wavediff.gpu.card.transfer import Transfer
from wavediff.gpu.card.transfer_size import THREADED_COPY_BYTES

PIECE_BYTES = 4096
SIZES = (
    0,
    1,
    PIECE_BYTES - 1,
    PIECE_BYTES,
    PIECE_BYTES + 1,
    16 * PIECE_BYTES,
    16 * PIECE_BYTES + 1,
    40 * PIECE_BYTES + 7,
)


@pytest.fixture(autouse=True)
def small_pieces(request, monkeypatch):
    run_to_end(pinned_copy.make_ready(Step(0)))
    if request.node.get_closest_marker("gpu") is None:
        monkeypatch.setattr(transfer, "PIECE_BYTES", PIECE_BYTES)


@pytest.mark.parametrize("threads", [1, 2, 6])
def test_every_byte_comes_over(threads):
    strategy = Transfer(HostDriver())
    for n in SIZES:
        host = np.random.default_rng(n).integers(0, 256, n, np.uint8)
        for _ in range(2):
            card, back = np.zeros(n + 1, np.uint8), np.zeros(n, np.uint8)
            strategy.bring(host, card.ctypes.data, 0, threads).wait()
            strategy.fetch(card.ctypes.data, back, 0, threads).wait()
            assert np.array_equal(card[:n], host)
            assert card[n] == 0
            assert np.array_equal(back, host)


def test_transfers_that_are_under_way_together_do_not_meet():
    strategy = Transfer(HostDriver())
    hosts = [np.random.default_rng(k).integers(0, 256, 9 * PIECE_BYTES + k, np.uint8) for k in range(12)]
    cards = [np.zeros_like(one) for one in hosts]
    under_way = [strategy.bring(host, card.ctypes.data, 0) for host, card in zip(hosts, cards, strict=True)]
    for delivery, host, card in zip(under_way, hosts, cards, strict=True):
        delivery.wait()
        assert np.array_equal(host, card)


class FailingDriver(HostDriver):
    """Fails at the copy of that number, and after it; ``gate`` is waited for at the first one."""

    def __init__(self, fails_at, gate=None):
        self.copies, self._fails_at, self._gate = 0, fails_at, gate
        self.begun = threading.Event()
        super().__init__()

    def copy(self, to, source, size, queue):
        self.begun.set()
        if self._gate is not None:
            self._gate.wait(20)
        self.copies += 1
        return super().copy(to, source, size, queue) if self.copies < self._fails_at else 700


@pytest.mark.parametrize("fails_at", [1, 7])
def test_a_call_that_fails_is_told_and_the_threads_live_on(fails_at):
    driver = FailingDriver(fails_at)
    strategy, host = Transfer(driver), np.zeros(40 * PIECE_BYTES, np.uint8)
    card = np.zeros_like(host)
    for start in (lambda: strategy.bring(host, card.ctypes.data, 0), lambda: strategy.fetch(card.ctypes.data, host, 0)):
        with pytest.raises(OSError, match="700"):
            start().wait()
    driver.copies = -1000
    host[:] = 7
    strategy.bring(host, card.ctypes.data, 0).wait()
    assert (card == 7).all()


def test_a_stop_brings_no_more():
    gate = threading.Event()
    driver = FailingDriver(10**6, gate)
    host, card = np.zeros((2, 1000 * PIECE_BYTES), np.uint8)
    delivery = Transfer(driver).bring(host, card.ctypes.data, 0)
    assert driver.begun.wait(20)
    threading.Timer(0.05, gate.set).start()
    delivery.stop()
    assert 0 < driver.copies <= transfer.MAX_THREADS
    delivery.wait()


def test_a_driver_without_memory_is_told():
    class Poor(HostDriver):
        def pinned(self, size):
            raise MemoryError("none left")

    host = np.zeros(PIECE_BYTES, np.uint8)
    with pytest.raises(MemoryError, match="none left"):
        Transfer(Poor()).bring(host, host.ctypes.data, 0).wait()


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
@pytest.mark.parametrize("n", [THREADED_COPY_BYTES - 1, THREADED_COPY_BYTES, 100_000_001])
def test_large_arrays_come_over(cuda_card, n, dtype):
    host = np.random.default_rng(n).integers(0, 100, n).astype(dtype)
    for array in (host, host[::2], host[: host.size // 2 * 2].reshape(2, -1)):
        card = cuda_card.upload(array)
        assert (card.shape, card.dtype) == (array.shape, array.dtype)
        assert np.array_equal(cuda_card.download(card), array)
