"""``compare --ends``: places, files without overhang, and what is refused."""

import json
import os
import random

import pytest

from tests.app.fakes import fasta
from tests.cli.helpers import call

GENE = "ACGTTGCAACGGTACCAGATTACAGGAT"
CHANGED = GENE[:12] + "C" + GENE[13:]
GENOME = "TTTTTCCCCC" * 3 + CHANGED + "GGGGGAAAAA" * 2


@pytest.fixture
def pair(tmp_path):
    return fasta(tmp_path / "genome.fa", ("genome", GENOME)), fasta(tmp_path / "gene.fa", ("gene", GENE))


def test_a_gene_is_placed_in_a_genome(pair, tmp_path, capsys):
    genome, gene = pair
    out = {kind: tmp_path / f"out.{kind}" for kind in ("paf", "sam", "tsv", "json", "cigar", "fasta", "vcf")}
    files = [word for kind, path in out.items() for word in (f"--{kind}", path)]
    code, text, _ = call(capsys, "compare", "-v", genome, gene, "--ends", "a", *files)
    assert code == 1
    assert "B placed in A at 31–58" in text
    assert "edit distance: 1, exact" in text
    assert "substitutions 1, insertions 0, deletions 0; gaps 0" in text
    paf = out["paf"].read_text().split("\t")
    assert paf[:12] == ["gene", "28", "0", "28", "+", "genome", "78", "30", "58", "27", "28", "255"]
    assert paf[-1] == "cg:Z:12=1X15=\n"
    assert out["cigar"].read_text() == "12=1X15=\n"
    record = out["sam"].read_text().splitlines()[-1].split("\t")
    assert (record[3], record[5], record[9]) == ("31", "12=1X15=", GENE)
    assert "MD:Z:12C15" in record
    assert out["tsv"].read_text().splitlines()[1:] == ["1\tX\t1\t43\t43\t13\t13\tC\tT"]
    rows = "".join(line for line in out["fasta"].read_text().splitlines() if not line.startswith(">"))
    assert rows == GENOME + "-" * 30 + GENE + "-" * 20
    vcf = [line.split("\t") for line in out["vcf"].read_text().splitlines() if not line.startswith("#")]
    assert [(line[1], line[3], line[4]) for line in vcf] == [("43", "C", "T")]
    read = json.loads(out["json"].read_text())
    assert read["place"] == {"a_start": 30, "a_end": 58, "b_start": 0, "b_end": 28}
    assert (read["distance"], read["columns"], read["overlap_score"]) == (1, 28, None)
    assert read["identity"]["matches_over_columns"] == 27 / 28


def test_letters_of_b_that_overhang_are_clipped_in_sam(pair, tmp_path, capsys):
    genome, gene = pair
    sam = tmp_path / "out.sam"
    code, text, _ = call(capsys, "compare", gene, genome, "--ends", "b", "--sam", sam)
    assert (code, "A placed in B at 31–58" in text) == (1, True)
    record = sam.read_text().splitlines()[-1].split("\t")
    assert (record[3], record[5], record[9]) == ("1", "30S12=1X15=20S", GENOME)


def test_an_overlap_of_two_ends(tmp_path, capsys):
    a = fasta(tmp_path / "a.fa", ("a", "TTTTTTTTTT" + GENE))
    b = fasta(tmp_path / "b.fa", ("b", GENE + "CCCCCCCCCCCC"))
    json_file = tmp_path / "out.json"
    _, text, _ = call(capsys, "compare", a, b, "--ends", "both", "--json", json_file)
    assert "The end of A overlaps the start of B: A 11–38, B 1–28" in text
    assert json.loads(json_file.read_text())["overlap_score"] == len(GENE)
    _, text, _ = call(capsys, "compare", b, a, "--ends", "both", "--traceback", "none")
    assert "The end of B overlaps the start of A: A 1–28, B 11–38" in text


