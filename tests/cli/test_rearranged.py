"""``compare --rearranged``: the answer, its files read back, circles, ranges, and what is refused."""

import csv
import io
import json
import re
from itertools import pairwise

import pytest

import wavediff
from tests.cli.helpers import call, trouble
from tests.core.screening.test_relation import random_letters
from wavediff.core.reading.alignments import read_alignments
from wavediff.core.sequences.matching import reverse_complement

pysam = pytest.importorskip("pysam")


@pytest.fixture(scope="module")
def pair():
    """A, and B with an inversion, an exchange, a copy, a loss, a gain and three differences.

    By chance no letter at a border fits both sides.
    """
    a = random_letters(12_000, 19)
    inverted = bytearray(reverse_complement(a[2_000:3_500]))
    del inverted[700]
    b = bytearray(a[:2_000] + inverted + a[3_500:6_000] + a[7_000:9_000] + a[6_000:7_000] + a[9_000:10_000])
    b += a[4_000:4_600] + a[10_000:10_400] + a[10_900:11_500] + random_letters(300, 8) + a[11_500:]
    b[500] = ord("A") if b[500] != ord("A") else ord("C")
    b.insert(8_400, ord("G"))
    return a, bytes(b)


@pytest.fixture
def files(pair, tmp_path):
    for name, letters in zip("ab", pair, strict=True):
        (tmp_path / f"{name}.fa").write_text(f">chr{name} one\n{letters.decode()}\n")
    return tmp_path


def test_the_answer_names_the_kinds_and_lists_the_blocks(files, capsys):
    code, out, err = call(capsys, "compare", files / "a.fa", files / "b.fa", "--rearranged")
    lines = out.splitlines()
    assert (code, err) == (1, "")
    assert lines[0] == ("12 blocks: 1 inverted, 1 moved, 1 duplicated, 1 only in A, 1 only in B; 3 edits inside")
    assert [line.split()[1:] for line in lines[2:5]] == [
        ["collinear", "1–2,000", "1–2,000", "+", "1"],
        ["inverted", "2,001–3,500", "2,001–3,499", "-", "1"],
        ["collinear", "3,501–6,000", "3,500–5,999", "+", "0"],
    ]
    assert ["duplicated", "4,001–4,600", "10,001–10,600", "+", "0"] in [line.split()[1:] for line in lines]
    assert lines[-1].endswith("exact matches of 14 letters and more")


def test_paf_and_sam_are_read_back_with_the_letters_they_align(files, pair, capsys):
    a, b = pair
    call(
        capsys,
        "compare",
        files / "a.fa",
        files / "b.fa",
        "--rearranged",
        "--paf",
        files / "o.paf",
        "--sam",
        files / "o.sam",
    )
    for name in ("o.paf", "o.sam"):
        read = read_alignments(str(files / name), None)
        assert len(read) == 10
        assert sum(record.minus for record in read) == 1
    with pysam.AlignmentFile(str(files / "o.sam"), check_sq=False) as sam:
        records = list(sam)
    assert sorted(record.flag for record in records) == [0] + 8 * [2048] + [2064]
    assert records[0].query_sequence == b.decode()
    for record in records:
        assert len(record.get_tag("SA").split(";")) == len(records)
        whole = b if not record.is_reverse else reverse_complement(b)
        before = record.cigartuples[0][1] if record.cigartuples[0][0] in (4, 5) else 0
        assert record.query_alignment_sequence.encode() == whole[before : before + record.query_alignment_length]
        assert record.get_reference_sequence().upper().encode() == a[record.reference_start : record.reference_end]
        edits = sum(n for op, n in record.cigartuples if op in (1, 2, 8))
        assert record.get_tag("NM") == edits


def test_vcf_has_blocks_and_the_differences_inside(files, pair, capsys):
    call(capsys, "compare", files / "a.fa", files / "b.fa", "--rearranged", "--vcf", files / "o.vcf")
    a, found = pair[0], {}
    with pysam.VariantFile(str(files / "o.vcf")) as vcf:
        for record in vcf:
            assert record.ref.encode() == a[record.pos - 1 : record.pos - 1 + len(record.ref)]
            found.setdefault(record.info.get("SVTYPE", "inside"), []).append(record)
    assert {kind: len(some) for kind, some in found.items()} == {
        "inside": 3, "INV": 1, "DUP": 1, "DEL": 1, "INS": 1, "BND": 10
    }  # fmt: skip
    assert (found["INV"][0].pos, found["INV"][0].stop) == (2_000, 3_500)
    assert (found["DUP"][0].pos, found["DUP"][0].stop, found["DUP"][0].info["BSTART"]) == (4_000, 4_600, 10_001)
    mates = {record.id: record for record in found["BND"]}
    for record in found["BND"]:
        assert mates[record.info["MATEID"]].info["MATEID"] == record.id
        assert f"chra:{mates[record.info['MATEID']].pos}" in record.alts[0]


