"""Hunks as rows of a list, each named by its first line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wavediff.app.compare.difference_list import DifferenceList
from wavediff.app.compare.differences_order import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER
from wavediff.app.compare.lines.hunk_steps import KINDS
from wavediff.app.ui.kind_swatch import MOVED
from wavediff.app.ui.number_text import as_wide_as
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import count, number
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.difference_index import OP_OF_KIND
from wavediff.core.jobs.line_result import LineKind
from wavediff.core.jobs.line_view import Hunk, LineView

MAX_TITLE = 400  # characters
Rows = list[tuple[Hunk, str]]


class HunkList(DifferenceList):
    """A row is one hunk, or one change of words: what ``LineView.units`` says."""

    def __init__(self, hunk: str, line: str) -> None:
        self.columns = ("#", "Kind", "Lines of A", "Lines of B", f"{line.capitalize()}s", "Change", "")
        self.words = hunk, f"{hunk}s"
        self.tip = f"Only {hunk}s of at least so many {line}s"

    def read(self, listed: ListedHunks, numbers: Counts) -> Rows:
        view = listed.index
        return [(_placed(view, view.hunk(k)), view.title(k)[:MAX_TITLE]) for k in (numbers + 1).tolist()]

    def op(self, rows: Rows, k: int) -> tuple[int, ...]:
        hunk = rows[k][0]
        counts = {LineKind.CHANGED: hunk.changed, LineKind.ADDED: hunk.added, LineKind.REMOVED: hunk.removed}
        return (*(OP_OF_KIND[KINDS[kind]] for kind, n in counts.items() if n), *([MOVED] if hunk.moved else []))

    def texts(self, _listed: ListedHunks, rows: Rows, k: int, _room: int = 0) -> tuple[str, ...]:
        hunk, title = rows[k]
        n = hunk.added + hunk.removed + hunk.changed + hunk.moved
        return number(hunk.number), hunk.text, _lines(*hunk.a), _lines(*hunk.b), number(n), title, ""

    def around(self, _listed: ListedHunks, rows: Rows, k: int) -> str:
        return rows[k][1]

    def sentence(self, listed: ListedHunks, rows: Rows, k: int) -> str:
        which, kind, a, b, _, title, _ = self.texts(listed, rows, k)
        return f"{self.words[0]} {which}: {kind}, lines A {a}, B {b}, {title}"

    def order(
        self, listed: ListedHunks, column: int, descending: bool, least: int, cancel: CancelToken | None
    ) -> Counts:
        view, order = listed.index, listed.order
        n: Counts = view.counts.sum(axis=1)
        order = order[n[order] >= least]
        if column == CHANGE:
            titles = {}
            for k in order.tolist():
                if cancel is not None:
                    cancel.raise_if_cancelled()
                titles[k] = view.title(k + 1)
            return np.array(sorted(titles, key=titles.__getitem__, reverse=descending), np.int64)
        keys: dict[int, Callable[[], Counts]] = {
            NUMBER: lambda: np.arange(view.n_hunks),
            KIND: lambda: np.argmax(view.counts[:, ::-1] > 0, axis=1),
            IN_A: lambda: view.firsts(0),
            IN_B: lambda: view.firsts(1),
            LENGTH: lambda: n,
        }
        key = keys.get(column, keys[NUMBER])()[order]
        found: Counts = order[np.argsort(-key if descending else key, kind="stable")]
        return found

    def shown(self, listed: ListedHunks) -> str:
        some = f"{number(len(listed))} of " if len(listed) < listed.total else ""
        return some + count(listed.total, *self.words)

    def none(self, listed: ListedHunks) -> str:
        return "" if listed.index.n_hunks else f"No differences: all {listed.index.units[1]}s of A and B are the same."

    def longest(self, listed: ListedHunks) -> int:
        return int(listed.index.rows.kind.size)

    def widest(self, listed: ListedHunks) -> dict[int, list[str]]:
        rows = listed.index.rows
        a, b = (f"{most}–{most}" for most in (number(as_wide_as(x.size)) for x in (rows.starts_a, rows.starts_b)))
        kinds, most = "88 changed, 88 added", number(as_wide_as(rows.kind.size))
        return {NUMBER: [number(as_wide_as(listed.index.n_hunks))], KIND: [kinds], IN_A: [a], IN_B: [b], LENGTH: [most]}


def _placed(view: LineView, hunk: Hunk) -> Hunk:
    """Return a hunk with a block that moved by the lines of this block: from where to where."""
    if not hunk.moved:
        return hunk
    rows, at = view.rows, np.concatenate([np.arange(first, end) for first, end in hunk.places])
    moved = (rows.a[at[rows.kind[at] == LineKind.MOVED_FROM]], rows.b[at[rows.kind[at] == LineKind.MOVED_TO]])
    a, b = ((int(lines[0]), int(lines[-1]) + 1) for lines in moved)
    return hunk._replace(a=a, b=b)


def _lines(first: int, end: int) -> str:
    if first == end:
        return f"after {number(first)}"
    return number(first + 1) if end == first + 1 else f"{number(first + 1)}–{number(end)}"
