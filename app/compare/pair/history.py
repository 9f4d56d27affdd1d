"""Answers of a pair and steps that undo takes back."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from wavediff.app.compare.pair.pair_reader import PairReader
from wavediff.app.compare.pair.pair_state import PairState, Question
from wavediff.app.compare.timings_model import TimingsModel
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.pair import Comparison
from wavediff.core.jobs.events import DeviceChosen, KernelTiming

MAX_ANSWERS = 4  # the map of one and its times take up to 10 MB


class Answer(NamedTuple):
    question: Question | None
    outcome: Comparison
    run: dict[str, Any]  # of ``BlockMapModel.ended``
    timings: tuple[KernelTiming, ...]
    device: DeviceChosen | None


class Answers:
    """Answers of the pair; ``all``: the last ``MAX_ANSWERS``, oldest first."""

    def __init__(self, wavefront: BlockMapModel, timings: TimingsModel, devices: DeviceModel) -> None:
        self._wavefront, self._timings, self._devices = wavefront, timings, devices
        self.all: tuple[Answer, ...] = ()

    def add(self, question: Question | None, outcome: Comparison) -> None:
        new = Answer(question, outcome, self._wavefront.ended(), self._timings.rows, self._devices.chosen)
        others = [each for each in self.all if each.question != question]
        self.all = (*others, new)[-MAX_ANSWERS:]

    def update(self, outcome: Comparison) -> None:
        """Replace the outcome of the answer with the same job, e.g. by one with a proof."""
        same = (each.outcome.job is outcome.job for each in self.all)
        self.all = tuple(
            each._replace(outcome=outcome) if its else each for each, its in zip(self.all, same, strict=True)
        )

    def of(self, question: Question | None) -> Answer | None:
        """Return the answer to a question; None without a question or without an answer."""
        return next((each for each in self.all if question is not None and each.question == question), None)

    def show_run(self, answer: Answer) -> None:
        self._devices.chosen = answer.device
        self._timings.take_back(answer.timings)
        self._wavefront.take_back(answer.run)


MAX_STEPS = 100


class Step(QUndoCommand):
    """Undo step of one change; it has the state before the change, or after it once it is undone."""

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
    """Undo steps of pairs. Files are stored by name and read again; pasted texts by their letters.

    Signals:
        changed: the undo or redo steps changed.
    """

    changed = Signal()

    def __init__(self, session: PairReader) -> None:
        super().__init__()
        self._session = session
        self._stack = QUndoStack(self, undoLimit=MAX_STEPS)
        self._stack.indexChanged.connect(self.changed)
        session.done.connect(self._note)

    @property
    def undo_text(self) -> str:
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
