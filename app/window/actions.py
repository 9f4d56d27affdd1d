"""The one table of actions, but for those that open a panel: menus, tool buttons and the sheet of keys come from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from core.base.translate import tr, tr_noop
from core.export.registry import COMPARISON, titles


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action; its texts are said with ``tr``.

    Attributes:
        id: also of the slot that does it, see ``build``.
        menu: where it stands; specs of a menu keep their order.
        keys: as Qt reads them, the one to show first.
        tip: a text, or what returns it in the language of now.
        separator: a line above it.
    """

    id: str
    text: str
    menu: str
    keys: tuple[str, ...] = ()
    tip: str | Callable[[], str] = ""
    separator: bool = False
    checkable: bool = False


FILE, EDIT, COMPARE = tr_noop("&File"), tr_noop("&Edit"), tr_noop("&Compare")
VIEW, HELP = tr_noop("&View"), tr_noop("&Help")

# Qt resolves Quit, Preferences and Ctrl+= to nothing on a generic Linux desktop: written out here.
SPECS: tuple[ActionSpec, ...] = (
    ActionSpec("open", tr_noop("&Open…"), FILE, ("Ctrl+O",), tr_noop("Open one file, or two files as A and B")),
    ActionSpec("open_a", tr_noop("Open as &A…"), FILE, (), tr_noop("Open a file as A, the reference (rows)")),
    ActionSpec("open_b", tr_noop("Open as &B…"), FILE, (), tr_noop("Open a file as B, the query (columns)")),
    ActionSpec("paste", tr_noop("&Paste…"), FILE, ("Ctrl+V",), tr_noop("Take the clipboard as a sequence")),
    ActionSpec("demo", tr_noop("Open the &sample"), FILE, (), tr_noop("Human and orang-utan mitochondrion")),
    ActionSpec(
        "export",
        tr_noop("&Export the alignment…"),
        FILE,
        ("Ctrl+E",),
        partial(titles, COMPARISON),
        True,
    ),
    ActionSpec(
        "picture",
        tr_noop("Pic&ture…"),
        FILE,
        ("Ctrl+Shift+E",),
        tr_noop("Copy or save a picture or a film of a part of the window"),
    ),
    ActionSpec("copy_timings", tr_noop("&Copy timings"), FILE, (), tr_noop("Copy the table of timings as TSV"), True),
    ActionSpec("save_timings", tr_noop("&Save timings…"), FILE, (), tr_noop("Save the timings as JSON")),
    ActionSpec("preferences", tr_noop("Pre&ferences…"), FILE, ("Ctrl+,",), "", True),
    ActionSpec("quit", tr_noop("&Quit"), FILE, ("Ctrl+Q",)),
    ActionSpec("undo", tr_noop("&Undo"), EDIT, ("Ctrl+Z",), tr_noop("Take back the last choice or swap")),
    ActionSpec("redo", tr_noop("&Redo"), EDIT, ("Ctrl+Shift+Z",), tr_noop("Do again what was taken back")),
    ActionSpec(
        "show_a", tr_noop("Sequence &A"), EDIT, ("Alt+A",), tr_noop("Name, file, composition and reading of A"), True
    ),
    ActionSpec("show_b", tr_noop("Sequence &B"), EDIT, ("Alt+B",), tr_noop("Name, file, composition and reading of B")),
    ActionSpec("run", tr_noop("&Run"), COMPARE, ("Ctrl+R", "F5"), tr_noop("Compare A and B")),
    ActionSpec(
        "stop",
        tr_noop("&Stop"),
        COMPARE,
        ("Esc",),
        tr_noop("Stop reading and computing; what was computed stays in view"),
    ),
    ActionSpec("options", tr_noop("&Options…"), COMPARE, ("Ctrl+Shift+O",), tr_noop("How the pair is compared"), True),
    ActionSpec(
        "swap", tr_noop("S&wap A and B"), COMPARE, ("Alt+\\",), tr_noop("The query becomes the reference and back")
    ),
    ActionSpec(
        "reverse_b",
        tr_noop("Re&verse-complement B"),
        COMPARE,
        ("Ctrl+Shift+R",),
        tr_noop("Compare the other strand of B; places in B stay those of its file"),
    ),
    ActionSpec(
        "orient_b",
        tr_noop("&Turn B to fit A"),
        COMPARE,
        (),
        tr_noop("Compare the strand of B that fits A, and B as a circle from the first letter of A on"),
    ),
    ActionSpec(
        "next_part",
        tr_noop("&Next part of the window"),
        VIEW,
        ("F6",),
        tr_noop("Header, letters, lower panel, computation"),
    ),
    ActionSpec("previous_part", tr_noop("&Previous part of the window"), VIEW, ("Shift+F6",)),
    ActionSpec("zoom_in", tr_noop("Zoom &in"), VIEW, ("Ctrl++", "Ctrl+="), tr_noop("Larger letters"), True),
    ActionSpec("zoom_out", tr_noop("Zoom &out"), VIEW, ("Ctrl+-",), tr_noop("Smaller letters")),
    ActionSpec("fit", tr_noop("&Fit the map"), VIEW, ("Ctrl+0",), tr_noop("Show the whole matrix")),
    ActionSpec("full_screen", tr_noop("F&ull screen"), VIEW, ("F11",), "", True, True),
    ActionSpec(
        "toggle_theme", tr_noop("&Light or dark"), VIEW, ("Ctrl+Shift+T",), tr_noop("Change between light and dark")
    ),
    ActionSpec("follow_system", tr_noop("Follow the s&ystem's light or dark"), VIEW, (), "", False, True),
    ActionSpec("shortcuts", tr_noop("&Keyboard shortcuts"), HELP, ("Ctrl+?", "F1")),
    ActionSpec("about", tr_noop("&About Wavediff"), HELP),
)

MENUS = tuple(dict.fromkeys(spec.menu for spec in SPECS))

# Keys that parts of the window answer themselves; here for the sheet only. Those of a panel stand in its view.
VIEW_KEYS: Mapping[str, tuple[tuple[str, str], ...]] = {
    tr_noop("Alignment"): (
        ("N · F8 · Alt+↓", tr_noop("Next difference")),
        ("Shift+N · F7 · Alt+↑", tr_noop("Previous difference")),
        ("Alt+Home · Alt+End", tr_noop("First, last difference")),
        ("Ctrl+L", tr_noop("Go to a position or difference")),
        ("Alt+← · Alt+→", tr_noop("Back, forward through the places visited")),
        ("Ctrl+C", tr_noop("Copy the selection")),
        (tr_noop("Ctrl+wheel"), tr_noop("Size of the letters")),
        (tr_noop("Arrows · Page Up/Down · Home/End"), tr_noop("Scroll")),
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
        action = QAction(tr(spec.text), parent, checkable=spec.checkable)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        tip = (spec.tip() if callable(spec.tip) else tr(spec.tip)) or plain(tr(spec.text)).rstrip("…")
        action.setStatusTip(tip)
        action.setToolTip(f"{tip} ({shown_keys(spec)})" if spec.keys else tip)
        action.triggered.connect(slots[spec.id])
        actions[spec.id] = action
    return actions


def shown_keys(spec: ActionSpec) -> str:
    keys = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in spec.keys]
    return " · ".join(dict.fromkeys(keys))
