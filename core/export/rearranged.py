"""Collinear blocks as PAF, SAM, VCF, a table, JSON and terminal text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from wavediff.core.base.numbers import number
from wavediff.core.export import json, letter_fields, paf, sam, vcf
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.registry import REARRANGED, of_id
from wavediff.core.export.segments import Placed, changes, segment_of, split_at
from wavediff.core.export.terminal_lines import Marking, Style, columns, plain
from wavediff.core.jobs.alignment import CONSUMES_B
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock, RearrangedResult
from wavediff.core.methods.edit import EDIT
from wavediff.core.sequences.orientation import Strand, reverse_complement
from wavediff.core.sequences.sequence import Sequence

_COLUMNS = ("block", "kind", "a_start", "a_end", "b_start", "b_end", "strand", "letters_a", "letters_b", "differences")
_RANGES = ("a_start_range", "a_end_range", "b_start_range", "b_end_range")
_SYMBOLS = {BlockKind.ONLY_A: "DEL", BlockKind.ONLY_B: "INS", BlockKind.DUPLICATED: "DUP"}
_META = """\
##INFO=<ID=SVTYPE,Number=1,Type=String,Description="Type of structural variant">
##INFO=<ID=END,Number=1,Type=Integer,Description="Last letter of the block in A">
##INFO=<ID=SVLEN,Number=1,Type=Integer,Description="Letters of B less those of A">
##INFO=<ID=CIPOS,Number=2,Type=Integer,Description="Borders that fit as well as POS">
##INFO=<ID=BLOCK,Number=1,Type=Integer,Description="Number of the block">
##INFO=<ID=BSTART,Number=1,Type=Integer,Description="First letter of the block in the file of B">
##INFO=<ID=MATEID,Number=1,Type=String,Description="The other side of the adjacency">
##ALT=<ID=INV,Description="On the other strand, between the same blocks">
##ALT=<ID=DEL,Description="Only in A">
##ALT=<ID=INS,Description="Only in B">
##ALT=<ID=DUP,Description="One more copy in B, at BSTART">
"""


@dataclass(frozen=True)
class RearrangedAnswer:
    """Two sequences and their collinear blocks; ``print`` shows them as in the terminal.

    Attributes:
        a, b: the sequences as compared. threads: maximum threads of the job. vcf_strict: see ``Comparison``.
    """

    a: Sequence
    b: Sequence
    result: RearrangedResult
    threads: int = 0
    timings: tuple[KernelTiming, ...] = ()
    vcf_strict: bool = False

    @property
    def blocks(self) -> tuple[CollinearBlock, ...]:
        return self.result.blocks

    @property
    def identical(self) -> bool:
        return not self.result.edits and [block.kind for block in self.blocks] in ([], [BlockKind.COLLINEAR])

    def to(self, format: str) -> bytes:
        """Export as bytes: ``paf``, ``sam``, ``vcf``, ``tsv`` or ``json``.

        Raises:
            ExportError: the format cannot hold these sequences.
        """
        return b"".join(of_id(REARRANGED, format).chunks(self))

    def __str__(self) -> str:
        return "\n".join(lines(self))

    @cached_property
    def pieces(self) -> list[tuple[CollinearBlock, Placed]]:
        """Aligned parts in block order; a block across the file end of a rotated circle is split."""
        out, n, shift = list[tuple[CollinearBlock, Placed]](), len(self.b), self.b.orientation.shift
        for block in self.blocks:
            if block.result is None:
                continue
            parts = [segment_of(block, n)]
            if self.b.orientation.turned:
                parts = split_at(parts[0], shift if block.minus else n - shift, CONSUMES_B)
            out += [(block, Placed.of(part, self.b, minus=block.minus)) for part in parts]
        return out

    def comparison(self, block: CollinearBlock | None = None) -> Comparison:
        """Return a block (or the pair without a result) as a ``Comparison`` for the pair formats."""
        result = None if block is None else block.result
        return Comparison(self.a, self.b, EDIT, True, self.threads, result, vcf_strict=self.vcf_strict)


def table(answer: RearrangedAnswer) -> Iterator[dict[str, Any]]:
    """Yield the fields of each block; 0-based, half-open, in file coordinates."""
    for k, block in enumerate(answer.blocks, 1):
        minus = block.minus != (answer.b.orientation.strand is Strand.MINUS)
        borders = (*_in_file(answer.a, block.a), *_in_file(answer.b, block.b))
        places = [border.at for border in borders]
        strand = None if block.result is None else "-" if minus else "+"
        yield (
            dict(zip(_COLUMNS, (k, str(block.kind), *places, strand, *block.size, block.differences), strict=True))
            | {name: [border.low, border.high] for name, border in zip(_RANGES, borders, strict=True)}
            | {"moved": block.moved}
        )


def _in_file(sequence: Sequence, borders: tuple[Border, Border]) -> tuple[Border, Border]:
    """Convert borders as compared to file coordinates, see ``Orientation.stretch``."""
    n, minus = len(sequence), sequence.orientation.strand is Strand.MINUS
    first, last = borders[::-1] if minus else borders

    def placed(at: int, border: Border) -> Border:
        less, more = border.at - border.low, border.high - border.at
        low, high = (at - more, at + less) if minus else (at - less, at + more)
        return Border(at, *(end if 0 <= end <= n else end % n for end in (low, high)))

    start, end = sequence.stretch(borders[0].at, borders[1].at)
    return placed(start, first), placed(end, last)


def tsv_lines(answer: RearrangedAnswer) -> Iterator[bytes]:
    """Yield a header and one line per block; 1-based, closed; ``*`` for missing values.

    The range of an insertion in the other sequence ends before it starts.
    """
    yield "\t".join((*_COLUMNS, *_RANGES, "moved")).encode() + b"\n"
    for row in map(letter_fields.closed, table(answer)):
        row["moved"] = "yes" if row["moved"] else "no"
        yield "\t".join("*" if value is None else str(value) for value in row.values()).encode() + b"\n"


def document(answer: RearrangedAnswer) -> list[bytes]:
    """Return the whole answer as JSON."""
    result = answer.result
    value = {
        "answer": result.text,
        "differences": result.differences,
        "edits_apart": result.edits - result.differences,
        "kinds": {str(kind): len(result.of(kind)) for kind in BlockKind},
        "seeds": {
            "k": result.k,
            "matches": result.n_matches,
            "max_copies": result.max_copies,
            "left_out": result.n_left_out,
        },
        "blocks": list(table(answer)),
        "a": json.about(answer.a),
        "b": json.about(answer.b.original),
        "orientation": json.orientation(answer.b),
        "timings": json.timing(answer.timings),
        "versions": json.versions(),
    }
    return [json.text("blocks", value)]


def paf_lines(answer: RearrangedAnswer) -> Iterator[bytes]:
    """Yield one line per block (two across the end of a file); ``zb:Z``: kind of the block."""
    for block, piece in answer.pieces:
        places, tags = (piece.b0, piece.b1, "-" if piece.minus else "+"), (f"zb:Z:{str(block.kind).replace(' ', '_')}",)
        yield from paf.line(answer.comparison(block), piece.segment.alignment, places, piece.segment.a0, tags)


def sam_lines(answer: RearrangedAnswer) -> Iterator[bytes]:
    """Yield the header and one record per block: the longest is primary with all letters, the others supplementary."""
    comparison = answer.comparison()
    yield sam.header(comparison, "").encode("ascii")
    yield from sam.records(comparison, [one for _, one in answer.pieces])


def vcf_lines(answer: RearrangedAnswer) -> Iterator[bytes]:
    """Yield the header, the blocks and the differences inside them, sorted by position in A.

    Blocks inverted in place, copies and insertions are symbolic alleles. Two blocks adjacent in B but not in A, or not
    on the same strand, give breakends (``BND``, VCF 4.3, section 5.4) with the letters of B between them, two records
    per adjacency. Differences inside copies are omitted, as other blocks have these letters of A.
    """
    a, name = answer.a.letters, letter_fields.sam_reference(answer.a)
    comparison = answer.comparison()
    yield vcf.header(comparison, "", _META)
    records = list[tuple[int, bytes]]()

    def add(border: Border, alt: str, info: str, identity: str = ".") -> None:
        at = max(border.at, 1)
        ref = vcf.ref_letter(int(a[at - 1]), strict=answer.vcf_strict)
        ranges = f";CIPOS={border.low - border.at},{border.high - border.at}" if border.low < border.high else ""
        text = f"{name}\t{at}\t{identity}\t{ref}\t{alt.format(ref)}\t.\t.\t{info}{ranges}\tGT\t1\n"
        records.append((at, text.encode()))

    in_place = _inverted_in_place(answer.blocks)
    for k, block in enumerate(answer.blocks, 1):
        symbol = "DEL" if block.copy_in == "A" else "INV" if id(block) in in_place else _SYMBOLS.get(block.kind)
        if symbol is not None:
            length = 0 if symbol == "INV" else -block.size[0] if symbol == "DEL" else block.size[1]
            end = block.a[0].at if symbol == "INS" else block.a[1].at
            letter = _in_file(answer.b, block.b)[0].at + 1
            info = f"SVTYPE={symbol};END={max(end, 1)};SVLEN={length};BLOCK={k};BSTART={letter}"
            add(block.a[0], f"<{symbol}>", info)
    plus = answer.b.letters
    for k, (one, two) in enumerate(_adjacent(answer.blocks), 1):
        between = vcf.alt_letters(plus[one.b[1].at : two.b[0].at])
        ends = _side(one.a, right=not one.minus), _side(two.a, right=two.minus)
        for own, ((border, left), (mate, mate_left)) in enumerate((ends, ends[::-1])):
            inserted = between if left == (own == 0) else reverse_complement(between.encode()).decode()
            bracket = "]" if mate_left else "["
            place = f"{bracket}{name}:{mate.at}{bracket}"
            info = f"SVTYPE=BND;BLOCK={answer.blocks.index(two) + 1};MATEID=bnd{k}{'ba'[own]}"
            add(border, f"{{}}{inserted}{place}" if left else f"{place}{inserted}{{}}", info, f"bnd{k}{'ab'[own]}")
    minus = np.frombuffer(reverse_complement(plus.tobytes()), np.uint8)
    for block in answer.blocks:
        if block.result is None or block.copy_in:
            continue
        whole = segment_of(block, len(plus))
        inside = vcf.anchored(changes(whole), (whole.a0, whole.b0))
        for text in vcf.records(comparison, inside, minus if block.minus else plus):
            records += [(int(line.split(b"\t", 2)[1]), line + b"\n") for line in text.splitlines()]
    yield from (text for _, text in sorted(records, key=lambda record: record[0]))


def vcf_notice(answer: RearrangedAnswer) -> str:
    """Return the number of records with an ambiguity code of A in REF, see ``vcf.notice``."""
    fields = (line.split(b"\t", 4) for line in vcf_lines(answer) if not line.startswith(b"#"))
    spans = ((int(at) - 1, int(at) - 1 + len(ref)) for _, at, _, ref, _ in fields)
    return vcf.notice_of_spans(answer.a, spans, strict=answer.vcf_strict)


def _side(borders: tuple[Border, Border], *, right: bool) -> tuple[Border, bool]:
    """Return the letter of A (1-based) at one end of a block, and whether the block lies left of the border."""
    at, low, high = borders[right]
    return (borders[1] if right else Border(at + 1, low + 1, high + 1)), right


def _inverted_in_place(blocks: tuple[CollinearBlock, ...]) -> set[int]:
    """Return the ids of blocks inverted in place: the nearest unmoved neighbours are the same in A and B."""
    kept = [block for block in blocks if block.result is not None and not block.copy_in and not block.moved]
    ranks = np.argsort(np.argsort([block.b[0].at for block in kept], kind="stable"), kind="stable")
    same = (ranks == np.arange(ranks.size)) & (np.maximum.accumulate(ranks) == ranks)
    return {id(block) for block, at in zip(kept, same, strict=True) if at and block.minus}


def _adjacent(blocks: tuple[CollinearBlock, ...]) -> Iterator[tuple[CollinearBlock, CollinearBlock]]:
    whole = [block for block in blocks if block.result is not None and not block.copy_in]
    rank = {id(block): at for at, block in enumerate(whole)}
    for one, two in pairwise(sorted(whole, key=lambda block: block.b[0].at)):
        if one.minus != two.minus or rank[id(two)] - rank[id(one)] != (-1 if one.minus else 1):
            yield one, two


def lines(answer: RearrangedAnswer, mark: Marking = plain) -> Iterator[str]:
    """Yield the answer and a table of blocks, 1-based."""
    result = answer.result
    yield mark(result.text, Style.ANSWER)
    if turned := answer.b.orientation.text(len(answer.b)):
        yield mark(f"B is compared as {turned}: kinds are of B so turned, places and strands of its file", Style.QUIET)
    rows: list[tuple[str, ...]] = [("", "", "A", "B", "", "edits", "")]
    for fields, block in zip(table(answer), result.blocks, strict=True):
        edits = "" if block.differences is None else number(block.differences)
        free = max(border.high - border.low for border in (*block.a, *block.b))
        places, strand = (place(fields, side) for side in ("a", "b")), fields["strand"] or ""
        rows.append((str(fields["block"]), block.kind_text, *places, strand, edits, f"±{number(free)}" if free else ""))
    yield from columns(rows if result.blocks else [], left=(1,))
    yield mark(result.seeds, Style.QUIET)


def place(fields: dict[str, Any], side: str) -> str:
    """Return the position of a row of ``table`` in A (``a``) or B, 1-based, closed."""
    start, end = number(fields[f"{side}_start"] + 1), number(fields[f"{side}_end"])
    return f"{start}–{end}" if fields[f"letters_{side}"] else f"at {start}"
