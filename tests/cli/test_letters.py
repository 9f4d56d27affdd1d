"""Which letters are the same: U and T of nucleotides."""

import json

import pytest

from tests.cli.helpers import call, trouble
from wavediff.core.sequences.orientation import reverse_complement

GENE = (
    "GGCCCAGTCCAGATCCTCGGAAGTCCCAACTAACGAATAAGTAGATCCTTCTAAATAGTAGTATACGAATGTAATCAACATATTACCGCACCCAACTTTGATTGGGTCATAAAC"
    "AAACATCATGTTTCTGGAGGCGGTTTGTGAGACCGACAAACGCGATAGAGTAATCTTATAAATCAGGCAAATACTCGGTCCTTTCTACGGGTCGCGGCCGCGTGGTCATAGGCA"
    "GTTTTATGTTTCTTTGAGGTTAATGGGAGGCATCCATGGGAGCCGTATATCCATATAAAAGTTGTACGCACC"
)
CHANGED = GENE[:150] + "A" + GENE[151:]
METHODS = [("edit", 1), ("swap", 1), ("lcs", 299)]


@pytest.fixture
def gene(tmp_path):
    dna, rna = tmp_path / "gene.fa", tmp_path / "mrna.fa"
    dna.write_text(f">gene\n{GENE}\n")
    rna.write_text(f">mrna\n{CHANGED.replace('T', 'U')}\n")
    return dna, rna


@pytest.mark.parametrize(("method", "value"), METHODS)
def test_a_gene_and_its_rna_differ_in_one_letter(gene, capsys, method, value):
    for pair in (gene, gene[::-1]):
        code, out, err = call(capsys, "compare", "-v", *pair, "--method", method, "--json", "-")
        found = json.loads(out)
        assert (code, found["lcs" if method == "lcs" else "distance"]) == (1, value)
        assert f"{gene[1]}: U is compared as T" in err
        assert "(case ignored, U is T)" in err


def test_the_one_substitution_is_told_with_the_letters_of_the_files(gene, capsys):
    code, out, err = call(capsys, "compare", "-v", *gene, "--variants", "-")
    assert (code, out) == (1, "C151A\n")
    assert "edits: substitutions 1, insertions 0, deletions 0" in err
    vcf = call(capsys, "compare", "-v", *gene, "--quiet", "--vcf", "-")[1]
    rows = [line.split("\t")[1:5] for line in vcf.splitlines() if not line.startswith("#")]
    assert rows == [["151", ".", "C", "A"]]
    aligned = call(capsys, "compare", "-v", *gene, "--quiet", "--fasta", "-")[1]
    assert CHANGED.replace("T", "U") in aligned.replace("\n", "")


def test_affine_columns_of_u_and_t_are_identical(gene, capsys):
    found = json.loads(call(capsys, "compare", *gene, "--quiet", "--method", "affine", "--json", "-")[1])["statistics"]
    assert (found["matches"], found["mismatches"]) == (299, 1)


def test_letters_exact_tells_u_from_t(gene, capsys):
    code, out, err = call(capsys, "compare", *gene, "--letters", "exact", "--json", "-")
    uracils = CHANGED.count("T")
    assert (code, json.loads(out)["distance"]) == (1, uracils + 1)
    assert "U is" not in err


def test_a_vcf_of_an_rna_has_bases_of_dna(tmp_path, capsys):
    (tmp_path / "a.fa").write_text(">a\nACGUACGUUUGCA\n")
    (tmp_path / "b.fa").write_text(">b\nACGUACUUUUGCA\n")
    vcf = call(capsys, "compare", tmp_path / "a.fa", tmp_path / "b.fa", "--quiet", "--vcf", "-")[1]
    rows = [line.split("\t")[1:5] for line in vcf.splitlines() if not line.startswith("#")]
    assert rows == [["7", ".", "G", "T"]]


@pytest.mark.parametrize("orient", ["minus", "auto"])
def test_rna_has_another_strand(gene, tmp_path, capsys, orient):
    other = tmp_path / "other.fa"
    other.write_bytes(b">other\n" + reverse_complement(CHANGED.replace("T", "U").encode(), rna=True))
    assert b"T" not in other.read_bytes().split(b"\n")[1]
    for a in gene:
        found = json.loads(call(capsys, "compare", "-v", a, other, "--orient", orient, "--json", "-")[1])
        assert (found["distance"], found["orientation"]["strand"]) == (int(a is gene[0]), "minus")


def test_an_rna_circle_begins_at_the_origin_of_its_gene(gene, tmp_path, capsys):
    circle, rna = tmp_path / "circle.fa", CHANGED.replace("T", "U")
    circle.write_text(f">circle\n{rna[100:]}{rna[:100]}\n")
    found = json.loads(call(capsys, "compare", "-v", gene[0], circle, "--topology", "circular", "--json", "-")[1])
    assert (found["distance"], found["orientation"]["origin"]) == (1, 200)


