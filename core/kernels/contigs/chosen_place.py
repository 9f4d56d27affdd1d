"""Choice of a contig's place: the best chain sequence on one strand, and the rest elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavediff.core.kernels.rearranged.chain import Chain
from wavediff.core.kernels.rearranged.parts import Part, stretches

MAX_COVERED = 0.5  # of a chain, by better ones
NEARLY = 0.99  # of the equal letters of the best place: another one is as good
MAX_CHAINS = 4_096  # of a contig, the best ones


class Chosen(NamedTuple):
    """Place of a contig, and its parts elsewhere.

    Attributes:
        own: parts in order on one strand. inside: parts of the contig at the same place, in another order or on the
            other strand; copies have ``Part.copy_of``. In a circular A, parts after the origin have borders beyond the
            end.
        others: parts elsewhere.
        n_places: see ``Placement``.
    """

    own: list[Part]
    inside: list[Part]
    others: list[Part]
    n_places: int


def chosen_place(chains: list[Chain], n: int, m: int, *, circular: bool) -> Chosen:
    """Return the place with the most equal letters in order; ties: first in A, plus strand.

    Two chains are consecutive if they have more letters than the gaps between them, in A and in the contig. Another
    chain is inside if it has more letters than its distance to the others.

    Args:
        chains: one at least. n, m: letters of A and of the contig.
    """
    chains = sorted(chains, key=lambda chain: (-chain.matched, chain.minus, chain.box))[:MAX_CHAINS]
    own, n_places = _in_order(chains, n, circular=circular)
    inside, others, covered = list[Part](), list[Part](), np.zeros(m, np.bool_)
    place, of_contig = (own[0].box[0], own[-1].box[1]), outside(own, m)
    for part in own:
        covered[slice(*part.on(1, m))] = True
    turns = (-n, 0, n) if circular else (0,)

    def near(chain: Chain) -> Chain:
        return min((chain.moved(turn) for turn in turns), key=lambda one: _apart(one.box[:2], place))

    for chain in sorted(map(near, chains), key=lambda chain: (-chain.matched, _apart(chain.box[:2], place))):
        part = Part.of(chain)
        here = covered[slice(*part.on(1, m))]
        if here.mean() <= MAX_COVERED and len(stretches(here, 1)) == 1:  # else a better one lies inside
            here[:] = True
            others.append(part)
    waiting = True
    while waiting:
        waiting = False
        for part in list(others):
            wider = min(place[0], part.box[0]), max(place[1], part.box[1])
            in_contig = of_contig[0], m - of_contig[1]
            apart = max(_apart((part.box[0], part.box[1]), place), _apart(part.on(1, m), in_contig))
            if apart < part.chain.matched and wider[1] - wider[0] <= n:
                place, of_contig, waiting = wider, outside([*own, *inside, part], m), True
                others.remove(part)
                inside.append(part)
    for at, part in enumerate(inside):
        shared = sum(
            max(0, min(part.box[1], one.box[1]) - max(part.box[0], one.box[0])) for one in (*own, *inside[:at])
        )
        part.copy_of = 0 if shared > MAX_COVERED * (part.box[1] - part.box[0]) else -1
    for part in others:
        part.copy_of = 0  # letters of A may be in several
    return Chosen(own, inside, others, n_places)


def _in_order(chains: list[Chain], n: int, *, circular: bool) -> tuple[list[Part], int]:
    """Return the parts of the best place on one strand, and the number of equally good places."""
    size = len(chains)
    minus = np.array([chain.minus for chain in chains])
    matched = np.array([chain.matched for chain in chains])
    box = np.array([chain.box for chain in chains]).T
    if circular:
        minus, matched = np.tile(minus, 2), np.tile(matched, 2)
        box = np.hstack([box, box + np.array([[n], [n], [0], [0]])])
    order = np.lexsort((box[0], box[2], minus))
    minus, matched, (a0, a1, b0, b1) = minus[order], matched[order], box[:, order]
    scores, starts, before = matched.copy(), a0.copy(), np.full(order.size, -1)
    first_b = 0
    for i in range(order.size):
        first_b = i if minus[i] != minus[first_b] else first_b
        j = slice(first_b, i)
        shared = np.maximum(np.maximum(a1[j] - a0[i], b1[j] - b0[i]), 0)
        between = np.maximum(a0[i] - a1[j], b0[i] - b1[j])
        fits = (2 * shared < np.minimum(matched[j], matched[i])) & (between < scores[j] + matched[i])
        fits &= (a1[i] > a1[j]) & (b1[i] > b1[j]) & (a1[i] - starts[j] <= n)
        if fits.any():
            score = np.where(fits, scores[j] - shared, 0)
            last = int(score.argmax())
            if score[last] > 0:
                before[i], starts[i] = first_b + last, starts[first_b + last]
                scores[i] = score[last] + matched[i]
    scores[starts >= n] = 0  # the same as one that begins in the first copy
    used, places = np.zeros(size, np.bool_), list[list[int]]()
    for end in np.lexsort((starts, minus, -scores)).tolist():
        if scores[end] < NEARLY * scores.max() or scores[end] <= 0:
            break
        path = [end]
        while before[path[-1]] >= 0:
            path.append(int(before[path[-1]]))
        ids = order[path] % size
        if not used[ids].any():
            used[ids] = True
            places.append(path[::-1])
    own = [Part.of(chains[order[at] % size].moved(n * int(order[at] >= size))) for at in places[0]]
    return own, len(places)


def outside(parts: list[Part], m: int) -> tuple[int, int]:
    """Return the number of contig letters before all parts, and after all parts."""
    starts, ends = zip(*(part.on(1, m) for part in parts), strict=True)
    return min(starts), m - max(ends)


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return the distance of two ranges; 0 if they are adjacent or overlap."""
    return max(one[0] - other[1], other[0] - one[1], 0)
