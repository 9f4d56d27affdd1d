"""Descriptions of map cells (block, state, band), and of the progress of a stopped run."""

from __future__ import annotations

from wavediff.app.ui.block_map.block_colours import STATE_SKIPS
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.number_text import compiling_stage, percent, stopped_text, stopped_while
from wavediff.core.base.numbers import duration, localized, number
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockState
from wavediff.core.sequences.sequence import Sequence


def state_text(state: BlockState) -> str:
    return f"skipped: {STATE_SKIPS[state].text}" if state in STATE_SKIPS else state.name.lower()


def block_text(model: BlockMapModel, a0: int, b0: int, a: Sequence | None = None, b: Sequence | None = None) -> str:
    """Describe a cell (0-based) of a comparison with ``b``; empty before planning."""
    block, grid = model.block_at(a0, b0), model.grid
    if grid is None:
        return ""
    diagonal = f"diagonal {localized(f'{b0 - a0:+,}')}"
    skip = model.inner_skip
    if block is None or not model.block_map.size:
        skip = SkipReason.ENDS
    if block is None or skip is not None:
        assert skip is not None
        return f"skipped: {skip.text} · {diagonal}"
    row, col = block
    height, width = model.block_size
    top, left = grid.row0 + row * height, grid.col0 + col * width
    bottom, right = min(top + height, grid.row0 + grid.n_rows), min(left + width, grid.col0 + grid.n_cols)
    axes, unit = model.axes, "" if model.axes is None else f" {model.axes.unit}s"
    of_a, of_b = (
        (axes.unit_of(side, first) + 1, axes.unit_of(side, end - 1) + 1)
        if axes is not None
        else (first + 1, end)
        if one is None
        else (one.place(first) + 1, one.place(end - 1) + 1)
        for side, (one, first, end) in enumerate(((a, top, bottom), (b, left, right)))
    )
    lines = [
        f"Block {number(row + 1)}, {number(col + 1)}: {state_text(model.state_at(row, col))}",
        f"A{unit} {number(of_a[0])} to {number(of_a[1])} · B{unit} {number(of_b[0])} to {number(of_b[1])}",
    ]
    lines += timed_text(model, row, col)
    if model.band is not None:
        inside = model.band.holds(a0, b0)
        lines.append(f"{diagonal}, inside the band" if inside else f"{diagonal}, outside the band")
    return "\n".join(lines)


def moved_text(model: BlockMapModel, a0: int, b0: int, n: int) -> str:
    """Describe the move of a block of ``n`` rows."""
    assert model.axes is not None
    ends = (
        (model.axes.unit_of(side, k) + 1, model.axes.unit_of(side, k + n - 1) + 1) for side, k in ((0, a0), (1, b0))
    )
    a, b = (f"{number(first)} to {number(last)}" for first, last in ends)
    return f"Moved: A {model.axes.unit}s {a} · B {model.axes.unit}s {b}"


def timed_text(model: BlockMapModel, row: int, col: int) -> list[str]:
    """Return duration, time and lane of a block (0-based, of the map) as one line; empty if unknown."""
    record = model.record
    if record is None or record.interpolated or not record.ended[row, col]:
        return []
    began, ended = int(record.began[row, col]), int(record.ended[row, col])
    took, since = ((ended - began) * record.seconds_per_tick, began * record.seconds_per_tick)
    lane = record.names[record.by[row, col]]
    return [f"{lane}, {duration(took)} from {duration(since)} on"]


def until_text(model: BlockMapModel) -> str:
    """Describe the progress of a stopped job: a fraction of its cells, or its phase."""
    if model.done_cells:
        return f"Stopped at {percent(model.fraction)}"
    if model.compiling is not None:
        return stopped_while(compiling_stage(model.compiling))
    return stopped_text(model.stage)
