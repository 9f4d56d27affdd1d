"""What is on the screen, asked in the thread of the window: widgets by the names a person knows them by."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from html import unescape
from typing import TypeVar

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QHelpEvent, QImage, QRegion
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QRadioButton,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QTableView,
    QToolTip,
    QWidget,
)

from wavediff.app.ui import background_task
from wavediff.app.ui.background_task import JobSlot
from wavediff.app.ui.labels import ElidedLabel

W = TypeVar("W", bound=QWidget)
CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QAbstractSpinBox, QAbstractSlider)
WAITING = ("Preparing", "Comparing…", "Reading…")  # where letters will be
SOON_MS = 200  # after which a timer that runs once has shown what it waited with
MOST_ROWS = 400  # of one table that are read
FRAME_PX, HEADING_PX = 12, 16  # of a field, and of a heading, beside its text; the latter also of an arrow
ROOMY_PX = 1200  # width of a window in which every choice is whole
WRAPPED = int(Qt.TextFlag.TextWordWrap)
FIGURE = re.compile(r"([AB] )?[-+±\d.,%×\s]+")  # not even with a tip


def plain(text: str) -> str:
    """Return ``text`` as it is painted: without the marks of access keys, and without the key at its right."""
    return text.split("\t")[0].replace("&&", "\0").replace("&", "").replace("\0", "&").strip()


def windows() -> list[QWidget]:
    """All windows that are seen, the newest dialog or menu first."""
    seen = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
    return sorted(seen, key=lambda each: (each is not popup, each is not modal, isinstance(each, QMainWindow)))


def question() -> str:
    """The title of the dialog that is in front, or nothing."""
    modal = QApplication.activeModalWidget()
    return modal.windowTitle() if modal is not None else ""


def main_window() -> QMainWindow:
    return next(each for each in windows() if isinstance(each, QMainWindow))


def in_front() -> list[QWidget]:
    """The windows that take clicks: the modal dialog alone, where there is one."""
    popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
    return [each for each in (popup, modal) if each is not None][:1] or windows()


def uncovered(widget: QWidget) -> QRegion:
    """Return what is seen of ``widget`` and of what lies on it, in its own coordinates."""
    region = QRegion(widget.visibleRegion())
    for each in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if each.isVisible() and not each.isWindow():
            region += uncovered(each).translated(each.pos())
    return region


def seen(widget: QWidget) -> bool:
    """Whether any of ``widget`` can be seen, or can be scrolled to."""
    if not widget.isVisible():
        return False
    return not widget.visibleRegion().isEmpty() or not uncovered(widget).isEmpty() or scrolled(widget) is not None


def scrolled(widget: QWidget) -> QAbstractScrollArea | None:
    """Return the area that ``widget`` can be scrolled in, if that area can be seen."""
    below, parent = widget, widget.parentWidget()
    while parent is not None and not below.isWindow():
        if isinstance(parent, QAbstractScrollArea) and below is parent.viewport():
            return parent if not uncovered(parent).isEmpty() else None
        below, parent = parent, parent.parentWidget()
    return None


def panel_of(widget: QWidget) -> str:
    """Return the title of the panel that ``widget`` is in, or nothing."""
    at: QWidget | None = widget
    while at is not None:
        if at.property("panel"):
            return str(at.property("panel"))
        at = at.parentWidget()
    return ""


def names(widget: QWidget) -> list[str]:
    """All names that a person or a screen reader could call ``widget`` by."""
    title = widget.windowTitle() if widget.isWindow() else str(widget.property("panel") or "")
    found = [widget.accessibleName(), title]
    if isinstance(widget, QAbstractButton):
        found.append(plain(widget.text()))
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        found.append(widget.placeholderText())
    found.append(widget.toolTip().splitlines()[0] if widget.toolTip() else "")
    return [each for each in found if each]


def children(kind: type[W], within: str = "") -> Iterator[W]:
    """All widgets of ``kind`` that are seen in the windows in front; only those of the panel ``within``, if named."""
    for window in in_front():
        inside = [window] if isinstance(window, kind) else []
        for each in (*inside, *window.findChildren(kind)):
            if each.window() is window and seen(each) and (not within or panel_of(each) == within):
                yield each


def find(name: str, kind: type[W] = QWidget, within: str = "") -> W:  # type: ignore[assignment]
    """Return the widget called ``name``; outside the panels where none is named.

    Raises:
        LookupError: none is seen; says what is.
    """
    there = list(children(kind, within))
    found = [each for each in there if name in names(each)]
    if not found:
        listed = sorted({one for each in there for one in names(each)[:1]})
        raise LookupError(f"no {kind.__name__} {name!r} is seen{' in ' + within if within else ''}; seen: {listed}")
    return min(found, key=lambda each: (bool(panel_of(each)) and not within, not each.isEnabled()))


def is_usable(name: str, within: str = "") -> bool:
    return any(name in names(each) and each.isEnabled() for each in children(QWidget, within))


def popover() -> QWidget | None:
    """The popover that is open, whatever list has opened in it."""
    seen = [each for each in QApplication.topLevelWidgets() if each.isVisible() and each.objectName() == "popover"]
    return seen[0] if seen else None


def find_choice(name: str, within: str = "") -> QWidget:
    """Return the chooser called ``name``, or the segments that stand for one."""
    boxes = [each for each in children(QComboBox, within) if name in names(each)]
    rows = [each for each in children(QWidget, within) if name in names(each) and segments(each)]
    return (boxes or rows or [find(name, QComboBox, within)])[0]


def is_outside_panels(name: str) -> bool:
    """Whether something called ``name`` is seen that belongs to no panel."""
    return any(name in names(each) and not panel_of(each) for each in children(QWidget))


def segments(widget: QWidget) -> list[QAbstractButton]:
    """The segments of which one is chosen; none where ``widget`` is something else."""
    if isinstance(widget, (QComboBox, QAbstractButton)):
        return []
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    return [each for each in widget.findChildren(QAbstractButton, options=direct) if each.autoExclusive()]


def chosen(choice: QWidget) -> str:
    if isinstance(choice, QComboBox):
        return choice.currentText()
    return next((plain(each.text()) for each in segments(choice) if each.isChecked()), "")


def controls(within: str = "") -> list[QWidget]:
    """Everything that can be operated, seen and enabled; parts of another control do not count."""
    there = children(QWidget, within)
    return [each for each in there if isinstance(each, CONTROLS) and each.isEnabled() and not _part(each)]


def _part(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, (QComboBox, QAbstractSpinBox, QTabBar, QAbstractItemView, QHeaderView)):
            return True
        if isinstance(parent, QLineEdit) or parent.objectName() == "qt_scrollarea_hcontainer":
            return True
        parent = parent.parentWidget()
    return (
        isinstance(widget, QAbstractSlider)
        and widget.parentWidget() is not None
        and widget.parentWidget().objectName() in ("qt_scrollarea_hcontainer", "qt_scrollarea_vcontainer")
    )


def described(widget: QWidget) -> str:
    """One line about a widget, for a report."""
    name = (names(widget) or ["(no name)"])[0]
    where = panel_of(widget)
    return f"{type(widget).__name__} {name!r}" + (f" in {where!r}" if where else "")


# Menus


def menu_entries(menu: QMenu) -> list[QAction]:
    return [each for each in menu.actions() if not each.isSeparator() and each.isVisible()]


def menus() -> dict[str, list[tuple[str, bool]]]:
    """Each menu of the bar: its entries, and whether each can be chosen."""
    found = {}
    for head in main_window().menuBar().actions():
        menu = head.menu()
        if isinstance(menu, QMenu):
            menu.aboutToShow.emit()
            found[plain(head.text())] = [(plain(each.text()), each.isEnabled()) for each in menu_entries(menu)]
    return found


def panels() -> list[str]:
    """The titles of all panels, also of those that lie behind others."""
    return [str(each.property("panel")) for each in main_window().findChildren(QWidget) if each.property("panel")]


# Reading


def texts() -> list[str]:
    """All that is written in the windows, top to bottom: labels, buttons, fields, cells, what is announced."""
    lines: list[tuple[int, int, str]] = []
    for window in windows():
        for each in (window, *window.findChildren(QWidget)):
            if each.window() is not window or not each.isVisible() or uncovered(each).isEmpty():
                continue
            place = each.mapToGlobal(each.rect().topLeft())
            lines += [(place.y(), place.x(), line) for line in written(each) if line]
    return [line for _, _, line in sorted(lines, key=lambda one: one[:2])]


def written(widget: QWidget) -> list[str]:
    """What is written in one widget."""
    if isinstance(widget, QLabel):
        return [widget.text()]
    if isinstance(widget, QAbstractButton):
        state = f" [{'x' if widget.isChecked() else ' '}]" if widget.isCheckable() else ""
        return [(plain(widget.text()) or widget.accessibleName()) + state]
    if isinstance(widget, QComboBox):
        return [f"{widget.accessibleName()}: {widget.currentText()}"]
    if isinstance(widget, QLineEdit):
        return [widget.text()] if not isinstance(widget.parentWidget(), (QComboBox, QAbstractSpinBox)) else []
    if isinstance(widget, QPlainTextEdit):
        return [widget.toPlainText()]
    if isinstance(widget, QAbstractSpinBox):
        return [f"{widget.accessibleName()}: {widget.text()}"]
    if isinstance(widget, QTabBar):
        return [plain(widget.tabText(at)) for at in range(widget.count())]
    if isinstance(widget, QHeaderView):
        return []
    if isinstance(widget, QAbstractItemView):
        return ["\t".join(row) for row in cells(widget)]
    if widget.isWindow():
        return [
            widget.windowTitle(),
            *([widget.statusBar().currentMessage()] if isinstance(widget, QMainWindow) else []),
        ]
    return [widget.accessibleName()]


def written_in(name: str) -> list[str]:
    """What is written in the widgets called ``name``."""
    return [line for each in children(QWidget) if name in names(each) for line in written(each)]


def cells(view: QAbstractItemView) -> list[list[str]]:
    """The cells of a table, row by row; those of hidden columns left out."""
    model = view.model()
    if model is None:
        return []
    if isinstance(view, QTableView):
        columns = [each for each in range(view.horizontalHeader().count()) if not view.isColumnHidden(each)]
        count = view.verticalHeader().count()
    else:
        columns, count = [0], model.rowCount(QModelIndex())
    role = Qt.ItemDataRole.DisplayRole
    rows = range(min(count, MOST_ROWS))
    return [[str(model.index(row, column).data(role) or "") for column in columns] for row in rows]


# Geometry


def cut_off() -> list[str]:
    """Every control that is cut off, or whose text is, and cannot be scrolled to; a line each."""
    found = []
    for window in windows():
        room, size = window.screen().availableGeometry(), window.size()
        if isinstance(window, QDialog | QMainWindow) and (size.width() > room.width() or size.height() > room.height()):
            found.append(f"{window.windowTitle()} does not fit: {_rect(window.geometry())} on {_rect(room)}")
    for each in controls():
        area = scrolled(each)
        if area is not None:
            found += [f"{described(each)}: {why}" for why in _too_narrow(each)]
            continue
        shown = uncovered(each).boundingRect()
        if not shown.contains(each.rect()):
            found.append(f"{described(each)}: of {_rect(each.rect())} only {_rect(shown)} is seen")
        found += [f"{described(each)}: {why}" for why in _too_narrow(each)]
    for label in children(QLabel):
        told = bool(label.toolTip())  # what is cut stands there
        if label.text() and not told and not label.wordWrap() and scrolled(label) is None:
            wanted, got = label.sizeHint().width(), min(label.width(), label.visibleRegion().boundingRect().width())
            if wanted > got + 1:
                found.append(f"the text {label.text()!r} takes {wanted} pixels and has {got}")
    for table in children(QTableView):
        found += [f"{described(table)}: {why}" for why in _cut_cells(table)]
    return found


def _told(text: str, widget: QWidget, at: QPoint = QPoint(4, 4)) -> bool:  # noqa: B008
    """Whether the tool tip at a place of ``widget`` has the whole ``text``."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    tip = unescape(re.sub("<[^>]*>", "", QToolTip.text()))
    QToolTip.hideText()
    return text in tip


