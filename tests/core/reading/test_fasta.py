"""FASTA as it should be, and as files have it that are not."""

import gzip
import hashlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.reading.tools import load_pieces, noticed, read_bytes, records, slow_fasta
from wavediff.core.base.errors import InputError
from wavediff.core.reading import fasta, parse, read
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

DEMO = Path(__file__).parents[3] / "resources" / "demo"


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
@pytest.mark.parametrize("name", ["x.fa", "x.txt"])
def test_a_file_without_a_letter_is_an_empty_text_whatever_its_name(tmp_path, data, name):
    (tmp_path / name).write_bytes(data)
    load = read(tmp_path / name)
    assert (load.n_records, load.letters.size, load.alphabet) == (1, 0, Alphabet.TEXT)
    assert "empty, read as a text of 0 letters" in [str(notice) for notice in load.notices]


@pytest.mark.parametrize(("data", "text"), [(b" ", b" "), (b"\n\r\n\t \f", b"\n\n\t \f")])
def test_blanks_and_line_ends_are_a_text(data, text):
    load = parse(data)
    assert (load.letters.tobytes(), load.alphabet) == (text, Alphabet.TEXT)


@pytest.mark.parametrize("data", [b">", b">\n", b">a\n>b\n", b">a\r\n \r\n"])
def test_i1_i2_nothing_to_read_is_refused(tmp_path, data):
    (tmp_path / "x.fa").write_bytes(data)
    with pytest.raises(InputError, match=r"x\.fa: no sequence in the file"):
        read(tmp_path / "x.fa")


@pytest.mark.parametrize(
    ("data", "lengths"),
    [
        (b">a\n>b\nAC\n", [0, 2]),
        (b">a\nAC\n>b\n>c\nG\n", [2, 0, 1]),
        (b">a\nAC\n>b\n", [2, 0]),
        (b">a\nAC\n>b", [2, 0]),
    ],
)
def test_i2_headers_without_sequence_load_with_a_warning(tmp_path, data, lengths):
    load = read_bytes(tmp_path, data)
    assert load.lengths.tolist() == lengths
    assert "1 record has no letters" in noticed(load)
    assert noticed(load.sequence(lengths.index(0))) == ("no letters",)


@pytest.mark.parametrize(
    ("data", "line"), [(b"hello\n>a\nAC\n", 1), (b"# c\n\nhello\n>a\nAC\n", 3), (b"ACGT\r\n>a\r\nAC\r\n", 1)]
)
def test_i4_text_before_the_first_header_is_refused_by_line(data, line):
    with pytest.raises(InputError, match="text before the first '>' line") as caught:
        parse(data)
    assert caught.value.line == line


@pytest.mark.parametrize("data", [b"# made by hand\n>a\nAC\n", b";old\n;style\n>a\nAC\n", b"\n#x\r\n\r\n>a\r\nAC"])
def test_i4_comments_before_the_first_header_are_told(tmp_path, data):
    load = read_bytes(tmp_path, data)
    assert records(load) == [("a", "", b"AC")]
    assert any("comment" in notice and "line 1" in notice for notice in noticed(load))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("final", [True, False])
def test_i5_line_ends_do_not_matter(tmp_path, end, final):
    lines = [b">a x y", b"ACGT", b"AC", b">b", b"GG", b"T"]
    load = read_bytes(tmp_path, end.join(lines) + (end if final else b""))
    assert records(load) == [("a", "x y", b"ACGTAC"), ("b", "", b"GGT")]


def test_i5_mixed_line_ends(tmp_path):
    load = read_bytes(tmp_path, b">a x\r\nAC\rGT\nA\n\r>b\rC\r\n\nG")
    assert records(load) == [("a", "x", b"ACGTA"), ("b", "", b"CG")]


def test_i6_utf8_marks_are_skipped_and_told(tmp_path):
    bom = b"\xef\xbb\xbf"
    load = read_bytes(tmp_path, bom + b">a\nAC\n" + bom + b">b\nG" + bom + b">c\nT\n")
    assert [r[2] for r in records(load)] == [b"AC", b"G", b"T"]
    assert "3 UTF-8 byte-order marks skipped" in noticed(load)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_i6_wide_encodings_are_decoded_and_told(tmp_path, encoding, mark):
    load = read_bytes(tmp_path, (mark + ">séq one\r\nACGT\r\nAC\r\n>b\r\nG").encode(encoding))
    assert records(load) == [("séq", "one", b"ACGTAC"), ("b", "", b"G")]
    assert f"decoded from {encoding.upper()}" in noticed(load)


def test_i7_a_zero_byte_is_refused_with_its_place():
    with pytest.raises(InputError, match="line 1, column 4: a zero byte"):
        parse(b">ab\0c\nAC\n")
    with pytest.raises(InputError, match="line 3, column 2: a zero byte"):
        parse(b">ab\nAC\nA\0C\n")


