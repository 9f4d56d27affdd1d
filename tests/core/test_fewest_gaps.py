"""Of all alignments of least cost the one with the fewest gap openings: against the whole tables, and in windows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.core.pairs import mutate
from tests.depth import deeper, some
from tests.oracles import gap_openings
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.jobs.results import TieBreak
from wavediff.core.kernels.traceback import fewest_gaps as module
from wavediff.core.kernels.traceback import path_windows, window_solver
from wavediff.core.kernels.traceback.fewest_gaps import fewest_gaps
from wavediff.core.kernels.traceback.tie_rules import is_like_shuffled
from wavediff.core.kernels.traceback.verify import verify_alignment
from wavediff.core.kernels.traceback.window_runs import count_edits
from wavediff.core.methods.base import Ties
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.letters import random_letters

METHODS = [pytest.param(False, id="edit"), pytest.param(True, id="lcs")]
DATA = Path(__file__).parents[1] / "data"


def edits(path):
    return int(path.lengths[path.ops != Op.EQUAL].sum())


def openings(path, *, paired):
    return count_edits(path.ops, path.lengths, paired)[1]


def path_of(a, b, *, paired):
    """An alignment of least cost as the walk through the matrix leaves it."""
    kind = LcsJob if paired else EditJob
    job = kind(a=a, b=b, ties=Ties.LEFT_MOST)
    return run_job(job).alignment


def settle(a, b, path, *, paired, threads=1, **more):
    """``path`` with fewer gaps, its letters, cost and gaps looked at."""
    n = min(a.size, b.size)
    differ = np.flatnonzero(a[:n] != b[:n])
    prefix = int(differ[0]) if differ.size else n
    found = run_to_end(
        fewest_gaps(Step(0), path, a, b, prefix, window_solver.COMPILED, paired=paired, threads=threads, **more)
    )
    assert run_to_end(verify_alignment(Step(0), a, b, False, found.alignment)).right
    assert edits(found.alignment) == edits(path)
    assert openings(found.alignment, paired=paired) <= openings(path, paired=paired)
    return found


@pytest.fixture
def even_unrelated(monkeypatch):
    monkeypatch.setattr(module, "SURELY_ALIKE", 9.0)


def _pairs(rng, n, m, k, n_letters, alike):
    """``k`` pairs, each letter of B that of A near there, but for a share of others."""
    a = rng.integers(0, n_letters, (k, n), dtype=np.uint8)
    near = np.minimum(np.arange(m)[None, :] + rng.integers(0, 3, (k, 1)), max(n - 1, 0))
    b = np.take_along_axis(a, near, axis=1) if n else np.zeros((k, m), np.uint8)
    other = rng.random((k, m)) >= alike
    b[other] = rng.integers(0, n_letters, int(other.sum()), dtype=np.uint8)
    return a, b


@deeper
@pytest.mark.usefixtures("even_unrelated")
@pytest.mark.parametrize("paired", METHODS)
@pytest.mark.parametrize("n_letters", [2, 3, 4, 20])
@pytest.mark.parametrize("alike", [0.0, 0.5, 0.9])
def test_no_alignment_of_least_cost_has_fewer_gaps(paired, n_letters, alike):
    rng = np.random.default_rng([n_letters, int(10 * alike), paired])
    seen = fewer = 0
    for n, m in ((5, 5), (9, 7), (12, 12), (11, 16), (24, 21), (30, 33)):
        rows, columns = _pairs(rng, n, m, len(some(100)), n_letters, alike)
        cost, least = gap_openings.fewest(rows, columns, substitution=2 if paired else 1)
        for a, b, total, gaps in zip(rows, columns, cost, least, strict=True):
            before = path_of(a, b, paired=paired)
            found = settle(a, b, before, paired=paired)
            assert edits(found.alignment) == total
            assert openings(found.alignment, paired=paired) == gaps
            assert found.ties.nearby == 0
            fewer += openings(before, paired=paired) > gaps
            seen += 1
    assert seen == 6 * len(some(100))
    assert fewer > 0  # or nothing was tried


def _dna(seed, n):
    return random_letters(np.random.default_rng(seed), n, 4)


@pytest.mark.parametrize("paired", METHODS)
def test_deletions_from_phage_lambda_are_one_gap_each(paired):
    text = "".join((DATA / "lambda_NC_001416.1.fa").read_text().split("\n")[1:])
    whole = np.frombuffer(text.encode(), np.uint8)
    without = np.concatenate([whole[:5000], whole[5009:20000], whole[20040:30000], whole[30300:]])
    before = path_of(whole, without, paired=paired)
    found = settle(whole, without, before, paired=paired)
    assert found.alignment.cigar() == "5000=9D14990=40D9960=300D18203="
    assert edits(found.alignment) == 349
    assert before.n_gaps > 50


@pytest.mark.parametrize("paired", METHODS)
@pytest.mark.parametrize("divergence", [0.002, 0.02, 0.1])
def test_windows_are_solved_alike_by_any_number_of_threads(paired, divergence, monkeypatch):
    rng = np.random.default_rng(7)
    a = _dna(1, 40_000)
    b = mutate(rng, a, int(divergence * a.size), 4)
    before = path_of(a, b, paired=paired)
    one = settle(a, b, before, paired=paired)
    assert openings(one.alignment, paired=paired) < openings(before, paired=paired)
    assert one.ties.windows > 0
    monkeypatch.setattr(window_solver, "THREAD_CELLS", 1)
    monkeypatch.setattr(window_solver, "CALL_CELLS", 1 << 10)
    for threads in (2, 3):
        more = settle(a, b, before, paired=paired, threads=threads)
        assert more.alignment.cigar() == one.alignment.cigar()
        assert more.ties == one.ties
    again = settle(a, b, one.alignment, paired=paired)
    assert again.alignment.cigar() == one.alignment.cigar()


@pytest.mark.parametrize("paired", METHODS)
def test_large_windows_are_cut_and_solved_near_the_path_and_that_is_told(paired, monkeypatch):
    rng = np.random.default_rng(3)
    a = _dna(2, 30_000)
    b = mutate(rng, a, 1_500, 4)
    before = path_of(a, b, paired=paired)
    monkeypatch.setattr(window_solver, "ALL_CELLS", 1 << 30)
    monkeypatch.setattr(window_solver, "EXACT_CELLS", (1 << 14, 1 << 30))
    whole = settle(a, b, before, paired=paired)
    assert whole.ties.nearby == 0
    monkeypatch.setattr(window_solver, "ALL_CELLS", 1)
    monkeypatch.setattr(window_solver, "EXACT_CELLS", (1, 1))
    near = settle(a, b, before, paired=paired)
    assert 0 < near.ties.nearby <= near.ties.windows  # of some a single gap is all there can be
    for each in (module, path_windows):
        monkeypatch.setattr(each, "MOST_LETTERS", 1 << 10)
    cut = settle(a, b, before, paired=paired)
    assert cut.ties.windows > near.ties.windows
    fewest, gaps = (openings(one.alignment, paired=paired) for one in (whole, cut))
    assert fewest <= gaps <= 1.05 * fewest < openings(before, paired=paired)


@pytest.mark.parametrize("paired", METHODS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_gap_of_any_length_is_passed_in_no_time(paired, turned):
    a = _dna(5, 300_000)
    left, right = 1000, 290_000
    b = np.concatenate([a[:left], a[right:]])
    # The same path with the gap in pieces, as a walk may leave it: letters that happen to be equal in its midst.
    x = a[left : left + 1]
    again = next(k for k in range(left + 40, right) if a[k] == x[0])
    ops = [Op.EQUAL, Op.DELETION, Op.EQUAL, Op.DELETION, Op.EQUAL]
    b = np.concatenate([a[:left], x, a[right:]])
    lengths = [left, again - left, 1, right - again - 1, a.size - right]
    if turned:
        a, b = b, a
        ops = [Op.INSERTION if op is Op.DELETION else op for op in ops]
    before = Alignment(np.array(ops, np.uint8), np.array(lengths, np.int64))
    found = settle(a, b, before, paired=paired)
    assert found.alignment.n_gaps == 1
    assert found.ties.nearby == 0


def test_columns_that_must_stay_do():
    rng = np.random.default_rng(11)
    a = _dna(9, 2_000)
    b = mutate(rng, a, 200, 4)
    before = path_of(a, b, paired=False)
    columns = np.cumsum(before.lengths)
    pick = np.flatnonzero(before.ops == Op.MISMATCH)[::5]
    first, last = columns[pick] - before.lengths[pick], columns[pick]
    found = settle(a, b, before, paired=False, kept=lambda _: (first, last))
    assert openings(found.alignment, paired=False) < openings(before, paired=False)

    def nodes(path):
        n, op = path.lengths, path.ops
        ends = np.cumsum(n * (op != Op.INSERTION)), np.cumsum(n * (op != Op.DELETION))
        return [(int(i), int(j)) for i, j in zip(*ends, strict=True)]

    stay = {nodes(before)[k] for k in pick}
    assert stay <= set(nodes(found.alignment))


@pytest.mark.usefixtures("even_unrelated")
def test_a_cheaper_alignment_is_a_failure():
    a = np.frombuffer(b"ACGTTGCAACGT", np.uint8)
    path = Alignment(np.array([Op.DELETION, Op.MISMATCH, Op.INSERTION], np.uint8), np.array([1, 11, 1], np.int64))
    with pytest.raises(SelfCheckFailed, match="for less"):
        run_to_end(fewest_gaps(Step(0), path, a, a, 0, window_solver.COMPILED, paired=False))


@pytest.mark.parametrize("paired", METHODS)
def test_a_pair_no_more_alike_than_shuffled_letters_is_left_and_that_is_told(paired):
    for n_letters in (2, 4, 20):
        a, b = (random_letters(np.random.default_rng(seed), 1500, n_letters) for seed in (1, 2))
        before = path_of(a, b, paired=paired)
        found = settle(a, b, before, paired=paired)
        assert found.ties.unrelated
        assert found.alignment is before
        b = mutate(np.random.default_rng(1), a, 150, n_letters)
        assert not settle(a, b, path_of(a, b, paired=paired), paired=paired).ties.unrelated


@pytest.mark.parametrize("paired", METHODS)
def test_letters_that_the_longer_one_has_more_are_no_sign_of_chance(paired):
    """A with 3,200 letters among its own, in four places: they cost more than shuffled letters do, and are gaps."""
    rng = np.random.default_rng(5)
    a = random_letters(rng, 1200, 4)
    b = np.concatenate([part for k in range(0, 1200, 300) for part in (a[k : k + 300], random_letters(rng, 800, 4))])
    b[:1200:97] = (b[:1200:97] + 1) % 4
    found = settle(a, b, path_of(a, b, paired=paired), paired=paired)
    assert not found.ties.unrelated
    n, m, quarter = a.size, b.size, a.size * b.size // 4
    assert not is_like_shuffled(n, m, m - n, quarter, paired=paired)
    assert is_like_shuffled(n, m, m - n + n, quarter, paired=paired)


@pytest.mark.parametrize("paired", METHODS)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("n", [40, 4321])
def test_a_stretch_of_random_letters_that_only_one_has_is_one_gap(paired, turned, n):
    """The path scatters it over thousands of letters, more than a window computes; one look along them finds it.

    No substitution is near: one that is may be saved by scattering, which costs less.
    """
    rng = np.random.default_rng(n)
    a = random_letters(rng, 60_000, 4)
    b = a.copy()
    b[5000::10_000] = (b[5000::10_000] + 1) % 4
    b = np.concatenate([b[:30_000], random_letters(rng, n, 4), b[30_000:]])
    if turned:
        a, b = b, a
    found = settle(a, b, path_of(a, b, paired=paired), paired=paired)
    gap = int(Op.DELETION if turned else Op.INSERTION)
    columns = found.alignment.lengths[found.alignment.ops == gap]
    assert columns.max() == n
    assert openings(found.alignment, paired=paired) == 1
    assert found.ties.nearby == 0


@pytest.mark.parametrize("kind", [LcsJob, EditJob, SwapEditJob])
@pytest.mark.parametrize("turned", [False, True])
def test_a_gene_in_its_genome_has_a_gap_on_either_side(kind, turned):
    """The walk scatters 1,500 letters over 60,000, and its windows are too large to be solved whole."""
    genome = random_letters(np.random.default_rng(1), 60_000, 4)
    gene = genome[20_000:21_500]
    a, b = (gene, genome) if turned else (genome, gene)
    job = kind(a=a, b=b)
    found, left_most = run_job(job), run_job(replace(job, ties=Ties.LEFT_MOST))
    gap = "I" if turned else "D"
    assert found.alignment.cigar() == f"20000{gap}1500=38500{gap}"
    assert found.ties == TieBreak(Ties.FEWEST_GAPS, windows=1)
    assert edits(found.alignment) == edits(left_most.alignment) == 58_500
    assert left_most.alignment.n_gaps > 100
