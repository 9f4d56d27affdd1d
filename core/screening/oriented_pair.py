"""B as it is compared: its strand, and where it begins where it is a circle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wavediff.core.screening.jobs import FoundOrientation, OrientJob
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Sequence, require_nucleotides


def oriented_pair(
    a: Sequence, b: Sequence, strand: Strand | None, *, circular: bool, inside: bool, run: Callable[[Any], Any]
) -> Sequence:
    """Return ``b`` on a strand, and turned so that it begins where ``a`` does if it is a circle.

    Args:
        strand: None: the one that shares more k-mers with A.
        inside: B is to lie inside A, which is the circle then; so B is not turned.
        run: runs the job that looks for them.

    Raises:
        InputError: one of them has no other strand.
    """
    if strand is Strand.PLUS and not circular:
        return b
    require_nucleotides(a, b)
    if strand is None or (circular and not inside):
        job = OrientJob(
            a=a.comparable(fold_case=False),
            b=b.comparable(fold_case=False),
            strand=strand,
            circular=circular and not inside,
        )
        found: FoundOrientation = run(job)
        return b.oriented(replace(found.orientation, circular=circular))
    return b.oriented(Orientation(strand, circular))
