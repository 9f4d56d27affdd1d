"""Other formats are refused by name, whatever the file is called; counting and collecting bytes."""

import gzip
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.reading.test_compressed import bgzf
from tests.core.reading.tools import records
from wavediff.core.base.arrays import freeze
from wavediff.core.base.errors import InputError
from wavediff.core.export import batch, tsv
from wavediff.core.reading import parse, read
from wavediff.core.reading.letters import BUFFER_BYTES, Counter, LetterBuffer, freeze_base


def _png():
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


_TAR = bytes(257) + b"ustar\x0000" + bytes(248)
FOREIGN = {
    "a PNG picture": _png(),
    "a JPEG picture": b"\xff\xd8\xff\xe0\x00\x10JFIF\0" + bytes(50),
    "a GIF picture": b"GIF89a" + bytes(50),
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "a BAM file": bgzf(b"BAM\1" + struct.pack("<I", 0) + bytes(40)),
    "a CRAM file": b"CRAM\x03\x00" + bytes(50),
    "a 2bit file": struct.pack("<IIII", 0x1A412743, 0, 1, 0) + b"\x04chr1",
    "a 2bit file ": struct.pack(">IIII", 0x1A412743, 0, 1, 0) + b"\x04chr1",
    "an ELF program": b"\x7fELF\x02\x01\x01" + bytes(50),
    "a Windows program": b"MZ\x90\0\x03\0\0\0" + bytes(500),
    "a tar archive": _TAR,
    "a tar archive ": gzip.compress(_TAR),
    "an SQLite database": b"SQLite format 3\0" + bytes(90),
    "Clustal format": b"CLUSTAL W (1.83) multiple sequence alignment\n\n\na  ACGT\nb  AC-T\n",
    "Nexus format": b"#NEXUS\nbegin data;\n",
    "Stockholm format": b"# STOCKHOLM 1.0\na ACGT\n//\n",
    "VCF": b"##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n",
    "a pairwise alignment as EMBOSS": b"########################################\n# Program: needle\n",
    "JSON of Wavediff": b'{\n  "schema": "wavediff/comparison",\n  "schema_version": 1\n}\n',
    "a timeline of Wavediff": b'{"displayTimeUnit": "ms", "otherData": {"schema": "wavediff/trace"}}',
    "a table of Wavediff": "\t".join(tsv.HEADER).encode() + b"\n1\tX\t1\t5\t6\t5\t6\tA\tC\n",
    "a table of Wavediff ": "\t".join(tsv.LOCI_HEADER).encode() + b"\n",
    "a table of Wavediff  ": "\t".join(batch.HEADER).encode() + b"\n",
    "SAM": b"@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:1000\n",
    "SAM ": b"r1\t0\tchr1\t7\t60\t4M\t*\t0\t0\tACGT\tIIII\n",
    "GFF or GTF, features": b"##gff-version 3\nchr1\tx\tgene\t1\t100\t.\t+\t.\tID=a\n",
    "GFF or GTF": b'#!genome-build x\nchr1\tx\tgene\t1\t100\t.\t+\t.\tgene_id "a"\n',
    "PIR/NBRF format": b">P1;CRAB_ANAPL\nALPHA CRYSTALLIN B CHAIN\n  MDITIHNPLI RRPLF*\n",
    "an HTML page": b"<!DOCTYPE html>\n<html><body>404</body></html>",
    "an XML document": b'<?xml version="1.0"?>\n<a/>',
}


@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize("name", ["x.fa", "x.bin"])
def test_i7_i8_i26_refused_by_the_name_of_the_format(tmp_path, what, name):
    (tmp_path / name).write_bytes(FOREIGN[what])
    with pytest.raises(InputError, match=f"{name}: this is {what.strip()}"):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b">a\nAC\n;note\nGT\n", r"record 1 'a', line 3, column 1: the character ';'"),
        (">a\nACGT".encode("utf-16") + b"\x00\xd8", "looks like UTF-16-LE but cannot be decoded"),
        (b"what\n?\0\1\2", "line 2, column 2: a zero byte: not a text file"),
        (FOREIGN["Clustal format"].decode().encode("utf-16"), "this is Clustal format"),
        (b">r1 x\n40 40 38 12\n40 9\n>r2\n1 2\n", r"record 1 'r1', line 2, column 1: the digit '4'.*a QUAL file"),
        (b">r1\nacgtacgt\n        61 acgtacgt acgt\n", "line 3, column 9: the digit '6'.*lines numbered as in GenBank"),
        (b">a\nA\xffC\n", "line 2, column 2: the byte 0xFF, which is no UTF-8"),
    ],
    ids=["i4 comment", "i6 utf-16", "i7 binary", "i8 utf-16", "i8 qualities", "i8 i12 GenBank", "i11 utf-8"],
)
def test_it_is_refused_with_its_place(data, says):
    with pytest.raises(InputError, match=says):
        parse(data)


@pytest.mark.parametrize("data", [b"MZACGTIDLVKMZ", b"CRAMKLV", b"IDEAL", b"BAMBI", b"ABIFEL", b"PARTY"])
def test_letters_that_look_like_a_mark_are_no_other_format(data):
    assert records(parse(data))[0][2] == data
    assert records(parse(b">a\n" + data))[0][2] == data


@given(parts=st.lists(st.tuples(st.binary(min_size=1, max_size=8), st.integers(0, 20_000)), max_size=6))
def test_counts_are_exact_whatever_came_before(parts):
    counter = Counter()
    for unit, times in parts:
        data = unit * times
        expected = np.bincount(np.frombuffer(data, np.uint8), minlength=256)
        assert counter.count(data).tolist() == expected.tolist()


@pytest.mark.parametrize("size", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1_000_003])
def test_long_pieces_are_counted_in_pairs(size):
    data = np.random.default_rng(3).integers(0, 256, size, dtype=np.uint8)
    assert Counter().count(data).tolist() == np.bincount(data, minlength=256).tolist()


@given(capacity=st.integers(0, 50), parts=st.lists(st.binary(max_size=30), max_size=10))
def test_a_buffer_returns_what_was_appended(capacity, parts):
    buffer = LetterBuffer(capacity)
    for part in parts:
        buffer.append(part)
    assert buffer.size == sum(map(len, parts))
    assert buffer.assemble().tobytes() == b"".join(parts)
    assert buffer.size == 0


def test_a_buffer_that_fits_is_never_copied():
    buffer = LetterBuffer(10)
    buffer.append(b"ACGTACGT")
    letters = freeze_base(buffer.assemble())
    assert freeze(letters) is letters
    assert not letters.flags.writeable


def test_chunks_are_joined_in_order():
    buffer = LetterBuffer(3)
    piece = bytes(range(256)) * 4096
    n = 2 * BUFFER_BYTES // len(piece)
    for _ in range(n):
        buffer.append(piece)
    assert buffer.assemble().tobytes() == piece * n
