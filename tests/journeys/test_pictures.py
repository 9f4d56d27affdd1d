"""Pictures and films of every view, and what they show opened again from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.person import Person
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey

TITLES = {
    "Transform": "NC_012920.1: Burrows-Wheeler transform",
    "Many pairs": "many.fa",
    "Lessons": "A table of lengths",
}


def pictured(me: Person, part: str, path: Path, kind: str) -> None:
    """Save a picture or a film of a part of the window by the keys and the dialog."""
    me.key("Ctrl+Shift+E")
    me.wait_until(lambda: bool(me.question()), "the dialog of pictures is open", 10)
    me.choose("Picture of", part)
    me.wait_until(lambda: me.is_enabled("Save…"), "it is known what is kept inside", 20)
    me.picture(f"dialog of {part}")
    me.click("Save…")
    me.name_files([path], kind)
    me.wait_until(path.exists, f"{path.name} is written", 60)
    me.wait_until(lambda: not me.question(), "the dialog has closed", 20)


def opened_again(me: Person, path: Path, said: str) -> None:
    """Drop a picture, read what it shows, and agree."""
    me.drop([path])
    me.wait_until(lambda: bool(me.question()), "it is asked whether to open what it shows", 30)
    me.wait_to_see(said, 10)
    me.picture(path.name)
    me.click("Open")
    me.wait_until(lambda: not me.question(), "the question has gone", 10)
    me.wait_idle()


def by_film(me: Person) -> None:
    """A film of the run, and the pair opened from it beside another pair."""
    files = [me.folder / "first.fa", me.folder / "second.fa"]
    for path, letter in zip(files, "AC", strict=True):
        path.write_text(f">{path.stem}\n{('ACGTTGCATTACCATGACC' + letter) * 200}\n")
    me.wait_for_window()
    me.drop(files)
    me.wait_until(lambda: any(me.named("Result")), "the pair is compared", 60)
    me.wait_idle()
    film = me.folder / "run.gif"
    pictured(me, "Computation", film, "Film, an animated GIF (*.gif)")
    assert film.read_bytes().startswith(b"GIF89a")
    others = [me.folder / "third.txt", me.folder / "fourth.txt"]
    for path in others:
        path.write_text(path.stem)
    me.drop(others)
    me.wait_to_see("third.txt", 20)
    me.wait_idle()
    opened_again(me, film, "This picture shows first × second by edit distance. Open these?")
    me.wait_to_see("first.fa", 20)


def every_view(me: Person) -> None:
    """Every view that has something to show, as SVG, and a film where something moves; each opened again."""
    many = me.folder / "many.fa"
    many.write_text("".join(f">r{k}\n{'ACGTTGCATTACCATGACCA'[k:]}\n" for k in range(5)))
    me.wait_for_first_answer()
    me.key("Ctrl+K")
    me.wait_idle()
    me.wait_until(lambda: me.is_ticked("CPU", "Race"), "it is known which kernels can race", 20)
    me.key("Ctrl+Return")
    me.wait_until(lambda: me.is_enabled("Copy", "Race"), "the race is over", 120)
    me.key("Ctrl+B")
    me.wait_until(lambda: me.is_enabled("Save…", "Transform"), "there is a transform", 60)
    me.show_panel("Many pairs")
    me.click("Files…", "Many pairs")
    me.name_files([many])
    me.wait_until(lambda: me.is_enabled("Save…", "Many pairs"), "all pairs are compared", 60)
    me.show_panel("Lessons")
    me.wait_idle()
    films = {"Race": ".gif", "Computation": ".gif", "Lessons": ".gif"}
    for part in (
        "Letters",
        "Computation",
        "Window",
        "Race",
        "Transform",
        "Many pairs",
        "Lessons",
        "Differences",
        "Statistics",
    ):
        if part in me.panels():
            me.show_panel(part)
        me.wait_idle()
        path = me.folder / f"{part}.svg"
        pictured(me, part, path, "Picture of lines, text as text (*.svg)")
        said = path.read_text("utf-8")
        assert "Recipe:" in said, part
        assert TITLES.get(part, f"NC_012920.1 – MT_orang: {part}") in said, part
        if part in films:
            pictured(me, part, me.folder / f"{part}.gif", "Film, an animated GIF (*.gif)")
    opened_again(me, me.folder / "Race.svg", "race of kernels")
    opened_again(me, me.folder / "Many pairs.svg", "all pairs of many.fa")
    opened_again(me, me.folder / "Transform.svg", "transform of")
    opened_again(me, me.folder / "Lessons.gif", "the lesson")


def test_a_film_of_a_run_opens_its_pair(tmp_path: Path) -> None:
    play(Home(tmp_path), by_film)


def test_pictures_of_every_view(tmp_path: Path) -> None:
    play(Home(tmp_path), every_view)