def test_an_overlap_of_random_letters_is_called_one(tmp_path, capsys):
    rng = random.Random(4)
    a, b = ("".join(rng.choices("ACGT", k=5_000)) for _ in "ab")
    first = fasta(tmp_path / "a.fa", ("a", a))
    for other, by_chance in ((b, True), (a[-15:] + b, False), (a[-8:] + b, True)):
        second, json_file = fasta(tmp_path / "b.fa", ("b", other)), tmp_path / "out.json"
        _, text, _ = call(capsys, "compare", "-v", first, second, "--ends", "both", "--json", json_file)
        lines = text.partition("\n\n")[2].splitlines()
        assert (lines[2] == "no overlap better than chance") is by_chance
        assert lines[2 + by_chance].startswith("edit distance: ")
        assert (json.loads(json_file.read_text())["overlaps_expected_by_chance"] > 0.01) is by_chance


def test_no_overlap_is_no_equality(tmp_path, capsys):
    a, b = fasta(tmp_path / "a.fa", ("a", "TTTT")), fasta(tmp_path / "b.fa", ("b", "CCCC"))
    for more in ([], ["--paf", tmp_path / "out.paf", "--sam", tmp_path / "out.sam"]):
        code, text, _ = call(capsys, "compare", a, b, "--ends", "both", *more)
        assert (code, "No overlap" in text) == (1, True)


def test_all_places_on_both_strands(tmp_path, capsys):
    back = GENE.translate(str.maketrans("ACGT", "TGCA"))[::-1]
    genome = fasta(tmp_path / "genome.fa", ("genome", f"TTTTTCCCCC{CHANGED}GGGGGGGGGGGG{back}CCCCCCCCC{GENE}"))
    gene = fasta(tmp_path / "gene.fa", ("gene", GENE))
    out = {kind: tmp_path / f"out.{kind}" for kind in ("paf", "tsv", "json")}
    files = [word for kind, path in out.items() for word in (f"--{kind}", path)]
    _, text, _ = call(capsys, "compare", "-v", genome, gene, "--ends", "a", "--loci", "10%", *files)
    assert "places within the limit: 3" in text
    assert "  -  51–78  0 edits" in text
    lines = [line.split("\t") for line in out["paf"].read_text().splitlines()]
    assert [line[2:5] + line[7:9] + [line[12]] for line in lines] == [
        ["0", "28", "+", "10", "38", "NM:i:1"],
        ["0", "28", "-", "50", "78", "NM:i:0"],
        ["0", "28", "+", "87", "115", "NM:i:0"],
    ]
    assert [line[-1] for line in lines] == ["cg:Z:12=1X15=", "cg:Z:28=", "cg:Z:28="]
    table = [line.split("\t")[1:] for line in out["tsv"].read_text().splitlines()[1:]]
    assert table == [
        ["+", "11", "38", "1", f"{27 / 28:.6f}"],
        ["-", "51", "78", "0", "1.000000"],
        ["+", "88", "115", "0", "1.000000"],
    ]
    read = json.loads(out["json"].read_text())
    assert read["loci"][1] == {"strand": "-", "a_start": 50, "a_end": 78, "edits": 0, "cigar": "28="}
    assert read["place"]["a_start"] == 87
    code, text, _ = call(capsys, "compare", "-v", gene, gene, "--ends", "a", "--loci", "28")
    assert code == 2
    none = fasta(tmp_path / "none.fa", ("none", "T" * 100))
    for there, told in ((GENE, ""), (back, ", on the other strand")):
        one = fasta(tmp_path / "one.fa", ("one", "T" * 30 + there))
        assert f" 1 place{told}, exact" in call(capsys, "compare", one, gene, "--ends", "a", "--loci", "2")[1]
    code, text, _ = call(capsys, "compare", "-v", none, gene, "--ends", "a", "--loci", "2", "--paf", out["paf"])
    assert (code, out["paf"].read_bytes()) == (1, b"")
    assert "no place within the limit; the best has the edit distance" in text
    assert "places within the limit" not in text, "the line above says so"
    text = call(capsys, "compare", none, gene, "--ends", "a", "--loci", "2")[1]
    assert text.lower().count("no place") == 1
    code, _, err = call(
        capsys, "compare", "-v", none, gene, "--ends", "a", "--loci", "2", "--vcf", out["paf"], "--quiet"
    )
    assert (code, err) == (2, "wavediff: --vcf not written: no place of B in A is within the limit\n")


