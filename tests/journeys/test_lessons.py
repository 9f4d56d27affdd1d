"""Kitten and sitting taught from an empty window, with the keyboard alone; then the words, a page, a lesson dropped."""

import re

import pytest

from tests.journeys.stage import Home, play
from wavediff.core.teach.lesson import FOLDER, headings, lessons

pytestmark = pytest.mark.journey

OTHERS = ("Which cells does row 2 (i), column 3 (t) need?", "Where does row", "Which cells make an optimal path")
ANSWERS = {
    "row 1 (k), column 1 (s)": "1",
    "row 2 (i), column 2 (i)": "1",
    "row 5 (e), column 1 (s)": "5",
    "row 6 (n), column 7 (g)": "3",
}
LAST = "Edits: 3. Optimal paths: 1."


def tab_to(me, part):
    seen = []
    for _ in range(120):
        seen.append(me.focused())
        if part in seen[-1]:
            return
        me.key("Tab")
    raise AssertionError(f"Tab does not reach {part}: {seen}")


def taught_by_keys(me):
    me.wait_idle()
    me.key("Ctrl+Shift+L")
    me.wait_to_see("A number is the length of the longest common subsequence", 20)
    tab_to(me, "'Lesson'")
    for _ in me.options("Lesson", "Lessons"):
        if me.chosen("Lesson", "Lessons") == "The fewest edits":
            break
        me.key("Down")
    tab_to(me, "Table of 6 rows and 7 columns")
    asked = 0
    for _ in range(90):
        if me.sees(LAST):
            break
        me.key("Right")
        found = [answer for cell, answer in ANSWERS.items() if me.sees(f"What is written in {cell}?")]
        if found:
            asked += 1
            me.type("99")
            me.key("Return")
            me.wait_to_see("99 is too large.", 10)
            me.key("Ctrl+A")
            me.type(found[0])
            me.key("Return")
            me.wait_to_see("Right.", 10)
        elif any(map(me.sees, OTHERS)):
            asked += 1
            me.picture("asked")
            me.key("Esc")
    assert me.sees(LAST), me.read()
    assert asked == len(ANSWERS) + 4
    me.key("Tab")  # the one optimal path
    me.picture("the path")
    me.key("Home")
    for _ in range(5):
        me.key("Up")
    me.key("Space")
    me.wait_to_see(LAST, 20)
    # Words, by the mouse; a page of them; a lesson of one's own.
    me.choose("Lesson", "A column as one word", "Lessons")
    me.click("Step (→)", "Lessons")
    me.wait_to_see("M: the rows whose letter is b.", 10)
    me.choose("Step by", "column", "Lessons")
    me.click("To the end (End)", "Lessons")
    me.wait_to_see("Letter d: 2 zeros in V', so 2 letters in common so far.", 10)
    me.picture("words")
    page = me.folder / "words.html"
    me.click("Files", "Lessons")
    me.take_entry("Save page…")
    me.name_files([page])
    me.wait_until(page.exists, "the page is saved", 20)
    assert "A column as one word" in page.read_text("utf-8")
    own = me.folder / "own.toml"
    own.write_text((FOLDER / "08-edit-table.toml").read_text("utf-8").replace("The fewest edits", "My own"), "utf-8")
    me.drop([own])
    me.wait_until(lambda: me.chosen("Lesson", "Lessons") == "My own", "the dropped lesson is begun", 10)


def test_a_lesson_from_an_empty_window(tmp_path):
    play(Home(tmp_path), taught_by_keys)


def whole_course(me):
    """All lessons of a language in a hall with the two keys of a clicker: to the end of the last, back to the start."""
    me.wait_idle()
    me.key("Ctrl+Shift+L")
    me.wait_to_see("A number is the length of the longest common subsequence", 20)
    tab_to(me, "Table of 5 rows and 5 columns")
    me.key("F11")
    me.wait_to_see("A table of lengths", 10)
    seen = pressed_on(me, "PgDown")
    assert list(dict.fromkeys(title for title, _, _ in seen)) == [one.title for one in headings()]
    assert sum(asked for _, _, asked in seen) == sum(
        scene.ask is not None for lesson in lessons() for part in lesson.parts for scene in part.scenes
    )
    back = pressed_on(me, "PgUp")
    assert not any(asked for _, _, asked in back)
    assert [there[:2] for there in reversed(back)] == list(dict.fromkeys(there[:2] for there in seen))
    me.key("F11")
    me.wait_for_focus()


def pressed_on(me, key):
    """Press a key until nothing else comes: of each stop the title, the place, and whether something is asked."""
    found = [in_hall(me)]
    while True:
        me.key(key)
        there = in_hall(me)
        if there == found[-1]:
            me.picture(f"{there[0]} at the end")
            return found
        if there[0] != found[-1][0]:
            me.picture(there[0])
        found.append(there)


def in_hall(me):
    lines = me.read()
    at = next(k for k, line in enumerate(lines) if re.fullmatch(r"[\d,]+ of [\d,]+", line))
    return lines[at + 2], lines[at], "Tell me" in lines


def test_the_whole_course_there_and_back_with_a_clicker(tmp_path):
    play(Home(tmp_path), whole_course, screen=(1920, 1080))
