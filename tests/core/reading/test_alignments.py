"""Alignments made elsewhere: every format against Biopython and our own exports, and what is said of wrong ones."""

import gzip
import io
import json
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from Bio.Align import Alignment as BioAlignment
from Bio.Align import PairwiseAligner
from Bio.Align import parse as bio_parse
from Bio.Align import write as bio_write
from Bio.Seq import Seq
from Bio.SeqRecord import SeqRecord
from hypothesis import given, settings
from hypothesis import strategies as st

import wavediff
from tests.oracles.edit import distance as edit_distance
from wavediff.core.base.errors import InputError, WavediffError
from wavediff.core.jobs.given_alignment import checked, of_pair
from wavediff.core.reading.alignments import own_pair, read_alignments
from wavediff.core.run.api.reading import sequence_of
from wavediff.core.sequences.common_characters import with_common_characters
from wavediff.core.sequences.orientation import Orientation, Strand, reverse_complement

A = "ACGTACGTTAGCTAGGCTTACGATCGATCGGATTACAGATTACA"
B = "ACGTACGTAGCTAGGCTTTACGATCGACGGATTACCAGATTACA"
RNG = np.random.default_rng(46)


def sequence(letters, name):
    return sequence_of(SeqRecord(Seq(letters), id=name), name)


def letters(n):
    return bytes(RNG.choice(list(b"ACGT"), n).astype(np.uint8)).decode()


def changed(text, n_changes):
    found = list(text)
    for _ in range(n_changes):
        at = int(RNG.integers(len(found)))
        found[at : at + 1] = RNG.choice(["", "A", "CG", "TTTA"])
    return "".join(found)


def read_text(tmp_path, text, names=None, ending="x"):
    path = tmp_path / f"given.{ending}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_alignments(path, names)


def cigar_of(tmp_path, text, a=A, b=B, strand=Strand.PLUS, fold_case=True):
    """CIGAR of the alignment that a file of one record gives, overhang and all."""
    one, other = with_common_characters(sequence(a, "a"), sequence(b, "b").oriented(Orientation(strand)))
    records = of_pair(read_text(tmp_path, text), ("a", "b"))
    return checked(records, one, other, fold_case=fold_case).alignment.cigar()


def refused(tmp_path, text, *words, a=A, b=B):
    with pytest.raises(InputError) as error:
        cigar_of(tmp_path, text, a, b)
    said = str(error.value)
    assert "\n" not in said
    for word in (str(tmp_path / "given.x"), *words):
        assert word in said, said


def rows_of(cigar, a, b):
    """Gapped rows, letter by letter."""
    one, other, i, j = "", "", 0, 0
    for n, op in re.findall(r"(\d+)([=XID])", cigar):
        for _ in range(int(n)):
            one, i = (one + a[i], i + 1) if op != "I" else (one + "-", i)
            other, j = (other + b[j], j + 1) if op != "D" else (other + "-", j)
    return one, other


def clustal(one, other, wide=20, counted=False):
    lines = ["CLUSTAL O(1.2.4) multiple sequence alignment", "", ""]
    ends = [0, 0]
    for at in range(0, len(one), wide):
        for k, (name, row) in enumerate((("a", one), ("b", other))):
            part = row[at : at + wide]
            ends[k] += len(part) - part.count("-")
            lines.append(f"{name:15} {part}" + (f" {ends[k]}" if counted else ""))
        lines += ["   ***  *  " if at else "", ""]
    return "\n".join(lines)


def maf(one, other, minus=False):
    n = len(other.replace("-", ""))
    return (
        "##maf version=1 scoring=none\n# a comment\n\na score=1\n"
        f"s a 0 {len(A)} + {len(A)} {one}\ns b 0 {n} {'+-'[minus]} {n} {other}\n"
        "i b N 0 N 0\n\n"
    )


