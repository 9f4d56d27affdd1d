"""What hands do to the window, in its thread: real events to the widget that is found, as Qt would send them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QRadioButton,
    QTableView,
    QWidget,
)

from tests.journeys import screen

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


def click(widget: QWidget, *, twice: bool = False, button: Qt.MouseButton = LEFT) -> None:
    """Click the middle of a widget; the mark of a box that is ticked, the arrow of a list that one can type into."""
    if not widget.isEnabled():
        raise LookupError(f"{screen.described(widget)} is greyed")
    reveal(widget)
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    at = QPoint(10, target.height() // 2) if isinstance(widget, QCheckBox | QRadioButton) else target.rect().center()
    if isinstance(widget, QComboBox) and widget.isEditable():
        at.setX(target.width() - 8)  # the arrow: elsewhere one types
    if twice:
        QTest.mouseDClick(target, button, pos=at)
    else:
        QTest.mouseClick(target, button, pos=at)


def click_at(widget: QWidget, across: float, down: float, *, twice: bool = False) -> None:
    """Click a place of a widget, by the shares of its width and height; it is moved to first, as a mouse is."""
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    at = QPoint(int(across * (target.width() - 1)), int(down * (target.height() - 1)))
    QTest.mouseMove(target, at)
    QTest.mouseClick(target, LEFT, pos=at)
    if twice:
        QTest.mouseDClick(target, LEFT, pos=at)


def drag_at(widget: QWidget, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from a place of a widget to another one, each by the shares of its width and height."""
    first, last = (QPoint(int(x * (widget.width() - 1)), int(y * (widget.height() - 1))) for x, y in (start, end))
    QTest.mouseMove(widget, first)
    QTest.mousePress(widget, LEFT, pos=first)
    for step in range(1, 9):
        QTest.mouseMove(widget, first + (last - first) * step / 8)
    QTest.mouseRelease(widget, LEFT, pos=last)


def click_heading(table: QTableView, heading: str) -> None:
    header, model = table.horizontalHeader(), table.model()
    for column in range(header.count()):
        if str(model.headerData(column, Qt.Orientation.Horizontal)).rstrip(" ▲▼") == heading:
            at = QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) // 2, header.height() // 2)
            QTest.mouseClick(header.viewport(), LEFT, pos=at)
            return
    raise LookupError(f"{screen.described(table)} has no column {heading!r}")


def click_row(table: QTableView, row: int) -> None:
    """Click a row in sight, the first one being 0."""
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(row, 0)).center())


def reveal(widget: QWidget) -> None:
    """Scroll to a widget, as the wheel would."""
    area = screen.scrolled(widget)
    if area is not None and hasattr(area, "ensureWidgetVisible"):
        area.ensureWidgetVisible(widget)


def ask_menu(widget: QWidget) -> None:
    """What a right click sends: the menu is asked for by an event of its own."""
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    at = target.rect().center()
    QTest.mouseMove(target, at)
    QTest.mouseClick(target, RIGHT, pos=at)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(target, QContextMenuEvent(reason, at, target.mapToGlobal(at)))


def tick(button: QAbstractButton, on: bool) -> None:
    if button.isChecked() != on:
        click(button)


def open_choice(choice: QWidget, entry: str) -> None:
    """Click a chooser; of segments the one called ``entry``."""
    if isinstance(choice, QComboBox):
        click(choice)
        return
    there = screen.segments(choice)
    found = [each for each in there if screen.plain(each.text()) == entry]
    if not found:
        raise LookupError(f"{entry!r} is not among the segments {[each.text() for each in there]}")
    click(found[0])


def opened_list() -> QWidget | None:
    """What holds the list of a chooser that has opened; the view that is found in it goes with it."""
    popup = QApplication.activePopupWidget()
    return None if popup is screen.popover() else popup


