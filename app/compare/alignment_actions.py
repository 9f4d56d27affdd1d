"""Actions of the alignment view: its bar, its context menu and its keys come from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from wavediff.app.compare.alignment_copy import CopyFormat
from wavediff.app.compare.cell_styles import Colouring


@dataclass(frozen=True, slots=True)
class AlignmentAction:
    """One action; ``short`` stands on a button.

    Its keys answer in the whole window where ``everywhere``, but for those that are typed into a field, else while the
    focus is in the view: other views copy with the same key.
    """

    id: str
    text: str
    short: str
    keys: tuple[str, ...] = ()
    checkable: bool = False
    everywhere: bool = False


ENTRIES = (
    AlignmentAction("first_difference", "First difference", "First", ("Alt+Home",), everywhere=True),
    AlignmentAction(
        "previous_difference", "Previous difference", "Previous", ("Alt+Up", "F7", "Shift+N"), everywhere=True
    ),
    AlignmentAction("next_difference", "Next difference", "Next", ("Alt+Down", "F8", "N"), everywhere=True),
    AlignmentAction("last_difference", "Last difference", "Last", ("Alt+End",), everywhere=True),
    AlignmentAction("go_back", "Back", "←", ("Alt+Left",), everywhere=True),
    AlignmentAction("go_forward", "Forward", "→", ("Alt+Right",), everywhere=True),
    AlignmentAction("focus_go_to", "Go to…", "Go to", ("Ctrl+L",), everywhere=True),
    AlignmentAction("copy", "Copy as aligned FASTA", "Copy", ("Ctrl+C",)),
    AlignmentAction("select_all", "Select all", "All", ("Ctrl+A",)),
    AlignmentAction("set_wrapped", "Wrap lines", "Wrap", (), True),
    AlignmentAction("set_b_ruler", "Ruler of B", "Ruler", (), True),
    AlignmentAction("set_strip_folded", "Fold the zoom strip", "Fold", ("F9",), True, True),
    AlignmentAction("smaller", "Smaller letters", "A−"),
    AlignmentAction("larger", "Larger letters", "A+"),
)


def build_actions(
    owner: QWidget, slots: Mapping[str, Callable[..., object]], entries: Iterable[AlignmentAction] = ENTRIES
) -> dict[str, QAction]:
    """Return an action for each entry, connected to the one of ``slots`` that has its id."""
    actions = {}
    for entry in entries:
        action = QAction(entry.text, owner, iconText=entry.short, checkable=entry.checkable)
        action.setObjectName(entry.id)
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        context = Qt.ShortcutContext
        action.setShortcutContext(context.WindowShortcut if entry.everywhere else context.WidgetWithChildrenShortcut)
        keys = [shown for key in entry.keys if (shown := _native(key))]
        action.setToolTip(f"{entry.text.rstrip('…')} ({', '.join(keys)})" if keys else entry.text)
        (action.toggled if entry.checkable else action.triggered).connect(slots[entry.id])
        owner.addAction(action)
        actions[entry.id] = action
    return actions


def copy_menu(owner: QWidget) -> QMenu:
    """Return the menu ``Copy as``; its actions call ``owner.copy_as`` with the format in their data."""
    menu = QMenu("Copy as", owner)
    for kind in CopyFormat:
        action = menu.addAction(kind.value)
        action.setData(kind.value)
    return menu


def options_menu(owner: QWidget, actions: dict[str, QAction], menus: Iterable[QMenu]) -> QMenu:
    menu = QMenu("View options", owner)
    for id_ in ("set_wrapped", "set_b_ruler", "larger", "smaller"):
        menu.addAction(actions[id_])
    for each in menus:
        menu.addMenu(each)
    return menu


def colour_menu(owner: QWidget, chosen: Callable[[], Colouring]) -> QMenu:
    """Return the menu of colourings of the bases; when it opens the one that ``chosen`` returns is checked."""
    menu = QMenu("Base colours", owner)
    group = QActionGroup(menu)
    for kind in Colouring:
        action = menu.addAction(kind.value)
        action.setData(kind.value)
        action.setCheckable(True)
        action.setChecked(kind is chosen())
        group.addAction(action)

    def check() -> None:
        for action in menu.actions():
            action.setChecked(action.data() == chosen().value)

    menu.aboutToShow.connect(check)
    return menu


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
