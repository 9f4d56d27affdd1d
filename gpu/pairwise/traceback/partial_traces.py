"""Partial tracebacks through stored borders, and their meeting points."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Runs
from wavediff.core.jobs.alignment import Op
from wavediff.core.kernels.pairwise.blocks.tile_traceback import TileWindow, scratch, trace_tiles
from wavediff.core.kernels.traceback.left_align import NormalizedRuns, count_letters, normalized_prefix
from wavediff.core.kernels.traceback.runs_from_trace import runs_of_trace_at
from wavediff.gpu.pairwise.strips.card_strips import CardStrips
from wavediff.gpu.pairwise.traceback.border_fetch import BorderFetcher, TracePosition

TRACE_BYTES = 1 << 18  # bytes of trace codes per step


class TraceStep:
    """Runs of one traceback step.

    Args:
        met: see ``wavediff.core.kernels.pairwise.blocks.tile_traceback.trace_tiles``.
        a, b, common, i, j: letters of the matrix, equal letters at the front, and the node before the step.

    Attributes:
        marks: int64, shape (k, 3): for each line reached: line, column, trace codes so far.
        spacing: of the lines.
    """

    def __init__(
        self, met: Letters, marks: Counts, spacing: int, a: Letters, b: Letters, common: int, i: int, j: int
    ) -> None:
        self.marks, self.spacing, self._start = marks, spacing, (i, j)
        ops, lengths = np.empty(2 * met.size + 2, np.uint8), np.empty(2 * met.size + 2, np.int64)
        self._places = np.empty((marks.shape[0], 3), np.int64)
        n = int(runs_of_trace_at(met, marks[:, 2].copy(), ops, lengths, self._places))
        self._ops, self._lengths = ops[:n], lengths[:n]
        self._in_order, *self._then = (int(x) for x in normalized_prefix(a, b, common, self._ops, self._lengths, i, j))

    @property
    def nodes(self) -> Counts:
        """Nodes of this step on meeting rows, int64, shape (k, 2)."""
        nodes: Counts = self.marks[:, :2] * np.array([self.spacing, 1])
        return nodes

    def runs(self) -> list[Runs]:
        return self._from(0, *self._start)

    def runs_from(self, mark: int) -> list[Runs]:
        run, *gone = self._places[mark].tolist()
        ops, lengths = self._ops[run : run + 2], self._lengths[run : run + 2].copy()
        if gone[0]:
            lengths[0] -= gone[0]
        if gone[1]:
            lengths[np.flatnonzero(ops == Op.DELETION)[0]] -= gone[1]
        head = ops[lengths > 0], lengths[lengths > 0]
        i, j = (self.nodes[mark] - count_letters([head])[0]).tolist()
        return [head, *self._from(run + 2, i, j)]

    def _from(self, first: int, i: int, j: int) -> list[Runs]:
        """Return the runs from index ``first``, which follow i and j letters."""
        rest = max(first, self._in_order)
        out: list[Runs] = [(self._ops[rest:], self._lengths[rest:])]
        if first < rest:
            letters = i - self._then[0], j - self._then[1]
            out.insert(0, NormalizedRuns(self._ops[first:rest], self._lengths[first:rest], letters))
        return out


@dataclass(slots=True, eq=False)
class PartialTrace:
    """Partial traceback (a trail).

    Attributes:
        i, j: the current node. stretches: its steps so far.
        joined: line and number of the trail that continues it; None: not joined.
        cells: recomputed for it.
    """

    i: int
    j: int
    stretches: list[TraceStep] = field(default_factory=list)
    joined: tuple[int, int] | None = None
    cells: int = 0

    def runs_from(self, line: int) -> list[Runs]:
        """Return the runs from a line on; -1: from its start."""
        runs: list[Runs] = []
        for stretch in self.stretches:
            mark = np.flatnonzero(stretch.marks[:, 0] == line)
            if mark.size:
                runs = stretch.runs_from(int(mark[0]))
            else:
                runs += stretch.runs()
        return runs

    def nodes_from(self, line: int) -> Counts:
        """Return the nodes on lines above ``line``, int64, shape (k, 2); -1: on all."""
        nothing = np.empty((0, 2), np.int64)
        nodes = [stretch.nodes if line < 0 else stretch.nodes[stretch.marks[:, 0] < line] for stretch in self.stretches]
        return np.concatenate([nothing, *nodes])


class MeetingRows:
    """Rows at which tracebacks are compared, and the trails known there.

    Args:
        n: rows of the matrix. spacing: of the lines. most: trails.

    Attributes:
        known: columns where trails first reached each line. halt: uint8, shape (1,); 1: stop all trails.
        over: whether the result is no longer needed.
    """

    def __init__(self, n: int, spacing: int, most: int) -> None:
        self.spacing, self.n_lines = spacing, -(-n // spacing)
        self.known: Counts = np.full((self.n_lines, most), -1, np.int64)
        self.halt, self.over = np.zeros(1, np.uint8), False
        self.trails: list[PartialTrace] = []

    def begin(self, i: int, j: int) -> int:
        """Return the number of a new trail from node (i, j)."""
        self.trails.append(PartialTrace(i, j))
        return len(self.trails) - 1

    def end(self) -> None:
        """Stop all tracebacks permanently."""
        self.halt[0], self.over = 1, True


class TraceWorker:
    """Buffers and state of one tracing thread."""

    def __init__(self, matrix: CardStrips, borders: BorderFetcher, lines: MeetingRows, common: int) -> None:
        self._pair, self._borders, self._lines, self._common = matrix.pairs[0], borders, lines, common
        self._signs = (0,) * int(matrix.delta_bits)
        rows, width = borders.rows, borders.width
        self._masks, self._words = scratch(int(matrix.delta_bits), rows, width)
        self._met = np.empty(max(TRACE_BYTES, 4 * (rows + width)), np.uint8)
        self._marks = np.empty((lines.n_lines + 1, 3), np.int64)
        self._number = -1
        self._window: TileWindow | None = None
        self._coming: Future[TileWindow] | None = None

    def step(self, number: int, hasty: bool) -> None:
        """Advance a trail through a window; ``hasty``: the caller waits, so the next window is fetched early."""
        lines, (a, b) = self._lines, self._pair
        trail = lines.trails[number]
        i, j = trail.i, trail.j
        if self._number != number:  # windows fetched for another trail may have been incomplete
            self._number, self._window, self._coming = number, None, None
        window = self._borders.at_hand(i, j)
        if window is None:
            if self._window is None or not self._borders.covers(self._window, i, j):
                self._window = self._fetched(i, j, hasty)
            window = self._window
        i1, j1, n_met, cells, n_marks, other = trace_tiles(
            self._signs, a, b, window, i, j, self._common, lines.spacing, lines.known,
            number, lines.halt, self._masks, self._words, self._met, self._marks,
        )  # fmt: skip
        if lines.over:
            return
        marks = self._marks[:n_marks].copy()
        trail.stretches.append(TraceStep(self._met[:n_met], marks, lines.spacing, a, b, self._common, i, j))
        trail.i, trail.j, trail.cells = i1, j1, trail.cells + cells
        if other >= 0:
            trail.joined = int(self._marks[n_marks - 1, 0]), int(other)

    def _fetched(self, i: int, j: int, hasty: bool) -> TileWindow:
        """Return the window up to node (i, j), and start downloading the next."""
        window = self._coming.result() if self._coming is not None else None
        if window is None or not self._borders.covers(window, i, j):
            window = self._borders.fetch(TracePosition(i, j)).result()
        need = self._borders.likely(window, i, j) if hasty else None
        self._coming = None if need is None else self._borders.fetch(need)
        return window
