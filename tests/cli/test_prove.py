"""``compare`` says how a score was checked, and ``--prove`` puts a seal into what it writes."""

import json
import random

import pytest

from tests.app.fakes import fasta
from tests.cli.helpers import call
from wavediff.core.methods import method as method_by_id


@pytest.fixture
def pair(tmp_path):
    letters = random.Random(1)
    a = "".join(letters.choices("ACGT", k=1200))
    return fasta(tmp_path / "a.fa", ("a", a)), fasta(tmp_path / "b.fa", ("b", a[:500] + "T" + a[510:]))


@pytest.mark.parametrize("method", ["edit", "swap", "lcs", "affine"])
def test_the_seal_is_in_all_that_has_room_for_one(pair, tmp_path, capsys, method):
    out = {kind: tmp_path / f"out.{kind}" for kind in ("paf", "sam", "vcf", "json", "tsv")}
    files = [word for kind, path in out.items() for word in (f"--{kind}", path)]
    code, text, _ = call(capsys, "compare", "-v", *pair, "--method", method, "--prove", *files)
    assert code == 1
    read = json.loads(out["json"].read_text())
    assert read["verified"] is True
    proof = read["proof"]
    seal = proof["text"].split(" (")[0]
    assert seal.startswith("came out the same by ")
    assert f"checked: {seal} ({proof['device'].upper()}" in text
    assert f"\tzp:Z:{method_by_id(method).long_name} {proof['score']:,} {seal}\t" in out["paf"].read_text()
    lines = out["sam"].read_text().splitlines()
    assert [line for line in lines if line.startswith("@CO\t") and line.endswith(seal)]
    assert [line for line in out["vcf"].read_text().splitlines() if line.startswith("##wavediffProof=")]
    assert "same by" not in out["tsv"].read_text()


def test_without_it_files_are_as_they_were_and_json_has_the_check(pair, tmp_path, capsys):
    paf, sam = tmp_path / "out.paf", tmp_path / "out.sam"
    _, text, _ = call(capsys, "compare", "-v", *pair, "--json", "-", "--quiet", "--paf", paf, "--sam", sam)
    read = json.loads(text)
    assert (read["verified"], read["proof"]) == (True, None)
    assert read["verification"] == {
        "check": "recomputed", "share": 1.0, "text": "computed again in full by another kernel"
    }  # fmt: skip
    assert "zp:Z" not in paf.read_text()
    assert "@CO" not in sam.read_text()
    _, text, _ = call(capsys, "compare", "-v", *pair)
    assert "checked: computed again in full by another kernel" in text.splitlines()


def test_what_is_not_verified_says_so(pair, capsys):
    _, text, _ = call(capsys, "compare", *pair, "--band", "2", "--json", "-", "--quiet")
    read = json.loads(text)
    assert (read["exact"], read["verified"], read["verification"], read["proof"]) == (False, False, None, None)
    code, text, error = call(capsys, "compare", *pair, "--band", "2", "--prove", "--json", "-")
    assert (code, "an upper bound cannot be verified" in error) == (1, True)
    assert json.loads(text)["proof"] is None, "the answer is written all the same"


def test_the_summary_says_how_to_verify_what_is_not(tmp_path, capsys):
    letters = random.Random(2)
    a, b = ("".join(letters.choices("ACGT", k=1500)) for _ in range(2))
    files = fasta(tmp_path / "a.fa", ("a", a)), fasta(tmp_path / "b.fa", ("b", b))
    _, text, _ = call(capsys, "compare", "-v", *files, "--method", "swap", "--traceback", "none")
    assert "checked: not verified; --prove" in text
    _, text, _ = call(capsys, "compare", "-v", *files, "--method", "swap", "--traceback", "none", "--prove")
    assert "checked: came out the same by" in text
