"""Trace of a diff of lines, words or letters: tokens become symbols of an LCS table.

Sources: Hunt and McIlroy 1976; words as in ``compare --by word``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from string import ascii_letters
from typing import Any

from wavediff.core.base.numbers import number
from wavediff.core.sequences.words import WORD
from wavediff.core.teach.counted_trace import given, letters, of_inputs
from wavediff.core.teach.scene import Mark, Scene, Sheet
from wavediff.core.teach.table import LcsTable
from wavediff.core.teach.table_trace import TableTrace
from wavediff.core.teach.unit import Unit

CUTS: dict[str, Callable[[str], list[str]]] = {"line": str.splitlines, "word": WORD.findall, "letter": list}
SYMBOLS = f"{ascii_letters}αβγδεζηθικλμ"
MAX_TOKENS = len(SYMBOLS) // 2  # of a text, so that all that differ have a symbol
SHOWN_LETTERS = 24  # of a token
BLANKS = str.maketrans({" ": "␣", "\t": "→", "\n": "↵"})  # of a token that has nothing else


class TokensTrace(TableTrace):
    """LCS table over token symbols, with the diff of each cell's prefixes.

    Attributes:
        tokens: text of each symbol, in order of first occurrence.
    """

    units: tuple[Unit, ...] = (Unit.CELL, Unit.ROW, Unit.ANTIDIAGONAL)

    def __init__(self, a: str, b: str, by: str) -> None:
        self.tokens = dict[str, str]()
        symbols = dict[str, str]()
        read = list[str]()
        for name, text in (("a", a), ("b", b)):
            found = CUTS[by](text)
            if len(found) > MAX_TOKENS:
                raise ValueError(f"'{name}' has {len(found):,} {by}s; up to {MAX_TOKENS} can be stepped")
            for token in found:
                symbol = token if by == "letter" else SYMBOLS[len(symbols)]
                self.tokens.setdefault(symbols.setdefault(token, symbol), token)
            read.append("".join(map(symbols.__getitem__, found)))
        super().__init__(LcsTable(read[0], read[1]))
        self.inputs = {"a": a, "b": b, "by": by}

    def scene(self, unit: Unit, k: int) -> Scene:
        scene = super().scene(unit, k)
        n, m = self.table.shape
        cell = self.cell(k) if unit is Unit.CELL else (k, m) if unit is Unit.ROW else (n, m)
        known = k > 0 and (unit is not Unit.ANTIDIAGONAL or k == self.steps(unit))
        lines = self.diff(*cell) if known else []
        lines += [("", "")] * (n + m - len(lines))
        marks = tuple((Mark.PLAIN if sign in ("", " ") else Mark.NEW,) * 2 for sign, _ in lines)
        here = {self.table.a[cell[0] - 1], self.table.b[cell[1] - 1]} if unit is Unit.CELL and k else set()
        tokens = tuple((symbol, _shown(token)) for symbol, token in self.tokens.items())
        cited = tuple((Mark.CITED if symbol in here else Mark.PLAIN,) * 2 for symbol in self.tokens)
        sheets = (
            Sheet("Tokens", ("", ""), tokens, cited, mono=True),
            Sheet("Diff so far", ("", ""), tuple(lines), marks, mono=True),
        )
        return Scene((*scene.parts, *sheets), scene.cited)

    def diff(self, row: int, col: int) -> list[tuple[str, str]]:
        """Return the diff of the prefixes of cell (row, col) as (sign, token); deletions come first."""
        path, arrows = [(row, col)], self.table.arrows
        while sources := arrows.sources(path[-1]):
            path.append(sources[0])
        row, col = path[-1]
        begin = [(i, 0) for i in range(1, row + 1)] + [(0, j) for j in range(1, col + 1)]
        found = list[tuple[str, str]]()
        for _, run in groupby(begin + arrows.columns(path), key=all):
            for i, j in sorted(run, key=lambda column: column[0] == 0):
                symbol = self.table.a[i - 1] if i else self.table.b[j - 1]
                found.append((" " if i and j else "-" if i else "+", _shown(self.tokens[symbol])))
        return found

    def value_of(self, name: str) -> Any:
        """Return a value of ``TableTrace.value_of``; ``diff``: its lines; ``tokens``: number of distinct ones; ``tokens
        a``, ``tokens b``: number of all; ``symbols a``, ``symbols b``; ``deleted`` and ``inserted``: tokens.

        Raises:
            KeyError: unknown name.
        """
        n, m = self.table.shape
        mine = {"tokens": len(self.tokens), "tokens a": n, "tokens b": m, "symbols a": self.table.a,
                "symbols b": self.table.b, "deleted": n - self.table.answer, "inserted": m - self.table.answer,
                "by": self.inputs["by"]}  # fmt: skip
        if name == "diff":
            return [f"{sign} {token}" for sign, token in self.diff(n, m)]
        return mine[name] if name in mine else super().value_of(name)

    def say(self, unit: Unit, k: int) -> str:
        if unit is Unit.ROW and k:
            common = number(int(self.table.values[k, -1]))
            return (
                f"Row {number(k)}, {self.inputs['by']} {self.table.a[k - 1]}: {common} in common with all of B so far."
            )
        return super().say(unit, k)


def _shown(token: str) -> str:
    text = token.translate(BLANKS) if token.isspace() else token
    return text if len(text) <= SHOWN_LETTERS else f"{text[: SHOWN_LETTERS - 1]}…"


@of_inputs(a=letters(), b=letters(), by=given("line"))
def tokens_trace(a: str, b: str, by: str) -> TokensTrace:
    """Return the trace of a diff; ValueError: unknown kind of tokens, or more than ``MAX_TOKENS``."""
    if by not in CUTS:
        raise ValueError(f"'by' is {by!r}; {', '.join(CUTS)} are possible")
    return TokensTrace(a, b, by)
