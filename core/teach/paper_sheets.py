"""Steps of the papers as sheets: subsequence test, text pieces, dummies, memory, thread blocks."""

from __future__ import annotations

from itertools import pairwise

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import letters, of_inputs, whole
from wavediff.core.teach.questions import Asked, slip
from wavediff.core.teach.sheets import NONE, Line, SheetTrace

MAX_LETTERS = 32  # of a text: a line each


@of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS))
def subsequence_trace(a: str, b: str) -> SheetTrace:
    """Return the trace of the subsequence test of A in B (Sudo and Shinohara 2009, section 5)."""
    lines, found = list[Line](), 0
    for j, letter in enumerate(b, 1):
        wanted = a[found] if found < len(a) else NONE
        takes = letter == wanted and found < len(a)
        found += takes
        said = f"{letter} is the letter that A waits for: {number(found)} found." if takes else (
            f"{letter} is not {wanted}: {number(found)} found." if wanted != NONE else "All of A was found already."
        )  # fmt: skip
        wrong = slip(found + 1 - 2 * takes, "A takes a letter only where it is the next one that it waits for.")
        asked = Asked(
            f"How many letters of A are found after letter {number(j)} of B, {letter}?", [str(found)], [wrong]
        )
        texts = number(j), letter, wanted, letter if takes else "", number(found)
        lines.append(Line(texts, said, asked, ("taken",) if takes else ("passed",)))
    values = {"found": found, "letters": len(a), "is found": found == len(a), "inserted": len(b) - len(a)}
    begin = (
        "A number is how many letters of A are found in B, in their order. If all are, the others are insertions: no "
        "table is needed."
    )
    return SheetTrace(
        {"a": a, "b": b}, "B, letter by letter", ("", "B", "A waits for", "taken", "found"), lines, begin, values
    )


@of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS), threads=whole(1, 16, 3))
def pieces_trace(a: str, b: str, threads: int) -> SheetTrace:
    """Return the trace of text pieces per thread with their overlap (Kusudo, Ino and Hagihara, section 4.3)."""
    patterns = b.split() or [b]
    overlap, size = max(map(len, patterns)) - 1, -(-len(a) // threads)
    hits = [(end, one) for end in range(1, len(a) + 1) for one in patterns if a[:end].endswith(one)]
    lines, seen = list[Line](), 0
    for thread, start in enumerate(range(0, len(a), size), 1):
        end, first = min(start + size, len(a)), max(0, start - overlap)
        own = [(at, one) for at, one in hits if start < at <= end]
        alone = [(at, one) for at, one in own if at - len(one) >= start]
        seen += len(alone)
        text = a[first:start].lower() + a[start:end] if a.isupper() else a[first:end]
        named = ", ".join(f"{one} {number(at)}" for at, one in own) or NONE
        lost = len(own) - len(alone)
        said = (
            f"Thread {number(thread)} reads letters {number(first + 1)} to {number(end)}. Hits by their ends: {named}."
        )
        said += f" Without the overlap {count(lost, 'hit is', 'hits are')} lost." if lost else ""
        wrong = slip(end - start, "It also reads the end of the piece before, which its first hits may begin in.")
        asked = Asked(f"How many letters does thread {number(thread)} read?", [str(end - first)], [wrong])
        names = ("across",) if lost else ("whole",)
        lines.append(Line((number(thread), f"{number(start + 1)}–{number(end)}", text, named), said, asked, names))
    values = {"overlap": overlap, "hits": len(hits), "hits alone": seen, "threads": len(lines),
              "read": len(a) + sum(min(overlap, start) for start in range(size, len(a), size))}  # fmt: skip
    begin = (
        "A number is a letter of the text. A thread reports the hits that end in its own letters; one may begin "
        f"before: it reads {count(overlap, 'letter', 'letters')} more."
    )
    heads = ("thread", "own letters", "reads", "reports")
    return SheetTrace({"a": a, "b": b, "threads": threads}, "Pieces of the text", heads, lines, begin, values)


@of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS))
def dummies_trace(a: str, b: str) -> SheetTrace:
    """Return the trace of matches with dummies above or below short patterns (Kusudo, Ino and Hagihara, section
    4.2).
    """
    patterns = b.split() or [b]
    longest, lines, false_hits, n_hits = max(map(len, patterns)), list[Line](), 0, 0
    for k, letter in enumerate(a, 1):
        ends = [one for one in patterns if a[:k].endswith(one)]
        above = [one for one in patterns if len(one) < longest or one in ends]
        false = len(above) - len(ends)
        false_hits, n_hits = false_hits + false, n_hits + len(ends)
        said = (
            f"Letter {number(k)}, {letter}: {count(false, 'false hit', 'false hits')} with dummies above, none below."
        )
        wrong = slip(
            len(ends), "Those really end here. A dummy in the highest bit is 0 at each letter: it reads as a hit."
        )
        asked = Asked(
            f"How many patterns would be reported after letter {number(k)} with dummies above?",
            [str(len(above))],
            [wrong],
        )
        texts = number(k), letter, " ".join(above) or NONE, " ".join(ends) or NONE
        lines.append(Line(texts, said, asked, ("hit",) if ends else ("miss",)))
    values = {"false hits": false_hits, "hits": n_hits,
              "short": sum(len(one) < longest for one in patterns), "longest": longest}  # fmt: skip
    begin = "A line is the patterns whose highest bit is 0. A dummy is always 0: on top it is taken for an end."
    heads = ("", "letter", "reported, dummies above", "reported, dummies below")
    return SheetTrace({"a": a, "b": b}, "Highest bits that are 0", heads, lines, begin, values)


