"""Navigation among contigs along A and visited places."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

import numpy as np

from wavediff.app.compare.alignment_navigation import PartSteps
from wavediff.app.compare.contigs.contig_rows import ContigList, ListedContigs
from wavediff.app.compare.contigs.contigs_view import ContigsView
from wavediff.app.compare.stepper import Stepper
from wavediff.app.ui.number_text import as_wide_as
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number, position
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.jobs.contigs import ContigsResult

HELP = "A 12,000 letter of A · #6 contig of the file, or its name"
_PLACE = re.compile(r"([a#]?)\s*[: ]?\s*(\d.*)", re.IGNORECASE)


class ContigSteps(PartSteps):
    """Moves the current contig of ``view`` along A."""

    words = ContigList.words
    answer: ContigsAnswer | None = None

    def __init__(self, view: ContigsView, stepper: Stepper) -> None:
        super().__init__(stepper)
        self._view = view
        view.canvas.clicked.connect(self.go)
        view.canvas.stepped.connect(lambda step: self.go_next() if step > 0 else self.go_previous())
        self.moved.connect(lambda: view.show_current(self.contig))

    @property
    def result(self) -> ContigsResult | None:
        return None if self.answer is None else self.answer.result

    @property
    def all(self) -> ListedContigs | None:
        """All contigs, also those without a place, not yet sorted or filtered."""
        return (
            None if self.answer is None else ListedContigs(self.answer, np.arange(len(self.answer.result.placements)))
        )

    @property
    def parts(self) -> tuple[int, ...]:
        return () if self.result is None else self.result.order

    @property
    def contig(self) -> int:
        """Index along A of the current contig; -1: none."""
        return self.current - 1

    def show(self, answer: ContigsAnswer | None) -> None:
        """Step through the contigs of ``answer``; a contig selected while placing was in progress stays current."""
        before = self.result
        if before is not None and before.waiting and answer is not None and self.contig > 0:
            number = before.placed[self.contig].number
            self._left.append((answer, 1 + [one.number for one in answer.result.placed].index(number)))
        super().show(answer)

    def choose(self, number: int) -> None:
        self.go(number - 1 if number <= len(self.parts) else -1)

    def go(self, contig: int) -> None:
        """Go to a contig by its index along A, scroll to it, and record a visited place."""
        (self.jump if contig >= 0 else self.show_one)(contig + 1)
        self._view.show_current(contig)

    def show_counts(self) -> None:
        most = number(as_wide_as(0 if self.result is None else len(self.result.placements)))
        widest = f"contig {most}: {most} of {most} along A"
        self._stepper.show_steps(self.words[0], self.counted()[1], {}, widest=widest)

    def where(self) -> str:
        """Return e.g. ``contig 6: 7 of 28 along A``; 6 is its number in the file."""
        here, text = self.counted()[0], super().where().removeprefix(self.words[0])
        if self.result is None or here is None:
            return super().where()
        return f"{self.words[0]} {number(self.result.placed[here].number)}:{text} along A"

    def jump_to_letter(self, at: int) -> None:
        """Show letter ``at`` of A (0-based), and go to the first contig on it, else to the next one."""
        result = self.result
        if result is None or not result.order:
            return
        spans = [(one.a[0].at, one.a[-1].at) for one in result.placed]
        here = [k for k, (start, end) in enumerate(spans) if start <= at < end or at < end - result.n]
        after = [k for k, (start, _) in enumerate(spans) if start > at]
        self.go((here or after or [0 if result.circular else len(spans) - 1])[0])
        self._view.canvas.show_letter(at)
        if not here:
            self._say(f"A {number(at + 1)} lies in a gap")

    def jump_to(self, a0: int | None, b0: int | None) -> None:
        """Go to the contig with letter ``b0`` of ``ContigsAnswer.along_a``; if there is none, to letter ``a0`` of A."""
        starts = [0, *accumulate(one.letters + 1 for one in self.result.placed)] if self.result is not None else [0]
        if b0 is not None and b0 < starts[-1]:
            self.go(bisect_right(starts, b0) - 1)
        elif a0 is not None:
            self.jump_to_letter(a0)

    def _go_to(self, text: str) -> None:
        result, wanted, typed = self.result, text.strip(), _PLACE.fullmatch(text.strip())
        if result is None:
            return
        places = [one for one in result.placements if one.name == wanted]
        if typed is not None and not places:
            side, place, most = typed[1], position(typed[2]), len(result.placements)
            if side != "#" and (side or place > most):  # a number that no contig has is a place on A
                if not 1 <= place <= result.n:
                    raise ValueError(f"no letter {number(place)} of A, only 1 to {number(result.n)}")
                self.jump_to_letter(place - 1)
                return
            places = [one for one in result.placements if one.number == place]
        if not places:
            there = number(len(result.placements))
            raise ValueError(f"no contig has the number or the name “{printable(wanted, 40)}”; there are {there}")
        one = next((one for one in places if one.placed), places[0])
        if not one.placed:
            raise ValueError(f"contig {number(one.number)} is not placed: {one.reason}")
        self.go(result.order.index(result.placements.index(one)))
