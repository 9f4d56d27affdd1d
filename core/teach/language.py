"""Translation of trace texts by phrase patterns."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "phrases"
ENGLISH = "en"  # of the traces
LANGUAGES = (ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def _forms(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    phrases: dict[str, str] = (
        tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8")) if language != ENGLISH else {}
    )
    return tuple((re.compile(re.escape(form).replace(r"\{\}", "(.+?)")), other) for form, other in phrases.items())


@lru_cache(1 << 12)
def in_language(language: str, text: str) -> str:
    """Translate an English text and its inserted parts; unchanged if no pattern matches.

    >>> in_language("de", "That is the cell itself.")
    'Das ist die Zelle selbst.'
    """
    for english, other in _forms(language):
        if found := english.fullmatch(text):
            return other.format(*(in_language(language, piece) for piece in found.groups()))
    return text