def _cut_cells(table: QTableView) -> Iterator[str]:
    """Yield the headings that are cut, and the cells of which neither the cell nor its tip has the whole text."""
    header = table.horizontalHeader()
    for column in range(header.count()):
        heading = str(table.model().headerData(column, Qt.Orientation.Horizontal) or "")
        room = table.columnWidth(column)
        taken = header.fontMetrics().horizontalAdvance(heading) + HEADING_PX
        if room and taken > room and header.isVisible():
            yield f"the heading {heading!r} takes {taken} pixels and has {room}"
        for row in range(max(0, table.rowAt(0)), min(table.verticalHeader().count(), MOST_ROWS) if room else 0):
            index = table.model().index(row, column)
            text, place = str(index.data() or ""), table.visualRect(index)
            taken = table.fontMetrics().boundingRect(place.adjusted(3, 0, -3, 1 << 15), WRAPPED, text).width() + 6
            if not text or taken <= room or not table.viewport().rect().contains(place.topLeft()):
                continue
            if FIGURE.fullmatch(text) or not _told(text, table.viewport(), place.topLeft() + QPoint(4, 4)):
                yield f"{text!r} takes {taken} pixels and has {room}"


def _too_narrow(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QComboBox) and widget.isEditable():
        yield from _too_narrow(widget.lineEdit())
    elif isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        of_text = QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, widget
        text, room = widget.currentText(), widget.style().subControlRect(*of_text).width()
        taken = widget.fontMetrics().horizontalAdvance(text)
        roomy = widget.window().width() >= ROOMY_PX
        cut = taken > room or option.currentText != text  # by the box itself, with an ellipsis
        if cut and (roomy or option.currentText == text or not _told(text, widget)):
            yield f"{text!r} takes {taken} pixels and has {room}"
    elif isinstance(widget, QLineEdit) and not widget.hasFocus():
        taken, room = widget.fontMetrics().horizontalAdvance(widget.text()), widget.contentsRect().width() - FRAME_PX
        if taken > room and not _told(widget.text(), widget):
            yield f"{widget.text()!r} takes {taken} pixels and has {room}"
    elif isinstance(widget, QAbstractButton) and plain(widget.text()):
        taken = (
            widget.minimumSizeHint().width() if type(widget).__name__ != "QToolButton" else widget.sizeHint().width()
        )
        if taken > widget.width() + 1:
            yield f"{plain(widget.text())!r} takes {taken} pixels and has {widget.width()}"
    elif isinstance(widget, QAbstractSpinBox):
        taken = widget.fontMetrics().horizontalAdvance(widget.text())
        if taken > widget.width() - 20:
            yield f"{widget.text()!r} takes {taken} pixels and has {widget.width() - 20}"


