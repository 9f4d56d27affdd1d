"""Selection of chains as blocks, best first; a block has no letters of better chains."""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise
from math import log

import numpy as np

from wavediff.core.jobs.events import Event
from wavediff.core.jobs.exact_matches import ExactMatches
from wavediff.core.jobs.rearranged import MIN_SCORE
from wavediff.core.kernels.pairwise.edit import run as edit
from wavediff.core.kernels.rearranged.chain import Chain, chains_of
from wavediff.core.kernels.rearranged.fill import filled
from wavediff.core.kernels.rearranged.parts import MAX_EDIT_SHARE, MIN_ALONE, Pair, Part, mostly_unknown, stretches
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob

CHANCE_LETTERS = 8  # letters beyond the longest match that unrelated letters have by chance


def least_score(n: int, m: int) -> float:
    """Return the minimum score of a non-random chain."""
    return max(float(MIN_SCORE), log(max(2.0 * n * m, 4), 4) + CHANCE_LETTERS)


def selected(found: ExactMatches, pair: Pair, job_id: int) -> Generator[Event, None, list[Part]]:
    """Return the parts in order of A; each owns most of its letters in A and B."""
    n, m = found.n, found.m
    least, parts = least_score(n, m), list[Part]()
    of_a, of_b = np.zeros(n, np.bool_), np.zeros(m, np.bool_)

    def add(some: list[Chain]) -> Generator[Event, None, None]:
        pieces = list[Chain]()
        for chain in some:
            pieces += yield from cut_at_unlike_letters(chain, pair, job_id)
        for piece in sorted(pieces, key=lambda piece: -piece.matched):
            part = Part.of(piece)
            here, there = of_a[slice(*part.box[:2])], of_b[slice(*part.on(1, m))]
            if part.chain.minus:
                there = there[::-1]
            free = stretches(here, 1), stretches(there, 1)
            alone = len(free[0]) == len(free[1]) == 1  # else a better one lies inside
            if alone and piece.matched >= least and _own(free[0][0], free[1][0]) >= least:
                here[:] = there[:] = True
                parts.append(part)

    chains = chains_inside(found, 0, 0, n, least)
    yield from add([chain for chain in chains if chain.unique.any()])
    parts = yield from filled(parts, pair, job_id)  # a satellite, before its copies are taken for one another
    for part in parts:
        of_a[slice(*part.box[:2])] = of_b[slice(*part.on(1, m))] = True
    yield from add([chain for chain in chains if not chain.unique.any()])
    for axis, covered in enumerate((of_a, of_b)):  # a chain may be left out for a part of it that another one has
        left = stretches(covered, int(least))
        yield from add([chain for lo, hi in left for chain in chains_inside(found, axis, lo, hi, least)])
    return sorted(parts, key=lambda part: part.box[0])


def _own(of_a: tuple[int, int], of_b: tuple[int, int]) -> int:
    return min(of_a[1], of_b[1]) - max(of_a[0], of_b[0])


def chains_inside(
    found: ExactMatches, axis: int, lo: int, hi: int, least: float, *, is_copy: bool = False
) -> list[Chain]:
    """Return the chains inside letters ``lo`` to ``hi`` of A (axis 0) or B (axis 1), best first."""
    out, starts = list[Chain](), (found.a_starts, found.b_starts)[axis]
    ends = starts + found.lengths
    for minus in (False, True):
        some = np.flatnonzero((starts < hi) & (ends > lo) & (found.minus == minus))
        first, last = np.maximum(lo - starts[some], 0), np.maximum(ends[some] - hi, 0)
        lengths = found.lengths[some] - first - last
        # On the minus strand the letters that are cut at the start of one are those at the end of the other.
        a = found.a_starts[some] + (last if minus and axis == 1 else first)
        b = found.b_starts[some] + (last if minus and axis == 0 else first)
        b, unique = found.m - b - lengths if minus else b, found.n_unique[some]
        out += chains_of(a, b, lengths, unique, found.k, least, minus=minus, is_copy=is_copy)
    return sorted(out, key=lambda chain: -chain.matched)


def cut_at_unlike_letters(chain: Chain, pair: Pair, job_id: int) -> Generator[Event, None, list[Chain]]:
    """Split ``chain`` at dissimilar letters between matches, which indicate another event."""
    a_ends, b_ends = chain.a + chain.lengths, chain.b + chain.lengths
    apart = np.minimum(chain.a[1:] - a_ends[:-1], chain.b[1:] - b_ends[:-1])
    cuts = [0]
    for at in (np.flatnonzero(apart >= MIN_ALONE) + 1).tolist():
        box = int(a_ends[at - 1]), int(chain.a[at]), int(b_ends[at - 1]), int(chain.b[at])
        if not (yield from _alike(pair, chain.minus, box, job_id)):
            cuts.append(at)
    cuts.append(chain.a.size)
    return [Chain(chain.minus, *(rows[lo:hi] for rows in chain[1:])) for lo, hi in pairwise(cuts)]


def _alike(pair: Pair, minus: bool, box: tuple[int, int, int, int], job_id: int) -> Generator[Event, None, bool]:
    """Return whether the letters between two chains are similar beyond chance, or mostly unknown codes."""
    a, b = pair.inside(box, minus)
    if mostly_unknown(a, b):
        return True
    found = yield from edit.run(EditJob(a=a, b=b, id=job_id, path=TracebackMethod.NONE))
    return found.distance <= MAX_EDIT_SHARE * max(a.size, b.size)
