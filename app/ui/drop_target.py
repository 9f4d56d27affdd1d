"""Takes what is dropped on a dock, also where it floats: drags do not leave the window that they are over."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.ui import drop_data


class DropTarget(QObject):
    """Signals:
    dropped: a ``DropData``, and None for the side, which no dock belongs to.
    """

    dropped = Signal(object, object)

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, _widget: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragMoveEvent):  # and where it enters
            drop_data.accept(event)  # also what cannot be used: the drop then says why
            return True
        if isinstance(event, QDropEvent):
            drop_data.accept(event)
            self.dropped.emit(drop_data.parse_drop(event.mimeData()), None)
            return True
        return False