def test_a_block_inverted_at_another_place_is_told_and_is_no_inversion_in_place(tmp_path, capsys):
    """One part inverted in place, another one behind the letters that follow it: breakends at both of its ends."""
    a = random_letters(12_000, 5)
    b = a[:1_000] + reverse_complement(a[1_000:2_000]) + a[2_000:4_000] + a[5_500:9_000]
    b += reverse_complement(a[4_000:5_500]) + a[9_000:]
    words = ("compare", f"data:,{a.decode()}", f"data:,{b.decode()}", "--rearranged", "--json", tmp_path / "o.json")
    _, out, _ = call(capsys, *words, "--vcf", tmp_path / "o.vcf", "--tsv", tmp_path / "o.tsv")
    assert out.startswith("6 blocks: 2 inverted (1 of them moved); 0 edits inside")
    assert [line.split()[1:3] for line in out.splitlines() if "inverted, " in line] == [["inverted,", "moved"]]
    blocks = json.loads((tmp_path / "o.json").read_text())["blocks"]
    assert [(block["kind"], block["moved"]) for block in blocks if block["kind"] != "collinear"] == [
        ("inverted", False), ("inverted", True)
    ]  # fmt: skip
    rows = list(csv.DictReader(io.StringIO((tmp_path / "o.tsv").read_text()), delimiter="\t"))
    assert [row["moved"] == "yes" for row in rows] == [block["moved"] for block in blocks]
    with pysam.VariantFile(str(tmp_path / "o.vcf")) as vcf:
        records = list(vcf)
    inverted = [record for record in records if record.info["SVTYPE"] == "INV"]
    assert len(inverted) == 1
    assert inverted[0].stop - inverted[0].pos == pytest.approx(1_000, abs=8)
    ends = [record.pos for record in records if record.info["SVTYPE"] == "BND"]
    assert all(min(abs(at - border) for at in ends) < 8 for border in (4_000, 5_500))


@pytest.mark.parametrize(("option", "ref", "who"), [((), "R", "norm -c e"), (("--vcf-strict",), "A", "first base")])
def test_codes_of_a_are_written_and_counted_as_in_order(option, ref, who, tmp_path, capsys):
    """R stands before an inversion, where B has G, and inside a block, where B has C; in B K stands between blocks."""
    a = bytearray(random_letters(6_000, 9))
    a[999:1_001] = a[3_999:4_001] = b"RT"
    b = (
        a[:999]
        + b"GT"
        + a[1_001:2_000]
        + reverse_complement(bytes(a[2_000:3_500]))
        + a[3_500:3_999]
        + b"CT"
        + a[4_001:]
    )
    a[1_999], b[1_999] = ord("R"), ord("G")
    words = ("compare", f"data:,{a.decode()}", f"data:,{b.decode()}", "--rearranged", *option)
    _, _, err = call(capsys, *words, "--vcf", tmp_path / "o.vcf")
    with pysam.VariantFile(str(tmp_path / "o.vcf")) as vcf:
        records = [record for record in vcf if record.pos in (1_000, 2_000, 4_000)]
    assert {record.ref for record in records} == {ref}
    assert {record.info.get("SVTYPE", "inside") for record in records} == {"inside", "INV", "BND"}
    assert f"VCF: {len(records)} records at ambiguity codes of A" in err
    assert who in err


def test_an_inversion_of_two_blocks_is_no_two_inversions_in_place(tmp_path, capsys):
    """Each by itself inverted in place would leave them in the order of A."""
    a = random_letters(9_000, 6)
    b = a[:2_000] + reverse_complement(a[4_000:6_000]) + random_letters(300, 7) + reverse_complement(a[2_000:4_000])
    words = ("compare", f"data:,{a.decode()}", f"data:,{(b + a[6_000:]).decode()}", "--rearranged")
    _, out, _ = call(capsys, *words, "--vcf", tmp_path / "o.vcf")
    assert out.startswith("5 blocks: 2 inverted, 1 only in B; 0 edits inside")
    with pysam.VariantFile(str(tmp_path / "o.vcf")) as vcf:
        assert {record.info["SVTYPE"] for record in vcf} == {"BND", "INS"}


