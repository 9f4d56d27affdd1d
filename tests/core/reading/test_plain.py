"""Files without a ``>`` line: raw sequences and texts."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.core.reading.tools import load_pieces, noticed, read_bytes, records
from wavediff.core.reading import parse
from wavediff.core.reading.alphabet import guess_raw
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.sequence import Alphabet


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("hello world\nfoo\n", b"hello world\nfoo"),
        ("hello\r\nworld\r\n", b"hello\nworld"),
        ("hello\rworld", b"hello\nworld"),
        ("x\n\n", b"x\n"),
        ("  x  ", b"  x  "),
        ("kitten", b"kitten"),
        ("def f(x):\n\treturn x > 1\n", b"def f(x):\n\treturn x > 1"),
        ("12345", b"12345"),
        ("HELLO\nWORLD\n", b"HELLO\nWORLD"),
        ("THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG", b"THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG"),
        ("bad", b"bad"),
        ("stay", b"stay"),
    ],
)
def test_i3_a_text_is_one_record_of_its_bytes(tmp_path, text, letters):
    load = read_bytes(tmp_path, text.encode(), "notes.txt")
    assert records(load) == [("notes", "", letters)]
    sequence = load.sequence(0)
    assert sequence.alphabet is Alphabet.TEXT
    assert not sequence.alphabet.folds_case
    assert int(sequence.counts.sum()) == len(letters)
    assert all("line end" in notice for notice in noticed(load)), "that a text is one goes without saying"


@pytest.mark.parametrize(
    ("text", "alphabet", "letters"),
    [
        ("ACGT\nACGT\n", Alphabet.DNA, b"ACGTACGT"),
        ("acgt acgt\r\nnnac\r\n", Alphabet.DNA, b"acgtacgtnnac"),
        ("ACGU\n\nACGU", Alphabet.RNA, b"ACGUACGU"),
        ("AC-GT\n", Alphabet.DNA, b"ACGT"),
        ("acgtACGTNNRYKMACGTAC\n", Alphabet.DNA, b"acgtACGTNNRYKMACGTAC"),
        ("MKTAYIAKQR QISFVKSHFS\nRQLEERLGLI\n", Alphabet.PROTEIN, b"MKTAYIAKQRQISFVKSHFSRQLEERLGLI"),
    ],
)
def test_i3_i5_a_raw_sequence_loses_its_white_space(tmp_path, text, alphabet, letters):
    load = read_bytes(tmp_path, text.encode(), "raw.txt")
    assert records(load) == [("raw", "", letters)]
    sequence = load.sequence(0)
    assert sequence.alphabet is alphabet
    assert int(sequence.counts.sum()) == len(letters)
    assert any(notice.startswith(f"no '>' line: read as one raw {alphabet} sequence") for notice in noticed(load))


@pytest.mark.parametrize("text", ["naïve 🧬", "Příliš žluťoučký kůň", "Ελλάδα", "e\u0301 is not é", "\u00a0x\u200by"])
def test_a_character_is_a_letter_whatever_its_bytes(tmp_path, text):
    sequence = read_bytes(tmp_path, text.encode()).sequence(0)
    assert len(sequence) == len(text)
    assert decoded(sequence.letters, sequence.characters) == text
    assert list(sequence.characters) == sorted({each for each in text if not each.isascii()})
    assert int(sequence.counts.sum()) == len(text)
    assert all(isinstance(letter, str) for letter, _ in sequence.composition)


@pytest.mark.parametrize(("n", "kind"), [(128, np.uint8), (129, np.uint16), (65_409, np.uint32)])
def test_bug_f2_codes_are_as_wide_as_the_characters_need(n, kind):
    text = "".join(chr(0x10000 + k) for k in range(n))
    sequence = parse(text).sequence(0)
    assert (len(sequence), sequence.letters.dtype) == (n, kind)
    assert decoded(sequence.letters, sequence.characters) == text
    assert sequence.counts[128:].tolist()[:n] == [1] * n


def test_a_text_that_is_no_utf8_is_its_bytes_and_told():
    load = parse(b"Caf\xe9 \xc5\x99")
    assert load.letters.tobytes() == b"Caf\xe9 \xc5\x99"
    assert not load.characters
    assert any("this is no UTF-8" in notice for notice in noticed(load))


def test_i6_a_mark_is_no_letter_of_a_text(tmp_path):
    assert records(read_bytes(tmp_path, b"\xef\xbb\xbfkitten\n"))[0][2] == b"kitten"


def test_a_paste_may_be_text_that_utf8_cannot_hold():
    assert len(parse("x\ud800y").sequence(0)) == 5


def test_a_long_raw_sequence_is_moved_together_across_pieces():
    line = b"ACGTTGCAAC\n"
    data = line * 300_000
    load = load_pieces([data[: 1 << 20], data[1 << 20 : 1 << 21], data[1 << 21 :]])
    assert load.sequence(0).letters.tobytes() == data.replace(b"\n", b"")


_WORDS = st.text(st.sampled_from("ab cd\n\r\t>é1ACGT"), min_size=1, max_size=40)


@given(text=_WORDS, cuts=st.lists(st.integers(0, 50), max_size=5))
def test_pieces_do_not_matter(text, cuts):
    data = b"#" + text.replace(">", "").encode()
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    load = load_pieces(data[i:j] for i, j in pairwise(edges))
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert decoded(load.letters, load.characters).encode() == lines.removesuffix(b"\n")
    assert load.letters.tobytes() == parse(data).letters.tobytes()


def test_nothing_but_white_space_is_text():
    import numpy as np

    assert guess_raw(np.zeros(256, np.int64)) is Alphabet.TEXT


@given(
    st.lists(st.sampled_from([b"ACGT\n", b"hello 1\n", b"MKLV", b"\xc3\xa9", b"\xff", b" \n", b"x" * 20]), min_size=1)
)
def test_what_is_not_counted_while_it_is_read_is_read_alike(pieces):
    assume(b"".join(pieces).strip())
    one, other = (load_pieces(pieces, counted=counted) for counted in (True, False))
    assert records(one) == records(other)
    assert (one.alphabet, one.notices, one.characters) == (other.alphabet, other.notices, other.characters)
    assert one.sequence(0).counts.tolist() == other.sequence(0).counts.tolist()


def test_only_a_text_is_not_counted():
    assert 0 not in load_pieces([b"These are words\n"] * 3, counted=False).counts
    assert 0 in load_pieces([b"ACGTACGTACGTACGTACGT\n"] * 3, counted=False).counts


@pytest.mark.parametrize(
    ("text", "name"), [("kitten", "kitten"), ("ACGT\n", "ACGT"), ("two words", "pasted"), ("A" * 25, "pasted")]
)
def test_a_word_that_is_typed_is_called_as_it_is(text, name):
    assert parse(text).name(0) == name
