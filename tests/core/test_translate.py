"""Texts and numbers in the language of the person."""

from __future__ import annotations

import copy
import doctest
import gettext
import json
import pickle
from collections.abc import Iterator

import pytest

from core.base import translate
from core.base.translate import number, plain_number, tr, tr_n, tr_n_noop, tr_noop, use_catalogue


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


def test_a_marked_text_is_english_until_it_is_said() -> None:
    size = tr_n_noop("{n} pair", "{n} pairs", 1234)
    note = tr_noop("faster for {size}: {seconds:.1f} s", size=size, seconds=0.5)
    use_catalogue(Shouting(), group=".", point=",")
    assert note == str(note) == "faster for 1,234 pairs: 0.5 s"
    assert json.dumps([note]) == '["faster for 1,234 pairs: 0.5 s"]'
    for each in (note, pickle.loads(pickle.dumps(note)), copy.deepcopy(note)):
        assert tr(each) == "FASTER FOR 1.234 PAIRS: 0,5 S"
    assert tr(tr_n_noop("{n} pair", "{n} pairs", 1)) == "1 PAIR"
    assert tr("{a} and {b}", a=tr_noop("one"), b="two") == "ONE AND two"
