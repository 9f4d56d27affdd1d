"""Recipe of a picture, as it is kept inside one: read strictly, and nothing of it is ever run."""

from __future__ import annotations

import json
import os
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from html import unescape
from typing import Any

from wavediff.core.base.errors import InputError
from wavediff.core.reading.files import read_small

KEY = "Recipe"  # of a picture's text
ENDINGS = (".png", ".apng", ".svg", ".pdf", ".gif", ".mp4")
VERSION = 1
FILE_INPUTS = ("record",)  # inputs of a lesson that name a file
MAX_KEPT_LETTERS = 2_000  # of a sequence that is in no file
_MAX_FILE_BYTES = 1 << 28
_MAX_TEXT_BYTES = 1 << 16
_MAX_OPTIONS = 64
_PNG = b"\x89PNG\r\n\x1a\n"
_GIF_COMMENT, _GIF_IMAGE, _GIF_EXTENSION = 0xFE, 0x2C, 0x21
_BEGINS = (f'{KEY}: {{"wavediff"', f"{KEY}: {{&quot;wavediff&quot;", f'{KEY}: {{\\"wavediff\\"')


def without_folder(name: str, text: str) -> str:
    """Return an input of a lesson as a picture keeps it: of a file its name alone."""
    return os.path.basename(text) if name in FILE_INPUTS else text


class Shown(StrEnum):
    """Kinds of what a picture shows, as the subcommands that make it are called."""

    COMPARE = "compare"
    RACE = "race"
    BATCH = "batch"
    BWT = "bwt"
    LESSON = "lesson"
    OPEN = "open"  # the window, with the record of a run


