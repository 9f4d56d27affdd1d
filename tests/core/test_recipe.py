"""The command line in a picture, as each format keeps it; whatever is damaged is refused."""

import shlex
import struct
import zlib
from contextlib import suppress
from dataclasses import replace
from html import escape

import pytest

from wavediff.core.base.errors import InputError
from wavediff.core.export.recipe import KEY, Input, Recipe, read_recipe, recipe_of, words_of
from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.read import TYPED, ReadJob, typed_letters
from wavediff.core.methods import AFFINE, METHODS
from wavediff.core.methods.options import Choice, Flag, Number, parsed, typed
from wavediff.core.reading.run import run
from wavediff.core.sequences.read_as import ReadAs

A = Input("/data/a 'file'.fa", "0" * 64, "réf <1>")
B = Input(f"{TYPED}kitten%20%F0%9F%90%88", "f" * 64, "it's typed")
RECIPE = Recipe.of("compare", (A, B), ["--method", "edit", "--band", "5", "--at=-3"])
READ = replace(RECIPE, words=("compare", "a 'file'.fa", *RECIPE.words[2:]))


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(*chunks):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + b"".join(chunks) + chunk(b"IEND", b"")


def gif(comment):
    pieces = [comment[k : k + 255] for k in range(0, len(comment), 255)]
    said = b"".join(bytes([len(one)]) + one for one in pieces)
    picture = b"\x2c" + bytes(8) + b"\x80" + bytes(6) + b"\x02\x02\x4c\x01\x00"
    return b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0]) + bytes(6) + picture + b"\x21\xfe" + said + b"\x00\x3b"


TEXT = RECIPE.command()
LINE = f"Software: Wavediff\n{KEY}: {TEXT}\nDescription: x"
FILES = {
    "plain.png": png(chunk(b"tEXt", KEY.encode() + b"\0" + TEXT.encode("latin-1"))),
    "packed.png": png(chunk(b"zTXt", KEY.encode() + b"\0\0" + zlib.compress(TEXT.encode("latin-1")))),
    "utf8.png": png(chunk(b"iTXt", KEY.encode() + b"\0\0\0\0\0" + TEXT.encode())),
    "packed_utf8.png": png(chunk(b"iTXt", KEY.encode() + b"\0\1\0\0\0" + zlib.compress(TEXT.encode()))),
    "film.gif": gif(LINE.encode()),
    "film.mp4": bytes(4) + b"ftyp" + bytes(50) + LINE.encode() + bytes(50),
    "plot.svg": f"<svg><desc>{escape(LINE)}</desc></svg>".encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_each_format_gives_back_what_was_kept(name, tmp_path):
    (tmp_path / name).write_bytes(FILES[name])
    assert read_recipe(tmp_path / name) == READ


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_cut_off_is_read_or_refused(name, tmp_path):
    path, raw = tmp_path / name, FILES[name]
    for length in range(0, len(raw), 37):
        path.write_bytes(raw[:length])
        with suppress(InputError):
            assert read_recipe(path).words[0] == "compare"


OTHERS = ("", "Created with another program", "wavediff-like compare a b", "other compare a b")
DAMAGED = ("wavediff compare 'a.fa", "wavediff compare a\x07.fa b.fa", "wavediff a  # sha256 'x")


@pytest.mark.parametrize(
    ("texts", "refusal"),
    [
        *([{KEY: text}, "no picture saved by Wavediff"] for text in OTHERS),
        *([{KEY: text}, "damaged"] for text in DAMAGED),
    ],
)
def test_pictures_of_another_program_and_damaged_ones_are_refused(texts, refusal, tmp_path):
    path = tmp_path / "x.png"
    path.write_bytes(png(*(chunk(b"tEXt", f"{key}\0{text}".encode()) for key, text in texts.items())))
    with pytest.raises(InputError, match=refusal):
        read_recipe(path)


def test_folders_are_kept_only_where_that_is_asked_for():
    made = Recipe.of("batch", [Input("/home/me/-a.fa", "0", "-a.fa")], ["--separator", "/"])
    assert shlex.split(made.command("--png", "x.png"))[1:] == [
        "batch", "./-a.fa", "--separator", "/", "--png", "x.png", "#", "sha256", "0", "-a.fa",
    ]  # fmt: skip
    assert "/home/me/-a.fa" in made.command(keeps_paths=True)


@pytest.mark.parametrize(
    ("formats", "words"),
    [
        (("auto", "auto"), ()),
        (("text", "text"), ("--format", "text")),
        (("text", "auto"), ("--format", "text", "--format-b", "auto")),
    ],
)
@pytest.mark.parametrize("command", ["race", "bwt"])
def test_the_format_that_was_chosen_is_kept(command, formats, words, tmp_path):
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    for path in paths:
        path.write_text(">x\nACGT\n")
    read_as = map(ReadAs, formats)
    inputs = [run_to_end(run(ReadJob(path=path, read_as=next(read_as)))).sequence(0) for path in paths]
    made = recipe_of(command, inputs, {}).words
    first = {"race": "--record-a", "bwt": "--record"}[command]
    assert made == (command, *map(str, paths), first, "1", "--record-b", "1", *words)


def test_letters_in_place_of_a_file_are_read_back():
    assert typed_letters(B.word) == "kitten 🐈"
    assert typed_letters("a.fa") is None


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_options_are_the_same_after_they_were_typed(method):
    for option in method.options:
        wanted = {}
        if isinstance(option, Choice):
            wanted = {option.id: option.values[-1].value} | ({option.number[1]: 7} if option.number else {})
        elif isinstance(option, Number) and option.typed:
            wanted = {option.id: option.least}
        texts = typed(method.options, wanted)
        found = parsed(method.options, texts)
        assert found == {key: value for key, value in wanted.items() if key in found}
        assert len(texts) <= 1


def test_flags_and_files_of_a_method_are_words_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words_of({"matrix": "mine.txt"}, AFFINE.options) == ["--matrix", str(tmp_path / "mine.txt")]
    assert (
        words_of({"matrix": AFFINE.option("matrix").names[0].text}, AFFINE.options)[1]
        == AFFINE.option("matrix").names[0].text
    )
    flag = next(option for method in METHODS for option in method.options if isinstance(option, Flag))
    name = flag.id.replace("_", "-")
    assert words_of({flag.id: "yes"}, [flag]) + words_of({flag.id: "no"}, [flag]) == [f"--{name}", f"--no-{name}"]
