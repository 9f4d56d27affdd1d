"""Sequence with its metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, freeze
from wavediff.core.base.errors import InputError, count_noun
from wavediff.core.base.notices import Notice
from wavediff.core.sequences.characters import FIRST_CODE, U_TO_T, case_folding, character_of
from wavediff.core.sequences.orientation import FORWARD, Orientation
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.spans import SpanKind, Spans


class Alphabet(StrEnum):
    DNA = "DNA"
    RNA = "RNA"
    PROTEIN = "protein"
    TEXT = "text"

    @property
    def folds_case(self) -> bool:
        """Return whether case is ignored by default: lower case is a soft mask in genomes, significant in texts."""
        return self is not Alphabet.TEXT

    @property
    def is_nucleotide(self) -> bool:
        return self in (Alphabet.DNA, Alphabet.RNA)


class LineEnds(NamedTuple):
    """Line ends in the file of a text; they are read as LF, the final one is dropped.

    Attributes:
        sign: ``\\n``, ``\\r\\n`` or ``\\r``.
        at_end: whether the last line has a line end.
    """

    sign: str = "\n"
    at_end: bool = True


LF_AT_END = LineEnds()
_NAMES = {" ": "space", "\t": "tab", "\n": "line end"}


class Records(NamedTuple):
    """Records joined in one sequence.

    Attributes:
        starts, ends: int64: letters ``[start, end)`` of each record, 0-based; one separator letter between two records.
        name: function that returns the name of a record, by number from 0.
    """

    starts: Counts
    ends: Counts
    name: Callable[[int], str]

    def at(self, letter: int) -> int:
        """Return the number of the record that contains a letter, or precedes it."""
        return int(np.searchsorted(self.starts, letter, "right")) - 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Sequence:
    """A record, ready to compare.

    Attributes:
        letters: shape (n,), as read (with case), read-only, in the order of the comparison; uint8, or wider for many
            ``characters``.
        characters: of the codes from 128 on, see ``wavediff.core.sequences.characters``; empty: bytes.
        name: first word of the header, or the file's stem; shown as plain text.
        description: rest of the header.
        alphabet: guessed from the letters, see ``wavediff.core.reading``.
        counts: int64, occurrences of each code; shape (256,), or longer for many ``characters``.
        source: as the user named it: a path, ``<pasted>``, ``<demo>``.
        record: 1-based number of the record in its source.
        format: of the source: ``FASTA``, ``GenBank``, ``plain`` ...; empty: not read.
        notices: of the reader, on dropped, decoded or doubtful content.
        encoding: encoding of the text, if the user chose one. read_as: format that the user chose.
        form: Unicode normalization form of the text; empty: as read.
        u_is_t: U is compared as T: this and its partner are nucleotides, and one has U.
        orientation: of the letters relative to the file; ``place`` converts positions.
        spans: annotations, at most one per kind, in positions of the file.
        annotated: the separate file of its features, if any.
        circular: circular according to the file.
        line_ends: line ends of the file, for a text in UTF-8; None: mixed, or no UTF-8 text.
        refusal: why a file read as text is not a sequence; see ``wavediff.core.methods.default.refused``.
        in_file: the sequence as in its file, if this one has another orientation.
        records: all records of the file, if this sequence concatenates them; None: a single record.
    """

    letters: Letters
    name: str
    description: str = ""
    alphabet: Alphabet
    counts: Counts
    source: str = ""
    record: int = 1
    format: str = ""
    notices: tuple[Notice, ...] = ()
    characters: str = ""
    encoding: str = ""
    read_as: ReadAs = ReadAs.AUTO
    form: str = ""
    u_is_t: bool = False
    orientation: Orientation = FORWARD
    spans: tuple[Spans, ...] = ()
    annotated: str = ""
    circular: bool = False
    line_ends: LineEnds | None = LF_AT_END
    refusal: InputError | None = None
    in_file: Sequence | None = None
    records: Records | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "letters", freeze(self.letters))
        object.__setattr__(self, "counts", freeze(np.asarray(self.counts, np.int64)))

    def __len__(self) -> int:
        return int(self.letters.size)

    def __repr__(self) -> str:
        most, n = 40, count_noun(len(self), "letter")
        letters = "".join(map(self.character, self.letters[:most].tolist()))
        return f"<{self.name}: {self.alphabet}, {n}, {letters!r}{'…' * (len(self) > most)}>"

    @cached_property
    def composition(self) -> tuple[tuple[str, int], ...]:
        """(letter, count) of occurring letters, case-folded by the alphabet's rule, most frequent first."""
        counts = self.counts.copy()
        if self.alphabet.folds_case:
            counts[ord("A") : ord("Z") + 1] += counts[ord("a") : ord("z") + 1]
            counts[ord("a") : ord("z") + 1] = 0
        order = np.argsort(-counts, kind="stable")
        return tuple((self._shown(int(code)), int(counts[code])) for code in order if counts[code])

    @property
    def is_ascii(self) -> bool:
        return not self.counts[FIRST_CODE:].any()

    def comparable(self, fold_case: bool, part: slice = slice(None)) -> Letters:
        """Return the letters with U as T, or with the case of non-ASCII letters folded; kernels fold ASCII case."""
        letters = self.letters[part]
        if self.u_is_t:
            return np.frombuffer(U_TO_T, np.uint8)[letters]
        return case_folding(self.characters)[letters] if fold_case and self.characters else letters

    def oriented(self, orientation: Orientation) -> Sequence:
        """Return the sequence in an orientation; only DNA and RNA can differ from the file."""
        assert self.orientation == FORWARD, "an orientation is of the letters of a file"
        if orientation == FORWARD:
            return self
        letters = np.frombuffer(orientation.read(self.letters.tobytes(), rna=self.alphabet is Alphabet.RNA), np.uint8)
        counts = np.bincount(letters, minlength=256)
        return replace(self, letters=letters, counts=counts, orientation=orientation, in_file=self)

    @property
    def original(self) -> Sequence:
        return self if self.in_file is None else self.in_file

    @property
    def features(self) -> Spans | None:
        """Features from its file, in file coordinates."""
        return next((spans for spans in self.original.spans if spans.kind is SpanKind.FEATURE), None)

    @overload
    def place(self, index: int) -> int: ...
    @overload
    def place(self, index: Counts) -> Counts: ...
    def place(self, index: int | Counts) -> int | Counts:
        """Return the file position of letter ``index``, see ``Orientation.place``."""
        return self.orientation.place(index, len(self))

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """Convert a range of letters to file coordinates, see ``Orientation.stretch``."""
        return self.orientation.stretch(start, end, len(self))

    def index(self, place: int) -> int:
        """Return the letter at file position ``place``."""
        return self.orientation.index(place, len(self))

    def character(self, code: int) -> str:
        """Return the character of a code, or an empty string."""
        return character_of(code, self.characters)

    def _shown(self, code: int) -> str:
        character = self.character(code)
        if character in _NAMES:
            return _NAMES[character]
        return character if character.isprintable() and not character.isspace() and character else f"\\x{code:02X}"