def test_the_best_of_all_places_is_the_answer_and_is_exported(tmp_path, capsys):
    """The one place within the limit lies on the other strand, and nothing near it on the strand of B's file."""
    rng = random.Random(8)
    a = "".join(rng.choices("ACGT", k=1_500))
    b = a[800:1_000].translate(str.maketrans("ACGT", "TGCA"))[::-1]
    files = fasta(tmp_path / "a.fa", ("a", a)), fasta(tmp_path / "b.fa", ("b", b))
    out = {kind: tmp_path / f"out.{kind}" for kind in ("vcf", "sam", "cigar", "variants", "json", "fasta", "paf")}
    words = [word for kind, path in out.items() for word in (f"--{kind}", path)]
    _, text, err = call(capsys, "compare", "-v", *files, "--ends", "a", "--loci", "5%", *words)
    assert "note: " not in err
    assert text.partition("\n\n")[2].splitlines()[1:4] == [
        "B  b: 200 letters, DNA, reverse complement",
        "edit distance: 0, exact",
        "The reverse complement of B placed in A at 801–1,000",
    ]
    read = json.loads(out["json"].read_text())
    assert (read["distance"], read["best_locus"], read["orientation"]["strand"]) == (0, 0, "minus")
    assert read["place"] == {"a_start": 800, "a_end": 1000, "b_start": 0, "b_end": 200}
    assert (out["cigar"].read_text(), out["variants"].read_text()) == ("200=\n", "")
    assert not [line for line in out["vcf"].read_text().splitlines() if not line.startswith("#")]
    record = out["sam"].read_text().splitlines()[-1].split("\t")
    assert (*record[1:6], record[9]) == ("16", "a", "801", "60", "200=", a[800:1_000])
    assert out["paf"].read_text().split("\t")[2:9] == ["0", "200", "-", "a", "1500", "800", "1000"]
    rows = "".join(line for line in out["fasta"].read_text().splitlines() if not line.startswith(">"))
    assert rows == a + "-" * 800 + a[800:1_000] + "-" * 500


def test_a_place_as_good_as_another_has_no_quality_in_sam(tmp_path, capsys):
    genome = fasta(tmp_path / "genome.fa", ("genome", f"TTTTTCCCCC{GENE}GGGGGGGGGGGG{GENE}CCC"))
    gene = fasta(tmp_path / "gene.fa", ("gene", GENE))
    for more, quality in (([], "255"), (["--loci", "1"], "0")):
        _, out, _ = call(capsys, "compare", genome, gene, "--ends", "a", "--sam", "-", "--quiet", *more)
        assert out.splitlines()[-1].split("\t")[3:5] == ["11", quality]


