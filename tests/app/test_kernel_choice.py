"""Which kernel computes the LCS: offered where the method has a choice, greyed without a graphics card."""

from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox

from tests.gpu import fake_twin
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.ui.devices import NOT_ASKED
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.window.settings import Settings, load, save
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode
from wavediff.core.methods.lcs import LCS, LcsKernel
from wavediff.core.methods.swap import SwapKernel
from wavediff.core.reading import read


def paper_enabled(window):
    box = window.header.options_popover.options.parts["kernel"].box
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    return model.item(box.findData(LcsKernel.KAWANAMI)).isEnabled()


def test_the_kernel_is_a_choice_of_the_lcs_and_of_swaps(window):
    options = window.header.options_popover.options.parts
    assert options["kernel"].box.isVisibleTo(window.header.options_popover)
    assert not options["band"].box.isVisibleTo(window.header.options_popover)
    window.session.choose(method="edit")
    assert options["band"].box.isVisibleTo(window.header.options_popover)
    assert not options["kernel"].box.isVisibleTo(window.header.options_popover)
    window.session.choose(method="swap")
    assert options["kernel"].box.isVisibleTo(window.header.options_popover)
    assert not options["band"].box.isVisibleTo(window.header.options_popover)
    shown = [options["kernel"].box.itemText(row).partition(" — ")[0] for row in range(options["kernel"].box.count())]
    assert shown == ["Default", "Kim 2015", "Kim 2015, global memory"]


def test_a_kernel_of_kim_gives_the_distance_only(pair):
    a, b = (read(path).sequence(0) for path in pair)
    for kernel in SwapKernel:
        job = JobOptions("swap", options={"kernel": kernel, "swaps": kernel is not SwapKernel.KIM}).job(
            a, b, fold_case=False
        )
        assert job.kernel is kernel
        assert job.swaps
        assert job.path is (TracebackMethod.BLOCKS if kernel is SwapKernel.DEFAULT else TracebackMethod.NONE)
    assert JobOptions("lcs", options={"kernel": SwapKernel.KIM}).job(a, b, fold_case=False).kernel is LcsKernel.DEFAULT


def test_what_kim_does_not_have_is_greyed_and_comes_back(window):
    boxes = {box.accessibleName(): box for box in window.header.options_popover.findChildren(QComboBox)}
    window.session.choose(method="swap", kernel=SwapKernel.KIM)
    assert not boxes["Traceback"].isEnabled()
    assert boxes["Traceback"].currentText() == "None"
    boxes["Device"].activated.emit(0)
    assert window.session.choices.options.get("traceback", TracebackMethod.BLOCKS) is TracebackMethod.BLOCKS
    window.session.choose(kernel=SwapKernel.DEFAULT)
    assert boxes["Traceback"].isEnabled()
    assert boxes["Traceback"].currentText() == "Checkpoints"


def test_without_a_graphics_card_kawanami_is_greyed_and_says_why(window):
    box = window.header.options_popover.options.parts["kernel"].box
    assert not paper_enabled(window)
    assert box.itemText(1) == f"Kawanami 2011 — GPU not used: {NOT_ASKED}"
    assert box.width() < 300


def test_with_one_it_is_run_by_the_kernel_of_kawanami(window, qtbot, pair, monkeypatch):
    fake_twin.install(monkeypatch)
    session, box = window.session, window.header.options_popover.options.parts["kernel"].box
    qtbot.expect(session.devices.changed, session.probe_gpu)
    assert paper_enabled(window)
    assert box.itemText(1) == "Kawanami 2011"
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert session.choices.values["kernel"] is LcsKernel.KAWANAMI
    qtbot.expect(session.compared, session.open_paths, pair)
    job = session.outcome.job
    assert (job.kernel, job.block_rows) == (LcsKernel.KAWANAMI, 0)
    assert session.outcome.result.device == "gpu"


def test_the_kernel_is_not_remembered(tmp_path):
    """The next start may be on a machine without a card, and would begin with an error."""
    store = SettingsFile(tmp_path / "s.ini")
    assert (
        save(store, Settings(choices=JobOptions("lcs", options={"kernel": LcsKernel.KAWANAMI, "band": BandMode.SUDO})))
        == ""
    )
    found = load(store).choices
    assert (found.values["kernel"], found.options["band"]) == (LcsKernel.DEFAULT, BandMode.SUDO)
    assert tuple(one.value for one in LCS.option("kernel").values) == tuple(LcsKernel)
