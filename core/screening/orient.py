"""Orientation of B: strand, and rotation to the start of A."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.events import Event, NoticeRaised
from wavediff.core.screening import run as screening
from wavediff.core.screening.jobs import FoundOrientation, OrientJob
from wavediff.core.screening.origin import Origin, origin_by_letters, origin_by_seeds
from wavediff.core.screening.shared_kmers import ScreenJob, SharedKmers
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Sequence, require_nucleotides

CHANCE_FACTOR = 4  # seeds relative to the number expected by chance


def run(job: OrientJob) -> Generator[Event, None, FoundOrientation]:
    """Compute ``job``; doubts are raised as notices."""
    shared = yield from screening.run(ScreenJob(a=job.a, b=job.b, id=job.id))
    strand, doubts = job.strand, list[str]()
    if strand is None:
        strand = stranded(shared)
    origins: dict[Strand, Origin] = {}
    if job.circular and job.a.size and job.b.size:
        for turn in Strand if strand is None else (strand,):
            begin = _origin(job.a, read(job.b, turn), shared, turn)
            if begin is not None:
                origins[turn] = begin
        if strand is None and origins:  # no k-mers: decide by the letters
            strand = max(origins, key=lambda turn: origins[turn].weight)
    if strand is None:
        strand = Strand.PLUS
        doubts.append("Neither strand of B shares more with A: it is compared as in its file")
    origin = origins.get(strand)
    if job.circular and origin is None:
        doubts.append("No start of B matches the start of A: B starts as in its file")
    orientation = Orientation(strand, job.circular, origin.shift if origin is not None else 0)
    if origin is not None and origin.n_best > 1:
        text = (
            f"B could also start at {count(origin.n_best - 1, 'other letter', 'other letters')}; it starts at "
            f"{number(orientation.place(0, int(job.b.size)) + 1)}"
        )
        doubts.append(text)
    for text in doubts:
        yield NoticeRaised(job.id, text)
    return FoundOrientation(orientation, tuple(doubts))


def stranded(shared: SharedKmers) -> Strand | None:
    """Return the strand that shares more k-mers with A; None if not above chance."""
    plus, minus = shared.plus, shared.minus
    strand, more, less = (Strand.MINUS, minus, plus) if minus.n_seeds > plus.n_seeds else (Strand.PLUS, plus, minus)
    enough = more.n_seeds > less.n_seeds and more.n_seeds > CHANCE_FACTOR * more.expected_by_chance
    return strand if enough else None


def read(letters: Letters, strand: Strand) -> Letters:
    return np.frombuffer(Orientation(strand).read(letters.tobytes()), np.uint8)


def _origin(a: Letters, b: Letters, shared: SharedKmers, strand: Strand) -> Origin | None:
    seeds = shared.minus if strand is Strand.MINUS else shared.plus
    origin = origin_by_seeds(a, b, seeds, shared.k) if seeds.n_seeds else None
    return origin_by_letters(a, b) if origin is None else origin


def oriented_pair(
    a: Sequence, b: Sequence, strand: Strand | None, *, circular: bool, inside: bool, run: Callable[[Any], Any]
) -> Sequence:
    """Return ``b`` on a strand and, if circular, rotated to the start of ``a``.

    Args:
        strand: None: the one that shares more k-mers with A.
        inside: B is placed inside A, which is the circle, so B is not rotated.
        run: runs the orientation job.

    Raises:
        InputError: a sequence has no reverse complement.
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
        answer: FoundOrientation = run(job)
        return b.oriented(replace(answer.orientation, circular=circular))
    return b.oriented(Orientation(strand, circular))
