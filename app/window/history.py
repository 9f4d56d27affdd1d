"""Undo and redo of what a person chose or swapped."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from wavediff.app.window.session import Session, SessionState

MAX_STEPS = 100


class Step(QUndoCommand):
    """The state of the session before and after one deed."""

    def __init__(self, name: str, session: Session, before: SessionState, after: SessionState) -> None:
        super().__init__(name)
        self._session, self._before, self._after = session, before, after
        self._done = True  # when it is put on the stack

    def undo(self) -> None:
        self._session.restore(self._before)

    def redo(self) -> None:
        if self._done:
            self._done = False
        else:
            self._session.restore(self._after)


class History(QObject):
    """Notes what is done with a pair.

    Signals:
        changed: what can be undone or done again.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._now = session.state
        self._stack = QUndoStack(self, undoLimit=MAX_STEPS)
        self._stack.indexChanged.connect(self.changed)
        session.done.connect(self._note)
        session.opened.connect(self._forget)

    @property
    def undo_text(self) -> str:
        """Return what would be undone; empty where nothing can be."""
        return self._stack.undoText()

    @property
    def redo_text(self) -> str:
        return self._stack.redoText()

    @Slot()
    def undo(self) -> None:
        self._stack.undo()
        self._now = self._session.state

    @Slot()
    def redo(self) -> None:
        self._stack.redo()
        self._now = self._session.state

    @Slot(str)
    def _note(self, name: str) -> None:
        before, self._now = self._now, self._session.state
        self._stack.push(Step(name, self._session, before, self._now))

    @Slot()
    def _forget(self) -> None:
        """Begin anew with another pair: the one before is not kept in memory."""
        self._stack.clear()
        self._now = self._session.state