def test_loci_of_an_rna_are_found_on_both_strands(gene, tmp_path, capsys):
    for probe, strand in ((GENE[40:70], "+"), (reverse_complement(GENE[40:70].encode()).decode(), "-")):
        (tmp_path / "probe.fa").write_text(f">probe\n{probe.replace('T', 'U')}\n")
        for a in gene:
            words = ("compare", a, tmp_path / "probe.fa", "--ends", "a", "--loci", "0", "--quiet", "--paf", "-")
            rows = [line.split("\t") for line in call(capsys, *words)[1].splitlines()]
            assert [(row[4], row[7], row[8]) for row in rows] == [(strand, "40", "70")]


def test_a_contained_rna_is_noticed(gene, capsys):
    probe = gene[1].with_name("probe.fa")
    probe.write_text(f">probe\n{GENE[40:100].replace('T', 'U')}\n")
    assert "B is contained in A" in call(capsys, "compare", gene[0], probe)[2]


def test_batch_takes_u_as_t(gene, capsys):
    code, out, err = call(capsys, "batch", *gene, "--tsv", "-")
    assert (code, out.splitlines()[1].split("\t")[out.splitlines()[0].split("\t").index("distance")]) == (1, "1")
    assert f"{gene[1]}: U is compared as T" in err
    exact = call(capsys, "batch", *gene, "--letters", "exact", "--quiet", "--tsv", "-")[1]
    assert exact != out


def test_batch_takes_u_as_t_beside_proteins(tmp_path, capsys):
    """Among records of all kinds the nucleotides are compared alike, and the U of a protein stays."""
    path = tmp_path / "mixed.fa"
    path.write_text(">d\nACGTACGTTTGACA\n>p\nMKTAYIAKQRU\n>r\nACGUACGUUUGACA\n>q\nMKTAYIAKQRT\n")
    _, out, err = call(capsys, "batch", path, "--tsv", "-")
    head, *rows = (line.split("\t") for line in out.splitlines() if "\t" in line)
    found = {(row[1], row[3]): row[head.index("distance")] for row in rows}
    assert (found["d", "r"], found["p", "q"]) == ("0", "1")
    assert "U is compared as T" in err


def test_race_takes_u_as_t(gene, capsys):
    code, out, _ = call(capsys, "race", *gene, "--method", "lcs", "--kernels", "cpu", "--json", "-")
    assert code == 0
    assert {one["answer"] for one in json.loads(out)["kernels"]} == {299}


@pytest.mark.parametrize("file", ["gene", "mrna", "saved", "mixed"])
def test_find_takes_u_as_t(gene, tmp_path, capsys, file):
    saved, mixed = tmp_path / "saved.bwt", tmp_path / "mixed.fa"
    mixed.write_text(f">mixed\n{GENE[:100]}{GENE[100:].replace('T', 'U')}\n")
    call(capsys, "bwt", gene[1], "--quiet", "--save-index", saved)
    text = {"gene": gene[0], "mrna": gene[1], "saved": saved, "mixed": mixed}[file]
    probe, place = GENE[60:80], GENE.index(GENE[60:80])
    for pattern in (probe, probe.replace("T", "U")):
        code, out, _ = call(capsys, "find", text, pattern)
        assert (code, f"{pattern}: 1 at {place + 1}\n" in out) == (0, True)
    exact = [call(capsys, "find", gene[0], one, "--letters", "exact")[0] for one in (probe, probe.replace("T", "U"))]
    assert exact == [0, 1]


MIXED = "Grüße, naïve café; αβγ 🙋\nsecond line: Zürich\nlast line"


def test_find_and_search_tell_the_same_places(tmp_path, capsys):
    text, saved = tmp_path / "u.txt", tmp_path / "u.bwt"
    text.write_text(MIXED, encoding="utf-8")
    for pattern in ("last line", "Zürich", "🙋", "n"):
        places = [k + 1 for k in range(len(MIXED)) if MIXED.startswith(pattern, k)]
        words = ("find", text, pattern, "--save-index", saved, "--tsv", "-", "--quiet")
        for out in (call(capsys, *words)[1], call(capsys, "find", saved, pattern, "--quiet", "--tsv", "-")[1]):
            rows = [line.split("\t") for line in out.splitlines()[1:]]
            assert [(int(row[2]), int(row[3])) for row in rows] == [(at, at + len(pattern) - 1) for at in places]
        out = call(capsys, "search", text, "--pattern", pattern, "--case", "exact", "--quiet", "--tsv", "-")[1]
        head = out.splitlines()[0].split("\t")
        assert [int(line.split("\t")[head.index("start")]) for line in out.splitlines()[1:]] == places
    found = json.loads(call(capsys, "find", text, "last line", "--quiet", "--json", "-")[1])
    assert (found["length"], found["patterns"][0]["positions"]) == (len(MIXED), [45])
    as_bytes = json.loads(call(capsys, "find", text, "last line", "--format", "bytes", "--quiet", "--json", "-")[1])
    assert as_bytes["patterns"][0]["positions"] == [len(MIXED[:45].encode())]


