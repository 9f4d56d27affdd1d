"""Files of alignments: parts of sequences in a MAF, notes on costs, pipes and binary data."""

import gzip
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wavediff
from tests.core.reading.test_alignments import GOOD, ROWS, A, B, clustal, maf, read_text, refused, sequence
from wavediff.core.base.errors import InputError, WavediffError
from wavediff.core.reading.alignments import is_alignment, read_alignments

BLOCK = "##maf\na score=1\ns hum.chr1 5 8 + 100 ACGT-ACGT\ns mus.chr2 3 9 {} 50 ACGTTACGT\n"


@pytest.mark.parametrize(("strand", "name"), [("-", "mus.chr2:39-47(-)"), ("+", "mus.chr2:4-12")])
def test_parts_of_sequences_have_their_places_in_their_names(tmp_path, strand, name):
    (record,) = read_text(tmp_path, BLOCK.format(strand))
    assert record.text == f"hum.chr1 6-13 with {name.replace(':', ' ').replace('(', ' (')}"
    answer = wavediff.compare(alignment=tmp_path / "given.x")
    assert (answer.a.name, answer.b.name) == ("hum.chr1:6-13", name)
    assert answer.comparison.given.names == ("hum.chr1:6-13", name)
    assert answer.to("paf").decode().split("\t")[:9] == [name, "9", "0", "9", "+", "hum.chr1:6-13", "8", "0", "8"]


def test_a_row_of_maf_ends_in_its_sequence(tmp_path):
    for wrong, size in (("5 8 + 10", 10), ("5 8 + 12", 12)):
        said = f"ends at letter 13; its sequence has {size}"
        refused(tmp_path, BLOCK.format("-").replace("5 8 + 100", wrong), "line 3", said)
    refused(tmp_path, BLOCK.format("-").replace("5 8 +", "5 7 +"), "line 3", "8 letters; its size is 7")
    refused(tmp_path, BLOCK.format("-").replace(" 50 ", " 11 "), "line 4", "ends at letter 12")
    assert read_text(tmp_path, BLOCK.format("-").replace("5 8 + 100", "5 8 + 13"))


def test_any_two_rows_of_a_block_of_maf(tmp_path):
    rows = "s x 0 4 + 4 AC-GT\ns y 2 4 {} 9 ACG-T\ns z 1 5 {} 9 ACGGT\n"
    for strands, expected in (("++", 3), ("+-", 3), ("-+", 3), ("--", 2)):
        found = read_text(tmp_path, "##maf\na\n" + rows.format(*strands))
        assert len(found) == expected
        assert not any(
            one.names[0] == name for one in found for name, sign in zip("yz", strands, strict=True) if sign == "-"
        )


def test_the_content_says_what_is_an_alignment(tmp_path):
    one, other = ROWS
    bam = Path(__file__).parents[2] / "fuzz/corpus/alignment/own.bam"
    texts = [f">a\n{one}\n>b\n{other}\n", clustal(one, other), maf(one, other), GOOD, bam.read_bytes()]
    texts.append("@SQ\tSN:a\tLN:44\nb\t0\ta\t1\t60\t44M\t*\t0\t0\t*\t*\n")
    path = tmp_path / "given"
    for text in (each if isinstance(each, bytes) else each.encode() for each in texts):
        for data in (text, gzip.compress(text)):
            path.write_bytes(data)
            assert is_alignment(path), text
    for text in ("", f">a\n{A}\n>b\n{A}\n", f">a\n{one}\n>b\n{other}T\n", f">a\n{one}\n", "A\tB\n", f">a-b\n{A}\n" * 2):
        path.write_text(text)
        assert not is_alignment(path), text
    assert not is_alignment(tmp_path)
    assert not is_alignment(tmp_path / "none")


PARTS = (
    "a",
    "s",
    "A",
    "-",
    "+",
    "*",
    "0",
    "1",
    "b2",
    "4M",
    "CLUSTAL",
    "MUSCLE",
    "track",
    "@HD",
    "@CO",
    " ",
    "\t",
    "\n",
)


def reads(path):
    try:
        return bool(read_alignments(path))
    except WavediffError:
        return False


