"""The one table of actions, but for those that open a panel: menus, tool buttons and the sheet of keys come from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from core.export.registry import COMPARISON, titles


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action.

    Attributes:
        id: also the name of the slot that does it, see ``build``.
        menu: where it stands; specs of a menu keep their order.
        keys: as Qt reads them, the one to show first.
        separator: a line above it.
    """

    id: str
    text: str
    menu: str
    keys: tuple[str, ...] = ()
    tip: str = ""
    separator: bool = False
    checkable: bool = False


# Qt resolves Quit, Preferences and Ctrl+= to nothing on a generic Linux desktop: written out here.
SPECS: tuple[ActionSpec, ...] = (
    ActionSpec("open", "&Open…", "&File", ("Ctrl+O",), "Open one file, or two files as A and B"),
    ActionSpec("open_a", "Open as &A…", "&File", (), "Open a file as A, the reference (rows)"),
    ActionSpec("open_b", "Open as &B…", "&File", (), "Open a file as B, the query (columns)"),
    ActionSpec("paste", "&Paste…", "&File", ("Ctrl+V",), "Take the clipboard as a sequence"),
    ActionSpec("demo", "Open the &sample", "&File", (), "Human and orang-utan mitochondrion"),
    ActionSpec(
        "export",
        "&Export the alignment…",
        "&File",
        ("Ctrl+E",),
        titles(COMPARISON),
        True,
    ),
    ActionSpec("copy_timings", "&Copy timings", "&File", (), "Copy the table of timings as TSV", True),
    ActionSpec("save_timings", "&Save timings…", "&File", (), "Save the timings as JSON"),
    ActionSpec("preferences", "Pre&ferences…", "&File", ("Ctrl+,",), "", True),
    ActionSpec("quit", "&Quit", "&File", ("Ctrl+Q",)),
    ActionSpec("undo", "&Undo", "&Edit", ("Ctrl+Z",), "Take back the last choice or swap"),
    ActionSpec("redo", "&Redo", "&Edit", ("Ctrl+Shift+Z",), "Do again what was taken back"),
    ActionSpec("show_a", "Sequence &A", "&Edit", ("Alt+A",), "Name, file, composition and reading of A", True),
    ActionSpec("show_b", "Sequence &B", "&Edit", ("Alt+B",), "Name, file, composition and reading of B"),
    ActionSpec("run", "&Run", "&Compare", ("Ctrl+R", "F5"), "Compare A and B"),
    ActionSpec("stop", "&Stop", "&Compare", ("Esc",), "Stop reading and computing; what was computed stays in view"),
    ActionSpec("options", "&Options…", "&Compare", ("Ctrl+Shift+O",), "How the pair is compared", True),
    ActionSpec("swap", "S&wap A and B", "&Compare", ("Alt+\\",), "The query becomes the reference and back"),
    ActionSpec("next_part", "&Next part of the window", "&View", ("F6",), "Header, letters, lower panel, computation"),
    ActionSpec("previous_part", "&Previous part of the window", "&View", ("Shift+F6",)),
    ActionSpec("zoom_in", "Zoom &in", "&View", ("Ctrl++", "Ctrl+="), "Larger letters", True),
    ActionSpec("zoom_out", "Zoom &out", "&View", ("Ctrl+-",), "Smaller letters"),
    ActionSpec("fit", "&Fit the map", "&View", ("Ctrl+0",), "Show the whole matrix"),
    ActionSpec("full_screen", "F&ull screen", "&View", ("F11",), "", True, True),
    ActionSpec("toggle_theme", "&Light or dark", "&View", ("Ctrl+Shift+T",), "Change between light and dark"),
    ActionSpec("follow_system", "Follow the s&ystem's light or dark", "&View", (), "", False, True),
    ActionSpec("shortcuts", "&Keyboard shortcuts", "&Help", ("Ctrl+?", "F1")),
    ActionSpec("about", "&About Wavediff", "&Help"),
)

MENUS = tuple(dict.fromkeys(spec.menu for spec in SPECS))

# Keys that parts of the window answer themselves; here for the sheet only. Those of a panel stand in its view.
VIEW_KEYS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Alignment": (
        ("N · F8 · Alt+↓", "Next difference"),
        ("Shift+N · F7 · Alt+↑", "Previous difference"),
        ("Alt+Home · Alt+End", "First, last difference"),
        ("Ctrl+L", "Go to a position or difference"),
        ("Alt+← · Alt+→", "Back, forward through the places visited"),
        ("Ctrl+C", "Copy the selection"),
        ("Ctrl+wheel", "Size of the letters"),
        ("Arrows · Page Up/Down · Home/End", "Scroll"),
    ),
}


def plain(text: str) -> str:
    """Return the text of an action without the mark of its access key."""
    return text.replace("&", "")


def build(
    parent: QObject, specs: Iterable[ActionSpec], slots: Mapping[str, Callable[..., object]]
) -> dict[str, QAction]:
    """Return an action for each of ``specs``, triggering the slot of its id.

    Raises:
        KeyError: a spec without a slot, so that no dead entry can appear in a menu.
    """
    actions: dict[str, QAction] = {}
    for spec in specs:
        action = QAction(spec.text, parent)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setCheckable(spec.checkable)
        tip = spec.tip or plain(spec.text).rstrip("…")
        action.setStatusTip(tip)
        action.setToolTip(f"{tip} ({shown_keys(spec)})" if spec.keys else tip)
        action.triggered.connect(slots[spec.id])
        actions[spec.id] = action
    return actions


def shown_keys(spec: ActionSpec) -> str:
    keys = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in spec.keys]
    return " · ".join(dict.fromkeys(keys))
