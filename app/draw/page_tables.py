"""Scenes as HTML tables for screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape

import numpy as np

from wavediff.app.draw.svg import Ids, Svg
from wavediff.core.teach.scene import Grid, Part
from wavediff.core.teach.tables import code_text, grid_codes, numbered, table_rows
from wavediff.core.teach.unit import Unit

Key = tuple[Unit, int]  # and the place of the part in its scenes
NO_CODE = -(1 << 62)


class PageTables:
    """Table cells, deduplicated in the pool of a page."""

    def __init__(self, svg: Svg) -> None:
        self._svg = svg
        self._shapes: dict[Key, tuple[int, int]] = {}
        self._seen: dict[Key, tuple[Ids, Ids]] = {}  # codes of a grid's cells, and all cells

    def shape(self, key: Key, parts: Sequence[Part]) -> tuple[int, int]:
        """Return the maximum numbers of rows and columns of a part over its scenes, with headings."""
        if isinstance(first := parts[0], Grid):
            shape = first.values.shape[0] + 1, first.values.shape[1] + 1
        else:
            tables = [table_rows(part) for part in parts if not isinstance(part, Grid)]
            shape = max(map(len, tables)), max(len(row) for rows in tables for row in rows)
        self._shapes[key] = shape
        return shape

    def cells(self, key: Key, part: Part, step: int) -> Ids:
        """Return the pool indices of the visible cells of a part after a step, row by row."""
        rows, cols = self._shapes[key]
        if not isinstance(part, Grid):
            return self._texts(table_rows(part), rows, cols).ravel()
        codes = grid_codes(part, step)
        if key in self._seen:
            before, ids = self._seen[key]
        else:
            before = np.full(codes.shape, NO_CODE)
            first = int(len(part.left) == rows - 1)
            lefts = ((name,) for name in numbered(part.left, rows - 1, first))
            ids = self._texts([("row", *numbered(part.top, cols - 1, first)), *lefts], rows, cols)
        ids = ids.copy()
        for row, col in np.argwhere(codes != before).tolist():  # of two steps in a row few cells differ
            ids[row + 1, col + 1] = self._svg.place(_cell(code_text(int(codes[row, col])), ""))
        self._seen[key] = codes, ids
        return ids.ravel()

    def _texts(self, texts: Sequence[Sequence[str]], rows: int, cols: int) -> Ids:
        ids = np.full((rows, cols), self._svg.place(_cell("", "")))
        for row, line in enumerate(texts):
            for col, text in enumerate(line):
                ids[row, col] = self._svg.place(_cell(text, "" if row and col else "row" if row else "col"))
        return ids


@cache
def _cell(text: str, scope: str) -> str:
    text = "blank" if scope and text == " " else text  # a heading that is read aloud
    return f'<th scope="{scope}">{escape(text)}</th>' if scope and text else f"<td>{escape(text)}</td>"
