"""Undo and redo of what was chosen, swapped, or opened in the place of another pair."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from wavediff.app.window.pair.pair_reader import PairReader
from wavediff.app.window.pair.pair_state import PairState

MAX_STEPS = 100


class Step(QUndoCommand):
    """The state on the other side of one change: before it, or, once it is undone, after it."""

    def __init__(self, name: str, session: PairReader, before: PairState) -> None:
        super().__init__(name)
        self._session, self._other = session, before
        self._done = True  # when it is put on the stack

    def undo(self) -> None:
        state = self._session.state
        self._session.restore(self._other)
        self._other = state

    def redo(self) -> None:
        if self._done:
            self._done = False
        else:
            self.undo()


class History(QObject):
    """Notes what is done with pairs. Of a file its name is kept, which is read again; of a pasted text its letters.

    Signals:
        changed: what can be undone or done again.
    """

    changed = Signal()

    def __init__(self, session: PairReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._stack = QUndoStack(self, undoLimit=MAX_STEPS)
        self._stack.indexChanged.connect(self.changed)
        session.done.connect(self._note)

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

    @Slot()
    def redo(self) -> None:
        self._stack.redo()

    @Slot(str, object)
    def _note(self, name: str, before: PairState) -> None:
        if before.sources:
            self._stack.push(Step(name, self._session, before))
