"""Alignment files of other programs: PAF, SAM, BAM, aligned FASTA, CLUSTAL and MAF.

Each record has its line number, for messages. Sources: the PAF of minimap2(1) with ``cg:Z`` or ``cs:Z``; SAM 1.6; MAF
of the UCSC Genome Browser; CLUSTAL as written by Clustal Omega.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain, combinations
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError, WavediffError, count_noun, printable
from wavediff.core.base.notices import Notice
from wavediff.core.jobs.alignment import LETTER, Op
from wavediff.core.jobs.given_alignment import MATCH, AlignmentRecord, Claims, place
from wavediff.core.reading.alphabet import guess
from wavediff.core.reading.decompress import opened, peek
from wavediff.core.reading.files import RegularFile, kept, source_of
from wavediff.core.reading.lines import TextPieces
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.sequence import Sequence

ENDINGS = (".paf", ".sam", ".bam", ".aln", ".clustal", ".maf", ".afa")
EXPECTED = "PAF with cg:Z or cs:Z, SAM, BAM, aligned FASTA, CLUSTAL and MAF are read"
NO_PYSAM = "BAM is read by pysam, which is not installed: pip install pysam, or samtools view -h makes SAM of it"
_MAX_LETTERS = 1 << 40
_MOST_BYTES = 1 << 24  # of aligned FASTA that is recognized as such
_MOST_ROWS = 100  # of which any two are offered; of more each with the first
_CIGAR = re.compile(r"(?:(\d+)H)?(?:(\d+)S)?((?:\d+[MIDNPX=])+)(?:(\d+)S)?(?:(\d+)H)?", re.ASCII)
_RUN = re.compile(r"(\d+)([MIDNX=])")
_CS = re.compile(r"(:)(\d+)|([=+-])([A-Za-z]+)|(\*)([A-Za-z]{2})|(~)([a-z]{2}\d+[a-z]{2})", re.ASCII)
_OF_SIGN = {":": Op.EQUAL, "=": Op.EQUAL, "*": Op.MISMATCH, "+": Op.INSERTION, "-": Op.DELETION, "~": Op.DELETION}
_OF_LETTER = dict(zip(LETTER + "MN", [*Op, MATCH, Op.DELETION], strict=True))
_UNMAPPED, _REVERSE, _SECONDARY = 4, 16, 256
_CLUSTAL = re.compile(r"(?:CLUSTAL|MUSCLE|PROBCONS|MSAPROBS|Kalign|Biopython)\b")
_MAF = re.compile(r"##maf|track |a( +\w+=\S+)*\s*$")
_EVIDENT = re.compile(  # first lines of MAF, SAM and PAF
    r"##maf\b|(?:(?:#|track ).*\n|\s*\n)*a(?:[ \t]+\w+=\S+)*\s*\ns\s+\S+\s+\d+\s+\d+\s+\+\s+\d+\s+[^\s\d]"
    r"|@(?:HD|SQ|RG|PG)(?:\t[A-Za-z]\w:[^\t\n]+)+(?:\n|$)"
    r"|[^\t\n]+\t\d+\t[^\t\n]+\t\d+\t\d+\t(?:(?:\d+[MIDNSHPX=])+|\*)\t[^\t\n]+\t\d+\t-?\d+\t[A-Za-z=.*]+\t"
    r"|[^\t\n]+(?:\t\d+){3}\t[+-]\t[^\t\n]+(?:\t\d+){6}\t(?:[^\n]*\t)?c[gs]:Z:[\d:=*+~-]"
)
_CLUSTAL_ROWS = re.compile(_CLUSTAL.pattern + r".*\n(?:\s*\n)*\S+[ \t]+(\D\S*).*\n\S+[ \t]+(\D\S*)")
_Runs = list[tuple[int, int]]
_Reader = Callable[[list[str], str], Iterator["AlignmentRecord | list[_Row]"]]


def is_alignment(path: str | os.PathLike[str]) -> bool:
    """Return whether a file has alignments, by suffix or content; for FASTA: rows of equal length with gaps.

    Pipes are not examined. Other content needs the begin of a record, or a header that no text has. FASTA of over
    16 MB, or without a gap in its first chunk, is not an alignment.
    """
    source, rest = os.fspath(path), None
    if source.lower().removesuffix(".gz").endswith(ENDINGS):
        return True
    try:
        with RegularFile(path) as file:
            _, pieces = opened(file.pieces(), file.raw, source, file.size, [])
            head, pieces = peek(pieces, 4)
            rest = next(pieces, None)  # which is the head
            while rest is not None and head.startswith(b">") and b"-" in head and len(head) < _MOST_BYTES:
                rest = next(pieces, None)
                head += rest or b""
    except WavediffError:
        return False
    if head.startswith(b"BAM\1"):
        return True
    text = head.decode("latin-1").lstrip()
    if head.startswith(b">"):
        rows = _fasta_rows(text.splitlines())
        gaps = any("-" in text for row in rows for _, text in row.texts)
        return gaps and rest is None and len(rows) > 1 and len({row.n_columns for row in rows}) == 1
    rows_there = _CLUSTAL_ROWS.match(text)
    if rows_there is not None:
        return len(rows_there[1]) == len(rows_there[2])
    return _EVIDENT.match(text) is not None


def is_read(path: str | os.PathLike[str]) -> bool:
    """Return whether the alignments of a file can be read."""
    try:
        return bool(read_alignments(path))
    except WavediffError:
        return False


def read_alignments(path: str | os.PathLike[str], names: tuple[str, str] | None = None) -> tuple[AlignmentRecord, ...]:
    """Read the alignments of a file; secondary ones of SAM, BAM and PAF only if there are no others.

    Args:
        names: names of A and B: return their pair too if the file aligns over 100 rows.

    Raises:
        InputError: the file is unreadable or has no alignment; the message names the line.
        NotEnoughMemory: larger than free memory.
    """
    source, notices = source_of(os.fspath(path)), list[Notice]()
    with TemporaryDirectory() as folder, RegularFile(kept(os.fspath(path), folder)) as file:
        _, pieces = opened(file.pieces(), file.raw, source, file.size, notices)
        head, pieces = peek(pieces, 4)
        if head.startswith(b"BAM\1"):
            header, lines = _bam_lines(file.source, source)
            read: _Reader | None = partial(_of_lines, _Sam().read, header=header)
        else:
            lines = b"".join(TextPieces(pieces, source, "", EXPECTED)).decode("utf-8", "backslashreplace").split("\n")
            read = _reader(lines)
        file.require_unchanged()
    records = tuple(_records(read, lines, source, names))
    if not records:
        raise InputError(source, "no alignment", EXPECTED)
    return records


def own_pair(record: AlignmentRecord) -> tuple[Sequence, Sequence, AlignmentRecord]:
    """Return the aligned parts of the sequences stored in a record, and the record relative to them.

    Names of partial sequences include the range, as ``b:6-13`` and, on the minus strand, ``b:6-13(-)``.

    Raises:
        InputError: the file does not have the sequences.
    """
    one, other = record.claims
    if not record.holds_letters or one is None or other is None:
        raise record.error("an alignment without the letters of A", "name A and B, and this file with --alignment")
    pair, strands = [], (False, record.minus)
    of_both = zip(record.names, (one, other), record.sizes, record.places, strands, strict=True)
    for name, claims, size, (start, end), minus in of_both:
        letters = fold_table(record.coded)[claims.letters]  # the case of cs:Z says what differs
        counts = np.bincount(letters, minlength=256)
        if start < end and (minus or size not in (None, end - start)):
            name = f"{name}:{start + 1}-{end}{'(-)' * minus}"
        pair.append(Sequence(letters=letters, name=name, alphabet=guess(counts), counts=counts, source=record.source))
    names = pair[0].name, pair[1].name
    return pair[0], pair[1], replace(record, names=names, starts=(0, 0), sizes=(None, None), minus=False)


def on_pair(records: tuple[AlignmentRecord, ...], a: Sequence, b: Sequence) -> tuple[AlignmentRecord, ...]:
    """Convert ``records`` to positions on ``a`` and ``b``, if these contain only the aligned parts."""
    if len(records) == 1 and records[0].holds_letters:
        one, other, own = own_pair(records[0])
        if (one.name, other.name) == (a.name, b.name):
            return (own,)
    return records


def _bam_lines(path: str, source: str) -> tuple[int, list[str]]:
    """Return the number of header lines, and all lines."""
    try:
        import pysam
    except ImportError:
        raise InputError(source, NO_PYSAM) from None
    before, hook, problem = pysam.set_verbosity(0), sys.unraisablehook, ""
    sys.unraisablehook = lambda _: None  # called by pysam for a file that it could not open, and then not close
    try:
        with pysam.AlignmentFile(path, "rb", check_sq=False) as file:
            header = str(file.header).splitlines()
            return len(header), [*header, *(one.to_string() for one in file.fetch(until_eof=True))]
    except (OSError, ValueError, RuntimeError) as error:
        problem = printable(str(error), 200)
    finally:
        sys.unraisablehook = hook
        pysam.set_verbosity(before)
    raise InputError(source, f"a damaged BAM: {problem}", "samtools quickcheck names the damage")


def _records(
    read: _Reader | None, lines: list[str], source: str, names: tuple[str, str] | None
) -> Iterator[AlignmentRecord]:
    if read is None:
        raise InputError(source, "no file of alignments", EXPECTED)
    for record in read(lines, source):
        yield from _of_block(record, source, names) if isinstance(record, list) else (record,)


def _reader(lines: list[str]) -> _Reader | None:
    """Return the parser for a file with these first lines (records, or rows of each block), or None."""
    first = next((line for line in lines if line.strip()), "")
    columns = first.split("\t")
    if first.startswith(">"):
        return lambda lines, _source: iter([_fasta_rows(lines)])
    if _CLUSTAL.match(first):
        return lambda lines, source: iter([_clustal_rows(lines, source)])
    if _MAF.match(first):
        return _maf_blocks
    if re.match(r"@[A-Z]{2}\t", first) or (len(columns) > 10 and columns[1].isdigit() and columns[4].isdigit()):
        return partial(_of_lines, _Sam().read)
    return partial(_of_lines, _paf) if len(columns) > 11 and columns[4] in ("+", "-") else None


_Found = tuple[bool, _Runs, dict[str, Any]]  # whether it is secondary, its runs, and fields of the record


def _of_lines(
    read: Callable[[list[str], int], _Found | None], lines: list[str], source: str, *, header: int | None = None
) -> Iterator[AlignmentRecord]:
    """Yield the alignments of lines; ``header``: number of those above the records of a BAM, which has no lines."""
    records: tuple[list[AlignmentRecord], list[AlignmentRecord]] = ([], [])
    binary = header is not None
    for k, line in enumerate(lines, 1 - (header or 0)):
        try:
            read_line = read(line.split("\t"), k) if line.strip() else None
            if read_line is None:
                continue
            secondary, runs, fields = read_line
            if sum(n for _, n in runs) > _MAX_LETTERS:
                raise ValueError("more letters than a file can have")
            fields |= {"ops": np.array([op for op, _ in runs], np.uint8), "lengths": np.array([n for _, n in runs])}
        except (ValueError, IndexError) as error:
            problem = "too few columns" if isinstance(error, IndexError) else printable(str(error), 100)
            raise InputError(source, problem, EXPECTED, **place(k, binary)) from None
        records[secondary].append(AlignmentRecord(source=source, line=k, binary=binary, **fields))
    yield from records[0] or records[1]


def _paf(columns: list[str], line: int) -> _Found:
    n_b, b0, b1, n_a, a0, a1 = (int(columns[k]) for k in (1, 2, 3, 6, 7, 8))
    tags = {one[:5]: one[5:] for one in columns[12:]}
    if columns[4] not in ("+", "-"):
        raise ValueError(f"the strand is {columns[4]!r}")
    minus, claims = columns[4] == "-", None
    if "cs:Z:" in tags:
        runs, claims = _cs_runs(tags["cs:Z:"], line)
    elif "cg:Z:" in tags:
        runs, _ = _cigar_runs(tags["cg:Z:"])
    else:
        raise ValueError("neither cg:Z nor cs:Z, which minimap2 writes with -c and --cs")
    for side, gap, n in (("target", Op.INSERTION, a1 - a0), ("query", Op.DELETION, b1 - b0)):
        if (aligned := sum(n for op, n in runs if op != gap)) != n:
            raise ValueError(f"the CIGAR has {count_noun(aligned, 'letter')} of the {side}, its columns have {n:,}")
    names = {"names": (columns[5], columns[0]), "sizes": (n_a, n_b)}
    places = {"starts": (a0, n_b - b1 if minus else b0), "minus": minus}
    whole = claims is not None and [one.at.size for one in claims] == [a1 - a0, b1 - b0]
    letters = {"claims": claims or (None, None), "coded": True, "holds_letters": whole}
    return tags.get("tp:A:") in ("S", "s"), runs, {**names, **places, **letters}


class _Sam:
    """SAM parser; remembers the reference lengths of the header."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}

    def read(self, columns: list[str], line: int) -> _Found | None:
        if re.fullmatch(r"@[A-Z]{2}", columns[0]):
            tags = {one[:3]: one[3:] for one in columns[1:]}
            if columns[0] == "@SQ" and tags.keys() >= {"SN:", "LN:"}:
                self._sizes[tags["SN:"]] = int(tags["LN:"])
            return None
        flag, target, a0, cigar, letters = int(columns[1]), columns[2], int(columns[3]) - 1, columns[5], columns[9]
        if flag & _UNMAPPED or cigar == "*":
            return None
        runs, (hard, soft, soft_end, hard_end) = _cigar_runs(cigar)
        n_b, claims = sum(n for op, n in runs if op != Op.DELETION), None
        if letters != "*":
            claims = Claims(np.arange(len(letters)) - soft, _codes(letters), ((0, line),))
            if len(letters) != soft + n_b + soft_end:
                raise ValueError(f"SEQ has {count_noun(len(letters), 'letter')}, its CIGAR {soft + n_b + soft_end:,}")
        sizes = self._sizes.get(target), hard + soft + n_b + soft_end + hard_end
        fields = {"names": (target, columns[0]), "sizes": sizes, "starts": (a0, hard + soft), "claims": (None, claims)}
        return bool(flag & _SECONDARY), runs, {**fields, "minus": bool(flag & _REVERSE)}


