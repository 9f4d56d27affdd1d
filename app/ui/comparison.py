"""A result and all it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wavediff.core.base.numbers import count, number
from wavediff.core.export.recipe import Recipe, pair_recipe, words_of
from wavediff.core.methods import method_of
from wavediff.core.methods.base import Method
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Result of one run with its own pair: nothing of another pair is ever shown beside it.

    Attributes:
        job, result: of ``wavediff.core.jobs`` or ``wavediff.core.methods``.
        a, b: what was compared; ``fold_case`` whether their case was ignored.
        options: of the method, as typed on the command line, by their ids; those that are not the usual ones.
        read_as: as what A and B were read.
    """

    job: Any
    a: Sequence
    b: Sequence
    fold_case: bool
    result: Any
    options: Mapping[str, str] = field(default_factory=dict)
    read_as: tuple[ReadAs, ...] = ()

    @property
    def recipe(self) -> Recipe:
        """Recipe of a picture of it; takes long for long sequences."""
        loci = getattr(self.result, "loci", None)  # of B as in its file, whichever strand is shown
        return pair_recipe(
            "compare", self.a, self.b if loci is None else self.b.original, self.method,
            words_of(self.options, self.method.options),
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
        return " · ".join((self.headline, *self.remarks, *([f"B: {turned}"] if turned else ())))

    @property
    def method(self) -> Method:
        """The method that the job belongs to, whatever is chosen now."""
        return method_of(self.job)
