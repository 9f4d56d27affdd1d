"""Trees by UPGMA against a slow oracle and Biopython; trees of made lineages on the command line and in Python."""

import io

import numpy as np
import pytest
from Bio import Phylo
from Bio.Phylo.TreeConstruction import DistanceMatrix, DistanceTreeConstructor
from hypothesis import given
from hypothesis import strategies as st

import wavediff
from tests.app.fakes import fasta
from tests.cli.helpers import call
from tests.core.export.test_matrix import tree_distances
from wavediff.core.export.matrix import grow
from wavediff.core.jobs.choices import TreeMethod
from wavediff.core.jobs.events import run_to_end

TREE = "((one:3,two:3):4,((three:2,four:2):3,(five:4,six:4):1):2);"  # edits on each branch


def mean_heights(distances):
    """Return the height at which each pair meets: the two groups whose members are nearest on average join."""
    groups, heights = [{k} for k in range(len(distances))], np.zeros(distances.shape)
    while len(groups) > 1:
        pairs = [(a, b) for a in groups for b in groups if min(a) < min(b)]
        means = [np.mean([distances[i, j] for i in a for j in b]) for a, b in pairs]
        a, b = pairs[int(np.argmin(means))]
        for i in a:
            for j in b:
                heights[i, j] = heights[j, i] = min(means)
        groups = [one for one in groups if one not in (a, b)] + [a | b]
    return heights


@st.composite
def unlike_distances(draw):
    """Return distances of which no two are near each other, so that no tie decides."""
    n = draw(st.integers(2, 9))
    found, upper = np.zeros((n, n)), np.triu_indices(n, 1)
    seed = draw(st.integers(0, 1 << 32))
    found[upper] = np.random.default_rng(seed).permutation(1 << 12)[: len(upper[0])] / (1 << 12)
    return found + found.T


@given(unlike_distances())
def test_upgma_joins_the_groups_that_are_nearest_on_average(distances):
    tree = run_to_end(grow(distances, TreeMethod.UPGMA))
    read = Phylo.read(io.StringIO(tree.newick([f"x{k}" for k in range(len(distances))])), "newick")
    names = [f"x{k}" for k in range(len(distances))]
    assert tree_distances(read, names) == pytest.approx(mean_heights(distances), abs=2e-5)
    assert sorted(tree.order.tolist()) == list(range(len(distances)))
    assert np.ptp(tree.depths[: len(distances)]) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("method", ["nj", "upgma"])
def test_biopython_makes_the_same_tree_of_a_clock(method):
    """All leaves of one depth, so that both methods find the tree that the distances are of."""
    clock = Phylo.read(io.StringIO("((a:1,b:1):3,((c:1.5,d:1.5):1,e:2.5):1.5);"), "newick")
    distances = tree_distances(clock, "abcde")
    lower = [row[: k + 1].tolist() for k, row in enumerate(distances)]
    peer = getattr(DistanceTreeConstructor(), method)(DistanceMatrix([*"abcde"], lower))
    ours = Phylo.read(io.StringIO(wavediff.tree(distances, "abcde", method)), "newick")
    assert tree_distances(ours, "abcde") == pytest.approx(tree_distances(peer, "abcde"), abs=2e-5)
    assert tree_distances(ours, "abcde") == pytest.approx(distances, abs=2e-5)


@pytest.fixture
def lineages(tmp_path):
    """Six lineages: each branch substitutes letters that no other one touches."""
    root = np.random.default_rng(5).choice(np.frombuffer(b"ACGT", np.uint8), 4_000)
    free, made = iter(range(10, 4_000, 40)), {}

    def descend(clade, letters):
        letters = letters.copy()
        for place in (next(free) for _ in range(int(clade.branch_length or 0))):
            letters[place] = ord("A") if letters[place] != ord("A") else ord("C")
        for child in clade.clades:
            descend(child, letters)
        if not clade.clades:
            made[clade.name] = letters.tobytes().decode()

    descend(Phylo.read(io.StringIO(TREE), "newick").root, root)
    return fasta(tmp_path / "lineages.fa", *made.items())


def splits(tree):
    """Return the leaves on either side of each branch."""
    every = frozenset(leaf.name for leaf in tree.get_terminals())
    sides = [frozenset(leaf.name for leaf in clade.get_terminals()) for clade in tree.find_clades()]
    return {frozenset((one, every - one)) for one in sides if 1 < len(one) < len(every) - 1}


@pytest.mark.parametrize("method", ["nj", "upgma"])
def test_six_lineages_become_their_tree(lineages, tmp_path, capsys, method):
    to, truth = tmp_path / "tree.nwk", Phylo.read(io.StringIO(TREE), "newick")
    code, _, err = call(capsys, "batch", lineages, "--newick", to, "--tree", method, "--quiet")
    assert (code, err) == (1, "")
    found = Phylo.read(to, "newick")
    assert splits(found) == splits(truth)
    if method == "nj":
        names = [leaf.name for leaf in truth.get_terminals()]
        assert tree_distances(found, names) == pytest.approx(tree_distances(truth, names) / 4_000, abs=2e-5)
    records = [wavediff.read(lineages, record=leaf.name) for leaf in truth.get_terminals()]
    named = wavediff.tree(wavediff.batch(records), [one.name for one in records], method)
    assert splits(Phylo.read(io.StringIO(named), "newick")) == splits(truth)


def test_what_is_no_tree_is_refused(lineages, capsys):
    code, _, err = call(capsys, "batch", lineages, lineages, "--tree", "nj")
    assert (code, "--tree writes a matrix of all pairs: it needs '--pairs all-to-all'" in err) == (2, True)
    for wrong in ([[0]], [[0, 1], [2, 0]], [[0, 1, 2], [1, 0, 3]]):
        with pytest.raises(wavediff.WavediffError, match="a symmetric matrix of 2 rows or more is expected"):
            wavediff.tree(wrong)
    with pytest.raises(wavediff.WavediffError, match="1 name of 2 rows"):
        wavediff.tree([[0, 1], [1, 0]], "a")
