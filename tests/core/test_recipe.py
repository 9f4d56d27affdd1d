"""What a picture is made from, as each format keeps it; whatever else is found there is refused."""

import json
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.errors import InputError
from wavediff.core.export import recipe as recipes
from wavediff.core.methods import METHODS
from wavediff.core.methods.options import Choice, Number, parsed, typed
from wavediff.core.reading.recipe import KEY, MAX_KEPT_LETTERS, Ingredient, Recipe, Shown, parse_recipe, read_recipe

A = Ingredient("réf <1>", "/data/a file.fa", 2, 7, "0" * 64)
B = Ingredient("typed", "", 1, 6, "f" * 64, "kitten")
RECIPE = Recipe(Shown.COMPARE, (A, B), (("method", "edit"), ("band", "5"), ("traceback", "none")))


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(*chunks):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + b"".join(chunks) + chunk(b"IEND", b"")


def gif(comment):
    pieces = [comment[k : k + 255] for k in range(0, len(comment), 255)]
    said = b"".join(bytes([len(one)]) + one for one in pieces)
    picture = b"\x2c" + bytes(8) + b"\x80" + bytes(6) + b"\x02\x02\x4c\x01\x00"
    return b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0]) + bytes(6) + picture + b"\x21\xfe" + said + b"\x00\x3b"


TEXT = recipes.text(RECIPE)
LINE = f"Software: Wavediff\n{KEY}: {TEXT}\nmore".encode()
FILES = {
    "plain.png": png(chunk(b"tEXt", KEY.encode() + b"\0" + TEXT.encode())),
    "packed.png": png(chunk(b"zTXt", KEY.encode() + b"\0\0" + zlib.compress(TEXT.encode()))),
    "utf8.png": png(chunk(b"iTXt", KEY.encode() + b"\0\0\0\0\0" + TEXT.encode())),
    "packed_utf8.png": png(chunk(b"iTXt", KEY.encode() + b"\0\1\0\0\0" + zlib.compress(TEXT.encode()))),
    "film.gif": gif(LINE),
    "film.mp4": bytes(50) + LINE + bytes(50),
    "plot.svg": b"<svg><desc>" + LINE.replace(b"&", b"&amp;").replace(b'"', b"&quot;") + b"</desc></svg>",
}


@pytest.mark.parametrize("name", FILES)
def test_each_format_gives_back_what_was_kept(name, tmp_path):
    (tmp_path / name).write_bytes(FILES[name])
    assert read_recipe(tmp_path / name) == RECIPE


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_cut_off_is_refused_in_one_sentence(name, tmp_path):
    path, raw = tmp_path / name, FILES[name]
    for length in range(0, raw.find(b"kitten") if b"kitten" in raw else 60, 37):
        path.write_bytes(raw[:length])
        with pytest.raises(InputError, match=r"^[^\n]+$"):
            read_recipe(path)


def test_a_picture_without_a_recipe_says_so(tmp_path):
    path = tmp_path / "other.png"
    path.write_bytes(png())
    with pytest.raises(InputError, match="no picture saved by Wavediff"):
        read_recipe(path)


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_any_other_json_is_refused(value):
    with pytest.raises(InputError):
        parse_recipe(json.dumps(value), "x.png")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("show",), "find"),
        (("wavediff",), 2),
        (("inputs",), [{}] * 3),
        (("inputs", 0, "path"), "folder/relative.fa"),
        (("inputs", 0, "path"), "/a\nb"),
        (("inputs", 0, "sha256"), "0"),
        (("inputs", 0, "record"), -1),
        (("inputs", 1, "letters"), "A" * (MAX_KEPT_LETTERS + 1)),
        (("options", 0), ["--method", "edit"]),
        (("options", 0), ["method", "a\0b"]),
        (("options",), [["method", "edit"]] * 65),
    ],
)
def test_a_field_that_does_not_fit_is_named(place, value):
    found = json.loads(TEXT)
    at = found
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    with pytest.raises(InputError, match=r"does not fit"):
        parse_recipe(json.dumps(found), "x.png")


def test_deep_json_is_no_crash():
    with pytest.raises(InputError, match="damaged"):
        parse_recipe('{"wavediff": ' + "[" * 30_000, "x.png")


def test_the_command_quotes_names_and_has_flags_as_they_are_typed():
    options = (("method", "lcs"), ("alignment", "no"), ("rounds", "2"))
    told = recipes.command(Recipe(Shown.RACE, (A, A), options), "--png", "x.png")
    assert told.endswith("race '/data/a file.fa' '/data/a file.fa' --method lcs --no-alignment --rounds 2 --png x.png")


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