WORDS = {"köln": "KÖLN", "ÉLAN": "élan", "αθηνα": "ΑΘΗΝΑ", "МОСКВА": "москва", "NAÏVE": "naïve", "σοφός": "ΣΟΦΌΣ"}


@pytest.mark.parametrize("command", ["search", "find", "saved"])
def test_case_is_folded_in_every_script(tmp_path, capsys, command):
    text, saved, upper = tmp_path / "w.txt", tmp_path / "w.bwt", " ".join(WORDS.values())
    text.write_text(upper, encoding="utf-8")
    call(capsys, "bwt", text, "--case", "fold", "--save-index", saved, "--quiet")
    for small, word in WORDS.items():
        at = upper.index(word) + 1
        if command == "search":
            words = ("search", text, "--pattern", small, "--case", "fold")
        else:
            words = ("find", text, small, "--case", "fold") if command == "find" else ("find", saved, small)
        code, out, _ = call(capsys, *words, "--tsv", "-", "--quiet")
        head, row = (line.split("\t") for line in out.splitlines())
        assert (code, row[head.index("start")]) == (0, str(at)), small


def test_an_index_of_dna_ignores_case_as_all_else(tmp_path, capsys):
    genome, text, saved = tmp_path / "g.fa", tmp_path / "t.txt", tmp_path / "saved.bwt"
    genome.write_text(">g\nacgtGATCgatcGaTc\n")
    text.write_text("a Text with text")
    for file, pattern, n in ((genome, "GATC", 3), (text, "text", 1)):
        call(capsys, "bwt", file, "--save-index", saved, "--quiet")
        counts = []
        for searched in (file, saved):
            out = call(capsys, "find", searched, pattern, "--quiet", "--tsv", "-")[1]
            counts.append(len(out.splitlines()) - 1)
        assert counts == [n, n]
    call(capsys, "bwt", genome, "--quiet", "--save-index", saved, "--case", "exact")
    assert call(capsys, "find", saved, "GATC", "--quiet", "--tsv", "-")[1].count("\n") == 2
    out = call(capsys, "bwt", genome, "--quiet", "--last-column", "-")[1]
    assert sorted(out) == sorted("acgtGATCgatcGaTc")


def test_notices_on_a_record_are_on_standard_error(tmp_path, capsys):
    file, text = tmp_path / "mixed.fa", tmp_path / "text.txt"
    file.write_text(">masked\nACGTacgtUUA*\n")
    text.write_text("straße")
    told = {f"note: {file}: {one}" for one in ("4 lower-case letters kept (soft mask)", "both T and U occur")}
    for words in (("compare", file, file), ("search", file, "--pattern", "ACG"), ("find", file, "ACG"), ("bwt", file)):
        lines = call(capsys, *words)[2].splitlines()
        assert all(lines.count(one) == 1 for one in told), words
    assert "1 byte" not in call(capsys, "compare", text, text)[2]
    assert (
        "2 bytes beyond ASCII are a letter each: the transform and its inverse work on bytes"
        in call(capsys, "bwt", text)[2]
    )
    assert call(capsys, "compare", file, file, "--quiet")[2] == ""


def test_a_text_keeps_its_u(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("the hut by the sea")
    (tmp_path / "b.txt").write_text("tht htu by uhe sea")
    code, out, _ = call(capsys, "compare", tmp_path / "a.txt", tmp_path / "b.txt", "--quiet", "--json", "-")
    assert (code, json.loads(out)["distance"]) == (1, 4)
    assert call(capsys, "find", tmp_path / "a.txt", "hutt")[0] == 1


def test_a_search_and_a_comparison_tell_u_and_t_apart_by_one_option(gene, capsys):
    (dna, _), pattern = gene, "GGCCCAGUCC"
    exact = call(capsys, "search", dna, "--pattern", pattern, "--letters", "exact", "--tsv", "-", "--quiet")
    assert exact == call(capsys, "search", dna, "--pattern", pattern, "--alphabet", "literal", "--tsv", "-", "--quiet")
    as_t = call(capsys, "search", dna, "--pattern", pattern, "--quiet", "--tsv", "-")
    assert (exact[0], as_t[0]) == (1, 0)
    words = ("search", dna, "--pattern", pattern, "--letters", "exact", "--alphabet", "nucleotide")
    trouble(call(capsys, *words), "U is T in it, and --letters exact tells them apart")


def test_a_pattern_in_a_table_is_no_formula(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("sum =1+2 of a")
    rows = call(capsys, "find", tmp_path / "a.txt", "=1+2", "--quiet", "--tsv", "-")[1].splitlines()
    assert rows[1] == "a\t'=1+2\t5\t8"
