"""A biologist drops an annotated record and a lineage, reads the effects, goes to them, and saves them."""

import subprocess
from shutil import which

import pytest
from Bio import SeqIO

from tests.core.features.test_effects import CORONA, DATA, LINEAGE, lineage, write_genbank
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
LIST, PANEL = "List of differences", "Differences"


def effects(me):
    me.wait_for_first_answer()
    letters = str(SeqIO.read(DATA / "sars_cov_2_MN908947.3.fa", "fasta").seq)
    b = me.folder / "lineage.fa"
    b.write_text(f">lineage\n{lineage(letters)}\n")
    me.drop([write_genbank(me.folder / "record.gb", letters, CORONA), b])
    me.wait_to_see("19 missense")
    me.wait_idle()
    me.picture("effects")
    assert any("7 of A, projected onto B" in line for line in me.read())
    assert {"outside genes", "ORF1ab:T1001I"} <= {row[-1] for row in me.differences()}
    for typed, seen in (("S:N501Y", "codon 501 N"), ("orf8:27", "codon 27 Q"), ("E", "A: CDS E +, codon 1 M")):
        me.key("Ctrl+L")
        me.key("Ctrl+A")
        me.type(typed)
        me.key("Return")
        me.wait_to_see(seen)
    me.picture("gone to")
    me.key("Ctrl+L")
    me.key("Ctrl+A")
    me.type("S:2000")
    me.key("Return")
    me.wait_to_see("S has no codon 2,000")
    kinds = {}
    me.menu("File", "Export the alignment…")
    for kind in me.file_kinds():
        kinds |= {ending: kind for ending in ("vcf", "tsv") if f"*.{ending}" in kind and ending not in kinds}
    me.key("Esc")
    me.wait_until(lambda: not me.file_dialog_is_open(), "the dialog has closed", 20)
    for ending, kind in kinds.items():
        path = me.folder / f"saved.{ending}"
        me.menu("File", "Export the alignment…")
        me.name_files([path], kind)
        me.wait_until(path.exists, f"{path.name} is written", 30)
        me.wait_idle()
        expected = [text for *_, text in LINEAGE]
        if ending == "tsv":
            found = [line.split("\t")[-1] for line in path.read_text().splitlines()[1:]]
            assert [set(text.split("; ")) for text in found] == [set(text.split("; ")) for text in expected]
        elif which("bcftools") is not None:
            asked = ["bcftools", "query", "-f", "%INFO/EFFECT\\n", str(path)]
            done = subprocess.run(asked, check=True, capture_output=True, text=True, timeout=60)
            found = done.stdout.replace("%3D", "=")
            named = {text for line in expected for text in line.split("; ")}
            assert {text.replace("%20", " ") for line in found.split() for text in line.split(",")} == named


def test_effects_of_a_lineage(tmp_path):
    play(Home(tmp_path), effects)
