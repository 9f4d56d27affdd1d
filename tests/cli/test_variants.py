"""``compare --vcf``, ``--variants`` and ``--sam``: what bcftools and samtools read of them, and what they make of A."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.helpers import DEMO, ROOT, call
from wavediff.core.sequences.letter_rules import Ambiguity

NEEDED = ("bcftools", "samtools", "bgzip", "tabix")
MISSING = [name for name in NEEDED if shutil.which(name) is None]
needs_tools = pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)} (Debian: bcftools samtools tabix)")
PHIX = tuple(ROOT / "resources" / "demo" / f"phix174_{name}.fa" for name in ("NC_001422.1", "illumina_control"))
every_method = pytest.mark.parametrize("method", ["edit", "lcs", "swap", "affine"])


def tool(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def letters(path):
    return "".join(line for line in path.read_text().split("\n") if not line.startswith(">")).upper()


def consensus(reference, records, *words):
    """Return what bcftools makes of the reference by the records, after it has found that they fit it."""
    assert "realigned/skipped:" in tool("bcftools", "norm", "-c", "e", "-f", reference, "-o", "/dev/null", records)
    packed = records.with_suffix(".vcf.gz")
    packed.unlink(missing_ok=True)
    tool("bgzip", "-k", records)
    tool("tabix", "-f", packed)
    out = records.with_suffix(".fa")
    tool("bcftools", "consensus", *words, "-f", reference, "-o", out, packed)
    return letters(out)


@pytest.fixture
def compared(tmp_path, capsys):
    """Compare two files and return the VCF; A is copied, as an index comes to lie beside it."""

    def run(a, b, method, *words):
        shutil.copy(a, tmp_path / "reference.fa")
        records = tmp_path / "out.vcf"
        code, _, err = call(capsys, "compare", a, b, "--method", method, "--vcf", records, "--quiet", *words)
        assert (code, err) in ((0, ""), (1, ""))
        return records

    return run


@needs_tools
@pytest.mark.thorough
@every_method
@pytest.mark.parametrize("pair", [DEMO, PHIX], ids=["mitochondria", "phages"])
def test_bcftools_makes_b_of_a(compared, tmp_path, method, pair):
    records = compared(*pair, method)
    sample = tool("bcftools", "query", "-l", records).split("\n")[0]
    made = consensus(tmp_path / "reference.fa", records, "--sample", sample, "--missing", "N")
    assert made == letters(Path(pair[1]))


@needs_tools
@pytest.mark.thorough
@every_method
def test_bcftools_makes_b_of_a_where_they_have_little_in_common(compared, tmp_path, method):
    rng = random.Random(1)
    for _ in range(6):
        paths = []
        for name in "ab":
            text = "".join(rng.choice("ACGT") for _ in range(rng.randint(1, 60)))
            paths.append(tmp_path / f"{name}.fa")
            paths[-1].write_text(f">{name}\n{text}\n")
        (tmp_path / "reference.fa.fai").unlink(missing_ok=True)
        records = compared(*paths, method)
        assert consensus(tmp_path / "reference.fa", records) == letters(paths[1])


@needs_tools
@pytest.mark.thorough
def test_open_letters_of_b_stay_those_of_a_or_become_n(compared, tmp_path):
    rng = random.Random(2)
    text = [rng.choice("ACGT") for _ in range(400)]
    (tmp_path / "a.fa").write_text(f">a\n{''.join(text)}\n")
    before = text[60:90], text[200]
    text[60:90], text[200], text[300] = "N" * 30, "R", {"A": "C"}.get(text[300], "A")
    (tmp_path / "b.fa").write_text(f">b\n{''.join(text)}\n")
    records = compared(tmp_path / "a.fa", tmp_path / "b.fa", "edit")
    text[60:90], text[200] = before
    assert consensus(tmp_path / "reference.fa", records) == "".join(text)
    text[60:90], text[200] = "N" * 30, "N"
    assert consensus(tmp_path / "reference.fa", records, "-s", "b", "-M", "N") == "".join(text)
    assert len(tool("bcftools", "view", "-H", "-v", "snps", records).splitlines()) == 1


REFERENCE_WITH_CODES = ("ACGTRCCATGACTTAGCATYCAAGCT", "ACGTCCATGACTTAGCATGCAAGCT")  # its R and its Y are not in B


@needs_tools
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("a", "b", "n_records"),
    [
        (*REFERENCE_WITH_CODES, 2),
        (  # R to a base, Y deleted
            "GCTGCGTCTGAAGTCCTATCRCCAGCTTTGCGCTTTAGATYGGCTTAACTCATACCAGTC",
            "GCTGCGTCTGAAGTCCTATCCCCAGCTTTGCGCTTTAGATGGCTTAACTCATACCAGTC",
            2,
        ),
        ("ACGTKACGTMACGTSWACGT", "ACGTGACGTCACGTSWACGA", 2),
        ("RACGTYYACGT", "ACGTACGTN", 2),
    ],
)
def test_bcftools_consensus_applies_records_at_codes_of_a(tmp_path, capsys, a, b, n_records):
    for name, text in (("a", a), ("b", b)):
        (tmp_path / f"{name}.fa").write_text(f">{name}\n{text}\n")
    records = tmp_path / "out.vcf"
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    code, _, err = call(capsys, "compare", *paths, "--vcf", records)
    assert code == 1
    assert f"note: VCF: {n_records} records at ambiguity codes of A: REF is the code itself" in err
    tool("bgzip", "-k", records)
    tool("tabix", "-f", records.with_suffix(".vcf.gz"))
    tool("bcftools", "consensus", "-f", paths[0], "-o", tmp_path / "made.fa", records.with_suffix(".vcf.gz"))
    assert letters(tmp_path / "made.fa") == b
    with pytest.raises(AssertionError, match="Non-ACGTN reference allele"):  # as our notice says
        tool("bcftools", "norm", "-c", "e", "-f", paths[0], "-o", "/dev/null", records)


def test_strict_vcf_has_the_first_base_of_a_code(tmp_path, capsys):
    for name, text in zip("ab", REFERENCE_WITH_CODES, strict=True):
        (tmp_path / name).write_text(f">{name}\n{text}\n")
    code, out, err = call(capsys, "compare", tmp_path / "a", tmp_path / "b", "--vcf", "-", "--vcf-strict")
    rows = [line.split("\t") for line in out.splitlines() if not line.startswith("#")]
    assert (code, [(row[1], row[3], row[4]) for row in rows]) == (1, [("4", "TA", "T"), ("20", "C", "G")])
    assert "note: VCF: 2 records at ambiguity codes of A: REF is the first base of the code" in err


@needs_tools
@pytest.mark.thorough
def test_bcftools_calls_the_substitutions_from_our_sam(tmp_path, capsys):
    reference, out, packed = tmp_path / "reference.fa", tmp_path / "out.sam", tmp_path / "out.bam"
    shutil.copy(PHIX[0], reference)
    listed = call(capsys, "compare", *PHIX, "--quiet", "--sam", out, "--variants", "-")[1].split()
    assert all(re.fullmatch(r"[ACGT]\d+[ACGT]", one) for one in listed)
    tool("samtools", "sort", "-o", packed, out)
    tool("samtools", "index", packed)
    tool("bcftools", "mpileup", "-f", reference, "-o", tmp_path / "pile.vcf", packed)
    tool("bcftools", "call", "-mv", "--ploidy", "1", "-o", tmp_path / "called.vcf", tmp_path / "pile.vcf")
    called = tool("bcftools", "query", "-f", "%REF%POS%ALT\n", tmp_path / "called.vcf").split()
    assert called == listed != []


def test_proteins_have_variants(tmp_path, capsys):
    for name, text in (("p", "MSNNKWLLEEFRHQ"), ("q", "MSYNKWLLEEFRHQ")):
        (tmp_path / name).write_text(f">{name}\n{text}\n")
    assert call(capsys, "compare", tmp_path / "p", tmp_path / "q", "--quiet", "--variants", "-")[1] == "N3Y\n"


@pytest.mark.parametrize("rule", Ambiguity)
def test_variants_are_the_differences_that_the_answer_counts(tmp_path, capsys, rule):
    a, b = "ACGTACGTTTGCANGCCATGRACCGATTACAGGATCCATTAGCCATG", "ACGNACGTCTGCAGGCCATGAACCRATTACAGGNTCCATTAGCYATGTTT"
    for name, letters in (("a.fa", a), ("b.fa", b)):
        (tmp_path / name).write_text(f">{name}\n{letters}\n")
    files, lines = (tmp_path / "a.fa", tmp_path / "b.fa"), tmp_path / "variants"
    words = ("compare", *files, "--ambiguity", rule, "--quiet", "--variants", lines, "--json", "-")
    counts = json.loads(call(capsys, *words)[1])["statistics"]
    found = lines.read_text().splitlines()
    assert ("N14G" in found, "C44Y" in found) == (rule is Ambiguity.LETTERS, rule is not Ambiguity.COMPATIBLE)
    assert sum("ins" not in one for one in found) == counts["mismatches"]
