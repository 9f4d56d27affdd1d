"""Matrices and trees of many pairs, read again by other libraries; neighbour joining on distances of known trees."""

import csv
import io
from types import SimpleNamespace

import numpy as np
import pytest
from Bio import Phylo
from Bio.Nexus.Nexus import Nexus
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.helpers import call
from wavediff.core.export.letter_fields import name_field
from wavediff.core.export.matrix import newick, nexus, phylip, values_csv
from wavediff.core.jobs.choices import Pairing
from wavediff.core.methods.affine import AFFINE
from wavediff.core.reading import parse

# Without the backslash, which Biopython takes for an escape in Newick.
WORDS = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P"), exclude_characters="\\"), min_size=1, max_size=8
)
NAMES = st.lists(WORDS, min_size=2, max_size=9)


def answer(distances, names=None):
    """Return an answer whose pairs are so far apart, 0 to 1."""
    n = len(distances)
    load = parse("".join(f">{name}\nA\n" for name in names or (f"x{k}" for k in range(n))))
    values, shares = np.rint(np.asarray(distances) * 1000), 1 - np.asarray(distances)
    result = SimpleNamespace(values=values, pairs=Pairing.ALL_TO_ALL, shares=shares, method=AFFINE)
    return SimpleNamespace(a=load, b=load, result=result, tree=None)


def text(chunks):
    return b"".join(chunks).decode()


def tree_distances(tree, names):
    leaves = {leaf.name: leaf for leaf in tree.get_terminals()}
    return np.array([[tree.distance(leaves[a], leaves[b]) for b in names] for a in names])


@st.composite
def trees(draw):
    """Return distances between the leaves of a tree, all of whose branches have a length."""
    n = draw(st.integers(2, 9))
    lengths = st.integers(1, 40).map(lambda k: k / 1000)
    paths = [{("leaf", k): draw(lengths)} for k in range(n)]  # of each leaf: its branches up to the root
    groups = [[k] for k in range(n)]
    while len(groups) > 1:
        one, other = (groups.pop(draw(st.integers(0, len(groups) - 1))) for _ in range(2))
        groups.append(one + other)
        branch = draw(lengths)
        for k in one + other if len(groups) > 1 else ():
            paths[k]["group", len(groups), *sorted(one + other)] = branch
    return np.array([[sum((dict(a.items() ^ b.items())).values()) for b in paths] for a in paths])


@given(trees())
def test_neighbour_joining_finds_the_tree_that_distances_are_of(distances):
    names = [f"x{k}" for k in range(len(distances))]
    tree = Phylo.read(io.StringIO(text(newick(answer(distances)))), "newick")
    assert tree_distances(tree, names) == pytest.approx(distances, abs=2e-5)


@given(NAMES)
def test_other_libraries_read_names_and_numbers(names):
    n = len(names)
    distances = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) / 100
    made = answer(distances, names)
    rows = list(csv.reader(io.StringIO(text(values_csv(made)))))
    assert rows[0][1:] == [row[0] for row in rows[1:]] == [name_field(made.a.name(k)) for k in range(n)]
    assert [[float(one) for one in row[1:]] for row in rows[1:]] == np.rint(distances * 1000).tolist()
    first, *lines = text(phylip(made)).splitlines()
    fields = [line.split() for line in lines]
    assert (int(first), len({one[0] for one in fields})) == (n, n)
    assert np.array([one[1:] for one in fields], float) == pytest.approx(distances)
    tree = Phylo.read(io.StringIO(text(newick(made))), "newick")
    assert len({leaf.name for leaf in tree.get_terminals()}) == n


def test_nexus_has_taxa_and_a_triangle():
    names = ["a", "b_1", "c's", "a", "d-e"]
    distances = np.abs(np.subtract.outer(np.arange(5), np.arange(5))) / 100
    found = text(nexus(answer(distances, names)))
    read = Nexus(found)
    assert (read.ntax, [block.title for block in read.unknown_blocks]) == (5, ["distances"])
    labels = found.split("TAXLABELS\n")[1].split("  ;")[0].split()
    assert labels == ["a", "'b_1'", "'c''s'", "'a_2'", "'d-e'"]
    rows = found.split("MATRIX\n")[1].split("  ;")[0].strip().splitlines()
    assert [row.split()[1:] for row in rows] == [[f"{x:.6f}" for x in distances[k, : k + 1]] for k in range(5)]


def test_nexus_and_help_tell_what_the_distances_are(tmp_path, capsys):
    (tmp_path / "x.fa").write_text(">a\nACGTACGTAC\n>b\nACGTACGTAG\n")
    told = {
        "edit": ("[1 - identity by distance, where identity by distance = 1 − distance / longer sequence]", 0.1),
        "affine": (
            "[1 - similarity, where similarity = 2 × score(A, B) / (score(A, A) + score(B, B)), at least 0]",
            0.18,  # 41 of 50
        ),
    }
    for method, (comment, distance) in told.items():
        out = call(capsys, "batch", tmp_path / "x.fa", "-m", method, "--nexus", "-", "--quiet")[1]
        assert comment in out
        assert f"b {distance:.6f} 0.000000" in out
    assert "affine: 1 - similarity" in " ".join(call(capsys, "batch", "--help")[1].split())


def test_batch_writes_them(tmp_path, capsys):
    (tmp_path / "x.fa").write_text(">a\nACGTACGTAC\n>b\nACGTACGTAG\n>c\nTTTTACGTAG\n>d\nTTTTACGGGG\n")
    files = [tmp_path / name for name in ("x.csv", "x.phy", "x.nex", "x.nwk")]
    words = [word for file in files for word in ("-o", file)]
    code, _, err = call(capsys, "batch", tmp_path / "x.fa", *words, "--quiet")
    assert (code, err) == (1, "")
    assert files[0].read_text().splitlines()[1] == "a,0,1,4,6"
    assert files[1].read_text().splitlines()[1].split() == ["a", "0.000000", "0.100000", "0.400000", "0.600000"]
    tree = Phylo.read(files[3], "newick")
    assert tree_distances(tree, "abcd")[0].tolist() == pytest.approx([0, 0.1, 0.4, 0.6])


def test_what_is_no_matrix_is_refused_before_it_is_computed(tmp_path, capsys):
    (tmp_path / "x.fa").write_text(">a\nACGT\n>b\nACG\n")
    both = ["batch", tmp_path / "x.fa", tmp_path / "x.fa"]
    code, _, err = call(capsys, *both, "--csv", "-")
    assert (code, "--csv writes a matrix of all pairs: it needs '--pairs all-to-all'" in err) == (2, True)
    code, out, _ = call(capsys, *both, "--pairs", "all-to-all", "--csv", "-", "--quiet")
    assert (code, out) == (1, ",a,b\na,0,1\nb,1,0\n")
    code, _, err = call(capsys, *both, "--pairs", "all-to-all", "--newick", "-")
    assert (code, "--newick needs all pairs of a single list of records; for A against B use --csv" in err) == (2, True)
