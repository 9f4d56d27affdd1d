"""From contig to contig along A, to one that was typed, and back."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject

from wavediff.app.compare.alignment_navigation import PartSteps
from wavediff.app.compare.contigs.contigs_view import ContigsView
from wavediff.app.compare.stepper import Stepper
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number, position
from wavediff.core.jobs.contigs import ContigsResult

HELP = "Number of a contig in its file, or its name"


class ContigSteps(PartSteps):
    """Moves the current contig of ``view`` along A."""

    words = "contig", "contigs"
    answer: ContigsResult | None = None

    def __init__(self, view: ContigsView, stepper: Stepper, parent: QObject) -> None:
        super().__init__(stepper, parent)
        self._view = view
        view.canvas.chosen.connect(self.go)
        view.stepped.connect(lambda step: self.go_next() if step > 0 else self.go_previous())
        self.moved.connect(lambda: view.show_current(self.contig))

    @property
    def parts(self) -> tuple[int, ...]:
        return () if self.answer is None else self.answer.order

    @property
    def contig(self) -> int:
        """Index along A of the current contig; -1: none."""
        return self.current - 1

    def go(self, contig: int) -> None:
        """Go to a contig by its index along A, and bring it into sight; the place is one to go back to."""
        (self.jump if contig >= 0 else self.show_one)(contig + 1)
        self._view.show_current(contig)

    def _go_to(self, text: str) -> None:
        result, wanted, number_of = self.answer, text.strip(), 0
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
