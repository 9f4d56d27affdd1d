"""The answer line says one thing at a time, in one row, and keeps notices where they push nothing."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import QPushButton, QScrollArea, QToolButton

from tests.app.fakes import Lcs, fasta
from tests.app.parts import button, notice_label, open_texts
from tests.app.test_cut_texts import texts
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.ui.notice_views import DISC_PX
from wavediff.app.ui.notices import RUN, Action, Notice, Severity
from wavediff.app.ui.number_text import rough_duration
from wavediff.app.ui.pair import Side
from wavediff.app.window import session as session_module
from wavediff.app.window.frame.answer_line import ROW_PX, AnswerWords
from wavediff.app.window.frame.answer_text import AnswerText, answer_text
from wavediff.core.jobs.events import Progress, StepDone


@pytest.fixture
def said(monkeypatch):
    heard = []

    def take(event):
        if isinstance(event, QAccessibleAnnouncementEvent):
            heard.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", take)
    return heard


@pytest.fixture
def running(qtbot, window, pair):
    """The map of a run that does not end by itself, and has begun."""
    Lcs.endless, Lcs.seconds = True, 0.002
    window.session.open_paths(pair)
    qtbot.waitUntil(lambda: window.session.wavefront.fraction > 0)
    return window.session.wavefront


def test_it_asks_for_what_is_missing(qtbot, window, pair):
    line = window.answer
    assert line.words.words.whole == ""
    qtbot.expect(window.session.loader.loaded, window.session.open_paths, pair[:1])
    qtbot.waitUntil(lambda: line.words.words.sentence == "B is missing")


def test_it_says_the_answer_and_copies_it(qtbot, window, pair, said):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    words = window.answer.words
    assert words.words.sentence == "LCS 10 letters · 90.9 %"
    assert words.words.quiet == "in 10 and 12 letters · 1 gap · exact · 2.0 ms"
    assert words.text() == words.accessibleDescription() == words.words.whole
    assert said[-1] == words.words.whole
    words.setFocus()
    qtbot.keyClick(words, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == words.words.whole


def test_the_title_names_both(qtbot, window, pair):
    assert window.windowTitle() == "Wavediff"
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    assert window.windowTitle() == "one and two – Wavediff"


def test_equal_sequences_have_no_differences(qtbot, window):
    qtbot.expect(window.session.compared, open_texts, window.session, "GATTACA", "GATTACA")
    assert window.answer.words.words.sentence == "No differences"
    assert window.answer.words.words.quiet.startswith("in 7 letters · exact · ")


def test_a_run_says_how_far_it_is_and_a_stop_what_is_left(qtbot, window, pair):
    Lcs.endless, Lcs.seconds = True, 0.002
    window.session.open_paths(pair)
    words, progress = window.answer.words, window.answer._progress
    qtbot.waitUntil(lambda: words.words.sentence.startswith("Comparing… ") and "left" in words.words.sentence)
    assert words.words.quiet == "Esc stops and keeps the map"
    assert progress.isVisible()
    window.session.stop()
    assert words.words.sentence.startswith("Stopped at ")
    assert words.words.quiet == "no length yet · press Run to recompute"
    assert not progress.isVisible()


def test_the_second_matrix_has_a_share_and_a_time_left(window, running, monkeypatch):
    """A comparison with swaps computes the other choice too; the share is that of both."""
    model, words = running, window.answer.words
    apply = model.apply
    monkeypatch.setattr(model, "apply", lambda _event: None)
    model.done_cells, model.busy_seconds = model.planned_cells // 2, 30.0
    apply(StepDone(model.job_id, "without swaps", 1, model.planned_cells // 4, 15.0))
    window.answer.refresh()
    assert words.words.sentence == "Comparing without swaps… 75 % · about 15 s left"  # seen beside a notice, too
    assert words.words.quiet == "Esc stops and keeps the map"
    assert words.words.share == 0.75
    window.session.stop()


def test_what_follows_the_cells_is_named(window, running, monkeypatch):
    """All cells are computed; nobody knows how long the traceback takes."""
    model, words = running, window.answer.words
    model.apply(StepDone(model.job_id, "blocks", 1, model.planned_cells, 1.0))
    monkeypatch.setattr(model, "apply", lambda _event: None)
    model.stage = "ties"
    window.answer.refresh()
    assert words.words.sentence == "Comparing: choice among equal paths…"
    assert words.words.share is None
    assert "left" not in words.words.whole
    assert answer_text(window.session, 19.0).sentence == "Comparing: choice among equal paths… 19 s so far"
    window.session.stop()


def test_what_was_stopped_ends_with_its_choices(qtbot, window, running, monkeypatch):
    """Neither the share of a run that was stopped nor the kernel it waited for is shown for another method."""
    model, figures = running, window.view(ComputationView).figures
    model.apply(Progress(model.job_id, "compile blocks", 0, 0, "steps"))
    qtbot.waitUntil(lambda: figures.waiting.text().startswith("Compiling"))
    window.session.stop()
    assert not figures.waiting.isVisibleTo(figures.waiting.parentWidget())
    assert window.answer.words.words.sentence.startswith("Stopped at ")
    monkeypatch.setattr(session_module, "estimated_seconds", lambda *_: 5.0)
    window.session.choose(method="edit")
    assert window.answer.words.words.sentence == "Not compared yet"
    window.session.choose(method="lcs")
    assert window.answer.words.words.sentence.startswith("Stopped at ")


def test_a_first_start_counts_its_steps(window, running):
    model = running
    model.apply(Progress(model.job_id, "compile blocks", 2, 4, "steps"))
    window.answer.refresh()
    assert window.answer.words.words.sentence == "Optimising for this computer, step 2 of 4"
    assert window.answer.words.words.share == 0.25
    window.session.dots.slot.reported.emit(Progress(1, "compile", 3, 4, "steps"))  # which waits for others of its own
    assert (window.session.dots.status, window.session.dots.share) == ("Compiling for the first use", 0)
    window.session.stop()


def test_an_answer_of_before_is_read_beside_a_notice_in_a_small_window(qtbot, window, pair, monkeypatch):
    window.resize(800, 500)
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    window.session.noticed.emit(Notice(Severity.WARNING, "A is DNA, B is protein", frozenset(Side)))
    monkeypatch.setattr(session_module, "estimated_seconds", lambda *_: 5.0)
    window.session.choose(method="edit")
    assert window.answer.words.isVisible()
    assert window.answer.words.words.faded


@pytest.mark.parametrize("width", [1280, 800])
def test_nothing_moves_whatever_is_said(qtbot, window, pair, width):
    window.resize(width, 600)
    places = set()

    def note():
        qtbot.wait(1)
        places.add((window.alignment.y(), window.answer.height()))

    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    note()
    done = []
    action = Action("Compare as reverse complement", lambda: done.append("did"))
    window.session.noticed.emit(Notice(Severity.WARNING, "B looks reversed", frozenset({RUN}), action))
    note()
    window.session.notice(Severity.INFO, "A: base qualities are not used", Side.A)
    note()
    assert notice_label(window).isVisible()
    assert window.answer.count.text() == "2 notices"
    button(window.answer.bar, "Compare as reverse complement").click()
    assert done == ["did"]
    assert not window.answer.bar.isVisible()
    window.session.notice(Severity.ERROR, "/a/long/name: " + "cannot be read " * 30, Side.B)
    note()
    assert window.answer.bar.isVisible(), "a refusal is seen at every width"
    assert len(places) == 1
    assert next(iter(places))[1] == ROW_PX


def test_the_list_holds_all_notices_and_acts(qtbot, window, said):
    done = []
    window.session.notice(Severity.INFO, "A: base qualities are not used", Side.A)
    window.session.noticed.emit(
        Notice(Severity.INFO, "read as text", frozenset({Side.B}), Action("Read as DNA", lambda: done.append("did")))
    )
    assert not window.answer.bar.isVisible()
    assert said == ["A: base qualities are not used", "read as text"]
    window.answer.count.click()
    notices = window.answer.list
    assert notices.isVisible()
    assert notices.y() >= window.answer.mapTo(window, window.answer.rect().bottomLeft()).y()
    next(each for each in notices.findChildren(QPushButton) if each.text() == "Read as DNA").click()
    assert done == ["did"]
    assert [each.text for each in window.answer.notices.notices] == ["A: base qualities are not used"]
    qtbot.keyClick(notices, Qt.Key.Key_Escape)
    assert not notices.isVisible()


def test_the_list_of_notices_is_used_by_keys(qtbot, window):
    """The first action has the focus, Tab comes to all others, and Escape closes the list."""
    window.activateWindow()
    done = []
    for name in ("first", "second"):
        offered = Action(f"Take the {name}", lambda name=name: done.append(name))
        window.session.noticed.emit(Notice(Severity.INFO, f"the {name} of two", frozenset({Side.B}), offered))
    window.answer.count.setFocus()
    qtbot.keyClick(window.answer.count, Qt.Key.Key_Space)
    reached = []
    for _ in range(4):
        reached.append(window.focusWidget().text() or window.focusWidget().accessibleName())
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert reached == ["Take the second", "Dismiss this message", "Take the first", "Dismiss this message"]
    window.answer.list.open_below(window.answer)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert not window.answer.list.isVisible()
    window.answer.list.open_below(window.answer)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert done == ["second"]


@pytest.mark.parametrize("width", [800, 1_400])
def test_no_long_word_and_no_number_of_actions_hides_a_button_of_the_list(qtbot, window, width):
    path = f"/tmp/{'a_very_long_name_of_a_file_' * 12}.fa: this is no sequence"
    offers = [Action(f"Read it as something else {k}", lambda: None) for k in range(3)]
    window.resize(width, 600)
    window.session.noticed.emit(Notice(Severity.ERROR, path, frozenset({Side.B}), *offers))
    window.answer.count.click()
    notices = window.answer.list
    qtbot.waitUntil(notices.isVisible)
    buttons = [one for one in notices.findChildren(QPushButton) if one.text().startswith("Read it")]
    assert len(buttons) == 3
    for one in [*buttons, *notices.findChildren(QToolButton)]:
        qtbot.waitUntil(lambda one=one: one.visibleRegion().boundingRect() == one.rect())


@pytest.mark.parametrize("text", ["read as text", "B is on the other strand: 100 % of the shared 16-mers. " * 3])
def test_the_list_is_as_high_as_its_rows(qtbot, window, text):
    offers = [Action(f"Read it as something else {k}", lambda: None) for k in range(2)]
    window.resize(1_280, 800)
    window.session.noticed.emit(Notice(Severity.INFO, text, frozenset({Side.B}), *offers))
    window.answer.count.click()
    notices = window.answer.list
    qtbot.waitUntil(notices.isVisible)
    last, bar = notices.findChildren(QPushButton)[-1], notices.findChild(QScrollArea).verticalScrollBar()
    qtbot.waitUntil(lambda: 0 <= notices.height() - last.mapTo(notices, last.rect().bottomLeft()).y() <= 20)
    qtbot.waitUntil(lambda: bar.maximum() == 0)


def test_the_open_list_grows_with_a_new_notice(qtbot, window):
    window.resize(1_280, 800)
    window.session.notice(Severity.ERROR, "A was not read", Side.A)
    qtbot.mouseClick(window.answer.bar, Qt.MouseButton.LeftButton, pos=window.answer.bar.rect().center())
    notices = window.answer.list
    qtbot.waitUntil(lambda: notices.isVisible() and notices.height() > DISC_PX)
    before = notices.height()
    window.session.notice(Severity.ERROR, "B was not read", Side.B)
    assert notices.height() >= before + DISC_PX


def test_what_was_done_passes_through_the_status_bar(window):
    window.session.notice(Severity.INFO, "Saved list.tsv")
    assert window.statusBar().currentMessage() == "Saved list.tsv"
    assert window.answer.notices.notices == ()


def test_what_a_file_says_is_in_the_list_until_it_is_replaced(qtbot, window, pair, tmp_path):
    reads = tmp_path / "reads.fastq"
    reads.write_text("@r\nACGT\n+\nIIII\n")
    qtbot.expect(window.session.loader.loaded, window.session.open_paths, [reads], Side.A)
    assert [each.about for each in window.answer.notices.notices] == [frozenset({Side.A})]
    with qtbot.waitSignal(window.session.loader.loaded):
        window.session.open_paths([fasta(tmp_path / "c.fa", ("c", "ACGT"))], Side.A)
    assert window.answer.notices.notices == ()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 s"), (12.3, "12 s"), (130, "2 min 10 s"), (120.4, "2 min"), (4000, "1 h 7 min")]
)
def test_a_guess_has_no_digits_that_nobody_knows(seconds, text):
    assert rough_duration(seconds) == text


@pytest.mark.parametrize("n_actions", [1, 2, 3])
@pytest.mark.parametrize(
    "text", ["Part of B is inverted", "B is on the other strand: 100 % of the shared 16-mers. " * 3]
)
def test_actions_give_way_to_the_words_of_a_notice(qtbot, window, pair, text, n_actions):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    names = ["Show the dots", "Compare as reverse complement, from A 1,235", "Run anyway"][:n_actions]
    window.session.noticed.emit(Notice(Severity.WARNING, text, frozenset({RUN}), *(Action(n, print) for n in names)))
    line, label, shown = window.answer, notice_label(window), []
    for width in (1280, 1000, 875, 800, 640):
        window.resize(width, 600)
        qtbot.waitUntil(lambda width=width: line.width() == width)
        line.layout().activate()
        line.bar.layout().activate()
        assert line.words.width() >= line.words.sentence_width
        assert line.bar.isVisible()
        assert label.isVisible()
        assert label.text()[:8] == text[:8]
        assert label.heightForWidth(label.width()) <= label.height() or not label.wordWrap()
        assert label.toolTip()
        seen = label.text().split("…")
        assert {*" ".join(seen).split()} <= {*text.split()}, "words are whole"
        assert len(seen[0]) > 20 or label.text() == text, "not two ends of a sentence"
        buttons = [each for each in line.bar.findChildren(QPushButton) if each.isVisible()]
        assert [each.text() for each in buttons] == names[: len(buttons)]
        assert all(each.width() >= each.sizeHint().width() for each in buttons)
        assert line.count.isVisible() is (len(buttons) < n_actions), "the list has what is left out"
        shown.append(len(buttons))
    assert shown == sorted(shown, reverse=True)
    assert shown[0] >= 1
    if shown[-1] < n_actions:
        line.count.click()
        assert {each.text() for each in line.list.findChildren(QPushButton)} >= set(names)


def test_a_click_on_the_notice_in_the_row_opens_the_list(qtbot, window):
    line = window.answer
    line.notices.add(Notice(Severity.ERROR, "not read", frozenset({Side.A})))
    assert line.bar.isVisible()
    qtbot.mouseClick(line.bar, Qt.MouseButton.LeftButton, pos=line.bar.rect().center())
    assert line.list.isVisible()


def test_an_error_in_the_empty_window_begins_where_an_answer_would(qtbot, window, pair):
    window.resize(1280, 800)
    line = window.answer
    line.notices.add(Notice(Severity.ERROR, "not read", frozenset({Side.A})))
    left = line.words.x()
    qtbot.waitUntil(lambda: line.bar.x() == line.contentsRect().x() + line.layout().contentsMargins().left())
    assert not line.words.isVisible()
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    assert line.words.isVisible()
    assert line.words.x() == left


@pytest.mark.parametrize("width", [640, 800, 1100, 1280])
def test_the_first_action_of_a_long_notice_stays_beside_the_answer(qtbot, window, pair, width):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    window.resize(width, 800)
    done = []
    action = Action("Show the blocks", partial(done.append, True))
    window.session.noticed.emit(
        Notice(Severity.WARNING, "Part of B is inverted: " + "words " * 40, frozenset(), action)
    )
    window.session.notice(Severity.INFO, "another one", Side.A)
    shown = button(window.answer.bar, "Show the blocks")
    assert shown.isVisible()
    assert shown.width() >= shown.sizeHint().width()
    qtbot.mouseClick(shown, Qt.MouseButton.LeftButton)
    assert done


def test_a_sentence_wider_than_its_room_has_smaller_letters_before_it_is_cut(qtbot, theme):
    words = AnswerWords(theme)
    qtbot.addWidget(words)
    sentence = "3,314 edits (1 unknown base not counted) · 80.6 % identical"
    words.show_words(AnswerText(sentence, "in 16,569 letters"), alone=False)
    for width in range(words.sentence_width + 10, 2 * words.sentence_width // 3, -20):
        words.resize(width, 32)
        assert sentence in {text for text, *_ in texts(words)}


def test_the_list_of_notices_opens_again_with_other_buttons(qtbot, window):
    """Each row is deleted with its buttons alone, although focus went from one to the next."""
    actions = [Action(f"Do {number}", bool) for number in range(3)]
    for number in range(4):
        window.resize(1_280 - 60 * number, 600)
        notice = Notice(Severity.WARNING, f"{number} of the notices", frozenset(), *actions)
        window.session.noticed.emit(notice)
        window.answer.open_list()
        qtbot.wait(20)
        rows = {each.text() for each in window.answer.list.findChildren(QPushButton) if each.isVisible()}
        assert rows == {"Do 0", "Do 1", "Do 2"}
        window.answer.notices.dismiss(notice)
        window.answer.list.hide()
        qtbot.wait(5)
