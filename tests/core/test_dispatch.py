"""The choice between devices, and what becomes of a job whose device fails."""

import re
import threading
from time import monotonic

import numpy as np
import pytest

from tests.app import fakes
from tests.clock import check_within
from tests.core.pairs import in_no_memory
from tests.gpu import fake_cupy, fake_twin
from tests.gpu.fake_cupy import OutOfMemoryError
from tests.gpu.fake_twin import Twin
from wavediff.core.base.errors import (
    BackendUnavailable,
    Cancelled,
    DeviceError,
    DeviceLost,
    DeviceOutOfMemory,
    DeviceTooSmall,
    NotEnoughMemory,
    SelfCheckFailed,
)
from wavediff.core.jobs import KernelModules, card_limits
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.jobs.events import DeviceChosen, KernelTiming, NoticeRaised
from wavediff.core.methods import EDIT, METHODS, SWAP
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, LcsKernel
from wavediff.core.methods.swap import SwapEditJob, SwapKernel
from wavediff.core.run import dispatch, rates
from wavediff.core.run.dispatch import resolve
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool
from wavediff.core.system.machine import GraphicsCard

H200 = GraphicsCard("NVIDIA H200", 141 << 30, (9, 0), 132, 1.98e9, "14.0.0", "13.0", "13.0")
SMALL = GraphicsCard("T1000", 4 << 30, (7, 5), 14, 1.4e9, "14.0.0", "13.0", "13.0")


@pytest.fixture
def card(monkeypatch):
    monkeypatch.setattr(EditJob, "modules", KernelModules(cpu=fakes.HERE, gpu=None))
    return fake_twin.install(monkeypatch)


def job(n, m=0, **choices):
    return LcsJob(a=in_no_memory(n), b=in_no_memory(m or n), threads=2, id=77, **choices)


def small():
    return LcsJob(a=np.zeros(40, np.uint8), b=np.zeros(40, np.uint8))


def told(device=Device.GPU):
    events = []
    result = run_job(small(), device=device, report=events.append)
    return result, events


def test_a_small_job_stays_on_the_cpu_and_asks_no_driver(card):
    choice = resolve(job(200))
    assert choice.device is Device.CPU
    assert choice.free
    assert re.fullmatch(r"faster for this size \(200 × 200\): \d+ µs", choice.reason)
    assert card.calls == []
    assert resolve(job(0)).device is Device.CPU


def test_a_large_job_goes_to_the_card(card):
    choice = resolve(job(10_000_000))
    assert choice.device is Device.GPU
    one = job(10)
    list(choice.run(one))
    assert Twin.ran == [one.id]
    assert choice.reason.startswith("about ")
    assert " on Fake 9000, 1 min 23 s on 2 cores" in choice.reason


@pytest.mark.parametrize(
    ("n", "says"),
    [
        (40_000_000, "; 2 cards share it, except with a band"),
        (1_000_000, "; one of 2 cards runs it: it is too short to gain from more cards"),
    ],
)
def test_how_many_cards_do_a_job_and_why(card, n, says):
    card.has("Fake 9000", "Fake 9000")
    one = job(n, kernel=LcsKernel.DEFAULT, path=TracebackMethod.NONE)
    assert resolve(one, Device.GPU).reason == "asked for" + says
    both, alone = dispatch.graphics_cards().describe(), H200
    assert both is not None
    assert rates.cards_of(one, both) == 1 + (n > 10_000_000)
    assert rates.cards_of(one, alone) == 1


def test_a_kernel_of_a_paper_is_for_one_card(card):
    card.has("Fake 9000", "Fake 9000")
    one = job(40_000_000, kernel=LcsKernel.KAWANAMI, path=TracebackMethod.NONE)
    assert resolve(one).reason.endswith("; one of 2 cards runs it: its kernel uses a single card")
    free = EditJob(a=one.a, b=one.b, ends=Ends.A)
    assert free.single_card_reason == "its kernel uses a single card"


def test_a_large_job_stays_where_the_card_has_no_room(card):
    card.free = 100 << 20
    choice = resolve(job(10_000_000))
    assert (choice.device, choice.reason) == (Device.CPU, "the GPU needs 0.2 GB, 0.1 GB are free")


