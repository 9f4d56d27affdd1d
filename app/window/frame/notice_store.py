"""Notices that were not dismissed and are not out of date, oldest first."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wavediff.app.ui.notices import Action, Notice, Severity

MAX_NOTICES = 200
PRESSING = (Severity.WARNING, Severity.ERROR)  # stand beside the answer; the others are in the list alone


class NoticeStore(QObject):
    """Signals:
    added: a ``Notice`` that has just come.
    changed: ``notices`` are others now.
    """

    added = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices: list[Notice] = []
        self._ending: list[Notice] = []  # errors that the next success ends
        self._new: list[Notice] = []  # of this turn of the event loop
        self._tries = False
        self._idle = QTimer(self, singleShot=True, interval=0)  # whatever is tried in the same turn belongs to it

    @property
    def notices(self) -> tuple[Notice, ...]:
        return tuple(self._notices)

    @property
    def pressing(self) -> Notice | None:
        """The newest one that stands beside the answer."""
        return next((each for each in reversed(self._notices) if each.level in PRESSING), None)

    @Slot(object)
    def add(self, notice: Notice) -> None:
        """Take ``notice``; one that is there already comes last, and is there once."""
        self._notices = [*(each for each in self._notices if each != notice), notice][-MAX_NOTICES:]
        self._new.append(notice)
        QTimer.singleShot(0, self._new.clear)
        self.changed.emit()
        self.added.emit(notice)

    @Slot(object)
    def settle(self, replaced: frozenset[str]) -> None:
        """Drop what is out of date: the things in ``replaced`` are others now, see ``Notice.about``."""
        self._keep([notice for notice in self._notices if not notice.about & replaced])

    def try_on(self, busy: bool) -> None:
        """Take note that something is tried, whose success ends the errors of before; a pair is read, then compared."""
        if busy and not self._idle.isActive() and not self._tries:
            new = set(map(id, self._new))
            self._ending = [each for each in self._notices if each.level is Severity.ERROR and id(each) not in new]
        if not busy and self._tries:
            self._idle.start()
        elif busy:
            self._idle.stop()
        self._tries = busy

    @Slot()
    def succeed(self) -> None:
        """Drop the errors that were there before what has succeeded now."""
        ended = set(map(id, self._ending))
        self._keep([each for each in self._notices if id(each) not in ended])

    @Slot(object)
    def dismiss(self, notice: Notice) -> None:
        self._keep([each for each in self._notices if each is not notice])

    def act(self, notice: Notice, action: Action) -> None:
        """Do what ``notice`` offers; it is done with then."""
        self.dismiss(notice)
        action.do()

    def _keep(self, kept: list[Notice]) -> None:
        if len(kept) < len(self._notices):
            self._notices = kept
            self.changed.emit()
