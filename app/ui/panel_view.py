"""Base of panel views: notices, and file output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QScrollArea, QWidget

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.notices import Notice, Severity, error_text
from wavediff.core.export.registry import Format
from wavediff.core.jobs.cancel import CancelToken


def area_of(widget: QWidget) -> QScrollArea | None:
    """Return the area that ``widget`` scrolls in."""
    area: QWidget | None = widget
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    return area


class PanelView(QWidget):
    """Common behaviour of panels; views override parts of it.

    Attributes:
        keys: keys of the view and their actions, for the list of shortcuts.
        is_scene: whether the view must be visible as a whole.

    Signals:
        noticed: a ``Notice``.
        letters_wanted: show the chosen place in the letters, raised if hidden.
    """

    keys: ClassVar[tuple[tuple[str, str], ...]] = ()
    is_scene: ClassVar[bool] = False
    noticed = Signal(object)
    letters_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.writer = BackgroundTask("save", self, self._written, self._not_written)

    def heightForWidth(self, width: int) -> int:
        """Return the minimum height, by the name that the panel's scroll area queries; below that it scrolls."""
        layout = self.layout()
        return layout.minimumHeightForWidth(width) if layout is not None and layout.hasHeightForWidth() else -1

    def opened(self) -> None:
        """Prepare for use after the panel was opened by menu or key."""
        self.setFocus()

    @property
    def message(self) -> str:
        """Text shown instead of content, of which there is no picture then; empty: there is content."""
        return ""

    def set_stale(self, text: str) -> None:
        """Grey out outdated content with ``text``; empty: current again."""

    def scroll_to(self, part: QWidget) -> None:
        """Scroll the panel's area to ``part`` of the view."""
        if (area := area_of(self)) is not None:
            QTimer.singleShot(0, area, partial(area.ensureWidgetVisible, part))  # once it has its place

    def tell(self, text: str, level: Severity = Severity.INFO) -> None:
        self.noticed.emit(Notice(level, text))

    # Files

    @property
    def writing(self) -> bool:
        return self.writer.running

    def write(self, kind: Format, path: Path, answer: Any, said: str, inputs: Sequence[str] = ()) -> None:
        """Write an answer to a file in a background thread; then show ``said`` or the error.

        Args:
            inputs: files that must not be overwritten.
        """

        self.write_by(lambda cancel: kind.save(path, answer, cancel, inputs), said)

    def write_by(self, write: Callable[[CancelToken], object], said: str) -> None:
        """Run ``write`` in a background thread; otherwise like ``write``."""

        def work(cancel: CancelToken) -> str:
            write(cancel)
            return said

        self.writer.start(work)
        self.show_writing()

    def show_writing(self) -> None:
        """Show whether a file is being written."""

    @Slot(object)
    def _written(self, said: str) -> None:
        self.tell(said)
        self.show_writing()

    @Slot(object)
    def _not_written(self, error: BaseException) -> None:
        self.tell(error_text(error), Severity.ERROR)
        self.show_writing()