def test_a_large_job_stays_where_no_card_can_be_used(card):
    card.capability = (6, 1)
    choice = resolve(job(10_000_000))
    assert choice.device is Device.CPU
    assert choice.reason.startswith("GPU not used: Fake 9000 is too old")


def test_a_card_that_is_taken_is_left_alone(card):
    card.errors["memGetInfo"] = fake_cupy.CudaError(46, "cudaErrorDevicesUnavailable: all busy")
    choice = resolve(job(10_000_000))
    assert (choice.device, choice.reason) == (Device.CPU, "GPU not used: cudaErrorDevicesUnavailable: all busy")


@pytest.mark.thorough
@pytest.mark.timed
def test_a_driver_is_not_waited_for_longer_than_the_cpu_takes(card):
    card.gate = threading.Event()
    begun = monotonic()
    choice = resolve(job(2_000_000, 1_000_000))  # 1.7 s on two cores
    card.gate.set()
    took = monotonic() - begun
    assert took > 1.5
    check_within(took, 9)
    assert (choice.device, choice.reason) == (Device.CPU, "GPU not used: the driver has not answered for 2 s")
    assert dispatch.gpu_obstacle(LcsJob) is None
    assert resolve(job(2_000_000, 1_000_000)).device is Device.GPU


def test_what_is_asked_for_is_done(card):
    assert resolve(job(10), Device.GPU).device is Device.GPU
    assert resolve(job(10_000_000), Device.CPU).device is Device.CPU
    assert resolve(job(10), Device.GPU).reason == "asked for"
    edit = EditJob(a=np.zeros(1, np.uint8), b=np.zeros(1, np.uint8))
    assert not resolve(edit).free  # no twin: there is nothing to choose
    with pytest.raises(BackendUnavailable, match="GPU not used: no GPU kernel for this method"):
        resolve(edit, Device.GPU)


def test_a_gpu_that_is_asked_for_and_cannot_be_used_is_an_error(card):
    card.errors["count"] = fake_cupy.CudaError(100)
    with pytest.raises(BackendUnavailable, match="GPU not used: there is no graphics card"):
        run_job(small(), device=Device.GPU)
    assert fakes.Lcs.closed == []


@pytest.mark.parametrize(
    ("error", "says", "usable"),
    [
        (
            OutOfMemoryError("Out of memory allocating 9 bytes"),
            "Too little GPU memory for this job (Out of memory",
            True,
        ),
        (DeviceOutOfMemory("7 GB"), "Too little GPU memory for this job (7 GB)", True),
        (DeviceLost("an illegal memory access"), "failed (an illegal memory access) and is not used again", False),
        (DeviceError("a kernel could not be compiled: x"), "failed (a kernel could not be compiled: x)", False),
        (SelfCheckFailed("block 3 differs"), "failed (it computed a wrong result: block 3 differs)", False),
    ],
)
@pytest.mark.parametrize("asked", [Device.AUTO, Device.GPU])
def test_a_job_goes_on_with_the_cpu_and_says_so(card, monkeypatch, error, says, usable, asked):
    """The result is equal, and says what computed it."""
    if asked is Device.AUTO:
        monkeypatch.setattr(rates, "cpu_seconds", lambda _job: 1e6)
    Twin.error = error
    result, events = told(asked)
    assert (result.device, result.length) == ("cpu", 40)
    kinds = [type(event) for event in events if isinstance(event, DeviceChosen | NoticeRaised | KernelTiming)]
    assert kinds == [DeviceChosen, KernelTiming, NoticeRaised, DeviceChosen, KernelTiming]
    devices = [(e.device, e.reason) for e in events if isinstance(e, DeviceChosen)]
    assert devices[0][0] == "gpu"
    assert devices[1] == ("cpu", "the GPU failed")
    notice = next(event for event in events if isinstance(event, NoticeRaised))
    assert says in notice.text
    assert (dispatch.gpu_obstacle(LcsJob) is None) is usable
    if not usable:
        assert "failed earlier in this session" in str(dispatch.gpu_obstacle(LcsJob))
        with pytest.raises(BackendUnavailable, match="failed earlier in this session"):
            run_job(small(), device=Device.GPU)
        assert run_job(small()).device == "cpu"


