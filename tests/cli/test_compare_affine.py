"""``compare --method affine``: matrices, gap costs, letters without a score, and what is said and written."""

import json

import pytest

from tests.cli.helpers import call

A, B = "HEAGAWGHEEHEAGAWGHEE", "PAWHEAEHEAGAWKHEEE"
MATRIX = "   A  C  G  T\nA  2 -1 -1 -1\nC -1  2 -1 -1\nG -1 -1  2 -1\nT -1 -1 -1  2\n"


@pytest.fixture
def proteins(tmp_path):
    (tmp_path / "p.fa").write_text(f">first\n{A}\n>odd\nHEAGAW\n")
    (tmp_path / "q.fa").write_text(f">second\n{B}\n")
    return tmp_path / "p.fa", tmp_path / "q.fa"


def test_proteins_are_scored_by_blosum62(proteins, capsys, tmp_path):
    parasail = pytest.importorskip("parasail")
    words = ["--method", "affine", "--record-a", 1, "--json", tmp_path / "o.json", "--cigar", tmp_path / "o.txt"]
    code, out, _ = call(capsys, "compare", "-v", *proteins, *words)
    score = parasail.nw(A, B, 11, 1, parasail.blosum62).score
    assert code == 1
    assert f"score: {score} (BLOSUM62, gaps 11 + 1)" in out
    assert "positives: " in out
    found = json.loads((tmp_path / "o.json").read_text())
    assert (found["score"], found["matrix"], found["gap_open"], found["gap_extend"]) == (score, "BLOSUM62", 11, 1)
    assert found["statistics"]["positives"] >= found["statistics"]["matches"]
    assert (tmp_path / "o.txt").read_text().strip()


def test_nucleotides_are_scored_by_dnafull_with_halves(files, capsys):
    code, out, _ = call(capsys, "compare", "-v", files / "a.fa", files / "b.fa", "--method", "affine")
    assert code == 1
    assert "(DNAfull, gaps 10 + 0.5)" in out
    code, out, _ = call(
        capsys, "compare", "-v", files / "a.fa", files / "lower.fa", "--method", "affine", "--traceback", "none"
    )
    assert (code, "score: 50 (" in out) == (0, True), "case changes no score"


def test_a_matrix_and_costs_of_one_s_own(files, capsys, tmp_path):
    (tmp_path / "own").write_text(MATRIX)
    words = ["--method", "affine", "--matrix", tmp_path / "own", "--gap-open", "2.5", "--gap-extend", 1]
    _, out, _ = call(capsys, "compare", "-v", files / "a.fa", files / "b.fa", *words)
    assert f"({tmp_path / 'own'}, gaps 2.5 + 1)" in out


def test_many_pairs_have_scores(proteins, capsys, tmp_path):
    out = tmp_path / "o.tsv"
    code, said, _ = call(
        capsys, "batch", proteins[1], proteins[1], "--method", "affine", "--tsv", out, "--gap-open", 12.5
    )
    assert (code, "1 pair · score " in said) == (0, True)
    header, line = out.read_text().splitlines()
    assert header.split("\t")[6:] == ["score", "similarity", "contained", "contained_share"]
    assert float(line.split("\t")[7]) == 1


@pytest.mark.parametrize("command", ["compare", "batch"])
def test_a_matrix_of_proteins_for_nucleotides_is_told(tmp_path, capsys, command):
    (tmp_path / "a.fa").write_text(">a\nACGTACGTTAGC\n")
    (tmp_path / "b.fa").write_text(">b\nACGTACCTTAGC\n")
    (tmp_path / "p.fa").write_text(">p\nMKVLAAGICGTT\n")
    said = "note: BLOSUM62 scores amino acids, and all letters are nucleotides"

    def told(first, second, matrix):
        words = (command, tmp_path / first, tmp_path / second, "--method", "affine", "--matrix", matrix)
        code, _, err = call(capsys, *words)
        assert code == (1 if first != second else 0), err
        return err

    found = told("a.fa", "b.fa", "BLOSUM62")
    assert said in found
    assert ": try --matrix DNAfull\n" in found
    assert said not in told("a.fa", "b.fa", "DNAfull")
    assert said not in told("a.fa", "b.fa", "auto")
    assert said not in told("a.fa", "p.fa", "BLOSUM62")