def test_i9_a_mark_inside_a_line_starts_a_record_and_is_told(tmp_path):
    load = read_bytes(tmp_path, b">a\nACGT\nAC>b two > three\nGG\n>c>d\nT\n")
    assert records(load) == [("a", "", b"ACGTAC"), ("b", "two > three", b"GG"), ("c>d", "", b"T")]
    assert any(notice.startswith("'>' inside line 3 taken as the start of a record") for notice in noticed(load))


def test_i9_an_indented_header_is_no_warning(tmp_path):
    load = read_bytes(tmp_path, b"  >a\n  AC\n  >b\n  GT\n")
    assert records(load) == [("a", "", b"AC"), ("b", "", b"GT")]
    assert not any("inside line" in notice for notice in noticed(load))


def test_i10_white_space_is_dropped_and_counted(tmp_path):
    load = read_bytes(tmp_path, b"\n\n>a\nAC GT\t\n\n\nA\vC\f\nG \n\n>b\n\nT\n\n")
    assert [r[2] for r in records(load)] == [b"ACGTACG", b"T"]
    assert "5 blanks and tabs inside the sequences dropped" in noticed(load)
    assert "7 blank lines dropped" in noticed(load)


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ("\u00a0", "U\\+00A0 NO-BREAK SPACE"),
        ("\u200b", "U\\+200B ZERO WIDTH SPACE"),
        ("\u2028", "U\\+2028 LINE SEPARATOR"),
        ("\u00e9", "U\\+00E9 LATIN SMALL LETTER E WITH ACUTE"),
        ("\U0001f9ec", "U\\+1F9EC DNA DOUBLE HELIX"),
        ("\ufeff", "U\\+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("=", "the character '='"),
        ("\x1b", r"the character '\\x1b'"),
        ("7", "digits are not letters"),
    ],
)
@pytest.mark.parametrize("cut", [1, 2, 3, 5, 1000])
def test_i11_other_characters_are_refused_with_place_and_code_point(bad, found, cut):
    data = f">a\nAC\n>b two\nACGT\nAC{bad}GT\n".encode()
    with pytest.raises(InputError, match=found) as caught:
        load_pieces(data[i : i + cut] for i in range(0, len(data), cut))
    assert (caught.value.line, caught.value.column, caught.value.record) == (5, 3, (2, "b"))


def test_i12_letters_are_kept_as_they_are(tmp_path):
    letters = b"ACGTNRYSWKMBDHVacgtnUu*"
    sequence = read_bytes(tmp_path, b">a\n" + letters + b"\n").sequence(0)
    assert sequence.letters.tobytes() == letters
    assert noticed(sequence) == (
        "1 stop '*' kept as a letter",
        "6 lower-case letters kept (soft mask)",
        "both T and U occur",
    )
    assert int(sequence.counts.sum()) == len(letters)


@pytest.mark.parametrize("cut", [1, 4, 100])
def test_gaps_of_an_alignment_are_dropped_with_a_notice(cut):
    data = b">a\nAC--GT\n.T\n>all\n-.-\n>b\nA\n"
    load = load_pieces(data[i : i + cut] for i in range(0, len(data), cut))
    assert [one[2] for one in records(load)] == [b"ACGTT", b"", b"A"]
    assert "6 gap characters '-' and '.' of an alignment dropped: places are those of the letters" in noticed(load)
    assert [int(load.sequence(k).counts.sum()) for k in range(3)] == [5, 0, 1]
    assert noticed(parse("AC-GT"))[-1].startswith("1 gap character '-' of an alignment dropped")
    assert parse("AC-GT", read_as=ReadAs.TEXT).letters.tobytes() == b"AC-GT"
    assert noticed(parse("@a\nA-\n+\nII\n").sequence(0)) == ("1 gap character '-' kept as a letter",)
    with pytest.raises(InputError, match="no sequence in the file"):
        parse(">a\n--\n>b\n..")


@pytest.mark.parametrize(
    ("letters", "alphabet"),
    [
        (b"ACGTACGTAN", Alphabet.DNA),
        (b"acgt--acgt", Alphabet.DNA),
        (b"ACGUACGU", Alphabet.RNA),
        (b"ACGUACGT", Alphabet.DNA),
        (b"NNNN", Alphabet.DNA),
        (b"MKVLAAGIVGLLLAQWERTY*", Alphabet.PROTEIN),
        (b"RYSWKM", Alphabet.PROTEIN),
        (b"acgtACGTNNRYKMACGTAC", Alphabet.DNA),
        (b"ACRY", Alphabet.DNA),
        (b"ACRYK", Alphabet.PROTEIN),
        (b"NNNNNNRYK", Alphabet.PROTEIN),
    ],
)
def test_alphabet_of_a_record(letters, alphabet):
    assert parse(b">a\n" + letters).sequence(0).alphabet is alphabet


