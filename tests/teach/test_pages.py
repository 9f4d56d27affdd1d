"""Pages, data and text of lessons, and the command that writes them."""

import base64
import json
import re
import shutil
import subprocess
import zipfile
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.depth import DEEP, deeper
from tests.teach.own_lesson import OWN
from tests.teach.page_elements import Elements
from wavediff.app.commands.cli import main
from wavediff.app.draw.page import SCRIPT, lesson_page
from wavediff.core.teach.film import moments
from wavediff.core.teach.lesson import FOLDER, headings, lessons, read_lesson
from wavediff.core.teach.lesson_data import PageTooLarge, lesson_data, lesson_text
from wavediff.core.teach.scene import Mark
from wavediff.core.teach.table import LcsTable
from wavediff.core.teach.table_trace import table_trace
from wavediff.core.teach.unit import Unit

MAX_SCRIPT_LINES, MAX_LINE = 250, 120


@cache
def drawn():
    """Return the lessons of the course: all in `make check`, in `make test` some of two topics."""
    every = lessons()
    return every if DEEP else [*every[:3], *every[-2:]]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wavediff.app.commands.lesson.lessons", lambda *_: drawn())
        assert main(["lesson", "all", "--html-folder", str(folder)]) == 0
    return folder


@deeper
def test_a_page_needs_nothing_but_itself(course):
    for lesson in drawn():
        page = (course / f"{lesson.id}.html").read_text("utf-8")
        assert not re.search(r"https?:|<link|@import|fetch\(|XMLHttpRequest|import\(|eval\(", page)
        assert not [tag for tag, attributes, _ in Elements.of(page) if "src" in attributes]
        assert page.count("<script>") == page.count("</script>") == 1


def test_the_player_is_short_and_has_no_recurrence():
    lines = [line for path in SCRIPT.parent.glob("*.js") for line in path.read_text("utf-8").splitlines()]
    assert len(lines) <= MAX_SCRIPT_LINES
    assert max(map(len, lines)) <= MAX_LINE
    assert not any("Math.min(table" in line for line in lines)


@pytest.mark.skipif(shutil.which("node") is None, reason="node reads the script")
def test_the_player_is_a_script_that_can_be_read():
    subprocess.run(["node", "--check", SCRIPT], check=True, timeout=60)


def test_the_data_are_those_of_the_trace():
    lesson = read_lesson(FOLDER / "03-lcs-words.toml")
    data = json.loads(json.dumps(lesson_data(lesson)))
    part, trace = data["parts"][0], table_trace(lesson.parts[0].inputs, LcsTable)
    column = part["units"]["column"]
    grid, words, listing = (part["pool"][place] for place in column["parts"][5])
    values, rank = (np.frombuffer(base64.b64decode(part["arrays"][grid[name]]), "<i4") for name in ("values", "rank"))
    assert np.array_equal(values.reshape(6, 6), trace.table.values)
    assert np.array_equal(rank.reshape(6, 6), trace.rank(Unit.COLUMN))
    assert dict(words["rows"])["V'"] == "01101"
    rules = zip(listing["rows"], listing["marks"], strict=True)
    lit = [row.rstrip() for (row,), (mark,) in rules if mark == Mark.ON]
    assert lit == ["12: V = (V + (V & M))", "13: | (V & ~M)"]
    assert column["same"]["operation"] == [trace.same(Unit.COLUMN, k, Unit.OPERATION) for k in range(6)]
    asked = [scene["ask"] for scene in part["scenes"] if "ask" in scene]
    assert [one["accepts"] for one in asked] == [["01110"], ["01101"]]


def test_letters_that_look_like_html_stay_letters():
    lesson = lessons()[0].with_inputs({"a": "</script><b>", "b": "<!--"})
    page = lesson_page(lesson, "--a '</script>'")
    assert page.count("</script>") == 1
    assert "<!--" not in page


def test_more_sentences_than_a_page_holds_are_refused_with_what_fits():
    large = lessons()[0].with_inputs({"a": "A" * 200, "b": "C" * 200})
    with pytest.raises(PageTooLarge, match="40,000 steps by cell are too many for a page"):
        lesson_page(large)
    assert "row 200 of 200" in lesson_text(lessons()[0].with_inputs({"a": "A" * 200, "b": "C" * 200}, Unit.ROW), 200)


