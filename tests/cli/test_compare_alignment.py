"""``compare --alignment``: one made elsewhere beside ours, in the terminal and in JSON, and what cannot be shown."""

import json

import pytest

from tests.cli.helpers import call, trouble
from tests.core.reading.test_alignments import GOOD, ROWS, A, B

THEIRS = "b\t44\t0\t44\t+\ta\t44\t0\t44\t40\t46\t255\tcg:Z:7=1X1D8=1I10=1I1D6=1I9=\n"
SHIFTED = ">a\nACGTACGTT-AGCTAGGCTTACG\n>b\nACGTACG--TAGCTAGGCTTACG\n"


@pytest.fixture
def pair(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.fa").write_text(f">a\n{A}\n")
    (tmp_path / "b.fa").write_text(f">b\n{B}\n")
    (tmp_path / "own.paf").write_text(GOOD)
    return tmp_path


def test_theirs_stands_below_ours_with_the_columns_that_differ(pair, capsys):
    (pair / "t.fa").write_text(SHIFTED)
    code, out, err = call(capsys, "compare", "--alignment", "t.fa")
    assert (code, err) == (1, "")
    assert out.splitlines()[:-1] == [
        "1 letter deleted · 95.5 % identical  22 and 21 letters, 1 gap, exact",
        "  A  1  ACGTACGTTAGCTAGGCTTACG  22",
        "        ||||||| ||||||||||||||",
        "  B  1  ACGTACG-TAGCTAGGCTTACG  21",
        "Theirs  t.fa, line 2, 2 columns differ from ours",
        "                                  ours  theirs",
        "  edits                              1       3",
        "  edits with swaps                   1       3",
        "  common letters                    21      20",
        "  score (DNAfull, gaps 10 + 0.5)    95   79.50",
        "  A       1  ACGTACGTT-AGCTAGGCTTACG  22",
        "  ours    1  ACGTACG-T-AGCTAGGCTTACG  21",
        "  theirs  1  ACGTACG--TAGCTAGGCTTACG  21",
        "                     ^^",
    ]


def test_an_equal_one_has_no_blocks_and_the_same_costs(pair, capsys):
    code, out, err = call(
        capsys, "compare", "a.fa", "b.fa", "-m", "affine", "--alignment", "own.paf", "--json", "j.json"
    )
    assert (code, err) == (1, "")
    assert "Theirs  own.paf, line 1, 0 columns differ from ours\n" in out
    assert "theirs  1" not in out
    given = json.loads((pair / "j.json").read_text())["given"]
    assert given["cigar"] == "7=1D9=1I10=1D7=1I9="
    assert (given["lines"], given["names"], given["columns_that_differ"]) == ([1], ["a", "b"], 0)
    assert all(cost["ours"] == cost["theirs"] for cost in given["costs"])
    call(capsys, "compare", "a.fa", "b.fa", "--json", "j.json")
    assert json.loads((pair / "j.json").read_text())["given"] is None


def test_the_penalties_that_were_chosen_are_those_of_both(pair, capsys):
    words = ["compare", "a.fa", "b.fa", "-m", "affine", "--alignment", "own.paf"]
    _, out, _ = call(capsys, *words, "--gap-open", 4, "--gap-extend", 1)
    assert "  score (DNAfull, gaps 4 + 1)   194     194\n" in out  # 42 matches of 5, 4 gaps of 4


def test_more_blocks_are_folded_and_all_prints_them(pair, capsys):
    rows = [row * 20 for row in SHIFTED.split()[1::2]]
    (pair / "t.fa").write_text(f">a\n{rows[0]}\n>b\n{rows[1]}\n")
    _, out, _ = call(capsys, "compare", "--alignment", "t.fa")
    assert out.count("  theirs  ") == 2
    assert "more columns differ; --all prints them" in out
    _, out, _ = call(capsys, "compare", "--alignment", "t.fa", "--all")
    assert out.count("  theirs ") == 8
    assert "more columns differ" not in out


def test_a_part_on_the_other_strand_is_compared_there(pair, capsys):
    (pair / "t.paf").write_text("b\t44\t4\t44\t-\ta\t44\t0\t40\t40\t40\t60\tcg:Z:40M\n")
    _, out, err = call(capsys, "compare", "a.fa", "b.fa", "--alignment", "t.paf", "--json", "j.json")
    assert err.startswith("note: t.paf: B is on the other strand\n")
    assert "line 1, " in out
    assert ", 8 letters outside\n" in out
    told = json.loads((pair / "j.json").read_text())
    assert (told["orientation"]["strand"], told["given"]["starts"]) == ("minus", [0, 0])


def test_names_that_differ_are_noted_and_a_number_chooses(pair, capsys):
    (pair / "t.paf").write_text(GOOD.replace("b\t44", "q\t44"))
    _, out, err = call(capsys, "compare", "a.fa", "b.fa", "--alignment", "t.paf")
    assert err == "note: t.paf: a and q in this file are used as a and b\n"
    assert "Theirs" in out
    (pair / "t.paf").write_text(GOOD.replace("b\t44", "q\t44") + GOOD.replace("b\t44", "r\t44"))
    words = "compare", "a.fa", "b.fa", "--alignment", "t.paf"
    trouble(call(capsys, *words), "1: a 1-44 with q 1-44; 2: a 1-44 with r 1-44", "--record-alignment N")
    assert call(capsys, *words, "--record-alignment", 2)[0] == 1
    trouble(call(capsys, *words, "--record-alignment", 3), "no alignment number 3")


def test_what_cannot_be_shown_is_one_line(pair, capsys):
    (pair / "bad.paf").write_text(GOOD.replace("7=1D9=", "6=1D10="))
    words = "compare", "a.fa", "b.fa", "--alignment"
    trouble(call(capsys, *words, "bad.paf"), "bad.paf, line 1: '=' for A 8 (T) and B 7 (G); 'X' would be right")
    trouble(call(capsys, *words, "none.paf"), "none.paf: no such file")
    trouble(call(capsys, *words, "a.fa"), "a.fa: no alignment; PAF")
    trouble(call(capsys, *words, "own.paf", "--traceback", "none"), "--alignment is shown next to ours")
    trouble(call(capsys, "compare", "--alignment", "own.paf"), "own.paf, line 1: an alignment without the letters of A")
    trouble(call(capsys, *words, "own.paf", "-m", "lines"), "an alignment of letters; --method lines compares lines")
    trouble(call(capsys, "compare"), "A and B are missing")
    trouble(call(capsys, "compare", "a.fa", "--alignment", "own.paf"), "B is missing")
    trouble(call(capsys, *words, "own.paf", "--paf", "own.paf"), "own.paf")
    assert (pair / "own.paf").read_text() == GOOD
    assert ROWS[0].replace("-", "") == A