@pytest.mark.parametrize(
    "header",
    [b"<img src=file:///etc/passwd>", b"\x1b[31mred", b"../../etc/x", "\u202eabc".encode(), b'=HYPERLINK("x")'],
)
def test_i13_hostile_headers_are_kept_as_text(tmp_path, header):
    load = read_bytes(tmp_path, b">" + header + b"\nAC\n")
    assert f"{load.name(0)} {load.description(0)}".strip() == header.decode()


def test_i13_duplicate_and_empty_names_load_and_are_told(tmp_path):
    load = read_bytes(tmp_path, b">a 1\nA\n>a 2\nC\n>\nG\n> b\nT\n>a\nT\n")
    assert [load.name(k) for k in range(5)] == ["a", "a", "record 3", "b", "a"]
    assert "2 records have a name that occurred before" in noticed(load)
    assert "1 record has no name" in noticed(load)
    assert load.named("a").tolist() == [0, 1, 4]


def test_i13_a_nameless_single_record_is_called_by_the_file(tmp_path):
    assert read_bytes(tmp_path, b">\nAC\n", "my genome.fa").name(0) == "my genome"


def test_i13_a_header_of_a_megabyte(tmp_path):
    header = b"x" * (3 << 20) + b" tail"
    load = read_bytes(tmp_path, b">" + header + b"\nAC\n>b\nG\n")
    assert len(load.name(0)) == 3 << 20
    assert records(load)[1] == ("b", "", b"G")


def test_i13_an_undecodable_header_is_shown_escaped():
    load = parse(b">caf\xe9 d\xff\nAC\n")
    assert (load.name(0), load.description(0)) == ("caf\\xe9", "d\\xff")


def test_find_ignores_case_and_never_crosses_records():
    load = parse(b">Alpha one\nA\n>beta ONE\nC\n>one one\nG\n>x\nT\n")
    assert load.find("one").tolist() == [0, 1, 2]
    assert load.find("onebeta").tolist() == []
    assert load.find("").tolist() == [0, 1, 2, 3]
    assert load.named("one").tolist() == [2]


def test_sequences_are_read_only_views_of_one_buffer():
    load = parse(b">a\nACGT\n>b\nGG\n")
    first, second = load.sequence(0).letters, load.sequence(1).letters
    assert np.shares_memory(first, load.letters)
    assert np.shares_memory(second, load.letters)
    assert first.base is not None
    with pytest.raises(ValueError, match=r"read-only|WRITEABLE"):
        first[0] = 0
    with pytest.raises(ValueError, match=r"read-only|WRITEABLE"):
        first.setflags(write=True)
    with pytest.raises(IndexError):
        load.sequence(2)


@pytest.mark.parametrize(
    ("name", "length", "md5"),
    [("mt_human_NC_012920.1.fa", 16_569, "c68f52674c9fb33aef52dcf399755519"), ("mt_orangutan.fa", 16_499, "")],
)
def test_the_demo_sequences_have_their_known_letters(name, length, md5):
    sequence = read(DEMO / name).sequence(0)
    assert (len(sequence), sequence.alphabet) == (length, Alphabet.DNA)
    assert hashlib.md5(sequence.letters.tobytes()).hexdigest() == (md5 or "0ceb5bc78413db073d71a35dee013b32")


_LINE = st.one_of(
    st.text("ACGTacgt", max_size=9).map(str.encode),
    st.sampled_from(
        [b"", b" ", b"\t", b"AC GT", b">", b">a", b">a b c", b">b>c", b"AC>d e", b"\x0b\x0c", b">\xc3\xa9 x"]
    ),
)
_FILE = st.lists(st.tuples(_LINE, st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n"])), max_size=20).map(
    lambda lines: b">first\nAC\n" + b"".join(line + end for line, end in lines)
)


@given(data=_FILE, cuts=st.lists(st.integers(0, 60), max_size=6))
def test_any_pieces_give_what_the_slow_reader_gives(data, cuts):
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fasta, "KEEP_COUNTS_FROM", 1)  # or only records of genome size were counted while read
        load = load_pieces(data[i:j] for i, j in pairwise(edges))
    assert (load.n_records - 1 in load.counts) == bool(load.lengths[-1])
    expected = slow_fasta(data)
    found = records(load)
    assert [r[1:] for r in found] == [r[1:] for r in expected]
    assert [name for name, _, _ in found] == [r[0] or f"record {k + 1}" for k, r in enumerate(expected)]
    for k, (_, _, letters) in enumerate(expected):
        assert load.sequence(k).counts.tolist() == np.bincount(np.frombuffer(letters, np.uint8), minlength=256).tolist()