@pytest.mark.parametrize("strand", ["plus", "minus"])
def test_a_gene_across_the_origin_of_a_circle(tmp_path, capsys, strand):
    """Every file has the places of A's file: there the gene lies at its end and at its beginning."""
    rng = random.Random(9)
    a = "".join(rng.choices("ACGT", k=3_000))
    gene = [*a[2_800:], *a[:300]]
    gene[100] = "A" if gene[100] != "A" else "C"  # A 2,901
    gene[198:203] = ""  # A 2,999 to 3
    gene[250:250] = "GATTACA"
    b = "".join(gene)
    if strand == "minus":
        b = b.translate(str.maketrans("ACGT", "TGCA"))[::-1]
    files = fasta(tmp_path / "a.fa", ("a", a)), fasta(tmp_path / "b.fa", ("b", b))
    out = {kind: tmp_path / f"out.{kind}" for kind in ("vcf", "sam", "paf", "tsv", "variants", "json")}
    words = [word for kind, path in out.items() for word in (f"--{kind}", path)]
    asked = ["compare", "-v", *files, "--ends", "a", "--topology", "circular", "--orient", strand]
    _, text, _ = call(capsys, *asked, *words)
    assert "A  a: 3,000 letters, DNA, from 2,801" in text
    assert "edit distance: 13, exact\nB placed in A at 2,801–300" in text
    read = json.loads(out["json"].read_text())
    assert read["place"] == {"a_start": 2_800, "a_end": 300, "b_start": 0, "b_end": 502}
    assert read["a"]["length"] == 3_000
    lines = [line.split("\t") for line in out["paf"].read_text().splitlines()]
    sign = "-" if strand == "minus" else "+"
    assert [line[4:9] for line in lines] == [[sign, "a", "3000", "2800", "3000"], [sign, "a", "3000", "0", "300"]]
    assert sum(int(line[12].split(":")[2]) for line in lines) == 13
    records = [line.split("\t") for line in out["sam"].read_text().splitlines() if not line.startswith("@")]
    assert sorted((int(line[3]), int(line[1]) & 2048) for line in records) == [(1, 0), (2801, 2048)]
    for row in [line.split("\t") for line in out["tsv"].read_text().splitlines()[1:]]:
        first, last, letters = int(row[3]), int(row[4]), row[7]
        assert letters == (a[first - 1 : last] if first <= last else a[first - 1 :] + a[:last]) or not letters
    listed = out["variants"].read_text().splitlines()
    assert (listed[0], listed[-2:]) == ("1-3del", [f"{a[2_900]}2901{gene[100]}", "2999-3000del"])
    variants = [line.split("\t") for line in out["vcf"].read_text().splitlines() if not line.startswith("#")]
    places = [int(line[1]) for line in variants]
    assert places == sorted(places)
    assert all(a[int(line[1]) - 1 :].startswith(line[3]) for line in variants)
    changed = a
    for line in reversed(variants):
        at = int(line[1]) - 1
        changed = changed[:at] + line[4] + changed[at + len(line[3]) :]
    assert "".join(gene) in changed + changed
    code, _, err = call(capsys, *asked, "--loci", "5%")
    assert (code, "A list of places needs a linear A" in err) == (2, True)


def test_places_of_b_are_those_of_its_file_on_the_other_strand(pair, tmp_path, capsys):
    _, gene = pair
    back = fasta(tmp_path / "back.fa", ("back", GENOME.translate(str.maketrans("ACGT", "TGCA"))[::-1]))
    _, text, _ = call(capsys, "compare", gene, back, "--ends", "b", "--orient", "minus", "--json", tmp_path / "j")
    assert "A placed in B at 21–48" in text
    assert json.loads((tmp_path / "j").read_text())["place"] == {"a_start": 0, "a_end": 28, "b_start": 20, "b_end": 48}


def test_a_longer_sequence_is_placed_with_a_notice(tmp_path, capsys):
    a, b = fasta(tmp_path / "a.fa", ("a", "ACGTA")), fasta(tmp_path / "b.fa", ("b", "ACGGTA"))
    for one, other, ends, fits in ((a, b, "a", "b"), (b, a, "b", "a")):
        code, out, err = call(capsys, "compare", one, other, "--ends", ends, "--json", "-")
        found = json.loads(out)
        assert (code, found["distance"]) == (1, 1)
        inner, outer = fits.upper(), ends.upper()
        assert f"{inner} is longer than {outer} (6 and 5 letters), so it cannot be placed inside it: " in err
        assert f"compare whole (--ends none), or place {outer} inside {inner} (--ends {fits})" in err
    assert json.loads(call(capsys, "compare", b, a, "--ends", "a", "--quiet", "--json", "-")[1])["distance"] == 1
    circle = call(capsys, "compare", a, b, "--ends", "a", "--topology", "circular", "--quiet", "--json", "-")[1]
    assert json.loads(circle)["distance"] == 1


@pytest.mark.parametrize("letters", ["GAATTC", "gaattc", "GAAUUC"])
def test_a_palindrome_is_listed_once(tmp_path, capsys, letters):
    t, q = fasta(tmp_path / "t.fa", ("t", "TTTTGAATTCTTTTGAATTCTT")), fasta(tmp_path / "q.fa", ("q", letters))
    _, out, err = call(capsys, "compare", "-v", t, q, "--ends", "a", "--loci", "0", "--paf", "-")
    rows = [line.split("\t") for line in out.splitlines()]
    assert [(row[4], row[7], row[8]) for row in rows] == [("+", "4", "10"), ("+", "14", "20")]
    assert "places within the limit: 2\n" in err


