"""Ignored differences in a comparison by lines."""

from __future__ import annotations

from typing import NamedTuple


class Ignore(NamedTuple):
    """Kinds of differences that are ignored.

    Attributes:
        space: all white space inside lines. blank: hunks of blank lines only.
        breaks: line breaks: consecutive words of both texts are equal regardless of line ends.
        case: upper and lower case.
        matching: a regular expression whose matches are equal; empty: none.
    """

    space: bool = False
    blank: bool = False
    breaks: bool = False
    case: bool = False
    matching: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Names of the ignored differences."""
        named = {
            "white space": self.space,
            "blank lines": self.blank,
            "line breaks": self.breaks,
            "case": self.case,
            f"matches of {self.matching}": bool(self.matching),
        }
        return tuple(text for text, is_ignored in named.items() if is_ignored)

    @property
    def text(self) -> str:
        """Suffix for the answer that names the ignored differences, or an empty string."""
        return f" · {', '.join(self.texts)} ignored" if self.texts else ""
