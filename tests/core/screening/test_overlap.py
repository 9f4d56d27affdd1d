"""Which of two sequences that overlap begins."""

from tests.core.screening.test_notices import notices, sequence
from tests.core.screening.test_relation import random_letters


def test_the_end_of_the_first_one_overlaps_the_beginning_of_the_other():
    shared = random_letters(6_000, 1)
    first, second = sequence(random_letters(5_000, 2) + shared), sequence(shared + random_letters(5_000, 3))
    for a, b, said in (
        (first, second, "A overlaps the beginning of B"),
        (second, first, "B overlaps the beginning of A"),
    ):
        assert any(f"The end of {said}" in str(one.text) for one in notices(a, b))