@dataclass(frozen=True, slots=True)
class Ingredient:
    """A sequence, all records of a file, or the file of a lesson or of a run.

    Attributes:
        path: absolute, or the name of a file that is beside the picture; empty where it is in no file.
        record: from 1; 0: all of them.
        sha256: hexadecimal, of the letters as they were read; of a text in UTF-8.
        letters: themselves, where they are few and in no file.
    """

    name: str
    path: str
    record: int
    length: int
    sha256: str
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Subject of a picture, and the way it is made.

    Attributes:
        lesson: id of one that ships; empty for all else.
        options: of the command line, without dashes, as typed; one may be there several times.
        keeps_paths: whether a picture keeps the folders of files; not kept itself.
    """

    shown: Shown
    inputs: tuple[Ingredient, ...]
    options: tuple[tuple[str, str], ...]
    lesson: str = ""
    keeps_paths: bool = False

    def option(self, name: str) -> str | None:
        """Return the last value of an option; None where it is not there."""
        return dict(self.options).get(name)


def read_recipe(path: str | os.PathLike[str]) -> Recipe:
    """Return what a picture or a film tells of.

    Raises:
        InputError: it cannot be read, tells nothing, or what it tells does not fit.
    """
    raw, source = read_small(path, _MAX_FILE_BYTES, "no picture of this program is as large"), os.fspath(path)
    text = next(_texts(raw), None)
    if text is None:
        raise InputError(source, "no picture saved by Wavediff", "there is nothing to open in it")
    return parse_recipe(text, source)


def parse_recipe(text: str, source: str) -> Recipe:
    """Return what a text says; see ``read_recipe``."""
    try:
        found, _ = json.JSONDecoder().raw_decode(text[:_MAX_TEXT_BYTES])
    except (ValueError, RecursionError) as error:
        raise InputError(source, "what this picture is made from is damaged: no JSON") from error
    try:
        if not isinstance(found, dict) or found.get("wavediff") != VERSION:
            raise _Unfit("version")
        return _recipe(found)
    except _Unfit as error:
        raise InputError(source, f"what this picture is made from does not fit: '{error}'") from error


class _Unfit(Exception):
    """A field that cannot be; the text is its name."""


def _recipe(found: dict[str, Any]) -> Recipe:
    inputs, options = found.get("inputs"), found.get("options")
    if found.get("show") not in list(Shown):
        raise _Unfit("show")
    if not isinstance(inputs, list) or len(inputs) > 2 or not all(isinstance(one, dict) for one in inputs):
        raise _Unfit("inputs")
    if not isinstance(options, list) or len(options) > _MAX_OPTIONS or not all(map(_is_option, options)):
        raise _Unfit("options")
    lesson = _text(found, "lesson", 100)
    return Recipe(
        Shown(found["show"]), tuple(map(_ingredient, inputs)), tuple((name, text) for name, text in options), lesson
    )


def _ingredient(found: dict[str, Any]) -> Ingredient:
    path, sha256 = _text(found, "path", 8192), _text(found, "sha256", 64)
    if path and not (os.path.isabs(path) or is_plain_name(path)):
        raise _Unfit("path")
    if not re.fullmatch("[0-9a-f]{64}", sha256):
        raise _Unfit("sha256")
    letters = found.get("letters", "")
    if not isinstance(letters, str) or len(letters) > MAX_KEPT_LETTERS:
        raise _Unfit("letters")
    record, length = _count(found, "record"), _count(found, "length")
    return Ingredient(_text(found, "name", 1000), path, record, length, sha256, letters)


def is_plain_name(path: str) -> bool:
    """Return whether a path is the name of a file without any folder, on every system."""
    return re.fullmatch(r"[^/\\:]+", path) is not None and path not in (".", "..")


def _is_option(found: object) -> bool:
    if not isinstance(found, list) or len(found) != 2 or not all(isinstance(one, str) for one in found):
        return False
    name, text = found
    return re.fullmatch("[a-z][a-z0-9-]{0,40}", name) is not None and len(text) <= 4096 and text.isprintable()


def _text(found: dict[str, Any], name: str, most: int) -> str:
    text = found.get(name, "")
    if not isinstance(text, str) or len(text) > most or not text.isprintable():
        raise _Unfit(name)
    return text


def _count(found: dict[str, Any], name: str) -> int:
    number = found.get(name)
    if type(number) is not int or not 0 <= number < 1 << 62:
        raise _Unfit(name)
    return number


# Where the formats keep text


def _texts(raw: bytes) -> Iterator[str]:
    if raw.startswith(_PNG):
        yield from _png_texts(raw)
    elif raw.startswith((b"GIF87a", b"GIF89a")):
        for comment in _gif_comments(raw):
            yield from _marked(comment)
    else:
        yield from _marked(raw)


def _marked(raw: bytes) -> Iterator[str]:
    """Yield what stands behind the name of a recipe, in plain text, in XML, or in a string of a string."""
    for number, begins in enumerate(_BEGINS):
        at = raw.find(begins.encode())
        if at >= 0:
            text = raw[at + len(KEY) + 2 : at + _MAX_TEXT_BYTES].decode("utf-8", "replace")
            yield (text, unescape(text), text.replace('\\"', '"'))[number]


def _png_texts(raw: bytes) -> Iterator[str]:
    at = len(_PNG)
    while at + 12 <= len(raw):
        length, kind = struct.unpack_from(">I4s", raw, at)
        content = raw[at + 8 : at + 8 + length]
        at += 12 + length
        name, _, rest = content.partition(b"\0")
        if name != KEY.encode():
            continue
        try:
            if kind == b"tEXt":
                yield rest.decode("latin-1")
            elif kind == b"zTXt":
                yield _inflated(rest[1:]).decode("latin-1")
            elif kind == b"iTXt":
                text = rest[2:].split(b"\0", 2)[-1]
                yield (_inflated(text) if rest[:1] == b"\1" else text).decode("utf-8")
        except (ValueError, zlib.error):
            continue  # damaged: there may be another


def _inflated(packed: bytes) -> bytes:
    return zlib.decompressobj().decompress(packed, _MAX_TEXT_BYTES)


def _gif_comments(raw: bytes) -> Iterator[bytes]:
    """Yield the comments of a GIF, which come in pieces of at most 255 bytes."""
    at = 13 + _gif_palette(raw[10]) if len(raw) > 13 else len(raw)
    while at + 1 < len(raw):
        kind, label = raw[at], raw[at + 1]
        if kind == _GIF_EXTENSION:
            at += 2
        elif kind == _GIF_IMAGE and at + 10 < len(raw):
            at += 11 + _gif_palette(raw[at + 9])
        else:
            return
        pieces = []
        while at < len(raw) and raw[at]:
            pieces.append(raw[at + 1 : at + 1 + raw[at]])
            at += 1 + raw[at]
        at += 1
        if kind == _GIF_EXTENSION and label == _GIF_COMMENT:
            yield b"".join(pieces)


def _gif_palette(flags: int) -> int:
    return 3 << (1 + (flags & 7)) if flags & 0x80 else 0
