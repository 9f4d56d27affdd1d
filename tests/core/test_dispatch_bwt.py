"""The choice between devices for transforms, whose rates count letters."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from tests.core.pairs import in_no_memory
from tests.gpu import fake_cupy
from wavediff.core.base.errors import BackendUnavailable, DeviceTooSmall
from wavediff.core.jobs.bwt import BwtJob, IndexJob, InverseBwtJob
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.run import dispatch, rates
from wavediff.core.run.dispatch import resolve


@pytest.fixture
def card(monkeypatch):
    return fake_cupy.install(monkeypatch)


def text(kind, n, **choices):
    """A job of the transform or its inverse with n letters."""
    letters = {"last": in_no_memory(n), "primary": n} if kind is InverseBwtJob else {"text": in_no_memory(n)}
    return kind(**letters | {"threads": 1, "id": 78} | choices)


@pytest.mark.parametrize("kind", [BwtJob, IndexJob, InverseBwtJob])
def test_transforms_are_chosen_by_their_letters(card, kind):
    few = resolve(text(kind, 50_000))
    assert few.device is Device.CPU
    assert few.free
    assert few.reason.startswith("faster for this size (50,000 letters): ")
    assert card.calls == []
    many = resolve(text(kind, 100_000_000))
    assert isinstance(many.run, partial)
    assert (many.device, many.run.args[0].__name__) == (Device.GPU, kind.modules.gpu)
    before = rates.start_seconds(text(kind, 10), awake=True)
    dispatch.record_measurement(text(kind, 10), Device.GPU, 0, 0.0)
    assert rates.start_seconds(text(kind, 10), awake=True) == 0 < before
    card.free = 1 << 20
    assert resolve(text(kind, 100_000_000)).reason.startswith("the GPU needs ")


@pytest.mark.parametrize("kind", [BwtJob, IndexJob, InverseBwtJob])
def test_texts_longer_than_a_card_counts_are_for_the_cpu(card, kind):
    says = "the GPU transforms texts of up to 2,146,435,072 letters, and this one has 2,200,000,000"
    one = text(kind, 2_200_000_000)
    choice = resolve(one)
    assert (choice.device, choice.reason) == (Device.CPU, says)
    with pytest.raises(DeviceTooSmall, match=says):
        resolve(one, Device.GPU).begin(one)


@pytest.mark.parametrize("method", [BwtMethod.TERNARY, BwtMethod.SAIS, BwtMethod.PACKED])
def test_ways_that_are_the_cpus_own_stay_there(card, method):
    wanted = f"{method} sorting runs on the CPU only; auto runs on both"
    choice = resolve(text(BwtJob, 100_000_000, method=method))
    assert (choice.device, choice.reason) == (Device.CPU, wanted)
    with pytest.raises(BackendUnavailable, match=f"^GPU not used: {wanted}$"):
        resolve(text(BwtJob, 10, method=method), Device.GPU)


def test_a_saved_index_stays_on_the_cpu(card):
    saved = SimpleNamespace(samples=np.zeros(1, np.int32), last=np.zeros(1, np.uint8))
    choice = resolve(text(IndexJob, 100_000_000, text=None, saved=saved))
    assert choice.device is Device.CPU
    assert choice.reason.startswith("a saved index needs no sorting")


def test_yamanakas_own_kernels_are_for_cards_only(card):
    job = BwtJob(text=np.zeros(40, np.uint8), method=BwtMethod.YAMANAKA)
    assert job.cpu_obstacle is not None
    assert resolve(job).device is Device.GPU
    with pytest.raises(BackendUnavailable, match="CPU: the kernel of Yamanaka, Ino and Hagihara"):
        resolve(job, Device.CPU)
