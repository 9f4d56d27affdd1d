"""A language that no one speaks, made from the English texts: longer, with accents, in brackets.

A text of the window without brackets did not go through ``tr``; one that is cut will be cut in another language too.
``python -m tests.pseudo [A B]`` opens the window in it.
"""

from __future__ import annotations

import ast
import gettext
import string
import sys
from collections.abc import Iterable
from pathlib import Path

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


def marked(folders: Iterable[Path]) -> set[str]:
    """Return the texts of the sources that a catalogue can have, as xgettext finds them."""
    return {
        text.value
        for folder in folders
        for path in folder.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in PLACES
        for text in call.args[: PLACES[call.func.id]]
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }


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


if __name__ == "__main__":
    from app.window import application
    from core.translate import use_catalogue

    application.speak = lambda: use_catalogue(PseudoLanguage(), "\u202f", ",")
    sys.exit(application.main(sys.argv[1:]))
