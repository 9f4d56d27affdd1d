"""``search`` on the command line: known answers, formats, refusals."""

import json

import pytest

from tests.cli.helpers import ROOT, call

LAMBDA = ROOT / "tests" / "data" / "lambda_NC_001416.1.fa"
# Restriction sites of phage lambda as the catalogues have them: where the first letter is, counted from 1. (The strain
# that is sold has one more for HindIII, made by its mutation ind1.)
SITES = {
    "EcoRI": ("GAATTC", [21226, 26104, 31747, 39168, 44972]),
    "BamHI": ("GGATCC", [5505, 22346, 27972, 34499, 41732]),
    "HindIII": ("AAGCTT", [23130, 25157, 27479, 36895, 37459, 44141]),
    "NotI": ("GCGGCCGC", []),
}


@pytest.fixture
def sites(tmp_path):
    path = tmp_path / "sites.txt"
    path.write_text("".join(f"{name}\t{letters}\n" for name, (letters, _) in SITES.items()))
    return path


def table(text):
    head, *lines = text.splitlines()
    return [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]


def test_the_known_sites_of_phage_lambda(sites, tmp_path, capsys):
    words = ["search", LAMBDA, "--patterns", sites, "--both-strands"]
    files = {kind: tmp_path / f"out.{kind}" for kind in ("tsv", "bed", "json", "timings")}
    code, out, _ = call(capsys, *words, *(word for kind, path in files.items() for word in (f"--{kind}", path)))
    assert code == 0
    assert "16 hits of 4 patterns (nucleotide letters, case ignored)" in out
    assert "           6  HindIII" in out
    rows = table(files["tsv"].read_text())
    assert list(rows[0]) == ["pattern", "strand", "record", "start", "end", "mismatches", "context"]
    assert {row["strand"] for row in rows} == {"."}  # each site is its own reverse complement
    for name, (letters, places) in SITES.items():
        mine = [row for row in rows if row["pattern"] == name]
        assert [int(row["start"]) for row in mine] == places
        assert all(int(row["end"]) - int(row["start"]) + 1 == len(letters) for row in mine)
        assert all(f"[{letters}]" in row["context"] and row["mismatches"] == "0" for row in mine)
    bed = [line.split("\t") for line in files["bed"].read_text().splitlines()]
    assert (
        [int(row["start"]) - 1 for row in rows]
        == [int(line[1]) for line in bed]
        == sorted(int(line[1]) for line in bed)
    )
    assert bed[0] == ["NC_001416.1", "5504", "5510", "BamHI", "1000", "."]
    document = json.loads(files["json"].read_text())
    assert document["hits"] == 16
    assert [one["hits"] for one in document["patterns"]] == [5, 5, 6, 0]
    assert "scan" in {one["kernel"] for one in json.loads(files["timings"].read_text())["timings"]}


def test_one_header_and_one_line_a_hit_on_standard_output(capsys):
    words = ["search", LAMBDA, "--pattern", "GAATTC", "--pattern", "GGRCC", "--quiet", "--tsv", "-"]
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    rows = table(out)
    assert [row["start"] for row in rows if row["pattern"] == "GAATTC"] == [str(k) for k in SITES["EcoRI"][1]]
    assert {row["context"].partition("[")[2][:5] for row in rows if row["pattern"] == "GGRCC"} == {"GGACC", "GGGCC"}


def test_errors_and_strands(files, capsys):
    (files / "text.fa").write_text(">one\nTTACGGTAACC\n>two\nTTTACCGTCC\n")
    words = ["search", files / "text.fa", "--pattern", "ACGGTAA", "--quiet", "--tsv", "-"]
    assert [row["record"] for row in table(call(capsys, *words)[1])] == ["one"]
    both = table(call(capsys, *words, "--both-strands")[1])
    assert [(row["record"], row["strand"], row["start"]) for row in both] == [("one", "+", "3"), ("two", "-", "2")]
    assert both[1]["context"] == "T[TTACCGT]CC"
    bent = ["search", files / "text.fa", "--pattern", "ACGCTAA", "-k", 1, "--quiet", "--tsv", "-"]
    assert [row["mismatches"] for row in table(call(capsys, *bent)[1])] == ["1"]
    edits = table(call(capsys, *bent, "--edits")[1])
    assert [(row["start"], row["end"], row["edits"]) for row in edits] == [("3", "9", "1")]
    assert [row["strand"] for row in table(call(capsys, *words, "--both-strands", "--record", "two")[1])] == ["-"]


