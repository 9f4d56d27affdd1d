"""A combo box that gives back what was put into it."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from wavediff.app.ui.number_text import plain_tip

T = TypeVar("T")


class Chooser(QComboBox, Generic[T]):
    """Keeps the values itself: Qt's own ``currentData`` gives a member of an enum of strings back as a plain string.

    Args:
        name: for screen readers.
    """

    def __init__(self, name: str, parent: QWidget | None = None, tip: str = "") -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self._values: list[T] = []
        self._tips: list[str] = []
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # entries come and change later

    def add(self, value: T, name: str, tip: str = "") -> None:
        self._values.append(value)
        self._tips.append(tip)
        self.addItem(name, value)  # for ``findData``, which compares as Qt does
        if tip:
            self.setItemData(self.count() - 1, plain_tip(tip), Qt.ItemDataRole.ToolTipRole)

    def allow(self, value: T, why_not: str) -> None:
        """List ``value`` as one that can be chosen, or grey with the reason ``why_not`` as its tip."""
        model, row = self.model(), self.row(value)
        assert isinstance(model, QStandardItemModel)
        item = model.item(row)
        item.setEnabled(not why_not)
        item.setToolTip(plain_tip(why_not or self._tips[row]))

    def clear(self) -> None:
        self._values.clear()
        self._tips.clear()
        super().clear()

    @property
    def value(self) -> T:
        """The chosen value; there must be something listed."""
        return self._values[max(0, self.currentIndex())]

    @property
    def values(self) -> tuple[T, ...]:
        return tuple(self._values)

    def row(self, value: T) -> int:
        """Return where ``value`` is listed; the first row where it is not."""
        return self._values.index(value) if value in self._values else 0

    def choose(self, value: T) -> None:
        """Show ``value`` as chosen; ``activated`` does not tell of it."""
        self.setCurrentIndex(self.row(value))
