"""Fast path for short pairs: the kernels of a job in one call, without planner, events and times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs import ShortKernel
from wavediff.core.jobs.alignment import Alignment, with_substitutions
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.choices import Device
from wavediff.core.methods.base import SHORT_LETTERS, Method, Ties, TracebackMethod
from wavediff.core.methods.options import accepted
from wavediff.core.reading.alphabet import guess_plain
from wavediff.core.run import dispatch
from wavediff.core.run.api.reading import has_bytes, names_file
from wavediff.core.sequences.letter_rules import CaseRule

_NO_SUMS = np.empty((0, 0), np.int64)


class ShortAnswer(NamedTuple):
    """Distance, length or score, and the runs of the alignment.

    Attributes:
        of_identical: the value of two identical sequences of this length; None if the lengths differ.
    """

    value: int
    ops: npt.NDArray[np.uint8]
    lengths: Counts
    aligned: bool
    of_identical: int | None

    @property
    def alignment(self) -> Alignment | None:
        return Alignment(self.ops, self.lengths) if self.aligned else None

    @property
    def indexed(self) -> AlignmentIndex | None:
        """Index of the alignment as displayed, with differences only: it has no sums to find positions."""
        if (alignment := self.alignment) is None:
            return None
        paired = with_substitutions(alignment)  # of an LCS; least edits have no such gap
        return AlignmentIndex(paired.ops, paired.lengths, _NO_SUMS, paired, _NO_SUMS)


class ShortWay(NamedTuple):
    """Fast path for short pairs whose options need one small matrix only."""

    kernel: ShortKernel
    case: CaseRule
    path: bool
    fewest: bool
    equal_adds: int  # to the number, two equal letters

    @classmethod
    def of(cls, method: Method, values: Mapping[str, Any], device: str, case: str) -> ShortWay | None:
        """Return the fast path for a method and option ``values``, or None if they need a full job."""
        kernel, path = method.job_type.modules.one_call, values["traceback"]
        usual = accepted(method.options, {name: values[name] for name in ("traceback", "ties") if name in values})
        if kernel is None or device == Device.GPU or path is TracebackMethod.HIRSCHBERG or dict(values) != usual:
            return None
        return cls(
            kernel,
            CaseRule(case),
            path is not TracebackMethod.NONE,
            values["ties"] is Ties.FEWEST_GAPS,
            method.equal_adds,
        )

    def answer(self, a: bytes, b: bytes) -> ShortAnswer | None:
        """Return the answer, or None if a full job is needed."""
        if (solve := dispatch.in_one_call(self.kernel, len(a) + len(b))) is None:
            return None
        kind, other_kind = guess_plain(a), guess_plain(b)
        if kind is None or other_kind is None:
            return None
        fold_case = self.case.folds(kind.folds_case and other_kind.folds_case)
        one, other = np.frombuffer(a, np.uint8), np.frombuffer(b, np.uint8)
        value, ops, lengths = solve(one, other, fold_case, self.path, self.fewest)
        return (
            None
            if value < 0
            else ShortAnswer(value, ops, lengths, self.path, None if len(a) != len(b) else len(a) * self.equal_adds)
        )


def short_letters(letters: Any) -> bytes | None:
    """Return the letters of a short sequence, one byte each, or None."""
    if isinstance(letters, str):
        is_short = len(letters) <= SHORT_LETTERS and letters.isascii() and not names_file(letters)
        return letters.encode() if is_short else None
    try:
        return bytes(letters) if has_bytes(letters) and len(letters) <= SHORT_LETTERS else None
    except (TypeError, ValueError):  # Biopython's UndefinedSequenceError
        return None
