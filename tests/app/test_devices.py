"""The chooser of devices: what it lists, what it greys, why a job went where it went."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox

from tests.gpu import fake_cupy, fake_twin
from tests.gpu.fake_twin import Twin
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.notices import Severity
from wavediff.core.base.errors import DeviceLost, DeviceOutOfMemory, capitalized
from wavediff.core.jobs import card_limits
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import DeviceChosen, KernelTiming
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.system.machine import cores

Pair = tuple[Path, Path]
GPU_ROW = list(Device).index(Device.GPU)


@pytest.fixture
def card(fake_kernels, monkeypatch):
    return fake_twin.install(monkeypatch)


@pytest.fixture
def asked(card, qtbot, window):
    qtbot.expect(window.session.devices.changed, window.session.probe_gpu)
    return window


def chooser(window):
    return next(
        box for box in window.header.options_popover.findChildren(QComboBox) if box.accessibleName() == "Device"
    )


def enabled(window):
    model = chooser(window).model()
    assert isinstance(model, QStandardItemModel)
    return model.item(GPU_ROW).isEnabled()


def test_the_card_is_named_with_its_memory(asked):
    box = chooser(asked)
    shown = [box.itemText(row) for row in range(box.count())]
    n = cores()
    assert shown == ["Auto", f"CPU ({n} core{'s' if n > 1 else ''})", "GPU — Fake 9000, 8 GiB"]
    assert enabled(asked)
    assert "compute capability 9.0" in box.toolTip()
    assert "compute capability 9.0" in box.accessibleDescription()


def test_a_card_that_cannot_be_used_is_greyed_with_its_reason(card, qtbot, window):
    assert not enabled(window)  # nobody has asked yet
    assert "not checked yet" in chooser(window).itemText(GPU_ROW)
    card.capability, card.name = (6, 1), "<b>Old</b> 1080"
    qtbot.expect(window.session.devices.changed, window.session.probe_gpu)
    box = chooser(window)
    assert not enabled(window)
    assert box.itemText(GPU_ROW).startswith("GPU not used: <b>Old</b> 1080 is too old: it has compute capability 6.1")
    assert "&lt;b&gt;Old&lt;/b&gt; 1080 is too old" in box.toolTip()
    assert "Old" in box.itemData(GPU_ROW, Qt.ItemDataRole.ToolTipRole)
    assert box.width() < 300  # the reason is for the open list


def test_a_method_without_a_twin_asks_no_driver(card, qtbot, asked):
    card.calls.clear()
    qtbot.expect(asked.session.devices.changed, asked.session.choose, method="edit")
    assert "no GPU kernel for this method" in chooser(asked).itemText(GPU_ROW)
    assert card.calls == []


@pytest.mark.parametrize("there", [True, False])
def test_a_method_without_a_kernel_for_the_card_says_so_in_a_line(card, qtbot, session, notices, pair, there):
    """As with settings that were saved with another method, or on another machine."""
    if not there:
        card.errors["count"] = fake_cupy.CudaError(100)
    session.choose(method="affine", device=Device.GPU)
    session.open_paths(pair)
    qtbot.waitUntil(lambda: any(one.level is Severity.ERROR for one in notices))
    (said,) = [one for one in notices if one.level is Severity.ERROR]
    assert said.text == "GPU not used: no GPU kernel for this method in this version"
    qtbot.expect(session.compared, session.choose, device=Device.AUTO)


def test_why_auto_took_the_cpu_is_said(asked, qtbot, pair):
    qtbot.expect(asked.session.compared, asked.session.open_paths, pair)
    assert asked.session.outcome.result.device == "cpu"
    assert "on the CPU: faster for this size (10 × 12)" in asked.answer.words.words.tip
    assert "Last run on the CPU: faster for this size (10 × 12)" in chooser(asked).toolTip().replace("&#x27;", "'")
    fact = next(fact for fact in asked.view(ComputationView).facts.facts if fact.name == "Device")
    assert fact.value.endswith("faster for this size"), "a line; the tip has the rest"
    assert fact.tip.startswith(f"{fact.value} (10 × 12)")


def test_a_job_on_the_card_is_shown_as_such(asked, qtbot, pair):
    asked.session.choose(device=Device.GPU)
    qtbot.expect(asked.session.compared, asked.session.open_paths, pair)
    assert asked.session.outcome.result.device == "gpu"
    assert "on the GPU: asked for" in asked.answer.words.words.tip
    assert [row.device for row in asked.session.timings.rows] == ["gpu"]
    assert asked.answer.notices.notices == ()


def test_a_job_that_runs_out_of_the_cards_memory_ends_on_the_cpu(asked, qtbot, pair):
    Twin.error = DeviceOutOfMemory("7 GB of 6 GB")
    asked.session.choose(device=Device.GPU)
    qtbot.expect(asked.session.compared, asked.session.open_paths, pair)
    assert asked.session.outcome.result.device == "cpu"
    assert [(notice.level, notice.text) for notice in asked.answer.notices.notices] == [
        (Severity.WARNING, "Too little GPU memory for this job (7 GB of 6 GB); the CPU runs it")
    ]
    asked.resize(1280, 800)
    assert asked.answer.bar.isVisible()
    assert "on the CPU: the GPU failed" in asked.answer.words.words.tip
    assert [(row.kernel, row.device) for row in asked.session.timings.rows] == [("blocks", "gpu"), ("blocks", "cpu")]
    assert enabled(asked)  # a smaller job may fit


def test_a_pair_too_long_for_the_card_says_so_and_ends_on_the_cpu(asked, qtbot, pair, monkeypatch):
    monkeypatch.setattr(card_limits, "MAX_LETTERS", 11)
    asked.session.choose(device=Device.GPU)
    qtbot.expect(asked.session.compared, asked.session.open_paths, pair)
    says = "the GPU compares sequences of up to 11 letters, and one has 12"
    (notice,) = asked.answer.notices.notices
    assert (notice.level, notice.text) == (Severity.WARNING, f"{capitalized(says)}; the CPU runs it")
    assert f"on the CPU: {says}" in asked.answer.words.words.tip, "it did not fail"
    assert Twin.ran == []
    assert enabled(asked)  # a shorter pair may go there


def test_a_card_that_is_lost_is_greyed_for_the_session(asked, qtbot, pair):
    Twin.error = DeviceLost("an illegal memory access")
    asked.session.choose(device=Device.GPU)
    qtbot.expect(asked.session.compared, asked.session.open_paths, pair)
    assert "is not used again until the program is restarted" in asked.answer.notices.notices[0].text
    qtbot.waitUntil(lambda: not enabled(asked))
    assert "failed earlier in this session: an illegal memory access" in chooser(asked).itemText(GPU_ROW)


def test_live_rows_of_a_job_that_fell_back_keep_what_the_card_did(session):
    timings = session.timings
    timings.start(5, "cpu")
    timings.apply(DeviceChosen(5, "gpu", "faster"))
    timings.apply(KernelTiming(5, "blocks", "gpu", 1, 10, 0.5, 0.0))
    timings.apply(DeviceChosen(5, "cpu", "the GPU failed"))
    timings.flush()
    assert [row.device for row in timings.rows] == ["gpu"]


@pytest.fixture
def devices(qtbot, card):
    devices = DeviceModel()
    yield devices
    if card.gate is not None:
        card.gate.set()
    assert devices.close()


def test_a_driver_that_takes_its_time_holds_nobody_up(qtbot, card, devices, session, pair):
    """Files are read and compared while the driver still thinks."""
    card.gate = threading.Event()
    devices.ask(LcsJob)
    session.probe_gpu()
    qtbot.expect(session.compared, session.open_paths, pair)
    assert not devices.asked or devices.reason is not None
    qtbot.expect(devices.changed, card.gate.set)
    assert devices.reason is None