@pytest.mark.parametrize("error", [DeviceLost("gone"), OutOfMemoryError("9 bytes")])
def test_a_job_for_cards_only_ends_with_the_cards_failure(card, error):
    Twin.error = error
    paper = LcsJob(a=np.zeros(40, np.uint8), b=np.zeros(40, np.uint8), kernel=LcsKernel.KAWANAMI)
    with pytest.raises(DeviceError, match=str(error)):
        run_job(paper)
    assert fakes.Lcs.closed == []
    with pytest.raises(BackendUnavailable, match="CPU: the kernel of Kawanami 2011"):
        run_job(paper, device=Device.CPU)


def test_the_kernels_of_kim_are_for_cards_only(card):
    letters = np.zeros(40, np.uint8)
    pair = SwapEditJob(a=letters, b=letters, kernel=SwapKernel.KIM, path=TracebackMethod.NONE)
    batch = BatchJob(a=SequencePool.of([letters]), b=None, method=SWAP, options={"kernel": SwapKernel.KIM_GLOBAL})
    for one in (pair, batch):
        assert one.cpu_obstacle is not None
        assert resolve(one).device is Device.GPU
        with pytest.raises(BackendUnavailable, match="CPU: the kernel of Kim 2015"):
            resolve(one, Device.CPU)


def test_batches_are_weighed_by_their_cells_and_letters(card):
    few, many = SequencePool.of([np.zeros(100, np.uint8)] * 3), SequencePool.of([np.zeros(1000, np.uint8)] * 3000)
    for method in (one for one in METHODS if one.batch is not None and one.batch.modules.gpu is not None):
        choice = resolve(BatchJob(a=few, b=None, method=method))
        assert choice.device is Device.CPU
        assert "faster for this size (3 pairs)" in choice.reason
        assert resolve(BatchJob(a=many, b=None, method=method)).device is Device.GPU
        one = BatchJob(a=many, b=many, pairs=Pairing.ONE_TO_ONE, method=method)
        assert one.n_letters == 6_000_000
        assert one.n_cells == 3_000_000_000
    assert BatchJob(a=many, b=None).card_bytes > 4 * 3000**2


def test_what_the_cpu_cannot_do_either_is_raised(card):
    Twin.error = NotEnoughMemory("9 GB")
    with pytest.raises(NotEnoughMemory):
        told()
    assert fakes.Lcs.closed == []
    assert dispatch.gpu_obstacle(LcsJob) is None


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("negative\n  dimensions"), "has a bug (ValueError: negative dimensions, fake_twin.py, line "),
        (ZeroDivisionError(), "has a bug (ZeroDivisionError, fake_twin.py, line "),
        (OverflowError("2198678955 out of bounds"), "has a bug (OverflowError: 2198678955 out of bounds, "),
        (MemoryError(), "The main memory is too small for this job on the GPU; the CPU runs it"),
    ],
)
def test_a_defect_of_the_program_for_the_card_is_told_and_ends_no_job(card, error, says):
    """The notice says what was raised and where, and the card itself stays in use."""
    Twin.error = error
    result, events = told()
    assert (result.device, result.length) == ("cpu", 40)
    (notice,) = [event for event in events if isinstance(event, NoticeRaised)]
    assert says in notice.text
    assert dispatch.gpu_obstacle(LcsJob) is None


def test_a_defect_under_a_job_for_cards_only_is_raised_as_it_is(card):
    Twin.error = ValueError("a defect")
    with pytest.raises(ValueError, match="a defect"):
        run_job(LcsJob(a=np.zeros(40, np.uint8), b=np.zeros(40, np.uint8), kernel=LcsKernel.KAWANAMI))


def test_a_job_that_was_stopped_goes_on_nowhere(card):
    """Whatever its kernel made of being stopped."""
    token, events = CancelToken(), []

    def report(event):
        events.append(event)
        token.cancel()

    Twin.error = ValueError("a defect")
    with pytest.raises(Cancelled):
        run_job(small(), device=Device.GPU, report=report, cancel=token)
    assert not [event for event in events if isinstance(event, NoticeRaised)]