def _cigar_runs(cigar: str) -> tuple[_Runs, tuple[int, ...]]:
    match = _CIGAR.fullmatch(cigar)
    if match is None:
        raise ValueError(f"{cigar[:40]!r} is no CIGAR")
    runs = [(int(_OF_LETTER[op]), int(n)) for n, op in _RUN.findall(match[3])]
    return runs, tuple(int(match[k] or 0) for k in (1, 2, 4, 5))


def _cs_runs(cs: str, line: int) -> tuple[_Runs, tuple[Claims, Claims]]:
    """Return the runs of a ``cs`` tag, short or long, and the letters in it."""
    tokens = [[*filter(None, each)] for each in _CS.findall(cs)]
    if "".join(chain.from_iterable(tokens)) != cs or not cs:
        raise ValueError(f"{cs[:40]!r} is no cs tag")
    runs, at, named = _Runs(), [0, 0], (list[tuple[int, str]](), list[tuple[int, str]]())
    for sign, body in tokens:
        n = int(body) if sign == ":" else int(body[2:-2]) if sign == "~" else 1 if sign == "*" else len(body)
        runs.append((int(_OF_SIGN[sign]), n))
        there = {"=": (body, body), "*": (body[0], body[1:]), "+": ("", body), "-": (body, "")}.get(sign, ("", ""))
        for side, (letters, gaps) in enumerate(zip(there, ("+", "-~"), strict=True)):
            named[side].extend(enumerate(letters, at[side]))
            at[side] += 0 if sign in gaps else n
    if max(at) > _MAX_LETTERS:
        raise ValueError("more letters than a file can have")
    one, other = (
        Claims(np.array([at for at, _ in each], np.int64), _codes(letter for _, letter in each), ((0, line),))
        for each in named
    )
    return runs, (one, other)


