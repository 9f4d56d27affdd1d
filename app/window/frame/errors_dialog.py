"""Dialog for errors nobody foresaw: one, with text that can be copied, however often it happens."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from wavediff.app.ui.buttons import Standard, button_box
from wavediff.app.ui.layouts import in_column
from wavediff.core.base.numbers import number
from wavediff.core.system.version import VERSION

log = logging.getLogger(__name__)


class ErrorDialog(QDialog):
    """The report, ready to copy; errors that follow are counted, not shown one by one."""

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
        copy.clicked.connect(self._copy)
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

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report)


class ErrorCatcher(QObject):
    """Takes over the hooks of ``sys`` and ``threading`` for errors that nobody caught, until ``release``.

    PySide brings here what an override or a slot raises: it prints it, which is what calls ``sys.excepthook``; where
    there is nobody to print it for, as in a destructor or in an object that is going away, it is "unraisable".

    Signals:
        caught: the report as text; emitted in whatever thread it happened.
    """

    caught = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.dialog: ErrorDialog | None = None
        self.window: QWidget | None = None
        self._seen: set[str] = set()
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
        self.caught.connect(self._show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._hook
        threading.excepthook = self._thread_hook
        sys.unraisablehook = self._unraisable_hook

    def release(self) -> None:
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before

    @Slot(object)
    def take(self, error: BaseException) -> None:
        """Show an exception that somebody else caught."""
        self._hook(type(error), error, error.__traceback__)

    def _hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        log.error("uncaught: %s", text)
        self.caught.emit(f"Wavediff {VERSION}, Python {sys.version.split()[0]}, {sys.platform}\n\n{text}")

    def _thread_hook(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._hook(args.exc_type, args.exc_value, args.exc_traceback)

    def _unraisable_hook(self, args: sys.UnraisableHookArgs) -> None:
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
        self.dialog.open()
