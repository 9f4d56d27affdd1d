"""Aligned FASTA, as MAFFT or Jalview write it, as input: its gaps are no letters."""

import pytest

from tests.cli.helpers import call

LEFT, RIGHT = (
    "ATATACGGAGGTCGGATTAGTAGGAGACAACATTGTTTAGTGCGCGCACCTAGTTCTCGG",
    "AGAGAACTCCCACAAGGTGGCACCATGCCCACCCAGCTCGGATGAAGTAGCGTGTTAAAT",
)


@pytest.mark.parametrize(
    ("aligned", "raw", "n_gaps"), [(LEFT + "-" * 12 + RIGHT, LEFT + RIGHT, 12), ("ACGT--ACGT", "ACGTACGT", 2)]
)
def test_an_aligned_sequence_is_the_same_as_its_letters(tmp_path, capsys, aligned, raw, n_gaps):
    (tmp_path / "aligned.fa").write_text(f">aligned\n{aligned}\n")
    (tmp_path / "raw.fa").write_text(f">raw\n{raw}\n")
    code, out, err = call(capsys, "compare", tmp_path / "aligned.fa", tmp_path / "raw.fa")
    assert code == 0
    assert f"A  aligned: {len(raw)} letters, DNA" in out
    assert f"aligned.fa: {n_gaps} gap characters '-' of an alignment dropped: places are those of the letters" in err


def test_a_search_finds_what_lies_across_a_gap(tmp_path, capsys):
    (tmp_path / "aligned.fa").write_text(">aligned\nAC--GT.AC\n")
    code, out, _ = call(capsys, "search", tmp_path / "aligned.fa", "--pattern", "CGTA", "--bed", "-", "--quiet")
    assert (code, out) == (0, "aligned\t1\t5\tCGTA\t1000\t+\n")


def test_the_variants_of_two_aligned_sequences_have_no_gap_characters(tmp_path, capsys):
    (tmp_path / "pair.fa").write_text(">a\n--ACGTACGT\n>b\nTTACCTAC--\n")
    pair = tmp_path / "pair.fa", tmp_path / "pair.fa"
    words = "--record-a", "a", "--record-b", "b", "--variants", "-", "--quiet"
    assert call(capsys, "compare", *pair, *words)[:2] == (1, "0_1insTT\nG3C\n7-8del\n")
