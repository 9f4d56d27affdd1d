"""The whole window in a language that no one speaks: what is not in its brackets was not said with ``tr``."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.batch.batch_view import BatchView
from app.bwt.bwt_view import BwtView
from app.search.search_view import SearchView
from app.ui.json_store import JsonStore
from app.ui.pair import Side
from app.ui.style import style_sheet
from app.ui.theme import Scheme, Theme
from app.window.errors_dialog import ErrorDialog
from app.window.job_options import JobOptions
from app.window.main_window import MainWindow
from app.window.panels import PANELS
from app.window.paste_dialog import PasteDialog
from app.window.recent import RecentPairs
from app.window.record_picker import RecordPicker
from app.window.session import Session
from app.window.settings import Settings
from core.base.translate import use_catalogue
from core.jobs.choices import Device
from core.methods import METHODS, Method
from core.methods.lcs import LCS
from core.reading import read
from tests.app.fakes import fasta
from tests.app.texts import drawn, texts_of
from tests.journeys import screen
from tests.pseudo import OPEN, SOURCES, PseudoLanguage, lesson_texts, marked, outside

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints|raise|grabbing the keyboard", extend=True)
ROOT = Path(__file__).parents[2]
NAMES = "onename", "twoname"  # of the sequences: data, as their letters are
LETTERS = "ACGTTGCAACGTACCAGATTACA", "ACGTTGCACGTTCCAGTTACAGG"
# What may stand outside the brackets.
DATA = re.compile(
    "|".join(
        (
            *NAMES,
            "wavediff|Wavediff",  # the program
            r"\b(Ctrl|Shift|Alt)\+\S+|\b(Esc|Enter|Space|Backspace|F\d+)\b",  # keys, by the names that Qt has for them
            r"\b(CPU|GPU|DX|DY)\b",  # devices, and names in a paper
            r"\b(full|diagonals|band|subsequence|disjoint|common-ends|hirschberg|sudo)\b",  # ids of strategies
            r"\S*/\S*|\S+\.(fa|txt)\b",  # files
            r"\b[ACGTU$-]{2,}",  # letters of the sequences
            r"\b[XYH]\[[^\]]*\]|min\([^)]*\)",  # formulas
        )
    )
)
IDS = re.compile(r"TimingsView.* cell \d+, 0$")  # names of kernels, as in files
# Said with tr, as texts of their table are, and the same in every language: signs, keys, names.
UNMARKED = re.compile(
    r"[\d\W]*|\W*\w|\w\W|A\+|(Alt|Ctrl|Shift|N|F\d|Home|End|Enter|[CLN]|\W)+|[A-Z]+\d*|DNAfull|"
    "(Gotoh|Hirschberg|Kawanami|Kim|Sudo|Yamanaka)( \\d+)?"
)
OF_QT = "Scroll Left", "Scroll Right", "Close", "Cancel", "OK"  # has catalogues of its own
ALIKE = set(OF_QT)


@pytest.fixture
def styled(qapp: QApplication) -> Iterator[None]:
    """As in the program: a style decides how much room a text needs."""
    before = qapp.style().objectName()
    qapp.setStyle("Fusion")
    qapp.setStyleSheet(style_sheet(Theme(Scheme.LIGHT)))
    yield
    qapp.setStyleSheet("")
    qapp.setStyle(before)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """A window that speaks the pseudo-language, with the real kernels on the CPU."""
    language = PseudoLanguage()
    use_catalogue(language, "\u202f", ",")
    session = Session(RecentPairs(JsonStore(tmp_path / "recent.json")), JobOptions("edit", device=Device.CPU))
    window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    qtbot.waitExposed(window)
    yield window
    qtbot.waitUntil(session.close)
    use_catalogue(gettext.NullTranslations())
    known = marked(SOURCES) | lesson_texts()
    unmarked = sorted(text for text in language.asked - known if not UNMARKED.fullmatch(text))
    assert unmarked == [], "to be put into tr_noop"


def unsaid(texts: Iterable[tuple[str, str]]) -> str:
    """Return the texts of which words stand outside the brackets, a line each."""
    found = {
        f"{where}: {text!r}"
        for where, text in texts
        if text not in ALIKE and not IDS.search(where) and re.search(r"[^\W\d_]{2}", DATA.sub("", outside(text)))
    }
    return "\n".join(sorted(found))


def opened(qtbot: QtBot, window: MainWindow, method: str) -> None:
    """Compare the two sequences."""
    session = window.session
    session.choose(method=method, follow=False)
    with qtbot.waitSignal(session.compared):
        session.open_texts(*(f">{name}\n{letters}\n" for name, letters in zip(NAMES, LETTERS, strict=True)))
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)


def seen(window: QWidget, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return all texts of a window, those that it draws too."""
    with drawn(monkeypatch) as painted:
        QApplication.processEvents()
        window.grab()
    return [*texts_of(window), *(("drawn", each) for each in painted)]


