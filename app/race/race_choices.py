"""Choice of the kernels that race: a box each, greyed with its reason where it cannot."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from wavediff.app.race.race_session import Race
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.choices import Device

BOX_WIDTH_PX = 150  # pixels of a box
MAX_COLUMNS = 4


class RaceChoices(QWidget):
    """Attributes:
    boxes: by the kernels' ids.
    """

    def __init__(self, session: Race, theme: Theme) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        self.boxes: dict[str, QCheckBox] = {}
        self.lack = ElidedLabel(parent=self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._columns = 0
        session.changed.connect(self.refresh)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the kernels of the method: which will race, and why others cannot."""
        session = self._session
        if tuple(self.boxes) != tuple(session.race_kernels):
            self._fill()
        chosen, lacks = session.chosen, []
        for id_, box in self.boxes.items():
            lack, kernel = session.why_not(id_), session.race_kernels[id_]
            box.setEnabled(lack is None)
            box.setChecked(id_ in chosen)
            tip = "\n".join([kernel.tip, *([] if lack is None else [f"Cannot race: {lack}"])])
            box.setToolTip(plain_tip(tip))
            box.setAccessibleDescription(tip)
            if lack is not None:
                lacks.append(f"{'GPU' if kernel.device == Device.GPU else kernel.name}: {lack}")
        self.lack.set_text(" · ".join(dict.fromkeys(lacks)))
        self.lack.setVisible(bool(lacks))

    def _fill(self) -> None:
        for old in self.boxes.values():
            old.deleteLater()
        self.boxes = {}
        for id_, kernel in self._session.race_kernels.items():
            box = self.boxes[id_] = QCheckBox(kernel.name, self)
            box.setObjectName(id_)
            box.clicked.connect(self._choose)
        self._columns = 0
        self._arrange()

    def _arrange(self) -> None:
        columns = max(2, min(MAX_COLUMNS, self.width() // BOX_WIDTH_PX))
        if columns == self._columns:
            return
        self._columns = columns
        for at, box in enumerate(self.boxes.values()):
            self._grid.addWidget(box, at // columns, at % columns)
        self._grid.addWidget(self.lack, len(self.boxes), 0, 1, MAX_COLUMNS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot(bool)
    def _choose(self, on: bool) -> None:
        box = self.sender()
        if isinstance(box, QCheckBox):
            self._session.choose(box.objectName(), on)

    @Slot()
    def _restyle(self) -> None:
        self._theme.quieten(self.lack)
