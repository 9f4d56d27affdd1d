"""The plans of ninety minutes: their minutes, lessons, chapters and commands are those of the program."""

import re
import shlex
from pathlib import Path

import pytest

from wavediff.app.commands.cli import main
from wavediff.core.teach.lesson import lessons

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "resources" / "docs" / "lectures.md"


def plans():
    """By paper its rows: minutes, lesson, chapters, what is asked or shown."""
    _, *sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    found = {}
    for section in sections:
        title, _, text = section.partition("\n")
        rows = [[cell.strip() for cell in line.strip("| \n").split(" |")] for line in text.splitlines() if "|" in line]
        found[title] = [(int(minutes), *rest) for minutes, *rest in rows[2:]]
    return found


PLANS = plans()


def test_there_is_a_plan_for_each_of_the_papers():
    sources = {"Kawanami", "Sudo", "Kusudo", "Yamanaka", "Kim"}
    assert {re.split(r"\W", title)[0] for title in PLANS} == sources
    assert len(PLANS) == len(sources)


@pytest.mark.parametrize("paper", PLANS)
def test_a_plan_takes_ninety_minutes_of_lessons_and_chapters_that_there_are(paper):
    shipped = {one.id: one for one in lessons()}
    assert sum(minutes for minutes, *_ in PLANS[paper]) == 90
    assert all(len(row) == 4 and row[3] for row in PLANS[paper])
    titles = {f"{one.title} (`{one.id}`)": one for one in shipped.values()}
    named = [(minutes, titles[name], chapters) for minutes, name, chapters, _ in PLANS[paper] if name]
    for minutes, lesson, chapters in named:
        assert minutes == lesson.minutes
        ids = {plan.id for part in lesson.parts for plan in part.plans}
        assert set(filter(None, chapters.split(", "))) <= ids, lesson.id
        asked = {plan.id for part in lesson.parts for plan in part.plans if plan.ask}
        assert not chapters or asked & set(chapters.split(", ")), lesson.id
    assert any(re.split(r"\W", paper)[0] in lesson.source for _, lesson, _ in named)
    assert len({lesson.id for _, lesson, _ in named}) == len(named)
    # Every lesson on the paper is in its plan.
    of_paper = {one.id for one in shipped.values() if one.source.startswith(re.split(r"\W", paper)[0])}
    assert of_paper - {"card"} <= {lesson.id for _, lesson, _ in named}


@pytest.mark.parametrize("command", re.findall(r"`(wavediff lesson [a-z-]+ --.*?--no-pager)`", PAGE.read_text("utf-8")))
def test_its_commands_can_be_typed(command, capsys):
    assert main(shlex.split(command)[1:]) == 0
    shown = capsys.readouterr().out
    wanted = re.search(r"--exercises (\d+)", command)
    assert wanted is None or f"\n{wanted[1]}. " in shown


def test_what_the_window_calls_so_has_this_name_there():
    texts = "".join(path.read_text("utf-8") for name in ("app", "core") for path in (ROOT / name).rglob("*.py"))
    names = re.findall(r"\*([A-Z][\w ]*)\*", PAGE.read_text("utf-8"))
    assert {"Race", "States"} <= set(names)
    assert [name for name in names if f'"{name}"' not in texts] == []
