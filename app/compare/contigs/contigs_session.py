"""Background placement of contigs (the file of B) on A; cached while the letters stay the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Slot

from wavediff.app.ui.background_task import SideSession
from wavediff.app.ui.pair import Pair, Side
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.contigs import ContigsJob, ContigsResult, Placement
from wavediff.core.jobs.events import ContigsPlaced
from wavediff.core.run.contigs_request import contigs_job
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.sequence import Sequence

if TYPE_CHECKING:
    from wavediff.core.reading import Load

FRAME_MS, REST = 33, 9  # between two looks at what is known; rest after one, in times of what it took
SEVERAL = "The file of B has one record: open an assembly as B"


class ContigsSession(SideSession):
    """Places the contigs on demand.

    Args:
        file: returns all records of the file of B; None: no file.

    Attributes:
        answer: for the current A and file, or None. seconds: its run time.
        shown: the answer, or the contigs placed so far.
    """

    def __init__(self, pair: Pair, file: Callable[[], Load | None]) -> None:
        super().__init__("contigs", "The contigs could not be placed", "", "contigs")
        self._pair, self._file = pair, file
        self._of: tuple[Sequence, Load] | None = None  # that are placed, or can be
        self._job: ContigsJob | None = None
        self._kept: Any = None
        self._why_not = ""
        self._stopped = False
        self.answer: ContigsAnswer | None = None
        self.seconds = 0.0
        self._so_far: ContigsAnswer | None = None
        self._placed = list[Placement]()
        self._soon = QTimer(self, singleShot=True, interval=FRAME_MS)
        self._soon.timeout.connect(self._grow)
        pair.changed.connect(self._drop_other_pair)

    @property
    def refusal(self) -> str:
        """Reason why contigs cannot be placed; empty if they can."""
        self._drop_other_pair()
        return self._why_not

    @property
    def shown(self) -> ContigsAnswer | None:
        return self.answer or self._so_far

    @property
    def n_records(self) -> int:
        return 0 if self._of is None else self._of[1].n_records

    @property
    def circular(self) -> bool:
        return self._job is not None and self._job.circular

    def want(self, topology: Topology = Topology.AUTO, *, again: bool = False) -> None:
        """Place the contigs on A with ``topology`` unless known or running; ``again``: also after a stop."""
        self._drop_other_pair()
        if self._of is not None and self._job is not None:
            job = contigs_job(*self._of, topology, 0, 0)
            if job.circular != self._job.circular:
                self.slot.stop()
                self._job, self.answer, again = job, None, True
        if self._job is not None and self.answer is None and not self.running and (again or not self._stopped):
            self._stopped = False
            self._submit(self._job, "Placing contigs…")

    def drop(self) -> None:
        self.slot.stop()
        self.answer = None
        self._forget()

    def kept(self) -> Any:
        return None if self.answer is None else (self._of, self._job, self.answer)

    def take_up(self, kept: Any) -> None:
        self._kept = kept

    @Slot()
    def _drop_other_pair(self) -> None:
        a, file = self._pair.original(Side.A), self._file()
        of = None if a is None or file is None else (a, file)
        if _same(of, self._of):
            return
        self.slot.stop()
        self._of, self._job, self.answer, self._stopped, self._why_not = of, None, None, False, SEVERAL
        if self._kept is not None and _same(of, self._kept[0]):
            _, self._job, self.answer = self._kept
            self._why_not = ""
        elif of is not None and of[1].format == "FASTQ":
            name = printable(os.path.basename(of[1].source))
            self._why_not = f"{name} has reads (FASTQ), not contigs: Search finds patterns in reads (Ctrl+F)"
        elif of is not None and of[1].n_records > 1:
            try:
                self._job, self._why_not = contigs_job(*of, Topology.AUTO, 0, 0), ""
            except WavediffError as error:
                self._why_not = str(error)
        self._end("")

    def _forget(self) -> None:
        self._soon.stop()
        self._so_far, self._placed = None, []

    def _submit(self, job: Any, status: str, device: Device | None = None) -> None:
        self._forget()
        super()._submit(job, status, device)

    def _end(self, status: str) -> None:
        self._stopped = bool(status)
        self._forget()
        super()._end(status)

    @Slot(object)
    def _on_event(self, event: Any) -> None:
        if isinstance(event, ContigsPlaced):
            self._placed += event.placements
            if not self._soon.isActive():
                self._soon.start()
        else:
            super()._on_event(event)

    @Slot()
    def _grow(self) -> None:
        """Show partial results, using at most a tenth of the GUI thread's time."""
        start = perf_counter()
        if self._of is not None and self._job is not None and any(one.placed for one in self._placed):
            self._so_far = ContigsAnswer(*self._of, ContigsResult.so_far(self._job, self._placed))
            self.changed.emit()
        self._soon.setInterval(max(FRAME_MS, round(REST * 1000 * (perf_counter() - start))))

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        assert self._of is not None
        self.answer = ContigsAnswer(*self._of, result, timings=tuple(self._timings))
        self.seconds = self._took
        self._end("")


def _same(one: tuple[Sequence, Load] | None, other: tuple[Sequence, Load] | None) -> bool:
    if one is None or other is None:
        return one is other
    return one[1] is other[1] and one[0].circular == other[0].circular and one[0].letters is other[0].letters
