"""Arguments of ``search`` and ``find``: patterns and files, in the order of ``grep`` or file first."""

from __future__ import annotations

import argparse
import os

from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.base.file_names import TYPED, split_name


def take_search_words(arguments: argparse.Namespace) -> None:
    """Set ``pattern`` and ``files``: ``PATTERN FILE...``, or ``FILE PATTERN...`` if only the first word is a file.

    Raises:
        WavediffError: there is no pattern, or no file.
    """
    arguments.files = words = arguments.words
    if arguments.patterns is None and not arguments.pattern and not arguments.enzyme:
        _require_two(words, "search PATTERN FILE...")
        file_first = is_input(words[0]) and not any(map(is_input, words[1:]))
        arguments.pattern, arguments.files = (words[1:], words[:1]) if file_first else (words[:1], words[1:])


def take_find_words(arguments: argparse.Namespace) -> None:
    """Set ``patterns`` and ``file``: ``FILE PATTERN...`` where the first word is a file, else ``PATTERN... FILE``.

    Raises:
        WavediffError: there is no pattern, no file, or more than one.
    """
    words = arguments.words
    _require_two(words, "find PATTERN FILE")
    file_first = is_input(words[0])
    arguments.file, arguments.patterns = (words[0], words[1:]) if file_first else (words[-1], words[:-1])
    if not file_first and any(map(is_input, arguments.patterns)):
        raise WavediffError("find reads one file; search PATTERN FILE... reads many")


def _require_two(words: list[str], usage: str) -> None:
    if len(words) < 2:
        missing = "pattern" if is_input(words[0]) else "file"
        raise WavediffError(f"{printable(words[0])}: a {missing} is missing: {usage}")


def is_input(word: str) -> bool:
    return word == "-" or word.startswith(TYPED) or os.path.lexists(word) or split_name(word).part is not None
