"""Progress of a job in one line."""

from __future__ import annotations

from app.ui.block_map.block_map import BlockMapModel, Phase
from app.ui.number_text import compiling_text, duration, grouped, percent, speed, stage_text


def progress_text(model: BlockMapModel) -> str:
    """Return one line on how far the job is, how fast and how long it will still take."""
    share = f"{percent(model.share)} of {grouped(model.n_cells)} cells"
    match model.phase:
        case Phase.IDLE:
            return "Nothing is running"
        case Phase.RUNNING if model.compiling is not None:
            return compiling_text(model.compiling)
        case Phase.RUNNING if model.grid is None:
            return f"{stage_text(model.stage).capitalize()}…"
        case Phase.RUNNING:
            left = model.seconds_left
            whole = model.share >= model.fraction - 0.005  # no band: the two shares are one
            parts = (
                [f"{percent(model.fraction)} of {grouped(model.n_cells)} cells"]
                if whole
                else [percent(model.fraction), share]
            )
            parts += [speed(model.gcups)] if model.done_cells else []
            parts += [f"{duration(left)} left"] if left is not None else []
            return " · ".join(parts)
        case Phase.STOPPED:
            return f"Stopped {until_text(model)}" + (f" · {share}" if model.done_cells else "")
        case Phase.FAILED:
            return f"Failed {until_text(model)}" + (f" · {share}" if model.done_cells else "")
        case Phase.DONE if model.done_cells:
            return f"Done · computed {share} in {duration(model.busy_seconds)} · {speed(model.gcups)}"
        case _:
            return "Done"


def until_text(model: BlockMapModel) -> str:
    """Return how far a job came that did not end: a share of its cells, or what it did before it had any."""
    if model.done_cells:
        return f"at {percent(model.fraction)}"
    return "while compiling kernels" if model.compiling is not None else f"while {stage_text(model.stage)}"
