"""Lines on a cell of the map: its block, its state, whether it is inside the band; and on how far a run came."""

from __future__ import annotations

from app.ui.block_map.block_map import BlockMapModel
from app.ui.block_map.skip_style import STATE_SKIPS
from app.ui.number_text import fine_duration, percent, stopped_text
from core.base.translate import localized, tr, tr_noop
from core.jobs.edit_result import SkipReason
from core.jobs.grid import BlockState
from core.sequences.sequence import Sequence

STATE_NAMES = {
    BlockState.WAITING: tr_noop("waiting"),
    BlockState.RUNNING: tr_noop("running"),
    BlockState.DONE: tr_noop("done"),
    BlockState.PATH: tr_noop("path"),
    BlockState.FAILED: tr_noop("failed"),
    BlockState.OUTSIDE_BAND: tr_noop("outside the band"),
    BlockState.MONOTONE: tr_noop("passed on unchanged"),
}


def block_text(model: BlockMapModel, a0: int, b0: int, b: Sequence | None = None) -> str:
    """Return what there is to tell of a cell (0-based) of a comparison with ``b``; empty before anything is planned."""
    block, grid = model.block_at(a0, b0), model.grid
    if grid is None:
        return ""
    diagonal = tr("diagonal {number}", number=localized(f"{b0 - a0:+,}"))
    skip = model.inner_skip
    if block is None or not model.block_map.size:
        skip = SkipReason.ENDS
    if block is None or skip is not None:
        assert skip is not None
        return tr("skipped: {reason} · {diagonal}", reason=tr(skip.text), diagonal=diagonal)
    row, col = block
    height, width = model.block_size
    top, left = grid.row0 + row * height, grid.col0 + col * width
    bottom, right = min(top + height, grid.row0 + grid.n_rows), min(left + width, grid.col0 + grid.n_cols)
    state = model.state_at(row, col)
    name = (
        tr("skipped: {reason}", reason=tr(STATE_SKIPS[state].text)) if state in STATE_SKIPS else tr(STATE_NAMES[state])
    )
    of_b = (left + 1, right) if b is None else (b.place(left) + 1, b.place(right - 1) + 1)
    lines = [
        tr("Block {row}, {col}: {state}", row=row + 1, col=col + 1, state=name),
        tr("A {a0} to {a1} · B {b0} to {b1}", a0=top + 1, a1=bottom, b0=of_b[0], b1=of_b[1]),
    ]
    lines += timed_text(model, row, col)
    if model.band is not None:
        inside = model.band.holds(a0, b0)
        lines.append(
            tr("{diagonal}, inside the band", diagonal=diagonal)
            if inside
            else tr("{diagonal}, outside the band", diagonal=diagonal)
        )
    return "\n".join(lines)


def timed_text(model: BlockMapModel, row: int, col: int) -> list[str]:
    """Return how long a block (0-based, of the map) took, when and on which lane, as a line; none where unknown."""
    record = model.record
    if record is None or record.interpolated or not record.ended[row, col]:
        return []
    began, ended = int(record.began[row, col]), int(record.ended[row, col])
    took, since = ((ended - began) * record.seconds_per_tick, began * record.seconds_per_tick)
    lane = tr(record.names[record.by[row, col]])
    return [tr("{lane}, {time} from {since} on", lane=lane, time=fine_duration(took), since=fine_duration(since))]


def until_text(model: BlockMapModel) -> str:
    """Return how far a job came that was stopped: a share of its cells, or what it did before it had any."""
    if model.done_cells:
        return tr("Stopped at {share}", share=percent(model.fraction))
    if model.compiling is not None:
        return tr("Stopped while optimising for this computer")
    return stopped_text(model.stage)
