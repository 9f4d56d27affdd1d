"""Menu actions, and the menu of recent pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from wavediff.app.compare.pair.history import History
from wavediff.app.compare.pair.recent import RecentPair
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.pair import Side
from wavediff.app.window.session import Session
from wavediff.core.export.registry import COMPARISON, titles

Reason = Callable[[Session], str]
STRAND = "the reverse complement and an origin need DNA or RNA"


def _pair(session: Session) -> str:
    missing = " and ".join(side.value for side in Side if session.pair[side] is None)
    return f"{missing} missing: drop a file, open one or paste text" if missing else ""


def _strand(session: Session) -> str:
    both = session.pair.complete or ()
    other = next((one for one in both if not one.alphabet.is_nucleotide and len(one)), None)
    return _pair(session) or ("" if other is None else f"{other.name} is {other.alphabet}: {STRAND}")


def _answer(session: Session) -> str:
    if session.placing:
        return "" if session.contigs.answer is not None else "Contigs are not placed yet: press Run (Ctrl+R)"
    if session.rearranged:
        return "" if session.blocks.answer is not None else "No blocks yet: press Run (Ctrl+R)"
    return "" if session.outcome is not None else "No answer yet: compare two sequences first"


def _whole(session: Session) -> str:
    return "" if session.state.whole is not None else "The whole pair is shown"


def _timings(session: Session) -> str:
    return "" if session.timings.height() else "No run yet: nothing was timed"


def _run(session: Session) -> str:
    return "" if session.loader.busy or session.loader.recognizes or session.busy else "Nothing is running"


def _letters(session: Session) -> str:
    return "" if any(session.pair[side] is not None for side in Side) else "Nothing is open"


def _sample(session: Session) -> str:
    return "The files of the command line are read first" if session.awaited else ""


REASONS: Mapping[str, Reason] = {
    "demo": _sample,
    "run": _pair,
    "swap": _pair,
    "reverse_b": _strand,
    "orient_b": _strand,
    "in_order": _pair,
    "rearranged": lambda session: _pair(session) or session.blocks.refusal,
    "contigs": lambda session: _pair(session) or session.contigs.refusal,
    "back_to_whole": _whole,
    "export": _answer,
    "copy_timings": _timings,
    "save_timings": _timings,
    "stop": _run,
    "fit": _letters,
    "zoom_in": _letters,
    "zoom_out": _letters,
}


def why_not(id_: str, session: Session, history: History) -> str:
    """Return why an action of ``actions.SPECS`` is disabled, or an empty string."""
    if id_ == "undo":
        return "" if history.undo_text else "Nothing to undo"
    if id_ == "redo":
        return "" if history.redo_text else "Nothing to redo"
    return REASONS[id_](session) if id_ in REASONS else ""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """Specification of an action.

    Attributes:
        id: of the action and its slot, see ``build``.
        menu: of the action; specs of a menu keep their order.
        keys: in Qt's notation, the displayed one first.
        tip: a text, or a function that returns it.
        separator: a line above it.
    """

    id: str
    text: str
    menu: str
    keys: tuple[str, ...] = ()
    tip: str | Callable[[], str] = ""
    separator: bool = False
    checkable: bool = False


FILE, EDIT, COMPARE = "&File", "&Edit", "&Compare"
VIEW, HELP = "&View", "&Help"
ORDERS = ("in_order", "rearranged", "contigs")  # of B's parts, by actions

# Qt resolves Quit, Preferences and Ctrl+= to nothing on a generic Linux desktop: written out here.
SPECS: tuple[ActionSpec, ...] = (
    ActionSpec("open", "&Open…", FILE, ("Ctrl+O",), "Open one file, or two files as A and B"),
    ActionSpec("open_a", "Open as &A…", FILE, (), "Open a file as A, the reference (rows)"),
    ActionSpec("open_b", "Open as &B…", FILE, (), "Open a file as B, the query (columns)"),
    ActionSpec("paste", "&Paste…", FILE, ("Ctrl+V",), "Paste the clipboard as a sequence"),
    ActionSpec("demo", "Open the &sample", FILE, (), "PhiX and its control"),
    ActionSpec(
        "export",
        "&Export the alignment…",
        FILE,
        ("Ctrl+E",),
        partial(titles, [kind for kind in COMPARISON if not kind.method]),
        True,
    ),
    ActionSpec(
        "picture", "Pic&ture…", FILE, ("Ctrl+Shift+E",), "Copy or save a picture or a film of a part of the window"
    ),
    ActionSpec("copy_timings", "&Copy timings", FILE, (), "Copy the table of timings as TSV", True),
    ActionSpec("save_timings", "&Save timings…", FILE, (), "Save the timings as JSON"),
    ActionSpec("preferences", "Pre&ferences…", FILE, ("Ctrl+,",), "", True),
    ActionSpec("quit", "&Quit", FILE, ("Ctrl+Q",)),
    ActionSpec("undo", "&Undo", EDIT, ("Ctrl+Z",), "Undo the last choice, swap, drop or paste"),
    ActionSpec("redo", "&Redo", EDIT, ("Ctrl+Shift+Z",), "Redo the undone action"),
    ActionSpec("show_a", "Sequence &A", EDIT, ("Alt+A",), "Name, file, composition and reading of A", True),
    ActionSpec("show_b", "Sequence &B", EDIT, ("Alt+B",), "Name, file, composition and reading of B"),
    ActionSpec("run", "&Run", COMPARE, ("Ctrl+R", "F5"), "Compare A and B"),
    ActionSpec("stop", "&Stop", COMPARE, ("Esc",), "Stop reading and computing; results so far stay visible"),
    ActionSpec("options", "&Options…", COMPARE, ("Ctrl+Shift+O",), "How the pair is compared", True),
    ActionSpec("swap", "S&wap A and B", COMPARE, ("Alt+\\",), "Exchange query and reference"),
    ActionSpec(
        "reverse_b",
        "Re&verse-complement B",
        COMPARE,
        ("Ctrl+Shift+R",),
        "Compare the other strand of B; positions stay those of its file",
    ),
    ActionSpec(
        "orient_b",
        "&Turn B to fit A",
        COMPARE,
        (),
        "Use the strand of B that fits A; a circular B starts at A's origin",
    ),
    ActionSpec("in_order", "In or&der", COMPARE, (), "A and B from end to end", True, True),
    ActionSpec(
        "rearranged", "Rearran&ged", COMPARE, (), "Parts of B in any order and on both strands, as blocks", False, True
    ),
    ActionSpec("contigs", "&Contigs on A", COMPARE, (), "All records of the file of B, placed on A", False, True),
    ActionSpec(
        "back_to_whole",
        "&Back to the whole pair",
        COMPARE,
        ("Backspace",),
        "Return from a range to the whole pair",
        True,
    ),
    ActionSpec("next_part", "&Next part of the window", VIEW, ("F6",), "Header, letters, lower panel, computation"),
    ActionSpec("previous_part", "&Previous part of the window", VIEW, ("Shift+F6",)),
    ActionSpec("zoom_in", "Zoom &in", VIEW, ("Ctrl++", "Ctrl+="), "Larger letters", True),
    ActionSpec("zoom_out", "Zoom &out", VIEW, ("Ctrl+-",), "Smaller letters"),
    ActionSpec("fit", "&Usual size", VIEW, ("Ctrl+0",), "Letters of the usual size, and the whole matrix in the map"),
    ActionSpec("full_screen", "F&ull screen", VIEW, ("F11",), "", True, True),
    ActionSpec("reset_layout", "&Reset the layout", VIEW, (), "Reset all parts to their initial sizes"),
    ActionSpec("toggle_theme", "&Light or dark", VIEW, ("Ctrl+Shift+T",), "Change between light and dark"),
    ActionSpec("follow_system", "Follow the s&ystem's light or dark", VIEW, (), "", False, True),
    ActionSpec("manual", "&Manual", HELP, ("F1",), "Read the manual: first steps, all commands, formats, limits"),
    ActionSpec("shortcuts", "&Keyboard shortcuts", HELP, ("Ctrl+?",)),
    ActionSpec("about", "&About Wavediff", HELP),
)

MENUS = tuple(dict.fromkeys(spec.menu for spec in SPECS))

# Keys that parts of the window answer themselves; here for the sheet only. Those of a panel stand in its view.
VIEW_KEYS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Alignment": (
        ("N · F8 · Alt+↓", "Next difference"),
        ("Shift+N · F7 · Alt+↑", "Previous difference"),
        ("Alt+Home · Alt+End", "First, last difference"),
        ("Ctrl+L", "Go to a position or difference"),
        ("Alt+← · Alt+→", "Back, forward through visited places"),
        ("Ctrl+C", "Copy the selection"),
        ("F9", "Fold the zoom strip"),
        ("Ctrl+wheel", "Size of the letters"),
        ("Arrows · Page Up/Down · Home/End", "Scroll"),
    ),
    "Blocks": (("N · Shift+N · ← · →", "Next, previous block"), ("Enter", "Compare the current block by itself")),
    "Lines": (
        ("Ctrl+I", "Side by side or inline"),
        ("Enter · ←", "Open, close a fold of equal lines"),
        ("Ctrl+Enter", "Open or close all folds"),
        ("Shift+↑/↓/Page Up/Down", "Select lines of one text"),
        ("← · → · Shift+wheel", "Scroll sideways"),
    ),
}


def plain(text: str) -> str:
    """Return the text of an action without the mnemonic marker."""
    return text.replace("&", "")


def build(
    parent: QObject, specs: Iterable[ActionSpec], slots: Mapping[str, Callable[..., object]]
) -> dict[str, QAction]:
    """Create an action for each of ``specs``, connected to the slot with its id.

    Raises:
        KeyError: a spec without a slot.
    """
    actions: dict[str, QAction] = {}
    for spec in specs:
        action = QAction(spec.text, parent, checkable=spec.checkable)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        tip = (spec.tip() if callable(spec.tip) else spec.tip) or plain(spec.text).rstrip("…")
        action.setStatusTip(tip)
        action.setToolTip(f"{tip} ({shown_keys(spec)})" if spec.keys else tip)
        action.triggered.connect(slots[spec.id])
        actions[spec.id] = action
    return actions


def shown_keys(spec: ActionSpec) -> str:
    keys = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in spec.keys]
    return " · ".join(dict.fromkeys(keys))


class RecentMenu(QMenu):
    """Menu filled on opening, so files that exist again are enabled."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("&Recent pairs", parent, toolTipsVisible=True)
        self._session = session
        self._pairs: dict[QAction, RecentPair] = {}
        self.aboutToShow.connect(session.recent.look_again)  # another window may have added some
        self.aboutToShow.connect(self.fill)
        self.triggered.connect(self._open)
        session.recent.changed.connect(self._enable)
        self._enable()

    @Slot()
    def _enable(self) -> None:
        self.setEnabled(bool(self._session.recent.pairs))

    @Slot()
    def fill(self) -> None:
        self.clear()
        self._pairs = {}
        for number, pair in enumerate(self._session.recent.pairs, 1):
            key = f"&{number} " if number < 10 else f"{number} "
            missing = pair.missing
            note = "   (missing)" if missing else ""
            action = self.addAction(key + pair.title.replace("&", "&&") + note)
            action.setEnabled(not missing)
            lines = [f"missing: {path!s}" for path in missing] or [f"A: {pair.a.path}", f"B: {pair.b.path}"]
            action.setToolTip(plain_tip("\n".join(lines)))
            self._pairs[action] = pair

    @Slot(QAction)
    def _open(self, action: QAction) -> None:
        if action in self._pairs:
            self._session.open_recent(self._pairs[action])