@pytest.mark.parametrize("method", ["edit", "lcs", "affine", "swap"])
@pytest.mark.parametrize("kind", ["paf", "sam", "fasta"])
@pytest.mark.parametrize("orient", ["plus", "minus"])
def test_our_own_exports_give_the_same_columns(tmp_path, method, kind, orient):
    for n in (1, 40, 700):
        a = letters(n)
        b = changed(a, n // 9)
        if orient == "minus":
            b = reverse_complement(b.encode()).decode()
        answer = wavediff.compare(sequence(a, "a"), sequence(b, "b"), method=method, orient=orient)
        (tmp_path / f"own.{kind}").write_bytes(answer.to(kind))
        records = of_pair(read_alignments(tmp_path / f"own.{kind}"), ("a", "b"))
        if kind == "fasta" and orient == "minus":  # its rows are the letters as compared
            own_a, own_b, own = own_pair(records[0])
            found = checked((own,), own_a, own_b, fold_case=True)
        else:
            found = checked(records, answer.a, answer.b, fold_case=True)
        assert found.alignment.cigar() == answer.cigar


@pytest.mark.parametrize("kind", ["paf", "sam"])
@pytest.mark.parametrize("turn", [0, 700, 1900])
@pytest.mark.parametrize("minus", [False, True])
def test_a_circle_that_was_turned_comes_back_from_its_two_lines(tmp_path, kind, turn, minus):
    a = letters(2000)
    b = changed(a, 20)
    b = b[turn:] + b[:turn]
    b = reverse_complement(b.encode()).decode() if minus else b
    pair = sequence(a, "a"), sequence(b, "b")
    answer = wavediff.compare(*pair, orient="auto", topology="circular")
    (tmp_path / f"own.{kind}").write_bytes(answer.to(kind))
    found = wavediff.compare(*pair, alignment=tmp_path / f"own.{kind}", topology="circular").comparison
    assert found.given.alignment.cigar() == answer.cigar
    assert len(found.given.lines) == (2 if turn else 1)


def test_lines_between_long_gaps_are_one_alignment(tmp_path):
    a = letters(5000)
    b = a[:900] + a[2100:3000] + a[4200:]
    pair = sequence(a, "a"), sequence(b, "b")
    answer = wavediff.compare(*pair)
    paf = answer.to("paf")
    assert paf.count(b"\n") == 3
    (tmp_path / "own.paf").write_bytes(paf)
    found = wavediff.compare(*pair, alignment=tmp_path / "own.paf").comparison.given
    assert found.alignment.cigar() == answer.cigar
    assert found.lines == (1, 2, 3)


def test_the_overhang_of_free_ends_stays_overhang(tmp_path):
    a = letters(500)
    pair = sequence(a, "a"), sequence(changed(a[100:300], 9), "b")
    answer = wavediff.compare(*pair, ends="a")
    for kind in ("paf", "sam"):
        (tmp_path / f"own.{kind}").write_bytes(answer.to(kind))
        found = wavediff.compare(*pair, ends="a", alignment=tmp_path / f"own.{kind}").comparison
        ours = found.result.alignment
        assert found.given.alignment.cigar() == ours.cigar()
        assert (found.given.alignment.head_runs, found.given.alignment.tail_runs) == (ours.head_runs, ours.tail_runs)


@pytest.mark.parametrize("kind", ["fasta", "clustal", "maf", "sam"])
@pytest.mark.parametrize("minus", [False, True])
def test_files_of_biopython(tmp_path, kind, minus):
    aligner = PairwiseAligner(mode="global", match_score=1, mismatch_score=-1, gap_score=-2)
    for n in (5, 60, 400):
        a = letters(n)
        b = changed(a, n // 12)
        found = aligner.align(a, b)[0]
        if kind in ("fasta", "clustal"):
            records, coordinates = [SeqRecord(Seq(a), id="a"), SeqRecord(Seq(b), id="b")], found.coordinates
            strand = Strand.PLUS
        else:
            file_b = reverse_complement(b.encode()).decode() if minus else b
            coordinates = found.coordinates.copy()
            if minus:
                coordinates[1] = len(b) - coordinates[1]
            records = [SeqRecord(Seq(a), id="a"), SeqRecord(Seq(file_b), id="b")]
            strand, b = (Strand.MINUS, file_b) if minus else (Strand.PLUS, b)
        stream = io.StringIO()
        bio_write([BioAlignment(records, coordinates)], stream, kind)
        as_compared = reverse_complement(b.encode()).decode() if strand is Strand.MINUS else b
        cigar = cigar_of(tmp_path, stream.getvalue(), a, b, strand)
        one, other = rows_of(cigar, a, as_compared)
        assert [one, other] == [str(found[0]), str(found[1])]


def test_the_rows_of_clustal_and_maf(tmp_path):
    cigar = "7=1D9=1I10=1D7=1I9="
    one, other = rows_of(cigar, A, B)
    for text in (
        clustal(one, other), clustal(one, other, counted=True), clustal(one, other).replace("\n", "\r\n"),
        maf(one, other), f">a\n{one[:20]}\n{one[20:]}\n\n>b of two lines\n{other}\n", f">a\n{one}\n>b\n{other}",
        f">a\n{one.lower()}\n>b\n{other.replace('-', '.')}\n",
    ):  # fmt: skip
        assert cigar_of(tmp_path, text) == cigar
    minus = reverse_complement(B.encode()).decode()
    assert cigar_of(tmp_path, maf(one, other, minus=True), b=minus, strand=Strand.MINUS) == cigar


def test_two_rows_of_many_by_their_names(tmp_path):
    text = f">x\n{'A' * 8}\n>b\nACG--TTT\n>a\nACGG-TAT\n"
    (record,) = of_pair(read_text(tmp_path, text), ("a", "b"))
    assert record.names == ("a", "b")
    pair = sequence("ACGGTAT", "a"), sequence("ACGTTT", "b")
    assert checked((record,), *pair, fold_case=True).alignment.cigar() == "3=1D1=1X1="
    every = read_text(tmp_path, text)
    assert [one.names for one in every] == [("x", "b"), ("x", "a"), ("b", "a")]
    assert checked((every[2],), *pair[::-1], fold_case=True).alignment.cigar() == "3=1I1=1X1="
    with pytest.raises(InputError, match="1: x 1-8 with b 1-6; 2: x 1-8 with a 1-7; 3: b 1-6 with a 1-7; choose one"):
        of_pair(every, None)
    rows = "".join(f">r{k}\nAC-{'ACGT'[k % 4]}\n" for k in range(101))
    assert {one.names[0] for one in read_text(tmp_path, rows)} == {"r0"}
    assert read_text(tmp_path, rows, ("r99", "r7"))[-1].names == ("r7", "r99")


PART = "b\t60\t5\t25\t-\ta\t200\t100\t121\t17\t22\t60\ttp:A:P"


def test_a_line_of_minimap2_with_a_part_on_the_other_strand(tmp_path):
    a = letters(200)
    part = a[100:109] + ("G" if a[109] != "G" else "C") + a[110:114] + a[115:121]
    strand = letters(35) + part + letters(5)
    b = reverse_complement(strand.encode()).decode()
    x, y = a[109].lower(), strand[35 + 9].lower()
    for tag in (
        "cg:Z:14M1D6M", "cg:Z:9=1X4=1D6=", f"cs:Z::9*{x}{y}:4-{a[114].lower()}:6", "cg:Z:9=1X4=1N6=",
        f"cs:Z:={a[100:109]}*{x}{y}={a[110:114]}-{a[114].lower()}={a[115:121]}",
        f"cs:Z::9*{x}{y}:4-{a[114].lower()}:6\tcg:Z:14M1D6M",
    ):  # fmt: skip
        cigar = cigar_of(tmp_path, f"{PART}\t{tag}\n", a, b, Strand.MINUS)
        assert cigar == "100D35I9=1X4=1D6=79D5I"
    wrong = "ACGT"["ACGT".index(a[109]) - 1].lower()
    one, other = sequence(a, "a"), sequence(b, "b")
    records = read_text(tmp_path, f"{PART}\tcs:Z::9*{wrong}{y}:4-{a[114].lower()}:6\n")
    with pytest.raises(InputError, match=f"line 1: '{wrong}' for letter 110 of A; a has '{a[109]}' there"):
        checked(records, one, other.oriented(Orientation(Strand.MINUS)), fold_case=True)
    with pytest.raises(InputError, match="line 1: B is on the other strand; it is compared on the strand of its file"):
        checked(records, one, other, fold_case=True)


def test_clips_of_sam(tmp_path):
    a = letters(120)
    inside = a[30:60] + a[62:90]
    head, tail = letters(7), letters(4)
    sam = "@HD\tVN:1.6\n@SQ\tSN:a\tLN:120\n"
    line = "b\t{flag}\ta\t31\t60\t{cigar}\t*\t0\t0\t{seq}\t*\n"
    whole = head + inside + tail
    for cigar, seq in (
        ("7S30=2D28=4S", whole), ("7H30M2D28M4S", inside + tail), ("7H30M2D10M1P18M4H", inside),
        ("3H4S30M2D28M2S2H", whole[3:-2]), ("7S30M2N28M4S", "*"),
    ):  # fmt: skip
        for flag, letters_b, strand in (
            (0, whole, Strand.PLUS), (16, reverse_complement(whole.encode()).decode(), Strand.MINUS),
        ):  # fmt: skip
            text = sam + line.format(flag=flag, cigar=cigar, seq=seq)
            assert cigar_of(tmp_path, text, a, letters_b, strand) == "30D7I30=2D28=30D4I"
    wrong = head[:2] + ("A" if head[2] != "A" else "C") + head[3:] + inside + tail
    text = sam + line.format(flag=0, cigar="7S30=2D28=4S", seq=wrong)
    refused(tmp_path, text, "line 3", f"for letter 3 of B; b has '{head[2]}'", a=a, b=whole)


@pytest.mark.parametrize("flags", [(4,), (256, 0), (0, 256)])
def test_secondary_and_unmapped_records_are_left_out(tmp_path, flags):
    lines = [f"b\t{flag}\ta\t1\t60\t{'4=' if flag != 4 else '*'}\t*\t0\t0\tACGT\t*" for flag in flags]
    text = "\n".join(lines)
    if flags == (4,):
        refused(tmp_path, text, "no alignment")
    else:
        (record,) = read_text(tmp_path, text)
        assert record.line == flags.index(0) + 1


def test_bam(tmp_path):
    pysam = pytest.importorskip("pysam", reason="there is none for Windows")
    answer = wavediff.compare(sequence(A, "a"), sequence(B, "b"), method="affine")
    sam, bam = tmp_path / "x.sam", tmp_path / "x.bam"
    sam.write_bytes(answer.to("sam"))
    with pysam.AlignmentFile(str(sam)) as source, pysam.AlignmentFile(str(bam), "wb", template=source) as file:
        for record in source:
            file.write(record)
    found = wavediff.compare(answer.a, answer.b, alignment=bam).comparison.given
    assert found.alignment.cigar() == answer.cigar
    assert found.text == "x.bam, record 1"  # it has no lines, and a picture shows no folder
    with pytest.raises(InputError, match=r"x\.bam, record 1: '=' for A 1"):
        wavediff.compare(sequence(A[1:] + A[:1], "a"), answer.b, alignment=bam)
    data = bam.read_bytes()
    for k in range(18, len(data), 9):  # also where nothing tells of it; nothing is written to standard error
        bam.write_bytes(data[:k] + bytes([data[k] ^ 255]) + data[k + 1 :])
        with suppress(WavediffError):
            read_alignments(bam)
    for size in range(0, len(data), 5):
        bam.write_bytes(data[:size])
        with pytest.raises(WavediffError) as error:
            read_alignments(bam)
        assert "\n" not in str(error.value)


def test_a_bam_without_pysam(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pysam", None)
    path = tmp_path / "x.bam"
    path.write_bytes(gzip.compress(b"BAM\1\0\0\0\0\0\0\0\0"))
    with pytest.raises(InputError, match="BAM is read by pysam, which is not installed: pip install pysam"):
        read_alignments(path)


def test_samtools_and_biopython_read_what_is_read_back(tmp_path):
    answer = wavediff.compare(sequence(A, "a"), sequence(B, "b"), method="affine")
    answer.save(tmp_path / "x.sam")
    answer.save(tmp_path / "x.fa")
    rows = rows_of(answer.cigar, A, B)
    with (tmp_path / "x.fa").open() as file:
        assert [str(row) for row in next(iter(bio_parse(file, "fasta")))] == [*rows]
    if shutil.which("samtools"):
        found = subprocess.run(
            ["samtools", "view", tmp_path / "x.sam"], capture_output=True, text=True, check=True, timeout=60
        )
        again = "@SQ\tSN:a\tLN:44\n" + found.stdout
        assert cigar_of(tmp_path, again) == answer.cigar


ROWS = rows_of("7=1D9=1I10=1D7=1I9=", A, B)
GOOD = "b\t44\t0\t44\t+\ta\t44\t0\t44\t42\t46\t255\tcg:Z:7=1D9=1I10=1D7=1I9=\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ("no file of alignments",)),
        ("nothing of the kind\n", ("no file of alignments", "PAF with cg:Z")),
        (GOOD.replace("9=1I", "9=1X"), ("line 1", "the CIGAR has 45 letters of the target, its columns have 44")),
        (GOOD.replace("7=1D9=", "6=1D10="), ("line 1", "'=' for A 8 (T) and B 7 (G); 'X' would be right")),
        (GOOD.replace("7=1D9=", "6=1X1D9="), ("line 1", "'X' for A 7 (G) and B 7 (G); '=' would be right")),
        (GOOD.replace("b\t44", "b\t45"), ("line 1", "B has 45 letters; b has 44")),
        (GOOD.replace("a\t44", "a\t43"), ("line 1", "A has 44 letters; a has 44")),
        (GOOD.replace("cg:Z", "cx:Z"), ("line 1", "neither cg:Z nor cs:Z")),
        ("\n" + GOOD.replace("1I9=", "1I9Q"), ("line 2", "is no CIGAR")),
        (GOOD + "b\t44\t0\n", ("line 2", "too few columns")),
        (GOOD + GOOD.replace("44", "x", 1), ("line 2", "invalid literal")),
        (GOOD.replace("cg:Z:7=", "cg:Z:" + "9" * 30 + "="), ("line 1", "letters of the target")),
        (GOOD.replace("cg:Z:7=1D9=1I10=1D7=1I9=", "cs:Z::44!"), ("line 1", "is no cs tag")),
        (GOOD + GOOD, ("line 1", "do not follow each other", "--record-alignment N")),
        (GOOD.replace("b\t44", "q\t44") + GOOD.replace("a\t44", "r\t44"), ("no alignment of a with b; there is 1: a",)),
        (GOOD.replace("b\t44", "t\t44").replace("a\t44", "b\t44").replace("t\t44", "a\t44").replace("+", "-")
         + "x" + GOOD,
         ("no alignment of a with b; there is 1: b 1-44 with a 1-44 (-); 2: a 1-44 with xb 1-44; exchange A and B",)),
        (f">a\n{ROWS[0]}\n", ("no alignment",)),
        (f">a\n{ROWS[0]}\n>b\n{ROWS[1]}A\n", ("line 4", "'b' has 47 columns; 'a' has 46")),
        (f">a\n{ROWS[0][:30]}\n{ROWS[0][30:]}\n>b\n{ROWS[1][:40]}\n{ROWS[1][40:45]}C\n",
         ("line 6", "'C' for letter 44 of B; b has 'A' there")),
        (clustal(*ROWS).replace(f"b               {ROWS[1][20:24]}", "b               N" + ROWS[1][21:24]),
         ("line 9", "'N' for letter 20 of B")),
        (clustal(*ROWS).replace("AGGCTT", "AGGCT", 1), ("line 6", "different lengths")),
        (clustal(*ROWS).replace("b        ", "b b b b", 1), ("line 5", "no row of CLUSTAL")),
        (maf(*ROWS).replace("s b 0 44", "s b 0 43"), ("line 6", "44 letters; its size is 43")),
        (maf(*ROWS).replace("s b 0 44 +", "s b 0 44 *"), ("line 6", "no row of MAF")),
        (maf(*ROWS).replace("s a 0 44 +", "s a 0 44 -"), ("line 5", "+ in the first row")),
        (maf(*ROWS).replace("s b 0", "s b 9"), ("line 6", "ends at letter 53; its sequence has 44")),
        ("@SQ\tSN:a\tLN:44\nb\t0\ta\t1\t60\t44M\t*\t0\t0\tACGT\t*\n", ("line 2", "SEQ has 4 letters, its CIGAR 44")),
        ("@SQ\tSN:a\tLN:44\nb\t0\ta\t1\t60\t20M3S21M\t*\t0\t0\t*\t*\n", ("line 2", "is no CIGAR")),
        ("@SQ\tSN:a\tLN:44\nb\t0\ta\t0\t60\t44M\t*\t0\t0\t*\t*\n", ("line 2", "A has 44 letters")),
    ],
)  # fmt: skip
def test_a_wrong_file_is_one_line_with_its_place(tmp_path, text, words):
    refused(tmp_path, text, *words)


@pytest.mark.parametrize("kind", ["paf", "sam", "fasta", "clustal", "maf"])
def test_one_wrong_letter_anywhere_is_named(tmp_path, kind):
    one, other = ROWS
    for k in range(0, len(A), 7):
        wrong = "ACGT"["ACGT".index(A[k]) - 1]
        column = [i for i, letter in enumerate(one) if letter != "-"][k]
        row = one[:column] + wrong + one[column + 1 :]
        if kind == "paf":
            tokens = "".join(
                f"+{y.lower()}"
                if x == "-"
                else f"-{x.lower()}"
                if y == "-"
                else f"*{x}{y}".lower()
                if x != y
                else f"={x}"
                for x, y in zip(row, other, strict=True)
            )
            text = GOOD.split("cg:Z")[0] + "cs:Z:" + tokens + "\n"
            place, line = f"for letter {k + 1} of A", 1
        elif kind == "sam":
            seq = B[:k] + ("A" if B[k] != "A" else "C") + B[k + 1 :]
            text = f"@SQ\tSN:a\tLN:44\nb\t0\ta\t1\t60\t7=1D9=1I10=1D7=1I9=\t*\t0\t0\t{seq}\t*\n"
            place, line = f"for letter {k + 1} of B", 2
        elif kind == "fasta":
            text = ">a\n" + "".join(row[i : i + 10] + "\n" for i in range(0, len(row), 10)) + f">b\n{other}\n"
            place, line = f"for letter {k + 1} of A", 2 + column // 10
        elif kind == "clustal":
            text, place, line = clustal(row, other), f"for letter {k + 1} of A", 4 + 4 * (column // 20)
        else:
            text, place, line = maf(row, other), f"for letter {k + 1} of A", 5
        refused(tmp_path, text, f"line {line}:", place)


def test_ambiguity_codes_case_and_uracil_are_no_wrong_letters(tmp_path):
    line, pad = "b\t46\t0\t46\t+\ta\t46\t0\t46\t46\t46\t60\tcs:Z::40{}\n", "ACGT" * 10
    assert cigar_of(tmp_path, line.format(":1=n:1*ng:2"), f"{pad}ARCRGT", f"{pad}ARCGGT") == "43=1X2="
    assert cigar_of(tmp_path, line.format("=ACNNGT"), f"{pad.replace('T', 'U')}acRYGU", f"{pad}ACYYGT") == "42=1X3="
    refused(tmp_path, line.format("=ACGTGT"), "'G' for letter 43 of A; a has 'R'", a=f"{pad}ACRTGT", b=f"{pad}ACGTGT")


@st.composite
def aligned_pairs(draw):
    columns = draw(st.lists(st.tuples(st.sampled_from("ACGT-"), st.sampled_from("ACGT-")), min_size=1, max_size=40))
    return ["".join(row) for row in zip(*(pair for pair in columns if pair != ("-", "-")), ("A", "A"), strict=True)]


def slow_costs(one, other):
    """Costs column by column: edits, equal columns, the DNAfull score with gaps of 10 and 0.5."""
    edits = sum(x != y for x, y in zip(one, other, strict=True))
    score, before = 0.0, ""
    for x, y in zip(one, other, strict=True):
        kind = "D" if y == "-" else "I" if x == "-" else ""
        score += (5 if x == y else -4) if not kind else -0.5 if kind == before else -10
        before = kind
    return edits, len(one) - edits, score


@given(aligned_pairs())
@settings(deadline=None, max_examples=50)
def test_the_costs_of_any_alignment_against_a_slow_count_and_ours(tmp_path_factory, rows):
    one, other = rows
    a, b = (row.replace("-", "") for row in rows)
    path = tmp_path_factory.mktemp("given") / "x.fa"
    path.write_text(f">a\n{one}\n>b\n{other}\n")
    found = {}
    for method in ("edit", "swap", "lcs", "affine"):
        scoring = {"matrix": "DNAfull", "gap_open": 10, "gap_extend": 0.5} if method == "affine" else {}
        answer = wavediff.compare(sequence(a, "a"), sequence(b, "b"), method=method, alignment=path, **scoring)
        costs = {cost["method"]: cost for cost in json.loads(answer.to_json())["given"]["costs"]}
        found[method] = costs[method]
        assert (costs["edit"]["theirs"], costs["lcs"]["theirs"], costs["affine"]["theirs"]) == slow_costs(one, other)
        assert costs["edit"]["ours"] >= edit_distance(a.encode(), b.encode())
        assert costs[method]["ours"] == answer.value
    assert found["edit"]["theirs"] >= found["edit"]["ours"]
    assert found["swap"]["theirs"] >= found["swap"]["ours"]
    assert found["lcs"]["theirs"] <= found["lcs"]["ours"]
    assert found["affine"]["theirs"] <= found["affine"]["ours"]


def most_swaps(one, other):
    """The most swaps that fit into the columns, by trying all."""
    places = [k for k, (x, y) in enumerate(zip(one, other, strict=True)) if x != "-" != y]

    def from_place(k):
        if k + 1 >= len(places):
            return 0
        first, last = places[k], places[k + 1]
        between = one[first + 1 : last], other[first + 1 : last]
        fits = one[first] == other[last] != other[first] == one[last] and any(set(each) <= {"-"} for each in between)
        return max(from_place(k + 1), fits and 1 + from_place(k + 2))

    return from_place(0)


@given(aligned_pairs())
@settings(deadline=None, max_examples=60)
def test_as_many_swaps_are_counted_as_the_columns_hold(tmp_path_factory, rows):
    one, other = rows
    path = tmp_path_factory.mktemp("given") / "x.fa"
    path.write_text(f">a\n{one}\n>b\n{other}\n")
    costs = json.loads(wavediff.compare(alignment=path).to_json())["given"]["costs"]
    assert costs[1]["theirs"] == slow_costs(one, other)[0] - most_swaps(one, other)


def test_the_file_alone(tmp_path):
    one, other = ROWS
    for text in (f">a\n{one}\n>b\n{other}\n", clustal(one, other), maf(one, other)):
        path = tmp_path / "given.x"
        path.write_text(text)
        answer = wavediff.compare(alignment=path)
        assert [side.letters.tobytes().decode() for side in (answer.a, answer.b)] == [A, B]
        assert answer.comparison.given.alignment.cigar() == "7=1D9=1I10=1D7=1I9="
    (tmp_path / "given.x").write_text(GOOD)
    with pytest.raises(InputError, match="an alignment without the letters of A; name A and B"):
        wavediff.compare(alignment=Path(tmp_path / "given.x"))


def test_reading_takes_records_too(tmp_path):
    (tmp_path / "x.paf").write_text(GOOD)
    records = wavediff.read_alignment(tmp_path / "x.paf")
    assert [one.text for one in records] == ["a 1-44 with b 1-44"]
    answer = wavediff.compare(sequence(A, "a"), sequence(B, "b"), alignment=records)
    assert answer.comparison.given.text == "x.paf, line 1"