def test_the_empty_window(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = seen(window, monkeypatch)
    assert unsaid(texts) == ""
    assert len({text for _, text in texts if OPEN in text}) > 100, "what is read is there at all"


@pytest.mark.parametrize(
    "one", [pytest.param(one, marks=() if one in METHODS[::3] else pytest.mark.thorough) for one in METHODS], ids=str
)
def test_a_pair_its_answer_and_every_panel(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, one: Method
) -> None:
    opened(qtbot, window, one.id)
    window.pointer.move(3, 4)
    texts = []
    for panel in PANELS:
        window.arrangement.show_panel(panel.id)
        texts += seen(window, monkeypatch)
    assert unsaid(texts) == ""


def test_the_tools_at_work(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened(qtbot, window, "lcs")
    session, texts = window.session, []
    search, find, many = window.view(SearchView), window.view(BwtView), window.view(BatchView)
    window.arrangement.show_panel("search")
    search.wish.editor.setPlainText("TTACA")
    with qtbot.waitSignal(session.search.finished):
        search.run()
    qtbot.waitUntil(lambda: search.model.n_hits > 0)
    texts += seen(window, monkeypatch)
    tabs: Any = search.findChild(QTabWidget)
    tabs.setCurrentIndex(1)
    texts += seen(window, monkeypatch)
    window.arrangement.show_panel("bwt")
    with qtbot.waitSignal(session.transform.built, check_params_cb=lambda shown: shown is not None):
        find.opened()
    with qtbot.waitSignal(session.transform.found, check_params_cb=lambda found: found is not None):
        find.search.pattern.setText("TTA")
    texts += seen(window, monkeypatch)
    find.steps.transport.buttons["on"].click()
    texts += seen(window, monkeypatch)
    window.arrangement.show_panel("race")
    session.race.set_up(method=LCS)
    with qtbot.waitSignal(session.race.finished, check_params_cb=lambda outcome: outcome is not None):
        session.race.run()
    texts += seen(window, monkeypatch)
    window.arrangement.show_panel("batch")
    names = tuple((name, letters) for name, letters in zip(NAMES, LETTERS, strict=True))
    with qtbot.waitSignal(session.many.finished, check_params_cb=lambda outcome: outcome is not None):
        session.many.open([fasta(tmp_path / "many.fa", *names)])
    qtbot.waitUntil(lambda: not many.map.busy)
    texts += seen(window, monkeypatch)
    many.map.hovered.emit(many.map.describe((0, 1)))
    texts += seen(window, monkeypatch)
    assert unsaid(texts) == ""


def popovers(window: MainWindow) -> list[tuple[Callable[[], None], QWidget]]:
    """Return what opens each popover, and itself."""
    header = window.header
    return [
        (header.open_a, header.popovers[Side.A]),
        (header.open_b, header.popovers[Side.B]),
        (header.open_options, header.options_popover),
    ]


def test_popovers_menus_and_dialogs(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened(qtbot, window, "edit")
    texts = []
    for opens, popover in popovers(window):
        opens()
        texts += seen(popover, monkeypatch)
        popover.close()
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
        texts += texts_of(menu)
    asked: list[tuple[str, str]] = []

    def ask(_parent: QWidget, title: str, _folder: str = "", kinds: str = "") -> tuple[str, str]:
        asked.extend((("title", title), *(("kind", re.sub(r"\(.*\)", "", kind)) for kind in kinds.split(";;"))))
        return "", ""

    for name in ("getOpenFileName", "getOpenFileNames"):
        monkeypatch.setattr(QFileDialog, name, ask)
    for id_ in ("open", "open_a", "open_b", "batch"):
        window.actions_by_id[id_].trigger()
    window.view(BwtView).ask_and_load()
    window.view(SearchView).wish.ask_file()
    assert len(asked) > 8
    for id_ in ("preferences", "shortcuts", "about", "export", "save_timings"):
        window.actions_by_id[id_].trigger()
    load = read(fasta(tmp_path / "many.fa", *((name, LETTERS[0]) for name in NAMES)))
    others = [ErrorDialog("", window), PasteDialog("ACGT", Side.A, window), RecordPicker(load, Side.A, window)]
    dialogs = [each for each in window.findChildren(QDialog) if each.isVisible() or each in others]
    assert len(dialogs) >= 8
    for each in dialogs:
        if isinstance(each, QFileDialog):  # of which the rest is Qt's
            asked += [("title", each.windowTitle()), *(("kind", kind) for kind in each.nameFilters())]
        else:
            texts += seen(each, monkeypatch)
        each.close()
    asked = [(what, re.sub(r"\(.*\)", "", text)) for what, text in asked]
    assert unsaid([*texts, *asked]) == ""


@pytest.mark.parametrize("size", [(1280, 800), pytest.param((1920, 1080), marks=pytest.mark.thorough)], ids=str)
def test_a_longer_language_is_cut_off_nowhere(
    qtbot: QtBot, styled: None, window: MainWindow, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    window.resize(*size)
    opened(qtbot, window, "edit")
    words, found = window.answer.words.words.sentence, []
    for panel in PANELS:
        window.arrangement.show_panel(panel.id)
        painted = [text for where, text in seen(window, monkeypatch) if where == "drawn"]
        assert words in painted, "the answer is drawn whole"
        found += screen.cut_off()
    for opens, popover in popovers(window):
        opens()
        QApplication.processEvents()
        found += screen.cut_off()
        popover.close()
    # The window is larger than the screen of the tests.
    assert "\n".join(dict.fromkeys(each for each in found if not each.startswith("the window"))) == ""