def _codes(letters: Iterable[str]) -> Letters:
    return np.frombuffer("".join(letters).encode("latin-1", "replace"), np.uint8)


class _Row(NamedTuple):
    """Aligned row; ``first``, ``size``: letters before it, and of the whole sequence; None: the row is the whole
    sequence."""

    name: str
    texts: list[tuple[int, str]]
    first: int = 0
    size: int | None = None
    minus: bool = False

    @property
    def n_columns(self) -> int:
        return sum(len(text) for _, text in self.texts)


def _of_block(rows: list[_Row], source: str, names: tuple[str, str] | None) -> Iterator[AlignmentRecord]:
    """Yield a record for each pair of rows; of many rows only for the pairs with the first row, and for ``names``."""
    for row in rows:
        if row.n_columns != rows[0].n_columns:
            problem = f"'{printable(row.name, 40)}' has {count_noun(row.n_columns, 'column')}"
            right = f"'{printable(rows[0].name, 40)}' has {rows[0].n_columns:,}"
            raise InputError(source, problem, right, line=row.texts[-1][0] if row.texts else None)
    pairs: Iterable[tuple[int, int]] = combinations(range(len(rows)), 2)
    if len(rows) > _MOST_ROWS:
        named = [k for k, row in enumerate(rows) if names is not None and row.name in names]
        pairs = [*((0, k) for k in range(1, len(rows))), *combinations(named[:2], 2)]
    seen = [*map(_claims, rows)]
    for i, j in pairs:
        (i, a), (j, b) = sorted(((i, rows[i]), (j, rows[j])), key=lambda each: each[1].minus)
        if a.minus:
            continue  # both are on the other strand
        (in_a, of_a), (in_b, of_b) = seen[i], seen[j]
        ops = np.where(in_a, np.where(in_b, MATCH, Op.DELETION), Op.INSERTION)[in_a | in_b].astype(np.uint8)
        heads = np.flatnonzero(np.append(ops[:1] == ops[:1], ops[1:] != ops[:-1]))
        yield AlignmentRecord(
            source=source, line=a.texts[0][0] if a.texts else 1, names=(a.name, b.name), starts=(a.first, b.first),
            sizes=(a.size, b.size), minus=b.minus, ops=ops[heads], lengths=np.diff(heads, append=ops.size),
            claims=(of_a, of_b), holds_letters=True,
        )  # fmt: skip


