"""Two sequences as one text: the separator occurs in neither, or it is said why there is none."""

import pytest

from wavediff.core.base.errors import InputError
from wavediff.core.sequences.concatenation import join_sequences, upper_cased
from wavediff.core.sequences.sequence import Alphabet, Sequence
from wavediff.tests.bench.letters import frozen


def sequence(text):
    counts = [text.count(bytes([byte])) for byte in range(256)]
    return Sequence(letters=frozen(text), name="x", alphabet=Alphabet.TEXT, counts=counts)


def test_the_separator_occurs_in_neither():
    for a, b in ((b"ACGT", b"GG"), (b"#", b"|"), (b"", b""), (bytes(range(255)), bytes(range(100)))):
        found = join_sequences(sequence(a), sequence(b))
        assert found.letters.tobytes() == a + bytes([found.separator]) + b
        assert found.separator not in a + b
        assert found.letters[found.start_b :].tobytes() == b
        assert chr(found.separator) != "$"


def test_no_separator_is_left():
    with pytest.raises(InputError, match="all 256 bytes; a separator must occur in neither"):
        join_sequences(sequence(bytes(range(200))), sequence(bytes(range(200, 256))))
    with pytest.raises(InputError, match="the separator byte 0 occurs in B"):
        join_sequences(sequence(b"a"), sequence(b"\0"), 0)


def test_folding_leaves_all_but_ascii_letters():
    assert upper_cased(frozen(bytes(range(256)))).tobytes() == bytes(
        byte - 32 if 97 <= byte <= 122 else byte for byte in range(256)
    )