def circle_by_file(sequence: Sequence, partner: Sequence) -> bool:
    """Return whether a file declares a circle, and it is compared as one with ``partner``."""
    return sequence.circular and sequence.alphabet.is_nucleotide and partner.alphabet.is_nucleotide


def require_nucleotides(*sequences: Sequence, what: str = "the reverse complement and an origin are") -> None:
    """Raise an error if sequences are not DNA or RNA, as ``what`` requires.

    Raises:
        InputError: a non-empty sequence is neither DNA nor RNA.
    """
    for sequence in sequences:
        if not sequence.alphabet.is_nucleotide and len(sequence):
            found = f"this is {sequence.alphabet}, which has no other strand"
            raise InputError(sequence.source or sequence.name, found, f"{what} for DNA and RNA")


NO_LETTER = ord("N")  # between two records of DNA: it matches nothing, see ``ExactMatchesJob``


@dataclass(frozen=True, slots=True, eq=False)
class SequencePool:
    """Concatenated sequences.

    Attributes:
        letters: shape (total,); uint8, or wider for texts with many characters.
        starts: int64, shape (number + 1,): start of each, and the end of the last one.
    """

    letters: Letters
    starts: Counts

    def __post_init__(self) -> None:
        object.__setattr__(self, "letters", freeze(self.letters))
        object.__setattr__(self, "starts", freeze(np.asarray(self.starts, np.int64)))

    @classmethod
    def of(cls, sequences: Iterable[Letters]) -> SequencePool:
        """Copy ``sequences`` (uint8, 1-D) into a pool."""
        parts = list(sequences)
        starts = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([part.size for part in parts], out=starts[1:])
        return cls(np.concatenate([np.empty(0, np.uint8), *parts]), starts)

    def __len__(self) -> int:
        return int(self.starts.size) - 1

    def joined(self, between: int) -> tuple[Letters, Counts]:
        """Return all letters with ``between`` as separator, and the start of each sequence."""
        return np.insert(self.letters, self.starts[1:-1], between), self.starts[:-1] + np.arange(len(self))

    @property
    def sizes(self) -> Counts:
        """Length of each sequence, int64, shape (number,)."""
        return np.diff(self.starts)
