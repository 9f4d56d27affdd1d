"""The question how B is to be oriented to fit A, asked by a person and answered on a thread of its own."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from wavediff.app.ui.job_slot import JobSlot
from wavediff.app.ui.notices import Notifier, Severity
from wavediff.app.ui.pair import Pair, Side
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.segments import segments
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.screening.jobs import FoundOrientation, OrientJob
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Sequence, require_nucleotides


class OrientationFinder(Notifier):
    """Asks for a pair what was asked last; what could not be found is a notice.

    Signals:
        found: the ``Orientation`` that B shall have.
        refused: B stays as it is.
    """

    found = Signal(object)
    refused = Signal()

    def __init__(self, pair: Pair, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pair = pair
        self._slot = JobSlot("orient", self)
        self._slot.finished.connect(self._on_result)
        self._slot.failed.connect(self._fail)

    def ask(self, strand: Strand | None = None, *, circular: bool = False) -> None:
        """Find how this strand of B, None for the one that fits A, is to be oriented; a line is so at once."""
        self.stop()
        both = self._pair.complete
        if both is None:
            self.notice(Severity.INFO, "Open A and B first: B is oriented to fit A")
            return
        a, b = both[0], both[1].original
        try:
            require_nucleotides(a, b)
        except WavediffError as error:
            self.notice(Severity.ERROR, str(error), Side.B)
            self.refused.emit()
            return
        if strand is not None and not circular:
            self.found.emit(Orientation(strand))
        else:
            self._slot.submit(
                OrientJob(
                    a=a.comparable(fold_case=False), b=b.comparable(fold_case=False), strand=strand, circular=circular
                )
            )

    def stop(self) -> None:
        """Find nothing any more."""
        if self._slot.stop():
            self.refused.emit()

    def close(self) -> bool:
        """End the thread; False when it is stuck."""
        return self._slot.close()

    @Slot(object, object)
    def _on_result(self, found: FoundOrientation, _job: object) -> None:
        self.found.emit(found.orientation)
        for text in found.doubts:
            self.notice(Severity.INFO, text, Side.B)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.report_error(error, "The orientation of B was not found", Side.B)
        self.refused.emit()


def swapped_orientation(a: Sequence, b: Sequence, alignment: Alignment | None) -> Orientation:
    """Return how A is read as B: of a turned circle so that it begins with what lies on the beginning of B's file.

    Args:
        alignment: of both, where there is one.
    """
    if not b.orientation.turned or not len(a):
        return b.orientation
    parts = [] if alignment is None else segments(a, b, alignment)
    partner = b.index(0)
    if len(parts) > 1:  # a strand that descends ends with the beginning of the file, and goes on with its end
        partner = parts[-1].a0 - (b.orientation.strand is Strand.MINUS)
    return b.orientation.swapped(partner % len(a), len(a))
