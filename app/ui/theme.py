"""Colours, fonts and style sheets of both schemes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from string import Template

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QWidget

from wavediff.app.draw.drawing import KIND_COLOURS, Ink, named_colours
from wavediff.core.jobs.difference_index import OP_OF_KIND
from wavediff.core.jobs.grid import BlockState
from wavediff.core.system.program import ROOT


class Scheme(StrEnum):
    """Colour scheme chosen by the user; SYSTEM follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class KindColours:
    """Colours of one kind of difference.

    Attributes:
        strong: of the mark under the letter, of lanes and edges: 3:1 on the surface.
        pale: behind the letter.
        ink: of the letter.
    """

    strong: QColor
    pale: QColor
    ink: QColor


TITLE_RATIO, SMALL_RATIO = 20 / 13, 11 / 13  # to the font of the system

BASES = {"A": "#009e73", "C": "#0072b2", "G": "#f0e442", "T": "#d55e00", "U": "#d55e00"}
OTHER_BASE = "#999999"

NOT_COMPUTED = {BlockState.OUTSIDE_BAND, BlockState.MONOTONE}
STATE_COLOURS = {state: "outside" if state in NOT_COMPUTED else state.name.lower() for state in BlockState}


class Theme(QObject):
    """Current colours; views read attributes when painting, and repaint on ``changed``.

    Attributes:
        dark: whether the scheme is dark.
        Each of ``named_colours`` is an attribute, too: a ``QColor``.

    Signals:
        changed: any colour may have changed.
    """

    changed = Signal()

    window: QColor  # behind everything
    base: QColor  # surface: behind text, tables, pictures
    raised: QColor  # wells, buttons
    text: QColor
    dim: QColor  # less important text, still 4.5:1 on window, surface and tint
    equal_ink: QColor  # equal letters
    mark: QColor  # bars of the match row
    control: QColor  # borders of controls and ticks: 3:1 on the surface
    grid: QColor  # dividers, nothing else
    accent: QColor  # what is chosen, caret, focus, front of the computation
    on_accent: QColor  # text on it
    tint: QColor  # current row, pressed control
    equal: QColor
    mismatch: QColor
    insertion: QColor
    deletion: QColor
    warn: QColor  # ink of a notice that changes an answer
    warn_fill: QColor
    warning: QColor  # fill of a notice
    error: QColor  # fill of a refusal
    error_ink: QColor
    waiting: QColor
    running: QColor
    done: QColor
    outside: QColor  # what was not computed, and its hatch
    hatch: QColor
    band: QColor  # edges of the band
    dark: bool

    def __init__(self, scheme: Scheme = Scheme.SYSTEM) -> None:
        super().__init__()
        self.scheme = scheme
        self._bases = {letter: QColor(code) for letter, code in BASES.items()}
        self._other = QColor(OTHER_BASE)
        self._states: dict[BlockState, QColor] = {}
        self._set_colours(self._wants_dark())
        hints = QGuiApplication.styleHints()
        if hints is not None:
            hints.colorSchemeChanged.connect(self._refresh)

    @property
    def veil(self) -> QColor:
        """Overlay for outdated content, which stays readable."""
        veil = QColor(self.base)
        veil.setAlphaF(0.6)
        return veil

    def follow(self, restyle: Callable[[], object]) -> None:
        """Call ``restyle`` now and whenever a colour changes."""
        self.changed.connect(restyle)
        restyle()

    def set_scheme(self, scheme: Scheme) -> None:
        """Set the scheme; ``changed`` follows if a colour changes."""
        self.scheme = scheme
        self._refresh()

    def toggle(self) -> None:
        self.set_scheme(Scheme.LIGHT if self.dark else Scheme.DARK)

    def ink(self, name: Ink) -> QColor:
        colour: QColor = getattr(self, name)
        return colour

    def base_color(self, letter: str) -> QColor:
        """Return the fill of a DNA or RNA letter, ignoring case; grey for others."""
        return self._bases.get(letter.upper(), self._other)

    def kind(self, op: int) -> KindColours:
        return self._kinds[op]

    @property
    def title_font(self) -> QFont:
        """Semi-bold font of the answer and of the start page's title."""
        return scaled_font(TITLE_RATIO, semi_bold=True)

    @property
    def small_font(self) -> QFont:
        """Font of rulers, table headings, facts and status."""
        return scaled_font(SMALL_RATIO)

    def state_color(self, state: BlockState) -> QColor:
        return self._states[state]

    def ink_on(self, fill: QColor) -> QColor:
        """Return black or white, by contrast with ``fill``."""
        return QColor("#000000") if luminance(fill) > 0.179 else QColor("#ffffff")

    def quieten(self, *widgets: QWidget) -> None:
        """Give ``widgets`` the colour of secondary text."""
        for widget in widgets:
            palette = widget.palette()
            palette.setColor(widget.foregroundRole(), self.dim)
            widget.setPalette(palette)

    def palette(self) -> QPalette:
        palette = QPalette(self.raised, self.window)
        role = QPalette.ColorRole
        for each, colour in (
            (role.Window, self.window), (role.WindowText, self.text), (role.Base, self.base),
            (role.AlternateBase, self.window), (role.Text, self.text), (role.Button, self.raised),
            (role.ButtonText, self.text), (role.BrightText, self.mismatch), (role.ToolTipBase, self.raised),
            (role.ToolTipText, self.text), (role.PlaceholderText, self.dim), (role.Highlight, self.accent),
            (role.HighlightedText, self.on_accent), (role.Link, self.accent), (role.Accent, self.accent),
            (role.Mid, self.control), (role.Midlight, self.grid), (role.Dark, self.control),
        ):  # fmt: skip
            palette.setColor(each, colour)
        faded = QColor(self.dim)
        faded.setAlphaF(0.65)
        for each in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, each, faded)
        palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, self.grid)
        return palette

    @Slot()
    def _refresh(self) -> None:
        dark = self._wants_dark()
        if dark != self.dark:
            self._set_colours(dark)
            self.changed.emit()

    def _wants_dark(self) -> bool:
        if self.scheme is not Scheme.SYSTEM:
            return self.scheme is Scheme.DARK
        hints = QGuiApplication.styleHints()
        return hints is not None and hints.colorScheme() == Qt.ColorScheme.Dark

    def _set_colours(self, dark: bool) -> None:
        self.dark = dark
        colours = named_colours(dark)
        for name, code in colours.items():
            setattr(self, name, QColor(code))
        kinds = {name: KindColours(*map(QColor, three)) for name, three in KIND_COLOURS[dark].items()}
        self._kinds = dict(zip(OP_OF_KIND.values(), kinds.values(), strict=True))
        self._states = {state: QColor(colours[name]) for state, name in STATE_COLOURS.items()}


