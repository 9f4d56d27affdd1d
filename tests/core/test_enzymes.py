"""Restriction enzymes by name wherever patterns are taken; where they cut is in ``test_planned_search``."""

import re

import pytest

import wavediff
from tests.cli.helpers import ROOT, call

PHIX = ROOT / "resources" / "demo" / "phix174_NC_001422.1.fa"


def test_names_are_taken_wherever_patterns_are(tmp_path, capsys):
    """Known of phiX174: HaeIII has 11 sites, HinfI 21, XhoI 1, EcoRI none."""
    (tmp_path / "names.txt").write_text("HaeIII\nHinfI\nXhoI\nEcoRI\n")
    out = call(capsys, "search", PHIX, "--patterns", tmp_path / "names.txt")[1]
    assert "33 hits of 4 patterns" in out
    counts = re.findall(r"^ +(\d+)  (\w+)$", out, re.MULTILINE)
    assert counts == [("21", "HinfI"), ("11", "HaeIII"), ("1", "XhoI"), ("0", "EcoRI")]
    assert "1 hit of 1 pattern" in call(capsys, "search", "XhoI", PHIX)[1]
    assert "2 files" in call(capsys, "search", "--enzyme", "XhoI", PHIX, PHIX)[1]
    found = wavediff.search(["HaeIII", "FokI"], PHIX)
    assert [int((found["pattern"] == k).sum()) for k in (0, 1)] == [11, 8]
    assert set(found["strand"][found["pattern"] == 1].tolist()) == {1, -1}, (
        "both strands of a site that is no palindrome"
    )


@pytest.mark.parametrize("other", ["FokI", "ACCGTTGA..TTTGCGCC"])
def test_a_pattern_beside_an_enzyme_or_primers_keeps_its_strand(other):
    """GGGTT is in this text on either strand: only sites and primers are searched on both unless that is asked."""
    text = "ACCGTTGAGGGTTACATCCATACAACCCGGATGACAGGCGCAAA"
    found = wavediff.search(["GGGTT", other], text)
    own = found["pattern"] == 0
    assert (found["start"][own].tolist(), found["strand"][own].tolist()) == ([8], [1])
    assert (~own).any()
    both = wavediff.search(["GGGTT", other], text, both_strands=True)
    assert both["strand"][both["pattern"] == 0].tolist() == [1, -1]


@pytest.mark.parametrize("name", ["EcoR1", "EcoRI,,BamHI", "GAATTC"])
def test_what_is_no_enzyme_is_refused(capsys, name):
    code, _, err = call(capsys, "search", "--enzyme", name, PHIX)
    assert (code, "unknown restriction enzyme" in err) == (2, True)


def test_a_text_has_no_enzymes(tmp_path, capsys):
    (tmp_path / "text.txt").write_text("Cut it with EcoRI, then wait for an hour.\n")
    assert "[EcoRI]" in call(capsys, "search", "EcoRI", tmp_path / "text.txt")[1]
    assert wavediff.search("EcoRI", "Cut it with EcoRI, then wait.")["start"].tolist() == [12]
