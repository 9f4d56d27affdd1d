"""Notices about limits of an answer: chance level, strand, moved origin, inversions, containment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from wavediff.core.base.arrays import Letters
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, identity, number, percent
from wavediff.core.methods.base import BlockJob
from wavediff.core.screening.relation import MAX_PART_LENGTH, Relation, Verdict, in_order, verdict
from wavediff.core.screening.shared_kmers import SharedKmers
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.sequence import Alphabet

MIN_CHANCE_LETTERS = 500  # letters of the shorter sequence; with fewer, chance adds 2 points or more of identity
SHORT_MARGIN = 1.35  # of the columns, divided by the root of the letters: three standard deviations of chance
CHANCE_MARGIN = 0.02  # of the columns: identity above chance that is not significant
MIN_ROOM = 0.1  # of the columns: minimum possible identity above chance, for any statement
MIN_CONTAINED_LETTERS = 16
SCORED = "affine"  # id of the method that has scores of substitutions
_DISTANT_FAMILY = "substitutions that all count alike cannot show a distant family of proteins, scores can"
LONG_SECONDS = 5.0  # estimated seconds: longer comparisons report in advance what they cannot show
ASK_SECONDS = 30.0  # estimated seconds: longer comparisons with misleading results ask first
MAX_SOUGHT_LETTERS = 1 << 24  # letters of the longer sequence for an exact search of the shorter one


@dataclass(frozen=True, slots=True)
class Offer:
    """Alternative way to compare a pair.

    Attributes:
        minus: compare the reverse complement of the current B.
        origin: for a circle, the approximate position in A (from 0) at which B starts; else None.
        ends: new ``wavediff.core.methods.edit.Ends``; empty: unchanged.
        method: id of another method; empty: unchanged.
        turned: B is already compared as its reverse complement, so ``minus`` means B as in its file.
    """

    minus: bool = False
    origin: int | None = None
    ends: str = ""
    method: str = ""
    turned: bool = False

    @property
    def text(self) -> str:
        """Label of the button that applies this offer."""
        if self.method:
            return "Compare with scores"
        if self.ends:
            placed = {"a": "Place B inside A", "b": "Place A inside B"}
            reversed_ = {
                "a": "Place the reverse complement of B inside A",
                "b": "Place A inside the reverse complement of B",
            }
            as_in_file = {"a": "Place B as in its file inside A", "b": "Place A inside B as in its file"}
            names = placed if not self.minus else as_in_file if self.turned else reversed_
            text = names.get(self.ends, "Find the overlap")
            return text if self.origin is None else f"{text}, a circle"
        strand = "Compare B as in its file" if self.turned else "Compare as reverse complement"
        if self.origin is None:
            return strand
        if self.minus:
            return f"{strand}, from A {number(self.origin + 1)}"
        return f"Compare from A {number(self.origin + 1)}"


@dataclass(frozen=True, slots=True)
class PairNotice(Notice):
    """One notice about an answer.

    Attributes:
        numbers: numbers that support the notice, by name; shares are 0 to 1, positions count from 0.
        offer: a better way to compare the pair, or None.
    """

    numbers: Mapping[str, float] = field(default_factory=dict)
    offer: Offer | None = None


class Screened(NamedTuple):
    """Facts about a pair known before its comparison.

    Attributes:
        relation: relation of B to A by the seeds; ``UNKNOWN`` if they are not DNA.
        notice: notice about what a comparison does not show, or None.
        in_order: share of the seeds on one global path, 0 to 1; 1: unknown.
        proteins: both are proteins.
    """

    relation: Relation = Relation.UNKNOWN
    notice: PairNotice | None = None
    in_order: float = 1.0
    proteins: bool = False

    def informed(self, job: Any) -> Any:
        """Return ``job`` with ``in_order``, which its choice of the band uses."""
        return replace(job, in_order=self.in_order) if isinstance(job, BlockJob) and self.in_order < 1 else job

    def could_be_chance(self, share: float | None, n: int, m: int) -> bool:
        """Return whether the chance level should be computed for an identity.

        Args:
            share: identity of the answer, 0 to 1; None: unknown.
            n, m: letters of A and B.
        """
        if share is None or share == 1 or min(n, m) < MIN_CONTAINED_LETTERS:
            return False
        return self.relation in (Relation.UNKNOWN, Relation.UNRELATED) and (
            self.notice is None or self.notice.kind is NoticeKind.UNRELATED
        )

    def with_answer(self, chance: PairNotice | None, method: str) -> tuple[PairNotice, ...]:
        """Return the notices for an answer; the chance level is omitted without shared k-mers.

        Args:
            method: its id.
        """
        before = None if self.notice is None or self.notice.kind is NoticeKind.UNRELATED else self.notice
        if chance is not None and self.proteins and method != SCORED:
            chance = replace(chance, text=f"{chance.text}; {_DISTANT_FAMILY}", offer=Offer(method=SCORED))
        return tuple(notice for notice in (before, chance) if notice is not None)


def alphabets_notices(a: Letters, b: Letters, alphabets: tuple[Alphabet, ...]) -> tuple[PairNotice, ...]:
    """Return the notice if the alphabets of A and B differ; none if A or B is empty or they are unknown (empty)."""
    rules = [LetterRule.of(one) for one in alphabets]
    if len(set(rules)) < 2 or not (a.size and b.size):
        return ()
    text = f"A is {alphabets[0]}, B is {alphabets[1]}: the same letters do not stand for the same things"
    if LetterRule.LITERAL not in rules:
        text += ", so translate the nucleotides with another program first"
    return (PairNotice(NoticeKind.ALPHABETS, text),)


def screened(
    a: Letters,
    b: Letters,
    *,
    fold_case: bool,
    end_to_end: bool,
    shared: SharedKmers | None,
    circle: bool = False,
    turned: bool = False,
) -> Screened:
    """Return the facts about ``a`` and ``b``.

    Args:
        end_to_end: no free ends; a comparison with free ends shows parts and overlaps itself.
        shared: their seeds, or None.
        circle: also find parts across the end of a file.
        turned: ``b`` is the reverse complement of B.
    """
    judged = Verdict(Relation.UNKNOWN) if shared is None else verdict(shared, a, b)
    contained = containment_notice(a, b, fold_case=fold_case) if end_to_end else None
    if contained is not None:
        return Screened(Relation.PART, contained)
    notice = None if shared is None else relation_notice(shared, judged, turned=turned)
    offer = None if notice is None else notice.offer
    if not end_to_end and notice is not None and offer is not None and offer.ends and (circle or offer.origin is None):
        notice = replace(notice, offer=Offer(True, turned=turned)) if offer.minus else None
    return Screened(judged.relation, notice, 1.0 if shared is None else in_order(shared, judged.relation))


def relation_notice(kmers: SharedKmers, judged: Verdict, *, turned: bool = False) -> PairNotice | None:
    """Return what a global comparison of two DNA sequences cannot show, or None."""
    numbers = {
        "k": kmers.k,
        "seeds_plus": kmers.plus.n_seeds,
        "seeds_minus": kmers.minus.n_seeds,
        "near_diagonal": kmers.plus.near_share,
        "expected_by_chance": kmers.plus.expected_by_chance + kmers.minus.expected_by_chance,
    }
    if judged.origin is not None:
        numbers["origin"] = judged.origin
    minus = percent(kmers.minus_share)
    hidden = "A comparison from end to end does not show this"
    match judged.relation:
        case Relation.OTHER_STRAND:
            name = "The reverse complement of B" if turned else "B"
            text = f"{name} is on the other strand: {minus} of the shared {number(kmers.k)}-mers. {hidden}"
            return PairNotice(NoticeKind.OTHER_STRAND, text, numbers, _offer(judged, turned=turned))
        case Relation.ORIGIN_MOVED if judged.origin is not None:
            text = (
                f"B begins at A {number(judged.origin + 1)}, like a circular molecule read from another origin. "
                f"{hidden}"
            )
            return PairNotice(NoticeKind.ORIGIN_MOVED, text, numbers, _offer(judged, turned=turned))
        case Relation.INVERTED:
            text = (
                f"Part of B is inverted: {minus} of the shared {number(kmers.k)}-mers are on the other strand. {hidden}"
            )
            return PairNotice(NoticeKind.INVERTED_PART, text, numbers, _offer(judged, turned=turned))
        case Relation.MOVED:
            share = percent(kmers.plus.collinear_share)
            text = (
                f"Parts of B are in another order: only {share} of the shared {number(kmers.k)}-mers follow each other "
                f"as in A. {hidden}"
            )
            return PairNotice(NoticeKind.MOVED_PARTS, text, numbers | {"collinear": kmers.plus.collinear_share})
        case Relation.OVERLAP:
            return _overlap(kmers, numbers, hidden)
        case Relation.PART:
            return _part(kmers, judged, numbers, turned=turned)
        case Relation.UNRELATED:
            text = (
                f"A and B look unrelated: {number(kmers.n_seeds)} of {number(kmers.n_unique)} {number(kmers.k)}-mers "
                "are shared, as by random letters"
            )
            return PairNotice(NoticeKind.UNRELATED, text, numbers)
    return None


def _offer(judged: Verdict, *, turned: bool) -> Offer | None:
    offered = judged.minus or judged.origin is not None
    return Offer(judged.minus, judged.origin, turned=turned) if offered else None


def _overlap(kmers: SharedKmers, numbers: dict[str, float], hidden: str) -> PairNotice:
    first, second = ("A", "B") if kmers.plus.offset < 0 else ("B", "A")
    offset = kmers.plus.offset
    letters = min(kmers.n, kmers.m - offset) - max(0, -offset)
    text = f"The end of {first} overlaps the beginning of {second} by about {number(letters)} letters. {hidden}"
    return PairNotice(NoticeKind.OVERLAP, text, numbers | {"letters": letters, "offset": offset}, Offer(ends="both"))


def _part(kmers: SharedKmers, judged: Verdict, numbers: dict[str, float], *, turned: bool) -> PairNotice:
    inner, outer, ends = ("A", "B", "b") if kmers.n < kmers.m else ("B", "A", "a")
    strand = kmers.minus if judged.minus else kmers.plus
    place = strand.offset if inner == "A" else -strand.offset
    share = strand.n_seeds / kmers.n_unique
    there = f"{percent(share)} of its {number(kmers.k)}-mers are there"
    name = f"The reverse complement of {inner}" if judged.minus else inner
    if judged.minus and turned:
        name, outer = ("A", "B (as in its file)") if inner == "A" else ("B (as in its file)", "A")
    if judged.origin is not None:
        where = f"from about {number(judged.origin + 1)} on, across the end of its file, as in a circle"
        text = f"{name} is a part of {outer} {where}: {there}"
        offer = Offer(judged.minus, judged.origin, ends, turned=turned)
        return PairNotice(NoticeKind.CONTAINED, text, numbers | {"place": judged.origin, "share": share}, offer)
    if judged.minus:
        text = f"{name} is a part of {outer}: {there}"
        offer = Offer(True, ends=ends, turned=turned)
        return PairNotice(NoticeKind.CONTAINED, text, numbers | {"place": place, "share": share}, offer)
    text = f"{inner} is a part of {outer}, from about {number(max(0, place) + 1)} on: {there}"
    return PairNotice(NoticeKind.CONTAINED, text, numbers | {"place": place, "share": share}, Offer(ends=ends))


def containment_notice(a: Letters, b: Letters, *, fold_case: bool) -> PairNotice | None:
    """Return the notice if one sequence contains the much shorter other exactly, else None.

    Args:
        a, b: uint8; case of non-ASCII letters already folded.
    """
    inner, outer = ("A", "B") if a.size < b.size else ("B", "A")
    short, long = (a, b) if a.size < b.size else (b, a)
    if not MIN_CONTAINED_LETTERS <= short.size <= MAX_PART_LENGTH * long.size or long.size > MAX_SOUGHT_LETTERS:
        return None
    sought, text = ((letters.tobytes().upper() if fold_case else letters.tobytes()) for letters in (short, long))
    place = text.find(sought)
    if place < 0:
        return None
    said = f"{inner} is contained in {outer}: 100 % of {inner}, at {number(place + 1)}–{number(place + short.size)}"
    numbers = {"place": place, "share": 1.0, "letters": int(short.size)}
    return PairNotice(NoticeKind.CONTAINED, said, numbers, Offer(ends=outer.lower()))


def chance_notice(share: float, expected: float, n: int, m: int, *, end_to_end: bool = True) -> PairNotice | None:
    """Return the notice if ``share`` is not above the chance level ``expected``, or this is undecidable, else None.

    None for few letters, and for a global comparison of lengths so different that little more than ``expected`` is
    possible.
    """
    shorter, longer = sorted((n, m))
    short, numbers = shorter < MIN_CHANCE_LETTERS, {"identity": share, "expected": expected}
    if share > expected + (SHORT_MARGIN / shorter**0.5 if short else CHANCE_MARGIN):
        return None
    by_chance = f"to tell this from chance ({identity(expected)} expected of random letters)"
    if short:
        text = f"Not judged: {count(shorter, 'letter is', 'letters are')} too few {by_chance}"
        return PairNotice(NoticeKind.NOT_JUDGED, text, numbers)
    if end_to_end and shorter / longer - expected < MIN_ROOM:
        lengths = f"{number(n)} and {number(m)} letters"
        text = f"Not judged: {lengths} are too unlike in length {by_chance}"
        return PairNotice(NoticeKind.NOT_JUDGED, text, numbers, Offer(ends="a" if n > m else "b"))
    text = f"No more alike than random letters of this composition ({identity(expected)} expected)"
    return PairNotice(NoticeKind.CHANCE, text, numbers)