def scaled_font(ratio: float, semi_bold: bool = False) -> QFont:
    """Return the system font scaled by ``ratio``."""
    font = QGuiApplication.font()
    if font.pixelSize() > 0:
        font.setPixelSize(max(1, round(font.pixelSize() * ratio)))
    else:
        font.setPointSizeF(font.pointSizeF() * ratio)
    if semi_bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def luminance(colour: QColor) -> float:
    """Return the relative luminance of WCAG, 0 (black) to 1 (white)."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of WCAG between two colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


HEADER_CONTROL_PX, BAR_CONTROL_PX, ACTION_PX, CARD_PX = 32, 24, 40, 40  # heights of controls, logical pixels
# A control in the header has the property control="header", an action of the empty window control="action".
# primary="true" is the one control that is to be pressed next.
_SHEET = Template(
    """
QMainWindow, QMenuBar, QStatusBar, QDialog { background: $window; }
QMenuBar { color: $text; } QMenuBar::item { padding: 3px 8px; background: transparent; }
QMenuBar::item:selected, QMenu::item:selected { background: $tint; color: $text; }
QMenu { background: $base; color: $text; border: 1px solid $control; padding: 4px; menu-scrollable: 1; }
QMenu::item { padding: 4px 24px; border-radius: 4px; } QMenu::item:disabled { color: $faded; }
QMenu::separator { height: 1px; background: $grid; margin: 4px; }
QToolBar { border: none; padding: 0; spacing: 0; background: $window; }
QStatusBar { color: $dim; border-top: 1px solid $grid; } QStatusBar::item { border: none; }
QToolTip { background: $raised; color: $text; border: 1px solid $control; padding: 3px; }

QPushButton, QToolButton, QCheckBox, QRadioButton, QTabBar { outline: none; }
QPushButton, QToolButton { color: $text; background: $base; border: 1px solid $control; border-radius: 4px;
    padding: 0 8px; min-height: ${bar}px; }
