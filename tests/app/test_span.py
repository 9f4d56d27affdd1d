"""What a plot shows of a sequence stays within bounds, and its ticks neither crowd nor leave the sequence."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.span import BEYOND, FEWEST, Span

LENGTHS = st.integers(1, 2_000_000_000)
FACTORS = st.floats(0.001, 1000)


def within(span: Span) -> bool:
    slack = 1e-6 * span.length
    most = (1 + 2 * BEYOND) * span.length
    low, high = -BEYOND * span.length - slack, (1 + BEYOND) * span.length + slack
    return low <= span.first < span.last <= high or span.size == pytest.approx(min(FEWEST, most))


@given(LENGTHS, FACTORS, st.floats(-0.5, 1.5), st.floats(-3, 3))
def test_no_zoom_and_no_move_leaves_the_bounds(length: int, factor: float, at: float, by: float) -> None:
    zoomed = Span.all(length).zoomed(factor, at * length)
    assert within(zoomed)
    assert within(zoomed.moved(by * length))


@given(st.integers(100, 2_000_000_000), st.floats(0.2, 0.8), st.floats(0.1, 1.0))
def test_the_letter_under_the_pointer_keeps_its_place(length: int, at: float, factor: float) -> None:
    before = Span.all(length).to(0.1 * length, 0.9 * length)
    letter = before.first + at * before.size
    after = before.zoomed(factor, letter)
    assert (letter - after.first) / after.size == pytest.approx(at, abs=1e-6)


@given(LENGTHS, FACTORS, st.floats(0, 1), st.integers(1, 3000), st.floats(5, 200))
def test_ticks_are_round_apart_and_inside(length: int, factor: float, at: float, pixels: int, needed: float) -> None:
    span = Span.all(length).zoomed(factor, at * length)
    numbered, plain = span.ticks(pixels, needed)
    for each in (*numbered, *plain):
        assert max(0, span.first) <= each <= min(length, span.last)
    assert not set(numbered) & set(plain)
    for one, other in pairwise(numbered):
        assert (other - one) * pixels / span.size >= needed * (1 - 1e-6)
        assert str(other - one).rstrip("0") in {"1", "2", "5"}


def test_ticks_of_a_mitochondrion() -> None:
    numbered, plain = Span.all(16_569).ticks(350, 90)
    assert numbered == [0, 5000, 10_000, 15_000]
    assert plain[:4] == [1000, 2000, 3000, 4000]
    assert Span.all(16_569).ticks(0, 90) == ([], [])
    assert Span(16_569, 16_600, 16_700).ticks(350, 90) == ([], [])
