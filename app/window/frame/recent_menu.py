"""The menu of recent pairs: missing ones greyed, and said why."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from wavediff.app.ui.number_text import plain_tip
from wavediff.app.window.pair.recent import RecentPair
from wavediff.app.window.pair.session import Session


class RecentMenu(QMenu):
    """Filled when it is opened, so that a file that came back is no longer grey."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("&Recent pairs", parent)
        self._session = session
        self._pairs: dict[QAction, RecentPair] = {}
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(session.recent.look_again)  # another window may have added some
        self.aboutToShow.connect(self.fill)
        self.triggered.connect(self._open)
        session.recent.changed.connect(self._enable)
        self._enable()

    @Slot()
    def _enable(self) -> None:
        self.setEnabled(bool(self._session.recent.pairs))

    @Slot()
    def fill(self) -> None:
        self.clear()
        self._pairs = {}
        for number, pair in enumerate(self._session.recent.pairs, 1):
            key = f"&{number} " if number < 10 else f"{number} "
            missing = pair.missing
            note = "   (missing)" if missing else ""
            action = self.addAction(key + pair.title.replace("&", "&&") + note)
            action.setEnabled(not missing)
            lines = [f"missing: {path!s}" for path in missing] or [
                f"A: {pair.a.path}",
                f"B: {pair.b.path}",
            ]
            action.setToolTip(plain_tip("\n".join(lines)))
            self._pairs[action] = pair

    @Slot(QAction)
    def _open(self, action: QAction) -> None:
        if action in self._pairs:
            self._session.open_recent(self._pairs[action])
