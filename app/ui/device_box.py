"""The chooser of a device: what the machine has, greyed where it cannot be used, and why."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QStandardItemModel

from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.number_text import plain_tip
from wavediff.core.jobs.choices import Device


class DeviceBox(Chooser[Device]):
    """Lists the devices as ``DeviceModel`` names them; ``activated`` tells of a choice."""

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
        """Take over what is known of the devices."""
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
        # Not the tip of the box, which each run changes: then all that lies about the box would be laid out anew.
        self.setItemData(self.row(Device.GPU), plain_tip(devices.facts()), Qt.ItemDataRole.ToolTipRole)
        if isinstance(model, QStandardItemModel):
            model.item(self.row(Device.GPU)).setEnabled(devices.reason is None)
        # What the card is and why it is not used is for the open list; the closed box stays narrow.
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(devices.name(Device.CPU)) + 44)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 16)