@given(st.text("aAsb01\t\n", max_size=12) | st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
@example("a\nb\nc\n")
@example("a")
@example("a score=1\n")
@example("a\ns b\ns c\n")
@example("a\ns one 1 2 words 3 four\n")
@example("track of a train\na\n")
@example("CLUSTAL")
@example("CLUSTAL is a program\n\nfirst row\nsecond line\n")
@example("Kalign 3\n\nname ACGT\n")
@example("@HD\n")
@example("@HD\tfirst read\nACGT\n+\nIIII\n")
@example("@CO\ta comment\n")
@example("\t".join("abcdefghijkl") + "\n")
@example("\t".join(map(str, range(12))) + "\n")
@example("a\t1\tb\t2\t3\tc\td\te\tf\tg\th\n")
@example("q\t1\t2\t3\t+\tt\t4\t5\t6\t7\t8\t9\n")
def test_a_text_is_no_alignment_unless_one_is_read_in_it(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "text"
    path.write_text(text, newline="")
    assert not is_alignment(path) or reads(path)


def test_long_tags_of_paf_hold_both_sequences(tmp_path):
    """Those of ``minimap2 --cs=long``; letters that differ are in lower case there."""
    tag = "cs:Z:=ACGTAC*ga=TT+gg=AC-t"
    (tmp_path / "x.paf").write_text(f"q\t30\t5\t18\t+\tt\t40\t10\t22\t10\t13\t60\t{tag}\n")
    answer = wavediff.compare(alignment=tmp_path / "x.paf")
    assert [bytes(one.letters).decode() for one in (answer.a, answer.b)] == ["ACGTACGTTACT", "ACGTACATTGGAC"]
    assert [one.name for one in (answer.a, answer.b)] == ["t:11-22", "q:6-18"]


@pytest.mark.parametrize("letter", ["N", "T"])
def test_costs_that_count_codes_as_letters_are_told(tmp_path, letter):
    """The answer counts columns with N apart: it has one edit less than the costs."""
    b = f"ACGTTACG{letter}CCATGA"
    (tmp_path / "x.afa").write_text(f">a\nACGTTACGACCTTGA\n>b\n{b}\n")
    answer = wavediff.compare(alignment=tmp_path / "x.afa")
    (line,) = (line for line in str(answer).splitlines() if line.startswith("Theirs"))
    assert ("codes such as N count as letters in these costs" in line) == (letter == "N")
    assert json.loads(answer.to_json())["given"]["costs"][0]["ours"] == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes of POSIX")
def test_a_bam_through_a_pipe_and_what_is_wrong_with_it(tmp_path):
    pysam = pytest.importorskip("pysam", reason="there is none for Windows")
    answer = wavediff.compare(sequence(A, "a"), sequence(B, "b"))
    (tmp_path / "x.sam").write_bytes(answer.to("sam"))
    sam, bam = str(tmp_path / "x.sam"), str(tmp_path / "x.bam")
    with pysam.AlignmentFile(sam) as source, pysam.AlignmentFile(bam, "wb", template=source) as file:
        for record in source:
            file.write(record)
    data, pipe = (tmp_path / "x.bam").read_bytes(), tmp_path / "pipe"
    os.mkfifo(pipe)

    def read(sent):
        with ThreadPoolExecutor(1) as writer:
            written = writer.submit(pipe.write_bytes, sent)
            try:
                return read_alignments(pipe, ("a", "b"))
            finally:
                written.result()

    (record,) = read(data)
    assert (record.names, record.source) == (("a", "b"), str(pipe))
    for sent in (b"GATTACA", data[:60]):
        with pytest.raises(InputError, match=re.escape(f"{pipe}: ")):
            read(sent)


@pytest.mark.parametrize("data", [b"\x00\x01\x02\x03", b"GAT\x00TACA", b"\xf3\x9a\x07\xe1\n\x88"])
def test_of_binary_data_the_formats_are_named(tmp_path, data):
    with pytest.raises(InputError, match=r"PAF with cg:Z or cs:Z, SAM, BAM, aligned FASTA, CLUSTAL and MAF are read"):
        read_text(tmp_path, data)
