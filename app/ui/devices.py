"""Available devices, and the combo box to choose one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel

from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.number_text import plain_tip
from wavediff.core.base.numbers import count
from wavediff.core.jobs.choices import Device, gpu_unused
from wavediff.core.jobs.events import DeviceChosen, Event, NoticeRaised
from wavediff.core.run.worker import JobWorker
from wavediff.core.system.machine import GraphicsCard, cores

NOT_ASKED = "not checked yet"


class DeviceModel(QObject):
    """Owns the thread that queries the driver, which may take seconds.

    Signals:
        changed: the reason why the GPU is unusable, or the device of the job, changed.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.reason: str | None = NOT_ASKED
        self.card: GraphicsCard | None = None
        self.chosen: DeviceChosen | None = None
        self._asked: type | None = None
        self._job_id = 0
        self._asker = JobWorker("device", self)
        self._asker.probed.connect(self._probed)

    @property
    def asked(self) -> bool:
        return self._asked is not None

    def ask(self, job_type: type) -> None:
        """Check whether the GPU supports such jobs; ``changed`` follows."""
        self._asked = job_type
        self._asker.probe(job_type)

    def start(self, job_id: int) -> None:
        """Follow this job; its device is unknown yet."""
        self._job_id, self.chosen = job_id, None
        self.changed.emit()

    @Slot(object)
    def apply(self, event: Event) -> None:
        if event.job_id != self._job_id:
            return
        if isinstance(event, DeviceChosen):
            self.chosen = event
            self.changed.emit()
        elif isinstance(event, NoticeRaised) and self._asked is not None:
            self.ask(self._asked)  # a card that failed is not used again

    @Slot(object, object, object)
    def _probed(self, job_type: type, reason: str | None, card: GraphicsCard | None) -> None:
        if job_type is self._asked:
            self.reason, self.card = reason, card
            self.changed.emit()

    def name(self, device: Device) -> str:
        if device is Device.AUTO:
            return "Auto"
        if device is Device.CPU:
            n = cores()
            return f"CPU ({count(n, 'core', 'cores')})"
        if self.reason is not None:
            return gpu_unused(self.reason)
        return f"GPU — {self.card}" if self.card is not None else "GPU"

    def facts(self) -> str:
        lines = ["Device of the kernels; Auto chooses the one likely to finish first."]
        if self.reason is not None:
            lines.append(gpu_unused(self.reason))
        elif self.card is not None:
            major, minor = self.card.capability
            lines.append(f"GPU ready: {self.card!s}, compute capability {f'{major}.{minor}'}")
        return "\n".join(lines)

    def tip(self) -> str:
        """Return the device facts, and the device of the last run with the reason."""
        return self.facts() if self.chosen is None else "\n".join((self.facts(), f"Last run {self.chosen_text}"))

    @property
    def chosen_text(self) -> str:
        """Device of the last job and the reason; empty if there was no choice."""
        chosen = self.chosen
        return "" if chosen is None else f"on the {chosen.device.upper()}: {chosen.reason}"

    def close(self) -> bool:
        """End the thread; False if the driver does not respond."""
        return self._asker.close()


class DeviceBox(Chooser[Device]):
    """Lists the devices of ``DeviceModel``; ``activated`` reports a choice."""

    def __init__(self, devices: DeviceModel) -> None:
        super().__init__("Device")
        self._devices = devices
        for device in Device:
            self.add(device, device.value)
        self._shown: tuple[object, ...] = ()
        devices.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        tip = plain_tip(self._devices.tip())
        if tip != self.toolTip():
            self.setToolTip(tip)
            self.setAccessibleDescription(self._devices.tip())
        names = tuple(map(self._devices.name, Device))
        if (names, self._devices.reason) != self._shown:  # a run changes the tip alone
            self._shown = names, self._devices.reason
            self._show_names(names)

    def _show_names(self, names: tuple[str, ...]) -> None:
        devices, model = self._devices, self.model()
        for row, name in enumerate(names):
            self.setItemText(row, name)
        # Not the tip of the box, which each run changes: then all that lies about the box would be laid out again.
        self.setItemData(self.row(Device.GPU), plain_tip(devices.facts()), Qt.ItemDataRole.ToolTipRole)
        if isinstance(model, QStandardItemModel):
            model.item(self.row(Device.GPU)).setEnabled(devices.reason is None)
        # What the card is and why it is not used is for the open list; the closed box stays narrow.
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(devices.name(Device.CPU)) + 44)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 16)