def test_table_and_json_have_the_same_blocks(files, capsys):
    names = ("compare", files / "a.fa", files / "b.fa", "--rearranged", "--quiet")
    call(capsys, *names, "--tsv", files / "o.tsv", "--json", files / "o.json")
    rows = list(csv.DictReader(io.StringIO((files / "o.tsv").read_text()), delimiter="\t"))
    value = json.loads((files / "o.json").read_text())
    assert len(rows) == len(value["blocks"]) == sum(value["kinds"].values()) == 12
    for row, block in zip(rows, value["blocks"], strict=True):
        assert (row["kind"], int(row["a_start"]) - 1, int(row["b_end"])) == (
            block["kind"], block["a_start"], block["b_end"]
        )  # fmt: skip
        for end, more in (("a_start", 1), ("a_end", 0), ("b_start", 1), ("b_end", 0)):
            low, high = map(int, row[f"{end}_range"].split("-"))
            assert [low - more, high - more] == block[f"{end}_range"]
            assert low <= int(row[end]) <= high
    assert value["differences"] == sum(block["differences"] or 0 for block in value["blocks"]) == 3


def test_a_circle_from_another_origin_on_the_other_strand(files, pair, capsys):
    b = pair[1]
    turned = reverse_complement(b[5_000:] + b[:5_000])
    (files / "c.fa").write_text(f">c\n{turned.decode()}\n")
    names = ("compare", files / "a.fa", files / "c.fa", "--rearranged", "--orient", "auto", "--topology", "circular")
    _, out, _ = call(capsys, *names, "--paf", files / "o.paf")
    assert out.startswith("12 blocks: 1 inverted, 1 moved, 1 duplicated, 1 only in A, 1 only in B; 3 edits inside")
    lines = [line.split("\t") for line in (files / "o.paf").read_text().splitlines()]
    assert len(lines) == 11  # one block lies across the end of the file
    spans = sorted((int(line[2]), int(line[3])) for line in lines)
    gaps = [two[0] - one[1] for one, two in pairwise([(0, 0), *spans, (len(b), len(b))])]
    assert sorted(gaps)[-1] == 300
    assert sum(gaps) == 300
    assert [line[4] for line in lines].count("+") == 1
    assert len(read_alignments(str(files / "o.paf"), None)) == 11


def places_in_file(files, capsys, *words):
    """Return, of each block, its places and ranges in both files, and of VCF its first letter in B."""
    words = ("compare", files / "a.fa", files / "b.fa", "--rearranged", *words, "--tsv", files / "o.tsv")
    _, out, _ = call(capsys, *words, "--json", files / "o.json", "--vcf", files / "o.vcf")
    rows = [line.split("\t") for line in (files / "o.tsv").read_text().splitlines()]
    blocks = json.loads((files / "o.json").read_text())["blocks"]
    keys = [key for key in blocks[0] if key.endswith(("_start", "_end", "_range"))]
    with pysam.VariantFile(str(files / "o.vcf")) as vcf:
        starts = {r.info["BSTART"] for r in vcf if r.info.get("SVTYPE") in ("DUP", "DEL", "INS")}
    listed = [re.sub("inverted, moved|inverted|collinear|moved", "", line) for line in out.splitlines()]
    return [row[2:7] + row[10:14] for row in rows], [[block[key] for key in keys] for block in blocks], starts, listed


def test_places_are_those_of_the_file_on_each_strand(files, pair, capsys):
    """Borders that fit in one place alone: of those with a range each way has its own."""
    rows, blocks, starts, listed = places_in_file(files, capsys)
    minus = places_in_file(files, capsys, "--orient", "minus")
    assert (minus[0], minus[1], minus[2]) == (rows, blocks, starts)
    assert [line.split() for line in minus[3][3:]] == [line.split() for line in listed[2:]]
    assert minus[3][1].startswith("B is compared as reverse complement: kinds are of B so turned")
    assert json.loads((files / "o.json").read_text())["orientation"]["strand"] == "minus"


@pytest.mark.parametrize("strand", ["plus", "minus"])
def test_ranges_of_borders_lie_beside_them_in_the_file(strand, tmp_path, capsys):
    """Two T before each part of B: a border fits on both sides of some letters."""
    parts = [random_letters(2_000, seed).strip(b"T") + b"TT" for seed in (1, 2, 3, 4)]
    a, b = b"TT" + b"".join(parts), b"TT" + b"".join(parts[at] for at in (0, 2, 1, 3))
    words = f"data:,{a.decode()}", f"data:,{b.decode()}", "--rearranged", "--orient", strand, "--quiet"
    call(capsys, "compare", *words, "--json", tmp_path / "o.json")
    blocks = json.loads((tmp_path / "o.json").read_text())["blocks"]
    borders = {2 + sum(len(parts[at]) for at in order) for order in ((0,), (0, 2), (0, 2, 1))}
    found = [(block[f"b_{end}"], *block[f"b_{end}_range"]) for block in blocks for end in ("start", "end")]
    assert {at for at, low, high in found} <= {0, len(b)} | {at - k for at in borders for k in range(3)}
    assert {(high - 2, high) for _, low, high in found if low < high} == {(at - 2, at) for at in borders}
    assert all(low <= at <= high for at, low, high in found)


