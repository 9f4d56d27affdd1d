"""Numbers as a person reads them, and what a run does just now; one place, so that every view says the same."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QLocale

from core.base.translate import number, tr, tr_noop
from core.base.translate import percent as percent
from core.jobs.events import Progress

LOCALE = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)  # where the system has no other

# What a job does before it has computed a cell, by kernel: while it does, and when it was stopped.
STAGES = {
    "encode": (tr_noop("Preparing the letters…"), tr_noop("Stopped while the letters were prepared")),
    "seeds": (tr_noop("Looking for common stretches…"), tr_noop("Stopped while looking for common stretches")),
    "diagonals": (tr_noop("Following the diagonals…"), tr_noop("Stopped while following the diagonals")),
    "blocks": (tr_noop("Comparing…"), tr_noop("Stopped before the first cells were computed")),
    "upload": (tr_noop("Copying to the graphics card…"), tr_noop("Stopped while copying to the graphics card")),
    "allocate": (tr_noop("Reserving memory…"), tr_noop("Stopped while memory was reserved")),
    "": (tr_noop("Comparing…"), tr_noop("Stopped before anything was computed")),
}

STEP_SECONDS = {1: 5, 2: 6, 3: 9, 4: 3}  # that a step of a first start takes on an AMD EPYC (Zen 4)


def as_wide_as(most: int) -> int:
    """Return a number that takes as much room as any up to ``most``: its digits are the widest ones."""
    return int("8" * len(str(most)))


def grouped(value: float) -> str:
    """Return a number with thousands grouped, with two decimals at most."""
    if value == int(value):
        return number(int(value))
    digits = 1 if round(value, 2) == round(value, 1) else 2
    return number(value, digits)


def duration(seconds: float) -> str:
    if seconds < 0.0995:
        return tr("{value} ms", value=number(seconds * 1000, 1 if seconds < 0.00995 else 0))
    if seconds < 59.5:
        return tr("{value} s", value=number(seconds, 2 if seconds < 1 else 1))
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return tr("{hours} h {minutes:02d} min", hours=hours, minutes=minutes)
    return tr("{minutes} min {seconds:02d} s", minutes=minutes, seconds=rest)


def fine_duration(seconds: float) -> str:
    """As ``duration``, also of what takes less than a tenth of a millisecond, as a block does."""
    return tr("{value} µs", value=number(seconds * 1e6, 0)) if 0 < seconds < 0.0001 else duration(seconds)


def rough_duration(seconds: float) -> str:
    """Return a time that is only guessed, without what nobody knows: whole seconds, then tens of them, then minutes."""
    if seconds < 59.5:
        return tr("{value} s", value=number(max(1, round(seconds))))
    if seconds < 595:
        minutes, rest = divmod(round(seconds / 10) * 10, 60)
        return tr("{minutes} min {seconds} s", minutes=minutes, seconds=rest) if rest else tr("{n} min", n=minutes)
    hours, minutes = divmod(round(seconds / 60), 60)
    return tr("{hours} h {minutes} min", hours=hours, minutes=minutes) if hours else tr("{n} min", n=minutes)


def speed(gcups: float) -> str:
    """Return 10^9 cells a second, with the digits that mean something."""
    return tr("{value} GCUPS", value=speed_figure(gcups))


def speed_figure(gcups: float) -> str:
    """Return the figure of ``speed`` alone."""
    return number(gcups, 0 if gcups >= 100 else 1 if gcups >= 1 else 3)


def stage_text(kernel: str) -> str:
    """Return what a job does while ``kernel`` of it runs; empty: before any."""
    return tr(STAGES.get(kernel, STAGES[""])[0])


def stopped_text(kernel: str) -> str:
    """Return that a job was stopped while ``kernel`` of it ran, before it had computed a cell."""
    return tr(STAGES.get(kernel, STAGES[""])[1])


def compiling_text(progress: Progress) -> str:
    """Return what is waited for; happens once a computer and version."""
    return tr("Optimising for this computer, step {step} of {total}", step=progress.done, total=progress.total)


def compiling_left(progress: Progress, seconds: float) -> str:
    """Return how long its step is likely to take still, ``seconds`` after it began; empty where that is over."""
    left = STEP_SECONDS.get(progress.done, 0) - seconds
    return tr("about {time}", time=rough_duration(left)) if left > 0 else ""


def plain_tip(text: str) -> str:
    """Return a tool tip that shows ``text`` as it is, whatever mark-up a header holds."""
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if text else ""