def _claims(row: _Row) -> tuple[npt.NDArray[np.bool_], Claims]:
    columns = _codes(text for _, text in row.texts)
    there = (columns != ord("-")) & (columns != ord("."))
    before = accumulate((len(text) - text.count("-") - text.count(".") for _, text in row.texts), initial=0)
    lines = tuple(zip(before, (line for line, _ in row.texts), strict=False))
    letters = columns[there]
    return there, Claims(np.arange(letters.size), letters, lines)


def _fasta_rows(lines: list[str]) -> list[_Row]:
    rows: list[_Row] = []
    for k, line in enumerate(lines, 1):
        if line.startswith(">"):
            rows.append(_Row((line[1:].split() or [""])[0], []))
        elif rows and (text := "".join(line.split())):
            rows[-1].texts.append((k, text))
    return rows


def _clustal_rows(lines: list[str], source: str) -> list[_Row]:
    rows: dict[str, _Row] = {}
    for k, line in enumerate([*lines, ""], 1):
        words = line.split()
        if not words or line[0].isspace():
            if len({row.n_columns for row in rows.values()}) > 1:
                raise InputError(source, "the rows above have different lengths", EXPECTED, line=min(k, len(lines)))
        elif rows or not _CLUSTAL.match(line):
            if len(words) not in (2, 3):
                raise InputError(source, "no row of CLUSTAL", "a name and letters are expected", line=k)
            rows.setdefault(words[0], _Row(words[0], [])).texts.append((k, words[1]))
    return [*rows.values()]


def _maf_blocks(lines: list[str], source: str) -> Iterator[AlignmentRecord | list[_Row]]:
    rows: list[_Row] = []
    for k, line in enumerate([*lines, "a"], 1):
        words = line.split()
        if words[:1] == ["a"]:
            yield rows
            rows = []
        elif words[:1] == ["s"]:
            if len(words) != 7 or words[4] not in ("+", "-")[: 1 + len(rows)] or not "".join(words[2:6:3]).isdecimal():
                right = "s, name, start, size, strand (+ in the first row), length and letters are expected"
                raise InputError(source, "no row of MAF", right, line=k)
            n = len(words[6]) - words[6].count("-") - words[6].count(".")
            if str(n) != words[3]:
                raise InputError(source, f"{n:,} letters", f"its size is {printable(words[3], 20)}", line=k)
            end, has = int(words[2]) + n, int(words[5])
            if end > has:
                raise InputError(source, f"the row ends at letter {end:,}", f"its sequence has {has:,}", line=k)
            rows.append(_Row(words[1], [(k, words[6])], int(words[2]), has, words[4] == "-"))