def check_limit(card, monkeypatch, one, says):
    """Check that a job which would take long stays on the CPU for a reason, and no card is woken."""
    assert one.card_limit_reason == says
    monkeypatch.setattr(type(one), "modules", KernelModules(cpu=fakes.HERE, gpu=fake_twin.HERE))
    monkeypatch.setattr(rates, "cpu_seconds", lambda _job: 1e9)  # else its size would decide
    choice = resolve(one)
    assert (choice.device, choice.reason) == (Device.CPU, says)
    assert set(card.calls) <= {"count"}


@pytest.mark.parametrize("kind", [LcsJob, EditJob, SwapEditJob, BatchJob])
def test_sequences_longer_than_a_card_counts_are_for_the_cpu(card, monkeypatch, kind):
    assert card_limits.MAX_LETTERS < 1 << 31
    monkeypatch.setattr(card_limits, "MAX_LETTERS", 1000)
    long = np.zeros(1009, np.uint8)
    if kind is BatchJob:
        pool = SequencePool.of([])
        object.__setattr__(pool, "letters", long)
        object.__setattr__(pool, "starts", np.array([0, 5, long.size]))
        one = BatchJob(a=pool, b=None, method=EDIT)
    else:
        one = kind(a=long[:100], b=long, threads=2)
    longest = "1,004" if kind is BatchJob else "1,009"
    says = f"the GPU compares sequences of up to 1,000 letters, and one has {longest}"
    check_limit(card, monkeypatch, one, says)


@pytest.mark.parametrize("kind", [LcsJob, EditJob, SwapEditJob, BatchJob])
def test_bug_f2_letters_wider_than_bytes_are_for_the_cpu(card, monkeypatch, kind):
    letters = np.arange(300, dtype=np.uint16)
    if kind is BatchJob:
        letters = SequencePool(letters, np.array([0, letters.size]))
    one = kind(a=letters, b=letters)
    says = "the GPU compares texts with at most 254 different characters (ASCII or in both), and these have more"
    check_limit(card, monkeypatch, one, says)
    with pytest.raises(DeviceTooSmall, match="254 different characters"):
        resolve(one, Device.GPU).begin(one)
    monkeypatch.setattr(rates, "cpu_seconds", lambda _job: 1e-3)
    assert resolve(one).reason.startswith("faster for this size")


def test_a_limit_of_cards_is_named_only_where_there_is_one(card, monkeypatch):
    monkeypatch.setattr(rates, "cpu_seconds", lambda _job: 1e9)
    card.errors["count"] = fake_cupy.CudaError(100)
    letters = np.arange(300, dtype=np.uint16)
    assert resolve(LcsJob(a=letters, b=letters)).reason == "GPU not used: there is no graphics card that CUDA can use"


def test_a_gpu_that_is_asked_for_a_job_that_is_too_long_says_so(card, monkeypatch):
    monkeypatch.setattr(card_limits, "MAX_LETTERS", 39)
    result, events = told()
    assert result.device == "cpu"
    (notice,) = [event.text for event in events if isinstance(event, NoticeRaised)]
    assert notice == "The GPU compares sequences of up to 39 letters, and one has 40; the CPU runs it"
    assert Twin.ran == []
    with pytest.raises(DeviceError, match="up to 39 letters"):
        run_job(LcsJob(a=np.zeros(40, np.uint8), b=np.zeros(40, np.uint8), kernel=LcsKernel.KAWANAMI))
    assert dispatch.gpu_obstacle(LcsJob) is None


def test_a_self_check_that_fails_on_the_cpu_is_raised(card):
    fakes.Lcs.error = SelfCheckFailed("wrong")
    with pytest.raises(SelfCheckFailed):
        told(Device.CPU)
    assert dispatch.gpu_obstacle(LcsJob) is None


