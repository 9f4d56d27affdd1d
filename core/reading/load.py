"""Records of a file in one buffer; each becomes a ``Sequence`` on access."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, freeze
from wavediff.core.base.errors import InputError
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, number
from wavediff.core.reading.alphabet import guess
from wavediff.core.reading.letters import GAPS, STOP, Counter, gap_signs
from wavediff.core.sequences import common_characters
from wavediff.core.sequences.characters import U_TO_T, case_folding, n_codes
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import LF_AT_END, NO_LETTER, Alphabet, LineEnds, Records, Sequence, SequencePool
from wavediff.core.sequences.spans import Spans


@dataclass(frozen=True, eq=False, kw_only=True)
class Load:
    """Records of one file or paste in file order; no Python object per record.

    Attributes:
        source: the file as the user named it, or ``<pasted>``; may hold any character, so show it
            through ``wavediff.core.base.errors.printable``.
        format: ``FASTA``, ``FASTQ``, ``GenBank``, ``EMBL``, ``UniProt``, ``SnapGene``, ``plain`` or ``bytes``.
        letters: read-only: letters of all records, concatenated; uint8, or wider for many ``characters``.
        starts: int64, shape (n_records + 1,): where each record starts in ``letters``.
        headers: header lines without ``>`` or ``@``, each with a LF at its end.
        header_starts: int64, shape (n_records + 1,): where each header starts in ``headers``.
        notices: notices about dropped, decoded or doubtful content of the whole file.
        counts: by record, the count of each code (int64, shape (256,) or longer); other records are counted on demand.
        alphabet: alphabet of all records, if the format states it; None: guessed per record.
        fallback: name of a record without a name, e.g. the file's stem.
        encoding: encoding of the text, if the user chose one. read_as: format that the user chose.
        characters: characters of all records, see ``wavediff.core.sequences.characters``.
        spans: annotations of records, by number from 0.
        circular: circular records, by number from 0.
        annotated: the feature file that annotates a record, or empty.
        first: number (0-based) in the file of the first record of this object.
        line_ends, refusal: those of every record, see ``Sequence``.
    """

    source: str
    format: str
    letters: Letters
    starts: Counts
    headers: bytes
    header_starts: Counts
    notices: tuple[Notice, ...] = ()
    counts: dict[int, Counts] = field(default_factory=dict)
    alphabet: Alphabet | None = None
    fallback: str = ""
    characters: str = ""
    encoding: str = ""
    read_as: ReadAs = ReadAs.AUTO
    spans: Mapping[int, tuple[Spans, ...]] = field(default_factory=dict)
    circular: frozenset[int] = frozenset()
    annotated: str = ""
    first: int = 0
    line_ends: LineEnds | None = LF_AT_END
    refusal: InputError | None = None

    @property
    def n_records(self) -> int:
        return int(self.starts.size) - 1

    @cached_property
    def lengths(self) -> Counts:
        """Length of each record: int64, shape (n_records,), read-only."""
        lengths = np.diff(self.starts)
        lengths.setflags(write=False)
        return lengths

    def name(self, k: int) -> str:
        """Return the first word of the header of record ``k`` (0-based), undecodable bytes as ``\\xff``.

        A record without a name gets that of the file or, among several records, its number.
        """
        words = self._header(k).split(None, 1)
        if words:
            return words[0].decode("utf-8", "backslashreplace")
        return self.fallback if self.n_records == 1 and self.fallback else f"record {self.first + k + 1}"

    def description(self, k: int) -> str:
        """Return the rest of the header of record ``k`` (0-based)."""
        words = self._header(k).split(None, 1)
        return words[1].rstrip().decode("utf-8", "backslashreplace") if len(words) > 1 else ""

    def sequence(self, k: int) -> Sequence:
        """Return record ``k`` (0-based); its letters are a read-only view of the buffer.

        Raises:
            IndexError: no such record.
        """
        self._require(k)
        letters = self.letters[self.starts[k] : self.starts[k + 1]]
        counts = self.counts.get(k)
        if counts is None:
            counts = Counter().count_in_pieces(letters, n_codes(self.characters))
        alphabet = self.alphabet or guess(counts)
        return Sequence(
            letters=letters,
            name=self.name(k),
            description=self.description(k),
            alphabet=alphabet,
            counts=counts,
            source=self.source,
            record=self.first + k + 1,
            format=self.format,
            notices=_notices(counts, alphabet) if alphabet is not Alphabet.TEXT else (),
            characters=self.characters,
            encoding=self.encoding,
            read_as=self.read_as,
            spans=self.spans.get(k, ()),
            annotated=self.annotated,
            circular=k in self.circular,
            line_ends=self.line_ends,
            refusal=self.refusal,
        )

    def joined(self, order: list[int] | None = None) -> Sequence:
        """Join all records (in ``order``) to one sequence, with a letter between them that matches nothing."""
        pool, of = SequencePool(self.letters, self.starts), order or range(self.n_records)
        if order is not None:
            pool = SequencePool.of([self.letters[self.starts[at] : self.starts[at + 1]] for at in order])
        letters, starts = pool.joined(NO_LETTER)
        return Sequence(
            letters=letters,
            name=os.path.basename(self.source),
            alphabet=self.whole_alphabet(),
            counts=np.bincount(letters, minlength=256),
            source=self.source,
            format=self.format,
            read_as=self.read_as,
            records=Records(starts, starts + pool.sizes, lambda at: self.name(of[at])),
        )

    @cached_property
    def whole(self) -> Sequence:
        """All records joined to one sequence, see ``joined``."""
        return self.joined()

    def with_record_notices(self) -> Load:
        """Return the records with the notices about their letters."""
        alphabet = self.whole_alphabet()
        notices = () if alphabet is Alphabet.TEXT else _notices(Counter().count_in_pieces(self.letters), alphabet)
        return replace(self, notices=(*self.notices, *notices))

    def with_notices(self, record: Sequence) -> Sequence:
        """Return a record with the notices about the whole file."""
        return replace(record, notices=(*self.notices, *record.notices))

    def whole_alphabet(self) -> Alphabet:
        """Return the alphabet detected from all records together."""
        return self.alphabet or guess(np.bincount(self.letters, minlength=256))

    def find(self, text: str) -> Counts:
        """Return the records (int64, 0-based, ascending) whose header contains ``text`` (ASCII case ignored)."""
        wanted = text.encode("utf-8", "surrogatepass").lower()
        if not wanted:
            return np.arange(self.n_records, dtype=np.int64)
        places = []
        at = self._lower.find(wanted)
        while at >= 0:
            k = int(np.searchsorted(self.header_starts, at, "right")) - 1
            places.append(k)
            at = self._lower.find(wanted, int(self.header_starts[k + 1]))
        return np.array(places, np.int64)

    def named(self, name: str) -> Counts:
        """Return the records (int64, 0-based, ascending) whose name equals ``name``."""
        return np.array([k for k in self.find(name).tolist() if self.name(k) == name], np.int64)

    @cached_property
    def _lower(self) -> bytes:
        return self.headers.lower()

    def _header(self, k: int) -> bytes:
        self._require(k)
        return self.headers[self.header_starts[k] : self.header_starts[k + 1]]

    def _require(self, k: int) -> None:
        if not 0 <= k < self.n_records:
            raise IndexError(f"record {k + 1} of {self.n_records}")


Loading = Generator[None, None, Load]  # after each chunk of some milliseconds


def comparable_pools(a: Load, b: Load | None, fold_case: bool) -> tuple[SequencePool, SequencePool | None]:
    """Return the letters of one or two files for a batch, whose kernels fold ASCII case only; ``b`` None: one file.

    Raises:
        InputError: ``b`` is None and ``a`` has a single record.
    """
    if b is None and a.n_records < 2:
        raise InputError(a.source, "1 record", "two or more are compared with each other; or name a second file")
    both = (a,) if b is None else (a, b)
    folding = case_folding(next((load.characters for load in both if load.characters), ""))
    beyond_ascii = fold_case and any(load.characters for load in both)
    letters = [folding[load.letters] if beyond_ascii else load.letters for load in both]
    first, second = common_characters.narrowed(letters[0], letters[-1], fold_case)
    return SequencePool(first, a.starts), None if b is None else SequencePool(second, b.starts)


_URACIL = list(b"Uu")


def with_common_characters(a: Load, b: Load, uracil: UracilRule = UracilRule.AUTO) -> tuple[Load, Load]:
    """Return two files with common ``characters``, or with T for U if both have nucleotides and either has U.

    Common characters are for files of one text each. Protein records keep U.
    """
    if uracil is UracilRule.AUTO:
        places = [_uracil_places(one) for one in (a, b)]
        if any(place.size for place in places) and all(map(_has_nucleotides, (a, b))):
            counts = [np.bincount(one.letters, minlength=256) for one in (a, b)]
            for each, uracils in zip(counts, places, strict=True):
                each[_URACIL] = 0, uracils.size
            pair_notices = common_characters.u_is_t_notices(*counts)
            assert pair_notices is not None
            return _u_to_t(a, places[0], pair_notices[0]), _u_to_t(b, places[1], pair_notices[1])
    if a.characters == b.characters or a.n_records != 1 or b.n_records != 1:
        return a, b
    texts = common_characters.with_common_characters(a.sequence(0), b.sequence(0))
    one, other = (
        replace(
            load, letters=each.letters, starts=np.array([0, len(each)]), counts={0: each.counts},
            characters=each.characters, notices=(*load.notices, *each.notices),
        )
        for load, each in zip((a, b), texts, strict=True)
    )  # fmt: skip
    return one, other


def _uracil_places(load: Load) -> Counts:
    """Return the positions of U in nucleotide records, int64; in proteins U is selenocysteine."""
    places: Counts = np.flatnonzero((load.letters == _URACIL[0]) | (load.letters == _URACIL[1]))
    if not places.size or load.whole_alphabet().is_nucleotide:
        return places
    of = np.searchsorted(load.starts, places, "right") - 1
    records = [k for k in np.unique(of).tolist() if load.sequence(k).alphabet.is_nucleotide]
    return places[np.isin(of, records)]


def _has_nucleotides(load: Load) -> bool:
    return load.whole_alphabet().is_nucleotide or any(
        load.sequence(k).alphabet.is_nucleotide for k in range(load.n_records)
    )


def _u_to_t(load: Load, places: Counts, notices: tuple[Notice, ...]) -> Load:
    letters = load.letters.copy()
    letters[places] = np.frombuffer(U_TO_T, np.uint8)[letters[places]]
    return replace(load, letters=freeze(letters), counts={}, notices=(*load.notices, *notices))


def _notices(counts: Counts, alphabet: Alphabet) -> tuple[Notice, ...]:
    if not counts.any():
        return (Notice(NoticeKind.EMPTY, "no letters"),)
    out = []
    if signs := gap_signs(counts):
        letters = "a letter" if counts[list(GAPS)].sum() == 1 else "letters"
        out.append(Notice(NoticeKind.KEPT, f"{signs} kept as {letters}"))
    if n := int(counts[list(STOP)].sum()):
        stop = repr(STOP.decode())
        text = f"1 stop {stop} kept as a letter" if n == 1 else f"{number(n)} stops {stop} kept as letters"
        out.append(Notice(NoticeKind.KEPT, text))
    lower, upper = int(counts[97:123].sum()), int(counts[65:91].sum())
    if lower and upper:
        text = f"{count(lower, 'lower-case letter', 'lower-case letters')} kept (soft mask)"
        out.append(Notice(NoticeKind.CASE, text))
    elif lower:
        out.append(Notice(NoticeKind.CASE, "all letters are lower case"))
    if alphabet is Alphabet.DNA and counts[[84, 116]].any() and counts[[85, 117]].any():
        out.append(Notice(NoticeKind.T_AND_U, "both T and U occur"))
    return tuple(out)