def _rect(rect: QRect) -> str:
    return f"{rect.width()} × {rect.height()} at {rect.x()}, {rect.y()}"


def under_way() -> bool:
    """Whether something that follows a result is still to come: from a thread, or in a turn of the event loop."""
    window = main_window()
    soon = (each for parent in (window, window.session) for each in parent.findChildren(QTimer) if each.isActive())
    once = (each.interval() == 0 or (each.isSingleShot() and each.interval() <= SOON_MS) for each in soon)
    return bool(background_task._threads) or any(once)


def busy() -> bool:
    """Whether anything is read or computed, when Stop can be chosen in the menu, or an alignment is on its way."""
    if under_way() or any(each.job is not None for each in main_window().session.findChildren(JobSlot)):
        return True
    labels = [*(each.text() for each in children(QLabel)), *(each.text for each in children(ElidedLabel))]
    if any(each.startswith(WAITING) for each in labels):
        return True
    for head in main_window().menuBar().actions():
        menu = head.menu()
        for each in menu.actions() if isinstance(menu, QMenu) else ():
            if plain(each.text()) == "Stop":
                return each.isEnabled()
    raise LookupError("there is no Stop in the menus")


def options(box: QWidget) -> list[str]:
    """The entries of a chooser that can be chosen."""
    if not isinstance(box, QComboBox):
        return [plain(each.text()) for each in segments(box) if each.isEnabled()]
    model = box.model()
    enabled = Qt.ItemFlag.ItemIsEnabled
    return [box.itemText(row) for row in range(box.count()) if model.flags(model.index(row, 0)) & enabled]


