"""Helpers for dialogs: buttons, questions, size on the screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMessageBox, QScrollArea, QWidget

from wavediff.app.ui.focus import tab_stops
from wavediff.app.ui.layouts import in_column

RING_PX = 4  # from what scrolls to the ring of the focus
FRAME_PX = 60  # of the window manager, around a dialog as high as the screen
Standard = QDialogButtonBox.StandardButton
Box = QMessageBox.StandardButton


def button_box(dialog: QDialog, buttons: Standard) -> QDialogButtonBox:
    """Return ``buttons``, connected to accept and reject, without icons, which are invisible in the dark scheme."""
    box = QDialogButtonBox(buttons, parent=dialog)
    for button in box.buttons():
        button.setIcon(QIcon())
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box


def ask_first(
    parent: QWidget | None, name: str, texts: tuple[str, str], yes: Box, no: Box,
    then: Callable[[], object], otherwise: Callable[[], object] = lambda: None,
) -> None:  # fmt: skip
    """Ask ``texts`` (title, question) without a nested event loop; call ``then`` on answer ``yes``, else ``otherwise``.

    Args:
        name: of the box, for tests and style sheets.
    """
    icon = QMessageBox.Icon.Question if no is Box.Cancel else QMessageBox.Icon.Warning
    box = QMessageBox(icon, *texts, yes | no, parent)
    box.setObjectName(name)

    def answered(button: int) -> None:
        box.deleteLater()
        (then if button == yes else otherwise)()

    box.finished.connect(answered)
    box.open()


def open_dialog(dialog: QDialog) -> None:
    """Open ``dialog`` without a nested event loop, so that jobs and timers continue; delete it once it is closed."""
    dialog.finished.connect(dialog.deleteLater)
    fit_screen(dialog)
    dialog.open()


def fit_screen(dialog: QDialog) -> None:
    """Limit ``dialog`` to the size of the screen; if it needs more, all rows except the last one scroll."""
    room = (dialog.parentWidget() or dialog).screen().availableSize() - QSize(0, FRAME_PX)
    wanted = dialog.size() if dialog.testAttribute(Qt.WidgetAttribute.WA_Resized) else dialog.sizeHint()
    layout, least = dialog.layout(), dialog.minimumSizeHint()
    if layout is not None and least.boundedTo(room) != least and (last := layout.takeAt(layout.count() - 1)):
        first = next(tab_stops(dialog), None)
        content, area = QWidget(), QScrollArea(dialog, widgetResizable=True)
        area.ensurePolished()  # with its ring of the focus
        content.setLayout(layout)
        layout.setContentsMargins(RING_PX, 0, RING_PX, 0)  # those of the dialog are around the area
        area.setWidget(content)
        in_column((area, 1), on=dialog).addItem(last)
        # What scrolls has come behind the last row. Keys scroll it where no widget in it takes them.
        (first if first is not None and content.isAncestorOf(first) else area).setFocus()
        wanted += QSize(area.verticalScrollBar().sizeHint().width() + 2 * (area.frameWidth() + RING_PX), 0)
    dialog.resize(wanted.boundedTo(room))
