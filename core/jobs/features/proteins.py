"""Effects of changed letters on the protein of one coding sequence.

Nomenclature as in HGVS (den Dunnen et al. 2016, Human Mutation 37(6)), with one-letter codes; deleted amino acids by
number only, as in Nextclade and Pangolin.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from wavediff.core.sequences.genetic_code import is_start, translated
from wavediff.core.sequences.spans import Feature

CODON = 3  # letters
MAX_LETTERS = 20  # amino acids of an effect; of more there is their number
CUT_OFF = b"\0"  # in place of a letter that the sequence lacks, of a feature that is cut
_UNKNOWN, _STOP = "X", "*"
_MARK = bytes.maketrans(bytes(range(1, 128)), bytes(range(129, 256)))  # of codons that are read otherwise
_UNMARK = bytes.maketrans(bytes(range(129, 256)), bytes(range(1, 128)))


class EffectKind(StrEnum):
    MISSENSE = "missense"
    STOP_GAINED = "stop gained"
    STOP_LOST = "stop lost"
    START_LOST = "start lost"
    DELETED = "deleted"  # the whole coding sequence
    DELETION = "in-frame deletion"
    INSERTION = "in-frame insertion"
    REPLACEMENT = "in-frame replacement"
    FRAMESHIFT = "frameshift"
    UNKNOWN = "unknown"  # a letter is open, or the codon is not whole
    SYNONYMOUS = "synonymous"
    NONCODING = "non-coding"  # in a feature that is not translated
    OUTSIDE = "outside genes"

    @property
    def is_noun(self) -> bool:
        return self.startswith(("in-frame", "frameshift"))

    @property
    def changes_protein(self) -> bool:
        return self not in (EffectKind.UNKNOWN, EffectKind.SYNONYMOUS, EffectKind.NONCODING, EffectKind.OUTSIDE)


class Effect(NamedTuple):
    kind: EffectKind
    text: str


class Hit(NamedTuple):
    """Letters ``[start, end)`` of a coding sequence (from its first whole codon) replaced by ``letters``."""

    start: int
    end: int
    letters: bytes
    change: int

    @property
    def is_gap(self) -> bool:
        return self.end - self.start != len(self.letters)

    @property
    def last_codon(self) -> int:
        """Index of the last changed codon; for an insertion between two codons, of the codon before it."""
        return (self.end - 1) // CODON if self.end > self.start else (self.start - 1) // CODON


class _Coding:
    """Coding sequence and its genetic code; codons with a translation exception are marked in ``letters``."""

    def __init__(self, feature: Feature, letters: bytes) -> None:
        self._table, self._marked, marked = feature.table, dict[bytes, str](), bytearray(letters)
        for codon, amino_acid in feature.read_as.items():
            at = codon * CODON
            marked[at : at + CODON] = letters[at : at + CODON].translate(_MARK)
            self._marked[bytes(marked[at : at + CODON])] = amino_acid
        self.letters, self._has_start = bytes(marked), feature.has_start

    def is_start(self, codon: bytes) -> bool:
        return self._has_start and is_start(codon.translate(_UNMARK), self._table)

    def peptide(self, letters: bytes) -> str:
        codons = (letters[k : k + CODON] for k in range(0, len(letters) - CODON + 1, CODON))
        return "".join(self._marked.get(one) or _amino_acid(one.translate(_UNMARK), self._table) for one in codons)


def protein_effects(feature: Feature, letters: bytes, hits: list[Hit]) -> Iterator[tuple[Effect, list[Hit]]]:
    """Yield each effect with its changes.

    All changes in a codon share one effect; so do all changes from a frame shift to the restored frame. Adjacent codons
    with unknown amino acids are one effect.

    Args:
        letters: the coding sequence as translated, from its first whole codon.
        hits: its changes, in their order.
    """
    coding, name, unknown = _Coding(feature, letters), feature.name, list[Hit]()
    for group in _groups(hits):
        effect = _effect(coding, group)
        if unknown and (effect.kind is not EffectKind.UNKNOWN or group[0].start // CODON > unknown[-1].last_codon + 1):
            yield _not_known(name, coding, unknown)
            unknown = []
        if effect.kind is EffectKind.UNKNOWN:
            unknown += group
        else:
            yield effect._replace(text=f"{name}:{effect.text}"), group
    if unknown:
        yield _not_known(name, coding, unknown)


def _not_known(name: str, coding: _Coding, hits: list[Hit]) -> tuple[Effect, list[Hit]]:
    text = _effect(coding, hits).text
    if (first := hits[0].start // CODON) < (last := hits[-1].last_codon):
        text = f"{first + 1}-{last + 1}{_UNKNOWN}"
    return Effect(EffectKind.UNKNOWN, f"{name}:{text}"), hits


def _groups(hits: list[Hit]) -> Iterator[list[Hit]]:
    group, shift = list[Hit](), 0
    for hit in hits:
        # Letters deleted and others inserted are one change, as the alignment of an LCS has substitutions.
        touches = group and hit.start == group[-1].end and hit.is_gap and group[-1].is_gap
        if group and not shift % CODON and hit.start // CODON > group[-1].last_codon and not touches:
            yield group
            group = []
        group.append(hit)
        shift += len(hit.letters) - (hit.end - hit.start)
    if group:
        yield group


def _effect(coding: _Coding, group: list[Hit]) -> Effect:
    letters, first = coding.letters, group[0].start // CODON
    if (first + 1) * CODON > len(letters) or CUT_OFF in letters[first * CODON : (first + 1) * CODON]:
        return Effect(EffectKind.UNKNOWN, f"{first + 1}?")
    shifted = sum(len(hit.letters) - (hit.end - hit.start) for hit in group) % CODON
    low, high = first * CODON, len(letters) if shifted else max(first, group[-1].last_codon + 1) * CODON
    pieces, at = list[bytes](), low
    for hit in group:
        pieces += [letters[at : hit.start], hit.letters]
        at = hit.end
    theirs = b"".join([*pieces, letters[at : max(at, high)]])
    if not (theirs or low or at < len(letters)):
        return Effect(EffectKind.DELETED, "del")
    before, after = coding.peptide(letters[low:high]), coding.peptide(theirs)
    if first == 0 and before and coding.is_start(letters[:CODON]):
        begin = (theirs + letters[max(at, high) :])[:CODON]
        if len(begin) == CODON and not coding.is_start(begin):
            return Effect(EffectKind.START_LOST, "M1?")
        before, after = f"M{before[1:]}", f"M{after[1:]}" if after else ""
    return (_shifted if shifted else _replaced)(before, after, first)


def _shifted(before: str, after: str, first: int) -> Effect:
    """Return the effect of a frameshift: the first changed amino acid."""
    same = _common(before, after)
    if same == len(before):  # behind the last codon
        if before[-1] != _STOP:
            return Effect(EffectKind.UNKNOWN, f"{first + same}?")
        return Effect(EffectKind.SYNONYMOUS, f"{before[-1]}{first + same}=")
    if after[same : same + 1] == _STOP:
        return Effect(EffectKind.STOP_GAINED, f"{before[same]}{first + same + 1}{_STOP}")
    return Effect(EffectKind.FRAMESHIFT, f"{before[same]}{first + same + 1}fs")


def _replaced(before: str, after: str, first: int) -> Effect:
    """Return the effect of replacing amino acids ``before`` by ``after`` from codon ``first`` (0-based)."""
    if before == after and _UNKNOWN not in before:
        return Effect(EffectKind.SYNONYMOUS, f"{before[0]}{first + 1}=")
    stops, ahead = (_STOP in after, _STOP in before), _common(before, after)
    if before.endswith(_STOP) and ahead == len(before):  # letters behind the same stop
        return Effect(EffectKind.SYNONYMOUS, f"{_STOP}{first + ahead}=")
    if _STOP in after[ahead:-1]:
        after = after[: after.index(_STOP, ahead) + 1]  # what is behind a stop is in no place
    elif len(before) > 1 or len(after) > 1:
        behind = _common(before[::-1], after[::-1])  # the leftmost of equal places
        before, after = before[: len(before) - behind], after[: len(after) - behind]
        ahead = _common(before, after)
        before, after, first = before[ahead:], after[ahead:], first + ahead
    kind = EffectKind.STOP_GAINED if stops[0] else EffectKind.STOP_LOST
    letters = after if len(after) <= MAX_LETTERS else f"({len(after)})"
    if before and after and (len(before) == len(after) == 1 or after == _STOP):
        if stops[0] == stops[1]:
            kind = EffectKind.UNKNOWN if _UNKNOWN in before + after else EffectKind.MISSENSE
        return Effect(kind, f"{before[0]}{first + 1}{after}")
    if stops[0] == stops[1]:
        kind = EffectKind.REPLACEMENT if before and after else (EffectKind.INSERTION if after else EffectKind.DELETION)
    if not before:
        return Effect(kind, f"{first}ins{letters}")
    place = f"{first + 1}-{first + len(before)}" if len(before) > 1 else f"{first + 1}"
    return Effect(kind, f"{place}delins{letters}" if after else f"{place}del")


def _common(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@cache
def _amino_acid(codon: bytes, table: int) -> str:
    return chr(int(translated(np.frombuffer(codon, np.uint8)[None], table)[0]))