QToolButton { padding: 0 4px; min-width: 16px; }
QToolButton[autoRaise="true"] { border: 1px solid transparent; background: transparent; }
QPushButton:hover, QToolButton:hover { background: $raised; border-color: $accent; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked, QPushButton:checked { background: $tint;
    border: 1px solid $accent; }
QToolButton[kind="true"] { color: $dim; } QToolButton[kind="true"]:checked { color: $text; background: $raised;
    border: 1px solid $control; } QToolButton[kind="true"]:checked:focus { border: 2px solid $accent; }
QToolButton[kind="true"]:disabled { color: $faded; } QLabel[fact="true"] { border-top: 1px solid $grid; }
QPushButton:disabled, QToolButton:disabled { color: $faded; border-color: $grid; }
QToolButton[autoRaise="true"]:disabled { border-color: transparent; }
QPushButton:focus, QToolButton:focus { border: 2px solid $accent; padding: 0 7px; }
QToolButton:focus { padding: 0 3px; }
*[control="header"] { min-height: ${header}px; } *[control="action"] { min-height: ${action}px; }
*[control="card"] { min-height: ${card}px; text-align: left; }
QPushButton[primary="true"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[primary="true"]:focus { border: 2px solid $text; }
QToolButton::menu-indicator { image: none; width: 0; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit, QTextBrowser { color: $text;
    background: $base; border: 1px solid $control; border-radius: 4px; padding: 0 6px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { min-height: ${inner}px; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus,
    QTextBrowser:focus { border: 2px solid $accent; padding: 0 5px; }
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { color: $faded;
    border-color: $grid; }
QComboBox::drop-down { border: none; width: 20px; } QComboBox::down-arrow { image: url("$icons/down-$scheme.svg"); }
QComboBox QAbstractItemView { background: $base; color: $text; border: 1px solid $control; outline: none;
    selection-background-color: $tint; selection-color: $text; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: 16px; background: transparent; }
QAbstractSpinBox::up-arrow { image: url("$icons/up-$scheme.svg"); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url("$icons/down-$scheme.svg"); width: 12px; height: 12px; }
QCheckBox, QRadioButton { color: $text; spacing: 6px; min-height: ${bar}px; border: 2px solid transparent;
    border-radius: 4px; }
QCheckBox:focus, QRadioButton:focus { border-color: $accent; }
QCheckBox:disabled, QRadioButton:disabled { color: $faded; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $control;
    border-radius: 3px; background: $base; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$icons/tick-$scheme.svg"); }
QRadioButton::indicator:checked { background: $base; border: 5px solid $accent; width: 6px; height: 6px; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $grid; }

QTableView, QTreeView, QListView, QTableWidget, QListWidget { color: $text; background: $base; border: 2px solid $base;
    selection-background-color: $tint; selection-color: $text; alternate-background-color: $base; outline: none; }
QTableView:focus, QTreeView:focus, QListView:focus { border-color: $accent; }
QHeaderView { background: $base; border: none; }
QHeaderView::section { color: $dim; background: $base; border: none; border-bottom: 1px solid $grid; padding: 2px 8px; }
QTableCornerButton::section { background: $base; border: none; }

QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { color: $dim; background: transparent; border: none; border-top: 3px solid transparent;
    padding: 5px 12px; }
QTabBar::tab:selected { color: $text; background: $base; border-top: 3px solid $accent; font-weight: 600; }
QTabBar::tab:hover { color: $text; } QTabBar::tab:focus { border: 2px solid $accent;
    padding: 6px 10px 3px; }
QTabBar::tab:disabled { color: $faded; }

QScrollBar { background: transparent; border: none; } QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $control; border-radius: 3px; margin: 3px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: $dim; } QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: $window; } QSplitter::handle:hover { background: $grid; }
QScrollArea { border: none; background: transparent; } QDialog QScrollArea { border: 2px solid transparent; }
QDialog QScrollArea:focus { border-color: $accent; }
*[surface="true"] { background: $base; } *[tint="true"] { background: $tint; }
QProgressBar { border: none; background: $grid; max-height: 4px; color: transparent; }
QProgressBar::chunk { background: $accent; }
QGroupBox { border: none; font-weight: 600; padding-top: 20px; } QGroupBox::title { subcontrol-origin: margin; }
"""
)


def style_sheet(theme: Theme) -> str:
    colours = {name: value.name() for name, value in vars(theme).items() if isinstance(value, QColor)}
    return _SHEET.substitute(
        colours,
        icons=(ROOT / "resources" / "icons").as_posix(),
        scheme="dark" if theme.dark else "light",
        faded=theme.palette().color(theme.palette().ColorGroup.Disabled, theme.palette().ColorRole.Text).name(),
        header=HEADER_CONTROL_PX - 2,
        action=ACTION_PX - 2,
        card=CARD_PX - 2,
        bar=BAR_CONTROL_PX - 2,
        inner=BAR_CONTROL_PX - 2,
    )
