"""Numbers as a person reads them; one place, so that every view says the same."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QLocale

from app.ui.comparison import Comparison
from core.jit.background_compile import STAGE
from core.jobs.events import Progress

LOCALE = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)  # the texts are English, so are the numbers

# What a job does before it has computed a cell, by kernel.
STAGE_NAMES = {
    "encode": "encoding the letters",
    "seeds": "looking for common stretches",
    "diagonals": "following the diagonals",
    "blocks": "computing the first cells",
    "upload": "copying to the graphics card",
    "allocate": "reserving memory",
}


def grouped(number: float) -> str:
    """Return a number with thousands grouped, with two decimals at most."""
    if number == int(number):
        return LOCALE.toString(int(number))
    return LOCALE.toString(float(number), "f", 2).rstrip("0")


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
    parts = [outcome.method.headline(result)]
    alike = outcome.method.alike(result, n, m)
    if alike is not None and n + m:
        formula, share = alike
        parts.append(f"{formula} = {percent(share)}")
    return " · ".join([*parts, duration(result.wall_seconds)])


def answer_text(outcome: Comparison) -> str:
    """Return the bare answer in a sentence, for where there is no alignment to show."""
    return outcome.method.without_path(outcome.result)


def plain_tip(text: str) -> str:
    """Return a tool tip that shows ``text`` as it is, whatever mark-up a header holds."""
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if text else ""
