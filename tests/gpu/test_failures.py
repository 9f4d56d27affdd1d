"""What CuPy raises arrives as errors of this program."""

import sys

import numpy as np
import pytest

from tests.gpu import fake_cupy
from tests.gpu.fake_cupy import CompileException, CudaError, DriverError, NVRTCError, OutOfMemoryError
from wavediff.core.base.errors import DeviceError, DeviceLost, DeviceOutOfMemory
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.driver import one_line, translated


@pytest.fixture
def fake(monkeypatch):
    return fake_cupy.install(monkeypatch)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OutOfMemoryError("Out of memory allocating 9 bytes"), DeviceOutOfMemory),
        (CudaError(2), DeviceOutOfMemory),
        (DriverError(2), DeviceOutOfMemory),
        (CudaError(700), DeviceLost),
        (CudaError(702), DeviceLost),
        (DriverError(719), DeviceLost),
        (CudaError(214), DeviceLost),
        (CudaError(999), DeviceLost),
        (CudaError(46), DeviceError),
        (DriverError(209), DeviceError),
        (CompileException("a.cu(3): error"), DeviceError),
        (NVRTCError("NVRTC_ERROR_COMPILATION"), DeviceError),
    ],
)
def test_each_error_is_one_of_ours(fake, error, kind):
    got = translated(error)
    assert type(got) is kind
    assert str(error) in str(got)
    assert translated(DeviceLost("as it is")) is not None


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("ours"), ValueError(), KeyboardInterrupt()])
def test_what_does_not_come_from_the_card_stays(fake, error):
    assert translated(error) is None


def test_cupy_is_not_loaded_to_look_at_an_error(monkeypatch):
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    assert translated(RuntimeError("x")) is None
    assert "cupy" not in sys.modules


def test_the_real_exceptions_have_these_names():
    cuda = pytest.importorskip("cupy", reason="no CuPy").cuda
    assert isinstance(translated(cuda.memory.OutOfMemoryError(10, 20)), DeviceOutOfMemory)
    assert isinstance(translated(cuda.runtime.CUDARuntimeError(2)), DeviceOutOfMemory)
    assert type(translated(cuda.runtime.CUDARuntimeError(700))) is DeviceLost
    assert isinstance(translated(cuda.compiler.CompileException("m", "s", "n", ())), DeviceError)
    assert issubclass(cuda.driver.CUDADriverError, RuntimeError)
    assert issubclass(cuda.nvrtc.NVRTCError, RuntimeError)


def test_every_call_of_the_card_raises_ours(fake):
    card, array = Card(), np.zeros(3)
    kernel = card.kernel("strips.cu", "strips", METHOD=1)
    assert card.launch(kernel, 1, 32, 0) == 0.0025
    calls = {
        "zeros": lambda: card.zeros(3, np.uint8),
        "upload": lambda: card.upload(array),
        "download": lambda: card.download(array),
        "kernel": lambda: card.launch(kernel, 1, 32, 0),
        "synchronize": lambda: card.launch(kernel, 1, 32, 0),
        "RawModule": lambda: card.kernel("strips.cu", "strips", METHOD=2),
        "memGetInfo": card.free,
        "free_all_blocks": card.release,
    }
    for name, call in calls.items():
        fake.errors = {name: CudaError(700, "cudaErrorIllegalAddress: an illegal memory access was encountered")}
        with pytest.raises(DeviceLost, match="an illegal memory access"):
            call()
        fake.errors = {name: OutOfMemoryError("Out of memory")}
        with pytest.raises(DeviceOutOfMemory):
            call()
        fake.errors = {name: ValueError("ours")}
        with pytest.raises(ValueError, match="ours"):
            call()


@pytest.mark.parametrize("error", [RuntimeError('Failure finding "libnvrtc.so.13"'), PermissionError("read-only")])
def test_a_compiler_that_is_not_there_is_said(fake, error):
    card = Card()
    fake.errors["RawModule"] = error
    with pytest.raises(DeviceError, match=f"a kernel could not be compiled: {error}"):
        card.kernel("strips.cu", "strips")


def test_long_texts_become_one_line():
    assert one_line(ImportError("=====\nCuPy  failed\n\n-----\n  because\n")) == "CuPy failed; because"
    assert one_line(ValueError("x" * 900), 50) == "x" * 49 + "…"


def test_work_that_could_not_be_timed_is_done_all_the_same(fake):
    card = Card()
    kernel = card.kernel("pack.cu", "count_rows")
    assert card.launch(kernel, 1, 32, 0) == 2.5e-3
    fake.errors["elapsed"] = CudaError(600)
    assert 0 <= card.launch(kernel, 1, 32, 0) < 10
    fake.errors["elapsed"] = CudaError(46)
    with pytest.raises(DeviceError):
        card.launch(kernel, 1, 32, 0)


def test_a_kernel_is_watched_until_it_ends_and_waited_for_whatever_the_watch_does(fake):
    card, seen, waited = Card(), [], []
    kernel = card.kernel("pack.cu", "count_rows")
    event = sys.modules["cupy"].cuda.Event()
    event.done, event.synchronize = False, lambda: waited.append(event.done)

    def watch():
        seen.append(event.done)
        event.done = len(seen) == 3

    assert card.launch(kernel, 1, 32, 0, watch=watch) == 2.5e-3
    assert (seen, waited) == ([False] * 3, [True])

    def fails():
        raise ZeroDivisionError

    event.done = False
    with pytest.raises(ZeroDivisionError):
        card.launch(kernel, 1, 32, 0, watch=fails)
    assert waited == [True, False]
