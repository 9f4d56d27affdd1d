"""Pages for everybody: what is labelled, tables that are read aloud, keys, a phone, paper."""

import re
from itertools import product

import numpy as np
import pytest

from tests.depth import one_of
from tests.teach.browser import PATH, browser
from tests.teach.page_elements import Elements
from wavediff.app.commands.cli import main
from wavediff.app.draw.page import SCRIPT, course_page, lesson_page, page_data
from wavediff.core.teach.lesson import headings, lessons, read_lesson
from wavediff.core.teach.scene import Grid, Mark

CONTROLS = {"input", "select", "textarea"}
SIZES = [(390, 844), (800, 600), (1280, 800)]


def lesson_of(name):
    return read_lesson(next(one.path for one in headings() if one.id == name))


@pytest.fixture(scope="module")
def page():
    return lesson_page(lesson_of("lcs-table"))


def test_every_control_has_a_name(page):
    elements = Elements.of(page)
    for place, (tag, attributes, inside) in enumerate(elements):
        if tag in CONTROLS:
            assert "label" in inside or attributes.get("aria-label"), attributes
        if tag in ("button", "summary", "label", "a") and attributes.get("id") != "typing":
            assert attributes.get("aria-label") or elements.text(place), attributes
    ranges = [inside for tag, attributes, inside in elements if attributes.get("type") == "range"]
    assert len(ranges) == 1


def test_the_order_of_tab_is_that_of_the_page_and_no_key_takes_it_away(page):
    for _, attributes, _ in Elements.of(page):
        assert int(attributes.get("tabindex", 0)) <= 0
        assert "onkeydown" not in attributes
    script = SCRIPT.read_text("utf-8")
    assert "Tab" not in script
    assert len(re.findall(r"\bonkey\w+|addEventListener", script)) == 1  # which acts on the keys of its table alone


def test_a_page_and_a_course_have_landmarks_a_language_and_a_title(page):
    for text in (page, course_page(lessons())):
        tags = {tag: attributes for tag, attributes, _ in Elements.of(text)}
        assert {"main", "h1", "title"} <= set(tags)
        assert tags["html"]["lang"] == "en"


