"""Numbers as a person reads them; one place, so that every view says the same."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QLocale

from app.ui.comparison import Comparison
from core.jit.background_compile import STAGE
from core.jobs.events import Progress
from core.results.edit import EditResult
from core.results.identity import of_distance, of_lengths
from core.results.swap_edit import SwapEditResult

LOCALE = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)  # the texts are English, so are the numbers

# What a job does before it has computed a cell, by kernel.
STAGE_NAMES = {
    "encode": "encoding the letters",
    "seeds": "looking for common stretches",
    "probe": "following the diagonals",
    "blocks": "computing the first cells",
    "upload": "copying to the graphics card",
    "allocate": "reserving memory",
}


def grouped(number: int) -> str:
    """Return an integer with thousands grouped."""
    return LOCALE.toString(number)


def percent(fraction: float) -> str:
    """Return e.g. ``43 %`` or, where that hides something, ``0.04 %``; never 100 % before the end."""
    value = 100 * fraction
    if value in (0, 100):
        return f"{value:.0f} %"
    digits = 3 if value < 0.01 else 2 if value < 0.1 else 1 if value < 10 or value > 99 else 0
    return LOCALE.toString(min(value, 99.9), "f", digits) + " %"


def duration(seconds: float) -> str:
    if seconds < 0.0995:
        return LOCALE.toString(seconds * 1000, "f", 1 if seconds < 0.00995 else 0) + " ms"
    if seconds < 59.5:
        return LOCALE.toString(seconds, "f", 2 if seconds < 1 else 1) + " s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def speed(gcups: float) -> str:
    """Return 10^9 cells a second, with the digits that mean something."""
    return LOCALE.toString(gcups, "f", 0 if gcups >= 100 else 1 if gcups >= 1 else 3) + " GCUPS"


def stage_text(kernel: str) -> str:
    """Return what a job does while ``kernel`` of it runs, empty: before any, in words that follow "while"."""
    return STAGE_NAMES.get(kernel, "getting ready")


def compiling_text(progress: Progress) -> str:
    """Return what is waited for; happens once a machine and version."""
    kernel = progress.stage.removeprefix(STAGE).strip()
    ready = f" · {progress.done} ready" if progress.done else ""  # not all of them are waited for
    return f"Compiling kernels, once for this machine: {kernel}{ready}"


def headline_text(outcome: Comparison | None) -> str:
    """Return the answer in one line: the number, and how alike that makes the pair."""
    if outcome is None:
        return ""
    n, m, result = len(outcome.a), len(outcome.b), outcome.result
    seconds = duration(result.wall_seconds)
    if isinstance(result, EditResult):
        worth = "exact" if result.exact else "upper bound, not proven"
        alike = f" · 1 − d/max(n, m) = {percent(of_distance(result.distance, n, m))}" if n + m else ""
        return f"Edit distance {'' if result.exact else '≤ '}{grouped(result.distance)} ({worth}){alike} · {seconds}"
    if isinstance(result, SwapEditResult):
        return f"{_swaps_text(result)} · {seconds}"
    alike = f" · 2·LCS/(n+m) = {percent(of_lengths(result.length, n, m))}" if n + m else ""
    return f"LCS {grouped(result.length)} letters{alike} · {seconds}"


def _swaps_text(result: SwapEditResult) -> str:
    """Return the distance, and what swaps change of it."""
    one, other = result.distance_with_swaps, result.distance_without_swaps
    if one is None or other is None:
        return f"Edit distance {'with' if other is None else 'without'} swaps {grouped(result.distance)}"
    n = 0 if result.swaps is None else len(result.swaps)
    parts = [f"Edit distance with swaps {grouped(one)}", f"without {grouped(other)}"]
    if one == other:
        return f"{parts[0]} · without too, no swap saves anything"
    if n or result.distance == one:  # the first number is that of the alignment that is shown
        return " · ".join([*parts, f"{grouped(other - one)} saved by {grouped(n)} swap{'' if n == 1 else 's'}"])
    parts = [f"Edit distance without swaps {grouped(other)}", f"with them {grouped(one)}"]
    return " · ".join([*parts, f"{grouped(other - one)} fewer"])


def answer_text(outcome: Comparison) -> str:
    """Return the bare answer in a sentence, for where there is no alignment to show."""
    result = outcome.result
    if isinstance(result, EditResult):
        said = "The edit distance is" if result.exact else "The edit distance is at most"
        return f"{said} {grouped(result.distance)} (distance only – traceback not computed)"
    if isinstance(result, SwapEditResult):
        return f"{_swaps_text(result)} (distance only – traceback not computed)"
    return f"The longest common subsequence has {grouped(result.length)} letters"


def plain_tip(text: str) -> str:
    """Return a tool tip that shows ``text`` as it is, whatever mark-up a header holds."""
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if text else ""
