"""Lessons of one's own: a starter that is right, all errors at once, a reference, courses, the window."""

import pytest

from wavediff.app.commands.cli import main
from wavediff.core.base.errors import InputError
from wavediff.core.teach.lesson import lessons, parse_lesson, read_lesson
from wavediff.core.teach.own_lesson import STARTER, reference
from wavediff.core.teach.traces import TRACES


def test_a_starter_is_a_lesson_and_replaces_nothing(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    assert main(["lesson", "new", str(path)]) == 0
    assert str(path) in capsys.readouterr().out
    assert main(["lesson", str(path), "--check"]) == 0
    assert [scene.id for scene in read_lesson(path).parts[0].scenes] == ["start", "first", "rest", "answer"]
    assert main(["lesson", "new", str(path)]) == 2
    assert "already exists" in capsys.readouterr().err
    assert path.read_text("utf-8") == STARTER
    assert main(["lesson", "new"]) == 2
    assert "needs a file" in capsys.readouterr().err


def test_all_errors_of_a_lesson_are_told_at_once():
    wrong = STARTER.replace("to = 42", "to = 99").replace("{paths}", "{pathz}").replace("answer = 3", "answer = 4")
    with pytest.raises(InputError) as refused:
        parse_lesson(wrong.encode(), "mine.toml")
    told = str(refused.value)
    assert told.startswith("mine.toml: 3 errors: (1) ")
    for part in ("scene 'rest' is steps 2 to 99; 0 to 42 are there", "(2) part 1, scene 'answer': 'pathz'", "(3) "):
        assert part in told
    assert "expects 'answer' to be 4, and it is 3" in told


def test_the_reference_has_each_method_with_what_its_traces_take():
    listed = {block.splitlines()[0]: block for block in reference().strip().split("\n\n")}
    assert set(listed) <= set(TRACES)
    for lesson in lessons():
        for part in lesson.parts:
            lines = dict(line.strip().split("  ", 1) for line in listed[part.method].splitlines()[1:])
            assert {unit.value for unit in part.units} <= set(lines["units"].replace(" ", "").split(","))
            assert set(part.inputs) <= {name.strip() for name in lines.get("inputs", "").split(",")}


def test_a_course_of_ones_own_has_its_order_and_title(tmp_path, capsys):
    main(["lesson", "new", str(tmp_path / "mine.toml"), "--quiet"])
    course, folder = tmp_path / "course.toml", tmp_path / "pages"
    course.write_text('title = "Two hours"\nlessons = ["swaps", "mine.toml", "lcs-table"]\n')
    assert main(["lesson", str(course), "--html-folder", str(folder)]) == 0
    written = (folder / name for name in ("index.html", "swaps.html", "my-lesson.html", "lcs-table.html"))
    assert capsys.readouterr().out == f"wrote {', '.join(map(str, written))}\n"
    assert {path.name for path in folder.iterdir()} == {"index.html", "swaps.html", "my-lesson.html", "lcs-table.html"}
    assert "<h1>Two hours</h1>" in (folder / "index.html").read_text("utf-8")
    page = (folder / "my-lesson.html").read_text("utf-8")
    assert 'id="previous" href="swaps.html"' in page
    assert 'id="next" href="lcs-table.html"' in page
    for text, told in (
        ('title = "x"', "this is no course"),
        ('title = "x"\nlessons = ["swaps", "swaps"]', "two lessons have the id 'swaps'"),
        ('title = "x"\nlessons = ["swats"]', "no such lesson"),
    ):
        course.write_text(text)
        assert main(["lesson", str(course), "--html-folder", str(folder)]) == 2
        assert told in capsys.readouterr().err
