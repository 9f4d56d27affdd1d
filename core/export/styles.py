"""Kinds of words in an answer, and the signs of their colours in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TextIO


class Style(StrEnum):
    """Kinds of words, each with its colour."""

    LETTERS = "letters"  # that are equal
    ANSWER = "answer"
    QUIET = "quiet"
    MISMATCH = "mismatch"
    INSERTION = "insertion"
    DELETION = "deletion"
    SWAP = "swap"


Marking = Callable[[str, Style], str]  # puts the signs of a style around words
# Escape codes for 16, 256 and all colours; the last are those of the window's dark scheme.
_ESCAPES = {
    Style.LETTERS: ("",) * 3,
    Style.ANSWER: ("1",) * 3,
    Style.QUIET: ("2",) * 3,
    Style.MISMATCH: ("1;33", "1;38;5;223;48;5;94", "1;38;2;255;190;148;48;2;74;42;20"),
    Style.INSERTION: ("1;36", "1;38;5;153;48;5;24", "1;38;2;154;212;247;48;2;18;56;79"),
    Style.DELETION: ("1;32", "1;38;5;228;48;5;58", "1;38;2;245;236;125;48;2;66;63;18"),
    Style.SWAP: ("1;35", "1;38;5;218;48;5;53", "1;38;2;243;187;215;48;2;72;41;58"),
}


def plain(words: str, style: Style) -> str:  # noqa: ARG001
    return words


def wanted(color: str, stream: TextIO, environment: Mapping[str, str]) -> Marking:
    """Return what marks words on ``stream``; ``color``: always, never or auto."""
    shown = stream.isatty() and "NO_COLOR" not in environment and environment.get("TERM") != "dumb"
    return coloured(environment) if color == "always" or (color == "auto" and shown) else plain


def coloured(environment: Mapping[str, str]) -> Marking:
    """Return what colours words on the terminal that ``environment`` describes."""
    all_colours = environment.get("COLORTERM") in ("truecolor", "24bit")
    level = 2 if all_colours else 1 if "256color" in environment.get("TERM", "") else 0

    def mark(words: str, style: Style) -> str:
        escape_code = _ESCAPES[style][level]
        return f"\x1b[{escape_code}m{words}\x1b[0m" if words and escape_code else words

    return mark
