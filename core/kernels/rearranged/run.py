"""Collinear blocks of two DNA sequences: search, exact borders, exact alignments."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.code_columns import columns_of
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.jobs.events import Event, Planned, Progress, Step, pass_on, run_to_end
from wavediff.core.jobs.exact_matches import ExactMatches, ExactMatchesJob
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock, RearrangedJob, RearrangedResult
from wavediff.core.kernels.exact_matches import run as exact_matches
from wavediff.core.kernels.pairwise.edit import run as edit
from wavediff.core.kernels.rearranged import borders, chain
from wavediff.core.kernels.rearranged.borders import A_SIDE, B_SIDE, CUT_LETTERS, Link
from wavediff.core.kernels.rearranged.ends import End, end_of, extension
from wavediff.core.kernels.rearranged.fill import apart, filled, merged
from wavediff.core.kernels.rearranged.parts import MIN_ALONE, Pair, Part, stretches, tiles
from wavediff.core.kernels.rearranged.select import chains_inside, least_score, selected
from wavediff.core.methods.edit import EditJob
from wavediff.core.screening.origin import last_row
from wavediff.core.sequences.characters import FOLDED
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.orientation import reverse_complement

MIN_COPY = 500  # letters of a copy in a longer stretch outside all blocks; shorter ones may be of a satellite
MAX_RANGE = 1_000  # letters of the range of a border in which the cut is searched again
KEY = "rearranged"
UNKNOWN = ord("N")
Seeds = Callable[[ExactMatchesJob], Generator[Event, None, ExactMatches]]


def memory(job: RearrangedJob) -> int:
    return exact_matches.memory(job.seeds(job.b)) + 5 * job.n_letters


def run(job: RearrangedJob, seeds: Seeds = exact_matches.run) -> Generator[Event, None, RearrangedResult]:
    """Compute ``job``; plans of inner alignments are not reported.

    Args:
        seeds: function that finds the exact matches.

    Raises:
        NotEnoughMemory: the seeds, or the alignment of a block, need more than is free.
    """
    return (yield from pass_on(_blocks(job, seeds), lambda event: None if isinstance(event, Planned) else event))


def _blocks(job: RearrangedJob, seeds: Seeds) -> Generator[Event, None, RearrangedResult]:
    yield from make_ready(job.step)
    n, m = int(job.a.size), int(job.b.size)
    found = yield from seeds(job.seeds(job.b))
    folded, plus = (letters.tobytes().translate(FOLDED) for letters in (job.a, job.b))
    pair = Pair(*(np.frombuffer(letters, np.uint8) for letters in (folded, plus, reverse_complement(plus))))
    parts = yield from selected(found, pair, job.id)
    yield from cut_ends(parts, pair, job.id)
    parts = yield from filled(apart(parts, m), pair, job.id)
    copies = [copy for axis in (B_SIDE, A_SIDE) for copy in copies_of(found, parts, axis)]
    _exchange(parts, copies, m)
    parts += copies
    if copies:
        yield from cut_ends(parts, pair, job.id)
        parts = apart(parts, m)
    absorb(parts, pair)
    parts = merged(parts, m)
    blocks = list[CollinearBlock]()
    if n and not parts and folded == plus:  # repeats alone
        result = yield from aligned(EditJob(a=pair.a, b=pair.plus, threads=job.threads, id=job.id))
        whole = Border(0, 0, 0), Border(n, n, n)
        blocks.append(CollinearBlock(BlockKind.COLLINEAR, whole, whole, result=result))
    done, total = 0, sum(part.box[1] - part.box[0] for part in parts)
    kinds = kinds_of(parts)
    for part, kind, moved in zip(parts, kinds, _moved(parts, kinds, m), strict=True):
        yield Progress(job.id, "blocks", done, total, "letters")
        done += part.box[1] - part.box[0]
        a, b = pair.inside(part.box, part.chain.minus)
        result = yield from aligned(EditJob(a=a, b=b, threads=job.threads, id=job.id))
        copy_in = ("", "B", "A")[part.copy_of + 1]
        blocks.append(CollinearBlock(kind, *part.borders(m), part.chain.minus, result, copy_in, moved))
    blocks = _with_rest(blocks, n, m)
    figures = found.k, found.max_copies, len(found), found.n_left_out
    return RearrangedResult(n, m, *figures, pair.bases, tuple(blocks))


def aligned(job: EditJob) -> Generator[Event, None, EditResult]:
    """Return the alignment, with columns of N counted separately."""
    result = yield from edit.run(job)
    if not any((letters == UNKNOWN).any() for letters in (job.a, job.b)):
        return result
    return replace(result, codes=run_to_end(columns_of(replace(job, codes=LetterRule.NUCLEOTIDE), result)))


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile or load the kernels of chains and extensions."""

    def rehearse() -> None:
        some, letters = np.zeros(1, np.int64), np.zeros(1, np.uint8)
        chain.chains_of(some, some, some + 1, some, 11, 0.0, minus=False)
        extension(letters, letters, np.zeros(2, np.uint8))
        borders.passed(some, some, some, some.copy())

    yield from warm_up(step, "chains", KEY, rehearse)


