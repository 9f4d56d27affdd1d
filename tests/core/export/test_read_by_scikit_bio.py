"""Exports that scikit-bio reads, where it is installed: matrices, trees, aligned pairs and CIGARs."""

from itertools import combinations
from random import Random

import pytest

from tests.cli.helpers import call
from tests.core.features.test_effects import Coding, write_genbank
from wavediff.core.run.api import compare

skbio = pytest.importorskip("skbio", reason="scikit-bio is not installed")


@pytest.fixture
def many(tmp_path):
    """Seven sequences, each made from the one before, in one file; names have blanks and signs of Newick."""
    random, letters, names = Random(2), list("ACGT" * 30), ["a", "b b", "c'c", "d(1)", "e_e", "f:2", "g"]
    rows = []
    for name in names:
        for _ in range(random.randrange(2, 9)):
            letters[random.randrange(len(letters))] = random.choice("ACGT")
        rows.append(f">{name.replace(' ', '_')}\n{''.join(letters)}\n")
    (tmp_path / "x.fa").write_text("".join(rows))
    return tmp_path / "x.fa", [name.replace(" ", "_") for name in names]


def test_matrices_and_trees(many, tmp_path, capsys):
    path, names = many
    files = {ending: tmp_path / f"x.{ending}" for ending in ("phy", "csv", "nwk")}
    code, _, err = call(capsys, "batch", path, *(word for one in files.values() for word in ("-o", one)), "--quiet")
    assert (code, err) == (1, "")
    distances = skbio.DistanceMatrix.read(str(files["phy"]), format="phylip_dm", strict=False)
    edits = skbio.DistanceMatrix.read(str(files["csv"]), format="lsmat", delimiter=",")
    assert distances.ids == edits.ids == tuple(names)
    assert edits.data / 120 == pytest.approx(distances.data, abs=1e-6)
    tree = skbio.TreeNode.read(str(files["nwk"]), format="newick", convert_underscores=False)
    theirs = skbio.tree.nj(distances)
    for one, other in combinations(names, 2):
        ends = (tree.find(one), tree.find(other)), (theirs.find(one), theirs.find(other))
        assert ends[0][0].distance(ends[0][1]) == pytest.approx(ends[1][0].distance(ends[1][1]), abs=1e-5)


def test_aligned_pairs_and_cigars(tmp_path):
    answer = compare("GATTACAGATTACACC", "GATACAGATTTACACG")
    answer.save(tmp_path / "x.fasta")
    rows = skbio.TabularMSA.read(str(tmp_path / "x.fasta"), format="fasta", constructor=skbio.DNA)
    assert [str(row.degap()) for row in rows] == ["GATTACAGATTACACC", "GATACAGATTTACACG"]
    path = skbio.alignment.PairAlignPath.from_cigar(answer.cigar)
    assert path.to_aligned([str(row.degap()) for row in rows]) == [str(row) for row in rows]


def test_a_record_has_the_features_that_scikit_bio_reads(tmp_path):
    codings = [Coding("S", ((3, 18),), 1), Coding("T", ((40, 52), (20, 32)), -1)]
    path = write_genbank(tmp_path / "a.gb", "ACGT" * 15, codings)
    theirs = skbio.DNA.read(str(path), format="genbank")
    found = compare(path, "ACGT" * 15).a.features
    ours = [(one.name, one.strand, sorted(one.parts)) for one in map(found.feature, range(len(found.names)))]
    assert ours == [
        (one.metadata["gene"].strip('"'), -1 if one.metadata["strand"] == "-" else 1, sorted(one.bounds))
        for one in theirs.interval_metadata.query(metadata={"type": "CDS"})
    ]
