"""Pictures and films of the command line: painted by the views of the window, and what made them inside."""

import base64
import io
import re
import shlex
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtGui import QImage

from tests.depth import DEEP, deeper, one_of
from tests.teach.own_lesson import OWN
from wavediff.app.commands import cli
from wavediff.core.export.recipe import read_recipe

pytestmark = pytest.mark.usefixtures("qapp")
MOVED, STAYS = (f"def {name}(x):\n    y = x + {n}\n    return y * {n}\n\n\n" for name, n in (("one", 7), ("other", 88)))
FILES = {
    "a.fa": ">first\n" + "ACGTTGCATTACCATGACCA" * 200 + "\n",
    "b.fa": ">second\n" + "ACGTTGCTTTACCATGACGA" * 200 + "\n",
    "many.fa": "".join(f">r{k}\n{'ACGTTGCATTACCATGACCA'[k:]}\n" for k in range(5)),
    "word.txt": "abracadabra",
    "words.txt": "abrakadabras",
    "old.py": "import sys\n\n\n" + MOVED + STAYS,
    "new.py": "import gzip\nimport sys\n\n\n" + STAYS + MOVED,
}
COMMANDS = {
    "compare": ("compare a.fa b.fa --method edit --band 40", {"first", "substitutions", "Columns"}),
    "compare at": ("compare a.fa b.fa --method edit --at #7 --colours letters", {"first", "substitutions", "Columns"}),
    "compare lines": ("compare old.py new.py --method lines --at #2", {"old", "moved to B 5", "moved from A 9"}),
    "compare lines inline": ("compare old.py new.py --method lines --layout inline", {"moved from A 9", "+", "gzip"}),
    "compare map": ("compare a.fa b.fa --method edit --band 40 --view map", {"first", "edit distance", "path"}),
    "compare moment": ("compare a.fa b.fa --method edit --band 40 --view map --moment 40%", {"first", "waiting"}),
    "compare band": ("compare word.txt words.txt --method edit --view band", {"word", "edge of the band", "Room for"}),
    "compare differences": (
        "compare a.fa b.fa --method edit --view differences --sort length:desc --kinds substitution --at #9",
        {"substitution", "Length ▼", "400 differences", "→"},
    ),
    "compare words": ("compare a.fa b.fa --method edit --view words --corner 900,901", {"Letter", "VP before"}),
    "compare words of the kernel": (
        "compare a.fa b.fa --method edit --view words --corner 900,901 --unit word --step 3",
        {"Step", "group", "VP 0"},
    ),
    "compare statistics": ("compare word.txt words.txt --view statistics", {"Definition", "Identity"}),
    "compare timings": ("compare word.txt words.txt --view timings", {"Seconds", "Compile s", "GCUPS"}),
    "compare skipped": ("compare word.txt words.txt --method edit --view skipped", {"Whole matrix", "Share"}),
    "compare cells": ("compare word.txt words.txt --method edit --view cells --step 40", {"abracadabra"[:1], "word"}),
    "race": ("race a.fa b.fa --method edit --kernels cpu,sudo --no-alignment", {"first", "Kernel", "blocks"}),
    "batch": ("batch many.fa --method edit", {"B, columns →", "10 pairs"}),
    "bwt": ("bwt word.txt", {"word", "row", "11 letters, primary row 3, 7 runs"}),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line):
    return cli.main([*shlex.split(line), "--quiet"])


def made_by(path):
    """Return the command line of a picture without its files, and digests of what it is made from."""
    found = read_recipe(path)
    outputs = dict.fromkeys(("png", "svg", "pdf", "gif", "apng"))
    return {**vars(cli.parsed(found.words)), **outputs}, found.digests


# The same view as the command before, otherwise chosen.
TWINS = ("compare at", "compare lines inline", "compare moment", "compare words of the kernel")


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.thorough if one in TWINS else ()) for one in COMMANDS]
)
def test_a_picture_has_what_it_shows_in_words_and_is_made_again_by_its_own_command(name, folder):
    line, words = COMMANDS[name]
    assert run(f"{line} --svg x.svg --png x.png --pdf x.pdf --size 700x500 --dpi 192") in (0, 1)
    said = " ".join(re.sub(r"<[^>]*>", " ", (folder / "x.svg").read_text("utf-8")).split())
    assert not {word for word in words if word not in said}
    made = QImage("x.png")
    assert (made.width(), made.height()) == (1400, 1000)
    assert len({made.pixel(x, y) for x in range(0, 1400, 7) for y in range(100, 1000, 7)}) > 5
    assert made_by("x.svg") == made_by("x.pdf")
    assert " --size 700x500 --dpi 192 --png picture.png  # sha256 " in made.text("Comment")
    again = shlex.split(made.text("Comment"), comments=True)
    assert cli.main([*again[again.index(line.split()[0]) :], "--quiet"]) in (0, 1)
    assert made_by("picture.png") == made_by("x.png")


