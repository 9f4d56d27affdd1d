"""Words and figures of a run: what was computed of the matrix and why, how fast, where, and by which strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.ui.block_map.block_map import BlockMapModel, Phase
from app.ui.comparison import Comparison
from app.ui.devices import DeviceModel
from app.ui.number_text import duration, percent, speed
from core.base.translate import number, tr, tr_n, tr_noop
from core.methods.base import TracebackMethod
from core.run.memory_estimate import estimate_memory
from core.system.machine import cores

# Of a matrix or a shortcut that is computed, by strategy.
_SENTENCES = {
    "common-ends": tr_noop("No cell computed: all but one gap is the same at both ends"),
    "subsequence": tr_noop("No cell computed: the shorter one lies in the longer, letter by letter"),
    "disjoint": tr_noop("No cell computed: no letter occurs in both"),
    "diagonals": tr_noop("Found directly along the diagonals, without the matrix"),
    "free-ends": tr_noop("Every cell computed for where the best part ends, then the part itself"),
    "hirschberg": tr_noop("Whole matrix, in halves and halves of these: least memory"),
}
_FULL = (
    ("as chosen", tr_noop("Whole matrix, as chosen: no block is skipped")),
    ("too small", tr_noop("Whole matrix computed: too small for a shortcut to pay")),
    ("every cell", tr_noop("Whole matrix computed: this method has no shortcut")),
    ("too different", tr_noop("Whole matrix computed: too different for a shortcut")),
)
_TRACEBACKS = {
    TracebackMethod.BLOCKS: tr_noop("the blocks on the path, computed again"),
    TracebackMethod.HIRSCHBERG: tr_noop("by halves, in little memory"),
    TracebackMethod.NONE: tr_noop("not computed"),
}
# What is done, in words; names and reasons are in the tip.
_STRATEGIES = {
    "full": tr_noop("every cell of the matrix"),
    "band": tr_noop("only diagonals that the path can be on"),
    "sudo": tr_noop("only diagonals within the differences letter under letter"),
    "diagonals": tr_noop("from difference to difference along the diagonals"),
    "common-ends": tr_noop("equal letters at both ends, between which nothing is left"),
    "subsequence": tr_noop("the letters of the shorter one looked up in the longer"),
    "disjoint": tr_noop("no letter in common, so nothing to compute"),
    "free-ends": tr_noop("every cell for where the best part ends, then that part"),
    "hirschberg": tr_noop("every cell, in halves and halves of these"),
}
_TERMS = {
    "sudo": tr_noop("As Sudo and Shinohara (2009) have it: the Hamming distance of the prefixes is an upper bound"),
}
LEAST_CELLS_A_SECOND = 1e6  # below this it is the start of a kernel that takes the time


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: what it is, and what it is here; ``tip`` has the figures and the terms behind it."""

    name: str
    value: str
    tip: str = ""


def computed_text(model: BlockMapModel, outcome: Comparison | None) -> str:
    """Return in one sentence what is computed of the matrix, and why no more or less; empty while that is not known."""
    strategy, reason = (model.strategy, model.reason) if outcome is None else _chosen(outcome)
    if strategy in _SENTENCES:
        return tr(_SENTENCES[strategy])
    if strategy == "full":
        plain = (tr(text) for begin, text in _FULL if reason.startswith(begin))
        return next(plain, tr("Whole matrix computed: {reason}", reason=tr(reason)))
    if model.band is None:
        return f"{strategy}: {tr(reason)}" if strategy else ""
    n, exact = model.band.n_diagonals, getattr(getattr(outcome, "result", None), "exact", outcome is not None)
    if outcome is None:
        return tr_n("Band of {n} diagonal", "Band of {n} diagonals", n)
    if exact:
        return tr_n("Band of {n} diagonal, proven wide enough", "Band of {n} diagonals, proven wide enough", n)
    return tr_n("Band of {n} diagonal, too narrow for a proof", "Band of {n} diagonals, too narrow for a proof", n)


def _chosen(outcome: Comparison) -> tuple[str, str]:
    return outcome.result.strategy, outcome.result.reason


