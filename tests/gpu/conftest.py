"""Cards to run on: the host's emulation everywhere g++ is, the graphics card where there is one."""

import shutil
import sys

import pytest

from tests import kept
from tests.gpu.host_card import HostCard
from wavediff.gpu.pairwise import card_matrix
from wavediff.gpu.pairwise.strips import spot_check


@pytest.fixture(scope="session")
def host_card():
    if shutil.which("g++") is None:
        pytest.skip("no g++ to build the kernels for the host with")
    place = kept.folder("emulation")
    kept.sweep(place)
    return HostCard(place)


@pytest.fixture(scope="session")
def cuda_card():
    cupy = pytest.importorskip("cupy", reason="no CuPy")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        pytest.skip(f"no graphics card: {error}")
    from wavediff.gpu.card.cuda import Card

    return Card()


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def card(request):
    return request.getfixturevalue(f"{request.param}_card")


@pytest.fixture
def cards(card):
    """Three cards; where fewer are there, several of them are one, which computes for one after the other."""
    if isinstance(card, HostCard):
        return [card, *(HostCard(card._folder) for _ in range(2))]
    from wavediff.gpu.card.cuda import Card

    n = sys.modules["cupy"].cuda.runtime.getDeviceCount()
    return [card, *(Card(k % n) for k in (1, 2))]


@pytest.fixture
def always_sampled(monkeypatch):
    """Take a sample whenever one can be had."""
    monkeypatch.setattr(spot_check, "CHECK_TIME_SHARE", 1e9)


@pytest.fixture
def no_samples(monkeypatch):
    """Take none beyond the one that each run has."""
    monkeypatch.setattr(spot_check, "CHECK_TIME_SHARE", -1e9)


@pytest.fixture(autouse=True)
def _no_guess_fails(request, monkeypatch):
    """A defect of a walk begun ahead, of which a person is only told, fails a test that does not ask for one."""
    if "ahead" in request.node.name:
        return

    def fails(_step, error):
        raise error

    monkeypatch.setattr(card_matrix, "guess_failed", fails)
