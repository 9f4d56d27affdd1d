"""Whatever keeps a card from being used is told in one sentence, and nothing waits for ever."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.cli.helpers import python
from tests.gpu import fake_cupy
from tests.gpu.fake_cupy import CudaError
from wavediff.core.base.errors import BackendUnavailable, DeviceError
from wavediff.core.run import doctor
from wavediff.core.system.machine import GraphicsCard
from wavediff.gpu.card import current_card, driver


@pytest.fixture
def fake(monkeypatch):
    return fake_cupy.install(monkeypatch)


def test_a_card_that_can_be_used(fake):
    assert current_card.obstacle() is None
    assert current_card.describe() == GraphicsCard(
        "Fake 9000", 8 << 30, (9, 0), 66, 1.98e9, "14.0.0", runtime="13.2", driver="13.2"
    )
    assert str(current_card.describe()) == "Fake 9000, 8 GiB"
    assert "memGetInfo" not in fake.calls  # a context takes hundreds of megabytes: not for a look
    assert current_card.free_memory() == 6 << 30


def test_without_cupy(monkeypatch):
    fake_cupy.fresh(monkeypatch)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    monkeypatch.setattr(current_card, "find_spec", lambda _name: None)
    assert current_card.obstacle() == "CuPy is not installed; see Optional packages on the page Installation"
    assert current_card.describe() is None
    assert current_card.free_memory() == 0


def test_without_a_driver(fake, monkeypatch):
    monkeypatch.setattr(current_card, "driver_version", lambda: None)
    assert current_card.obstacle() == "there is no NVIDIA driver"
    assert fake.calls == []


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ImportError("====\nno libcublas\n===="), "CuPy cannot be loaded: no libcublas"),
        (RuntimeError("  built for\n  another NumPy"), "CuPy cannot be loaded: built for; another NumPy"),
        (AttributeError(), "CuPy cannot be loaded: AttributeError"),
    ],
)
def test_a_broken_cupy(fake, monkeypatch, error, says):
    def broken(_name):
        raise error

    monkeypatch.setattr(current_card, "import_frozen", broken)
    assert current_card.obstacle() == says


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (CudaError(35), "the driver is too old: it knows CUDA 11.4, CuPy here needs 13.2"),
        (CudaError(100), "there is no graphics card that CUDA can use"),
        (CudaError(803, "driver and card do not fit"), "the driver could not be asked: driver and card do not fit"),
    ],
)
def test_a_driver_that_refuses(monkeypatch, error, says):
    fake = fake_cupy.install(monkeypatch, driver=11040)
    fake.errors["count"] = error
    assert current_card.obstacle() == says


def test_no_card_and_an_old_card(monkeypatch):
    fake = fake_cupy.install(monkeypatch)
    fake.count = 0
    assert current_card.obstacle() == "there is no graphics card that CUDA can use"
    fake = fake_cupy.install(monkeypatch)
    fake.capability = (7, 0)
    assert current_card.obstacle() == "Fake 9000 is too old: it has compute capability 7.0, 7.5 is needed"
    fake = fake_cupy.install(monkeypatch)
    fake.capability = (7, 5)
    assert current_card.obstacle() is None


def test_a_driver_that_does_not_answer_is_not_waited_for_twice(monkeypatch):
    fake = fake_cupy.install(monkeypatch)
    fake_cupy.fresh(monkeypatch, patience=0.05)
    fake.gate = threading.Event()
    assert "has not answered" in str(current_card.obstacle())
    with pytest.raises(BackendUnavailable, match="GPU not used: the driver has not answered"):
        current_card.card()
    fake.gate.set()
    deadline = threading.Event()
    while current_card.obstacle() is not None and not deadline.wait(0.01):
        pass
    assert current_card.describe() is not None  # late is not never
    assert fake.calls.count("count") == 1


def test_a_card_is_woken_while_something_else_is_done(fake, monkeypatch):
    fake.gate, made = threading.Event(), threading.Event()
    monkeypatch.setattr(current_card, "make_context", made.set)
    current_card.wake()
    assert fake.calls.count("memGetInfo") == 0
    fake.gate.set()
    assert made.wait(10)
    assert current_card.obstacle() is None
    assert fake.calls.count("count") == 1  # what was asked then is not asked again


class Driver:
    """A driver whose calls answer with a code each."""

    def __init__(self, **codes):
        self._codes = codes
        self.calls = []

    def __getattr__(self, name):
        def call(*_):
            self.calls.append(name)
            return self._codes.get(name, 0)

        return call


def test_a_context_is_made_by_the_driver_alone(monkeypatch):
    found = Driver()
    monkeypatch.setattr(driver, "library", lambda: found)
    assert driver.make_context()
    assert found.calls == ["cuInit", "cuDeviceGet", "cuDevicePrimaryCtxRetain"]
    without = Driver(cuInit=100)
    monkeypatch.setattr(driver, "library", lambda: without)
    assert not driver.make_context()
    assert without.calls == ["cuInit"]


def test_without_a_driver_there_is_no_context(monkeypatch):
    def missing():
        raise OSError("libcuda.so.1: cannot open shared object file")

    monkeypatch.setattr(driver, "library", missing)
    assert not driver.make_context()


def test_what_failed_stays_failed_with_its_first_reason(fake):
    card = current_card.card()
    current_card.mark_failed("an illegal memory access")
    current_card.mark_failed("everything after it")
    assert current_card.obstacle() == "failed earlier in this session: an illegal memory access"
    with pytest.raises(BackendUnavailable, match="failed earlier"):
        current_card.card()
    assert current_card.describe() is not None
    current_card.release()
    assert "free_all_blocks" not in fake.calls  # nothing is asked of a card that is gone
    assert card.name == "Fake 9000"


def test_there_is_one_card_for_all_threads(fake):
    with ThreadPoolExecutor(8) as pool:
        cards = list(pool.map(lambda _: current_card.card(), range(64)))
    assert len({id(card) for card in cards}) == 1
    assert fake.calls.count("count") == 1
    current_card.release()
    assert fake.calls[-1] == "free_all_blocks"


def test_cards_of_one_kind_work_together_and_the_others_are_named(fake):
    fake.has("Fake 9000", "Fake 100", "Fake 9000")
    card = current_card.describe()
    assert (card.devices, card.unlike) == ((0, 2), ("Fake 100",))
    assert str(card) == "2 x Fake 9000, 8 GiB"
    assert current_card.card().device.id == 0
    assert [one.device.id for one in current_card.others()] == [2]
    assert current_card.others() == current_card.others()
    line = next(line for line in doctor.lines(doctor.report()) if line.startswith("GPU  "))
    assert "2 x Fake 9000, on the first 6.0 of 8.0 GiB free" in line
    assert line.endswith("not used beside it: Fake 100")


def test_a_card_alone_has_no_others(fake):
    assert current_card.card()
    assert current_card.others() == ()


def test_a_card_that_refuses_its_first_use(fake):
    """Another program may have it for itself: that shows only now."""
    fake.errors["memGetInfo"] = CudaError(46, "cudaErrorDevicesUnavailable: busy")
    with pytest.raises(DeviceError, match="busy"):
        current_card.free_memory()


def test_a_process_without_cupy_says_so_and_computes():
    """The extras are optional: here any import of CuPy fails."""
    code = (
        "import sys\n"
        "class NoCupy:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'cupy': raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, NoCupy())\n"
        "from wavediff.gpu.card import current_card as device\n"
        "print(device.obstacle())\n"
        "from wavediff.app.commands.cli import main\n"
        "main(['doctor'])\n"
    )
    done = python("-c", code)
    assert done.stderr == ""
    assert done.stdout.startswith("CuPy is not installed")
    assert "\nGPU           not used: CuPy is not installed" in done.stdout


def test_where_there_is_no_driver_cupy_is_not_imported():
    code = (
        "import sys; from wavediff.gpu.card import current_card as device; device.driver_version = lambda: None\n"
        "print(device.obstacle() is not None, 'cupy' in sys.modules)"
    )
    done = python("-c", code)
    assert (done.stdout, done.stderr) == ("True False\n", "")
