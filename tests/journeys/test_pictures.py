"""Pictures and films of every view, and what they show opened again from them."""

import re

import pytest
from PIL import Image
from PySide6.QtGui import QGuiApplication

from tests.journeys.stage import Home, play
from tests.stored_runs import stored_run
from wavediff.core.export.recipe import read_recipe

pytestmark = pytest.mark.journey

WIDTH_MM, DPI = 127, 144
WIDTH_PX = 720
KINDS = {
    "png": "PNG image (*.png)",
    "svg": "SVG drawing (*.svg)",
    "pdf": "PDF page (*.pdf)",
    "gif": "Film, an animated GIF (*.gif)",
}
# Texts of each picture: title, legend, scale, figures; and whether it can be a film.
PARTS = {
    "Letters": (("NC_012920.1 – MT_orang: Letters", "2,288 substitutions", "Columns 1 to", "16,646"), False),
    "Computation": (("NC_012920.1 – MT_orang: edit distance", "path", "skipped:", "16,000"), True),
    "Window": (("NC_012920.1 – MT_orang: Window", "Options", "Map"), False),
    "Race": (("NC_012920.1 – MT_orang: Race", "GCUPS", "traceback"), True),
    "Transform": (("NC_012920.1: Burrows-Wheeler transform", "rotation", "16,569 letters"), False),
    "Many pairs": (("many.fa: ", "B, columns →", "alike", "10 pairs"), False),
    "Lessons": (("A table of lengths", "b", "A number is the length"), True),
    "Differences": (("NC_012920.1 – MT_orang: Differences", "2,064 differences", "deletion", "Change"), False),
    "Statistics": (("NC_012920.1 – MT_orang: Statistics", "Definition", "Identity"), False),
    "Timings": (("NC_012920.1 – MT_orang: Timings", "GCUPS", "blocks"), False),
    "Skipped work": (("NC_012920.1 – MT_orang: Skipped work", "Whole matrix"), False),
    "Search": (("NC_012920.1 – MT_orang: Search", "GATTACA", "1 hit"), False),
}
SMALL = {
    "Cells": (("kitten.txt – sitting.txt: edit distance", "k", "n and g differ"), True),
    "Band": (("kitten.txt – sitting.txt: Band", "edge of the band", "3 edits, exact: this band is wide enough"), True),
    "Words": (("kitten.txt – sitting.txt: edit distance", "VP", "Letter g"), True),
}


def asked(me, part):
    """Open the dialog of pictures for a part of the window."""
    me.key("Ctrl+Shift+E")
    me.wait_until(lambda: bool(me.question()), "the dialog of pictures is open", 10)
    me.choose("Picture of", part)
    me.wait_until(lambda: me.is_enabled("Save…"), "it is known what is kept inside", 20)


def saved(me, part, path):
    """Save a picture of a part, as wide and as fine as all here, or a film."""
    asked(me, part)
    me.fill("Width", str(WIDTH_MM))
    me.fill("Resolution of a PNG", str(DPI))
    if path.suffix == ".png":
        me.picture(f"dialog of {part}")
    me.click("Save…")
    me.name_files([path], KINDS[path.suffix[1:]])
    me.wait_until(path.exists, f"{path.name} is written", 60)
    me.wait_until(lambda: not me.question(), "the dialog has closed", 20)


def copied(me, part):
    """Copy a picture of a part; return its pixels."""
    asked(me, part)
    me.click("Copy")
    me.wait_until(lambda: not me.question(), "the dialog has closed", 20)
    return me.look(lambda: QGuiApplication.clipboard().image().size().toTuple())


def every_kind(me, part, name, words, *, moves):
    """Copy and save a part in all formats; what comes of it is as asked and tells what it is."""
    assert min(copied(me, part)) > 100
    for kind in ("png", "svg", "pdf", *(("gif",) if moves else ())):
        saved(me, part, me.folder / f"{name}.{kind}")
    made = Image.open(me.folder / f"{name}.png")
    assert made.width == pytest.approx(WIDTH_PX, abs=1), name
    assert made.info["dpi"] == pytest.approx((DPI, DPI), abs=0.1), name
    said = " ".join(re.sub(r"<[^>]*>", " ", (me.folder / f"{name}.svg").read_text("utf-8")).split())
    assert not [word for word in words if word not in said], (name, said[:3000])
    page = (me.folder / f"{name}.pdf").read_bytes()
    assert b"/ToUnicode" in page, name  # what is written in it can be read and found
    kinds = "png", "svg", "pdf"
    lines = {" ".join(read_recipe(me.folder / f"{name}.{kind}").words).split(f" --{kind} ")[0] for kind in kinds}
    assert len(lines) == 1, name
    if moves:
        assert getattr(Image.open(me.folder / f"{name}.gif"), "n_frames", 1) > 3, name


def opened_again(me, path, said):
    """Drop a picture, read what it shows, and agree."""
    me.drop([path])
    me.wait_until(lambda: bool(me.question()), "it is asked whether to open what it shows", 30)
    me.wait_to_see(said, 10)
    me.picture(path.name)
    me.click("Open")
    me.wait_until(lambda: not me.question(), "the question has gone", 10)
    me.wait_idle()


