"""The style sheet of all controls: one size, one border and one focus ring, in the colours of the theme."""

from __future__ import annotations

from string import Template

from PySide6.QtGui import QColor

from wavediff.app.ui.theme import Theme
from wavediff.core.system.program import ROOT

HEADER_CONTROL_PX, BAR_CONTROL_PX, ACTION_PX, CARD_PX = 32, 24, 40, 40  # heights of controls, logical pixels
# A control in the header has the property control="header", an action of the empty window control="action".
# primary="true" is the one control that is to be pressed next.
_SHEET = Template(
    """
QMainWindow, QMenuBar, QStatusBar, QDialog { background: $window; }
QMenuBar { color: $text; } QMenuBar::item { padding: 3px 8px; background: transparent; }
QMenuBar::item:selected, QMenu::item:selected { background: $tint; color: $text; }
QMenu { background: $base; color: $text; border: 1px solid $control; padding: 4px; }
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
QTabBar::tab:hover { color: $text; } QTabBar::tab:focus { border: 2px solid $accent; }
QTabBar::tab:disabled { color: $faded; }

QScrollBar { background: transparent; border: none; } QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $control; border-radius: 3px; margin: 3px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: $dim; } QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: $window; } QSplitter::handle:hover { background: $grid; }
QScrollArea { border: none; background: transparent; } *[surface="true"] { background: $base; }
*[tint="true"] { background: $tint; }
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