def kept(path):
    """Return a file's bytes, and the texts of a PNG, which may be packed."""
    content = path.read_bytes()
    if path.suffix not in (".png", ".apng"):
        return content
    with Image.open(io.BytesIO(content)) as image:
        return content + repr(image.info).encode()


@deeper
@pytest.mark.parametrize("name", ["compare", "race", "batch", "bwt"])
def test_pictures_and_films_keep_names_of_files_and_no_folders_unless_asked(name, folder):
    line = re.sub(r"(\w+\.(?:fa|txt))", rf"{folder}/\1", COMMANDS[name][0])
    film = "--gif x.gif --apng x.apng" if name == "bwt" or (DEEP and name != "batch") else ""
    made = ("x.png", "x.svg", "x.pdf", *(("x.gif", "x.apng") if film else ()))
    written = f"--png x.png --svg x.svg --pdf x.pdf {film} --size 300x200"
    assert run(f"{line} {written}") in (0, 1)
    for path in made:
        content = kept(folder / path)
        assert str(folder).encode() not in content, path
        assert folder.name.encode() not in content, path
        assert not any("/" in one for one in read_recipe(path).words), path
    assert run(f"{line} --keep-paths {written}") in (0, 1)
    for path in made:
        named = [one for one in read_recipe(path).words if one.endswith((".fa", ".txt"))]
        assert {Path(one).parent for one in named} == {folder}, path


def test_a_lesson_of_ones_own_keeps_its_name_alone(folder):
    (folder / "own.toml").write_text(OWN)
    written = "--png x.png --svg x.svg --notes x.pdf --gif x.gif --html x.html"
    assert cli.main(["lesson", str(folder / "own.toml"), *written.split()]) == 0
    for path in written.split()[1::2]:
        content = kept(folder / path)
        assert folder.name.encode() not in content, path
    assert read_recipe("x.png").words[:2] == ("lesson", "own.toml")


def test_each_row_and_column_of_a_window_has_its_letter(folder):
    assert run("compare a.fa b.fa --method edit --view words --corner 900,901 --svg x.svg") == 1
    letters = "".join(re.findall(r">\s*([ACGT])\s*</text>", (folder / "x.svg").read_text("utf-8")))
    a, b = (FILES[name].split("\n")[1] for name in ("a.fa", "b.fa"))
    assert letters == b[900:964] + a[899:963]


@pytest.mark.parametrize("name", one_of(3, ["compare", "compare map", "compare band", "compare cells", "race", "bwt"]))
def test_a_film_moves_and_ends_as_the_picture_is(name, folder):
    assert run(f"{COMMANDS[name][0]} --gif x.gif --apng x.png --size 400x300") in (0, 1)
    for path in ("x.gif", "x.png"):
        film = Image.open(io.BytesIO((folder / path).read_bytes()))
        assert film.size == (400, 300)
        assert getattr(film, "n_frames", 1) > 2
        assert made_by(path) == made_by("x.gif")


def test_cells_of_a_pdf_are_not_compressed_with_loss_and_those_of_an_svg_are_as_fine_as_they_are_seen(folder):
    assert run("batch many.fa --method edit --pdf x.pdf --svg x.svg --png x.png") in (0, 1)
    assert b"/DCTDecode" not in (folder / "x.pdf").read_bytes()
    found = re.search(r'href="data:image/png;base64,([^"]+)"', (folder / "x.svg").read_text("utf-8"))
    cells = Image.open(io.BytesIO(base64.b64decode(found.group(1))))
    assert min(cells.size) > 1000  # of five records


def test_without_qt_it_says_so_before_anything_is_computed(monkeypatch, capsys):
    monkeypatch.setattr("wavediff.app.commands.pictures.find_spec", lambda _name: None)
    assert run("compare a.fa b.fa --png x.png") == 2
    assert "pictures need Qt" in capsys.readouterr().err
