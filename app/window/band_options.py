"""Options of the job bar that some methods have: the band, its k, the size of a block, the kernel."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox, QWidget

from app.ui.chooser import Chooser
from app.ui.flow_layout import as_one_widget
from app.ui.kernel_box import grey_kernels
from app.ui.kernel_labels import KernelChoice, kernel_name
from app.window.session import Session
from app.window_methods import BAND_NAMES, block_name, method
from core.jobs.pair import BandMode

MAX_SPIN_VALUE = 2**31 - 1  # a spin box counts no further


class BandOptions(QObject):
    """Choosers for the job bar's row, each with its label; those that a method does not offer are hidden.

    Attributes:
        parts: what the row gets.
    """

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._offered: tuple[object, ...] | None = None
        self.band: Chooser[BandMode] = Chooser(parent)
        self.blocks: Chooser[tuple[int, int]] = Chooser(parent)
        self.kernel: Chooser[KernelChoice] = Chooser(parent)
        self.k = QSpinBox(parent)
        self.k.setRange(0, MAX_SPIN_VALUE)
        self.k.setGroupSeparatorShown(True)
        self.k.setKeyboardTracking(False)
        self.k.setAccessibleName("k")
        self.k.setToolTip("Edits that the band is wide enough for")
        self.k.setFixedWidth(self.k.fontMetrics().horizontalAdvance("100,000,000") + 30)
        self.band.setAccessibleName("Band")
        self.band.setToolTip("How many diagonals are computed")
        self.blocks.setAccessibleName("Blocks")
        self.blocks.setToolTip("Rows and columns of a block")
        self.kernel.setAccessibleName("Kernel")
        self.kernel.setToolTip("What computes the blocks; a race compares several (Ctrl+K)")
        self._parts: dict[Chooser[Any], QWidget] = {}
        for text, box in (("Band", self.band), ("Blocks", self.blocks), ("Kernel", self.kernel)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            label = QLabel(text)
            label.setBuddy(box)
            self._parts[box] = as_one_widget(label, box, *([self.k] if box is self.band else []))
            box.activated.connect(self._choose)
        self.k.valueChanged.connect(self._choose)
        self.parts = tuple(self._parts.values())
        session.choices_changed.connect(self.refresh)
        session.devices.changed.connect(self._show_lack)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take over what the session has chosen, and what the method offers."""
        choices = self._session.choices
        chosen = method(choices.method)
        offered = chosen.bands, chosen.blocks, chosen.kernels
        if self._offered != offered:
            self._offered = offered
            for (box, part), some in zip(self._parts.items(), offered, strict=True):
                box.setVisible(bool(some))
                part.setVisible(bool(some))
            self._fill(self.kernel, [(kernel, *kernel_name(kernel)) for kernel in chosen.kernels])
            self._fill(self.band, [(band, *BAND_NAMES[band]) for band in chosen.bands])
            self._fill(self.blocks, [(shape, *block_name(shape)) for shape in chosen.blocks])
        if chosen.bands:
            self.band.choose(choices.band)
        if chosen.blocks:
            self.blocks.choose(choices.blocks)
        self.k.blockSignals(True)
        self.k.setValue(choices.threshold)
        self.k.blockSignals(False)
        self.k.setVisible(bool(chosen.bands) and choices.band is BandMode.FIXED)
        if chosen.kernels:
            self.kernel.choose(chosen.kernel(choices.kernel))
        self._show_lack()

    @Slot()
    def _show_lack(self) -> None:
        """Grey the kernels of the papers with the reason where there is no graphics card for them."""
        kernels = method(self._session.choices.method).kernels
        grey_kernels(self.kernel, kernels, self._session.devices.reason)

    def _fill(self, box: Chooser[Any], entries: list[tuple[object, str, str]]) -> None:
        box.clear()
        for value, name, tip in entries:
            box.add(value, name, tip)

    @Slot()
    def _choose(self) -> None:
        chosen = method(self._session.choices.method)
        changes: dict[str, Any] = {}
        if chosen.bands:
            changes = {"band": self.band.value, "threshold": self.k.value()}
        if chosen.blocks:
            changes["blocks"] = self.blocks.value
        if chosen.kernels:
            changes["kernel"] = self.kernel.value
        self._session.choose(**changes)
