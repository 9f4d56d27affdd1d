"""The LCS: worked examples; what it shares with edit distance: test_pairwise."""

import pytest

from tests.core.edits import every_device
from tests.core.methods import LCS, common_letters
from tests.core.pairs import letters


@every_device
@pytest.mark.parametrize(
    ("a", "b", "answers"),
    [
        (b"abcdefghij", b"cfilorux", {b"cfi"}),
        (b"abcde", b"baexd", {b"ad", b"ae", b"bd", b"be"}),
    ],
)
def test_kawanamis_examples_of_section_2_1(device, a, b, answers):
    result = LCS.run(letters(a), letters(b), device)
    assert common_letters(letters(a), letters(b), result) in answers
