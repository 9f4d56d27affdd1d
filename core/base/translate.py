"""Texts in the language of the person, and their numbers as that person's locale writes them.

The texts of the program are English and stand where they are used, inside ``tr``; a catalogue of gettext holds them in
another language. A text without a translation stays as it is. Nothing here needs Qt: core says things too.
"""

from __future__ import annotations

import gettext
import string
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

DOMAIN = "wavediff"
_ENGLISH_NAMES = ("en", "C", "POSIX")
FOLDER = Path(__file__).resolve().parents[2] / "resources" / "translations"


@dataclass(slots=True)
class _Language:
    catalogue: gettext.NullTranslations
    group: str
    point: str


_now = _Language(gettext.NullTranslations(), ",", ".")


class _Noted(str):
    """An English text that knows what it was made from."""

    template: str
    values: dict[str, Any]
    many: str  # the template of other numbers than one; empty where the text has no number

    def __new__(cls, template: str, values: dict[str, Any], many: str = "") -> _Noted:
        english = many if many and values["n"] != 1 else template
        made = super().__new__(cls, english.format(**_grouped(values)) if values else english)
        made.template, made.values, made.many = template, values, many
        return made

    def __reduce__(self) -> tuple[type[_Noted], tuple[str, dict[str, Any], str]]:
        return _Noted, (self.template, self.values, self.many)


class _Grouped(int):
    """A whole number that is grouped where no format is given."""

    def __format__(self, format_spec: str) -> str:
        return super().__format__(format_spec or ",")


def _grouped(values: dict[str, Any]) -> dict[str, Any]:
    """Return ``values`` as ``str.format`` puts them into an English text."""
    return {
        name: _Grouped(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in values.items()
    }


class _Words(string.Formatter):
    """``str.format`` with all numbers as the locale writes them, whole ones grouped where no format is given."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, _Noted):
            return tr(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return format(value, format_spec)
        return localized(format(_Grouped(value) if isinstance(value, int) else value, format_spec))


_WORDS = _Words()


def tr(text: str, /, **values: Any) -> str:
    """Return ``text`` in the language of now, with ``values`` put in for its ``{names}``.

    Whole numbers are grouped, unless their field says otherwise; ``{share:.1%}`` and the like follow the locale too.

    >>> tr("difference {number} of {total}", number=661, total=2224)
    'difference 661 of 2,224'
    """
    if isinstance(text, _Noted) and text.many:
        return tr_n(text.template, text.many, text.values["n"], **{**text.values, **values})
    if isinstance(text, _Noted):
        values = {**text.values, **values}
        text = text.template
    found = _now.catalogue.gettext(text) if text else ""
    return _WORDS.vformat(found, (), values) if values else found


def tr_n(one: str, many: str, n: int, /, **values: Any) -> str:
    """Return the text for ``n`` things, which both texts can call ``{n}``.

    Both are written out in the call: by the two together a catalogue knows a plural.

    >>> tr_n("{n} gap", "{n} gaps", 1), tr_n("{n} gap", "{n} gaps", 1234)
    ('1 gap', '1,234 gaps')
    """
    found = _now.catalogue.ngettext(one, many, n)
    return _WORDS.vformat(found, (), {**values, "n": n})


def tr_noop(text: str, /, **values: Any) -> str:
    """Mark a text that is made before the language is known, or that files have too: ``tr`` it where it is shown.

    It is the English text, with English numbers, as files and the command line have it; ``tr`` knows what it was made
    from. Among the ``values`` of a text such a one is said in the language of now.

    >>> note = tr_noop("about {n} edits", n=1234)
    >>> note, tr(note)
    ('about 1,234 edits', 'about 1,234 edits')
    """
    return _Noted(text, values)


def tr_n_noop(one: str, many: str, n: int, /, **values: Any) -> str:
    """Mark a text for ``n`` things as ``tr_noop`` does; ``tr`` it where it is shown.

    >>> tr_n_noop("{n} pair", "{n} pairs", 1234)
    '1,234 pairs'
    """
    return _Noted(one, {**values, "n": n}, many)


def number(value: float, digits: int = 0) -> str:
    """Return a number grouped, with ``digits`` decimals.

    >>> number(1234567), number(0.25, 2)
    ('1,234,567', '0.25')
    """
    return localized(f"{value:,.{digits}f}")


def identity(share: float) -> str:
    """Return how alike two sequences are, with one decimal, and more where it would read 100 % and is not.

    >>> identity(0.806), identity(0.99962), identity(1)
    ('80.6 %', '99.96 %', '100 %')
    """
    digits = next((each for each in (1, 2, 3, 4) if round(100 * share, each) < 100), 5)
    return tr("{value} %", value="100" if share == 1 else number(min(100 * share, 99.99999), digits))


def percent(fraction: float) -> str:
    """Return e.g. ``43 %`` or, where that hides something, ``0.04 %``; never 100 % before the end.

    >>> percent(0.806), percent(0.99999), percent(0.0004), percent(1), percent(1.06)
    ('81 %', '99.9 %', '0.04 %', '100 %', '106 %')
    """
    value = 100 * fraction
    digits = 3 if value < 0.01 else 2 if value < 0.1 else 1 if value < 10 or 99 < value < 100 else 0
    shown = f"{value:,.0f}" if value == 0 or value >= 100 else f"{min(value, 99.9):,.{digits}f}"
    return tr("{value} %", value=localized(shown))


def localized(text: str) -> str:
    """Return a number, written with "," between groups and "." before decimals, as the locale writes it."""
    if (_now.group, _now.point) == (",", "."):
        return text
    return "".join(_now.group if each == "," else _now.point if each == "." else each for each in text)


def plain_number(text: str) -> str:
    """Return what a person typed as a number, without the groups of the locale and with "." before decimals."""
    return text.replace(_now.group, "").replace(_now.point, ".") if text else text


def use_language(languages: list[str], group: str = ",", point: str = ".", folder: Path | None = None) -> bool:
    """Say what follows in the first of ``languages`` that has a catalogue, else in English; return whether one has.

    Args:
        languages: as gettext names them, e.g. ``["cs_CZ", "cs"]``; what comes after English is not asked.
        group, point: between thousands and before decimals.
        folder: of ``LANGUAGE/LC_MESSAGES/wavediff.mo``.
    """
    folder = FOLDER if folder is None else folder
    others = list(takewhile(lambda name: name.partition("_")[0] not in _ENGLISH_NAMES, languages))
    found = gettext.find(DOMAIN, folder, others) is not None
    use_catalogue(gettext.translation(DOMAIN, folder, others) if found else gettext.NullTranslations(), group, point)
    return found


def language() -> str:
    """Return the language of now as web pages name it."""
    return _now.catalogue.info().get("language", "en").replace("_", "-")


def use_catalogue(catalogue: gettext.NullTranslations, group: str = ",", point: str = ".") -> None:
    """Say what follows as ``catalogue`` has it."""
    _now.catalogue, _now.group, _now.point = catalogue, group, point
