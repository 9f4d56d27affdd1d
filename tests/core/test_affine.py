"""The score is that of Gotoh's tables and of parasail; the alignment is the one that the rule for ties chooses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.affine import GAPS, SCHEMES, align, expected, peer_score, random_scheme, related, rescored, some_letters
from tests.core.pairs import letters
from tests.depth import deeper, examples, some
from wavediff.core.base.errors import InputError
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import run_to_end
from wavediff.core.kernels.affine.run import run
from wavediff.core.methods.affine import AFFINE, AffineJob, AffineKernel
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.sequences.scoring.builtin import built_in
from wavediff.core.sequences.scoring.matrix import SubstitutionMatrix
from wavediff.core.sequences.scoring.scheme import ScoringScheme, default_scheme
from wavediff.core.sequences.sequence import Alphabet, Sequence

PROTEIN, DNA = default_scheme(proteins=True), default_scheme(proteins=False)
EDGES = (1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200)


@pytest.mark.parametrize(
    ("scheme", "a", "b", "score", "cigar"),
    [
        (DNA, b"", b"", 0, ""),
        (DNA, b"A", b"", -10, "1D"),
        (DNA, b"", b"ACG", -11, "3I"),
        (DNA, b"A", b"A", 5, "1="),
        (DNA, b"A", b"C", -4, "1X"),
        (DNA, b"ACGTACGT", b"ACGTCGT", 25, "4=1D3="),
        (DNA, b"AAAA", b"AA", -0.5, "2D2="),  # as far left as it can lie
        (DNA, b"GATTACA", b"GATTTTACA", 24.5, "2=2I5="),
        (PROTEIN, b"HEAGAWGHEE", b"PAWHEAE", 1, None),
        (PROTEIN, b"W", b"WWWWW", 11 - 14, "4I1="),
        (ScoringScheme(built_in("BLOSUM62"), 1, 1), b"WC", b"CW", 7, "1D1=1I"),  # 11 - 1 - 1 = 9 with the W, see below
    ],
)
def test_small_pairs(scheme, a, b, score, cigar):
    result = align(letters(a), letters(b), scheme)
    want = expected(letters(a), letters(b), scheme)
    assert (result.units, result.alignment.cigar()) == want
    if cigar is not None and scheme.gap_open > 1:
        assert (result.score, result.alignment.cigar()) == (score, cigar)


def text_sequence(text):
    codes = letters(text.encode("latin-1"))
    counts = np.bincount(codes, minlength=256)
    return Sequence(letters=codes, name="x", alphabet=Alphabet.TEXT, counts=counts)


@given(st.text("abcßé 1A", max_size=12), st.text("abcßé 1A", max_size=12))
@examples(60)
def test_a_text_scores_1_for_a_match_and_minus_1_for_a_mismatch(a, b):
    """Its letters need no matrix; each byte or character counts as itself, whatever its case."""
    one, other = (text_sequence(each) for each in (a, b))
    job = AFFINE.job(one, other, {}, fold_case=False)
    assert job.scoring.text == "match 1, mismatch -1, gaps 2 + 1"
    rows = [[1 if x == y else -1 for y in other.letters] for x in one.letters]
    best = {(0, 0, "M"): 0.0}
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            for before, step in (("M", (1, 1)), ("D", (1, 0)), ("I", (0, 1))):
                from_i, from_j = i - step[0], j - step[1]
                if from_i < 0 or from_j < 0:
                    continue
                for kind in "MDI":
                    if (from_i, from_j, kind) not in best:
                        continue
                    cost = rows[from_i][from_j] if before == "M" else -1 if kind == before else -2
                    here = best[from_i, from_j, kind] + cost
                    best[i, j, before] = max(best.get((i, j, before), here), here)
    want = max(score for (i, j, _), score in best.items() if (i, j) == (len(one), len(other)))
    assert run_to_end(run(job)).score == want
    assert job.scoring.matrix.letters == ("".join(sorted({*a, *b})) or " ")


def test_a_gap_costs_its_opening_and_an_extension_for_every_further_letter():
    for n in (1, 2, 3, 10):
        assert align(letters(b""), letters(b"A" * n), PROTEIN).score == -11 - (n - 1)


@deeper
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: s.text)
def test_random_pairs_score_as_in_parasail(scheme):
    """Ten thousand with the 45 schemes together."""
    pytest.importorskip("parasail")
    rng = np.random.default_rng(sum(scheme.text.encode()))
    for k in some(10_000 // len(SCHEMES) + 1):
        a = some_letters(rng, int(rng.integers(1, 60 if k % 20 else 400)), scheme)
        b = related(rng, a, scheme) if k % 2 else some_letters(rng, int(rng.integers(1, 60)), scheme)
        path = TracebackMethod.BLOCKS if k % 3 else TracebackMethod.NONE
        if b.size:
            assert align(a, b, scheme, path=path, threads=1).score == peer_score(a, b, scheme)


@pytest.mark.parametrize("scheme", SCHEMES[:: len(GAPS)] + SCHEMES[5 :: len(GAPS)], ids=lambda s: s.text)
def test_the_alignment_is_the_oracle_s_whatever_the_blocks_and_the_threads(scheme):
    rng = np.random.default_rng(3)
    for n in EDGES:
        a = some_letters(rng, n, scheme)
        for b in (some_letters(rng, int(rng.choice(EDGES)), scheme), related(rng, a, scheme)):
            want = expected(a, b, scheme)
            for threads, rows, cols in ((1, 0, 0), (2, 1, int(rng.integers(1, 90))), (1, 65, 64)):
                found = align(a, b, scheme, threads=threads, block_rows=rows, block_cols=cols)
                assert (found.units, found.alignment.cigar()) == want


@deeper
@pytest.mark.parametrize("reach", [3, 10, 100, 126, 127, 128, 1000, 32766, 32767])
def test_differences_fit_up_to_the_last_number(reach):
    rng = np.random.default_rng(reach)
    for _ in some(40):
        scheme = random_scheme(rng, reach)
        assert scheme.reach == reach
        assert scheme.fits_bytes == (reach <= 127)
        a, b = (some_letters(rng, int(rng.integers(1, 90)), scheme) for _ in "ab")
        found = align(a, b, scheme, block_rows=64, block_cols=31)
        assert (found.units, found.alignment.cigar()) == expected(a, b, scheme)


def test_scores_beyond_any_narrow_number_are_right():
    n = 30_000
    a = letters(b"W" * n)
    assert align(a, a, PROTEIN).score == 11 * n
    assert align(a, a[: n // 3], PROTEIN, path=TracebackMethod.NONE).score == 11 * (n // 3) - 11 - (n - n // 3 - 1)
    assert align(a, letters(b"C" * n), DNAISH, path=TracebackMethod.NONE).score == -4 * n
    for n in range(2_170, 2_190):  # where 16 bits no longer suffice for the cells of the recurrence
        gotoh = {"path": TracebackMethod.NONE, "kernel": AffineKernel.GOTOH}
        assert align(a[:n], a[:n], PROTEIN, **gotoh).score == 11 * n
        assert align(a[:n], letters(b"P" * n), PROTEIN, **gotoh).score == max(-4 * n, -2 * (11 + n - 1))


DNAISH = ScoringScheme(SubstitutionMatrix("own", "WC", np.array([[5, -4], [-4, 5]], np.int16)), 10, 5)


@st.composite
def cases(draw):
    scheme = draw(st.sampled_from(SCHEMES))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    a = some_letters(rng, draw(st.integers(0, 700)), scheme)
    b = related(rng, a, scheme) if draw(st.booleans()) else some_letters(rng, draw(st.integers(0, 700)), scheme)
    return scheme, a, b, draw(st.sampled_from([0, 100, 333])), draw(st.sampled_from([0, 70, 256]))


@examples(150)
@given(cases())
def test_the_columns_score_what_is_reported_and_no_gap_could_lie_further_left(case):
    scheme, a, b, rows, cols = case
    result = align(a, b, scheme, block_rows=rows, block_cols=cols)
    assert result.score == pytest.approx(rescored(a, b, result), abs=1e-9)
    assert result.units == align(a, b, scheme, path=TracebackMethod.NONE, threads=2).units
    assert result.units == align(a, b, scheme, path=TracebackMethod.NONE, kernel=AffineKernel.GOTOH).units
    runs, i, j = list(result.alignment.runs()), 0, 0
    codes = scheme.matrix.codes
    for k, (op, n) in enumerate(runs):
        before_pair = k and runs[k - 1][0] in (Op.EQUAL, Op.MISMATCH)
        after_pair = k + 1 == len(runs) or runs[k + 1][0] in (Op.EQUAL, Op.MISMATCH)
        if op == Op.INSERTION and before_pair and after_pair:
            row = scheme.matrix.scores[codes[a[i - 1]]]
            assert row[codes[b[j + n - 1]]] < row[codes[b[j - 1]]]
        if op == Op.DELETION and before_pair and after_pair:
            column = scheme.matrix.scores[:, codes[b[j - 1]]]
            assert column[codes[a[i + n - 1]]] < column[codes[a[i - 1]]]
        i, j = i + n * (op != Op.INSERTION), j + n * (op != Op.DELETION)


def test_counts_of_columns():
    result = align(letters(b"HEAGAWGHEE"), letters(b"HEAGAWKHEEE"), PROTEIN)
    columns = result.columns
    assert (columns.identities, columns.pairs, columns.gaps, columns.gap_letters) == (9, 10, 1, 1)
    assert columns.positives == 9
    assert columns.total == 11
    # I and V score 3: alike, and not identical.
    columns = align(letters(b"IIII"), letters(b"VIIV"), PROTEIN).columns
    assert (columns.identities, columns.positives) == (2, 4)
    # A and T score 0.
    columns = align(letters(b"WAW"), letters(b"WTW"), PROTEIN).columns
    assert (columns.identities, columns.positives) == (2, 2)


def test_case_changes_identities_and_no_score():
    a, b = letters(b"acgtAC"), letters(b"ACGTAC")
    folded, exact = align(a, b, DNA, fold_case=True), align(a, b, DNA, fold_case=False)
    assert folded.score == exact.score == 30
    assert folded.alignment.cigar() == "6="
    assert exact.alignment.cigar() == "4X2="
    assert folded.identical
    assert not exact.identical
    assert exact.columns.positives == 6


@pytest.mark.parametrize(
    ("scheme", "letter", "like"), [(PROTEIN, b"J", b"X"), (PROTEIN, b"u", b"X"), (DNA, b"U", b"T"), (DNA, b"x", b"N")]
)
def test_letters_that_a_matrix_lacks_score_as_others(scheme, letter, like):
    a = letters(b"ACGTACGT".replace(b"T", letter))
    other = letters(b"ACGTACGT".replace(b"T", like))
    assert align(a, other, scheme).score == align(other, other, scheme).score


def test_a_stop_codon_has_scores_of_its_own():
    assert align(letters(b"*"), letters(b"*"), PROTEIN).score == 1
    assert align(letters(b"A*"), letters(b"AA"), PROTEIN).score == 0


@pytest.mark.parametrize("scheme", [PROTEIN, DNA], ids=["protein", "dna"])
def test_a_letter_without_a_score_is_refused(scheme):
    with pytest.raises(InputError, match=r"the query: the letter '-' has no score in the matrix"):
        align(letters(b"ACGT"), letters(b"AC-T"), scheme)


@pytest.mark.parametrize(
    ("gaps", "message"),
    [((1, 2), "at least as much to open"), ((3, -1), "neither less than 0"), ((1.001, 1), "two decimals"),
     ((20_000, 1), "too large"), ((400, 0.01), "too large")],
)  # fmt: skip
def test_costs_that_cannot_be_are_refused(gaps, message):
    with pytest.raises(ValueError, match=message):
        ScoringScheme(built_in("BLOSUM62"), *gaps)


@pytest.mark.parametrize(("gaps", "scale"), [((10, 0.5), 2), ((11, 1), 1), ((1.1, 0.25), 20), ((1.01, 0.99), 100)])
def test_costs_with_decimals_are_scaled_to_whole_numbers(gaps, scale):
    scheme = ScoringScheme(built_in("DNAfull"), *gaps)
    assert (scheme.scale, scheme.open, scheme.extend) == (scale, round(gaps[0] * scale), round(gaps[1] * scale))


def test_jobs_that_cannot_be_are_refused():
    a = letters(b"A")
    with pytest.raises(ValueError, match="Hirschberg"):
        AffineJob(a=a, b=a, scoring=DNA, path=TracebackMethod.HIRSCHBERG)
    with pytest.raises(ValueError, match="score only"):
        AffineJob(a=a, b=a, scoring=DNA, kernel=AffineKernel.GOTOH)
