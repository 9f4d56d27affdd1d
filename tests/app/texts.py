"""All that a person can read, or hear from a screen reader, in windows that are open."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDialogButtonBox,
    QDoubleSpinBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QWidget,
)

from app.ui.labels import ElidedLabel

ROWS, COLUMNS = 24, 16  # of a table, at most
ROLES = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole,
)  # fmt: skip


def texts_of(top: QWidget) -> Iterator[tuple[str, str]]:
    """Yield (where, text) for ``top`` and all within that is not hidden; marked-up text without its marks."""
    for widget in (top, *top.findChildren(QWidget)):
        if widget is top or not _hidden(widget, top):
            for what, text in _of_widget(widget):
                yield f"{described(widget)} {what}", plain(text)
    for action in top.findChildren(QAction):
        if action.isSeparator() or action.parent() is None:
            continue
        for what in ("text", "iconText", "toolTip", "statusTip"):
            yield f"action {action.objectName() or action.text()} {what}", plain(getattr(action, what)())


def _hidden(widget: QWidget, top: QWidget) -> bool:
    """Whether ``widget`` is not to be seen even when ``top`` is; menus and popovers are read when they are open."""
    return not widget.isVisibleTo(top) or (widget.isWindow() and not isinstance(widget, QMenu))


def _of_widget(widget: QWidget) -> Iterator[tuple[str, str]]:
    yield "tip", widget.toolTip()
    yield "status tip", widget.statusTip()
    yield "name", widget.accessibleName()
    yield "description", widget.accessibleDescription()
    if widget.isWindow():
        yield "title", widget.windowTitle()
    if isinstance(widget, QMenu):
        yield "title", widget.title()
    if isinstance(widget, QAbstractButton) and not isinstance(widget.parent(), QDialogButtonBox):  # Qt's own
        yield "text", widget.text()
    if isinstance(widget, QLabel):
        yield "text", widget.text()
    if isinstance(widget, ElidedLabel):
        yield "text", widget.text
    if isinstance(widget, QGroupBox):
        yield "title", widget.title()
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        yield "placeholder", widget.placeholderText()
    if isinstance(widget, QSpinBox | QDoubleSpinBox):
        yield "words", " ".join((widget.prefix(), widget.suffix(), widget.specialValueText()))
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield f"tab {at}", widget.tabText(at)
            yield f"tip of tab {at}", widget.tabToolTip(at)
    model = _model_of(widget)
    if model is not None:
        yield from _of_model(model)


def _model_of(widget: QWidget) -> QAbstractItemModel | None:
    if isinstance(widget, QComboBox):
        return widget.model()
    return widget.model() if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView) else None


def _of_model(model: QAbstractItemModel) -> Iterator[tuple[str, str]]:
    columns = range(1 if isinstance(model, QAbstractListModel) else min(model.columnCount(), COLUMNS))
    for column in columns:
        for role in ROLES:
            yield f"heading {column}", _text(model.headerData(column, Qt.Orientation.Horizontal, role))
    for row in range(min(model.rowCount(), ROWS)):
        for column in columns:
            index: QModelIndex = model.index(row, column)
            for role in ROLES:
                yield f"cell {row}, {column}", _text(index.data(role))


def _text(found: Any) -> str:
    return found if isinstance(found, str) else ""


def plain(text: str) -> str:
    """Return a text without the mark-up that it begins with, or that has links or lines in it."""
    rich = text.startswith("<") or "<br>" in text or "<a href=" in text
    return html.unescape(re.sub(r"<(p|/p|b|/b|br|style|a|/a)\b[^>]*>", "", text)) if rich else text


def described(widget: QWidget) -> str:
    """Return which widget it is, for a message."""
    above = [type(each).__name__ for each in _above(widget)]
    return " in ".join([type(widget).__name__, *above[:2]])


def _above(widget: QWidget) -> Iterator[QWidget]:
    at = widget.parentWidget()
    while at is not None:
        yield at
        at = at.parentWidget()


@contextmanager
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the texts that views of ours draw themselves."""
    found: list[str] = []
    draw = QPainter.drawText

    def note(painter: QPainter, *values: Any) -> Any:
        found.extend(each for each in values if isinstance(each, str))
        return draw(painter, *values)

    with monkeypatch.context() as changed:
        changed.setattr(QPainter, "drawText", note)
        yield found
