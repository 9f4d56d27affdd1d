"""From dots to blocks: exact matches, their best chains on both strands, and the borders.

Li (2018), Minimap2: pairwise alignment for nucleotide sequences, Bioinformatics 34(18), sections 2.1.1 and 2.1.2, with
the limits of ``core.kernels.rearranged.chain``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from math import log2, prod
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.teach.counted_trace import OneUnitTrace, letters, of_inputs, whole
from wavediff.core.teach.dots import MAX_LETTERS, check_complements, common_start
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.scene import NEVER, Box, Cited, Grid, Line, Mark, Scene, Sheet
from wavediff.core.teach.unit import Unit

MAX_MATCHES = 24
MAX_CUTS = 4_096  # tried
GAP_SHARE = 0.01  # of k, for each diagonal
UNUSED_COST, GAP_COST = 1, 4  # of a letter in no block, and of such letters between two neighbours
STRANDS = "+", "−"


class Match(NamedTuple):
    """Maximal exact match of ``length`` letters; ``a``, ``b``: its start in A, and in B on its strand, 0-based."""

    minus: bool
    a: int
    b: int
    length: int


class Step(NamedTuple):
    """Possible predecessor of a match in a chain: letters gained, gap cost, total score."""

    before: int
    gain: int
    cost: float
    score: float


class Chain(NamedTuple):
    """Chain of matches by their indices; ``score`` counts no match of a better chain."""

    matches: tuple[int, ...]
    score: float
    is_kept: bool


class Block(NamedTuple):
    """Aligned block: ranges of A, and of B on the strand of the block, 0-based, half-open."""

    minus: bool
    a: tuple[int, int]
    b: tuple[int, int]


def matches_of(a: str, strand: str, k: int, *, minus: bool) -> list[Match]:
    """Return the maximal exact matches of at least ``k`` letters, in order of A.

    >>> matches_of("GATTACA", "TTACGAT", 3, minus=False)
    [Match(minus=False, a=0, b=4, length=3), Match(minus=False, a=2, b=0, length=4)]
    """
    matches = []
    for i, j in product(range(len(a)), range(len(strand))):
        length = common_start(a[i:], strand[j:])
        if length >= k and not (i and j and a[i - 1] == strand[j - 1]):
            matches.append(Match(minus, i, j, length))
    return matches


class DotChainsTrace(OneUnitTrace):
    """Trace that scores the matches of each strand in the order of A, selects the best chains, then sets their borders.

    Attributes:
        matches: of both strands, + first. steps_to: possible predecessors of each match. scores: of the best chain
            ending with each match. before: predecessor of each match in that chain; -1: none. chains: by descending
            score.
        blocks: of the selected chains, in the order of A. cut: the same blocks with their final borders. ranges: of
            each border between two blocks, the lowest and highest letter of A at equal cost.
    """

    def __init__(self, a: str, b: str, k: int, gap: int, least: int) -> None:
        self.a, self.b, self.k, self.gap, self.least = a, b, k, gap, least
        strands = b, reverse_complement(b.encode()).decode()
        self.matches = [one for minus in (False, True) for one in matches_of(a, strands[minus], k, minus=minus)]
        if len(self.matches) > MAX_MATCHES:
            raise ValueError(f"{len(self.matches)} matches; up to {MAX_MATCHES} can be stepped: a larger k has fewer")
        self.steps_to = list[list[Step]]()
        self.scores, self.before = list[float](), list[int]()
        for at in range(len(self.matches)):
            self._score(at)
        self.chains = self._chains()
        kept = [self._block(chain.matches) for chain in self.chains if chain.is_kept]
        self.blocks = sorted(kept, key=lambda block: block.a)
        self.cut, self.ranges = self._borders()
        n = len(self.matches) + len(self.chains) + max(0, len(self.blocks) - 1)
        super().__init__({"a": a, "b": b, "k": k, "gap": gap, "least": least}, Unit.ROW, n, Kind.VALUE)

    def _score(self, at: int) -> None:
        this, steps = self.matches[at], list[Step]()
        for j, other in enumerate(self.matches[:at]):
            of_a = this.a + this.length - other.a - other.length
            of_b = this.b + this.length - other.b - other.length
            if other.minus != this.minus or other.b >= this.b or not 0 < min(of_a, of_b) <= this.length + self.gap:
                continue
            apart, gain = abs(of_a - of_b), min(this.length, of_a, of_b)
            cost = GAP_SHARE * self.k * apart + 0.5 * log2(apart) if apart else 0.0
            steps.append(Step(j, gain, cost, self.scores[j] + gain - cost))
        best = max((Step(-1, this.length, 0.0, this.length), *reversed(steps)), key=lambda step: step.score)
        self.steps_to.append(steps)
        self.scores.append(float(best.score))
        self.before.append(best.before)

    def _chains(self) -> list[Chain]:
        """Return the chains, best first; a match is only in the best of its chains."""
        chains, used = list[Chain](), set[int]()
        of_a, of_b = set[int](), set[int]()
        for last in sorted(range(len(self.matches)), key=lambda at: -self.scores[at]):
            some, at = list[int](), last
            while at >= 0 and at not in used:
                some.insert(0, at)
                at = self.before[at]
            if not some:
                continue
            used.update(some)
            score = self.scores[last] - (self.scores[at] if at >= 0 else 0.0)
            block = self._block(some)
            free = min(len({*range(*block.a)} - of_a), len({*range(*self._in_file(block))} - of_b))
            chains.append(Chain(tuple(some), score, min(score, free) >= self.least))
            if chains[-1].is_kept:
                of_a.update(range(*block.a))
                of_b.update(range(*self._in_file(block)))
        return chains

    def _block(self, some: Sequence[int]) -> Block:
        first, last = self.matches[some[0]], self.matches[some[-1]]
        return Block(first.minus, (first.a, last.a + last.length), (first.b, last.b + last.length))

    def _in_file(self, block: Block) -> tuple[int, int]:
        start, end = block.b
        return (len(self.b) - end, len(self.b) - start) if block.minus else block.b

    def _borders(self) -> tuple[list[Block], list[tuple[int, int]]]:
        """Return the blocks with minimum border cost, and the ranges of equally good borders.

        All cuts are tried. Ties: the cut whose last blocks end last in B.
        """
        most = [0] * len(self.blocks)
        for spans in ([one.a for one in self.blocks], [self._in_file(one) for one in self.blocks]):
            for one, two in pairwise(sorted(range(len(most)), key=spans.__getitem__)):
                for at in (one, two):
                    most[at] = max(most[at], spans[one][1] - spans[two][0])
        sizes = [each + 1 for each in most for _ in range(2)]
        if prod(sizes) > MAX_CUTS:
            raise ValueError("the blocks share too many letters: their borders cannot be tried one by one")
        tried = dict[int, list[list[Block]]]()
        for off in product(*map(range, sizes)):
            blocks = [
                Block(one.minus, (one.a[0] + x, one.a[1] - y), (one.b[0] + x, one.b[1] - y))
                for one, x, y in zip(self.blocks, off[::2], off[1::2], strict=True)
            ]
            cost = self._cost(blocks)
            if cost is not None:
                tried.setdefault(cost, []).append(blocks)
        best = tried[min(tried)]
        chosen = max(best, key=lambda blocks: sorted((self._in_file(one)[1] for one in blocks), reverse=True))
        ends = zip(*([one.a[1] for one in blocks[:-1]] for blocks in best), strict=True)
        return chosen, [(min(each), max(each)) for each in ends]

    def _cost(self, blocks: list[Block]) -> int | None:
        """Return the number of uncovered letters; None if blocks overlap."""
        cost = 0
        for spans in ([one.a for one in blocks], sorted(map(self._in_file, blocks))):
            cost -= UNUSED_COST * sum(end - start for start, end in spans)
            for one, two in pairwise(spans):
                if one[1] > two[0] or one[0] >= one[1] or two[0] >= two[1]:
                    return None
                cost += GAP_COST if one[1] < two[0] else 0
        return cost

    def scene_at(self, k: int) -> Scene:
        n = len(self.matches)
        taken = self.chains[: max(0, k - n)]
        shape = len(self.a), len(self.b)
        values, rank = np.zeros(shape, np.int32), np.full(shape, NEVER, np.int32)
        marks = np.zeros(shape, np.uint8)
        new = {k - 1} if k <= n else {*taken[-1].matches} if k <= n + len(taken) and taken else set[int]()
        chance = {at for chain in taken if not chain.is_kept for at in chain.matches}
        for at, one in reversed([*enumerate(self.matches)]):
            usual = Mark.FAINT if at in chance else Mark.CITED if one.minus else Mark.ON
            for along in range(one.length):
                cell = self._cell(one, along)
                values[cell], rank[cell], marks[cell] = at + 1, 0, Mark.NEW if at in new else usual
        lines = [
            Line(tuple((row + 0.5, col + 0.5) for row, col in (self._end(self.before[at]), self._cell(one, 0))))
            for at, one in enumerate(self.matches[:k])
            if self.before[at] >= 0 and at not in chance
        ]
        steps = self.steps_to[k - 1] if 0 < k <= n else []
        cited = tuple(Cited(*self._end(step.before), step.before == self.before[k - 1]) for step in steps)
        boxes = tuple(
            Box(one.a[0], self._in_file(one)[0], one.a[1] - one.a[0], one.b[1] - one.b[0], mark=Mark.NEW)
            for one in (self._seen(chain, k) for chain in taken if chain.is_kept)
        )
        plot = Grid("", values, rank, tuple(self.a), tuple(self.b), marks, boxes=boxes, lines=tuple(lines))
        return Scene((plot, self._scored(k), self._listed(k, taken)), cited)

    def _cell(self, one: Match, along: int) -> tuple[int, int]:
        at = one.b + along
        return one.a + along, len(self.b) - 1 - at if one.minus else at

    def _end(self, at: int) -> tuple[int, int]:
        return self._cell(self.matches[at], self.matches[at].length - 1)

    def _seen(self, chain: Chain, k: int) -> Block:
        """Return the block of a chain with the borders cut up to step ``k``."""
        block = self._block(chain.matches)
        at, n_cut = self.blocks.index(block), k - len(self.matches) - len(self.chains)
        first, last = (self.cut[at] if is_cut else block for is_cut in (0 < at <= n_cut, at < n_cut))
        return Block(block.minus, (first.a[0], last.a[1]), (first.b[0], last.b[1]))

    def _scored(self, k: int) -> Sheet:
        rows, marks = [], []
        for at, one in enumerate(self.matches):
            before = number(self.before[at] + 1) if self.before[at] >= 0 else "–"
            known = (before, _score(self.scores[at])) if at < k else ("", "")
            block = self._block([at])
            rows.append((number(at + 1), STRANDS[one.minus], _span(block.a), _span(self._in_file(block)), *known))
            marks.append((Mark.NEW if at == k - 1 else Mark.PLAIN,) * 6)
        return Sheet("Matches", ("", "strand", "A", "B", "after", "score"), tuple(rows), tuple(marks), mono=True)

    def _listed(self, k: int, taken: list[Chain]) -> Sheet:
        rows, marks = [("",) * 4] * len(self.chains), [(Mark.PLAIN,) * 4] * len(self.chains)
        for at, chain in enumerate(taken):
            block = self._seen(chain, k) if chain.is_kept else None
            spans = ("chance", "") if block is None else (_span(block.a), _span(self._in_file(block)))
            rows[at] = _named(chain.matches), _score(chain.score), *spans
            is_new = k - len(self.matches) == at + 1
            marks[at] = (Mark.NEW if is_new else Mark.PLAIN if chain.is_kept else Mark.FAINT,) * 4
        return Sheet("Chains", ("matches", "score", "A", "B"), tuple(rows), tuple(marks), mono=True)

    def say_at(self, k: int) -> str:
        n = len(self.matches)
        if k == 0:
            return (
                f"{count(n, 'match', 'matches')} of {count(self.k, 'letter', 'letters')} or more on both strands. "
                "Each match is a run of dots. Which matches belong together?"
            )
        if k <= n:
            return self._say_match(k - 1)
        if k <= n + len(self.chains):
            chain = self.chains[k - n - 1]
            is_rest = self.before[chain.matches[0]] >= 0
            score = f"{_score(chain.score)}{' without the matches of a better chain' if is_rest else ''}"
            is_short = chain.score < self.least
            lost = f"less than {number(self.least)} may be chance" if is_short else "better blocks have its letters"
            what = "It becomes a block" if chain.is_kept else f"It becomes no block: {lost}"
            some = "match" if len(chain.matches) == 1 else "matches"
            return f"Next best chain, {some} {_named(chain.matches)}: score {score}. {what}."
        at = k - n - len(self.chains) - 1
        (low, high), end = self.ranges[at], self.cut[at].a[1]
        pair = f"blocks {number(at + 1)} and {number(at + 2)} in A"
        if low == high:
            return f"Border of {pair}: after letter {number(end)}. Every other cut fits less well."
        return (
            f"Border of {pair}: cuts after letters {number(low)} to {number(high)} fit equally well. This range is "
            f"reported; the blocks are cut after letter {number(end)}."
        )

    def _say_match(self, at: int) -> str:
        one, steps = self.matches[at], self.steps_to[at]
        here = f"Match {number(at + 1)} ({STRANDS[one.minus]}) alone scores {number(one.length)}."
        if not steps:
            return f"{here} No match close to it precedes it in A and on the same strand of B: it begins a chain."
        best = max(reversed(steps), key=lambda step: step.score)
        total = f"{_score(self.scores[best.before])} + {number(best.gain)} − {_score(best.cost)} = {_score(best.score)}"
        some = f", the best of {number(len(steps))}" if len(steps) > 1 else ""
        end = "more, so it continues that chain" if self.before[at] >= 0 else "not more, so it begins a chain"
        return f"{here} After match {number(best.before + 1)}{some}, it scores {total}: {end}."

    def _value(self, name: str) -> Any:
        """Return a value: ``scores`` and ``before`` of each match (predecessor from 1; 0: none); ``chains``: their
        matches; ``kept``: whether each is selected; ``blocks``: first and last letter of A and of B, from 1, and strand
        (1 or -1); ``borders``: least and greatest letter before each; numbers such as ``n blocks``."""
        return {
            "n matches": len(self.matches),
            "scores": [round(score, 2) for score in self.scores],
            "before": [before + 1 for before in self.before],
            "chains": [[at + 1 for at in chain.matches] for chain in self.chains],
            "kept": [chain.is_kept for chain in self.chains],
            "blocks": [
                [one.a[0] + 1, one.a[1], self._in_file(one)[0] + 1, self._in_file(one)[1], -1 if one.minus else 1]
                for one in self.cut
            ],
            "borders": [list(some) for some in self.ranges],
            "n blocks": len(self.cut),
            "n inverted": sum(one.minus for one in self.cut),
            "n chance": sum(not chain.is_kept for chain in self.chains),
            "least": self.least,
            "gap": self.gap,
        }[name]

    def _moments(self) -> Mapping[str, Sequence[int]]:
        n, last = len(self.matches), len(self.matches) + len(self.chains)
        linked = [k for k, before in enumerate(self.before, 1) if before >= 0]
        costs = [k for k, steps in enumerate(self.steps_to, 1) if steps and k not in linked]
        return {
            "linked": linked, "refused": costs, "chain": range(n + 1, last + 1),
            "border": range(last + 1, self.last_step + 1),
        }  # fmt: skip

    def _question(self, k: int) -> Asked:
        n = len(self.matches)
        if k <= n:
            text = f"Which match precedes match {number(k)} in its best chain? 0: none, it begins a chain."
            cells = [self._cell(self.matches[k - 2], along) for along in range(self.matches[k - 2].length)]
            near = slip(k - 1, "That is the match above it: the best chain need not go on from there.", *cells)
            return Asked(text, [str(self.before[k - 1] + 1)], [near, slip(k, "That is the match itself.")])
        if k <= n + len(self.chains):
            text = "How many matches does the next best chain have?"
            return Asked(text, [str(len(self.chains[k - n - 1].matches))], [slip(n, "Those are all matches.")])
        at = k - n - len(self.chains) - 1
        low, high = self.ranges[at]
        text = f"How many letters of A fit both block {number(at + 1)} and block {number(at + 2)}?"
        return Asked(text, [str(high - low)], [slip(high, "That is the last place: count the letters from the first.")])


def _score(value: float) -> str:
    return number(round(value)) if abs(value - round(value)) < 0.005 else number(value, 2)


def _span(span: tuple[int, int]) -> str:
    return f"{number(span[0] + 1)}–{number(span[1])}"


def _named(some: Sequence[int]) -> str:
    return ", ".join(number(at + 1) for at in some)


@of_inputs(
    a=letters(MAX_LETTERS), b=letters(MAX_LETTERS), k=whole(2, 8, 4), gap=whole(1, 200, 4), least=whole(1, 40, 6)
)
def dot_chains_trace(a: str, b: str, k: int, gap: int, least: int) -> DotChainsTrace:
    """Return the trace of the chains of matches of two DNA sequences.

    Raises:
        InputError: a letter has no complement.
    """
    check_complements(a + b)
    return DotChainsTrace(a, b, k, gap, least)
