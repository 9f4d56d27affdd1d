"""A language that no one speaks, made from the English texts: longer, with accents, in brackets.

A text of the window without brackets did not go through ``tr``; one that is cut will be cut in another language too.
``python -m tests.pseudo [A B]`` opens the window in it; ``--write FOLDER`` makes it a folder, as another language is
one, and ``--check FOLDER...`` says what such a folder lacks.
"""

from __future__ import annotations

import ast
import gettext
import re
import string
import struct
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

from core.base.translate import DOMAIN
from core.teach.lesson import lessons

SOURCES = tuple(Path(__file__).parents[1] / folder for folder in ("app", "core", "gpu"))
OPEN, CLOSE = "⟦", "⟧"
GROWTH = 0.3  # of the letters of a text: what another language may need beside them
_ACCENTS = str.maketrans("aceinorsuyACEINORSUY", "áçéíñóŕšúýÁÇÉÍÑÓŔŠÚÝ")
FILLER = "·"
PLACES = {"tr": 1, "tr_noop": 1, "tr_n": 2, "tr_n_noop": 2}  # texts that each takes, from the first argument on


def pseudo(text: str) -> str:
    """Return ``text`` as the language has it; the fields of values stay.

    >>> pseudo("{n} of {total} shown")
    '⟦{n} óf {total} šhówñ··⟧'
    """
    parts = []
    letters = 0
    for literal, field, spec, _ in string.Formatter().parse(text):
        letters += sum(map(str.isalpha, literal))
        parts.append(literal.translate(_ACCENTS).replace("{", "{{").replace("}", "}}"))
        if field is not None:
            parts.append("{" + field + (f":{spec}" if spec else "") + "}")
    return f"{OPEN}{''.join(parts)}{FILLER * int(GROWTH * letters + 0.5)}{CLOSE}"


class PseudoLanguage(gettext.NullTranslations):
    """A catalogue that has every text.

    Attributes:
        asked: the texts that were asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(str(message))
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked |= {str(msgid1), str(msgid2)}
        return pseudo(msgid1 if n == 1 else msgid2)


@cache
def marked(folders: tuple[Path, ...]) -> set[str]:
    """Return the texts of the sources that a catalogue can have, as xgettext finds them."""
    return {
        text.value
        for call in _calls(folders)
        for text in call.args[: PLACES[cast(ast.Name, call.func).id]]
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }


@cache
def _calls(folders: tuple[Path, ...]) -> tuple[ast.Call, ...]:
    """Return the calls that mark a text."""
    sources = [path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.rglob("*.py"))]
    return tuple(
        call
        for source in sources
        if "tr(" in source or "tr_n" in source
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in PLACES
    )


def outside(text: str) -> str:
    """Return what of ``text`` stands in no brackets.

    >>> outside("⟦Cópý ⟦á ŕów⟧·⟧ (Ctrl+C)")
    ' (Ctrl+C)'
    """
    found, depth = [], 0
    for letter in text:
        depth += letter == OPEN
        if not depth:
            found.append(letter)
        depth -= letter == CLOSE and depth > 0
    return "".join(found)


@cache
def lesson_texts() -> set[str]:
    """Return the texts of the lessons that ship."""
    found = set()
    for one in lessons():
        found |= {one.title, one.topic, one.source, one.notes}
        found |= {scene.say for part in one.parts for scene in part.scenes}
    return found - {""}


@cache
def plurals() -> dict[str, str]:
    """Return the text of many things by that of one, of all texts of the sources."""
    found = {}
    for call in _calls(SOURCES):
        texts = [one.value for one in call.args[:2] if isinstance(one, ast.Constant)]
        if PLACES[cast(ast.Name, call.func).id] == 2 and len(texts) == 2:
            found[str(texts[0])] = str(texts[1])
    return found


def write_folder(folder: Path) -> None:
    """Write the language as a folder: what is told apart by a number, and all other texts, of window and lessons."""
    many = plurals()
    texts = {one: pseudo(one) for one in (marked(SOURCES) | lesson_texts()) - set(many.values())}
    texts |= {f"{one}\0{other}": f"{pseudo(one)}\0{pseudo(other)}" for one, other in many.items()}
    write_catalogue(folder, texts)


def write_catalogue(folder: Path, texts: Mapping[str, str]) -> None:
    """Write ``LC_MESSAGES/wavediff.mo`` as msgfmt does: two tables of lengths and places, then the texts."""
    head = (
        f"Content-Type: text/plain; charset=UTF-8\nLanguage: {folder.name}\nPlural-Forms: nplurals=2; plural=n != 1;\n"
    )
    pairs = sorted((key.encode(), text.encode()) for key, text in {"": head, **texts}.items())
    n, place = len(pairs), 28 + 16 * len(pairs)
    tables, body = b"", b""
    for column in zip(*pairs, strict=True):
        for text in column:
            tables += struct.pack("<II", len(text), place + len(body))
            body += text + b"\0"
    (folder / "LC_MESSAGES").mkdir(parents=True)
    first = struct.pack("<7I", 0x950412DE, 0, n, 28, 28 + 8 * n, 0, 0)
    (folder / "LC_MESSAGES" / f"{DOMAIN}.mo").write_bytes(first + tables + body)


def lacking(folder: Path) -> list[str]:
    """Return what a language lacks or has wrong, a line each: texts, and values that a translation has no place for."""
    catalogue = gettext.translation(DOMAIN, folder.parent, [folder.name])
    found, many = [], plurals()
    for one in sorted(marked(SOURCES) | lesson_texts()):
        said = catalogue.ngettext(one, many[one], 1) if one in many else catalogue.gettext(one)
        if one in many.values():
            continue
        others = [(one, said)] + ([(many[one], catalogue.ngettext(one, many[one], 2))] if one in many else [])
        for text, translated in others:
            if translated == text and re.search(r"[^\W\d_]{2}", text):
                found.append(f"no translation: {text!r}")
            elif _fields(translated) - _fields(text):
                found.append(f"values that are not there: {translated!r}")
    return found


def _fields(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


if __name__ == "__main__" and sys.argv[1:2] == ["--write"]:
    write_folder(Path(sys.argv[2]))
elif __name__ == "__main__" and sys.argv[1:2] == ["--check"]:
    missing = [f"{name}: {line}" for name in sys.argv[2:] for line in lacking(Path(name).resolve())]
    sys.exit("\n".join(missing) if missing else 0)
elif __name__ == "__main__":
    from app.window import application
    from core.base.translate import use_catalogue

    application.speak = lambda: use_catalogue(PseudoLanguage(), "\u202f", ",")
    sys.exit(application.main(sys.argv[1:]))
