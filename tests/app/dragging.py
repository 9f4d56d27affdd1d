"""A drag with files or text, as a desktop sends it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from wavediff.app.window.main_window import MainWindow


def mime_of(*paths: Path, urls: tuple[str, ...] = (), text: str = "") -> QMimeData:
    mime = QMimeData()
    all_urls = [QUrl.fromLocalFile(str(path)) for path in paths] + [QUrl(url) for url in urls]
    if all_urls:
        mime.setUrls(all_urls)
    if text:
        mime.setText(text)
    return mime


def drag_event(kind: type[QDragMoveEvent], at: QPoint, *given: Any) -> QDragMoveEvent:
    """Make an event of a drag: newer Qt warns of whole pixels, older Qt knows no other."""
    try:
        return kind(QPointF(at), *given)
    except TypeError:
        return kind(at, *given)


def drop(window: MainWindow, mime: QMimeData, on: QWidget | None = None) -> QDropEvent:
    """Send what a real drop sends, at the middle of ``on`` or at the edge of the window."""
    at = on.mapTo(window, on.rect().center()) if on is not None else QPoint(3, window.height() - 40)
    action, button, key = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = drag_event(QDragEnterEvent, at, action, mime, button, key)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    event = QDropEvent(QPointF(at), action | Qt.DropAction.CopyAction, mime, button, key)
    QApplication.sendEvent(window, event)
    return event
