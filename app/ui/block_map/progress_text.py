"""Progress of a job in one line."""

from __future__ import annotations

from app.ui.block_map.block_map import BlockMapModel, Phase
from app.ui.number_text import (
    compiling_text,
    duration,
    grouped,
    percent,
    rough_duration,
    speed,
    stage_text,
    stopped_text,
)
from core.translate import tr


def progress_text(model: BlockMapModel) -> str:
    """Return one line on how far the job is, how fast and how long it will still take."""
    match model.phase:
        case Phase.IDLE:
            return ""
        case Phase.RUNNING if model.compiling is not None:
            return compiling_text(model.compiling)
        case Phase.RUNNING if model.grid is None:
            return stage_text(model.stage)
        case Phase.RUNNING:
            parts = [tr("{share} of {cells} cells", share=percent(model.fraction), cells=grouped(model.planned_cells))]
            parts += [speed(model.gcups)] if model.done_cells else []
            left = model.seconds_left
            parts += [tr("about {time} left", time=rough_duration(left))] if left is not None else []
            return " · ".join(parts)
        case Phase.STOPPED:
            return until_text(model)
        case Phase.FAILED:
            return tr("Failed")
        case _ if model.done_cells:
            cells = grouped(model.done_cells)
            time = duration(model.busy_seconds)
            return tr("{cells} cells in {time}, {speed}", cells=cells, time=time, speed=speed(model.gcups))
        case _:
            return tr("No cell had to be computed")


def until_text(model: BlockMapModel) -> str:
    """Return how far a job came that was stopped: a share of its cells, or what it did before it had any."""
    if model.done_cells:
        return tr("Stopped at {share}", share=percent(model.fraction))
    if model.compiling is not None:
        return tr("Stopped while optimising for this computer")
    return stopped_text(model.stage)
