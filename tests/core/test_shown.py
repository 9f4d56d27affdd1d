"""What a person reads of an LCS: a deletion and the insertion beside it are one substitution; files have both."""

from pathlib import Path

import numpy as np
import pytest

from tests.core.pairs import letters, mutate
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.traceback.verify import verify_alignment
from wavediff.core.methods.base import Ties
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LCS, LcsJob
from wavediff.core.methods.statistics import measures
from wavediff.core.reading import read
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.letters import random_letters

ROOT = Path(__file__).parents[2]
PHIX = ROOT / "tests" / "data" / "phix174_NC_001422.1.fa", ROOT / "tests" / "data" / "phix174_illumina_control.fa"
DEMO = ROOT / "resources" / "demo" / "mt_human_NC_012920.1.fa", ROOT / "resources" / "demo" / "mt_orangutan.fa"


@pytest.mark.parametrize("ties", Ties)
def test_what_is_shown_is_an_alignment_of_the_same_letters_at_the_same_cost(ties):
    rng = np.random.default_rng(4)
    for k in range(100):
        n_letters = 2 + k % 6
        a = random_letters(rng, int(rng.integers(1, 400)), n_letters)
        b = mutate(rng, a, 2 + k % 30, n_letters) if k % 3 else random_letters(rng, 200, n_letters)
        result = run_job(LcsJob(a=a, b=b, ties=ties))
        shown = result.shown
        assert run_to_end(verify_alignment(Step(0), a, b, False, shown)).right
        assert shown.count(Op.EQUAL) == result.length
        cost = 2 * shown.count(Op.MISMATCH) + shown.count(Op.INSERTION) + shown.count(Op.DELETION)
        assert cost == result.alignment.count(Op.INSERTION) + result.alignment.count(Op.DELETION)
        assert not result.alignment.count(Op.MISMATCH)
        assert (shown.ops[1:] != shown.ops[:-1]).all()


def test_halves_of_a_substitution_stay_together():
    """Left-most gaps alone would part them: the inserted T could go before the Ts that precede it."""
    a, b = letters(b"CGATTTTCACCGT"), letters(b"AGATTTTTACCGT")
    apart, together = (run_job(LcsJob(a=a, b=b, ties=ties)) for ties in (Ties.LEFT_MOST, Ties.FEWEST_GAPS))
    assert apart.alignment.cigar() == "1D1I2=1I4=1D5="
    assert together.alignment.cigar() == "1D1I6=1D1I5="
    assert together.shown.cigar() == "1X6=1X5="
    assert LCS.remarks(together) == ["exact"]
    told, written = (
        {one.key: one.value for one in measures(LCS, together, 13, 13, shown=shown)} for shown in (True, False)
    )
    assert (told["mismatches"], told["insertions"], told["deletions"], told["gap_opens"]) == (2, 0, 0, 0)
    assert (written["mismatches"], written["insertions"], written["deletions"], written["gap_opens"]) == (0, 2, 2, 4)


def test_phix_has_five_substitutions_by_either_method():
    a, b = (read(path).sequence(0).letters for path in PHIX)
    lcs, edit = run_job(LcsJob(a=a, b=b, fold_case=True)), run_job(EditJob(a=a, b=b, fold_case=True))
    assert lcs.shown.cigar() == edit.alignment.cigar() == "586=1X245=1X1897=1X61=1X17=1X2575="


def test_the_demo_pair_has_fewer_gaps_at_its_known_cost():
    a, b = (read(path).sequence(0).letters for path in DEMO)
    lcs, edit = run_job(LcsJob(a=a, b=b, fold_case=True)), run_job(EditJob(a=a, b=b, fold_case=True))
    assert (edit.distance, edit.alignment.n_gaps) == (3_315, 283)
    assert lcs.alignment.count(Op.INSERTION) + lcs.alignment.count(Op.DELETION) == 5_136
    assert lcs.shown.n_gaps == 624
