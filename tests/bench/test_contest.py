"""The stand-ins are what their page says: the lengths of Sudo and Shinohara's Table 1, and its distances."""

from __future__ import annotations

import edlib
import pytest

from tests.oracles.lcs import is_subsequence
from wavediff.tests.bench.sudo_contest import Case, cases

TABLE_1 = [
    (92_416, 92_416, 86_379), (8_064, 1_048_320, 1_040_256), (130_816, 130_816, 1), (130_944, 130_944, 61_276),
    (130_816, 130_816, 130_816), (131_072, 131_072, 2), (131_072, 131_072, 256), (92_672, 185_344, 92_672),
    (16_384, 1_048_320, 1_031_936), (130_816, 130_816, 6),
]  # fmt: skip


@pytest.fixture(scope="module")
def made() -> list[Case]:
    return cases()


def test_lengths_and_stated_distances_are_those_of_the_table(made: list[Case]) -> None:
    assert [(one.a.size, one.b.size, one.distance) for one in made] == TABLE_1
    assert [one.number for one in made] == list(range(1, 11))


@pytest.mark.parametrize("number", [3, 6, 7, 10])
def test_few_edits_are_as_many_as_stated(made: list[Case], number: int) -> None:
    case = made[number - 1]
    found = edlib.align(case.a.tobytes(), case.b.tobytes(), mode="NW", k=2 * case.distance)
    assert found["editDistance"] == case.distance


@pytest.mark.parametrize("number", [2, 8, 9])
def test_the_shorter_is_a_subsequence_where_the_distance_is_the_difference(made: list[Case], number: int) -> None:
    case = made[number - 1]
    assert case.b.size - case.a.size == case.distance
    assert is_subsequence(case.a.tobytes(), case.b.tobytes())


def test_no_letter_is_shared_where_all_are_edited(made: list[Case]) -> None:
    case = made[4]
    assert not set(case.a.tobytes()) & set(case.b.tobytes())
    assert case.distance == case.a.size