def test_nothing_aligned_has_no_identity(capsys, tmp_path):
    files = [fasta(tmp_path / f"{name}.fa", (name, letters)) for name, letters in (("a", "GGGG"), ("b", "CCCC"))]
    _, out, _ = call(capsys, "compare", "-v", *files, "--ends", "both")
    assert "No overlap" in out
    assert "identity: n/a, no known letters are aligned" in out.splitlines()
    assert "100.00%" not in out


def test_every_json_counts_from_0_and_tables_from_1(tmp_path, capsys):
    """One place, as compare, find and search write it."""
    genome, gene = fasta(tmp_path / "a.fa", ("a", GENOME)), fasta(tmp_path / "b.fa", ("b", CHANGED))
    start = GENOME.index(CHANGED)
    end = start + len(CHANGED)

    def text(*words):
        return call(capsys, *words, "--quiet")[1]

    compared = json.loads(text("compare", genome, gene, "--ends", "a", "--loci", "0", "--json", "-"))
    assert [compared["place"][key] for key in ("a_start", "a_end")] == [start, end]
    assert [compared["loci"][0][key] for key in ("a_start", "a_end")] == [start, end]
    assert json.loads(text("find", genome, CHANGED, "--json", "-"))["patterns"][0]["positions"] == [start]
    rows = {
        "find": text("find", genome, CHANGED, "--tsv", "-"),
        "compare": text("compare", genome, gene, "--ends", "a", "--loci", "0", "--tsv", "-"),
        "search": text("search", genome, "--pattern", CHANGED, "--tsv", "-"),
    }
    for name, told in rows.items():
        heading, row = (line.split("\t") for line in told.splitlines()[:2])
        column = next(k for k, one in enumerate(heading) if one.endswith("start"))
        assert row[column : column + 2] == [str(start + 1), str(end)], name


@pytest.mark.parametrize("traceback", ["checkpoints", "none"])
def test_identities_of_a_placed_sequence_are_of_the_parts_that_are_aligned(tmp_path, capsys, traceback):
    (tmp_path / "a.fa").write_text(">a\nACGTTAGCCATAGGATCCATTTAGACCATAGACCCAGGATACCAGATATTACGAGC\n")
    (tmp_path / "b.fa").write_text(">b\nCCATAGGATCCATTTGACGATAGACCCAGG\n")
    words = ("compare", tmp_path / "a.fa", tmp_path / "b.fa", "-v", "--traceback", traceback)
    for ends in ("none", "a", "both"):
        out = call(capsys, *words, "--ends", ends)[1]
        lines = [line for line in out.splitlines() if line.startswith(("identity", "by another"))]
        assert lines
        assert all(line.endswith("; of the parts that are aligned") == (ends != "none") for line in lines)
        assert "global" not in out


def test_the_reason_of_a_plan_is_written_once(tmp_path, capsys):
    (tmp_path / "a.fa").write_text(f">a\n{'ACGTTGCA' * 50}\n")
    (tmp_path / "b.fa").write_text(f">b\n{'GTTGCAAC' * 9}\n")
    err = call(capsys, "compare", tmp_path / "a.fa", tmp_path / "b.fa", "--ends", "both", "-v")[2]
    assert err.count("free-ends: ") > 1
    assert err.count("every cell for each way in which A and B can overlap") == 1


@pytest.mark.parametrize("ends", ["a", "b", "both"])
def test_a_sequence_without_letters_has_no_place(tmp_path, capsys, ends):
    b = fasta(tmp_path / "b.fa", ("b", GENE))
    for files, empty in (((os.devnull, b), "A"), ((b, os.devnull), "B")):
        _, text, _ = call(capsys, "compare", *files, "--ends", ends)
        assert text.startswith(f"{empty} has no letters")
        assert "placed" not in text
