"""Lines numbered as below ORIGIN in GenBank: the letters alone, or a refusal that names the line."""

import numpy as np
import pytest

from tests.core.reading.test_foreign import FOREIGN
from tests.core.reading.tools import load_pieces, noticed, records
from wavediff.core.base.errors import InputError
from wavediff.core.reading import parse, read
from wavediff.core.reading.formats import SEQUENCE_FORMATS, TRACE
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

LETTERS = bytes(np.random.default_rng(1).choice(list(b"acgt"), 254).astype(np.uint8).tobytes())


def block(letters, head=b"ORIGIN      \n", end=b"//\n"):
    """Write letters as GenBank has them."""
    lines = [head]
    for first in range(0, len(letters), 60):
        line = letters[first : first + 60]
        lines.append(b"%9d %s\n" % (first + 1, b" ".join(line[k : k + 10] for k in range(0, len(line), 10))))
    return b"".join([*lines, end])


@pytest.mark.parametrize("head", [b"ORIGIN      \n", b"ORIGIN\n", b""])
@pytest.mark.parametrize("end", [b"//\n", b"", b"//", b"\n\n"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_numbers_and_blanks_are_no_letters(head, end, newline):
    load = parse(block(LETTERS, head, end).replace(b"\n", newline))
    assert [one[2] for one in records(load)] == [LETTERS]
    assert load.sequence(0).alphabet is Alphabet.DNA
    assert load.sequence(0).counts.tolist() == np.bincount(np.frombuffer(LETTERS, np.uint8), minlength=256).tolist()
    (notice,) = noticed(load)
    assert notice.startswith("lines numbered as below ORIGIN in GenBank: read as one raw DNA sequence, 5 numbers")


@pytest.mark.parametrize("size", [1, 7, 61, 400])
def test_pieces_are_cut_anywhere(size):
    data = block(LETTERS)
    load = load_pieces([data[:80], *(data[k : k + size] for k in range(80, len(data), size))], head=80)
    assert records(load)[0][2] == LETTERS


def test_one_line_is_enough_with_its_head_and_a_list_is_a_text():
    assert records(parse(b"ORIGIN\n        1 gatc\n//\n"))[0][2] == b"gatc"
    for text in (b"1 apple\n2 pears\n", b"1 gatc\n", b"ORIGIN of species\n", b"12 gatcctccat atacaacggt\n"):
        assert parse(text).sequence(0).letters.tobytes() == text.rstrip(b"\n")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (block(LETTERS).replace(b"       61", b"       62"), r"line 3: the line has the number 62; .* is number 61"),
        (block(LETTERS).replace(b"       61 ", b""), "line 3: no number and groups of letters"),
        (block(LETTERS) + b"more\n", "line 8: text behind '//'"),
        (block(LETTERS)[:-3] + b"   255 ac1t\n", "line 7: no number and groups"),
    ],
)
def test_what_does_not_fit_is_named(changed, said):
    with pytest.raises(InputError, match=said) as caught:
        parse(changed)
    assert parse(changed, read_as=ReadAs(caught.value.instead)).n_records == 1


def test_a_part_of_a_block_begins_at_its_own_number():
    part = b"".join(block(LETTERS, b"", b"").splitlines(keepends=True)[1:])
    load = parse(part)
    assert records(load)[0][2] == LETTERS[60:]
    assert "the numbers begin at 61: places here count from 1" in noticed(load)
    with pytest.raises(InputError, match="line 2: the line has the number 181; its first letter is number 121"):
        parse(b"".join(part.splitlines(keepends=True)[::2]))


@pytest.mark.parametrize("read_as", [ReadAs.AUTO, ReadAs.FASTA])
@pytest.mark.parametrize("head", [b"", b"ORIGIN\n"])
def test_a_header_of_fasta_names_the_block(read_as, head):
    load = parse(b">NC_1 some words\n" + block(LETTERS, head), read_as=read_as)
    assert records(load) == [("NC_1", "some words", LETTERS)]


def test_formats_of_sequences_are_not_read_as_texts():
    """Their numbers, names and blanks would be compared as letters."""
    advised = {}
    for data in FOREIGN.values():
        with pytest.raises(InputError) as caught:
            parse(data)
        advised[caught.value.found.removeprefix("this is ")] = caught.value.instead
    assert {name for name, instead in advised.items() if not instead} == {*SEQUENCE_FORMATS, TRACE}


def test_a_file_is_read_as_a_paste(tmp_path):
    (tmp_path / "x.txt").write_bytes(block(LETTERS))
    assert records(read(tmp_path / "x.txt"))[0] == ("x", "", LETTERS)