def test_a_step_as_text(capsys):
    assert main(["lesson", "edit-table", "--a", "AC", "--b", "AG", "--unit", "cell", "--step", "4"]) == 0
    assert capsys.readouterr().out.splitlines()[6:] == [
        "cell 4 of 4",
        "C and G differ. Least of 0 + 1 by a substitution, 1 + 1 by a deletion and 1 + 1 by an insertion: 1.",
        "",
        "     A G",
        "   0 1 2",
        "A  1 0 1",
        "C  2 1*1",
        "",
        "D[i,j] = least of",
        "  D[i,0] = i, D[0,j] = j",
        "  D[i-1,j-1], if A[i] = B[j]",
        "+ D[i-1,j-1] + 1, else",
        "  D[i-1,j] + 1",
        "  D[i,j-1] + 1",
    ]


def test_the_list_of_lessons(capsys):
    assert main(["lesson"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [one.id for one in lessons()]


@deeper
def test_a_course_is_a_folder_that_a_browser_plays(course):
    assert {path.name for path in course.iterdir()} == {"index.html", *(f"{one.id}.html" for one in drawn())}
    index = (course / "index.html").read_text("utf-8")
    listed = re.findall(r'<h2>([^<,]+),|href="([^"]+)"', index)
    topics = dict.fromkeys(one.topic for one in drawn())
    assert "" not in topics
    wanted = [(topic, [f"{one.id}.html" for one in drawn() if one.topic == topic]) for topic in topics]
    assert listed == [pair for topic, links in wanted for pair in ((topic, ""), *(("", link) for link in links))]


def test_files_are_written_whole_and_the_command_is_kept(tmp_path):
    page, data, text = (tmp_path / f"one.{ending}" for ending in ("html", "json", "txt"))
    files = ["--html", str(page), "--json", str(data), "--text", str(text)]
    assert main(["lesson", "lcs-words", "--a", "GAT", *files]) == 0
    assert "lesson lcs-words --a GAT --html lcs-words.html" in page.read_text("utf-8")
    assert json.loads(data.read_text("utf-8"))["parts"][0]["pool"][0]["left"] == list("GAT")
    assert "A GAT" in text.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["lcs-wirds"], "lcs-wirds: there is no such lesson and no such file; did you mean lcs-words?"),
        (["fugue"], "fugue: there is no such lesson and no such file; the lessons are lcs-table,"),
        (["lcs-words", "--step", "99"], "'lcs-words' has no step 99; its last one is 12"),
        (["lcs-words", "--a", ""], "--a and --b need one letter or more"),
        (["lcs-words", "--b", "A" * 600], "a table of 5 × 600 cells cannot be stepped; up to 512 × 512 letters can"),
        (["all"], "'lesson all' writes pages into a folder: --html-folder DIR is needed"),
        (["lcs-words", "--html-folder", "x"], "--html-folder is for 'lesson all'"),
        (["lcs-words", "--text", "both", "--json", "both"], "--text and --json cannot both go to both"),
        (["lcs-words", "--exercises", "0"], "0 exercises cannot be made; 1 to 200 can"),
        (["card", "--exercises", "200"], "exercises, not 200"),
        (["lcs-words", "--png", "page.svg"], "--png page.svg: the name ends in .png"),
    ],
)
def test_what_cannot_be_done_is_told(arguments, told, capsys):
    assert main(["lesson", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_a_lesson_is_not_written_over_itself(tmp_path, capsys):
    own, shipped = tmp_path / "own.toml", next(one for one in headings() if one.id == "lcs-words")
    own.write_bytes(shipped.path.read_bytes())
    assert main(["lesson", str(own), "--json", str(own)]) == 2
    assert "this is the input" in capsys.readouterr().err
    assert own.read_bytes() == shipped.path.read_bytes()


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_picture_tells_what_made_it(kind, tmp_path, qapp):
    path = tmp_path / f"step.{kind}"
    arguments = ["lesson", "lcs-words", "--a", "GAT", "--unit", "column", "--step", "3"]
    assert main([*arguments, f"--{kind}", str(path), "--size", "600x400"]) == 0
    raw = path.read_bytes()
    command = f"lesson lcs-words --a GAT --unit column --step 3 --size 600x400 --{kind} picture.{kind}"
    if kind == "png":
        picture = QImage(str(path))
        assert picture.text("Comment").endswith(command)
        assert picture.text("b") == "baexd"
        assert 100 < picture.width() <= 600
    else:
        assert command in raw.decode("latin-1")
    if kind == "svg":
        assert re.search(r"<text[^>]*>\s*V &amp; ~M\s*</text>", raw.decode())


def test_a_picture_has_the_resolution_that_was_asked_for(tmp_path, qapp):
    usual, fine = tmp_path / "usual.png", tmp_path / "fine.png"
    assert main(["lesson", "edit-table", "--png", str(usual)]) == 0
    assert main(["lesson", "edit-table", "--png", str(fine), "--dpi", "192"]) == 0
    assert QImage(str(fine)).size() == QImage(str(usual)).size() * 2
    assert QImage(str(fine)).dotsPerMeterX() == 7559


def pages_of(path):
    return path.read_bytes().count(b"/Type /Page\n")


@pytest.mark.parametrize(
    ("options", "pages"),
    [
        ("--a-page 1", 6),  # one, three of each step, a question, its answer
        ("", 3),
        ("--a-page 4", 2),
        ("--a-page 1 --no-answers", 5),
        ("--a-page 1 --teacher-notes", 7),
    ],
)
def test_hand_outs_have_so_many_steps_a_page(tmp_path, qapp, options, pages):
    own, path = tmp_path / "own.toml", tmp_path / "own.pdf"
    own.write_text(OWN)
    assert main(["lesson", str(own), "--notes", str(path), *options.split()]) == 0
    assert pages_of(path) == pages


def test_slides_are_the_frames_of_the_film(tmp_path, qapp):
    path = tmp_path / "slides.pdf"
    assert main(["lesson", "sklansky", "--slides", str(path)]) == 0
    lesson = next(one for one in lessons() if one.id == "sklansky")
    assert pages_of(path) == len(moments(lesson))
    wide, high = map(float, re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes()).groups())
    assert wide / high == pytest.approx(16 / 9, rel=1e-3)
    assert b"lesson sklansky --slides sklansky.pdf" in path.read_bytes()


def test_a_package_tells_a_platform_the_score(tmp_path):
    path = tmp_path / "one.zip"
    assert main(["lesson", "edit-table", "--a", "GAT", "--scorm", str(path)]) == 0
    with zipfile.ZipFile(path) as package:
        assert package.namelist() == ["imsmanifest.xml", "index.html"]
        manifest, page = ElementTree.fromstring(package.read("imsmanifest.xml")), package.read("index.html").decode()
    (resource,) = manifest.iter("{http://www.imsproject.org/xsd/imscp_rootv1p1p2}resource")
    assert resource.get("href") == "index.html"
    assert resource.get("{http://www.adlnet.org/xsd/adlcp_rootv1p2}scormtype") == "sco"
    assert manifest.findtext(".//{*}schemaversion") == "1.2"
    assert page.count("LMSInitialize") == 1
    assert "LMSInitialize" not in lesson_page(lessons()[0])


@pytest.mark.parametrize("options", ["", "--a-page 1", "--no-answers"])
def test_exercises_are_a_sheet_and_a_key_on_pages_of_their_own(tmp_path, qapp, options):
    path = tmp_path / "sheet.pdf"
    assert main(["lesson", "edit-table", "--exercises", "5", "--notes", str(path), *options.split()]) == 0
    assert pages_of(path) == {"": 3 + 3, "--a-page 1": 5 + 5, "--no-answers": 3}[options]


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not there")
def test_hand_outs_have_all_sentences_the_source_and_notes_where_wanted(tmp_path, qapp):
    def text_of(name, *options):
        path = tmp_path / "x.pdf"
        assert main(["lesson", name, "--notes", str(path), *options]) == 0
        told = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True, timeout=60)
        return " ".join(told.stdout.decode().split())

    words = next(one for one in lessons() if one.id == "lcs-words")
    said = {
        part.sentence(scene, step)
        for part in words.parts
        for scene in part.scenes
        for step in range(scene.first, scene.last + 1)
    }
    text = text_of("lcs-words", "--a-page", "1")
    assert [one for one in said if one not in text] == []
    assert text.count(words.source) == text.count(words.title) == pages_of(tmp_path / "x.pdf")
    own = tmp_path / "own.toml"
    own.write_text(OWN)
    assert "Tell nobody." not in text_of(str(own))
    assert "Tell nobody." in text_of(str(own), "--teacher-notes")
    assert "After it." in text_of(str(own))
    still_open = text_of(str(own), "--no-answers")
    assert "After it." not in still_open
    assert "?" in still_open