def take_of_list(entry: str) -> None:
    """Choose an entry of the list that has opened, with the keys."""
    popup = opened_list()
    view = popup.findChild(QAbstractItemView) if popup is not None else None
    if view is None:
        raise LookupError("no list has opened")
    model = view.model()
    names = [
        model.index(row, 0).data()
        for row in range(model.rowCount(QModelIndex()))
        if model.index(row, 0).flags() & Qt.ItemFlag.ItemIsEnabled
    ]
    if entry not in names:
        QTest.keyClick(view, Qt.Key.Key_Escape)
        raise LookupError(f"{entry!r} is not among what can be chosen: {names}")
    for key in (Qt.Key.Key_Home, *[Qt.Key.Key_Down] * names.index(entry), Qt.Key.Key_Return):
        QTest.keyClick(view, key)


def key_target() -> QWidget:
    """Return what keys go to: an open menu or list, else what has the focus in the window in front."""
    front, focused = screen.in_front()[0], QApplication.focusWidget()
    popup = QApplication.activePopupWidget()
    if popup is not None:
        return (popup.focusWidget() or popup) if popup is screen.popover() else popup
    return focused if focused is not None and focused.window() in screen.in_front() else front.focusWidget() or front


def press(keys: str) -> None:
    for each in QKeySequence(keys):
        QTest.keyClick(key_target(), each.key(), each.keyboardModifiers())


def type_letters(text: str) -> None:
    QTest.keyClicks(key_target(), text)


def take_any_of_list(number: int) -> None:
    """Choose an entry of the list that has opened; where none has, the chooser has no entries."""
    popup = opened_list()
    view = popup.findChild(QAbstractItemView) if popup is not None else None
    if view is not None:
        for key in (Qt.Key.Key_Home, *[Qt.Key.Key_Down] * (number % view.model().rowCount(QModelIndex()))):
            QTest.keyClick(view, key)
        QTest.keyClick(view, Qt.Key.Key_Return)


# What there is


def buttons(but: Sequence[str]) -> Callable[[], list[QWidget]]:
    """Return what finds all buttons that can be clicked, ``but`` those of these names."""

    def found() -> list[QWidget]:
        there = [each for each in screen.controls() if isinstance(each, QAbstractButton)]
        return [each for each in there if not set(screen.names(each)) & set(but)]

    return found


def boxes() -> list[QWidget]:
    return [each for each in screen.controls() if isinstance(each, QComboBox)]


def anything() -> list[QWidget]:
    return [each for each in screen.children(QWidget) if screen.names(each)]


# Menus


def open_menu(head: str) -> None:
    bar = screen.main_window().menuBar()
    for action in bar.actions():
        if screen.plain(action.text()) == head:
            at = bar.actionGeometry(action).center()
            QTest.mouseMove(bar, at)  # else the next click is where the mouse was, and a menu waits for it to move
            QTest.mouseClick(bar, LEFT, pos=at)
            return
    raise LookupError(f"there is no menu {head!r}")


def take_entry(entry: str) -> None:
    menu = QApplication.activePopupWidget()
    if not isinstance(menu, QMenu):
        raise LookupError("no menu is open")
    entries = screen.menu_entries(menu)
    found = next((each for each in entries if screen.plain(each.text()) == entry), None)
    if found is None or not found.isEnabled():
        close_menus()
        state = "is not in the menu" if found is None else "is greyed in the menu"
        raise LookupError(f"{entry!r} {state}: {[screen.plain(each.text()) for each in entries]}")
    # On a display the mouse comes where it goes only later, and a menu waits for it to move.
    if not isinstance(found.menu(), QMenu) and QGuiApplication.platformName() == "offscreen":
        QTest.mouseMove(menu, menu.actionGeometry(found).center())
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(found).center())
        return
    for _ in menu.actions():  # with the keys: the mouse opens a menu in a menu after a while only
        if menu.activeAction() is found:
            break
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Right if isinstance(found.menu(), QMenu) else Qt.Key.Key_Return)


def entries() -> list[str]:
    menu = QApplication.activePopupWidget()
    if not isinstance(menu, QMenu):
        raise LookupError("no menu is open")
    return [screen.plain(each.text()) for each in screen.menu_entries(menu) if each.isEnabled()]


