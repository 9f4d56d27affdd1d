"""Scores of many pairs are those of each pair alone."""

import numpy as np
import pytest

from tests.core.affine import align, related, some_letters
from tests.core.pairs import letters
from tests.core.running import stopped
from tests.oracles import affine as oracle
from wavediff.core.base.errors import InputError, NotEnoughMemory
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Progress, StepDone
from wavediff.core.kernels.affine import pairs as kernel
from wavediff.core.kernels.batch import batch_plan
from wavediff.core.methods.affine import AFFINE
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.reading import parse
from wavediff.core.reading.load import comparable_pools, with_common_characters
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.characters import simple_folding
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.scoring.scheme import ScoringScheme, default_scheme
from wavediff.core.sequences.sequence import Alphabet, SequencePool

PROTEIN, DNA = default_scheme(proteins=True), default_scheme(proteins=False)
GAPS = [None, None], [12, 12], [100, 1], [2.5, 0.5]


def sequences(seed, n, scheme):
    rng = np.random.default_rng(seed)
    one = some_letters(rng, 150, scheme)
    sizes = [0, 1, 63, 64, 65, 128]
    own = [some_letters(rng, sizes[k % 6] if k < 6 else int(rng.integers(200)), scheme) for k in range(n // 2)]
    return own + [related(rng, one, scheme) for _ in range(n - n // 2)]


def alone(a, b, scheme):
    return align(a, b, scheme, path=TracebackMethod.NONE, threads=1).score


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("default", [PROTEIN, DNA], ids=["protein", "dna"])
def test_all_against_all_and_pair_by_pair(default, gaps, threads):
    a, b = sequences(1, 12, default), sequences(2, 9, default)
    scheme = default if gaps[0] is None else ScoringScheme(default.matrix, *gaps)
    choices = {"method": AFFINE, "options": {"gap_open": gaps[0], "gap_extend": gaps[1]}, "threads": threads}
    values = run_job(BatchJob(a=SequencePool.of(a), b=SequencePool.of(b), pairs=Pairing.ALL_TO_ALL, **choices)).values
    assert values.tolist() == [[alone(x, y, scheme) for y in b] for x in a]
    values = run_job(
        BatchJob(a=SequencePool.of(a[:9]), b=SequencePool.of(b), pairs=Pairing.ONE_TO_ONE, **choices)
    ).values
    assert values.tolist() == [alone(x, y, scheme) for x, y in zip(a, b, strict=False)]


def test_one_file_against_itself():
    a = sequences(3, 15, PROTEIN)
    values = run_job(BatchJob(a=SequencePool.of(a), b=None, method=AFFINE, threads=2)).values
    assert values.tolist() == [[alone(x, y, PROTEIN) for y in a] for x in a]


def test_two_sequences_are_alike_when_they_score_as_with_themselves():
    a = [letters(one) for one in (b"WWWW", b"WWCC", b"", b"XX")]
    shares = run_job(BatchJob(a=SequencePool.of(a), b=None, method=AFFINE)).shares
    assert np.diag(shares).tolist() == [1, 1, 1, 1]
    assert shares[0, 1] == pytest.approx(2 * max(0, 22 - 4) / (44 + 40))
    assert shares[0, 2] == shares[2, 3] == 0
    both = SequencePool.of(a[:2])
    assert run_job(BatchJob(a=both, b=both, pairs=Pairing.ONE_TO_ONE, method=AFFINE)).shares.tolist() == [1, 1]


def test_pairs_of_one_file_are_numbered_without_a_gap():
    n = 300
    found = [kernel.pair_of(kernel.HALF, n, k) for k in range(n * (n + 1) // 2)]
    assert found == [(i, j) for j in range(n) for i in range(j + 1)]
    k = (1 << 31) * ((1 << 31) + 1) // 2
    assert kernel.pair_of(kernel.HALF, 1 << 32, k) == (0, 1 << 31)
    assert kernel.pair_of(kernel.HALF, 1 << 32, k - 1) == ((1 << 31) - 1, (1 << 31) - 1)


def test_what_is_reported_adds_up():
    events = []
    a = sequences(4, 40, PROTEIN)
    job = BatchJob(a=SequencePool.of(a), b=SequencePool.of(a), method=AFFINE, threads=2)
    result = run_job(job, report=events.append)
    steps = [e for e in events if isinstance(e, StepDone) and e.kernel == "pairs"]
    assert (sum(e.cells for e in steps), sum(e.calls for e in steps)) == (job.n_cells, 1600)
    assert max(e.done for e in events if isinstance(e, Progress)) == result.n_pairs == 1600


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_a_long_pair_too(threads):
    rng = np.random.default_rng(1)
    pool = SequencePool.of([some_letters(rng, 100_000, PROTEIN) for _ in range(2)])
    stopped(BatchJob(a=pool, b=pool, method=AFFINE, threads=threads), "pairs")


def test_a_letter_without_a_score_is_refused_with_its_record():
    pool = SequencePool.of([letters(b"ACGT"), letters(b""), letters(b"AC-T")])
    with pytest.raises(InputError, match=r"^A, record 3: the letter '-' has no score in the matrix BLOSUM62"):
        run_job(BatchJob(a=pool, b=None, method=AFFINE))


def test_answers_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(batch_plan, "available_memory", lambda: 1 << 20)
    pool = SequencePool.of([letters(b"A")] * 6000)
    with pytest.raises(NotEnoughMemory, match=r"6,000 x 6,000 answers need 0\.7 GB"):
        run_job(BatchJob(a=pool, b=pool, method=AFFINE))


@pytest.mark.parametrize(
    "pool", [SequencePool.of([]), SequencePool.of([letters(b"")]), SequencePool.of([letters(b"")] * 3)]
)
def test_nothing_to_compare(pool):
    for b in (pool, None):
        assert run_job(BatchJob(a=pool, b=b, method=AFFINE)).values.tolist() == [[0] * len(pool)] * len(pool)


@pytest.mark.parametrize("fold_case", [False, True])
def test_texts_score_alone_and_in_batches_by_their_letters(fold_case):
    """Case that is ignored scores as equal, in all scripts: 40 capitals with their small letters are 80 characters."""
    letters_ = "".join(chr(0x410 + k) for k in range(32)) + "KAb, "
    a, b = f"{letters_}{letters_.lower()}\u212a", f"{letters_.lower()}{letters_[:9]}{letters_}k"
    loads = with_common_characters(*(parse(one.encode(), read_as=ReadAs.TEXT) for one in (a, b)))
    pools = comparable_pools(*loads, fold_case)
    many = run_job(BatchJob(a=pools[0], b=pools[1], method=AFFINE, fold_case=fold_case, alphabets=[Alphabet.TEXT]))
    one = run_job(AFFINE.job(*(load.sequence(0) for load in loads), {}, fold_case=fold_case))
    x, y = ([simple_folding(each) if fold_case else each for each in text] for text in (a, b))
    codes = sorted({*x, *y})
    scores = 2 * np.identity(len(codes), np.int64) - 1
    table = oracle.tables([codes.index(each) for each in x], [codes.index(each) for each in y], scores, 2, 1)[0]
    assert one.score == many.values[0, 0] == table[-1, -1]


def test_a_text_with_letters_that_a_matrix_lacks_is_refused():
    pool = SequencePool(np.arange(100, 500, dtype=np.uint16), np.array([0, 400]))
    job = BatchJob(a=pool, b=pool, method=AFFINE, alphabets=[Alphabet.TEXT], options={"matrix": "BLOSUM62"})
    with pytest.raises(InputError, match=r"^A, record 1: a letter of the text has no score in the matrix BLOSUM62"):
        run_job(job)