def test_the_score_of_a_hit_in_bed_falls_by_100_an_error(tmp_path, capsys):
    pattern = "CAGATTTTCATATTATGCAGAAAATCTACTTCGCCTGATA"
    bent = ["".join("N" if k % 4 == 0 and k < 4 * n else x for k, x in enumerate(pattern)) for n in range(9)]
    (tmp_path / "bent.fa").write_text("".join(f">e{n}\n{letters}\n" for n, letters in enumerate(bent)))
    words = ["search", tmp_path / "bent.fa", "--pattern", pattern, "-k", 8, "--quiet", "--bed", "-"]
    scores = {line.split("\t")[0]: line.split("\t")[4] for line in call(capsys, *words)[1].splitlines()}
    assert scores == {f"e{n}": str(1000 - 100 * n) for n in range(9)}


def test_a_text_is_searched_letter_by_letter(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("The theme there.\nTHE end.\n")
    words = ["search", tmp_path / "a.txt", "--pattern", "the", "--quiet", "--tsv", "-"]
    assert [row["start"] for row in table(call(capsys, *words)[1])] == ["5", "11"]
    assert [row["start"] for row in table(call(capsys, *words, "--case", "fold")[1])] == ["1", "5", "11", "18"]
    code, out, _ = call(capsys, *words[:2], "--pattern", "e.", "--quiet", "--bed", "-")
    assert code == 0
    assert out.startswith("a\t")


@pytest.mark.parametrize(
    ("pattern", "listed", "places"),
    [
        ("a\tb", r"a\tb", [("1", "3")]),
        ("\tb", r"\tb", [("2", "3")]),
        (">r1", r"\x3er1", [("20", "22")]),
        ("b\nxb", r"b\nxb", [("3", "6")]),
        (" ", r"\x20", [(str(place), str(place)) for place in (7, 10, 19, 23, 26, 36)]),
        (".", ".", []),
        ("last line", ">name\nlast line", [("32", "40")]),
    ],
)
def test_a_pattern_is_literal_and_a_list_has_escapes(tmp_path, capsys, pattern, listed, places):
    (tmp_path / "table.txt").write_text("a\tb\nxb yb zb\nlook: >r1 is here\nlast line\n")
    (tmp_path / "p.txt").write_text(f"\n{listed}\n\n")
    for words in (("--pattern", pattern), ("--patterns", tmp_path / "p.txt")):
        code, out, _ = call(capsys, "search", tmp_path / "table.txt", *words, "--quiet", "--tsv", "-")
        assert [(row["start"], row["end"]) for row in table(out)] == places
        assert code == (not places)


def test_nothing_found_is_told_by_the_exit_code(files, capsys):
    code, out, _ = call(capsys, "search", files / "a.fa", "--pattern", "TTTTT", "--tsv", "-")
    assert code == 1
    assert out.count("\n") == 1
    assert call(capsys, "search", files / "a.fa", "--pattern", "TTTTT", "--bed", "-", "--quiet") == (1, "", "")


def test_the_limit_is_told(files, capsys):
    code, out, err = call(capsys, "search", files / "a.fa", "--pattern", "A", "--limit", "2", "--tsv", "-")
    assert code == 0
    assert out.count("\n") == 3
    (line,) = [one for one in err.splitlines() if "stopped at the limit of 2 hits" in one]
    assert line.startswith("note: ")
    assert line.endswith("; try a larger --limit")


def test_patterns_may_be_fasta_and_compressed(files, capsys):
    import gzip

    (files / "p.fa.gz").write_bytes(gzip.compress(b">first\r\nACG\r\nTAC\r\n>rest\r\nGTAC\r\n"))
    code, out, _ = call(capsys, "search", files / "a.fa", "--patterns", files / "p.fa.gz", "--bed", "-", "--quiet")
    assert code == 0
    assert [line.split("\t")[3] for line in out.splitlines()] == ["first", "rest"] * 2


@pytest.mark.parametrize(
    ("line", "bed"),
    [
        ("search GTAC a.fa", ["first 2 6", "first 6 10"]),
        ("search a.fa GTAC", ["first 2 6", "first 6 10"]),
        ("search a.fa GTAC CGGA", ["first 2 6", "first 6 10"]),
        ("search a.fa --pattern GTAC", ["first 2 6", "first 6 10"]),
        ("search GTAC a.fa b.fa", ["first 2 6", "first 6 10"]),
        ("search CGGA a.fa b.fa", ["second 6 10"]),
        ("search a.fa b.fa --pattern CGGA", ["second 6 10"]),
        ("search GTAC b.fa:second:4-", []),
        ("search a.fa w.txt", ["w 8 12"]),
        ("search GTAC w.txt a.fa", ["first 2 6", "first 6 10"]),
    ],
)
def test_the_pattern_stands_first_as_in_grep(files, capsys, monkeypatch, line, bed):
    """A file alone among patterns may stand first; where both words are files the first one is the pattern."""
    monkeypatch.chdir(files)
    (files / "w.txt").write_text("look in a.fa")
    code, out, _ = call(capsys, *line.split(), "--case", "fold", "--quiet", "--bed", "-")
    assert [" ".join(row.split("\t")[:3]) for row in out.splitlines()] == bed
    assert code == (not bed)


@pytest.mark.parametrize("line", ["find CGT GTAC a.fa", "find a.fa CGT GTAC"])
def test_find_has_its_file_first_or_last(files, capsys, monkeypatch, line):
    monkeypatch.chdir(files)
    code, out, err = call(capsys, *line.split())
    assert (code, err) == (0, "")
    assert out == "first: 10 letters (case ignored)\nCGT: 2 at 2, 6\nGTAC: 2 at 3, 7\n"


def test_hits_are_shown_as_parts_of_files(files, capsys, monkeypatch):
    """Each can be named as an input; several files, patterns and errors are told apart."""
    monkeypatch.chdir(files)
    code, out, err = call(capsys, "search", "CGT", "a.fa", "-t", "1")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "first:2-4  +  A[CGT]ACGTAC",
        "first:6-8  +  ACGTA[CGT]AC",
        "a.fa: 10 letters in 1 record",
        "2 hits of 1 pattern (nucleotide letters, case ignored)",
    ]
    out = call(capsys, "search", "a.fa", "b.fa", "--pattern", "CGG", "--pattern", "TTA", "-k", "1", "--all")[1]
    shown = [line.split("  ") for line in out.splitlines() if "[" in line]
    assert ["b.fa:second:7-9", "+", "ACGTTA[CGG]AC", "CGG", "0 mismatches"] in shown
    assert ["a.fa:first:2-4", "+", "A[CGT]ACGTAC", "CGG", "1 mismatch"] in shown
    for part, _, around, *_ in shown:
        assert call(capsys, "search", around.split("[")[1].split("]")[0], part, "--quiet")[0] == 0


def test_the_first_hits_are_shown_and_all_where_they_are_wanted(files, capsys):
    (files / "long.fa").write_text(f">long\n{'ACGT' * 30}\n")
    (files / "more.fa").write_text(f">more\n{'ACGT' * 30}\n")
    for names, n in ((["long.fa"], 30), (["long.fa", "more.fa"], 60)):
        words = "search", "ACGT", *(files / name for name in names)
        lines = call(capsys, *words)[1].splitlines()
        assert sum("[ACGT]" in line for line in lines) == 20
        assert f"  ···  {n - 20} more hits; --all prints them" in lines
        lines = call(capsys, *words, "--all")[1].splitlines()
        assert (sum("[ACGT]" in line for line in lines), any("···" in line for line in lines)) == (n, False)
        verbose = call(capsys, *words, "-v")
        assert ("time: " in "".join(lines), "time: " in verbose[1]) == (False, True)
