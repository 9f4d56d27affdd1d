"""FASTQ: row I25."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.reading import parse
from tests.core.reading.tools import load_pieces, read_bytes, records

GOOD = b"@r1 one two\nACGT\n+\nIIII\n@r2\nAC\n+r2\n@+\n@r3\nNNN\n+\n>>>\n"
EXPECTED = [("r1", "one two", b"ACGT"), ("r2", "", b"AC"), ("r3", "", b"NNN")]


@pytest.mark.parametrize(
    "data",
    [GOOD, GOOD[:-1], GOOD.replace(b"\n", b"\r\n"), GOOD.replace(b"\n", b"\r"), b"\n\n" + GOOD + b"\n\n\n"],
)
def test_i25_good_files(tmp_path: Path, data: bytes) -> None:
    load = read_bytes(tmp_path, data, "x.fq")
    assert load.format == "FASTQ"
    assert records(load) == EXPECTED
    assert "FASTQ: base qualities are not used" in load.notices


@pytest.mark.parametrize("cut", [1, 2, 3, 7, 11])
def test_i25_pieces_do_not_matter(cut: int) -> None:
    data = b"\n" + GOOD * 50 + b"\n\n"
    load = load_pieces((data[i : i + cut] for i in range(0, len(data), cut)), head=20)
    assert records(load) == EXPECTED * 50


def test_i25_empty_records_at_any_place(tmp_path: Path) -> None:
    load = read_bytes(tmp_path, b"@a\n\n+\n\n" + GOOD + b"@z\n\n+\n\n")
    assert [r[2] for r in records(load)] == [b"", b"ACGT", b"AC", b"NNN", b""]
    assert "2 records have no letters" in load.notices


def test_i25_cut_off_at_every_place_is_refused_with_its_record() -> None:
    first, second = GOOD.index(b"@r2"), GOOD.index(b"@r3")
    for n in range(1, len(GOOD) - 1):
        if n in (first - 1, first, second - 1, second):
            continue  # whole records, with or without the last line end
        with pytest.raises(InputError, match=r"FASTQ") as caught:
            parse(GOOD[:n])
        assert caught.value.record is not None, n
        assert caught.value.record[0] == 1 + (n > first) + (n > second), n


@pytest.mark.parametrize(
    ("data", "record", "line"),
    [
        (b"@a\nACGT\n+\nIII\n", 1, 4),
        (b"@a\nA\n+\nI\n@b\nACGT\n+\nIIIII\n", 2, 8),
        (b"\n@a\nA\n+\nI\n@b\nACGT\nIIII\n+\n", 2, 8),
        (b"@a\nA\n+\nI\n>b\nACGT\n+\nIIII\n", 2, 5),
        (b"@a\nACGT\nAC\n+\nIIIIII\n", 1, 3),
    ],
)
def test_i25_damaged_records_are_named(data: bytes, record: int, line: int) -> None:
    with pytest.raises(InputError, match="FASTQ") as caught:
        parse(data)
    assert caught.value.record is not None
    assert (caught.value.record[0], caught.value.line) == (record, line)


def test_i25_letters_are_checked_as_in_fasta() -> None:
    with pytest.raises(InputError, match=r"record 2 'b', line 6, column 3: the character '!'"):
        parse(b"@a\nA\n+\nI\n@b x\nAC!T\n+\nIIII\n")
    with pytest.raises(InputError, match="FASTQ"):
        parse("@a\nAé\n+\nIII\n".encode())
    with pytest.raises(InputError, match="no sequence in the file"):
        parse(b"@a\n\n+\n\n")


def test_a_text_that_starts_with_an_at_is_no_fastq() -> None:
    load = parse(b"@dataclass\nclass A:\n    x: int\n")
    assert load.format == "plain"