def test_a_range_of_a_record_is_a_pair_of_its_own(files, capsys):
    _, out, _ = call(
        capsys, "compare", f"{files}/a.fa:chra:2,001-3,500", f"{files}/b.fa:chrb:2,001-3,499", "--rearranged"
    )
    assert out.startswith("1 block: 1 inverted; 1 edit inside")


def test_the_notice_of_a_plain_comparison_names_the_option(files, capsys):
    _, _, err = call(capsys, "compare", files / "a.fa", files / "b.fa")
    assert "Part of B is inverted" in err
    assert err.rstrip().endswith("try --rearranged")


def test_exit_code_and_unlike_pairs(files, capsys):
    code, out, _ = call(capsys, "compare", files / "a.fa", files / "a.fa", "--rearranged")
    assert (code, out.splitlines()[0]) == (0, "1 block: in order; 0 edits inside")
    code, out, _ = call(
        capsys,
        "compare",
        f"data:,{random_letters(60, 1).decode()}",
        f"data:,{random_letters(60, 2).decode()}",
        "--rearranged",
    )
    assert code == 1
    assert out.startswith("no blocks: too few shared 11-mers; compare as protein")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--method", "swap"), "aligns blocks by --method edit"),
        (("--fasta", "-"), "--fasta does not go with --rearranged"),
        (("--alignment", "x.paf"), "--alignment does not go with --rearranged"),
        (("--ends", "a"), "--ends does not go with --rearranged"),
        (("--prove",), "--prove does not go with --rearranged"),
        (("--traceback", "none"), "--traceback does not go with --rearranged"),
        (("--png", "x.png"), "--view dots and --view blocks write png, svg, pdf"),
        (("--seed-letters", "9"), "'9' is no whole number from 11 to 64"),
    ],
)
def test_what_does_not_go_with_blocks_is_refused(words, said, files, capsys):
    code, out, err = call(capsys, "compare", files / "a.fa", files / "b.fa", "--rearranged", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_verbose_has_no_line_of_an_alignment_inside(files, capsys):
    _, _, err = call(capsys, "compare", files / "a.fa", files / "b.fa", "--rearranged", "--verbose")
    assert "cells in" not in err


def test_without_letters_nothing_differs(capsys):
    code, out, _ = call(capsys, "compare", "data:,", "data:,", "--rearranged")
    assert (code, out.splitlines()[0]) == (0, "0 blocks: in order; 0 edits inside")


def test_u_is_t_without_an_option_that_is_refused(capsys):
    _, _, err = call(capsys, "compare", f"data:,{'ACGT' * 9}", f"data:,{'ACGU' * 9}", "--rearranged")
    assert "U is compared as T" in err
    assert "--letters" not in err


def test_seed_letters_go_with_blocks_alone(files, capsys):
    names = "compare", files / "a.fa", files / "b.fa", "--seed-letters", "20"
    trouble(call(capsys, *names), "--seed-letters goes with --rearranged")


def test_defaults_of_the_user_stay_out_of_blocks(files, capsys, monkeypatch):
    monkeypatch.setenv("WAVEDIFF_OPTIONS", "--ends a --case exact")
    code, out, _ = call(capsys, "compare", files / "a.fa", files / "a.fa", "--rearranged")
    assert (code, out.splitlines()[0]) == (0, "1 block: in order; 0 edits inside")


def test_texts_have_no_blocks(capsys):
    names = "data:,MKVLAAGIVWEEF", "data:,MKVLAAGIVFEEF"
    trouble(call(capsys, "compare", *names, "--rearranged"), "--rearranged is for DNA and RNA")


def test_the_function_returns_the_same(pair):
    answer = wavediff.blocks(*pair, seed_letters=20)
    assert str(answer).startswith("12 blocks: 1 inverted, 1 moved, 1 duplicated")
    assert answer.result.k == 20
    assert answer.to("paf").count(b"\n") == 10
    with pytest.raises(wavediff.WavediffError, match="format 'csv': paf, sam, tsv, vcf, json are known"):
        answer.to("csv")
    with pytest.raises(wavediff.WavediffError, match="seeds have 11 to 64 letters, not 5"):
        wavediff.blocks(*pair, seed_letters=5)
