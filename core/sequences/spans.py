"""Annotations of a sequence: ranges of letters in columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand


class SpanKind(StrEnum):
    FEATURE = "feature"  # named in the file
    HIT = "hit"  # of a search
    MASK = "mask"  # lower case
    QUALITY = "quality"  # low, named by its Phred values


CODING = "CDS"  # type of features that are translated
WHOLE = frozenset({"source", "region", "chromosome", "contig", "scaffold"})  # types of what a record is
STANDARD_TABLE = 1  # of the genetic code, as NCBI numbers them
OPEN_START = "open_start"  # attribute: the file says that the first letters are missing
READ_AS = "read_as"  # attribute: codons (from 0) that are read otherwise than by the table: 69:U 80:*
_NOT_TRANSLATED = frozenset({"pseudo", "pseudogene"})  # attributes
_READ_AS = re.compile(r"(\d{1,9}):([A-Z*])")


class Feature(NamedTuple):
    """One feature of a sequence.

    Attributes:
        type: such as ``gene``, ``CDS`` or ``tRNA``.
        parts: ranges in the file, 0-based and half open, in joining order: on the minus strand the last range of the
            file comes first.
        strand: of its first part: 1, -1, or 0 for neither.
        attributes: qualifiers by name; several of one name are joined by ``, ``.
    """

    name: str
    type: str
    strand: int
    parts: tuple[tuple[int, int], ...]
    attributes: Mapping[str, str]

    @property
    def called(self) -> str:
        """Type, name and strand, e.g. ``CDS S +``."""
        kind = "" if self.type == self.name else self.type
        return " ".join(filter(None, (kind, self.name, {1: "+", -1: "−"}.get(self.strand))))

    @property
    def codon_start(self) -> int:
        """Letter (1, 2 or 3) that starts the first complete codon."""
        start = self.attributes.get("codon_start", "")
        return int(start) if start in ("1", "2", "3") else 1

    @property
    def table(self) -> int:
        """Number of the genetic code; 1 by default."""
        number = self.attributes.get("transl_table", "")
        return int(number) if number.isascii() and number.isdigit() and len(number) < 4 else STANDARD_TABLE

    @property
    def is_translated(self) -> bool:
        return self.type == CODING and _NOT_TRANSLATED.isdisjoint(self.attributes)

    @property
    def has_start(self) -> bool:
        """True if its first codon can be a start codon."""
        return self.codon_start == 1 and OPEN_START not in self.attributes

    @property
    def read_as(self) -> dict[int, str]:
        """Amino acids of codons (0-based) that differ from the genetic code, e.g. selenocysteine."""
        return {int(codon): letter for codon, letter in _READ_AS.findall(self.attributes.get(READ_AS, ""))}


@dataclass(frozen=True, eq=False, kw_only=True)
class Spans:
    """Ranges of one kind, in any order, possibly overlapping.

    Attributes:
        n_letters: of the sequence.
        starts, ends: int64, shape (n,): ranges in the file, 0-based and half open, of one letter or more.
        strands: int8, shape (n,): 1, -1, or 0 for neither; empty: all 0.
        owners: int64, shape (n,), ascending: feature of each range; empty: one range per feature.
        names, types, attributes: of each feature, such as a gene and its qualifiers; empty: none.
        before: int64, shape (n,): letters of the whole feature before each range; empty: no feature is cut.
    """

    kind: SpanKind
    n_letters: int
    starts: Counts
    ends: Counts
    strands: npt.NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    owners: Counts = field(default_factory=lambda: np.empty(0, np.int64))
    names: Sequence[str] = ()
    types: Sequence[str] = ()
    attributes: Sequence[Mapping[str, str]] = ()
    before: Counts = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return int(self.starts.size)

    def parts(self, k: int) -> slice:
        return slice(*np.searchsorted(self.owners, (k, k + 1)).tolist()) if self.owners.size else slice(k, k + 1)

    def read(self, k: int, places: Counts) -> tuple[Counts, npt.NDArray[np.bool_]]:
        """Return the position in the sequence of each of ``places``, 0-based letters of the complete feature ``k`` (-1:
        cut off), and whether each is on the minus strand.
        """
        starts, ends, offsets = (one[self.parts(k)] for one in (self.starts, self.ends, self.offsets))
        minus = self.minus[self.parts(k)]
        part = np.maximum(np.searchsorted(offsets, places, "right") - 1, 0)
        inside = places - offsets[part]
        letters = np.where(minus[part], ends[part] - 1 - inside, starts[part] + inside)
        return np.where((inside >= 0) & (inside < (ends - starts)[part]), letters, -1), minus[part]

    def feature(self, k: int) -> Feature:
        """Return feature ``k`` (0-based); only for spans with ``names``."""
        some = self.parts(k)
        parts = zip(self.starts[some].tolist(), self.ends[some].tolist(), strict=True)
        strand = int(self.strands[some.start]) if self.strands.size else 0
        attributes = self.attributes[k] if self.attributes else {}
        return Feature(self.names[k], self.types[k] if self.types else "", strand, tuple(parts), attributes)

    @cached_property
    def offsets(self) -> Counts:
        """Letters of its feature before each range, int64, shape (n,): as ``before``, also if no feature is cut."""
        owners, sizes = self.owned(np.arange(len(self))), self.ends - self.starts
        passed = np.cumsum(sizes) - sizes
        return self.before if self.before.size else passed - passed[np.searchsorted(owners, owners)]

    def taken(self, which: Counts) -> Spans:
        """Return the ranges with the indices ``which``; features keep their numbers."""
        before = self.before[which] if self.before.size else self.before
        strands = self.strands[which] if self.strands.size else self.strands
        owners = self.owned(which) if self.names else self.owners
        return replace(
            self, starts=self.starts[which], ends=self.ends[which], strands=strands, owners=owners, before=before
        )

    def within(self, start: int, end: int) -> Spans:
        """Return the spans that overlap ``[start, end)``, clipped to it, with positions relative to ``start``."""
        whole = replace(self, before=self.offsets) if self.names else self
        spans = whole.taken(np.flatnonzero(np.minimum(self.ends, end) > np.maximum(self.starts, start)))
        low, high = np.maximum(spans.starts - start, 0), np.minimum(spans.ends, end) - start
        kept, owners = np.unique(spans.owners, return_inverse=True)
        each: list[Sequence[Any]] = [self.names, self.types, self.attributes]
        names, types, attributes = (tuple(one[k] for k in kept.tolist()) if one else () for one in each)
        cut = np.where(spans.minus, spans.ends - start - high, low + start - spans.starts)
        return replace(
            spans, n_letters=end - start, starts=low, ends=high, owners=owners.astype(np.int64),
            names=names, types=types, attributes=attributes, before=spans.before + cut if self.names else spans.before,
        )  # fmt: skip

    def owned(self, which: Counts) -> Counts:
        """Return the feature of each range in ``which``."""
        return self.owners[which] if self.owners.size else which

    @cached_property
    def minus(self) -> npt.NDArray[np.bool_]:
        """True for each range on the minus strand: bool, shape (n,)."""
        return self.strands < 0 if self.strands.size else np.zeros(len(self), np.bool_)

    @property
    def is_whole(self) -> npt.NDArray[np.bool_]:
        """True for each range that is a feature of the whole record, such as ``source``: bool, shape (n,)."""
        whole: npt.NDArray[np.bool_] = (self.starts == 0) & (self.ends == self.n_letters)
        whole[whole] = [self.types[k] in WHOLE for k in self.owned(np.flatnonzero(whole)).tolist()]
        return whole

    def oriented(self, orientation: Orientation) -> Spans:
        """Convert spans to coordinates as compared; a range across the origin becomes two."""
        if orientation == FORWARD:
            return self
        n, minus = self.n_letters, orientation.strand is Strand.MINUS
        low, high = (orientation.index(edge, n) for edge in (self.starts, self.ends - 1))
        low, high = (high, low + 1) if minus else (low, high + 1)
        cut = np.flatnonzero(low >= high)
        which = np.sort(np.concatenate([np.arange(low.size), cut]), kind="stable")
        starts, ends = low[which], high[which]
        turned = replace(self, strands=self.strands * (-1 if minus else 1)).taken(which)
        pairs = cut + np.arange(cut.size)
        behind = pairs + ~turned.minus[pairs]  # the part behind the seam; first on the minus strand
        before = 2 * pairs + 1 - behind
        starts[behind], ends[before] = 0, n
        passed = turned.before.copy()
        if passed.size:
            passed[pairs + 1] += ends[pairs] - starts[pairs]
        return replace(turned, starts=starts, ends=ends, before=passed)

    def covered(self, first: Counts, end: Counts) -> Counts:
        """Return the letters of each ``[first, end)`` in spans, int64; letters in several spans count several times."""
        return self._covered_before(end) - self._covered_before(first)

    def count(self, first: float, end: float) -> int:
        """Return how many ranges overlap ``[first, end)`` (not empty)."""
        (starts, _), (ends, _) = self._edges  # whole numbers, as NumPy makes a copy of all edges for others
        return int(np.searchsorted(starts, ceil(end))) - int(np.searchsorted(ends, floor(first), "right"))

    def touching(self, first: int, end: int) -> Counts:
        """Return the indices of the ranges that overlap ``[first, end)``, sorted by start."""
        there = np.flatnonzero((self.starts < end) & (self.ends > first) & (first < end))
        return there[np.argsort(self.starts[there], kind="stable")]

    def prepare(self) -> Spans:
        """Build the index of ``covered``, which takes a second for ten million spans."""
        assert self._edges
        return self

    @cached_property
    def _edges(self) -> tuple[tuple[Counts, Counts], ...]:
        """Sorted starts and ends, with their prefix sums."""
        ordered = (np.sort(edges, kind="stable") for edges in (self.starts, self.ends))  # nearly in order, most often
        return tuple((edges, np.append(0, np.cumsum(edges))) for edges in ordered)

    def _covered_before(self, places: Counts) -> Counts:
        (starts, start_sums), (ends, end_sums) = self._edges
        begun, over = np.searchsorted(starts, places), np.searchsorted(ends, places)
        covered: Counts = places * (begun - over) - (start_sums[begun] - end_sums[over])
        return covered
