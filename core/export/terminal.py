"""Terminal output of an answer: one line, then the letters of A and B.

Blocks have 60 columns, 40 in a narrow terminal. The match line does not depend on colours: ``|`` below equal letters,
``.`` below a substitution, ``~`` below a swap, ``?`` below an unknown letter, and a blank at a gap. Ranges without a
difference are one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from operator import itemgetter

from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import count, duration, number
from wavediff.core.export import given, terminal_lines
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.terminal_lines import Marking, Style, plain
from wavediff.core.jobs.alignment import APART, SWAP, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import all_rows
from wavediff.core.jobs.features.effects import effects_refused
from wavediff.core.jobs.given_alignment import GivenAlignment, stacked
from wavediff.core.sequences.letter_text import glyph, is_wide
from wavediff.core.sequences.sequence import Sequence

USUAL_WIDTH = 100  # characters of a line
WIDE_TERMINAL = 72  # characters of a line from which a block has 60 columns
BLOCK_COLUMNS, NARROW_COLUMNS = 60, 40
SHOWN_BLOCKS = 2  # with differences, unless all are wanted
NAMED_DIFFERENCES = 5  # whose places are named where they are not shown
MAP_WIDTH = 600  # units along the map, each a share of the columns
_MAP_STYLE = "width: 100%; max-width: 60em; height: 14px; background: #8883"
_MATCH = {Op.EQUAL: "|", Op.MISMATCH: ".", SWAP: "~", APART: "?"}
_STYLES = {Op.MISMATCH: Style.MISMATCH, Op.INSERTION: Style.INSERTION, Op.DELETION: Style.DELETION, SWAP: Style.SWAP}
_RULES = {
    Style.ANSWER: "font-weight: bold",
    Style.QUIET: "opacity: 0.65",
    Style.MISMATCH: "background: #f07a2655; font-weight: bold; fill: #f07a26",
    Style.INSERTION: "background: #4fa8e055; font-weight: bold; fill: #4fa8e0",
    Style.DELETION: "background: #d6cb2855; font-weight: bold; fill: #d6cb28",
    Style.SWAP: "background: #dd94bc66; font-weight: bold; fill: #dd94bc",
}


def text(answer: Comparison) -> Iterator[bytes]:
    """Yield the whole answer without colours, for ``--text``."""
    for line in lines(answer, everything=True):
        yield f"{line}\n".encode()


def html(answer: Comparison, rest: str = "") -> str:
    """Return the answer for a notebook: coloured terminal lines for light and dark pages, and a map.

    Args: see ``lines``.
    """
    rules = "".join(f".wavediff .{style} {{{rule}}}" for style, rule in _RULES.items())

    def mark(words: str, style: Style) -> str:
        return f"<span class='{style}'>{escape(words)}</span>"

    body = "\n".join(lines(answer, mark=mark, rest=rest))
    return f"<style>{rules}</style><pre class='wavediff'>{body}</pre>{_map(answer)}"


def _map(answer: Comparison) -> str:
    result = answer.result
    if result.shown is None or not answer.method.of_letters or result.shown.n_columns <= SHOWN_BLOCKS * BLOCK_COLUMNS:
        return ""
    index, strips = answer.index, set[tuple[int, int, int]]()
    for rows in all_rows(index):
        ends = (rows.col0, rows.col0 + rows.columns - 1)
        first, last = (columns * MAP_WIDTH // index.n_columns for columns in ends)
        strips.update(zip(rows.op.tolist(), first.tolist(), (last - first + 1).tolist(), strict=True))
    marks = "".join(
        f"<rect class='{_STYLES.get(op, Style.QUIET)}' x='{x}' width='{width}' height='1'/>"
        for op, x, width in sorted(strips)
    )
    counted = count(index.n_differences(), "difference", "differences")
    return (
        f"<svg class='wavediff' viewBox='0 0 {MAP_WIDTH} 1' preserveAspectRatio='none' style='{_MAP_STYLE}'>"
        f"<title>{counted} in {count(index.n_columns, 'column', 'columns')}</title>{marks}</svg>"
    )


def lines(
    answer: Comparison, *, width: int = USUAL_WIDTH, mark: Marking = plain, everything: bool = False, rest: str = ""
) -> Iterator[str]:
    """Yield the lines of an answer.

    Args:
        width: characters of a line of the terminal.
        everything: all blocks with differences, not only the first ``SHOWN_BLOCKS``.
        rest: hint on how to show the other blocks; empty: the option ``--all`` of the command line.
    """
    method, result, n, m = answer.method, answer.result, len(answer.a), len(answer.b)
    headline = method.headline(result, n, m)
    remarks = [f"{number(n)} and {number(m)} letter{'' if n == m == 1 else 's'}", *method.remarks(result)]
    yield f"{mark(headline, Style.ANSWER)}  {mark(', '.join(remarks), Style.QUIET)}"
    if result.shown is not None and not method.of_letters:
        yield from terminal_lines.hunks(answer, width, mark, everything, rest)
    elif result.shown is not None and (n or m):
        size = BLOCK_COLUMNS if width >= WIDE_TERMINAL else NARROW_COLUMNS
        yield from _letters(answer, answer.index, size, mark, everything, rest or "--all prints them")
        yield from _effects(answer, everything)
    if answer.given is not None and result.shown is not None:
        yield from theirs(answer, answer.given, mark, everything=everything)
    device = "cluster" if result.device == "cluster" else result.device.upper()
    yield mark(f"{method.name.lower()} · {duration(result.wall_seconds)} · {device}", Style.QUIET)


def _effects(answer: Comparison, everything: bool) -> Iterator[str]:
    effects = answer.effects
    if effects is not None and effects.counts:
        most = len(effects.changes) if everything else NAMED_DIFFERENCES
        named = ", ".join(one.text for one in effects.changes[:most]) + (" …" if len(effects.changes) > most else "")
        yield f"effects: {effects.sentence}{': ' if named else ''}{named}"
    elif refused := effects_refused(answer.a, answer.b, answer.index):
        yield refused


def _letters(
    answer: Comparison, index: AlignmentIndex, size: int, mark: Marking, everything: bool, rest: str
) -> Iterator[str]:
    first, end = index.aligned_columns
    digits = len(number(max(len(answer.a), len(answer.b), 1)))
    at, blocks = first, 0
    yield from _folded(answer, index, 0, first, digits, mark)
    while at < end:
        difference = index.difference_at(at) or index.next_difference(at)
        if difference is None or difference.col0 >= end:
            yield from _folded(answer, index, at, end, digits, mark)
            at = end
            break
        begin = max(at, first + (difference.col0 - first) // size * size)
        enough = blocks == SHOWN_BLOCKS and not everything
        if enough and difference.col0 >= begin:
            yield from _left(answer, index, begin, digits, mark, rest)
            return
        yield from _folded(answer, index, at, begin, digits, mark)
        # Where a gap began in a block above, its whole blocks are one line, and all of it if no more blocks are shown.
        columns = min(difference.col1, end) - begin
        columns -= 0 if enough else columns % size
        if difference.col0 < begin and columns and (enough or difference.op in (Op.INSERTION, Op.DELETION)):
            yield from _folded(answer, index, begin, begin + columns, digits, mark)
            at = begin + columns
            continue
        at = min(begin + size, end)
        yield from _block(answer, index, begin, at, digits, mark)
        blocks += 1
    yield from _folded(answer, index, end, index.n_columns, digits, mark)


def _block(
    answer: Comparison, index: AlignmentIndex, col0: int, col1: int, digits: int, mark: Marking
) -> Iterator[str]:
    window, kinds = index.window(col0, col1), index.ops_at(col0, col1)
    above, below = (_cells(one, at, kinds) for one, at in ((answer.a, window.a), (answer.b, window.b)))
    rows: tuple[list[str], list[str], list[str]] = ([], [], [])
    for one, other, op, kind in zip(above, below, window.op.tolist(), kinds.tolist(), strict=True):
        wide = max(_width(one), _width(other))
        match = "|" if op == Op.EQUAL and kind != SWAP else _MATCH.get(kind, " ")
        for row, cell in zip(rows, (one, match, other), strict=True):
            row.append(cell + " " * (wide - _width(cell)))
    yield _row("A", answer.a, window.a, digits, _marked(rows[0], kinds.tolist(), mark))
    yield f"{'':{digits + 6}}{mark(''.join(rows[1]).rstrip(), Style.QUIET)}".rstrip()
    yield _row("B", answer.b, window.b, digits, _marked(rows[2], kinds.tolist(), mark))


def _row(name: str, sequence: Sequence, places: Counts, digits: int, row: str) -> str:
    there = places[places >= 0]
    ends = [number(sequence.place(int(place)) + 1) for place in there[[0, -1]]] if there.size else ["", ""]
    return f"  {name} {ends[0]:>{digits}}  {row}  {ends[1]}".rstrip()


def _cells(sequence: Sequence, places: Iterable[int], kinds: Iterable[int]) -> list[str]:
    letters, characters = sequence.letters, sequence.characters
    return [
        "-" if place < 0 else glyph(int(letters[place]), characters, differs=kind != Op.EQUAL)
        for place, kind in zip(places, kinds, strict=True)
    ]


def theirs(answer: Comparison, other: GivenAlignment, mark: Marking, *, everything: bool) -> Iterator[str]:
    """Yield the lines about an alignment of another program: costs of both alignments, and the blocks that differ."""
    columns = stacked(answer.shown, other.alignment)
    yield f"{mark('Theirs', Style.ANSWER)}  {mark(given.text(answer, other, columns.n_different), Style.QUIET)}"
    rows = [("", "ours", "theirs"), *given.table(answer, other.alignment)]
    wide = [max(len(row[k]) for row in rows) for k in range(3)]
    yield from (f"  {name:{wide[0]}}  {one:>{wide[1]}}  {other:>{wide[2]}}" for name, one, other in rows)
    blocks = columns.blocks(BLOCK_COLUMNS)
    for first in blocks[: None if everything else SHOWN_BLOCKS]:
        window, differs = columns.window(first, first + BLOCK_COLUMNS)
        kinds, digits = (differs * int(Op.MISMATCH)).tolist(), len(number(max(len(answer.a), len(answer.b))))
        for name, sequence, places in zip(("A", "ours", "theirs"), (answer.a, answer.b, answer.b), window, strict=True):
            yield _row(f"{name:6}", sequence, places, digits, _marked(_cells(sequence, places, kinds), kinds, mark))
        yield f"{'':{digits + 11}}{''.join(' ^'[each] for each in kinds)}".rstrip()
    if len(blocks) > SHOWN_BLOCKS and not everything:
        yield mark("  ···  more columns differ; --all prints them", Style.QUIET)


def _width(cell: str) -> int:
    return 1 + is_wide(cell[0])  # a combining mark has a base


def _marked(row: list[str], kinds: list[int], mark: Marking) -> str:
    """Return a row; adjacent letters of a kind share their escape sequences."""
    parts = []
    for kind, group in groupby(zip(kinds, row, strict=True), itemgetter(0)):
        cells = "".join(cell for _, cell in group)
        parts.append(mark(cells, _STYLES.get(kind, Style.LETTERS)))
    return "".join(parts)


def _folded(
    answer: Comparison, index: AlignmentIndex, col0: int, col1: int, digits: int, mark: Marking
) -> Iterator[str]:
    """Yield the summary line of a run of columns: equal, in one sequence only, or different; nothing if empty."""
    if col0 >= col1:
        return
    (a0, b0), (a1, b1) = index.letters_before(col0), index.letters_before(col1)
    if a0 == a1 or b0 == b1:
        name, sequence, start, end = ("A", answer.a, a0, a1) if a1 > a0 else ("B", answer.b, b0, b1)
        what = f"of {name} alone"
    else:
        sequence, start, end, what = answer.a, a0, a1, ""
    first, last = sequence.place(start) + 1, sequence.place(end - 1) + 1
    kind = "" if what else "equal " if index.ops_at(col0, col0 + 1)[0] == Op.EQUAL else "different "
    counted = " ".join(filter(None, (count(end - start, f"{kind}letter", f"{kind}letters"), what)))
    yield mark(f"{'···':>{digits + 4}}  {counted}, {number(first)}–{number(last)}", Style.QUIET)


def _left(answer: Comparison, index: AlignmentIndex, col: int, digits: int, mark: Marking, rest: str) -> Iterator[str]:
    before, n = index.differences_until(col - 1, Kinds.ANY), index.n_differences()
    left = n - before
    if left <= 0:
        return
    places = []
    for k in range(before, min(n, before + NAMED_DIFFERENCES)):
        at_a, _ = index.letters_before(index.difference(k).col0)
        places.append(number(answer.a.place(min(at_a, len(answer.a) - 1)) + 1 if len(answer.a) else 0))
    where = ", ".join(places) + (" …" if left > NAMED_DIFFERENCES else "")
    more = count(left, "more difference", "more differences")
    yield mark(f"{'···':>{digits + 4}}  {more} at {where}; {rest}", Style.QUIET)
