"""From contig to contig along A, to one that was typed, and back."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from wavediff.app.compare.alignment_navigation import Steps
from wavediff.app.compare.contigs.contigs_view import ContigsView
from wavediff.app.compare.stepper import Stepper
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number, position
from wavediff.core.jobs.contigs import ContigsResult

HELP = "Number of a contig in its file, or its name"


class ContigSteps(Steps):
    """Moves the current contig of ``view``.

    Attributes:
        result: whose contigs these are; None while there is none. contig: index along A of the current one, -1: none.

    Signals:
        moved: another contig is the current one.
    """

    moved = Signal()

    def __init__(self, view: ContigsView, stepper: Stepper, parent: QObject) -> None:
        super().__init__(stepper, stepper.tell, parent)
        self.result: ContigsResult | None = None
        self._left: tuple[ContigsResult | None, int] = None, -1
        self._view, self.contig = view, -1
        view.canvas.chosen.connect(self.go)
        view.stepped.connect(lambda step: self.go_next() if step > 0 else self.go_previous())

    @property
    def words(self) -> tuple[str, str]:
        return "contig", "contigs"

    def show(self, result: ContigsResult | None) -> None:
        """Step through these contigs, from the first one on, or where they were left."""
        if result is self.result:
            return
        if self.result is not None:
            self._left = self.result, self.contig
        self.result = result
        self._visited.clear()
        first = 0 if result is not None and result.order else -1
        self._arrive(self._left[1] if result is not None and result is self._left[0] else first)

    def show_counts(self) -> None:
        self._stepper.show_steps(self.words[0], self.counted()[1], {})

    def go(self, contig: int) -> None:
        """Go to a contig by its index along A; the place is one to go back to."""
        if contig >= 0:
            self._visited.jump(self.contig, contig)
        self._arrive(contig)

    def go_next(self) -> None:
        self._step(self.contig + 1, "Last")

    def go_previous(self) -> None:
        self._step(self.contig - 1, "First")

    def go_number(self, number: int) -> None:
        if total := self.counted()[1]:
            self.go(number % total)

    def counted(self) -> tuple[int | None, int | None]:
        return self.contig if self.contig >= 0 else None, None if self.result is None else len(self.result.order)

    def _step(self, contig: int, at_end: str) -> None:
        if 0 <= contig < (self.counted()[1] or 0):
            self._arrive(contig)
        else:
            self._stop(at_end)

    def _arrive(self, contig: int) -> None:
        self.contig = contig
        self._view.show_current(contig)
        self.moved.emit()

    def _go_to(self, text: str) -> None:
        result, wanted, number_of = self.result, text.strip(), 0
        if result is None:
            return
        with suppress(ValueError):
            number_of = position(wanted.removeprefix("#"))
        found = [one for one in result.placements if one.name == wanted]
        found = found or [one for one in result.placements if one.number == number_of]
        if not found:
            there = number(len(result.placements))
            raise ValueError(f"no contig has the number or the name “{printable(wanted, 40)}”; there are {there}")
        one = next((one for one in found if one.placed), found[0])
        if not one.placed:
            raise ValueError(f"contig {number(one.number)} is not placed: {one.reason}")
        self.go(result.order.index(result.placements.index(one)))

    @property
    def _here(self) -> int:
        return self.contig

    def _return_to(self, place: int) -> None:
        self._arrive(place)
