"""Texts and numbers in the language of the person."""

from __future__ import annotations

import doctest
import gettext
from collections.abc import Iterator

import pytest

from core import translate
from core.translate import number, plain_number, tr, tr_n, use_catalogue


class Shouting(gettext.NullTranslations):
    """A language of capitals that keeps the names of values."""

    def gettext(self, message: str) -> str:
        return "".join(part if part.startswith("{") else part.upper() for part in split(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def split(message: str) -> list[str]:
    parts, rest = [], message
    while "{" in rest:
        before, _, rest = rest.partition("{")
        name, _, rest = rest.partition("}")
        parts += [before, "{" + name + "}"]
    return [*parts, rest]


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use_catalogue(gettext.NullTranslations())


def test_examples_hold() -> None:
    result = doctest.testmod(translate)
    assert result.attempted >= 3
    assert not result.failed


def test_numbers_follow_the_locale_and_texts_the_catalogue() -> None:
    use_catalogue(Shouting(), group=".", point=",")
    assert tr("difference {number} of {total}", number=661, total=2224) == "DIFFERENCE 661 OF 2.224"
    assert tr("{share:.1f} % identical", share=80.6) == "80,6 % IDENTICAL"
    assert tr_n("{n} gap", "{n} gaps", 1) == "1 GAP"
    assert tr_n("{n} gap", "{n} gaps", 5386) == "5.386 GAPS"
    assert number(1234.5, 1) == "1.234,5"
    assert plain_number("1.234,5") == "1234.5"


def test_names_of_files_are_data() -> None:
    assert tr("{name} saved", name="{odd} %s.tsv") == "{odd} %s.tsv saved"
    assert tr("100 % {sure}") == "100 % {sure}"  # without values nothing is put in
    assert tr("") == ""


def test_a_language_without_catalogue_is_english() -> None:
    translate.use_language(["xx_YY"], "\u202f", ",")
    assert tr("Saved {n}", n=12345) == "Saved 12\u202f345"
