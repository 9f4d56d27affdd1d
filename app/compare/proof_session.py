"""The proof of an answer: its score by a second algorithm, on a thread of its own."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from wavediff.app.ui.job_slot import SideSession
from wavediff.app.ui.pair import Comparison
from wavediff.core.methods.second import ProofJob

RUNNING = "Computing it by a second algorithm…"


class ProofSession(SideSession):
    """Proves the answer that it is handed.

    Signals:
        proven: the job of the answer, and a ``wavediff.core.jobs.verification.Proof``.
    """

    proven = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("proof", "The proof failed", "", "", parent)
        self._job: Any = None

    def prove(self, outcome: Comparison) -> None:
        self._job = outcome.job
        self._submit(ProofJob(pair=outcome.job, result=outcome.result), RUNNING)

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        self._end("")
        self.proven.emit(self._job, result)
