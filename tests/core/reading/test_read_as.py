"""A file read as what a person says that it is."""

import gzip
from pathlib import Path

import pytest

from tests.core.reading.test_foreign import FOREIGN
from tests.core.reading.tools import noticed
from wavediff.core.base.errors import InputError
from wavediff.core.reading import parse, read
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

LETTER = b"Dear all,\r\n\r\n> shall we meet at 10?\r\nYes.\r\n"


def test_bytes_are_the_file(tmp_path):
    """Zero bytes, every line end, a byte-order mark, what is compressed: as it lies there."""
    every = bytes(range(256)) + b"\r\n\r"
    for data in (every, LETTER, b"\xef\xbb\xbf>a\nACGT\n", gzip.compress(b">a\nACGT\n"), b"", *FOREIGN.values()):
        path = tmp_path / "file.fa"
        path.write_bytes(data)
        load = read(path, ReadAs.BYTES)
        assert load.letters.tobytes() == data
        assert (load.name(0), load.format, noticed(load)) == ("file", "bytes", ())
        sequence = load.sequence(0)
        assert (sequence.alphabet, sequence.format, noticed(sequence)) == (Alphabet.TEXT, "bytes", ())
        assert int(sequence.counts.sum()) == len(data)
        assert parse(data, read_as=ReadAs.BYTES).letters.tobytes() == data


def test_text_is_the_text_whatever_its_lines_begin_with():
    for data in (LETTER, b"> quoted\n> 2\n", b"@a\nACGT\n+\nI\n", b"<html>x</html>", b"ACGT ACGT\n"):
        load = parse(data, read_as=ReadAs.TEXT)
        assert load.letters.tobytes() == data.replace(b"\r\n", b"\n").removesuffix(b"\n")
        assert load.sequence(0).alphabet is Alphabet.TEXT
        assert not any("plain text" in notice for notice in noticed(load))
    assert parse(b"", read_as=ReadAs.TEXT).letters.size == 0
    assert parse(gzip.compress(LETTER), read_as=ReadAs.TEXT).letters.tobytes().startswith(b"Dear all,\n")
    assert parse("ab".encode("utf-16"), read_as=ReadAs.TEXT).letters.tobytes() == b"ab"


def test_fasta_and_fastq_can_be_demanded():
    assert parse(b"; x\n>P1;CRAB\nACGT\n", read_as=ReadAs.FASTA).letters.tobytes() == b"ACGT"
    with pytest.raises(InputError, match="no line begins with '>'"):
        parse(b"ACGT\n", read_as=ReadAs.FASTA)
    assert parse(b"@a\nAC\n+\nII\n", read_as=ReadAs.FASTQ).letters.tobytes() == b"AC"
    with pytest.raises(InputError, match="FASTQ record"):
        parse(b">a\nACGT\n", read_as=ReadAs.FASTQ)


@pytest.mark.parametrize(
    ("data", "instead"),
    [
        (LETTER, ReadAs.TEXT),
        (b"> quoted\nanswer: 42\n", ReadAs.TEXT),
        (b">\n>\n", ReadAs.TEXT),
        (b"<html><body>x</body></html>", ReadAs.TEXT),
        (b"@a\nACGT\n+\nII\n", ReadAs.TEXT),
        (b"@a\nACGT\n+\nII\x7fI\n", ReadAs.TEXT),
        (b"abc\0", ReadAs.BYTES),
        (FOREIGN["a PNG picture"], ReadAs.BYTES),
        (b"\xff\xfea\0b", ReadAs.BYTES),
    ],
)
def test_a_refusal_tells_how_the_file_can_be_read(data, instead):
    with pytest.raises(InputError) as caught:
        parse(data)
    assert caught.value.instead == instead
    assert parse(data, read_as=instead).n_records == 1


def test_nothing_else_is_told_where_nothing_would_help(tmp_path):
    with pytest.raises(InputError) as caught:
        parse(gzip.compress(b">a\nACGT\n")[:-3])
    assert caught.value.instead == ""


@pytest.mark.parametrize("wanted", list(Alphabet))
def test_the_alphabet_can_be_said(wanted):
    for data, how in ((b">a\nAC GT\n", ReadAs.AUTO), (b"AC GT\n", ReadAs.AUTO), (b"@a\nACGT\n+\nIIII\n", ReadAs.AUTO)):
        sequence = parse(data, read_as=how, alphabet=wanted).sequence(0)
        assert sequence.alphabet is wanted
        as_it_is = data.startswith(b"AC") and wanted is Alphabet.TEXT
        assert sequence.letters.tobytes() == (b"AC GT" if as_it_is else b"ACGT")
    for how in (ReadAs.TEXT, ReadAs.BYTES):
        sequence = parse(b"AC GT", read_as=how, alphabet=wanted).sequence(0)
        assert (sequence.letters.tobytes(), sequence.alphabet) == (b"AC GT", wanted)


def test_an_address_and_an_empty_name_are_shown_as_they_were_typed():
    with pytest.raises(InputError, match=r"^http://x/a\.fa: an address, no file"):
        read("http://x/a.fa")
    with pytest.raises(InputError, match=r"^http://x/a\.fa: an address, no file"):
        read(Path("http://x/a.fa"))
    with pytest.raises(InputError, match=r"^'': an empty name"):
        read("")


@pytest.mark.parametrize(
    "text",
    [
        b"> On Monday Bob wrote:\n> hello\n\nI agree with this.\n",
        b"# Title\n\nSome text here, and more.\n\n> a quotation\n",
        b"Dear all,\n\nshall we meet at ten?\n> asked Bob\nI think we should.\n",
    ],
)
def test_a_text_with_quotations_is_a_text(text):
    load = parse(text)
    assert (load.format, load.sequence(0).alphabet) == ("plain", Alphabet.TEXT)
    assert load.letters.tobytes() == text[:-1]


@pytest.mark.parametrize(
    "text",
    [
        b">NC_0001 Homo sapiens chromosome one, whole genome\nACGTACGT\n",
        b">a\nacgtacgtac gtacgtacgt acgt\nacgtacgtac gtacgtacgt\n",
        b">a\nACGT ACG TTTAC GT\n",
        b">a\nMKVLAAG IVGLLKQ EFRHSW\n",
        b"; these are the genes of my plant\n>a\nACGT\n",
        b"# These are the genes of my plant\n>a\nACGT\n>b\nACGT\n",
    ],
)
def test_sequences_are_no_prose(text):
    assert parse(text).format == "FASTA"
