"""All colours of the program in one object that follows the system's light or dark."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPalette

from core.jobs.grid import BlockState
from core.results.edit import SkipReason


class Scheme(StrEnum):
    """Colour scheme that the person chose; SYSTEM follows the desktop live."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colours:
    """One scheme, as ``#rrggbb``.

    ``equal``, ``mismatch``, ``insertion`` and ``deletion`` are fills; yellow is no colour for a
    text or a thin line on white, so each has its own mark beside the colour wherever it is used.
    """

    window: str  # behind everything
    base: str  # behind text, tables, pictures
    raised: str  # buttons, cards
    text: str
    dim: str  # less important text, still 4.5:1 on window and base
    grid: str  # thin lines
    accent: str  # selection, links, progress
    equal: str
    mismatch: str
    insertion: str
    deletion: str
    warning: str  # fill of a notice
    error: str  # fill of a refusal
    waiting: str
    running: str
    done: str
    path: str
    outside: str
    failed: str
    monotone: str
    ends: str  # fills of what was not computed; each has its hatch too, drawn in ``hatch``
    subsequence: str
    probe: str
    hatch: str
    band: str  # edges of the band


# The four differences and the bases are the colour-blind safe set of Okabe and Ito. States of a
# block differ in brightness too (waiting < done < running < path away from the background) and in
# their mark.
LIGHT = Colours(
    window="#f5f6f8", base="#ffffff", raised="#fcfcfd", text="#1c2127", dim="#5b6470", grid="#d5dae1",
    accent="#1f5fbf", equal="#bbbbbb", mismatch="#d55e00", insertion="#0072b2", deletion="#f0e442",
    warning="#fff3d1", error="#fde2dd",
    waiting="#e3e7ed", running="#e08a00", done="#97c3e8", path="#123a63", outside="#f3f4f6", failed="#c0281b",
    monotone="#ece2f3", ends="#e1f0e6", subsequence="#f8e9dc", probe="#dcf0f0", hatch="#aab2bd", band="#a3206e",
)  # fmt: skip
DARK = Colours(
    window="#1d2025", base="#16181c", raised="#272b31", text="#e7eaee", dim="#a0a8b3", grid="#3a4049",
    accent="#6ea8ff", equal="#6d737b", mismatch="#e8702a", insertion="#3d9fdc", deletion="#f0e442",
    warning="#4a3c12", error="#55211b",
    waiting="#2b3038", running="#f59411", done="#31699c", path="#a9d4ff", outside="#1b1e23", failed="#ff6a59",
    monotone="#33293d", ends="#1f3329", subsequence="#3a2d22", probe="#1c3437", hatch="#59616c", band="#ff7ac0",
)  # fmt: skip

BASES = {"A": "#009e73", "C": "#0072b2", "G": "#f0e442", "T": "#d55e00", "U": "#d55e00"}
OTHER_BASE = "#999999"

STATE_COLOURS: dict[BlockState, str] = {
    BlockState.WAITING: "waiting",
    BlockState.RUNNING: "running",
    BlockState.DONE: "done",
    BlockState.PATH: "path",
    BlockState.OUTSIDE_BAND: "outside",
    BlockState.FAILED: "failed",
    BlockState.MONOTONE: "monotone",
}
SKIP_COLOURS: dict[SkipReason, str] = {
    SkipReason.ENDS: "ends",
    SkipReason.SUBSEQUENCE: "subsequence",
    SkipReason.DISJOINT: "subsequence",
    SkipReason.DIAGONALS: "probe",
    SkipReason.BAND: "outside",
    SkipReason.MONOTONE: "monotone",
}


