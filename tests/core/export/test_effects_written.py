"""Effects of differences in files, read by other programs."""

import json
from shutil import which
from subprocess import run

import pytest

from tests.core.features.test_effects import Coding, write_genbank
from wavediff.core.run.api import compare


@pytest.fixture
def answer(tmp_path):
    """Two codons and a letter between genes, of which one has a name with signs of VCF and of spreadsheets."""
    a = "CCC" + "ATGAACGGGTTTTAA" + "CC" + "ATGAAACCCTAA"
    b = "CCC" + "ATGTACGGCTTTTAA" + "CG" + "ATGACCCTAA"
    codings = [Coding("S", ((3, 18),), 1), Coding("=a;b, %c", ((20, 32),), 1)]
    (tmp_path / "b.fa").write_text(f">b\n{b}\n")
    return compare(write_genbank(tmp_path / "a.gb", a, codings), tmp_path / "b.fa")


TEXTS = ["S:N2Y", "S:G3=", "outside genes", "=a;b, %c:K2fs"]


def test_table_and_list_of_variants_have_a_column_more(answer):
    header, *rows = (line.split("\t") for line in answer.to_tsv().splitlines())
    assert header[-1] == "effect"
    assert [row[-1] for row in rows] == [*TEXTS[:3], f"'{TEXTS[3]}"]  # no formula for a spreadsheet
    assert [line.split("\t")[1] for line in answer.to_variants().splitlines()] == [*TEXTS[:3], f"'{TEXTS[3]}"]


def test_files_of_a_pair_without_features_are_as_before(tmp_path):
    found = compare("GATTACA", "GATTTCA")
    assert found.to_tsv().splitlines()[0].split("\t")[-1] == "b_letters"
    assert found.to_variants() == "A5T\n"
    assert "EFFECT" not in found.to_vcf()
    assert json.loads(found.to_json())["effects"] is None
    assert found.effects.size == 0
    assert "effects" not in str(found)


def test_json_and_the_terminal_count_effects(answer):
    found = json.loads(answer.to_json())["effects"]
    assert found["counts"] == {"missense": 1, "frameshift": 1, "synonymous": 1, "outside genes": 1}
    assert [one["text"] for one in found["changes"]] == ["S:N2Y", TEXTS[3]]
    line = next(line for line in str(answer).splitlines() if line.startswith("effects"))
    assert line == f"effects: 1 missense, 1 frameshift, 1 synonymous, 1 outside genes: S:N2Y, {TEXTS[3]}"


def queried(answer, path):
    """Return places and effects as bcftools reads them; what it warns of fails."""
    answer.save(path)
    asked = ["bcftools", "query", "-f", "%POS %INFO/EFFECT\\n", str(path)]
    done = run(asked, check=True, capture_output=True, text=True)
    assert not done.stderr
    return [tuple(line.split(" ")) for line in done.stdout.splitlines()]


@pytest.mark.skipif(which("bcftools") is None, reason="bcftools is not here")
def test_bcftools_reads_the_effects(answer, tmp_path):
    found = queried(answer, tmp_path / "x.vcf")
    assert found == [
        ("7", "S:N2Y"), ("12", "S:G3%3D"), ("20", "outside%20genes"), ("23", "%3Da%3Bb%2C%20%25c:K2fs")
    ]  # fmt: skip


@pytest.mark.skipif(which("bcftools") is None, reason="bcftools is not here")
def test_each_letter_of_a_substitution_has_its_own_effects_in_vcf(tmp_path):
    (tmp_path / "b.fa").write_text(">b\nCCCATGAAACGAGGATAA\n")
    path = write_genbank(tmp_path / "a.gb", "CCCATGAGGGGAGGATAA", [Coding("N", ((3, 18),), 1)])
    found = queried(compare(path, tmp_path / "b.fa"), tmp_path / "x.vcf")
    assert found == [("8", "N:R2K"), ("9", "N:R2K"), ("10", "N:G3R")]