def cut_ends(parts: list[Part], pair: Pair, job_id: int) -> Generator[Event, None, None]:
    """Cut adjacent parts in A and in B so that they do not overlap."""
    m = int(pair.plus.size)
    orders = [tiles(parts, axis, m) for axis in (A_SIDE, B_SIDE)]
    shared = {(id(part), right): 0 for part in parts for right in (False, True)}
    for axis, order in enumerate(orders):
        for one, two in pairwise(order):
            near = (one, not one.turned(axis)), (two, two.turned(axis))
            wide = max(high - low for part, right in near for low, high in [part.ranges[2 * axis + right]])
            letters = max(one.on(axis, m)[1] - two.on(axis, m)[0], min(wide, MAX_RANGE) // 2)
            for part, right in near:
                shared[id(part), right] = max(shared[id(part), right], letters)
    ends: dict[tuple[int, bool], End] = {}
    for part in parts:
        size = part.box[1] - part.box[0]
        depths = [2 * shared[id(part), right] + CUT_LETTERS for right in (False, True)]
        for right in (False, True):
            depth = min(depths[right], max(size // 2, size - depths[not right]))
            ends[id(part), right] = yield from end_of(part, right, depth, pair, job_id)
    links = [
        Link(axis, ends[id(one), not one.turned(axis)], ends[id(two), two.turned(axis)])
        for axis, order in enumerate(orders)
        for one, two in pairwise(order)
    ]
    borders.cut(list(ends.values()), links)


class _Gap(NamedTuple):
    """Letters between two neighbours, and the adjacent ends: part, and whether it is the part's end in A."""

    axis: int
    letters: int
    ends: list[tuple[Part, bool]]


def _gaps(parts: list[Part], n: int, m: int) -> Iterator[_Gap]:
    """Yield the gaps between neighbours in A and in B, and at both ends; negative for overlaps."""
    for axis, size in ((A_SIDE, n), (B_SIDE, m)):
        last, ends = 0, list[tuple[Part, bool]]()
        for part in tiles(parts, axis, m):
            start, end = part.on(axis, m)
            yield _Gap(axis, start - last, [*ends, (part, part.turned(axis))])
            last, ends = end, [(part, not part.turned(axis))]
        yield _Gap(axis, size - last, ends)


def absorb(parts: list[Part], pair: Pair, *, ends: bool = True) -> None:
    """Assign gaps of fewer than ``MIN_ALONE`` letters to a neighbour, in A and B to the same one if possible.

    If the other sequence has free letters next to the gap, the block also takes those that align best.

    Args:
        ends: include gaps before the first part and after the last.
    """
    n, m = int(pair.a.size), int(pair.plus.size)
    near: dict[tuple[int, bool], dict[int, _Gap]] = {}
    for gap in _gaps(parts, n, m):
        for part, right in gap.ends if ends or len(gap.ends) > 1 else ():
            near.setdefault((id(part), right), {})[gap.axis] = gap
    done, by_id = set[int](), {id(part): part for part in parts}
    left = {id(gap): gap.letters for gaps in near.values() for gap in gaps.values()}
    for wanted in (2, 1):
        for (key, right), gaps in near.items():
            small = [gap for gap in gaps.values() if 0 < gap.letters < MIN_ALONE and id(gap) not in done]
            if len(small) != wanted:
                continue
            done.update(map(id, small))
            part, axis = by_id[key], small[0].axis
            if wanted == 1:
                other = gaps.get(B_SIDE - axis)
                room = MIN_ALONE if other is None else left[id(other)] if other.letters >= MIN_ALONE else 0
                taken = _grow(part, axis, right, small[0].letters, room, pair)
                if other is not None:
                    left[id(other)] -= taken
            for gap in small if wanted == 2 else ():
                part.grow(gap.axis, right, gap.letters)


def _grow(part: Part, axis: int, right: bool, letters: int, room: int, pair: Pair) -> int:
    """Extend ``part`` by letters of one sequence and the best-aligned ones of the other; return the latter's number."""
    opposite = part.outwards(B_SIDE - axis, right, min(room, 2 * letters), pair)
    along = last_row(part.outwards(axis, right, letters, pair), opposite)
    best = np.flatnonzero(along == along.min())
    part.grow(axis, right, letters)
    taken = int(best[np.abs(best - letters).argmin()])
    part.grow(B_SIDE - axis, right, taken)
    return taken


def copies_of(found: ExactMatches, parts: list[Part], axis: int) -> Iterator[Part]:
    """Yield copies of other blocks' letters in uncovered ranges of A (axis 0) or B (axis 1)."""
    sizes = found.n, found.m
    covered = np.zeros(sizes[axis], np.bool_)
    for part in parts:
        covered[slice(*part.on(axis, found.m))] = True
    left = stretches(covered, MIN_ALONE)
    while left:
        lo, hi = left.pop()
        chains = chains_inside(found, axis, lo, hi, least_score(*sizes), is_copy=True)
        copy = Part.of(chains[0]) if chains else None
        start, end = (lo, lo) if copy is None else copy.on(axis, found.m)
        if copy is None or not is_copy(end - start, hi - lo):
            continue
        copy.copy_of = 1 - axis
        left += [some for some in ((lo, start), (end, hi)) if some[1] - some[0] >= MIN_ALONE]
        yield copy


def is_copy(letters: int, stretch: int) -> bool:
    """Return whether a copy is long enough for a block in an uncovered range of this length."""
    return letters >= min(MIN_COPY, stretch // 2)


def _exchange(parts: list[Part], copies: list[Part], m: int) -> None:
    """Replace a part out of order by an equally long copy in order."""
    kinds = kinds_of(parts)
    frame = [part for part, kind in zip(parts, kinds, strict=True) if kind is BlockKind.COLLINEAR]
    moved = [part for part, kind in zip(parts, kinds, strict=True) if kind is BlockKind.MOVED]
    starts = [sorted(part.on(axis, m)[0] for part in frame) for axis in (A_SIDE, B_SIDE)]
    for copy in copies:
        first, last = copy.on(copy.copy_of, m)
        at_a, at_b = (bisect_left(some, copy.on(axis, m)[0]) for axis, some in enumerate(starts))
        for part in moved if not copy.chain.minus and at_a == at_b else ():
            start, end = part.on(copy.copy_of, m)
            if abs(start - first) < MIN_ALONE and abs(end - last) < MIN_ALONE:
                part.copy_of, copy.copy_of = copy.copy_of, -1
                break


def kinds_of(parts: list[Part], *, minus: bool = False) -> list[BlockKind]:
    """Return the kind of each part; in order: the heaviest chain on one strand, by letters of A."""
    plus = [part for part in parts if part.copy_of < 0 and part.chain.minus == minus]
    plus.sort(key=lambda part: part.box[0])
    best, before = list[int](), list[int]()
    for at, part in enumerate(plus):
        earlier = [k for k in range(at) if plus[k].box[2] < part.box[2]]
        last = max(earlier, key=best.__getitem__, default=-1)
        best.append(part.box[1] - part.box[0] + (best[last] if last >= 0 else 0))
        before.append(last)
    at, in_order = (max(range(len(best)), key=best.__getitem__) if best else -1), set[int]()
    while at >= 0:
        in_order.add(id(plus[at]))
        at = before[at]

    def kind(part: Part) -> BlockKind:
        if part.copy_of >= 0:
            return BlockKind.DUPLICATED
        if part.chain.minus != minus:
            return BlockKind.INVERTED
        return BlockKind.COLLINEAR if id(part) in in_order else BlockKind.MOVED

    return [kind(part) for part in parts]


def _moved(parts: list[Part], kinds: list[BlockKind], m: int) -> list[bool]:
    """Return whether each part is moved, or inverted, relative to its collinear neighbours."""
    frame = [part for part, kind in zip(parts, kinds, strict=True) if kind is BlockKind.COLLINEAR]
    of_a, of_b = (np.sort([part.on(axis, m)[0] for part in frame]) for axis in (A_SIDE, B_SIDE))

    def passed(part: Part) -> bool:
        before = np.searchsorted(of_a, part.on(A_SIDE, m)[0]), np.searchsorted(of_b, part.on(B_SIDE, m)[0])
        return bool(before[0] != before[1])

    return [
        kind is BlockKind.MOVED or (kind is BlockKind.INVERTED and passed(part))
        for part, kind in zip(parts, kinds, strict=True)
    ]


def _place_between(at: int, order: list[CollinearBlock], axis: int, size: int) -> int:
    """Return the position in the other sequence (``size`` letters) for letters of one sequence only.

    It is the end of the preceding block. After an inverted block it is the start of the next block if that follows in
    the other sequence too, else the start of the inverted block.

    Args:
        order: blocks of A (axis 0) or B (axis 1).
    """
    behind = bisect_right(order, at, key=lambda one: one.on(axis)[1].at)
    if not behind:
        return 0
    first, last = order[behind - 1].on(1 - axis)
    if not order[behind - 1].minus:
        return last.at
    following = order[behind].on(1 - axis)[0].at if behind < len(order) else size
    return following if following >= last.at else first.at


def _with_rest(blocks: list[CollinearBlock], n: int, m: int) -> list[CollinearBlock]:
    """Return ``blocks`` plus the unmatched letters, in order of A; equal borders share a range."""
    alone = list[CollinearBlock]()
    for axis, size in ((A_SIDE, n), (B_SIDE, m)):
        covered = np.zeros(size, np.bool_)
        order = sorted((one for one in blocks if not one.copy_in), key=lambda one: one.on(axis)[1].at)
        for block in blocks:
            covered[block.on(axis)[0].at : block.on(axis)[1].at] = True
        for lo, hi in stretches(covered, 1):
            place = _place_between(lo, order, axis, (m, n)[axis])
            own, other = (Border(lo, lo, lo), Border(hi, hi, hi)), (Border(place, place, place),) * 2
            kind = (BlockKind.ONLY_A, BlockKind.ONLY_B)[axis]
            alone.append(CollinearBlock(kind, *((own, other) if axis == A_SIDE else (other, own))))
    blocks = sorted(blocks + alone, key=lambda one: (one.a[0].at, one.a[1].at, one.b[0].at))
    ranges: dict[tuple[int, int], tuple[int, int]] = {}
    for block in blocks:
        for axis in (A_SIDE, B_SIDE):
            for at, low, high in block.on(axis):
                least, most = ranges.get((axis, at), (at, at))
                ranges[axis, at] = min(least, low), max(most, high)

    def shared(block: CollinearBlock, axis: int) -> tuple[Border, Border]:
        first, last = (Border(at, *ranges[axis, at]) for at, _, _ in block.on(axis))
        return first, last

    return [replace(block, a=shared(block, A_SIDE), b=shared(block, B_SIDE)) for block in blocks]