def by_film(me):
    """A film of the run, and the pair opened from it beside another pair; a film of a stored record."""
    files = [me.folder / "first.fa", me.folder / "second.fa"]
    for path, letter in zip(files, "AC", strict=True):
        path.write_text(f">{path.stem}\n{('ACGTTGCATTACCATGACC' + letter) * 200}\n")
    me.wait_for_window()
    me.drop(files)
    me.wait_until(lambda: any(me.named("Result")), "the pair is compared", 60)
    me.wait_idle()
    film = me.folder / "run.gif"
    saved(me, "Computation", film)
    assert film.read_bytes().startswith(b"GIF89a")
    others = [me.folder / "third.txt", me.folder / "fourth.txt"]
    for path in others:
        path.write_text(path.stem)
    me.drop(others)
    me.wait_to_see("third.txt", 20)
    me.wait_idle()
    opened_again(me, film, "This picture shows first × second, compared by edit distance. Open these?")
    me.wait_to_see("200 substitutions", 60)  # its answer would take the place of the record
    me.wait_idle()
    me.drop([me.folder / "run.json"])
    me.wait_to_see("Stored run of stored one and other", 20)
    saved(me, "Computation", me.folder / "record.gif")
    assert getattr(Image.open(me.folder / "record.gif"), "n_frames", 1) > 3
    me.click("Back to the answer")
    opened_again(me, me.folder / "record.gif", "This picture shows the stored run run.json. Open it?")
    me.wait_to_see("Stored run of stored one and other", 20)


def filled(me, part):
    """Let a panel show something."""
    if part in me.panels():
        me.show_panel(part)
    if part == "Race":
        me.key("Ctrl+K")
        me.wait_idle()
        me.wait_until(lambda: me.is_ticked("CPU", "Race"), "it is known which kernels can race", 20)
        me.key("Ctrl+Return")
        me.wait_until(lambda: me.is_enabled("Copy", "Race"), "the race is over", 120)
    elif part == "Transform":
        me.key("Ctrl+B")
        me.wait_until(lambda: me.is_enabled("Save…", part), "there is a transform", 60)
    elif part == "Many pairs":
        many = me.folder / "many.fa"
        many.write_text("".join(f">r{k}\n{'ACGTTGCATTACCATGACCA'[k:]}\n" for k in range(5)))
        me.click("Files…", part)
        me.name_files([many])
        me.wait_until(lambda: me.is_enabled("Save…", part), "all pairs are compared", 60)
    elif part == "Search":
        me.fill("Patterns", "GATTACA", part)
        me.key("Ctrl+Return")
        me.wait_until(lambda: me.is_enabled("Save…", part), "the hits are there", 60)
    me.wait_idle()


def every_view(me):
    """Every view that has something to show, in every format; each kind of picture opened again."""
    me.wait_for_first_answer()
    for part, (words, moves) in PARTS.items():
        filled(me, part)
        every_kind(me, part, part, words, moves=moves)
    small = [me.folder / "kitten.txt", me.folder / "sitting.txt"]
    for path in small:
        path.write_text(path.stem)
    me.drop(small)
    me.wait_to_see("n and g differ", 60)
    for name, (words, moves) in SMALL.items():
        if name == "Words":
            me.click("Machine words")
        every_kind(me, "Band" if name == "Band" else "Computation", name, words, moves=moves)
    opened_again(me, me.folder / "Letters.png", "This picture shows NC_012920.1 × MT_orang, compared by edit distance")
    me.wait_to_see("16,569", 20)
    opened_again(me, me.folder / "Cells.gif", "This picture shows kitten × sitting, compared by edit distance")
    me.wait_to_see("n and g differ", 20)
    opened_again(
        me, me.folder / "Differences.pdf", "This picture shows NC_012920.1 × MT_orang, compared by edit distance"
    )
    me.wait_to_see("2,064 differences", 20)
    opened_again(
        me, me.folder / "Skipped work.svg", "This picture shows NC_012920.1 × MT_orang, compared by edit distance"
    )
    me.wait_until(lambda: "Skipped work" in me.panels_seen(), "its panel is in front", 20)
    opened_again(me, me.folder / "Words.png", "This picture shows kitten × sitting, compared by edit distance")
    me.wait_to_see("Letter g", 20)
    opened_again(me, me.folder / "Band.svg", "This picture shows kitten × sitting, compared by edit distance")
    opened_again(me, me.folder / "Race.gif", "race of kernels")
    opened_again(me, me.folder / "Many pairs.svg", "all pairs of many.fa")
    opened_again(me, me.folder / "Transform.pdf", "transform of")
    opened_again(me, me.folder / "Lessons.gif", "the lesson")


def test_a_film_of_a_run_opens_its_pair(tmp_path):
    stored_run(tmp_path)
    play(Home(tmp_path), by_film)


def test_pictures_of_every_view(tmp_path):
    play(Home(tmp_path), every_view)