class Theme(QObject):
    """The colours of now; views read attributes when they paint and repaint on ``changed``.

    Attributes:
        dark: whether the present scheme is the dark one.
        window, base, raised, text, dim, grid, accent, equal, mismatch, insertion, deletion,
        warning, error, hatch, band: ``QColor``, see ``PixelColours``.

    Signals:
        changed: every colour may be another one now.
    """

    changed = Signal()

    window: QColor
    base: QColor
    raised: QColor
    text: QColor
    dim: QColor
    grid: QColor
    accent: QColor
    equal: QColor
    mismatch: QColor
    insertion: QColor
    deletion: QColor
    warning: QColor
    error: QColor
    hatch: QColor
    band: QColor
    dark: bool

    def __init__(self, scheme: Scheme = Scheme.SYSTEM, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scheme = scheme
        self._bases = {letter: QColor(code) for letter, code in BASES.items()}
        self._other = QColor(OTHER_BASE)
        self._states: dict[BlockState, QColor] = {}
        self._skips: dict[SkipReason, QColor] = {}
        self._take(self._wants_dark())
        hints = QGuiApplication.styleHints()
        if hints is not None:
            hints.colorSchemeChanged.connect(self._system_changed)

    @property
    def veil(self) -> QColor:
        """Laid over what is of before: it can still be read, and looks like nothing of now."""
        veil = QColor(self.base)
        veil.setAlphaF(0.6)
        return veil

    @property
    def scheme(self) -> Scheme:
        return self._scheme

    def set_scheme(self, scheme: Scheme) -> None:
        """Choose light, dark or the system's; ``changed`` follows when that changes a colour."""
        self._scheme = scheme
        self._refresh()

    def toggle(self) -> None:
        """Go from what is seen now to the other one, and stay there."""
        self.set_scheme(Scheme.LIGHT if self.dark else Scheme.DARK)

    def base_color(self, letter: str) -> QColor:
        """Return the fill of a letter of DNA or RNA, whatever its case; grey for all others."""
        return self._bases.get(letter.upper(), self._other)

    def state_color(self, state: BlockState) -> QColor:
        return self._states[state]

    def skip_color(self, reason: SkipReason) -> QColor:
        return self._skips[reason]

    def ink_on(self, fill: QColor) -> QColor:
        """Return black or white, whichever reads better on ``fill``."""
        return QColor("#000000") if luminance(fill) > 0.179 else QColor("#ffffff")

    def palette(self) -> QPalette:
        """Return Qt's palette for the present scheme."""
        palette = QPalette(self.raised, self.window)
        role = QPalette.ColorRole
        for each, colour in (
            (role.Window, self.window), (role.WindowText, self.text), (role.Base, self.base),
            (role.AlternateBase, self.window), (role.Text, self.text), (role.Button, self.raised),
            (role.ButtonText, self.text), (role.BrightText, self.mismatch), (role.ToolTipBase, self.raised),
            (role.ToolTipText, self.text), (role.PlaceholderText, self.dim), (role.Highlight, self.accent),
            (role.HighlightedText, self.ink_on(self.accent)), (role.Link, self.accent),
            (role.Accent, self.accent), (role.Mid, self.grid), (role.Midlight, self.grid.lighter(105)),
        ):  # fmt: skip
            palette.setColor(each, colour)
        faded = QColor(self.dim)
        faded.setAlphaF(0.65)
        for each in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, each, faded)
        palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, self.grid)
        return palette

    @Slot()
    def _system_changed(self) -> None:
        self._refresh()

    def _refresh(self) -> None:
        dark = self._wants_dark()
        if dark != self.dark:
            self._take(dark)
            self.changed.emit()

    def _wants_dark(self) -> bool:
        if self._scheme is not Scheme.SYSTEM:
            return self._scheme is Scheme.DARK
        hints = QGuiApplication.styleHints()
        return hints is not None and hints.colorScheme() == Qt.ColorScheme.Dark

    def _take(self, dark: bool) -> None:
        self.dark = dark
        colours = DARK if dark else LIGHT
        for field in fields(Colours):
            setattr(self, field.name, QColor(getattr(colours, field.name)))
        self._states = {state: QColor(getattr(colours, name)) for state, name in STATE_COLOURS.items()}
        self._skips = {reason: QColor(getattr(colours, name)) for reason, name in SKIP_COLOURS.items()}


def luminance(colour: QColor) -> float:
    """Return the relative luminance of WCAG, 0 (black) to 1 (white)."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of WCAG between two colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
