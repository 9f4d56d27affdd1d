"""Display of numbers, names and current activity, shared by all views."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import takewhile

from PySide6.QtCore import QLocale

from wavediff.app.ui.kernel_names import kernel_name
from wavediff.core.base.numbers import number
from wavediff.core.base.numbers import percent as percent
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.events import Progress

LOCALE = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)  # where the system has no other

# What a job does before it has computed a cell, by kernel.
STAGES = {
    "encode": "Preparing the letters",
    "seeds": "Searching for common regions",
    "diagonals": "Following the diagonals",
    "upload": "Copying to the graphics card",
    "allocate": "Reserving memory",
}

STEP_SECONDS = {1: 5, 2: 6, 3: 9, 4: 3}  # that a step of a first start takes on an AMD EPYC (Zen 4)


def as_wide_as(most: int) -> int:
    """Return a number as wide as any up to ``most``: its digits are the widest."""
    return int("8" * len(str(most)))


def grouped(value: float) -> str:
    """Format a value with grouped thousands and at most two decimals."""
    if value == int(value):
        return number(int(value))
    digits = 1 if round(value, 2) == round(value, 1) else 2
    return number(value, digits)


def rough_duration(seconds: float) -> str:
    """Format an estimated duration, rounded: seconds, tens of seconds, minutes."""
    if seconds < 59.5:
        return f"{number(max(1, round(seconds)))} s"
    if seconds < 595:
        minutes, rest = divmod(round(seconds / 10) * 10, 60)
        return f"{number(minutes)} min {number(rest)} s" if rest else f"{number(minutes)} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{number(hours)} h {number(minutes)} min" if hours else f"{number(minutes)} min"


def stage_text(kernel: str) -> str:
    """Describe the activity of a job while ``kernel`` runs; empty: before the first."""
    return f"{STAGES.get(kernel, 'Comparing')}…"


def stopped_text(kernel: str) -> str:
    """Describe a job stopped in ``kernel`` before computing any cell."""
    doing = STAGES.get(kernel)
    return stopped_while(doing) if doing else "Stopped before anything was computed"


def stopped_while(doing: str) -> str:
    return f"Stopped while {doing[:1].lower()}{doing[1:]}"


def compiling_text(progress: Progress) -> str:
    """Describe the compilation: a step of the first start, or the kernel of a method not used before."""
    if not progress.total:
        name = kernel_name(progress.stage.removeprefix(STAGE).strip())
        return ": ".join(filter(None, (compiling_stage(progress), name)))
    return f"{compiling_stage(progress)}, step {number(progress.done)} of {number(progress.total)}"


def compiling_stage(progress: Progress) -> str:
    return "Optimising for this computer" if progress.total else "Compiling for the first use"


def compiling_left(progress: Progress, seconds: float) -> str:
    """Return the estimated time left, ``seconds`` after a compilation step began; empty if exceeded."""
    left = STEP_SECONDS.get(progress.done, 0) - seconds
    return f"about {rough_duration(left)}" if left > 0 else ""


def plain_tip(text: str) -> str:
    """Return a tooltip that shows ``text`` literally, without markup."""
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if text else ""


def shared_start(names: Sequence[str]) -> str:
    """Return the common prefix of all names, cut after a non-alphanumeric character."""
    ends = zip(min(names, default=""), max(names, default=""), strict=False)
    begin = "".join(one for one, other in takewhile(lambda both: both[0] == both[1], ends))
    while begin[-1:].isalnum():
        begin = begin[:-1]
    return begin
