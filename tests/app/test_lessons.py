"""The panel of the lessons: keys, questions, units, the pair that is open, files of one's own, pages."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

from tests.app.fakes import fasta
from tests.app.parts import open_texts
from wavediff.app.draw.scene_style import Preset
from wavediff.app.teach.course_list import CourseList
from wavediff.app.teach.lesson_view import PAGE, LessonView
from wavediff.app.ui import save_dialog
from wavediff.app.ui.picture_files import PICTURES
from wavediff.app.window.panels.arrangement import Mode
from wavediff.core.record.run_file import read_record
from wavediff.core.teach.lesson import FOLDER, headings, lessons
from wavediff.core.teach.own_lesson import STARTER
from wavediff.core.teach.player import Player
from wavediff.core.teach.questions import Kind
from wavediff.core.teach.recorded import STORED
from wavediff.core.teach.unit import Unit


@pytest.fixture
def view(window):
    window.show_panel("lessons")
    return window.view(LessonView)


def player(view):
    assert view.player is not None
    return view.player


@pytest.mark.parametrize("height", [600, 700, 800])
def test_the_last_row_of_a_table_is_seen_in_a_low_window(qtbot, window, height):
    open_texts(window.session, "ACGTTGCA" * 90, "ACGTTCA" * 90)
    qtbot.waitUntil(lambda: window.session.outcome is not None)
    window.resize(1_280, height)
    window.show_panel("search")
    qtbot.waitUntil(lambda: window.tabs.isVisible() and not window.turns.busy)
    letters = window.alignment.height()
    window.show_panel("race")
    assert window.alignment.height() == letters, "other panels scroll"
    window.show_panel("lessons")
    canvas = window.view(LessonView).stage.canvas
    qtbot.waitUntil(lambda: canvas.visibleRegion().boundingRect() == canvas.rect())
    qtbot.waitUntil(lambda: window.tabs.lacking == 0)  # no button of the row below it is cut


def shipped(name):
    return next(one for one in lessons() if one.id == name)


def choose(view, name):
    view.lessons.choose(next(one.path for one in headings() if one.id == name))
    view.lessons.activated.emit(0)


def ask_before(view, name, step):
    """Open a lesson at the question before the scene that ends with a step."""
    choose(view, name)
    asked = player(view)
    for at in asked.marks:
        asked.seek(at)
        if asked.frame.step == step:
            asked.seek(at - 1)
            break
    asked.step()
    view.stage.refresh()


def press(qtbot, view, *keys):
    for key in keys:
        qtbot.keyClick(view.stage.canvas, key)


def test_a_question_is_typed_and_marked(qtbot, view):
    assert [view.lessons.itemText(k) for k in range(3)] == [
        "A table of lengths",
        "One table, many orders",
        "A column as one word",
    ]
    press(qtbot, view, Qt.Key.Key_Right)
    assert view.stage.sentence.text == "What is written in row 1 (a), column 1 (b)?"
    assert view.stage.question.answer_field.isVisible()
    qtbot.keyClicks(view.stage.question.answer_field, "3")
    qtbot.keyClick(view.stage.question.answer_field, Qt.Key.Key_Return)
    assert view.stage.sentence.text.startswith("3 is too large.")
    assert view.stage.question.answer_field.selectedText() == "3"
    qtbot.keyClicks(view.stage.question.answer_field, "0")
    qtbot.keyClick(view.stage.question.answer_field, Qt.Key.Key_Return)
    assert view.stage.sentence.text == "Right. a and b differ, and nothing is in common yet: 0."
    assert not view.stage.question.answer_field.isVisible()
    press(qtbot, view, Qt.Key.Key_Left)
    assert player(view).at == 0


def test_cells_are_clicked_and_arrows_chosen(qtbot, view):
    ask_before(view, "edit-table", 10)
    assert player(view).question.kind is Kind.READS
    view.grab()  # lays the table out
    for cell in ((1, 2), (1, 3), (2, 2)):
        where = view.stage.canvas.cell_box(*cell).center().toPoint()
        qtbot.mouseClick(view.stage.canvas, Qt.MouseButton.LeftButton, pos=where)
    assert view.stage.canvas.picked == {(1, 2), (1, 3), (2, 2)}
    qtbot.mouseClick(view.stage.question.check_button, Qt.MouseButton.LeftButton)
    assert view.stage.sentence.text.startswith("Right.")
    assert view.stage.canvas.picked == set()
    qtbot.mouseClick(view.stage.canvas, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    ask_before(view, "lcs-table", 23)
    buttons = [each for each in view.stage.question.option_buttons if each.isVisible()]
    assert [each.text() for each in buttons] == ["Diagonal", "Above", "Left"]  # no swap in an LCS
    qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    assert view.stage.sentence.text.startswith("e = e: a match comes from the diagonal")
    assert view.stage.canvas.taken == ((5, 2),)
    qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert view.stage.sentence.text.startswith("Right.")


def test_it_plays_and_pauses_and_stops_out_of_sight(qtbot, window, view):
    view.asks.choose(None)
    view.asks.activated.emit(0)
    press(qtbot, view, *[Qt.Key.Key_Up] * 5)
    assert player(view).speed == 32
    press(qtbot, view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: player(view).at_end, timeout=20_000)
    assert not player(view).playing
    press(qtbot, view, *[Qt.Key.Key_Down] * 7, Qt.Key.Key_Space)
    assert player(view).playing
    window.show_panel("timings")
    assert not player(view).playing


def test_units_and_ways_by_keys(qtbot, view):
    press(qtbot, view, Qt.Key.Key_U, Qt.Key.Key_End)
    assert player(view).unit is Unit.CELL
    paths = set()
    for _ in range(14):
        press(qtbot, view, Qt.Key.Key_Tab)
        paths.add(tuple(view.stage.canvas.path))
        assert view.stage.window().focusWidget() is view.stage.canvas
    assert len(paths) == 14
    counted = "Optimal path 14 of 14. Alignments that match other letters: 4. Subsequences that differ: 4."
    assert view.stage.sentence.text == counted
    assert not view.grab().isNull()
    press(qtbot, view, Qt.Key.Key_Tab)  # after the last one it goes on
    assert view.stage.canvas.path == []
    assert not view.stage.canvas.hasFocus()


def test_the_pair_that_is_open_is_stepped(qtbot, window, session, view, tmp_path):
    assert not view.take_button.isEnabled()
    files = [fasta(tmp_path / f"{name}.fa", (name, letters)) for name, letters in (("a", "ACGT"), ("b", "AGT"))]
    qtbot.expect(session.compared, session.open_paths, files, None)
    assert view.take_button.isEnabled()
    choose(view, "edit-table")
    qtbot.mouseClick(view.take_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: player(view).frame.part.inputs["b"] == "AGT")
    part = player(view).frame.part
    assert (part.method, part.inputs) == ("edit", {"a": "ACGT", "b": "AGT"})
    press(qtbot, view, Qt.Key.Key_End)
    assert part.trace.value_of("answer") == 1
    for name, inputs in (("shift-or", {"a": "ACGT", "b": "AGT"}), ("rotations", {"a": "ACGT"})):
        choose(view, name)
        qtbot.mouseClick(view.take_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: player(view).frame.part.inputs["a"] == "ACGT")
        assert player(view).frame.part.inputs == inputs


def test_a_lesson_of_ones_own_is_dropped_on_the_window(qtbot, window, view, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text((FOLDER / "08-edit-table.toml").read_text().replace("The fewest edits", "Mine"))
    window.commands.take(save_dialog.DropData((path,)), None)
    qtbot.waitUntil(lambda: view.lessons.currentText() == "Mine")
    path.write_text(path.read_text().replace("Mine", "Mine again"))
    window.commands.take(save_dialog.DropData((path,)), None)
    qtbot.waitUntil(lambda: view.lessons.currentText() == "Mine again")
    notices = []
    view.noticed.connect(notices.append)
    right = path.read_text()
    for wrong, told in (
        ("id = 3", "'id' is 3; a text is wanted"),
        (right.replace('answer" = 3', 'answer" = 4'), "it is 3"),
    ):
        path.write_text(wrong)
        window.commands.take(save_dialog.DropData((path,)), None)
        qtbot.waitUntil(lambda: len(notices) > 0)
        assert told in notices.pop().text
    assert view.lessons.currentText() == "Mine again"


def test_pages_and_pictures_are_saved(qtbot, view, tmp_path):
    notices = []
    view.noticed.connect(notices.append)
    view._save_page(tmp_path / "page.html", PAGE)
    qtbot.waitUntil(lambda: len(notices) == 1)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "A table of lengths – Wavediff" in page
    assert "lesson lcs-table --html lcs-table.html" in page
    view._save_page(tmp_path / "none" / "page.html", PAGE)
    qtbot.waitUntil(lambda: len(notices) == 2)
    assert "none" in notices[1].text
    press(qtbot, view, Qt.Key.Key_End)
    for number, kind in enumerate(PICTURES.values(), 3):
        path = tmp_path / f"scene{kind.endings[0]}"
        view._save_picture(path, kind)
        qtbot.waitUntil(lambda number=number: len(notices) == number)
        assert path.stat().st_size > 1000
    view._save_picture(tmp_path / "none" / "scene.png", PICTURES["png"])
    qtbot.waitUntil(lambda: len(notices) == 6)
    assert [one.text for one in notices[2:5]] == ["Saved scene.png", "Saved scene.svg", "Saved scene.pdf"]
    assert "none" in notices[5].text


@pytest.mark.parametrize("hall", [False, True])
def test_nothing_moves_while_it_is_stepped(qtbot, view, hall):
    view.asks.choose(None)
    view.asks.activated.emit(0)
    choose(view, "lcs-words")
    if hall:
        press(qtbot, view, Qt.Key.Key_F11)
    view.stage.window().grab()
    parts = view.stage.transport.findChildren(QWidget)
    before, box = [each.geometry() for each in parts], view.stage.canvas.cell_box(1, 1)
    for _ in range(8):
        press(qtbot, view, Qt.Key.Key_Right)
        view.stage.window().grab()
        assert ([each.geometry() for each in parts], view.stage.canvas.cell_box(1, 1)) == (before, box)
    if hall:
        press(qtbot, view, Qt.Key.Key_F11)


def test_a_click_says_how_a_cell_was_computed(qtbot, view):
    choose(view, "edit-table")
    press(qtbot, view, Qt.Key.Key_End)
    at = view.stage.canvas.cell_box(1, 1).center().toPoint()
    qtbot.mouseClick(view.stage.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert view.stage.sentence.text.startswith("D[1, 1]: k and s differ. Least of 0 + 1 by a substitution")
    press(qtbot, view, Qt.Key.Key_Left)
    assert not view.stage.sentence.text.startswith("D[1, 1]")


def test_who_teaches_sees_what_comes_next(qtbot, view):
    choose(view, "lcs-table")
    press(qtbot, view, Qt.Key.Key_F11)
    assert view.notes.text().startswith(
        "Lecture: 0 min so far · A table of lengths is planned for 6 min\nPage Down shows: "
    )
    for _ in range(4):
        coming = view.notes.text().splitlines()[1].removeprefix("Page Down shows: ")
        press(qtbot, view, Qt.Key.Key_PageDown)
        assert view.stage.sentence.text == coming
    press(qtbot, view, Qt.Key.Key_F11)
    assert not view.notes.isVisible()
    assert "Page Down" not in view.notes.text()


def test_a_cell_says_what_it_was_computed_from(qtbot, view):
    press(qtbot, view, Qt.Key.Key_End)
    view.stage.canvas.show_frame(player(view).frame, asked=False)
    assert view.stage.canvas.tip((3, 1)) == "L[3, 1]\nc = c: one more than on the diagonal, 0 + 1 = 1."
    assert view.stage.canvas.tip(None) == ""


def test_tables_of_any_size_are_painted(view, subtests):
    for letters in (1, 6, 200):
        lesson = shipped("lcs-words").with_inputs({"a": "A" * letters, "b": "ACGT" * (letters // 4 + 1)})
        other = Player(lesson)
        other.seek(other.n_frames - 1)
        for size in ((100, 80), (900, 500), (3000, 2000)):
            with subtests.test(letters=letters, size=size):
                view.stage.canvas.resize(*size)
                view.stage.canvas.show_frame(other.frame, asked=False)
                picture = view.stage.canvas.grab().toImage()
                assert len({picture.pixel(x, y) for x in range(0, size[0], 7) for y in range(0, size[1], 7)}) > 1


def test_a_step_is_gone_to_by_its_number(qtbot, view):
    press(qtbot, view, Qt.Key.Key_1, Qt.Key.Key_2)
    assert view.stage.transport.place.text() == "to 12 …"
    press(qtbot, view, Qt.Key.Key_Return)
    assert player(view).at == 12
    press(qtbot, view, Qt.Key.Key_9, Qt.Key.Key_9, Qt.Key.Key_9, Qt.Key.Key_Return)
    assert player(view).at == 12
    assert view.stage.sentence.text == "There is no step 999: the last one is 39."
    press(qtbot, view, Qt.Key.Key_3, Qt.Key.Key_9, Qt.Key.Key_Return)
    assert player(view).at_end
    press(qtbot, view, Qt.Key.Key_3, Qt.Key.Key_Escape)
    assert view.stage.transport.place.text() == "39 of 39"


def test_a_hall_sees_the_lesson_alone_in_large_letters_and_black(qtbot, view):
    press(qtbot, view, Qt.Key.Key_F11)
    hall = view.stage.window()
    assert hall is not view.window()
    assert hall.isFullScreen()
    assert view.stage.canvas.cell_box(0, 0).width() >= 40 * hall.height() / 1080 - 1
    texts = (view.stage.sentence, view.stage.transport.place, view.stage.question.tell_button)
    assert min(each.font().pixelSize() for each in texts) >= round(24 * hall.screen().size().height() / 1080)
    press(qtbot, view, Qt.Key.Key_PageDown, Qt.Key.Key_B)
    assert view.stage.cover.isVisible()
    picture = hall.grab().toImage()
    assert picture.pixelColor(picture.width() // 2, picture.height() // 2).lightness() == 0
    press(qtbot, view, Qt.Key.Key_Right)
    assert not view.stage.cover.isVisible()
    assert player(view).at == 1
    press(qtbot, view, Qt.Key.Key_F11)
    assert view.stage.window() is view.window()
    assert view.stage.canvas.preset is Preset.DESK


def test_a_hall_ends_with_the_window(qtbot, window, view):
    qtbot.mouseClick(view.hall_button, Qt.MouseButton.LeftButton)
    hall = view.stage.window()
    assert hall.isFullScreen()
    window.show_panel("timings")
    assert hall.isVisible()
    window.close()
    assert not hall.isVisible()


def test_notes_are_shown_and_hidden(qtbot, view):
    assert not view.notes.isVisible()
    press(qtbot, view, Qt.Key.Key_N)
    assert view.notes.isVisible()
    assert "empty prefixes" in view.notes.text()
    press(qtbot, view, Qt.Key.Key_N)
    assert not view.notes.isVisible()


def test_a_table_with_more_paths_than_can_be_counted_at_once_numbers_them(qtbot, view):
    view.show_lesson(shipped("edit-table").with_inputs({"a": "A" * 200, "b": "AC" * 60}, Unit.ROW))
    press(qtbot, view, Qt.Key.Key_End, Qt.Key.Key_Tab, Qt.Key.Key_Tab)
    assert view.stage.sentence.text == "Optimal path 2."


def test_a_table_is_made_larger_at_the_pointer_and_moved(qtbot, view):
    view.show_lesson(shipped("lcs-table").with_inputs({"a": "ACGT" * 50, "b": "AGCT" * 50}, Unit.ROW))
    canvas = view.stage.canvas
    press(qtbot, view, Qt.Key.Key_End)
    canvas.resize(600, 400)
    cell, point = (150, 120), canvas.cell_box(150, 120).center()
    before = canvas.cell_box(*cell).width()
    for _ in range(12):
        turn = QWheelEvent(
            point, canvas.mapToGlobal(point), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        canvas.wheelEvent(turn)
    assert canvas.cell_box(*cell).width() > 8 * before
    assert canvas.cell_at(point) in {(row, col) for row in (149, 150, 151) for col in (119, 120, 121)}
    press(qtbot, view, Qt.Key.Key_Home, Qt.Key.Key_Right)
    row = canvas.cell_box(1, 1)
    assert 0 <= row.top() <= canvas.height() - row.height()  # what is new is seen


def test_what_a_cell_may_come_from_is_seen_under_the_pointer(qtbot, view):
    choose(view, "edit-table")
    press(qtbot, view, Qt.Key.Key_End)
    canvas = view.stage.canvas
    plain = canvas.grab().toImage()
    qtbot.mouseMove(canvas, canvas.cell_box(3, 2).center().toPoint())
    qtbot.waitUntil(lambda: canvas.grab().toImage() != plain)
    trace = player(view).frame.part.trace
    assert [(one.value, one.wins) for one in trace.candidates(3, 2)] == [(3, False), (2, True), (4, False)]
    qtbot.mouseMove(canvas, canvas.cell_box(0, 2).center().toPoint())
    qtbot.waitUntil(lambda: canvas.grab().toImage() == plain)  # nothing leads to what is given


def test_the_last_run_of_the_window_is_played_once_there_is_one(qtbot, view, monkeypatch):
    choose(view, "your-run")
    press(qtbot, view, Qt.Key.Key_PageDown)
    assert "ships with the program" in view.stage.sentence.text
    run = read_record(STORED)
    run = replace(run, recorded=run.recorded._replace(job_id=7))
    monkeypatch.setattr(view, "_last_run", lambda: run)
    view.hide()
    view.show()
    press(qtbot, view, Qt.Key.Key_PageDown)
    assert view.stage.sentence.text.startswith("The run of the current answer")
    view.hide()
    view.show()
    assert player(view).at == 1  # the same run goes on where it was


def test_a_clicker_goes_through_a_course(qtbot, view):
    """Scenes, questions, answers and the next lesson by one key, in a hall; any lesson by the list of all."""
    view.lessons.choose(view.lessons.values[0])
    view.lessons.activated.emit(0)
    press(qtbot, view, Qt.Key.Key_F11)
    first = view.stage.title.text
    seen = set()
    while view.stage.title.text == first:
        seen.add(view.stage.sentence.text)
        press(qtbot, view, Qt.Key.Key_PageDown)
    assert "What is written in row 1 (a), column 1 (b)?" in seen
    assert "a and b differ, and nothing is in common yet: 0." in seen
    assert view.stage.title.text == view.lessons.itemText(1)
    press(qtbot, view, Qt.Key.Key_PageUp)
    assert view.stage.title.text == first
    assert player(view).at_end  # where it went on from
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    press(qtbot, view, Qt.Key.Key_L)
    (course,) = view.stage.findChildren(CourseList)
    assert course.currentItem().text(0) == view.lessons.itemText(1)
    word = next(one.title for one in headings() if one.title[0] in "Ll")
    qtbot.keyClicks(course, word[:3])
    assert course.isVisible()
    assert course.currentItem().text(0).lower().startswith(word[:3].lower())
    course.setCurrentItem(course.findItems(view.lessons.itemText(1), Qt.MatchFlag.MatchRecursive)[0])
    qtbot.keyClick(course, Qt.Key.Key_Down)
    qtbot.keyClick(course, Qt.Key.Key_Return)
    assert view.stage.title.text == view.lessons.itemText(2)
    assert view.stage.window().focusWidget() is view.stage.canvas
    press(qtbot, view, Qt.Key.Key_L)
    qtbot.keyClick(view.stage.findChildren(CourseList)[-1], Qt.Key.Key_Escape)
    assert view.stage.title.text == view.lessons.itemText(2)
    press(qtbot, view, Qt.Key.Key_F11)


def test_the_hall_is_a_key_away_wherever_the_focus_is(qtbot, view):
    for control in (view.lessons, view.asks):
        control.setFocus()
        qtbot.keyClick(control, Qt.Key.Key_F11)
        assert view.stage.window() is not view.window()
        assert not view.window().isFullScreen()
        press(qtbot, view, Qt.Key.Key_F11)
        assert view.stage.window() is view.window()


def test_no_sentence_of_a_lesson_is_cut_in_a_narrow_panel(qtbot, view):
    """In a window of 1920 x 1080 the lessons have a third of the lower half, 390 pixels."""
    view.resize(390, 900)
    label = view.stage.sentence
    for index in range(view.lessons.count()):
        view.lessons.setCurrentIndex(index)
        view.lessons.activated.emit(index)
        player = view.player
        assert player is not None
        heights = set()
        for at in range(0, player.n_frames, max(1, player.n_frames // 12)):
            player.seek(at)
            view.stage.refresh()
            area = label.fontMetrics().boundingRect(0, 0, label.width(), 0, Qt.TextFlag.TextWordWrap, label.text)
            assert area.height() <= label.height(), (view.lessons.currentText(), label.text)
            heights.add(label.height())
        assert len(heights) == 1  # nothing moves


def test_dots_and_chains_are_asked_before_they_are_shown(qtbot, view, subtests):
    for name, step, wrong, right in (("dots", 19, "2", "1"), ("dot-chains", 5, "4", "0"), ("dot-chains", 10, "0", "1")):
        with subtests.test(name=name, step=step):
            ask_before(view, name, step)
            for typed, answered in ((wrong, ""), (right, "Right.")):
                view.stage.question.answer_field.clear()
                qtbot.keyClicks(view.stage.question.answer_field, typed)
                qtbot.keyClick(view.stage.question.answer_field, Qt.Key.Key_Return)
                assert view.stage.sentence.text.startswith(answered)
                assert (player(view).question is None) == bool(answered)
            assert view.stage.sentence.text.endswith(player(view).frame.part.trace.say(Unit.ROW, step))


def test_a_lesson_of_the_command_line_begins_in_its_panel(qtbot, window, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(STARTER)
    window.commands.open_paths([path])
    view = window.view(LessonView)
    qtbot.waitUntil(lambda: view.lessons.currentText() == "My lesson")
    assert view.isVisible()
    assert view.stage.sentence.text == "A number is a distance: 3 letters of B against none of A."


def test_a_narrow_scene_keeps_its_table_and_leaves_the_listing_out(qtbot, view):
    choose(view, "lcs-table")
    canvas = view.stage.canvas
    sizes = []
    for width in (900, 450, 900):
        canvas.resize(width, 250)
        sizes.append(canvas.cell_box(1, 1).width())
    assert sizes[0] == sizes[2]
    assert sizes[1] > 24


def test_the_scene_beside_a_small_pair_has_the_empty_lines_of_the_sentence(qtbot, window):
    window.resize(1_270, 720)
    qtbot.expect(window.session.compared, open_texts, window.session, "kitten", "sitting")
    window.show_panel("lessons")
    stage = window.view(LessonView).stage
    qtbot.waitUntil(lambda: window.arrangement.mode is Mode.SMALL_PAIR and stage.isVisible())
    qtbot.waitUntil(lambda: stage.canvas.height() >= 160 > 2 * stage.sentence.height() > 0)
    qtbot.waitUntil(lambda: stage.visibleRegion().boundingRect() == stage.rect())  # nothing is scrolled away