@of_inputs(rows=whole(1, 16, 6), cols=whole(1, 16, 6), segment=whole(1, 32, 4))
def memory_trace(rows: int, cols: int, segment: int) -> SheetTrace:
    """Return the trace of memory accesses to H in segments, row by row or by antidiagonals (Kim, Na and Sim 2015,
    sections 3.1 and 3.2).
    """
    lines, written, totals = list[Line](), 0, [0, 0]
    for k in range(1, rows + cols):
        cells = [(i, k - i) for i in range(max(0, k - cols), min(rows, k))]
        by_row = sorted(i * cols + j - 1 for i, j in cells)
        together = range(written, written + len(cells))
        written += len(cells)
        touched = [len({at // segment for at in places}) for places in (by_row, together)]
        totals = [total + one for total, one in zip(totals, touched, strict=True)]
        step = f", {number(cols - 1)} apart" if len(cells) > 1 and cols > 1 else ""
        said = (
            f"Cycle {number(k)}: {count(len(cells), 'thread writes', 'threads write')}{step}: "
            f"{count(touched[0], 'segment', 'segments')}; by antidiagonals side by side: {number(touched[1])}."
        )
        wrong = slip(touched[1], "That is the number where antidiagonals lie one after the other.")
        asked = Asked(
            f"Into how many segments do the threads of cycle {number(k)} write, row by row?", [str(touched[0])], [wrong]
        )
        places = " ".join(map(str, by_row))
        texts = number(k), places, number(touched[0]), " ".join(map(str, together)), number(touched[1])
        lines.append(Line(texts, said, asked, ("full",) if len(cells) == min(rows, cols) else ("part",)))
    values = {"cycles": rows + cols - 1, "by rows": totals[0], "by antidiagonals": totals[1]}
    begin = (
        "A number is a place in memory. Threads of one cycle write together; memory is reached in segments of "
        f"{count(segment, 'place', 'places')}."
    )
    heads = ("cycle", "row by row", "segments", "antidiagonals", "segments")
    return SheetTrace(
        {"rows": rows, "cols": cols, "segment": segment}, "Where H is written", heads, lines, begin, values
    )


@of_inputs(pairs=whole(1, 1000, 20), blocks=whole(1, 64, 8), letters=whole(1, 4096, 100))
def pair_blocks_trace(pairs: int, blocks: int, letters: int) -> SheetTrace:
    """Return the trace of concurrent pairs, one thread block each (Kim, Na and Sim 2015, section 3.2)."""
    cycles, lines = 2 * letters - 1, list[Line]()
    starts = [*range(0, pairs, blocks), pairs]
    for k, (start, end) in enumerate(pairwise(starts), 1):
        said = (
            f"Pairs {number(start + 1)} to {number(end)}, a block of threads each: {number(k * cycles)} cycles so far, "
            f"one after the other {number(end * cycles)}."
        )
        wrong = slip(end * cycles, "That is one pair after the other: the blocks run at once.")
        asked = Asked(f"How many cycles have passed after pair {number(end)}?", [str(k * cycles)], [wrong])
        lines.append(
            Line((f"{number(start + 1)}–{number(end)}", number(k * cycles), number(end * cycles)), said, asked)
        )
    values = {
        "together": (len(starts) - 1) * cycles,
        "one by one": pairs * cycles,
        "cycles": cycles,
        "pairs": pairs,
        "blocks": blocks,
    }
    begin = (
        f"A pair of {number(letters)} letters each takes {count(cycles, 'cycle', 'cycles')}, and none needs another: "
        f"{count(blocks, 'block runs', 'blocks run')} at once."
    )
    heads = ("pairs", "cycles so far", "one after the other")
    return SheetTrace(
        {"pairs": pairs, "blocks": blocks, "letters": letters}, "One block a pair", heads, lines, begin, values
    )
