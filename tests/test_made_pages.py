"""Pictures of the tour and pages of commands, which the program makes when the site is built."""

import ast
import inspect
import re
import runpy
import shlex
from pathlib import Path

import pytest

from tests.cli.helpers import options
from wavediff.core.jobs.given_alignment import AlignmentRecord

ROOT = Path(__file__).parents[1]
MADE = runpy.run_path(str(ROOT / ".ci" / "made_pages.py"))
TOUR = (ROOT / "resources" / "docs" / "tour.md").read_text(encoding="utf-8")


def test_the_tour_shows_six_pictures_and_a_film_with_their_commands():
    shown = re.findall(r"!\[.{20,}\]\(tour/(\S+)\)\n\n```\nwavediff (.*)\n```", TOUR)
    assert [(file, shlex.split(words)) for file, words in shown] == [
        (file, [*words.split(), "--apng" if file == MADE["FILM"] else "--png", file])
        for file, words in MADE["PICTURES"].items()
    ]
    assert len(shown) == 7


@pytest.mark.parametrize(
    "file", ["cells.png", *(pytest.param(one, marks=pytest.mark.thorough) for one in MADE["PICTURES"])]
)
def test_a_picture_is_made(tmp_path, file):
    pytest.importorskip("PySide6")
    MADE["make_picture"](tmp_path, file)
    content = (tmp_path / file).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert (b"acTL" in content) == (file == MADE["FILM"])  # of an animated PNG


def test_each_command_has_a_page_with_its_options_and_an_answer():
    pages = dict(MADE["command_pages"]())
    assert set(MADE["EXAMPLES"]) < set(pages)
    for name, page in pages.items():
        assert page.startswith(f"# wavediff {name}\n\n")
        if "## Options" in page:
            assert {one for one in options(name) if not re.search(rf"{one}\b", page)} == set()
        if name in MADE["EXAMPLES"]:
            answer = page.partition(f"$ wavediff {MADE['EXAMPLES'][name]}\n")[2].partition("```")[0]
            assert answer.strip()
    assert "3 edits" in pages["compare"]
    assert "3 hits of 1 pattern" in pages["search"]


def test_attributes_that_share_a_text_or_a_line_are_named_in_full_on_the_site():
    napoleon = pytest.importorskip("sphinx.ext.napoleon")
    conf = (ROOT / "resources" / "docs" / "conf.py").read_text(encoding="utf-8")
    sections = ast.literal_eval(re.search(r"^napoleon_custom_sections = (\[.*\])", conf, re.MULTILINE)[1])
    lines = inspect.getdoc(AlignmentRecord).splitlines()
    MADE["separate_entries"](None, "class", "AlignmentRecord", AlignmentRecord, None, lines)
    shown = str(napoleon.GoogleDocstring(lines, napoleon.Config(napoleon_custom_sections=sections)))
    for names in ("source, line", "binary", "ops, lengths"):
        assert re.search(rf"\* \*\*{names}\*\* -- ", shown), shown