def keys_arrive() -> bool:
    """Whether keys go to something that is seen; the window manager's part, as at a click, is done here."""
    if QApplication.activePopupWidget() is not None:
        return True
    at = QApplication.focusWidget()
    if at is not None and at.isVisible() and at.window() in screen.in_front():
        return True
    screen.in_front()[0].activateWindow()
    return at is None and QApplication.activeWindow() in screen.in_front()


def no_popup() -> bool:
    """Whether no menu and no list is open; a popover stays until it is closed."""
    return QApplication.activePopupWidget() in (None, screen.popover())


def close_popover() -> None:
    popover = screen.popover()
    if popover is not None:
        QTest.keyClick(popover, Qt.Key.Key_Escape)


def close_menus() -> None:
    while QApplication.activePopupWidget() is not None:
        QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Escape)


# Panels


# Drops


def mime_of(paths: Sequence[Path], text: str) -> QMimeData:
    mime = QMimeData()
    if paths:
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    if text:
        mime.setText(text)
    return mime


def drop(mime: QMimeData, on: QWidget | None, *, move: bool, leave: bool = False) -> str:
    """Drag over the window and let go in the middle of ``on``; return what the source is told was done.

    The events go to the window's handle, where those of the desktop arrive: Qt finds the widget. ``leave``: drag out
    again instead of letting go, and return what the window shows meanwhile of where it would go.
    """
    window = on.window() if on is not None else screen.main_window()
    at = on.mapTo(window, on.rect().center()) if on is not None else QPoint(3, window.height() // 2)
    wanted = Qt.DropAction.MoveAction if move else Qt.DropAction.CopyAction
    offered = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    handle, keys = window.windowHandle(), Qt.KeyboardModifier.NoModifier
    for kind in (QDragEnterEvent, QDragMoveEvent):
        event = kind(at, offered, mime, LEFT, keys)
        event.setDropAction(wanted)
        QApplication.sendEvent(handle, event)
        if not event.isAccepted():
            raise LookupError(f"the window refuses the drag at {at.x()}, {at.y()}")
    if leave:
        shown = screen.find("Drop target").accessibleDescription()
        QApplication.sendEvent(handle, QDragLeaveEvent())
        return shown
    last = QDropEvent(QPointF(at), offered, mime, LEFT, keys)
    last.setDropAction(wanted)
    QApplication.sendEvent(handle, last)
    return last.dropAction().name if last.isAccepted() else ""


def turn_wheel(widget: QWidget, steps: int, held: Qt.KeyboardModifier, down: float = 0.5) -> None:
    """Turn the wheel in the middle of a widget, or ``down`` it by that share of its height."""
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    at = QPointF(target.rect().center().x(), int(down * (target.height() - 1)))
    turned = QPoint(0, 120 * steps)
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, QPointF(target.mapToGlobal(at)), QPoint(), turned, none, held, phase, False)
    QApplication.sendEvent(target, event)


# The dialog for files


def file_dialog() -> QFileDialog | None:
    """The dialog that is open, also where it shows a list of names to complete what is typed."""
    there = [each for each in QApplication.topLevelWidgets() if isinstance(each, QFileDialog) and each.isVisible()]
    return there[0] if there else None


def enter() -> None:
    """Press Return in the field of the name; what is offered to complete it is not wanted."""
    close_menus()
    if QGuiApplication.platformName() == "xcb" and shutil.which("xdotool"):
        # A real key: one that is sent to a field whose list of names has just closed is lost there.
        subprocess.run(["xdotool", "key", "Return"], check=True, timeout=20)
    else:
        press("Return")


def go_to_file_name() -> None:
    dialog = file_dialog()  # held: what is found in it goes with it
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    click(field)
    field.selectAll()


def file_kinds() -> list[str]:
    dialog = file_dialog()
    box = dialog.findChild(QComboBox, "fileTypeCombo")
    return [box.itemText(at) for at in range(box.count())]


def open_file_kinds() -> None:
    dialog = file_dialog()
    click(dialog.findChild(QComboBox, "fileTypeCombo"))


def cancel_files() -> None:
    close_menus()
    dialog = file_dialog()
    if dialog is not None:
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
