"""Dialogs: shortcuts, preferences, about, errors."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from wavediff.app.compare.replay import BY_ITSELF_SECONDS, Replay
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.dialogs import Standard, button_box, fit_screen
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.theme import Scheme, Theme, scaled_font
from wavediff.app.window.frame.actions import MENUS, VIEW_KEYS, ActionSpec, plain, shown_keys
from wavediff.app.window.session import Session
from wavediff.core.base.numbers import duration, number
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.system.version import VERSION

log = logging.getLogger(__name__)


class ErrorDialog(QDialog):
    """Error report, ready to copy; further errors are only counted."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Something went wrong in Wavediff")
        self._more = 0
        self._note = QLabel("A bug in Wavediff. Your files are untouched, and you can go on.", self)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._text = QPlainTextEdit(report, self, readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = button_box(self, Standard.Close)
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report))
        in_column(self._note, self._text, buttons, on=self)
        self.resize(720, 360)

    @property
    def report(self) -> str:
        return self._text.toPlainText()

    def count_more(self) -> None:
        self._more += 1
        self._note.setText(
            f"A bug in Wavediff ({number(self._more + 1)} errors). Your files are untouched, and you can go on."
        )


class ErrorCatcher(QObject):
    """Hooks of ``sys`` and ``threading`` for uncaught exceptions, until ``release``.

    PySide prints exceptions of overrides and slots, which calls ``sys.excepthook``; exceptions in destructors or dying
    objects are "unraisable".

    Signals:
        caught: the report as text; emitted in the thread in which it happened.
    """

    caught = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.dialog: ErrorDialog | None = None
        self.window: QWidget | None = None
        self._seen: set[str] = set()
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
        self.caught.connect(self._show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._hook
        threading.excepthook = sys.unraisablehook = self._args_hook

    def release(self) -> None:
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before

    @Slot(object)
    def take(self, error: BaseException) -> None:
        """Report an exception caught by the caller."""
        self._hook(type(error), error, error.__traceback__)

    def _hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        log.error("uncaught: %s", text)
        self.caught.emit(f"Wavediff {VERSION}, Python {sys.version.split()[0]}, {sys.platform}\n\n{text}")

    def _args_hook(self, args: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
        if args.exc_value is not None:
            self._hook(args.exc_type, args.exc_value, args.exc_traceback)

    @Slot(str)
    def _show(self, report: str) -> None:
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.count_more()
            return
        if report in self._seen:  # a loop of errors opens one dialog, also after it was closed
            return
        self._seen.add(report)
        self.dialog = ErrorDialog(report, self.window)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        fit_screen(self.dialog)
        self.dialog.open()


SCHEMES = {Scheme.SYSTEM: "System", Scheme.LIGHT: "Light", Scheme.DARK: "Dark"}


class Preferences(QDialog):
    """Preferences dialog; changes take effect at once."""

    def __init__(
        self, theme: Theme, session: Session, replay: Replay, folder: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self._theme, self._session, self._replay = theme, session, replay
        self._scheme = Chooser[Scheme]("Colours", self)
        for scheme, text in SCHEMES.items():
            self._scheme.add(scheme, text)
        self._scheme.choose(theme.scheme)
        self._scheme.activated.connect(lambda: theme.set_scheme(self._scheme.value))
        tip = "Initial method of new pairs; each pair keeps its own"
        self._method = Chooser[str]("Method of new pairs", self, tip)
        self._method.add(AUTOMATIC, "Automatic", "Lines of texts, edits of sequences")
        for method in METHODS:
            self._method.add(method.id, method.name, method.tip)
        self._method.choose(session.start.method)
        self._method.activated.connect(lambda: session.start_with(self._method.value))
        self._replays = QCheckBox("Replay runs shorter than a second automatically", self)
        self._replays.setToolTip(f"Played once, in {duration(BY_ITSELF_SECONDS)}; any key or click ends it")
        self._replays.setChecked(replay.by_itself)
        self._replays.toggled.connect(self._choose_replay)
        self._clear = QPushButton("Forget recent pairs", self)
        self._clear.setEnabled(bool(session.recent.pairs))
        self._clear.clicked.connect(self._forget)
        where = QLabel(str(folder), self, textFormat=Qt.TextFormat.PlainText)
        where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QFormLayout(self)
        layout.addRow("Colours", self._scheme)
        layout.addRow("Method of new pairs", self._method)
        layout.addRow("Map", self._replays)
        layout.addRow("Recent pairs", self._clear)
        layout.addRow("Settings are stored in", where)
        layout.addRow(button_box(self, Standard.Close))

    @Slot(bool)
    def _choose_replay(self, on: bool) -> None:
        self._replay.by_itself = on

    @Slot()
    def _forget(self) -> None:
        self._session.recent.clear()
        self._clear.setEnabled(False)


Rows = tuple[tuple[str, str], ...]


def sheet_rows(specs: Iterable[ActionSpec], of_panels: Mapping[str, Rows]) -> dict[str, Rows]:
    """Return title -> (keys, action): menus, views, and panels by title; panels with equal keys are merged."""
    rows = {
        plain(menu): tuple((shown_keys(s), plain(s.text).rstrip("…")) for s in specs if s.menu == menu and s.keys)
        for menu in MENUS
    }
    titles: dict[Rows, list[str]] = {}
    for title, keys in of_panels.items():
        titles.setdefault(keys, []).append(title)
    return {**rows, **VIEW_KEYS, **{" · ".join(alike): keys for keys, alike in titles.items() if keys}}


class ShortcutSheet(QDialog):
    """All shortcuts, in two columns if they fit side by side."""

    def __init__(self, rows_by_title: Mapping[str, Rows], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        groups = list(rows_by_title.items())
        total = sum(len(rows) + 2 for _, rows in groups)
        columns = QHBoxLayout()
        columns.setSpacing(36)
        column, used = QVBoxLayout(), 0
        for title, rows in groups:
            column.addLayout(self._group(title, rows))
            column.addSpacing(10)
            used += len(rows) + 2
            if used >= total / 2:
                column.addStretch(1)
                columns.addLayout(column)
                column, used = QVBoxLayout(), -total
        column.addStretch(1)
        columns.addLayout(column)
        in_column(columns, button_box(self, Standard.Close), on=self)
        if self.sizeHint().width() > self.screen().availableSize().width():
            columns.setDirection(QHBoxLayout.Direction.TopToBottom)

    def _group(self, title: str, rows: Rows) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnMinimumWidth(0, 150)
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        head = QLabel(title, self)
        head.setFont(scaled_font(1.0, semi_bold=True))
        grid.addWidget(head, 0, 0, 1, 2)
        for at, (keys, what) in enumerate(rows, 1):
            for place, text in enumerate((keys, what)):
                grid.addWidget(QLabel(text, self, textFormat=Qt.TextFormat.PlainText), at, place)
        return grid


class AboutDialog(QDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Wavediff")
        name = QLabel(f"Wavediff {VERSION}", self)
        name.setFont(scaled_font(1.5, semi_bold=True))
        what = QLabel(
            "Shows how two sequences differ, and the computation that finds it:\nbit-parallel, block by block "
            "along the antidiagonals of the matrix.",
            self,
        )
        in_column(name, what, button_box(self, Standard.Close), on=self, margin=(24, 20, 24, 14), gap=10)
