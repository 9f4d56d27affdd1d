"""Lines in the window: the usual method of texts, what is offered for which pair."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox

from tests.app.fakes import fasta
from tests.app.line_texts import compared
from tests.app.parts import open_texts
from wavediff.app.compare.computation_facts import facts_of
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.other_run import stored_run
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.block_map.block_map_frame import MatrixPath
from wavediff.app.ui.block_map.block_text import block_text
from wavediff.app.ui.pair import CaretPlace, MatrixPosition, Side
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window import settings as saved
from wavediff.app.window.frame.answer_line import AnswerWords
from wavediff.app.window.frame.answer_text import list_text
from wavediff.app.window.frame.ignore_bar import IgnoreBar, position_text
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.session import Session
from wavediff.app.window.settings import Settings
from wavediff.core.export.record import run_of
from wavediff.core.jobs.axes import Axes
from wavediff.core.methods.default import BINARY
from wavediff.core.record.run_file import document, parse_record
from wavediff.core.sequences.read_as import ReadAs

LINES = [f"lines_{name}" for name in ("inline", "coloured", "folds_open", "tab_width", "font_size", "wrapped")]
A = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
B = "import sys\n\n\ndef one():\n    return 10\n\n\ndef two():\n    return 2\n"


@pytest.fixture
def texts(tmp_path):
    return text(tmp_path / "old.py", A), text(tmp_path / "new.py", B)


def test_texts_with_quotations_open_without_a_question(qtbot, session, tmp_path):
    a = text(tmp_path / "a.md", "# Title\n\n> a quote\n@decorator\n")
    b = text(tmp_path / "b.md", "> hello\nmy text\n> again\n@foo\n")
    qtbot.expect(session.compared, session.open_paths, [a, b])
    assert [str(session.pair[side].alphabet) for side in Side] == ["text", "text"]


def text(path, letters):
    path.write_bytes(letters.encode())
    return path


@pytest.fixture
def window(qtbot, tmp_path):
    session = Session(RecentPairs(SettingsFile(tmp_path / "wavediff.ini")), JobOptions())
    window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
    qtbot.addWidget(window)
    window.resize(1400, 900)
    window.show()
    qtbot.waitExposed(window)
    yield window
    qtbot.waitUntil(session.close)


def opened(qtbot, window, *paths):
    qtbot.expect(window.session.compared, window.session.open_paths, paths)


def offered(window):
    return {each.text(): each.isEnabled() for each in window.header.methods.buttons if not each.isHidden()}


def press(window, name):
    next(each for each in window.header.methods.buttons if each.text() == name and not each.isHidden()).click()


def test_texts_of_several_lines_open_by_lines_and_letters_are_one_click(qtbot, window, texts):
    opened(qtbot, window, *texts)
    session = window.session
    assert session.choices.method == "lines"
    assert window.answer.words.words.sentence == "2 hunks: 3 lines added, 1 changed"
    assert offered(window) == {"Lines": True, "Words": True, "Letters": True}
    with qtbot.waitSignal(session.compared):
        press(window, "Words")
    assert session.outcome.method.id == "words"
    with qtbot.waitSignal(session.compared):
        press(window, "Letters")
    assert session.choices.method == "edit"
    with qtbot.waitSignal(session.compared):
        session.choose(method="lcs")
    assert window.header.methods.value == "letters"
    press(window, "Lines")
    assert session.outcome.method.id == "lines"  # an answer that is known comes back at once
    press(window, "Letters")
    assert session.choices.method == "lcs"
    window.history.undo()
    assert session.choices.method == "lines"


def test_sequences_open_by_edits_and_lines_are_grey(qtbot, window, texts, tmp_path):
    opened(qtbot, window, *texts)
    opened(qtbot, window, fasta(tmp_path / "1.fa", ("one", "ACGT")), fasta(tmp_path / "2.fa", ("two", "ACCT")))
    assert window.session.choices.method == "edit"
    assert offered(window)["Lines"] is False
    tip = "Lines are for texts, and this is DNA"
    assert tip in next(each for each in window.header.methods.buttons if each.text() == "Lines").toolTip()
    box = window.header.method_box
    item = box.model().item(box.row("lines"))
    assert not item.isEnabled()
    assert tip in item.toolTip()
    opened(qtbot, window, *texts)
    assert window.session.choices.method == "lines"
    assert item.isEnabled()


def test_a_text_of_one_line_and_bytes_open_by_letters(qtbot, window, tmp_path):
    session = window.session
    session.open_text("kitten")
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None)
    qtbot.expect(session.compared, session.open_text, "sitting")
    assert session.choices.method == "edit"
    assert offered(window)["Lines"]
    data = [text(tmp_path / name, letters) for name, letters in (("1", "a\n\0b"), ("2", "a\n\0c"))]
    wants = [ReadItem(side, path, read_as=ReadAs.BYTES) for side, path in zip(Side, data, strict=True)]
    qtbot.expect(session.compared, session.loader.open, wants)
    assert session.choices.method == "edit"
    assert BINARY in window.header.methods.buttons[-2].toolTip()
    session.choose(method="lines")
    assert window.answer.notices.notices[-1].text == BINARY


def test_what_was_chosen_for_the_empty_window_and_for_a_recent_pair_counts(qtbot, window, texts, tmp_path):
    session = window.session
    opened(qtbot, window, *texts)
    with qtbot.waitSignal(session.compared):
        session.choose(method="lcs")
    opened(qtbot, window, fasta(tmp_path / "1.fa", ("one", "ACGT")), fasta(tmp_path / "2.fa", ("two", "ACCT")))
    qtbot.expect(session.compared, session.open_recent, session.recent.pairs[1])
    assert session.choices.method == "lcs"
    session.start_with("lcs")
    opened(qtbot, window, *texts)
    assert session.choices.method == "lcs"


def test_the_map_is_of_lines_and_a_click_and_the_status_tell_of_them(qtbot, window, texts):
    opened(qtbot, window, *texts)
    view, pair = window.view(ComputationView), window.session.pair
    qtbot.waitUntil(lambda: view.canvas.path is not None)
    model = window.session.wavefront
    assert (model.n, model.m) == (4, 5)  # lines that are not blank
    assert (view.canvas.path.a[-1], view.canvas.path.b[-1]) == (4, 5)
    view.canvas.hovered.emit(1, 2)
    at = A.index("    return 1"), B.index("    return 10")
    assert window.pointer.position == MatrixPosition(*at)
    text = position_text(window.pointer.position, pair, model)
    assert text == "A line 2   B line 5   diagonal +1   block 1, 1 (path)"
    assert view.canvas.cross == MatrixPosition(1, 2)
    assert block_text(model, 1, 2).splitlines()[1] == "A lines 1 to 2 · B lines 1 to 5"
    with qtbot.waitSignal(view.place_wanted) as asked:
        view.canvas.clicked.emit(1, 2)
    assert asked.args[:2] == [*at]


def test_a_record_of_a_run_by_lines_has_a_map_of_lines(qtbot, window, texts, tmp_path):
    opened(qtbot, window, *texts)
    outcome, model = window.session.outcome, window.session.wavefront
    stored = parse_record(b"".join(document(run_of(outcome, model.recorded, 1))), "record")
    other = stored_run(stored, tmp_path / "run.json")
    assert (other.model.n, other.model.m, other.model.axes.unit) == (4, 5, "line")
    assert block_text(other.model, 1, 2).splitlines()[1] == "A lines 1 to 2 · B lines 1 to 3"
    window.view(ComputationView).show_other(other)
    window.grab()


@pytest.fixture
def shown(qtbot, window, texts):
    opened(qtbot, window, *texts)
    qtbot.waitUntil(lambda: window.alignment.hunks.answer is not None and window.alignment.model is not None)
    return window


def step(window, which):
    window.alignment.actions_by_id[f"{which}_difference"].trigger()


def place(window):
    return window.alignment.stepper.place_label.text


def test_hunks_are_stepped_through_with_the_caret_the_list_and_the_map(qtbot, shown):
    lines, listed = shown.alignment.lines, shown.view(DifferencesView)
    assert lines.isVisible()
    assert not shown.alignment.pane.isVisible()
    assert place(shown) == "2 hunks"
    assert [listed.model.cell(row, 5, Qt.ItemDataRole.DisplayRole) for row in (0, 1)] == ["import sys", "return 10"]
    assert listed.model.cell(1, 1, Qt.ItemDataRole.DisplayRole) == "1 changed"
    for text, hunk, caret in (
        ("hunk 1 of 2", 1, CaretPlace(0, 0, Side.A)),
        ("hunk 2 of 2", 2, CaretPlace(A.index("    return 1"), B.index("    return 10"))),
        ("Last hunk", 2, CaretPlace(A.index("    return 1"), B.index("    return 10"))),
    ):
        step(shown, "next")
        assert (place(shown), lines.canvas.marked.hunk, shown.pointer.caret) == (text, hunk, caret)
        assert listed.table.current == hunk - 1
    step(shown, "previous")
    assert place(shown) == "hunk 1 of 2"
    listed.table.take_click(1, False)
    assert (place(shown), lines.canvas.marked.hunk) == ("hunk 2 of 2", 2)
    assert shown.view(ComputationView).canvas.ring == MatrixPosition(1, 2)


def test_counters_filter_the_hunks(shown):
    kinds = {
        each.accessibleName(): each for each in shown.alignment.stepper.kind_buttons.values() if not each.isHidden()
    }
    assert set(kinds) == {"Changed: 1 line", "Added: 3 lines"}
    kinds["Added: 3 lines"].click()
    assert place(shown) == "1 hunk"
    step(shown, "next")
    assert (place(shown), shown.alignment.lines.canvas.marked.hunk) == ("hunk 1 of 1", 2)
    assert shown.view(DifferencesView).model.n_rows == 1


PLACES = {"5": (Side.A, 4), "a 2": (Side.A, 1), "B:8": (Side.B, 7), "#2": (Side.A, 1), "100%": (Side.A, 5)}
NO_PLACES = {"7": "A has no line 7, only 1 to 6", "B 0": "B has no line 0", "x": "“x” is no line", "#3": "no hunk 3"}


def test_a_line_is_gone_to_and_what_is_none_is_said(qtbot, shown, subtests):
    hunks, wanted = shown.alignment.hunks, shown.alignment.stepper.place_wanted
    for typed, line in PLACES.items():
        with subtests.test(typed):
            with qtbot.waitSignal(hunks.moved) as told:
                wanted.emit(typed)
            assert tuple(told.args) == line
            with qtbot.waitSignal(hunks.moved) as told:
                shown.alignment.actions_by_id["go_back"].trigger()
            assert tuple(told.args) == (Side.A, 0)
    for typed, said in NO_PLACES.items():
        with subtests.test(typed):
            wanted.emit(typed)
            assert said in shown.statusBar().currentMessage()
    shown.alignment.stepper.focus_field()
    field = shown.focusWidget()
    qtbot.keyClicks(field, "xyz")
    assert shown.session.state.go_to == "xyz"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert shown.session.state.go_to == "", "what is refused is not kept with the pair"
    assert shown.statusBar().currentMessage() == "Go to: “xyz” is no line: try 120, B:120, 50% or #4"


def test_lines_are_seen_before_the_answer_and_letters_come_back(qtbot, window, texts):
    session = window.session
    session.open_paths(texts)
    qtbot.waitUntil(lambda: session.pair.complete is not None)
    assert window.alignment.lines.isVisible() or session.outcome is not None
    qtbot.waitUntil(lambda: session.outcome is not None and window.alignment.hunks.answer is not None)
    with qtbot.waitSignal(session.compared):
        press(window, "Letters")
    assert window.alignment.pane.isVisible()
    assert not window.alignment.lines.isVisible()
    qtbot.waitUntil(lambda: "difference" in place(window))
    press(window, "Lines")
    assert window.alignment.lines.isVisible()
    assert place(window) == "2 hunks"


def test_binary_data_are_refused_where_the_lines_would_be(qtbot, window, tmp_path):
    data = [text(tmp_path / name, letters) for name, letters in (("1", "a\n\0b"), ("2", "a\n\0c"))]
    window.session.start_with("lines")
    window.session.loader.open(
        [ReadItem(side, path, read_as=ReadAs.BYTES) for side, path in zip(Side, data, strict=True)]
    )
    qtbot.waitUntil(lambda: window.alignment.lines.message == BINARY)


def ignored(window, name):
    bar = window.alignment.lines.findChild(IgnoreBar)
    return next(each for each in bar.findChildren(QCheckBox) if each.text() == name)


def test_what_is_ignored_counts_at_once_and_is_undone(qtbot, window, tmp_path):
    opened(qtbot, window, text(tmp_path / "1", "One  two\nend\n"), text(tmp_path / "2", "one two\nend\n"))
    assert window.answer.words.words.sentence == "1 hunk: 1 line changed"
    assert "in 2 lines" in window.answer.words.words.quiet
    assert "2 lines" in window.header.chips[Side.A].accessibleName()
    with qtbot.waitSignal(window.session.compared):
        ignored(window, "White space").click()
    with qtbot.waitSignal(window.session.compared):
        ignored(window, "Case").click()
    assert window.answer.words.words.sentence == "No differences · white space, case ignored"
    window.history.undo()
    assert not ignored(window, "Case").isChecked()
    assert window.answer.words.words.sentence == "1 hunk: 1 line changed · white space ignored"


def test_a_pattern_counts_at_once_and_a_bad_one_is_said_under_the_field(qtbot, window, tmp_path):
    opened(qtbot, window, text(tmp_path / "1", "10:31 up\nend\n"), text(tmp_path / "2", "11:02 up\nend\n"))
    bar = window.alignment.lines.findChild(IgnoreBar)
    field = bar.findChild(QComboBox)
    answer = window.answer.words.words.sentence
    field.setEditText("(")
    field.lineEdit().editingFinished.emit()
    assert bar.problem.isVisible()
    assert "no regular expression" in bar.problem.text()
    assert window.answer.words.words.sentence == answer
    with qtbot.waitSignal(window.session.compared):
        field.setEditText(r"\d\d:\d\d")
        field.lineEdit().editingFinished.emit()
    assert not bar.problem.isVisible()
    assert window.answer.words.words.sentence.startswith("No differences")
    assert window.session.state.words["ignore_matching"] == r"\d\d:\d\d"


def test_cells_and_words_of_the_map_are_grey_for_lines(shown):
    buttons = {each.text(): each for each in shown.view(ComputationView).views.buttons}
    assert [buttons[name].isEnabled() for name in ("Map", "Cells", "Machine words")] == [True, False, False]
    assert "choose Letters" in buttons["Cells"].toolTip()


def test_ctrl_i_answers_wherever_the_focus_is(qtbot, shown):
    shown.activateWindow()
    shown.view(ComputationView).canvas.setFocus()
    for inline in (True, False):
        qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
        assert shown.alignment.lines.inline is inline


def test_the_matrix_of_lines_says_what_it_leaves_out(shown):
    session = shown.session
    facts = {fact.name: fact.value for fact in facts_of(session.wavefront, session.outcome, session.devices)}
    assert facts["Matrix"] == "20 cells, blank lines left out"
    names = [row.text for row in session.ledger.rows]
    assert names == ["Whole matrix, blank lines left out", "Computed in total"]


def test_a_matrix_of_texts_without_blank_lines_leaves_out_nothing(qtbot, window, tmp_path):
    opened(qtbot, window, text(tmp_path / "1", "a\nb\nc\n"), text(tmp_path / "2", "a\nx\ny\nc\n"))
    session = window.session
    facts = {fact.name: fact.value for fact in facts_of(session.wavefront, session.outcome, session.devices)}
    assert facts["Matrix"] == "12 cells"


def test_a_word_is_the_same_on_the_map_and_in_the_answer(qtbot, shown, tmp_path):
    session = shown.session
    files = text(tmp_path / "1", "a_1 漢字, end"), text(tmp_path / "2", "a_1 漢, end")
    opened(qtbot, shown, *files)
    qtbot.expect(session.compared, press, shown, "Words")
    facts = {fact.name: fact.value for fact in facts_of(session.wavefront, session.outcome, session.devices)}
    assert facts["Matrix"] == "20 cells, white space left out"  # a_1 and two characters, comma, end
    assert "1 word removed" in shown.answer.words.words.sentence
    assert "a run of letters, digits and underscores, or one Chinese character" in shown.answer.words.words.tip


def test_how_lines_are_shown_is_kept(shown, tmp_path):
    lines, store = shown.alignment.lines, SettingsFile(tmp_path / "settings.ini")
    for change in (lines.set_inline, lines.set_folds_open):
        change(True)
    lines.set_coloured(False)
    lines.set_tab_width(8)
    lines.zoom(3)
    settings = Settings()
    settings.note(shown.alignment)
    assert (settings.lines_inline, settings.lines_coloured, settings.lines_folds_open) == (True, False, True)
    assert (settings.lines_tab_width, settings.lines_font_size) == (8, Settings().lines_font_size + 3)
    assert saved.save(store, settings) == ""
    assert saved.load(SettingsFile(store.path)) == settings
    for each in (Settings(), settings):
        each.show(shown.alignment)
        now = Settings()
        now.note(shown.alignment)
        assert {name: getattr(now, name) for name in LINES} == {name: getattr(each, name) for name in LINES}


def test_words_of_a_run_and_the_tab_of_a_small_window_name_lines(qtbot, window, tmp_path):
    window.resize(800, 500)
    window.session.open_paths([text(tmp_path / "old.txt", "a b\nc d\n"), text(tmp_path / "new.txt", "")])
    with qtbot.waitSignal(window.session.compared):
        qtbot.waitUntil(lambda: window.session.running)
        assert list_text(window.session).endswith("read both texts.")
    assert window.arrangement.foot_tabs.tabText(0) == "Lines"
    facts = facts_of(window.session.wavefront, window.session.outcome, window.session.devices)
    (strategy,) = (each.value for each in facts if each.name == "Strategy")
    assert strategy.startswith("equal lines")
    window.session.choose(method="edit")
    qtbot.waitUntil(lambda: window.arrangement.foot_tabs.tabText(0) == "Letters")


def test_texts_are_shown_with_the_endings_of_their_names(qtbot, window, tmp_path):
    opened(qtbot, window, text(tmp_path / "config.c", A), text(tmp_path / "config.h", B))
    assert window.windowTitle().startswith("config.c and config.h")
    assert [window.header.chips[side].accessibleName() for side in Side] == [
        "Sequence A: config.c · 6 lines",
        "Sequence B: config.h · 9 lines",
    ]
    words, narrow = window.answer.words.words, AnswerWords(window.theme)
    short = replace(words, quiet=" · ".join(words.quiet.split(" · ")[:2]))
    pictures = []
    for each in (short, words):
        narrow.show_words(each, alone=False)
        narrow.resize(narrow.sizeHint() if each is short else narrow.size())
        pictures.append(narrow.grab().toImage())
    assert short != words
    assert pictures[0] == pictures[1]  # parts are left out whole
    opened(qtbot, window, fasta(tmp_path / "x.fa", ("one", "ACGT")), fasta(tmp_path / "y.fa", ("two", "ACG")))
    assert window.windowTitle().startswith("one and two")


def test_a_small_window_names_the_lines_of_a_long_text(qtbot, window, tmp_path, monkeypatch):
    window.resize(800, 500)
    many = "".join(f"{k}\n" for k in range(100_000))
    opened(qtbot, window, text(tmp_path / "old.txt", many), text(tmp_path / "new.txt", many.replace("\n5\n", "\nx\n")))
    chip = window.header.chips[Side.A]
    fitting, drawn = chip._facts_beside, []
    monkeypatch.setattr(chip, "_facts_beside", lambda name, room: drawn.append(fitting(name, room)) or drawn[-1])
    chip.grab()
    assert drawn[-1] == "100,000 lines"


OLD_PROSE = f"Title\n\n{'An early word of a long paragraph. ' * 60}The cat sat on the mat, quietly.\n\tlast line\n"
NEW_PROSE = (
    OLD_PROSE.replace("An early", "One early", 1).replace("cat sat", "old dog sat").replace("\tlast", "    last")
)


def test_words_are_stepped_through_as_the_answer_counts_them(qtbot, window, tmp_path):
    a, b = text(tmp_path / "old.txt", OLD_PROSE), text(tmp_path / "new.txt", NEW_PROSE)
    window.session.choose(method="words")
    opened(qtbot, window, a, b)
    qtbot.waitUntil(lambda: window.alignment.hunks.answer is not None and window.alignment.model is not None)
    listed, canvas = window.view(DifferencesView), window.alignment.lines.canvas
    assert window.session.outcome.headline.startswith("2 changes: 1 word added, 2 changed")
    assert place(window) == "2 changes"
    qtbot.waitUntil(lambda: listed.model.n_rows == 2)
    cells = [[listed.model.cell(row, column, Qt.ItemDataRole.DisplayRole) for column in (1, 2, 4, 5)] for row in (0, 1)]
    assert cells == [["1 changed", "3", "1", "An → One"], ["1 changed, 1 added", "3", "2", "cat → old dog"]]
    kinds = {each.accessibleName() for each in window.alignment.stepper.kind_buttons.values() if not each.isHidden()}
    assert kinds == {"Changed: 2 words", "Added: 1 word"}
    assert window.arrangement.foot_tabs.tabText(1) == "Changes"
    for number, word in enumerate(("One", "old dog"), 1):
        step(window, "next")
        assert place(window) == f"change {number} of 2"
        assert listed.table.current == number - 1
        first = NEW_PROSE.index(word)
        assert canvas.marked.letters[1] == (first, first + len(word))
        part = canvas.entry.part
        columns = canvas.sight.columns
        assert part == (first - NEW_PROSE.index("One")) // columns
        assert 0 <= canvas.sight.y(canvas.marked.place) < canvas.viewport().height()
    line = NEW_PROSE.index("    last")
    marks = canvas.cells.marks(canvas.shown.rows.row_of[1][NEW_PROSE.count("\n", 0, line)])
    assert marks == ([(0, 1)], [(0, 4)])  # white space, which no step goes to


@pytest.mark.parametrize("indented", ["f(x)", "  f(x)", "f(x, y)"])
def test_every_changed_line_is_one_step_of_the_path(indented):
    *_, result = compared("one\nf(x)\ntwo\nsum = 1\n", f"one\n{indented}\ntwo\nsum = 2\nmore\n")
    rows = result.rows
    axes = Axes.of("line", (np.arange(4), np.arange(5)), (rows.starts_a[:-1], rows.starts_b[:-1]))
    path = MatrixPath.of(result.alignment, axes, result)
    assert set(zip(path.a.tolist(), path.b.tolist(), strict=True)) == {*((k, k) for k in range(5)), (4, 5)}


def test_a_table_beside_texts_has_room_for_its_digits(qtbot, window):
    window.session.start_with("lines")
    open_texts(window.session, "one\ntwo\n", "one\n2\n")
    qtbot.waitUntil(lambda: window.session.outcome is not None)
    window.resize(1_280, 800)
    window.show_panel("lessons")
    stage = window.view(LessonView).stage
    qtbot.waitUntil(lambda: stage.canvas.visibleRegion().boundingRect().height() >= 160 and not window.tabs.lacking)
    assert window.alignment.height() >= 180
