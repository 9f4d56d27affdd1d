"""What the job bar offers for methods that keep to a band: the band, its k, the size of a block."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSpinBox, QWidget

from app.methods import BAND_NAMES, block_name, method
from app.models.figures import plain_tip
from app.session import Session
from core.jobs import Band

MOST = 2**31 - 1  # a spin box counts no further


class BandOptions(QWidget):
    """Hidden for methods without such choices."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._offered: tuple[object, ...] = ()
        self.band, self.blocks = QComboBox(self), QComboBox(self)
        self.k = QSpinBox(self)
        self.k.setRange(0, MOST)
        self.k.setGroupSeparatorShown(True)
        self.k.setKeyboardTracking(False)
        self.k.setAccessibleName("k")
        self.k.setToolTip("Edits that the band is wide enough for")
        self.k.setFixedWidth(self.fontMetrics().horizontalAdvance("100,000,000") + 30)
        self.band.setAccessibleName("Band")
        self.band.setToolTip("How many diagonals are computed")
        self.blocks.setAccessibleName("Blocks")
        self.blocks.setToolTip("Rows and columns of a block")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self._labels: list[QLabel] = []
        for text, box in (("Band", self.band), ("Blocks", self.blocks)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            label = QLabel(text, self)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
            if box is self.band:
                row.addWidget(self.k)
            row.addSpacing(4)
            box.activated.connect(self._choose)
        row.addStretch(1)
        self.k.valueChanged.connect(self._choose)
        session.choices_changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take over what the session has chosen, and what the method offers."""
        choices = self._session.choices
        chosen = method(choices.method)
        self.setVisible(bool(chosen.bands or chosen.blocks))
        if self._offered != (chosen.bands, chosen.blocks):
            self._offered = chosen.bands, chosen.blocks
            self._fill(self.band, [(band, *BAND_NAMES[band]) for band in chosen.bands])
            self._fill(self.blocks, [(shape, *block_name(shape)) for shape in chosen.blocks])
        if chosen.bands:
            self.band.setCurrentIndex(chosen.bands.index(choices.band) if choices.band in chosen.bands else 0)
        if chosen.blocks:
            self.blocks.setCurrentIndex(chosen.blocks.index(choices.blocks) if choices.blocks in chosen.blocks else 0)
        self.k.blockSignals(True)
        self.k.setValue(choices.threshold)
        self.k.blockSignals(False)
        self.k.setVisible(choices.band is Band.FIXED)

    def _fill(self, box: QComboBox, entries: list[tuple[object, str, str]]) -> None:
        box.clear()
        for value, name, tip in entries:
            box.addItem(name, value)
            box.setItemData(box.count() - 1, plain_tip(tip), Qt.ItemDataRole.ToolTipRole)

    @Slot()
    def _choose(self) -> None:
        chosen = method(self._session.choices.method)
        self._session.choose(
            band=chosen.bands[max(0, self.band.currentIndex())],
            blocks=chosen.blocks[max(0, self.blocks.currentIndex())],
            threshold=self.k.value(),
        )
