"""FASTQ: letters are read, qualities checked, the low ones spans."""

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.reading.tools import load_pieces, noticed, read_bytes, records
from wavediff.core.base.errors import InputError
from wavediff.core.reading import parse
from wavediff.core.sequences.read_as import ReadAs

GOOD = b"@r1 one two\nACGT\n+\nIIII\n@r2\nAC\n+r2\n@+\n@r3\nNNN\n+\n>>>\n"
EXPECTED = [("r1", "one two", b"ACGT"), ("r2", "", b"AC"), ("r3", "", b"NNN")]


@pytest.mark.parametrize(
    "data", [GOOD, GOOD[:-1], GOOD.replace(b"\n", b"\r\n"), GOOD.replace(b"\n", b"\r"), b"\n\n" + GOOD + b"\n\n\n"]
)
def test_i25_good_files(tmp_path, data):
    load = read_bytes(tmp_path, data, "x.fq")
    assert load.format == "FASTQ"
    assert records(load) == EXPECTED
    assert "FASTQ: base qualities are not compared" in noticed(load)


@pytest.mark.parametrize("cut", [1, 2, 3, 7, 11])
def test_i25_pieces_do_not_matter(cut):
    data = b"\n" + GOOD * 50 + b"\n\n"
    load = load_pieces((data[i : i + cut] for i in range(0, len(data), cut)), head=20)
    assert records(load) == EXPECTED * 50


def test_i25_empty_records_at_any_place(tmp_path):
    load = read_bytes(tmp_path, b"@a\n\n+\n\n" + GOOD + b"@z\n\n+\n\n")
    assert [r[2] for r in records(load)] == [b"", b"ACGT", b"AC", b"NNN", b""]
    assert "2 records have no letters" in noticed(load)


def test_i25_cut_off_at_every_place_is_refused_with_its_record():
    first, second = GOOD.index(b"@r2"), GOOD.index(b"@r3")
    for n in range(1, len(GOOD) - 1):
        if n in (first - 1, first, second - 1, second):
            continue  # whole records, with or without the last line end
        with pytest.raises(InputError, match=r"FASTQ") as caught:
            parse(GOOD[:n])
        assert caught.value.record is not None, n
        assert caught.value.record[0] == 1 + (n > first) + (n > second), n


def wrapped(text, width):
    return b"".join(text[k : k + width] + b"\n" for k in range(0, len(text), width)) or b"\n"