def facts_of(model: BlockMapModel, outcome: Comparison | None, devices: DeviceModel) -> list[Fact]:
    """Return the figures of the run that ``model`` shows; of its ``outcome`` once there is one."""
    if model.phase is Phase.IDLE:
        return []
    if outcome is None:
        found = [Fact(tr("Cells"), number(model.n_cells))]
        if model.done_cells:
            found.append(Fact(tr("Speed"), speed(model.gcups)))
        return [*found, *_device(devices, 0)]
    result, job = outcome.result, outcome.job
    return [
        *_work(outcome),
        *([Fact(tr("Speed"), speed(result.cells / result.kernel_seconds / 1e9))] if _has_speed(result) else []),
        Fact(
            tr("Time"),
            tr("{cells} for the cells, {all} in all", cells=duration(result.kernel_seconds),
               all=duration(result.wall_seconds)),
        ),
        *_memory(job),
        *_device(devices, job.threads),
        Fact(tr("Traceback"), tr(_TRACEBACKS[job.path])),
        *_bands(outcome),
        Fact(tr("Strategy"), tr(_STRATEGIES.get(result.strategy, result.strategy)), _strategy_tip(result)),
    ]  # fmt: skip


def _has_speed(result: Any) -> bool:
    return bool(result.kernel_seconds > 0 and result.cells / result.kernel_seconds >= LEAST_CELLS_A_SECOND)


def _work(outcome: Comparison) -> list[Fact]:
    """Return the cells that were computed, and those that were not."""
    result = outcome.result
    skips = [skip for skip in outcome.method.skips(result) or () if skip.cells]
    if not skips or not result.n_cells:
        return [Fact(tr("Cells"), number(result.cells or result.n_cells))]
    skipped = sum(skip.cells for skip in skips)
    inside = percent((result.n_cells - skipped) / result.n_cells)
    reasons = ", ".join(tr(skip.reason.text) for skip in skips)
    return [
        Fact(tr("Computed"), tr("{share} of the matrix", share=inside)),
        Fact(tr("Skipped"), tr("{share}: {reasons}", share=percent(skipped / result.n_cells), reasons=reasons)),
    ]


def _memory(job: Any) -> list[Fact]:
    found = estimate_memory(job)
    if found is None:
        return []
    most = found.most + job.n_letters
    size = tr("{n} GB", n=number(most / 1e9, 1)) if most >= 1e8 else tr("{n} MB", n=number(max(most / 1e6, 0.1), 1))
    return [Fact(tr("Memory"), tr("up to {size}: letters, borders of the blocks, path", size=size))]


def _device(devices: DeviceModel, threads: int) -> list[Fact]:
    chosen = devices.chosen
    if chosen is None:
        return []
    if chosen.device == "cpu":
        where = tr_n("CPU, {n} thread", "CPU, {n} threads", threads or cores())
    else:
        where = str(devices.card) if devices.card is not None else tr("GPU")
    whole = tr("{device}: {reason}", device=where, reason=tr(chosen.reason)) if chosen.reason else where
    short, *figures = whole.split(" (", 1)  # lengths and times would take a second line
    return [Fact(tr("Device"), short, whole if figures else "")]


def _strategy_tip(result: Any) -> str:
    """Return what the strategy is called, why it was chosen, and the term of the field where there is one."""
    terms = [tr(_TERMS[result.strategy])] if result.strategy in _TERMS else []
    return "\n".join([": ".join(filter(None, (result.strategy, tr(result.reason)))), *terms])


def _bands(outcome: Comparison) -> list[Fact]:
    """Return what each band gave, where one was not enough."""
    bands = outcome.method.bands(outcome.result)
    if len(bands) < 2:
        return []
    tried = (
        tr("k = {k}: {n}, proven", k=band.threshold, n=band.distance)
        if band.proven
        else tr("k = {k}: at most {n}", k=band.threshold, n=band.distance)
        for band in bands
    )
    return [Fact(tr("Bands tried"), " · ".join(tried))]
