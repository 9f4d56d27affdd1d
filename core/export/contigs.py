"""Placed contigs as a table, JSON, PAF, AGP, FASTA and terminal text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, identity, number
from wavediff.core.export import json, letter_fields, paf
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.fasta import LINE_LETTERS
from wavediff.core.export.registry import CONTIGS, of_id
from wavediff.core.export.segments import Placed, segment_of, split_at
from wavediff.core.export.terminal_lines import Marking, Style, columns, plain
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B
from wavediff.core.jobs.contigs import ContigsResult, NextKind, Placement, rearranged_text
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.jobs.rearranged import BlockKind, CollinearBlock
from wavediff.core.methods.base import Measure
from wavediff.core.methods.edit import EDIT
from wavediff.core.reading.load import Load
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.sequence import Alphabet, Sequence

SHOWN_CONTIGS, MAX_NAME_LETTERS = 40, 40  # in a terminal
FIGURES = "placed", "turned", "chimeric", "inverted", "moved", "duplicated", "covered", "coverage"  # in JSON
UNKNOWN_GAP = 100  # letters of N that AGP has for a gap of unknown size


@dataclass(frozen=True)
class ContigsAnswer:
    """Reference, contigs and their placements; ``print`` shows them as in the terminal.

    Attributes:
        threads: limit of the job.
    """

    a: Sequence
    contigs: Load
    result: ContigsResult
    threads: int = 0
    timings: tuple[KernelTiming, ...] = ()

    @cached_property
    def along_a(self) -> Sequence:
        """All contigs joined to one sequence along A, unplaced ones last, see ``Load.joined``."""
        placed = list(self.result.order)
        return self.contigs.joined([*placed, *sorted({*range(self.contigs.n_records)} - {*placed})])

    def to(self, format: str) -> bytes:
        """Export as bytes: ``tsv``, ``json``, ``paf``, ``agp`` or ``fasta``."""
        return b"".join(of_id(CONTIGS, format).chunks(self))

    def __str__(self) -> str:
        return "\n".join(lines(self))


def table(answer: ContigsAnswer) -> Iterator[dict[str, Any]]:
    """Yield the fields of each contig, placed ones along A first; 0-based, half-open, in file coordinates.

    If a place spans the origin of a circular A, its end is less than its start.
    """
    result = answer.result
    for one, after in zip_longest([*result.placed, *result.unplaced], result.next_to):
        first, last = ([(at - end) % result.n + end for at in border] for end, border in enumerate(one.a or ((), ())))
        yield {
            "contig": one.number,
            "name": one.name,
            "letters": one.letters,
            "strand": None if one.reason else "-" if one.minus else "+",
            "a_start": first[0] if first else None,
            "a_end": last[0] if last else None,
            "a_start_range": first[1:] or None,
            "a_end_range": last[1:] or None,
            "contig_start": None if one.reason else one.contig[0],
            "contig_end": None if one.reason else one.contig[1],
            "covered": one.covered,
            "differences": None if one.reason else one.differences,
            "identity": None if one.reason else one.identity,
            "blocks": len(one.blocks),
            **{str(kind): n for kind, n in one.rearranged.items()},
            "places": one.n_places,
            "elsewhere": one.elsewhere,
            "chimeric": one.chimeric,
            "same_as": list(one.same_as),
            "next": None if after is None else str(after.kind),
            "next_letters": None if after is None else after.letters,
            "next_contig": None if after is None else after.contig or None,
            "reason": None if one.reason is None else str(one.reason),
        }


def tsv_lines(answer: ContigsAnswer) -> Iterator[bytes]:
    """Yield a header and one line per contig; 1-based, closed; ``*`` for missing values."""
    for at, row in enumerate(map(letter_fields.closed, table(answer))):
        if not at:
            yield "\t".join(row).encode() + b"\n"
        row["name"] = letter_fields.name_field(row["name"])
        row["identity"] = None if row["identity"] is None else f"{row['identity']:.6f}"
        row |= {"chimeric": "yes" if row["chimeric"] else "no", "same_as": ",".join(map(str, row["same_as"])) or None}
        yield "\t".join("*" if value is None else str(value) for value in row.values()).encode() + b"\n"


def measures(answer: ContigsAnswer) -> tuple[Measure, ...]:
    """Return the statistics of the placement."""
    result = answer.result
    placed, gaps = result.placed, [end - start for start, end in result.gaps]
    differences, columns = (sum(getattr(one, name) for one in placed) for name in ("differences", "columns"))
    inside = (
        Measure(str(kind), f"{str(kind).capitalize()} blocks", f"Blocks inside contigs that are {kind}", n)
        for kind, n in result.rearranged.items()
    )
    return (
        Measure("placed", "Contigs placed", "Contigs with a place on A", len(placed)),
        Measure("not_placed", "Contigs not placed", "Contigs without a place on A", len(result.unplaced)),
        Measure("turned", "Contigs turned", "Placed as reverse complement", sum(one.minus for one in placed)),
        Measure("chimeric", "Chimeric contigs", "A tenth lies elsewhere on A", sum(one.chimeric for one in placed)),
        *inside,
        Measure("covered", "Letters covered", "Letters of A inside blocks of contigs", result.covered),
        Measure("coverage", "Coverage", "Share of A inside blocks of contigs", result.coverage, is_share=True),
        Measure("gaps", "Gaps", "Stretches of A outside all places", len(gaps)),
        Measure("gap_letters", "Letters in gaps", "Letters of A outside all places", sum(gaps)),
        Measure("longest_gap", "Longest gap", "Letters of A in the longest gap", max(gaps, default=0)),
        Measure("differences", "Edits", "Edits inside the blocks; columns of N are none", differences),
        Measure(
            "identity", "Identity", "Equal columns over columns of the blocks, N left out",
            1 - differences / columns if columns else None, is_share=True,
        ),
    )  # fmt: skip


def document(answer: ContigsAnswer) -> list[bytes]:
    """Return the whole answer as JSON."""
    result, contigs = answer.result, answer.contigs
    value = {
        "answer": result.text,
        **{one.key: one.value for one in measures(answer) if one.key in FIGURES},
        "gaps": [list(gap) for gap in result.gaps],
        "topology": "circular" if result.circular else "linear",
        "seeds": {"k": result.k, "max_copies": result.max_copies},
        "contigs": list(table(answer)),
        "a": json.about(answer.a),
        "assembly": {"source": contigs.source, "contigs": contigs.n_records, "letters": int(contigs.letters.size)},
        "timings": json.timing(answer.timings),
        "versions": json.versions(),
    }
    return [json.text("contigs", value)]


def paf_lines(answer: ContigsAnswer) -> Iterator[bytes]:
    """Yield one line per block (two across the origin of A); ``zb:Z``: kind of the block."""
    for one in answer.result.placed:
        contig, n = answer.contigs.sequence(one.number - 1), answer.result.n
        for block in sorted((*one.blocks, *one.others), key=lambda block: block.b[0].at):
            compared = Comparison(answer.a, contig, EDIT, True, answer.threads, block.result)
            for part in split_at(segment_of(block, len(contig)), n, CONSUMES_A):
                at = Placed.of(part, contig, minus=block.minus)
                places = at.b0, at.b1, "-" if block.minus else "+"
                yield from paf.line(compared, part.alignment, places, part.a0 % n, (f"zb:Z:{block.kind}",))


class Piece(NamedTuple):
    """Range of a contig in its file, 0-based, half-open; reverse-complemented if ``minus``."""

    contig: int
    name: str
    start: int
    end: int
    minus: bool = False

    @property
    def size(self) -> int:
        return self.end - self.start


class Gap(NamedTuple):
    """Gap of N between two contigs, as long as in A, or ``UNKNOWN_GAP`` if unknown."""

    size: int
    known: bool


def objects(answer: ContigsAnswer) -> list[tuple[str, list[Piece | Gap]]]:
    """Return the placed contigs as one object along A, and each unplaced one as its own.

    Letters of A covered by two neighbouring contigs come from the first one; a contained contig is a separate object.
    The size of a gap is known if A has more letters between two places than the two contigs have beyond their placed
    letters. Repeated contig names get numbers.
    """
    result, main, alone = answer.result, list[Piece | Gap](), list[Placement]()
    names = [letter_fields.word(one.name) for one in result.placements]
    many = {name for name, n in Counter(names).items() if n > 1}
    names = [f"{name}_{number}" if name in many else name for number, name in enumerate(names, 1)]
    reach, beyond, ring = 0, 0, 2 * result.n  # ring: first letter of the object, once around a circle
    for one, after in zip(result.placed, result.next_to, strict=True):
        if after.kind is NextKind.CONTAINED:
            alone.append(one)
            continue
        (start, _, _), (end, _, _) = one.a
        outside = one.contig[0], one.letters - one.contig[1]
        before, behind = outside[::-1] if one.minus else outside
        first, last = 0, one.letters
        if not main and result.circular and not before:
            ring = start + result.n
        elif end > ring and not behind:
            last = _letter_at(one, ring, result.n)
        shares = bool(main) and start < reach and not before + beyond
        if shares:
            first = _letter_at(one, reach, result.n)
        if reach >= ring or first >= last:
            alone.append(one)
            continue
        if main and not shares and (start != reach or before + beyond):
            letters = start - reach - before - beyond
            main.append(Gap(letters, True) if letters > 0 else Gap(UNKNOWN_GAP, False))
        span = (one.letters - last, one.letters - first) if one.minus else (first, last)
        main.append(Piece(one.number - 1, names[one.number - 1], *span, one.minus))
        reach, beyond = end, behind
    name = f"{letter_fields.field(answer.a)}_ordered"
    others = sorted([*alone, *(one for one in result.unplaced if one.letters)], key=lambda one: one.number)
    rest = [Piece(one.number - 1, names[one.number - 1], 0, one.letters) for one in others]
    return [(name, main)] * bool(main) + [(piece.name, [piece]) for piece in rest]


def _letter_at(one: Placement, at: int, n: int) -> int:

    def start(block: CollinearBlock) -> int:
        return block.a[0].at + n * (block.a[0].at < one.a[0].at)  # behind the end of a circle

    in_order = [block for block in one.blocks if block.kind is BlockKind.COLLINEAR and start(block) <= at]
    if not in_order:  # in an inverted block before the first one in order
        return 0
    block = max(in_order, key=start)
    segment, left = segment_of(block, one.letters), at - start(block)
    runs, passed = segment.alignment, segment.b0
    in_a, in_b = (np.cumsum(runs.lengths * consumes[runs.ops]) for consumes in (CONSUMES_A, CONSUMES_B))
    run = int(np.searchsorted(in_a, left))
    if run == in_a.size:
        return passed + int(in_b[-1])
    over = int(in_a[run]) - left
    return passed + int(in_b[run]) - over * int(CONSUMES_B[runs.ops[run]])


def agp_lines(answer: ContigsAnswer) -> Iterator[bytes]:
    """Yield AGP 2.1 of ``objects``: contigs (W), gaps of known (N) and unknown size (U)."""
    yield f"##agp-version 2.1\n# reference: {letter_fields.field(answer.a)}\n".encode()
    for name, pieces in objects(answer):
        last = 0
        for part, piece in enumerate(pieces, 1):
            fields: list[object] = [name, last + 1, last + piece.size, part]
            if isinstance(piece, Gap):
                fields += ["N" if piece.known else "U", piece.size, "scaffold", "yes", "align_genus"]
            else:
                fields += ["W", piece.name, piece.start + 1, piece.end, "-" if piece.minus else "+"]
            last += piece.size
            yield "\t".join(map(str, fields)).encode("utf-8", "backslashreplace") + b"\n"


def fasta_lines(answer: ContigsAnswer) -> Iterator[bytes]:
    """Yield FASTA of ``objects``: contigs on the strand of A, gaps as N."""
    contigs, rna = answer.contigs, answer.contigs.whole_alphabet() is Alphabet.RNA

    def letters(piece: Piece | Gap) -> bytes:
        if isinstance(piece, Gap):
            return b"N" * piece.size
        start = int(contigs.starts[piece.contig])
        own = contigs.letters[start + piece.start : start + piece.end].tobytes()
        return reverse_complement(own, rna=rna) if piece.minus else own

    for name, pieces in objects(answer):
        yield b">" + name.encode("utf-8", "backslashreplace") + b"\n"
        whole = b"".join(map(letters, pieces))
        for at in range(0, len(whole), LINE_LETTERS):
            yield whole[at : at + LINE_LETTERS] + b"\n"


def lines(answer: ContigsAnswer, mark: Marking = plain, *, everything: bool = True) -> Iterator[str]:
    """Yield the answer, a table of contigs along A (1-based), and the reasons of unplaced ones."""
    result = answer.result
    yield mark(result.text, Style.ANSWER)
    shown = result.placed if everything else result.placed[:SHOWN_CONTIGS]
    rows: list[tuple[str, ...]] = [("", "contig", "letters", "", "A", "edits", "identity", "to the next", "")]
    for one, after in zip(shown, result.next_to, strict=False):
        place = f"{number(one.a[0].at + 1)}–{number((one.a[1].at - 1) % result.n + 1)}"
        which = str(one.number), printable(one.name, MAX_NAME_LETTERS), number(one.letters), "-" if one.minus else "+"
        rows.append((*which, place, number(one.differences), identity(one.identity), after.text, remarks(one)))
    yield from columns(rows if shown else [], left=(1, 7, 8))
    if left := len(result.order) - len(shown):
        yield f"  ···  {count(left, 'more contig', 'more contigs')}; --all shows them"
    for reason, n in Counter(one.reason for one in result.unplaced).items():
        named = [
            f"{one.number} {printable(one.name, MAX_NAME_LETTERS)}" for one in result.unplaced if one.reason is reason
        ]
        more = "" if everything or n <= SHOWN_CONTIGS else f" and {number(n - SHOWN_CONTIGS)} more"
        yield f"not placed, {reason}: {', '.join(named if everything else named[:SHOWN_CONTIGS])}{more}"
    yield mark(f"seeds of {result.k} letters and more, A is {'circular' if result.circular else 'linear'}", Style.QUIET)


def remarks(one: Placement) -> str:
    """Return remarks on a contig: rearranged blocks, chimeric, several places, copies, ambiguous letters."""
    inside = rearranged_text(one.rearranged)
    parts = [f"{inside} inside"] * bool(inside)
    parts += [f"{'chimeric: ' * one.chimeric}{number(one.elsewhere)} letters elsewhere"] * bool(one.elsewhere)
    parts += [f"{number(one.n_places)} places"] * (one.n_places > 1)
    parts += [f"same as {', '.join(map(number, one.same_as))}"] * bool(one.same_as)
    start, end = one.contig
    parts += [f"letters {number(start + 1)}–{number(end)}"] * (one.contig != (0, one.letters))
    return "; ".join(parts)