def choosers() -> list[str]:
    """The names of the choosers, boxes to tick and fields of numbers outside the panels."""
    kinds = (QComboBox, QCheckBox, QRadioButton, QAbstractSpinBox)
    return [names(each)[0] for each in controls() if isinstance(each, kinds) and not panel_of(each)]


def kind_of(widget: QWidget) -> str:
    if isinstance(widget, QComboBox) or segments(widget):
        return "box"
    if isinstance(widget, QAbstractSpinBox):
        return "number"
    return "tick" if isinstance(widget, QAbstractButton) and widget.isCheckable() else type(widget).__name__


def buttons(within: str) -> list[str]:
    """The names of the buttons of a panel that can be pressed."""
    there = [each for each in controls(within) if isinstance(each, QAbstractButton)]
    return [plain(each.text()) or names(each)[0] for each in there]


def message() -> str:
    """The message that stands above everything, or nothing."""
    bar = next((each for each in children(QWidget) if "Messages" in names(each)), None)
    return " ".join(each.text() for each in bar.findChildren(QLabel) if each.isVisible()) if bar is not None else ""


def panel_is_seen(title: str) -> bool:
    there = main_window().findChildren(QWidget)
    panel = next(each for each in there if each.property("panel") == title)
    return panel.isVisible() and not uncovered(panel).isEmpty()


def is_dark() -> bool:
    window = main_window()
    picture = window.grab().toImage()
    return picture.pixelColor(picture.width() // 2, picture.height() - 2).lightness() < 128


def print_of(widget: QWidget) -> str:
    """A digest of what is painted."""
    picture = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return hashlib.sha256(bytes(picture.constBits())).hexdigest()[:16]
