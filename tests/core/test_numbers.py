"""Numbers as a locale writes them."""

import doctest

import pytest

from wavediff.core.base import numbers
from wavediff.core.base.numbers import count, identity, localized, number, percent, plain_number, use_separators


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    use_separators()


def test_examples_hold():
    result = doctest.testmod(numbers)
    assert result.attempted >= 4
    assert not result.failed


def test_numbers_follow_the_locale():
    use_separators(".", ",")
    assert (number(1234.5, 1), number(-1234567)) == ("1.234,5", "-1.234.567")
    assert number(10**18 + 1) == "1.000.000.000.000.000.001", "no digit of a large whole number is rounded"
    assert (count(1, "gap", "gaps"), count(5386, "gap", "gaps")) == ("1 gap", "5.386 gaps")
    assert (identity(0.806), identity(1), percent(0.9995), percent(12.34)) == ("80,6 %", "100 %", "99,9 %", "1.234 %")
    assert localized("80.6") == "80,6"
    assert plain_number("1.234,5") == "1234.5"


def test_a_group_may_be_a_space():
    use_separators("\u202f", ",")
    assert number(12345) == "12\u202f345"
    assert plain_number("12\u202f345,5") == "12345.5"
