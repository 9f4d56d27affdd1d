"""Collector for the features of a record in any format; ``FeatureTable.spans`` returns them as columns."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import printable
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, number
from wavediff.core.sequences.spans import READ_AS, Feature, SpanKind, Spans

NAMED_BY = ("gene", "label", "Name", "locus_tag", "standard_name", "product", "organism", "note", "ID", "Parent")
"""Attributes that name a feature, the best ones first; one without any is called by its type."""

MAX_NAME = 60
_EXCEPT = "transl_except"  # (pos:complement(213..215),aa:Sec)
_EXCEPTIONS = re.compile(r"pos:\D{0,30}(\d{1,12})[^:]{0,60},aa:(\w+)")
MAX_PLACE = 1 << 40  # letters; what is larger is behind the end of every sequence


def feature_name(feature_type: str, attributes: Mapping[str, str]) -> str:
    name = next((attributes[key] for key in NAMED_BY if attributes.get(key)), feature_type)
    return printable(name, MAX_NAME)


class Attributes(Sequence[Mapping[str, str]]):
    """Unparsed attributes, parsed on access: a million parsed ones would take a gigabyte."""

    def __init__(self, texts: Sequence[Any], parse: Callable[[Any], Mapping[str, str]]) -> None:
        self._texts, self._parse = texts, parse

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, k: Any) -> Any:
        attributes = self._texts[k]
        return attributes if isinstance(attributes, dict) else self._parse(attributes)


@dataclass(slots=True)
class FeatureProblems:
    """Rejected features of a file: for each kind of problem their number, and the first one."""

    found: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, kind: str, first: str, n: int = 1) -> None:
        """Count ``n`` rejected features; ``kind`` is the problem, ``first`` an example."""
        before, example = self.found.get(kind, (0, first))
        self.found[kind] = (before + n, example)

    def notices(self) -> list[Notice]:
        texts = (
            f"{count(n, 'feature', 'features')} {kind}, the first one is {first}"
            for kind, (n, first) in self.found.items()
        )
        return [Notice(NoticeKind.FEATURES, text) for text in texts]


class FeatureTable:
    """Features of a record, in the order of its file."""

    def __init__(self, parse: Callable[[Any], Mapping[str, str]]) -> None:
        self._parse = parse
        self._parts = array("q")  # start, end, strand and feature of each part
        self._lines, self._ordered = array("q"), True
        self._names, self._types, self._texts = list[str](), list[str](), list[Any]()
        self._odd = list[int]()  # features with codons that are read otherwise

    def add(self, feature_type: str, name: str, parts: Iterable[tuple[int, int, int]], text: Any, line: int = 0) -> int:
        """Add a feature; return its number.

        Args:
            parts: start and end (0-based, half open) and strand of each, in joining order.
            text: unparsed attributes of the feature, the argument of ``parse``.
            line: line number in the file, from 1; 0: unknown.
        """
        k = len(self._names)
        for part in parts:
            self._add_part(k, part)
        self._lines.append(line)
        self._names.append(name)
        self._types.append(intern(feature_type))
        self._texts.append(text)
        if _EXCEPT in text:
            self._odd.append(k)
        return k

    def extend(self, k: int, part: tuple[int, int, int], text: Any = None) -> None:
        """Add a part to feature ``k``, whose parts are sorted along its strand; ``text`` replaces its ``text``."""
        self._add_part(k, part)
        self._ordered = False
        if text is not None:
            self._texts[k] = text

    def _add_part(self, k: int, part: tuple[int, int, int]) -> None:
        start, end, strand = part
        self._parts.extend((max(-1, min(start, MAX_PLACE)), max(-1, min(end, MAX_PLACE)), strand, k))

    def spans(self, n_letters: int, *, circular: bool, problems: FeatureProblems) -> tuple[Spans, ...]:
        """Return the features of a record of ``n_letters`` letters, clipped to it."""
        starts, ends, strands, owners = np.frombuffer(self._parts, np.int64).reshape(-1, 4).T if self._parts else _NONE
        if not self._ordered:
            order = np.lexsort((np.where(strands < 0, -ends, starts), owners))
            starts, ends, strands, owners = starts[order], ends[order], strands[order], owners[order]
        for k in self._odd:
            some = slice(*np.searchsorted(owners, (k, k + 1)))
            self._number_codons(k, starts[some], ends[some], strands[some])
        if circular and n_letters:  # GFF3 counts on behind the end
            wraps = np.flatnonzero((ends > n_letters) & (starts < n_letters) & (ends - starts <= n_letters))
            which = np.sort(np.concatenate([np.arange(ends.size), wraps]), kind="stable")
            starts, ends, strands, owners = starts[which], ends[which], strands[which], owners[which]
            pairs = wraps + np.arange(wraps.size)
            behind = pairs + (strands[pairs] >= 0)  # on the minus strand the letters behind the seam come first
            starts[behind], ends[behind] = 0, ends[behind] - n_letters
            ends[2 * pairs + 1 - behind] = n_letters
        low, high = np.clip(starts, 0, n_letters), np.clip(ends, 0, n_letters)
        outside = np.unique(owners[(starts < low) | (ends > high)])
        if outside.size:
            k = int(outside[0])
            place = f"{int(starts[owners == k].min()) + 1:,} to {int(ends[owners == k].max()):,}"
            first = f"{self._called(k)}, {place} of {count(n_letters, 'letter', 'letters')}"
            problems.add("cut off at the ends of their sequences", first, outside.size)
        there = low < high
        kept, owners = np.unique(owners[there], return_inverse=True)
        lost = np.setdiff1d(np.arange(len(self._names)), kept)
        if unseen := np.setdiff1d(lost, outside).tolist():
            problems.add("left out that have no letter here", self._called(unseen[0]), len(unseen))
        if not kept.size:
            return ()
        names, types, texts = self._names, self._types, self._texts
        if lost.size:
            names, types, texts = ([one[k] for k in kept.tolist()] for one in (names, types, texts))
        spans = Spans(
            kind=SpanKind.FEATURE,
            n_letters=n_letters,
            starts=low[there],
            ends=high[there],
            strands=strands[there].astype(np.int8),
            owners=owners.astype(np.int64),
            names=names,
            types=types,
            attributes=Attributes(texts, self._parse),
        )
        return (spans,)

    def _number_codons(self, k: int, starts: Counts, ends: Counts, strands: Counts) -> None:
        """Replace positions in ``transl_except`` by codon numbers, which survive ranges and strand changes."""
        from Bio.Data.IUPACData import protein_letters_3to1_extended

        named, residues = self._parse(self._texts[k]), list[str]()
        skipped = Feature("", "", 0, (), named).codon_start - 1
        for place, name in _EXCEPTIONS.findall("".join(named.get(_EXCEPT, "").split())):
            letter = int(place) - 1
            for part in np.flatnonzero((starts <= letter) & (letter < ends))[:1]:
                passed = int((ends - starts)[:part].sum()) - skipped
                passed += int(ends[part] - 1 - letter if strands[part] < 0 else letter - starts[part])
                amino_acid = "*" if name == "TERM" else protein_letters_3to1_extended.get(name.capitalize(), "X")
                residues.append(f"{max(0, passed) // 3}:{amino_acid}")
        self._texts[k] = {**named, READ_AS: " ".join(residues)}

    def _called(self, k: int) -> str:
        name = printable(self._types[k], MAX_NAME) + (
            f" '{self._names[k]}'" if self._names[k] != self._types[k] else ""
        )
        return f"{name} in line {number(self._lines[k])}" if self._lines[k] else name


_NONE = np.empty((4, 0), np.int64)