@given(
    st.lists(
        st.tuples(
            st.from_regex(r"\A[A-Z]*\Z").map(str.encode),
            st.integers(1, 5),
            st.integers(1, 5),
            st.sampled_from(["", "r", "x"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.integers(1, 40),
    st.sampled_from([b"@", b"+", b"I"]),
    st.booleans(),
)
@example([(b"ACGTACGT", 3, 3, "")], 5, b"@", True)
@example([(b"A", 1, 1, "x")], 1, b"@", False)
@example([(b"AAA", 2, 3, ""), (b"", 1, 1, "")], 1, b"@", False)
def test_records_of_several_lines_are_joined(drawn, cut, quality, end):
    data, expected = b"", []
    for k, (letters, width, other_width, plus) in enumerate(drawn):
        again = {"": b"", "r": b"r%d" % k, "x": b"x"}[plus]
        data += b"@r%d\n%s+%s\n%s" % (k, wrapped(letters, width), again, wrapped(quality * len(letters), other_width))
        expected.append((f"r{k}", "", letters))
    data = data if end or not drawn[-1][0] else data[:-1]
    if not any(letters for letters, *_ in drawn):
        return
    load = load_pieces((data[i : i + cut] for i in range(0, len(data), cut)), head=min(20, len(data)))
    assert records(load) == expected
    joined = sum(len(letters) > min(width, other) for letters, width, other, _ in drawn)
    assert [one for one in noticed(load) if "joined" in one] == (
        [f"FASTQ: {joined} record{'s have' if joined > 1 else ' has'} more than four lines, which were joined"]
        if joined
        else []
    )
    renamed = sum(plus == "x" for *_, plus in drawn)
    assert any(f"{renamed} record" in one and "'+'" in one for one in noticed(load)) == bool(renamed)


@pytest.mark.parametrize(
    ("data", "record", "line"),
    [
        (b"@a\nACGT\n+\nIII\n", 1, 4),
        (b"@a\nA\n+\nI\n@b\nACGT\n+\nIIIII\n", 2, 8),
        (b"\n@a\nA\n+\nI\n@b\nACGT\nIIII\n+\n", 2, 8),
        (b"@a\nA\n+\nI\n>b\nACGT\n+\nIIII\n", 2, 5),
        (b"@a\nACGT\nAC\n+\nIIIII\n", 1, 3),
        (b"@a\nACGT\nAC\n+\nIIII\nII\n@b\nAC\n+\nI\n", 2, 10),
        (b"@a\nACGT\nAC\n+\nIIII\nII\n@b\nAC\nA!\n+\nIIII\n", 2, 9),
    ],
)
def test_i25_damaged_records_are_named(data, record, line):
    with pytest.raises(InputError, match="FASTQ") as caught:
        parse(data)
    assert (caught.value.record[0], caught.value.line) == (record, line)


def test_i25_letters_are_checked_as_in_fasta():
    with pytest.raises(InputError, match=r"record 2 'b', line 6, column 3: the character '!'"):
        parse(b"@a\nA\n+\nI\n@b x\nAC!T\n+\nIIII\n")
    with pytest.raises(InputError, match="FASTQ"):
        parse("@a\nAé\n+\nIII\n".encode())
    with pytest.raises(InputError, match="no sequence in the file"):
        parse(b"@a\n\n+\n\n")


def test_a_text_that_starts_with_an_at_is_no_fastq():
    load = parse(b"@dataclass\nclass A:\n    x: int\n")
    assert load.format == "plain"


@pytest.mark.parametrize("byte", [b"\x7f", b"\x1b", b" ", b"\t", b"\x1f", b"\x0b"])
def test_a_byte_that_is_no_quality_is_a_damaged_file(byte):
    with pytest.raises(InputError, match=f"the byte 0x{byte[0]:02X} in the qualities") as caught:
        parse(b"@a\nACGT\n+\nIIII\n@b x\nACGT\n+\nII" + byte + b"I\n")
    assert (caught.value.record, caught.value.line, caught.value.column) == ((2, "b"), 8, 3)


def test_every_quality_there_is_can_be_read():
    qualities = bytes(range(33, 127))
    assert parse(b"@a\n" + b"A" * 94 + b"\n+\n" + qualities + b"\n").n_records == 1


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"@a b\nc d\nACGT\n+\nIIII\n", 3),
        (b"@a\n\nACGT\n+\nIIII\n", 3),
        (b"@a\n   \nACGT\n+\nIIII\n", 3),
        (b"@a\n \t AC 12\n \t +\n \t IIII\n", 3),
        (b"\t @a\n\t ACGT\n\t +\n\t 1234\n", 1),
        (b"@a\n+\nIIII\n@b\nACGT\n+\nIIII\n", 3),
        (b"seq1 desc1\nACGT\n+\n1234\n", 1),
    ],
)
def test_nearly_fastq_is_refused_and_no_text(data, line):
    with pytest.raises(InputError, match="FASTQ record") as caught:
        parse(data)
    assert (caught.value.record[0], caught.value.line) == (1, line)
    assert caught.value.instead == "text"
    assert parse(data, read_as=ReadAs.TEXT).letters.tobytes() == data[:-1]


@given(
    st.lists(
        st.tuples(
            st.text("ACGTN", max_size=8),
            st.text("@+!I~", max_size=8),
            st.sampled_from("@@@@@>"),
            st.sampled_from("++++-"),
        ),
        min_size=1,
        max_size=5,
    ),
    st.integers(1, 40),
)
@example([("", "", "@", "-"), ("A", "", "@", "+")], 1)
def test_the_same_records_as_dnaio(drawn, cut):
    """Both read the same records, or neither reads FASTQ: a first record of no letters and no '+' begins a text."""
    dnaio = pytest.importorskip("dnaio")
    data = "".join(
        f"{at}r{k} x\n{letters}\n{plus}\n{(signs * len(letters))[: len(letters) + (signs == '~')]}\n"
        for k, (letters, signs, at, plus) in enumerate(drawn)
    ).encode()
    if not data.startswith(b"@") or not any(letters for letters, *_ in drawn):
        return
    try:
        expected = [(one.name.split()[0], "x", one.sequence.encode()) for one in dnaio.FastqReader(io.BytesIO(data))]
    except dnaio.FileFormatError:
        expected = None
    try:
        load = load_pieces((data[i : i + cut] for i in range(0, len(data), cut)), head=20)
        found = records(load)
        joined = any("joined" in one for one in noticed(load))
    except InputError:
        found, joined = None, False
    begins_a_text = drawn[0][0] == "" and drawn[0][3] == "-" and found is not None and load.format == "plain"
    assert found == expected or (expected is None and (joined or begins_a_text))
