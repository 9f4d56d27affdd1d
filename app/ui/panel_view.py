"""Base of the views that stand in a panel."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class PanelView(QWidget):
    """Does what every panel does; a view overrides what it does otherwise.

    Attributes:
        keys: that the view answers itself, and what they do: for the sheet of shortcuts, said with ``tr``.

    Signals:
        noticed: a ``Notice``.
        letters_wanted: a place was chosen to be seen in the letters, which come to the front where they are not seen.
    """

    keys: ClassVar[tuple[tuple[str, str], ...]] = ()
    noticed = Signal(object)
    letters_wanted = Signal()

    def opened(self) -> None:
        """Be ready for use: the panel was opened by its entry in a menu or by its key."""
        self.setFocus()

    def set_stale(self, text: str) -> None:
        """Grey what belongs to choices of before, and say ``text``; empty = it belongs to those made now."""
