"""``batch``: which pairs are compared, what is written, what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein

from tests.app.fakes import fasta
from tests.cli.helpers import call, trouble
from wavediff.core.screening import parts_run
from wavediff.core.sequences.orientation import reverse_complement

PEERS = {"lcs": LCSseq.similarity, "edit": Levenshtein.distance, "swap": DamerauLevenshtein.distance}
A = {"first": "ACGTACGTCA", "second": "", "=third": "GGGTT"}
B = {"x": "CAGTACGTABC", "y": "ACGT", "z": "GGGTT"}


@pytest.fixture
def many(tmp_path):
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    for path, records in zip(paths, (A, B), strict=True):
        path.write_text("".join(f">{name} of many\n{letters}\n" for name, letters in records.items()))
    return paths


def table(out):
    return [line.split("\t") for line in out.splitlines()]


@pytest.mark.parametrize("method", ["lcs", "edit", "swap"])
def test_pair_by_pair(many, capsys, method):
    code, out, err = call(capsys, "batch", *many, "--method", method, "--tsv", "-", "--quiet")
    assert (code, err) == (1, "")
    head, *lines = table(out)
    assert head[:6] == ["number_a", "a", "number_b", "b", "length_a", "length_b"]
    assert [line[1] for line in lines] == ["first", "second", "'=third"], "no formula for a spreadsheet"
    assert [line[3] for line in lines] == list(B)
    expected = [PEERS[method](x, y) for x, y in zip(A.values(), B.values(), strict=True)]
    assert [int(line[6]) for line in lines] == expected
    assert float(lines[2][7]) == 1


def test_each_with_each_and_one_file_with_itself(many, capsys):
    out = call(capsys, "batch", *many, "--pairs", "all-to-all", "--method", "swap", "--tsv", "-", "--quiet")[1]
    found = {(line[1].removeprefix("'"), line[3]): int(line[6]) for line in table(out)[1:]}
    assert found == {(a, b): PEERS["swap"](x, y) for a, x in A.items() for b, y in B.items()}
    code, out, _ = call(capsys, "batch", many[0], "--tsv", "-", "--quiet")
    assert code == 1
    assert [(line[0], line[2]) for line in table(out)[1:]] == [("1", "2"), ("1", "3"), ("2", "3")]


def test_parts_are_named_in_the_table_and_counted(tmp_path, capsys):
    """Contigs of a genome: each is a part of it, some with a few letters substituted, some on the other strand."""
    rng = np.random.default_rng(1)
    genome = rng.choice(np.frombuffer(b"ACGT", np.uint8), 40_000)
    contigs = [genome[first : first + 3_000].copy() for first in (1_000, 9_000, 20_000)]
    contigs[1][::100] = ord("A")
    contigs[2] = np.frombuffer(reverse_complement(contigs[2].tobytes()), np.uint8)
    contigs += [rng.choice(np.frombuffer(b"ACGT", np.uint8), 3_000), genome[:25_000]]
    names = ["exact", "changed", "reversed", "random", "as_long"]
    a = fasta(tmp_path / "a.fa", ("genome", genome.tobytes().decode()))
    b = fasta(tmp_path / "b.fa", *zip(names, (one.tobytes().decode() for one in contigs), strict=True))
    to, j = tmp_path / "out.tsv", tmp_path / "out.json"
    _, out, _ = call(capsys, "batch", a, b, "--pairs", "all-to-all", "--tsv", to, "--json", j)
    assert "contained: in 3 pairs one sequence is part of the other, so" in out
    head, *lines = table(to.read_text())
    assert head[-2:] == ["contained", "contained_share"]
    assert {line[3]: line[8] for line in lines} == {
        "exact": "b", "changed": "b", "reversed": "b reversed", "random": "", "as_long": "",
    }  # fmt: skip
    assert {line[3]: line[9] == "1.000000" for line in lines if line[8]} == {
        "exact": True, "changed": False, "reversed": True,
    }  # fmt: skip
    read = json.loads(j.read_text())
    assert [(one["a"], one["b"], one["inner"], one["minus"]) for one in read["contained"]] == [
        (0, 0, "b", False),
        (0, 1, "b", False),
        (0, 2, "b", True),
    ]
    assert read["pairs_of_unlike_length"] == {"looked_at": 4, "all": 4}
    _, out, _ = call(capsys, "batch", b, a, "--pairs", "all-to-all", "--tsv", "-", "--quiet")
    assert [line[8] for line in table(out)[1:4]] == ["a", "a", "a reversed"]
    both = tmp_path / "both.fa"
    both.write_bytes(Path(a).read_bytes() + Path(b).read_bytes())
    _, out, _ = call(capsys, "batch", both, "--tsv", "-", "--quiet")
    assert {(line[1], line[3]) for line in table(out) if line[8].startswith("b")} >= {
        ("genome", "exact"), ("genome", "changed"), ("genome", "reversed"),
    }  # fmt: skip


def test_parts_of_texts_are_found_letter_by_letter_and_not_without_end(tmp_path, capsys, monkeypatch):
    text = "the quick brown fox jumps over the lazy dog; " * 2
    a = fasta(tmp_path / "a.fa", ("long", text.replace(" ", "q").replace(";", "Z")))
    b = fasta(tmp_path / "b.fa", ("short", "brownqfoxqjumpsqover"), ("other", "slowqfoxqjumpsqoverq"))
    words = ["batch", a, b, "--pairs", "all-to-all", "--tsv", "-"]
    assert [line[8] for line in table(call(capsys, *words, "--quiet")[1])[1:]] == ["b", ""]
    monkeypatch.setattr(parts_run, "MAX_PAIRS", 1)
    assert "contained: in 1 pair one sequence is part of the other" in call(capsys, *words)[2]
    assert "1 pair of unequal length not checked" in call(capsys, *words)[2]


def test_of_many_pairs_the_first_and_the_extremes_are_shown(tmp_path, capsys):
    records = [(f"r{k}", "ACGTACGTTTGA"[: 12 - k]) for k in range(6)]
    *_, more, extremes, _ = call(capsys, "batch", fasta(tmp_path / "a.fa", *records))[1].splitlines()
    assert more == "  ···  5 more pairs; --tsv FILE writes all"
    assert extremes == "least alike: r0 and r5 · most alike: r0 and r1"
    alone = call(capsys, "batch", fasta(tmp_path / "one.fa", records[0]))
    trouble(alone, "one.fa: 1 record; two or more are compared with each other")


def test_json_has_names_lengths_and_values(many, capsys, tmp_path):
    to = tmp_path / "out.json"
    _, out, _ = call(capsys, "batch", *many, "--pairs", "all-to-all", "--json", to)
    found = json.loads(to.read_text())
    assert found["values"] == [[Levenshtein.distance(x, y) for y in B.values()] for x in A.values()]
    assert (found["method"], found["pairs"], found["n_pairs"]) == ("edit", "all-to-all", 9)
    assert found["a"]["names"] == list(A)
    assert found["b"]["lengths"] == [len(one) for one in B.values()]
    head, *rows = out.splitlines()
    assert head == "9 pairs · distance 0 to 11, median 5 · identity by distance 0.0 % to 100 %"
    assert [row.split() for row in rows[:2]] == [["first", "x", "5", "54.5", "%"], ["first", "y", "6", "40.0", "%"]]
    assert rows[-1] == f"wrote {to}"
    out = call(capsys, "batch", *many, "--verbose")[1]
    assert "\ndevice: cpu (" in out
    call(capsys, "batch", many[0], "--json", to, "--quiet")
    found = json.loads(to.read_text())
    assert found["b"] is None
    assert found["values"][0][2] == found["values"][2][0] == Levenshtein.distance(A["first"], A["=third"])
    call(capsys, "batch", *many, "--json", to, "--quiet")
    assert json.loads(to.read_text())["values"] == [
        Levenshtein.distance(x, y) for x, y in zip(A.values(), B.values(), strict=True)
    ]


def test_all_records_of_three_files_are_compared_with_each_other(many, capsys, tmp_path):
    third, csv = tmp_path / "c.fa", tmp_path / "out.csv"
    third.write_text(">first\nGATTACA\n")
    code, out, _ = call(capsys, "batch", *many, third, "--csv", csv, "--newick", tmp_path / "tree.nwk", "--quiet")
    assert (code, out) == (1, "")
    head, *rows = [line.split(",") for line in csv.read_text().splitlines()]
    letters = [*A.values(), *B.values(), "GATTACA"]
    assert head[1:] == ["a.fa:first", "a.fa:second", "a.fa:=third", "b.fa:x", "b.fa:y", "b.fa:z", "c.fa:first"]
    assert [[int(value) for value in row[1:]] for row in rows] == [
        [Levenshtein.distance(x, y) for y in letters] for x in letters
    ]
    trouble(call(capsys, "batch", *many, third, "--pairs", "one-to-one"), "--pairs one-to-one needs two files")
    trouble(call(capsys, "batch", *many, third, "--format-b", "text"), "--format-b goes with a second file only")


def test_the_exit_code_is_that_of_diff(many, capsys):
    assert call(capsys, "batch", many[0], many[0], "--quiet")[0] == 0
    assert call(capsys, "batch", many[0], many[0], "--pairs", "all-to-all", "--quiet")[0] == 1
