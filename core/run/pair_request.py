"""Comparison of two sequences from arguments to answer, for the command line and scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.given_alignment import AlignmentRecord, checked, of_pair
from wavediff.core.methods.base import Method
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.options import Options, typed
from wavediff.core.reading.alignments import own_pair, read_alignments
from wavediff.core.screening.orient import oriented_pair
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.sequence import Sequence, circle_by_file


def given_records(
    alignment: str | Path | tuple[AlignmentRecord, ...],
    a: Sequence | None,
    b: Sequence | None,
    number: int | None = None,
) -> tuple[Sequence, Sequence, tuple[AlignmentRecord, ...]]:
    """Return ``a``, ``b`` and their alignment records; without ``a`` and ``b`` the sequences of the file.

    Args:
        alignment: alignment file, or its records. number: number of the alignment; None: by the names of A and B.

    Raises:
        InputError: the file cannot be used, or the alignment is ambiguous.
    """
    names = None if a is None or b is None else (a.name, b.name)
    records = alignment if isinstance(alignment, tuple) else read_alignments(alignment, names)
    pair = of_pair(records, names, number)
    if a is not None and b is not None:
        return a, b, pair
    a, b, own = own_pair(pair[0])
    return a, b, (own,)


@dataclass(frozen=True, slots=True)
class PairRequest:
    """Two sequences as compared: ``b`` on its strand and rotated to its start."""

    method: Method
    options: Options
    a: Sequence
    b: Sequence
    fold_case: bool
    records: tuple[AlignmentRecord, ...] = ()

    @classmethod
    def of(
        cls, method: Method, options: Options, a: Sequence, b: Sequence, *, orient: str, topology: str, case: str,
        run: Callable[[Any], Any], records: tuple[AlignmentRecord, ...] = (),
    ) -> PairRequest:  # fmt: skip
        """Return the request for ``a`` and ``b``; both must have characters in common.

        Args:
            options: unvalidated options of the method. orient, topology, case: as on the command line.
            run: function that runs the job to find strand and first letter of B.
            records: alignment of another program, which determines the strand of B.

        Raises:
            InputError: B has no other strand, or ``records`` have other letters.
        """
        strand = None if orient == "auto" else Strand(orient)
        if records and not method.of_letters:
            raise records[0].error("an alignment of letters", f"--method {method.id} compares {method.unit}s")
        if records:
            strand = Strand.MINUS if records[0].minus else Strand.PLUS
        inside = method.values(options).get("ends") is Ends.A
        by_file = circle_by_file(a, b) if inside else circle_by_file(b, a)
        circular = by_file if topology == Topology.AUTO else topology == Topology.CIRCULAR
        b = oriented_pair(a, b, strand, circular=circular, inside=inside, run=run)
        fold_case = CaseRule(case).folds(a.alphabet.folds_case and b.alphabet.folds_case)
        if records:
            checked(records, a, b, fold_case=fold_case)
        return cls(method, options, a, b, fold_case, records)

    def job(self, threads: int, **options: Any) -> Any:
        """Return the job; ``options`` override those of the request."""
        return self.method.job(self.a, self.b, {**self.options, **options}, fold_case=self.fold_case, threads=threads)

    def answer(self, result: Any, threads: int, **more: Any) -> Comparison:
        """Return the answer for ``result``; ``more``: fields of ``Comparison``."""
        result = self.method.compared(result, self.a, self.b)
        a, b = result.read
        given = checked(self.records, a, b, fold_case=self.fold_case) if self.records else None
        chosen = typed(self.method.options, self.method.values(self.options))
        return Comparison(a, b, self.method, self.fold_case, threads, result, options=chosen, given=given, **more)
