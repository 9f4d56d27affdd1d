"""Comparison of two sequences from what was asked to its answer, for the command line and for scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wavediff.core.export.comparison import Comparison
from wavediff.core.methods.base import Method
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.options import Options, typed
from wavediff.core.screening.oriented_pair import oriented_pair
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.sequence import Sequence, circle_by_file


@dataclass(frozen=True, slots=True)
class PairRequest:
    """Two sequences as they are compared: ``b`` on its strand, and from its letter."""

    method: Method
    options: Options
    a: Sequence
    b: Sequence
    fold_case: bool

    @classmethod
    def of(
        cls, method: Method, options: Options, a: Sequence, b: Sequence, *, orient: str, topology: str, case: str,
        run: Callable[[Any], Any],
    ) -> PairRequest:  # fmt: skip
        """Return the request for ``a`` and ``b``, which have common characters.

        Args:
            options: of the method, those that were given. orient, topology, case: as on the command line.
            run: runs the job that finds the strand and the first letter of B.

        Raises:
            InputError: B has no other strand.
        """
        strand = None if orient == "auto" else Strand(orient)
        inside = method.values(options).get("ends") is Ends.A
        by_file = circle_by_file(a, b) if inside else circle_by_file(b, a)
        circular = by_file if topology == Topology.AUTO else topology == Topology.CIRCULAR
        b = oriented_pair(a, b, strand, circular=circular, inside=inside, run=run)
        return cls(method, options, a, b, CaseRule(case).folds(a.alphabet.folds_case and b.alphabet.folds_case))

    def job(self, threads: int, **options: Any) -> Any:
        """Return the job, with ``options`` in place of those that were given."""
        return self.method.job(self.a, self.b, {**self.options, **options}, fold_case=self.fold_case, threads=threads)

    def answer(self, result: Any, threads: int, **more: Any) -> Comparison:
        """Return the answer that ``result`` gives; ``more``: of ``Comparison``."""
        result = self.method.compared(result, self.a, self.b)
        a, b = result.read
        told = typed(self.method.options, self.method.values(self.options))
        return Comparison(a, b, self.method, self.fold_case, threads, result, options=told, **more)
