"""A result and all it belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from wavediff.core.base.numbers import count, number
from wavediff.core.export import comparison, given
from wavediff.core.export.recipe import Recipe, pair_recipe, words_of
from wavediff.core.jobs.given_alignment import GivenAlignment
from wavediff.core.methods import method_of
from wavediff.core.methods.base import Method
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence


class GivenFile(NamedTuple):
    """A file of alignments made elsewhere, and the number of one of them; 0: the one by the names of A and B."""

    path: str
    number: int = 0

    @property
    def words(self) -> dict[str, str]:
        """Options of the command line, by their ids."""
        return {"alignment": self.path, **({"record-alignment": str(self.number)} if self.number else {})}

    @classmethod
    def of(cls, words: Mapping[str, str]) -> GivenFile | None:
        path, number = words.get("alignment", ""), words.get("record-alignment", "")
        return cls(path, int(number) if re.fullmatch("[0-9]{1,9}", number) else 0) if os.path.isabs(path) else None


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Result of one run with its own pair: nothing of another pair is ever shown beside it.

    Attributes:
        job, result: of ``wavediff.core.jobs`` or ``wavediff.core.methods``.
        a, b: what was compared; ``fold_case`` whether their case was ignored.
        options: of the method, as typed on the command line, by their ids; those that are not the usual ones.
        read_as: as what A and B were read.
        given, file: an alignment made elsewhere, which is shown beside that of ``result``.
    """

    job: Any
    a: Sequence
    b: Sequence
    fold_case: bool
    result: Any
    options: Mapping[str, str] = field(default_factory=dict)
    read_as: tuple[ReadAs, ...] = ()
    given: GivenAlignment | None = None
    file: GivenFile | None = None

    def answer(self, **more: Any) -> comparison.Comparison:
        """Return what the formats are written from; ``more``: of that."""
        return comparison.Comparison(
            self.a, self.b, self.method, self.fold_case, getattr(self.job, "threads", 0), self.result,
            options=self.options, given=self.given, **more,
        )  # fmt: skip

    @property
    def recipe(self) -> Recipe:
        """Recipe of a picture of it; takes long for long sequences."""
        loci = getattr(self.result, "loci", None)  # of B as in its file, whichever strand is shown
        file = None if self.given is None else self.file
        a, b = self.a, self.b if loci is None else self.b.original
        if file is not None and a.source == file.path:  # which holds both: they are in no file of their own
            a, b = (replace(one, source="") for one in (a, b))
        return pair_recipe(
            "compare", a, b, self.method,
            [*words_of(self.options, self.method.options), *words_of({} if file is None else file.words)],
            fold_case=self.fold_case, ambiguity=self.result.ambiguity, read_as=self.read_as,
        )  # fmt: skip

    @property
    def headline(self) -> str:
        return self.method.headline(self.result, len(self.a), len(self.b))

    @property
    def remarks(self) -> list[str]:
        """Lengths, and what the method says beside the answer."""
        n, m = self.method.sizes(self.result, len(self.a), len(self.b))
        unit = self.method.unit
        sizes = f"in {count(n, unit, f'{unit}s')}" if n == m else f"in {number(n)} and {number(m)} {unit}s"
        return [sizes, *self.method.remarks(self.result)]

    @property
    def told(self) -> str:
        turned = self.b.orientation.text(len(self.b))
        told = " · ".join((self.headline, *self.remarks, *([f"B: {turned}"] if turned else ())))
        if self.given is None:
            return told
        costs = given.table(self.answer(), self.given.alignment)
        theirs = "; ".join(f"{what} {ours} and {theirs}" for what, ours, theirs in costs)
        return f"{told}\nOurs and theirs ({os.path.basename(self.given.text)}): {theirs}"

    @property
    def method(self) -> Method:
        """The method that the job belongs to, whatever is chosen now."""
        return method_of(self.job)