def test_stop_holds_for_what_follows_a_failure(card):
    """The job that fell back is the one that was stopped."""
    Twin.error, token = DeviceLost("gone"), CancelToken()

    def report(event):
        if isinstance(event, NoticeRaised):
            token.cancel()

    with pytest.raises(Cancelled):
        run_job(small(), device=Device.GPU, report=report, cancel=token)


def test_memory_of_the_card_is_given_back_after_a_failure(card):
    from wavediff.gpu.card import current_card

    current_card.card()
    Twin.error = DeviceOutOfMemory("7 GB")
    told()
    assert card.calls[-1] == "free_all_blocks"


def test_rates_of_the_table():
    """The figures measured on an H200, and a straight way between them."""
    for n, rate in ((10**5, 1.8e12), (200_000, 5.5e12), (1_048_809, 60e12), (1 << 24, 145e12)):
        assert n * n / rates.gpu_seconds(job(n)) == pytest.approx(rate, rel=0.2)
    assert rates.gpu_seconds(job(100)) == rates.gpu_seconds(job(60_000)) == rates.GPU_JOB_SECONDS
    times = [rates.gpu_seconds(job(n)) for n in (10**5, 2 * 10**5, 10**6, 3 * 10**6, 10**7, 10**8)]
    assert times == sorted(times)
    assert rates.cpu_seconds(job(10**6)) == pytest.approx(1e12 / 1.2e12)


def test_a_small_card_is_slower_at_large_sizes_only():
    n, ratio = 1 << 24, 132 * 1.98 / (14 * 1.4)
    assert rates.gpu_seconds(job(n), SMALL) == pytest.approx(rates.gpu_seconds(job(n), H200) * ratio)
    assert rates.gpu_seconds(job(130_384), SMALL) == rates.gpu_seconds(job(130_384), H200)


def test_a_batch_takes_as_long_as_its_lanes_that_no_pair_fills():
    def seconds(n, pairs, threads=2):
        a, b = (SequencePool.of([np.zeros(size, np.uint8)] * n) for size in (1_000, 30_000))
        return rates.cpu_seconds(BatchJob(a=a, b=b, pairs=pairs, threads=threads))

    alone = seconds(1, Pairing.ONE_TO_ONE)
    assert alone == seconds(1, Pairing.ONE_TO_ONE, threads=1) == seconds(8, Pairing.ONE_TO_ONE)
    assert seconds(9, Pairing.ONE_TO_ONE) == pytest.approx(alone)  # another group for another thread
    assert seconds(9, Pairing.ONE_TO_ONE, threads=1) == pytest.approx(2 * alone)
    assert seconds(16, Pairing.ALL_TO_ALL) == pytest.approx(16 * alone)
    one = BatchJob(a=SequencePool.of([np.zeros(1 << 16, np.uint8)]), b=None, pairs=Pairing.ALL_TO_ALL, threads=1)
    assert rates.cpu_seconds(one) == 0  # there is no pair


@pytest.mark.parametrize(("device", "seconds"), [("cpu", rates.cpu_seconds), ("gpu", rates.gpu_seconds)])
def test_what_was_measured_counts_more_than_the_table(card, device, seconds):
    one, before = job(1_000_000), seconds(job(1_000_000))
    for _ in range(2):  # the second time the same: it is no factor on a factor
        rates.record_rate(one, device, 10**12, before * 3)
        assert seconds(one) == pytest.approx(3 * before)
    rates.record_rate(one, device, 10**6, 100.0)  # too small to mean anything
    assert seconds(one) == pytest.approx(3 * before)
    rates.forget()
    assert seconds(one) == pytest.approx(before)


def test_a_slow_card_loses_its_jobs(card):
    """Auto learns from what it ran: this card does in a minute what was to take a fraction of a second."""
    assert resolve(job(2_000_000)).device is Device.GPU
    Twin.cells, Twin.seconds = 4 * 10**12, 60.0
    told()
    choice = resolve(job(2_000_000))
    assert choice.device is Device.CPU
    assert "): 3.3 s" in choice.reason


def test_kernels_that_are_loaded_count_no_more(card):
    assert resolve(job(500_000)).device is Device.CPU
    told()
    assert resolve(job(500_000)).device is Device.GPU
