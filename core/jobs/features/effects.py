"""Effects of differences on features, and projection of features onto the other sequence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import APART, Alignment, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.difference_index import IN_A, IN_B, Kinds
from wavediff.core.jobs.difference_rows import all_rows
from wavediff.core.jobs.features.proteins import CUT_OFF, Effect, EffectKind, Hit, protein_effects
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import CODING, Feature, Spans


def projected(spans: Spans, alignment: Alignment, *, onto_a: bool) -> Spans:
    """Project features onto the other sequence; features without an aligned letter are omitted.

    Args:
        spans: features as aligned, of B with ``onto_a``, else of A. A feature is cut if the other sequence lacks its
            first letters.
    """
    of_here, of_there = (IN_B, IN_A) if onto_a else (IN_A, IN_B)
    consumed = np.stack([of[alignment.ops] for of in (of_here, of_there)])
    here, there = np.pad(np.cumsum(alignment.lengths * consumed, axis=1), ((0, 0), (1, 0)))
    shared = np.flatnonzero(consumed.all(axis=0))  # runs
    if not shared.size:
        return spans.taken(shared)
    first, last = spans.starts, spans.ends - 1
    begins, ends = (np.searchsorted(here, places, "right") - 1 for places in (first, last))
    next_shared = shared[np.minimum(np.searchsorted(shared, begins), shared.size - 1)]
    last_shared = shared[np.maximum(np.searchsorted(shared, ends, "right") - 1, 0)]
    first, last = np.maximum(first, here[next_shared]), np.minimum(last, here[last_shared + 1] - 1)
    changed = np.flatnonzero((first <= last) & (first < here[next_shared + 1]) & (last >= here[last_shared]))
    low = there[next_shared] + first - here[next_shared]
    high = there[last_shared] + last + 1 - here[last_shared]
    kept = spans.taken(changed)
    lost = np.where(kept.minus, kept.ends - 1 - last[changed], first[changed] - kept.starts)
    moved = replace(kept, n_letters=int(there[-1]), starts=low[changed], ends=high[changed], before=changed[:0])
    owners, cut = kept.owned(np.arange(changed.size)), spans.offsets[changed] + lost
    return replace(moved, before=moved.offsets + cut[np.searchsorted(owners, owners)])


MAX_CHANGES = 1 << 20  # letters and gaps that differ; sequences with more have hardly a protein in common
MAX_HITS = 1 << 22  # changes in features, each counted once for each feature


@dataclass(frozen=True, eq=False)
class Effects:
    """Effects of all differences of an alignment.

    Attributes:
        side: sequence with the features, ``A`` or ``B``.
        places: int64, shape (n,), ascending: letters of A plus letters of B before each changed letter or gap.
        firsts, numbers: the effects of change ``k`` are ``numbers[firsts[k] : firsts[k + 1]]``, int64.
        every: the effects; an effect of several changes is listed once.
    """

    side: str
    places: Counts
    firsts: Counts
    numbers: Counts
    every: tuple[Effect, ...]

    def between(self, a0: int, a1: int, b0: int, b1: int) -> list[Effect]:
        """Return the distinct effects of differences in letters ``[a0, a1)`` of A and ``[b0, b1)`` of B."""
        low, high = np.searchsorted(self.places, (a0 + b0, a1 + b1))
        numbers = self.numbers[self.firsts[low] : self.firsts[high]]
        return list(dict.fromkeys(self.every[k] for k in numbers.tolist()))

    def text(self, a0: int, a1: int, b0: int, b1: int) -> str:
        return "; ".join(one.text for one in self.between(a0, a1, b0, b1))

    def order(self, places: Counts) -> Counts:
        """Return sort keys for the differences at ``places``, which order them by feature, then by position in it."""
        return self.numbers[self.firsts[np.searchsorted(self.places, places)]]

    @cached_property
    def changes(self) -> list[Effect]:
        """Distinct effects on proteins, in order of their first changes."""
        effects = dict.fromkeys(map(self.every.__getitem__, dict.fromkeys(self.numbers.tolist())))
        return [one for one in effects if one.kind.changes_protein]

    @cached_property
    def counts(self) -> dict[EffectKind, int]:
        """Number of effects of each kind that occurs; outside of proteins, number of changed letters and gaps."""
        times, counts = np.bincount(self.numbers, minlength=len(self.every)), dict.fromkeys(EffectKind, 0)
        for effect, n in dict(zip(self.every, times.tolist(), strict=True)).items():
            counts[effect.kind] += n if effect.kind in (EffectKind.NONCODING, EffectKind.OUTSIDE) else 1
        return {kind: n for kind, n in counts.items() if n}

    @property
    def sentence(self) -> str:
        """Numbers of all kinds, e.g. ``2 missense, 1 frameshift, 3 synonymous``."""
        return ", ".join(f"{number(n)} {kind}{'s' * (n > 1 and kind.is_noun)}" for kind, n in self.counts.items())


def features_of(sequence: Sequence) -> Spans | None:
    """Return the features of a sequence from its file, in coordinates as compared, or None."""
    features = sequence.features
    fits = features is not None and features.types and features.n_letters == len(sequence)
    return features.oriented(sequence.orientation) if features is not None and fits else None


def effects_of(a: Sequence, b: Sequence, index: AlignmentIndex) -> Effects | None:
    """Return the effects on the features of A or, if A has none, on those of B projected onto A.

    None if neither has features, one is not a nucleotide sequence, or there are more than ``MAX_CHANGES``.
    """
    side, spans = _annotated(a, b)
    if spans is None or effects_refused(a, b, index):
        return None
    spans = projected(spans, index.alignment, onto_a=True) if side == "B" else spans
    return _Finder(a, b, spans, _Changes.of(index)).effects(side)


def effects_refused(a: Sequence, b: Sequence, index: AlignmentIndex) -> str:
    """Return why the effects on existing features are not computed, or an empty string."""
    n = sum(map(index.n_columns_of, (Kinds.MISMATCH, Kinds.APART)))
    n += sum(map(index.n_differences, (Kinds.INSERTION, Kinds.DELETION, Kinds.SWAP)))
    if n <= MAX_CHANGES or _annotated(a, b)[1] is None:
        return ""
    return f"effects on proteins not computed: {number(n)} changes, at most {number(MAX_CHANGES)}; compare a range"


def _annotated(a: Sequence, b: Sequence) -> tuple[str, Spans | None]:
    """Return the side with features (A if both have them), and the features."""
    if not (a.alphabet.is_nucleotide and b.alphabet.is_nucleotide):
        return "A", None
    return ("A", features) if (features := features_of(a)) is not None else ("B", features_of(b))


class _Changes(NamedTuple):
    """Changes: letters ``[a0, a1)`` of A became ``[b0, b1)`` of B, one letter or gap each; int64, shape (n,)."""

    a0: Counts
    a1: Counts
    b0: Counts
    b1: Counts

    @classmethod
    def of(cls, index: AlignmentIndex) -> _Changes:
        pieces = [np.empty((4, 0), np.int64)]
        for rows in all_rows(index):
            single = np.isin(rows.op, (Op.MISMATCH, APART))
            many = np.where(single, rows.columns, 1)
            row = np.repeat(np.arange(len(rows)), many)
            at = np.arange(row.size) - np.repeat(np.cumsum(many) - many, many)
            a0, b0, single = rows.a0[row] + at, rows.b0[row] + at, single[row]
            ends = np.where(single, a0 + 1, rows.a1[row]), np.where(single, b0 + 1, rows.b1[row])
            pieces.append(np.stack([a0, ends[0], b0, ends[1]]))
        return cls(*np.concatenate(pieces, axis=1))


def _inside(spans: Spans, owners: Counts, changes: _Changes) -> tuple[Counts, Counts]:
    """Return the range of changes in each part, as first index and end.

    An insertion is in a part if it lies between two letters of it, or between it and the next part of its feature.
    """
    low, n = np.searchsorted(changes.a1, spans.starts, "right"), changes.a0.size
    high = np.maximum(low, np.searchsorted(changes.a0, spans.ends))
    behind, minus = np.arange(1, len(spans)), spans.minus[1:]
    left, right = behind - ~minus, behind - minus
    joined = owners[1:] == owners[:-1]
    near = joined & (spans.ends[left] == spans.starts[right])
    high[left[near]] = np.maximum(high[left[near]], low[right[near]])
    seam = joined & (spans.ends[left] == spans.n_letters) & (spans.starts[right] == 0)
    high[left[seam]], low[right[seam]] = n, 0
    return low, high


class _Finder:
    def __init__(self, a: Sequence, b: Sequence, spans: Spans, changes: _Changes) -> None:
        self._a, self._b, self._spans, self._changes = a.letters.data, b.letters.data, spans, changes
        self._offsets = spans.offsets
        self._owners = spans.owned(np.arange(len(spans)))
        self._low, self._high = _inside(spans, self._owners, changes)

    def effects(self, side: str) -> Effects:
        every, changes, numbers = list[Effect](), list[int](), list[int]()
        is_coding = np.array([each == CODING for each in self._spans.types], np.bool_)
        hit = (self._high > self._low) & is_coding[self._owners]
        few = np.cumsum(np.where(hit, self._high - self._low, 0)) <= MAX_HITS
        is_coding[self._owners[hit & ~few]] = False  # they are named alone
        for k in np.unique(self._owners[hit & few]).tolist():
            feature = self._spans.feature(k)
            is_coding[k] = feature.is_translated
            for effect, hits in self._translated(k, feature) if is_coding[k] else ():
                changes += [one.change for one in hits]
                numbers += [len(every)] * len(hits)
                every.append(effect)
        around = self._around(~is_coding[self._owners])
        around[changes] = -2
        named = np.flatnonzero(around >= -1)
        others, which = np.unique(around[named], return_inverse=True)
        all_changes = np.append(np.array(changes, np.int64), named)
        all_numbers = np.append(np.array(numbers, np.int64), len(every) + which)
        order = np.argsort(all_changes, kind="stable")
        firsts = np.append(0, np.cumsum(np.bincount(all_changes, minlength=around.size)))
        every += [self._named(k) for k in others.tolist()]
        places = self._changes.a0 + self._changes.b0
        return Effects(side, places, firsts, all_numbers[order], tuple(every))

    def _translated(self, k: int, feature: Feature) -> Iterator[tuple[Effect, list[Hit]]]:
        first = int(np.searchsorted(self._owners, k))
        skipped = feature.codon_start - 1
        letters, hits = bytearray(), list[Hit]()
        for part, (start, end) in enumerate(feature.parts, first):
            minus = bool(self._spans.minus[part])
            before = int(self._offsets[part])
            hits += self._hits(part, start, end, before - skipped, minus)
            piece = bytes(self._a[start:end])
            letters += CUT_OFF * (before - len(letters)) + (reverse_complement(piece) if minus else piece)
        yield from protein_effects(feature, bytes(letters[skipped:]), hits)

    def _hits(self, part: int, start: int, end: int, before: int, minus: bool) -> Iterator[Hit]:
        some = np.arange(self._low[part], self._high[part])[:: -1 if minus else 1]
        columns = (column[some].tolist() for column in self._changes)
        for change, a0, a1, b0, b1 in zip(some.tolist(), *columns, strict=True):
            low, high = max(a0, start), min(a1, end)
            c0, c1 = (end - high, end - low) if minus else (low - start, high - start)
            if before + c1 > 0:  # not before the first whole codon
                letters = bytes(self._b[b0:b1]) if low == a0 else b""  # of the first part alone
                yield Hit(max(before + c0, 0), before + c1, reverse_complement(letters) if minus else letters, change)

    def _around(self, parts: npt.NDArray[np.bool_]) -> Counts:
        """Return for each change the shortest feature with one of ``parts`` around it; -1: none."""
        spans, owners = self._spans, np.full(self._changes.a0.size, -1, np.int64)
        which = np.flatnonzero(parts & (self._high > self._low) & ~spans.is_whole)
        lengths = np.bincount(self._owners, spans.ends - spans.starts)[self._owners[which]]
        which = which[np.argsort(-lengths, kind="stable")]
        which = which[np.cumsum((self._high - self._low)[which]) <= MAX_HITS]
        for low, high, k in zip(*(each[which].tolist() for each in (self._low, self._high, self._owners)), strict=True):
            owners[low:high] = k
        return owners

    def _named(self, k: int) -> Effect:
        if k < 0:
            return Effect(EffectKind.OUTSIDE, str(EffectKind.OUTSIDE))
        name, kind = self._spans.names[k], self._spans.types[k]
        return Effect(EffectKind.NONCODING, name if name == kind else f"{name} ({kind})")
