"""What cannot be done is grey, with the reason in its tip, and no action answers with an error instead."""

import pytest
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu

from tests.app import fakes
from tests.app.parts import open_texts
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.window.frame.actions import MENUS, REASONS, SPECS
from wavediff.app.window.panels.band_bar import ProofBar
from wavediff.core.sequences.orientation import FORWARD

PAIRS = {
    "nothing": (),
    "A alone": ("ACGTACGTAC",),
    "DNA": ("ACGTACGTAC", "ACGTTCGTACGG"),
    "text": ("to be or not to be", "to be and not"),
    "protein": ("MKVLAAGIVGLCAKWELFPQ", "MKVLAAGIVGLCAKWELFP"),
}
OF_PAIR = {"run", "swap", "in_order"}
OF_RECORDS = {"contigs"}
OF_STRAND = {"reverse_b", "orient_b", "rearranged", *OF_RECORDS}
OF_ANSWER = {"export", "copy_timings", "save_timings"}
OF_LETTERS = {"zoom_in", "zoom_out", "fit"}
PASTED = {"redo", "stop", "back_to_whole"}  # which can be undone
NOTHING_DONE = PASTED | {"undo"}
GREY = {
    "nothing": OF_PAIR | OF_STRAND | OF_ANSWER | OF_LETTERS | NOTHING_DONE,
    "A alone": OF_PAIR | OF_STRAND | OF_ANSWER | NOTHING_DONE,
    "DNA": PASTED | OF_RECORDS,
    "text": OF_STRAND | PASTED,
    "protein": OF_STRAND | PASTED,
}


@pytest.fixture
def opened(qtbot, window):
    """Opens a pair's texts, and waits for the answer where there are two."""
    session = window.session

    def opened(pair):
        for side, text in zip(Side, PAIRS[pair], strict=False):
            session.open_text(text, side)
            qtbot.waitUntil(lambda: not session.loader.busy)
        if len(PAIRS[pair]) == 2:
            qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)

    return opened


@pytest.mark.parametrize("pair", PAIRS)
def test_an_action_that_cannot_be_done_is_grey_with_the_reason(window, opened, pair):
    opened(pair)
    actions = {spec.id: window.actions_by_id[spec.id] for spec in SPECS}
    assert {id_ for id_, action in actions.items() if not action.isEnabled()} == GREY[pair]
    for id_, action in actions.items():
        usual = action.property("tips")[0]
        assert (action.toolTip() == usual) is action.isEnabled(), id_
    if pair == "text":
        tip = actions["reverse_b"].toolTip()
        assert tip.endswith("is text: the reverse complement and an origin need DNA or RNA")
    menus = [each for each in window.menuBar().findChildren(QMenu) if each.title() in MENUS]
    assert len(menus) == len(MENUS)
    assert all(menu.toolTipsVisible() for menu in menus)  # of a grey entry: the reason


@pytest.mark.parametrize("pair", PAIRS)
def test_no_action_answers_with_an_error(qtbot, window, notices, opened, pair):
    session = window.session
    opened(pair)
    for id_ in ("fit", "zoom_in", "zoom_out", "run", "reverse_b", "orient_b", "swap", "undo", "redo"):
        if id_ in ("orient_b", "swap", "undo", "redo"):  # the one before has changed the pair
            opened(pair)
        notices.clear()
        window.actions_by_id[id_].trigger()
        qtbot.waitUntil(lambda: not session.busy)
        assert [notice.text for notice in notices if notice.level is Severity.ERROR] == [], id_
        if not window.actions_by_id["reverse_b"].isEnabled():
            assert session.pair.orientation == FORWARD
            assert window.header.popovers[Side.B].strand.isHidden()


def test_stop_is_grey_but_while_something_runs(qtbot, window):
    stop, session = window.actions_by_id["stop"], window.session
    fakes.Lcs.endless, fakes.Lcs.seconds = True, 0.005
    open_texts(session, "ACGTACGTAC", "ACGTTCGTACGG")
    qtbot.waitUntil(lambda: session.running)
    assert stop.isEnabled()
    stop.trigger()
    qtbot.waitUntil(lambda: not session.busy)
    assert not stop.isEnabled()
    assert stop.toolTip() == "Nothing is running"


ASKING = {"options"}  # not by a dialog, but by what opens below the header
SAYING = {"shortcuts", "about", "manual"}  # dialogs that ask nothing


def test_an_action_has_an_ellipsis_where_its_dialog_asks_more(qtbot, window, opened, monkeypatch):
    """Of all menus; what opens a panel, and what does something at once as Prove does, has none."""
    asked, answered = [], None
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)  # no browser
    QGuiApplication.clipboard().clear()  # of files that another test copied
    for kind in (QDialog, QFileDialog):
        monkeypatch.setattr(kind, "open", lambda dialog: asked.append(dialog))
        monkeypatch.setattr(kind, "exec", lambda dialog: asked.append(dialog) or 0)
    for id_, action in window.actions_by_id.items():
        if id_ == "quit":
            continue
        if window.session.outcome is not answered or window.session.busy or not action.isEnabled():
            opened("DNA")
            answered = window.session.outcome
        asked.clear()
        action.trigger()
        asks = id_ in ASKING or bool(asked and id_ not in SAYING)
        assert action.text().endswith("…") is asks, action.text()
    (prove,) = window.findChildren(ProofBar)
    assert not prove.button.text().endswith("…")


def test_each_reason_belongs_to_an_action():
    assert set(REASONS) <= {spec.id for spec in SPECS}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_search_offers_the_other_strand_where_there_is_one(window, opened, pair):
    opened(pair)
    strands = window.view(SearchView).wish.strands
    strands.setChecked(True)
    assert strands.isEnabled() is (pair not in ("text", "protein"))
    window.view(SearchView).wish.editor.setPlainText("ACG")
    assert window.view(SearchView).wish.wish().both_strands is strands.isEnabled()


def test_the_way_back_to_the_whole_pair_is_no_order_of_its_parts(window):
    (menu,) = (one for one in window.menuBar().findChildren(QMenu) if one.title() == "&Compare")
    entries = ["" if each.isSeparator() else each.objectName() for each in menu.actions()]
    assert entries[entries.index("contigs") + 1 :][:2] == ["", "back_to_whole"]


def test_back_and_forward_are_grey_in_the_menu_where_there_is_no_place(qtbot, window, opened):
    opened("DNA")
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    (menu,) = (one for one in window.menuBar().findChildren(QMenu) if one.title() == "&Compare")
    back, forward = (next(each for each in menu.actions() if each.text() == text) for text in ("Back", "Forward"))

    def in_menu():
        menu.popup(window.pos())
        qtbot.waitUntil(menu.isVisible)
        seen = back.isEnabled(), forward.isEnabled()
        menu.close()
        assert back.isEnabled(), "its key reports that there is none"
        return seen

    assert in_menu() == (False, False)
    assert "no place" not in back.toolTip()
    window.alignment.navigation.go_to("3")
    assert in_menu() == (True, False)
    back.trigger()
    assert in_menu() == (False, True)