def cells_at(part, unit, k):
    """Return the elements of each part's table after a step, made from the changes as the page does."""
    n = 2 * unit["parts"]
    ids = [{} for _ in range(n)]
    for pairs in unit["frames"][: k + 1]:
        slot = place = 0
        for by, further in zip(pairs[::2], pairs[1::2], strict=True):
            slot, place = slot + by, place + further
            ids[slot % n][slot // n] = place
    pool = [line.split("~") for line in part["pool"].split("\n")]

    def text(id_):
        form, *values = pool[part["symbols"] + id_]
        return re.sub("~", lambda _: values.pop(0), part["forms"][int(form)])

    return [[text(ids_[place]) for place in range(len(ids_))] for ids_ in ids[unit["parts"] :]]


@pytest.mark.parametrize("name", one_of(5, [one.id for one in headings()]))
def test_the_tables_of_a_page_have_headings_and_the_numbers_of_the_trace(name):
    lesson = lesson_of(name)
    data = page_data(lesson)
    for part, made in zip(lesson.parts, data["parts"], strict=True):
        for unit in part.units[:2]:
            last = part.trace.steps(unit)
            for k in sorted({0, last // 2, last}):
                scene, unit_data = part.shown.scene(unit, k), made["units"][str(unit)]
                tables = cells_at(made, unit_data, k)
                for one, cells, (rows, cols) in zip(scene.parts, tables, unit_data["shapes"], strict=True):
                    assert len(cells) == rows * cols
                    heads = [cell for cell in cells[:cols] if cell != "<td></td>"]
                    assert all(cell.startswith('<th scope="col">') for cell in heads)
                    begins = [cell for cell in cells[cols::cols] if cell != "<td></td>"]
                    assert all(cell.startswith('<th scope="row">') for cell in begins)
                    if isinstance(one, Grid):
                        seen = [re.sub("<[^>]*>", "", cell).split(" ")[0] for cell in cells]
                        shown = np.array(seen).reshape(rows, cols)[1:, 1:]
                        wanted = np.where(one.rank <= k, one.values.astype(str), "")
                        skipped = np.zeros(one.rank.shape, bool) if one.marks is None else one.marks == Mark.SKIPPED
                        assert np.array_equal(shown[~skipped], wanted[~skipped])


def test_a_listing_is_read_with_the_case_that_applies():
    lesson = lesson_of("lcs-table")
    data, inputs = page_data(lesson)["parts"][0], lesson.parts[0].inputs
    unit = data["units"]["cell"]
    assert unit["names"][-1] == "L[i,j] = (Listing 1, lines 8 to 12)"
    for k, (x, y) in enumerate(product(inputs["a"], inputs["b"]), 1):
        cells = [re.sub("<[^>]*>", "", cell) for cell in cells_at(data, unit, k)[-1]]
        rule = "A[i] = B[j]: L[i-1,j-1] + 1" if x == y else "else: max(L[i-1,j], L[i,j-1])"
        assert [text for text, mark in zip(cells[::2], cells[1::2], strict=True) if mark] == [rule]


needs_browser = pytest.mark.skipif(PATH is None, reason="no Chromium is there")


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    assert main(["lesson", "all", "--html-folder", str(folder / "course"), "--quiet"]) == 0
    with browser(folder / "profile") as one:
        yield one, folder / "course"


@needs_browser
@pytest.mark.parametrize("name", one_of(5, [one.id for one in headings()]))
def test_tab_leaves_the_stage_at_the_last_step(shown, name):
    one, course = shown
    one.open(course / f"{name}.html")
    for shift in (False, True):
        one.value("find('asks').checked = false; stage.focus(); 0")
        one.press("End")
        one.press("Tab", shift=shift)
        assert one.value("document.activeElement !== stage")


@needs_browser
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["lcs-words", "queue", "swaps", "cyclic"])
def test_sentence_buttons_and_the_left_edge_are_in_sight(shown, name, size):
    one, course = shown
    one.open(course / f"{name}.html", size)
    for at in (0, 5, "frames.length - 1"):
        one.value(f"seek({at}); 0")
        box = "((element, box = find(element).getBoundingClientRect()) => [box.left, box.top, box.right, box.bottom])"
        for element in ("say", "bar"):
            left, top, right, foot = one.value(f"{box}('{element}')")
            assert 0 <= left < right <= size[0]
            assert 0 <= top < foot <= size[1]
        assert one.value("scene.firstChild.getBoundingClientRect().left >= stage.getBoundingClientRect().left - 1")
        assert one.value("document.documentElement.scrollWidth <= innerWidth")


@needs_browser
def test_a_screen_reader_finds_the_table_and_the_slider(shown):
    one, course = shown
    one.open(course / "lcs-table.html")
    one.value("seek(2); 0")
    named = one.named()
    assert ("slider", "Step") in named
    assert ("table", "Table L") in named
    assert ("columnheader", "1 b") in named
    assert ("rowheader", "2 b") in named
    assert [name for role, name in named if role == "cell"].count("0") > 10
    assert ("table", "L[i,j] = (Listing 1, lines 8 to 12)") in named
    rules = ["L[i,0] = L[0,j] = 0", "A[i] = B[j]: L[i-1,j-1] + 1", "else: max(L[i-1,j], L[i,j-1])"]
    marks = [named[named.index(("rowheader", rule)) + 1] for rule in rules]
    assert marks == [("cell", ""), ("cell", "on"), ("cell", "")]  # a = a
    assert ("rowheader", "") not in named


def typed(one, text):
    one.value("find('answer').value = ''; find('answer').focus(); 0")
    for letter in text:
        one.press(letter)
    one.press("Enter")


@needs_browser
def test_every_question_is_answered_by_keys_and_counted(shown):
    one, course = shown
    for name in ("lcs-table", "edit-table", "lcs-blocks", "lcs-words", "monotone", "swaps", "cyclic"):
        one.open(course / f"{name}.html")
        n = one.value("questions.length")
        assert n > 0
        for _ in range(200):
            if one.value("answered.size") == n:
                break
            one.press("PageDown")
            if not one.value("!!question"):
                continue
            if one.value("question.choices.length"):
                assert one.value("document.activeElement.type") == "button"
                names = "question.choices.filter(([id]) => question.accepts.includes(id)).map(([, text]) => text)"
                right = f"{names}.includes(document.activeElement.textContent)"
                while not one.value(right):
                    one.press("Tab")
                one.press("Enter")
            elif one.value("asksCells()"):
                first = "frames[at].data.grid[7]"
                cells = f"question.accepts.map(one => one.split(',').map(n => +n + {first}).join(',')).join(' ')"
                typed(one, one.value(cells))
            else:
                typed(one, one.value("question.accepts[0]"))
            assert one.value("say.className") == "right", one.value("say.textContent")
        assert f"{n} of {n} right at once" in one.value("find('result').value")


@needs_browser
def test_cells_that_are_clicked_are_the_answer(shown):
    one, course = shown
    for size in SIZES:
        one.open(course / "edit-table.html", size)
        one.value("seek(lessonFrames.findIndex(frame => frame.ask && frame.ask.kind === 'reads'), true); 0")
        for name in one.value("question.accepts"):
            row, col = map(int, name.split(","))
            place = f"""(([left, top, cell]) => {{
              const to = picture.over.getScreenCTM(), at = n => n * cell + cell / 2;
              const point = new DOMPoint(left + at({col}), top + at({row})).matrixTransform(to);
              return [point.x, point.y];
            }})(frames[at].data.grid)"""
            one.value("picture.over.scrollIntoView; 0")
            one.click(*one.value(place))
        assert set(one.value("typed()")) == set(one.value("question.accepts"))
        one.value("find('check').focus(); 0")
        one.press("Enter")
        assert one.value("say.className") == "right"


@needs_browser
@pytest.mark.parametrize("name", ["lcs-table", "lcs-words"])
def test_paper_has_all_steps(shown, name):
    one, course = shown
    one.open(course / f"{name}.html")
    assert one.paper().startswith(b"%PDF")
    assert one.value("document.querySelectorAll('#paper figure').length") == one.value("frames.length")
    one.call("Emulation.setEmulatedMedia", media="print")
    sides = "(one => one.firstChild.getBoundingClientRect().right - one.getBoundingClientRect().right)"
    assert one.value(f"Math.max(...[...document.querySelectorAll('#paper figure')].map({sides}))") <= 1
    one.call("Emulation.setEmulatedMedia", media="")
    said = one.value("[...document.querySelectorAll('figcaption')].map(one => one.textContent)")
    assert [text.split(". ", 1)[1] for text in said] == one.value("frames.map(({say, k, data}) => say || data.say[k])")


@needs_browser
def test_paper_of_large_tables_has_the_stops_and_says_so(shown):
    one, course = shown
    one.open(course / "lcs-64-times.html")
    assert one.paper().startswith(b"%PDF")
    stops, last = one.value("LESSON.stops"), one.value("frames.length - 1")
    assert len(stops) <= last
    text = one.value("document.querySelector('#paper p').textContent")
    assert text.startswith(f"Steps {', '.join(map(str, stops))} of {last}:")
    said = one.value("[...document.querySelectorAll('figcaption')].map(one => one.textContent)")
    assert [int(text.split(". ", 1)[0]) for text in said] == stops


@needs_browser
def test_playing_goes_on_when_a_sentence_was_read(shown):
    one, course = shown
    one.open(course / "lcs-table.html")
    one.value("find('asks').checked = false; find('speed').value = 64; play(true); 0")
    one.until("!playing && at === frames.length - 1")


@needs_browser
def test_controls_of_a_phone_are_large_enough_to_be_touched(shown):
    """24 pixels, WCAG 2.2, 2.5.8."""
    one, course = shown
    one.open(course / "edit-table.html", SIZES[0])
    one.press("PageDown")
    sizes = "[...document.querySelectorAll('button, input, select, summary')].map(one => one.getBoundingClientRect())"
    for wide, high in one.value(f"{sizes}.filter(box => box.width).map(box => [box.width, box.height])"):
        assert wide >= 13  # a checkbox, whose label is touched
        assert high >= 24 or wide == high


@needs_browser
def test_a_wrong_answer_is_replaced_by_the_next(shown):
    one, course = shown
    one.open(course / "edit-table.html")
    one.press("PageDown")
    typed(one, "7")
    assert one.value("say.className") == "wrong"
    one.press("1")
    one.press("Enter")
    assert one.value("say.className") == "right"


@needs_browser
def test_the_cell_that_is_asked_about_is_marked(shown):
    one, course = shown
    one.open(course / "edit-table.html")
    marks = "[...picture.groups[0].querySelectorAll('text')].filter(one => one.textContent === '?').length"
    assert one.value(marks) == 0
    one.press("PageDown")
    assert one.value(f"[!!question, {marks}]") == [True, 1]
    one.press("Escape")
    assert one.value(f"[!!question, {marks}]") == [False, 0]


def test_a_heading_that_is_a_space_is_read():
    forms = [form for part in page_data(lesson_of("diff"))["parts"] for form in part["forms"] if "<th" in form]
    assert '<th scope="row">blank</th>' in forms
    assert not [form for form in forms if not re.sub("<[^>]*>", "", form).strip()]


@needs_browser
def test_a_phone_follows_the_row_of_now(shown, tmp_path):
    one, _ = shown
    page = tmp_path / "rotations.html"
    page.write_text(lesson_page(lesson_of("rotations").with_inputs({"a": "mississippi"})), encoding="utf-8")
    one.open(page, SIZES[0])
    marks = """scene.querySelectorAll('[fill="var(--tint)"]')"""
    seen = f"""((marks, frame) => {{
      const {{top, bottom}} = marks[marks.length - 1].getBoundingClientRect();
      return [frame.top - 1 <= top, bottom <= frame.bottom + 1];
    }})({marks}, stage.getBoundingClientRect())"""
    for at in range(1, one.value("LESSON.parts[0].units.row.steps + 1")):
        one.value(f"seek({at}); 0")
        assert one.value(seen) == [True, True], at
    one.value("seek(lessonFrames.findIndex(frame => frame.ask), true); 0")
    assert one.value("!!question")
    assert one.value(seen) == [True, True], "the row that is asked about"


@needs_browser
@pytest.mark.parametrize("size", SIZES)
def test_the_row_of_a_wrong_answer_is_marked_and_a_row_is_clicked(shown, size):
    one, course = shown
    one.open(course / "rotations.html", size)
    one.value("seek(lessonFrames.findIndex(frame => frame.ask), true); 0")
    typed(one, "4")
    assert one.value("say.textContent").startswith("That row comes later: its letter 1, n, is greater than a.")
    row = "[...picture.groups[0].querySelectorAll('text')].find(one => one.textContent === '4').getBoundingClientRect()"
    mark = "picture.over.querySelector('.picked').getBoundingClientRect()"
    assert one.value(f"(({{top, bottom}}, mark) => mark.top < bottom && top < mark.bottom)({row}, {mark})")
    right = row.replace("'4'", "'1'")
    one.value(f"stage.scrollTop += {right}.top - stage.getBoundingClientRect().top - 40; 0")
    one.click(*one.value(f"(box => [box.left + 2, (box.top + box.bottom) / 2])({right})"))
    assert one.value("find('answer').value") == "1"
    one.value("find('check').click(); 0")
    assert one.value("say.className") == "right"


@needs_browser
def test_numbers_with_commas_and_arrows_in_an_empty_field(shown):
    one, course = shown
    one.open(course / "lcs-table.html")
    one.press("PageDown")
    typed(one, "0,")
    assert one.value("say.className") == "right"
    one.press("PageDown")
    assert one.value("!!question && document.activeElement.id === 'answer'")
    one.press("ArrowRight")
    assert one.value("!question")
