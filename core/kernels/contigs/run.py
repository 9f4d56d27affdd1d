"""Placement of contigs on a reference whose k-mers are sorted once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import chain as joined
from itertools import islice, pairwise
from threading import Event as Flag

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.contigs import ContigsJob, ContigsResult, Next, NextKind, NotPlaced, Placement, along
from wavediff.core.jobs.events import Compiled, ContigsPlaced, Event, Progress, pass_on, run_to_end
from wavediff.core.jobs.exact_matches import ExactMatches
from wavediff.core.jobs.rearranged import MIN_SCORE
from wavediff.core.kernels.contigs.aligned_blocks import aligned_blocks
from wavediff.core.kernels.contigs.chosen_place import chosen_place
from wavediff.core.kernels.exact_matches import run as exact_matches
from wavediff.core.kernels.rearranged.borders import B_SIDE
from wavediff.core.kernels.rearranged.chain import Chain
from wavediff.core.kernels.rearranged.parts import Pair
from wavediff.core.kernels.rearranged.run import Seeds, make_ready
from wavediff.core.kernels.rearranged.select import chains_inside, cut_at_unlike_letters, least_score
from wavediff.core.kernels.traceback.parallel import run_parallel
from wavediff.core.sequences.characters import FOLDED
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.sequence import NO_LETTER
from wavediff.core.system.machine import cores

SHARED_LETTERS = 1 << 20  # letters of a contig whose blocks are aligned by all threads


def memory(job: ContigsJob) -> int:
    return exact_matches.memory(job.seeds(job.contigs.letters)) + 4 * job.n_letters


def run(job: ContigsJob, seeds: Seeds = exact_matches.run) -> Generator[Event, None, ContigsResult]:
    """Compute ``job``.

    Args:
        seeds: function that finds the exact matches.

    Raises:
        NotEnoughMemory: the seeds, or the alignment of a block, need more than is free.
    """
    yield from make_ready(job.step)
    contigs = yield from matched(job, seeds)
    placed = dict[int, Placement]()
    yield from reported(job, contigs.placements(placed), placed)
    return ordered(contigs, placed)


def reported(
    job: ContigsJob, steps: Generator[Event, None, None], placed: Mapping[int, Placement]
) -> Generator[Event, None, None]:
    """Yield the events of ``steps``, and events for new entries of ``placed``."""
    n_reported = 0
    with closing(steps):
        for event in joined(steps, (None,)):
            if event is not None:
                yield event
            n_reported = min(n_reported, len(placed))  # fewer where answers of a cluster were taken back
            if new := tuple(islice(tuple(placed.values()), n_reported, None)):
                n_reported += len(new)
                yield ContigsPlaced(job.id, new)


def matched(job: ContigsJob, seeds: Seeds = exact_matches.run) -> Generator[Event, None, MatchedContigs]:
    """Find the exact matches of all contigs with A."""
    matches = yield from seeds(job.seeds(job.contigs.joined(NO_LETTER)[0]))
    return MatchedContigs(job, matches)


class MatchedContigs:
    """Contigs with their exact matches on A; positions in B refer to the joined contigs.

    Attributes:
        starts: of each contig in the joined letters.
    """

    def __init__(self, job: ContigsJob, found: ExactMatches) -> None:
        self.job, self.found = job, found
        self.starts = starts = job.contigs.starts[:-1] + np.arange(len(job.contigs))
        self.a = np.frombuffer(job.a.tobytes().translate(FOLDED), np.uint8)
        of = np.searchsorted(starts, found.b_starts, "right") - 1
        self.matches = np.lexsort((found.minus, of))
        self.ends = np.searchsorted(of[self.matches], np.arange(len(job.contigs) + 1))
        self.sizes = job.contigs.sizes.tolist()

    def matches_of(self, first: int, end: int) -> Counts:
        """Return the match ranges of contigs ``first`` to ``end``."""
        return self.matches[self.ends[first] : self.ends[end]]

    def placements(self, placed: dict[int, Placement]) -> Generator[Event, None, None]:
        """Append the placement of each contig to ``placed``; large ones first, each by all threads."""
        job, total = self.job, len(self.sizes)
        order = sorted(range(total), key=self.sizes.__getitem__, reverse=True)
        n_large = max(1, sum(size >= SHARED_LETTERS for size in self.sizes))  # the first one loads the kernels

        def progress(event: Event) -> Event:
            compiles = isinstance(event, Compiled) or (isinstance(event, Progress) and event.stage.startswith(STAGE))
            return event if compiles else Progress(job.id, "contigs", len(placed), total, "contigs")

        for at in order[:n_large]:
            placed[at] = yield from pass_on(self.placement(at, job.threads), progress)
        waiting = iter(order[n_large:])

        def work(stop: Flag) -> None:
            for at in waiting:
                if stop.is_set():
                    return
                placed[at] = run_to_end(self.placement(at, 1))

        n = min(job.threads or cores(), total - n_large)
        if n > 1:
            yield from pass_on(run_parallel(job.step, "contigs", [work] * n, "contigs"), progress)
        for at in waiting:
            placed[at] = yield from pass_on(self.placement(at, 1), progress)

    def folded(self, at: int) -> tuple[bytes, bytes]:
        """Return the letters of a contig, forward and reverse complement, in upper case."""
        first = int(self.job.contigs.starts[at])
        plus = self.job.contigs.letters[first : first + self.sizes[at]].tobytes().translate(FOLDED)
        return plus, reverse_complement(plus)

    def placement(self, at: int, threads: int) -> Generator[Event, None, Placement]:
        """Return the placement of contig ``at`` (0-based)."""
        job, found, size, start = self.job, self.found, self.sizes[at], int(self.starts[at])
        plus, minus = self.folded(at)
        number, name = at + 1, job.names[at]
        least = least_score(found.n, size)
        if size < max(MIN_SCORE, found.k):
            return Placement(number, name, size, NotPlaced.SHORT)
        some = self.matches_of(at, at + 1)
        if not some.size:
            left_out = np.searchsorted(found.b_left_out, (start, start + size - found.k), "right")
            of_repeats = left_out[0] % 2 or left_out[1] > left_out[0]
            return Placement(number, name, size, NotPlaced.REPEATS if of_repeats else NotPlaced.UNKNOWN)
        own = self._matches(some, start, size)
        pair = Pair(self.a, np.frombuffer(plus, np.uint8), np.frombuffer(minus, np.uint8))
        chains = list[Chain]()
        for chain in chains_inside(own, B_SIDE, 0, size, least):
            pieces = yield from cut_at_unlike_letters(chain, pair, job.id)
            chains += [piece for piece in pieces if piece.matched >= least]
        if not chains and job.circular:  # a short contig across the origin of A has two short chains
            ends = chains_inside(own, B_SIDE, 0, size, float(found.k))  # compiled for this type
            chains = [one for one in ends if one.box[0] < least or one.box[1] > found.n - least]
        chosen = chosen_place(chains, found.n, size, circular=job.circular) if chains else None
        if chosen is None or sum(part.chain.matched for part in chosen.own) < least:
            return Placement(number, name, size, NotPlaced.WEAK)
        placed = yield from aligned_blocks(chosen, own, pair, job, threads)
        on_minus = chosen.own[0].chain.minus
        fields = placed.a, placed.contig, placed.blocks, placed.others
        return Placement(number, name, size, None, on_minus, *fields, chosen.n_places)

    def _matches(self, some: Counts, start: int, size: int) -> ExactMatches:
        matches = self.found
        own = (matches.a_starts[some], matches.b_starts[some] - start, matches.lengths[some], matches.minus[some])
        return ExactMatches(matches.n, size, matches.k, matches.max_copies, *own, matches.n_unique[some], 0)


def ordered(contigs: MatchedContigs, placed: dict[int, Placement]) -> ContigsResult:
    """Return the result: order along A, relations, uncovered parts of A, equal contigs."""
    job, found, same = contigs.job, contigs.found, defaultdict[bytes, list[int]](list)
    n, letters = int(job.a.size), [min(contigs.folded(at)) for at in range(len(placed))]
    for at, one in enumerate(letters):
        same[one].append(at + 1)
    placements = [
        replace(placed[at], same_as=tuple(number for number in same[one] if number != at + 1))
        for at, one in enumerate(letters)
    ]
    places = [(one.a[0].at, one.a[1].at) if one.placed else None for one in placements]
    order, spans = along(places), {at: span for at, span in enumerate(places) if span is not None}
    next_to = relations([spans[at] for at in order], [at + 1 for at in order], n, circular=job.circular)
    blocks = [(block.a[0].at, block.a[1].at) for at in order for block in placements[at].blocks]
    gaps = list(_outside(list(spans.values()), n))
    covered = sum(end - start for start, end in _outside([*_outside(blocks, n), *gaps], n))
    if job.circular and len(gaps) > 1 and gaps[0][0] == 0 and gaps[-1][1] == n:
        gaps = [*gaps[1:-1], (gaps[-1][0], n + gaps[0][1])]
    return ContigsResult(
        n, job.circular, found.k, found.max_copies, tuple(placements), tuple(order), next_to, covered, tuple(gaps),
    )  # fmt: skip


def relations(spans: list[tuple[int, int]], numbers: list[int], n: int, *, circular: bool) -> tuple[Next, ...]:
    """Return the relation of each contig to the next one that is not contained in another.

    Args:
        spans: first letter and end of each contig in ``n`` letters of A, sorted by first letter, then longest first;
            across the origin of a circle the end is beyond ``n``. numbers: of the contigs.
    """
    if not spans:
        return ()
    sizes = [end - start for start, end in spans]
    first = sizes.index(max(sizes)) if circular else 0  # no other one contains the longest one
    around = [*range(first, len(spans)), *range(first)]
    outer, relation = [(first, *spans[first])], dict[int, Next]()
    for at in around[1:]:
        start, end = (side + n * (at < first) for side in spans[at])
        within, _, reach = outer[-1]
        if end <= reach or sizes[within] >= n:
            relation[at] = Next(NextKind.CONTAINED, sizes[at], numbers[within])
        else:
            outer.append((at, start, end))
    for (at, _, reach), (after, start, _) in pairwise([*outer, (first, spans[first][0] + n, 0)]):
        apart = start - reach
        kind = NextKind.GAP if apart > 0 else NextKind.OVERLAP if apart < 0 else NextKind.ADJACENT
        relation[at] = Next(kind, abs(apart), numbers[after])
    if not circular:
        relation[outer[-1][0]] = Next(NextKind.END, 0)
    return tuple(relation[at] for at in range(len(spans)))


def _outside(spans: list[tuple[int, int]], n: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of ``n`` letters outside all ``spans``; on a circle they may extend past its end."""
    reach = 0
    inside = [(start, min(end, n)) for start, end in spans] + [(0, end - n) for _, end in spans if end > n]
    for start, end in [*sorted(inside), (n, n)]:
        if start > reach:
            yield reach, start
        reach = max(reach, end)
