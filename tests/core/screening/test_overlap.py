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


def test_all_of_one_at_any_place_of_the_other_is_a_part_and_no_overlap():
    part, more = random_letters(5_000, 1), random_letters(4_000, 2)
    for whole in (part + more, more + part, more[:2_000] + part + more[2_000:]):
        (said,) = notices(sequence(part), sequence(whole))
        assert "A is a part of B" in str(said.text)
        assert said.offer.ends == "b"
        (said,) = notices(sequence(whole), sequence(part))
        assert "B is a part of A" in str(said.text)
        assert said.offer.ends == "a"
