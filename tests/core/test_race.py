"""A race: every kernel alone, in its order, its own events; failures and differences are told and stop nobody."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.app.alignments import sequence
from tests.core.pairs import letters
from wavediff.core.base.errors import BackendUnavailable, Cancelled, DeviceLost, DeviceOutOfMemory, NotEnoughMemory
from wavediff.core.export import race as export
from wavediff.core.jobs import KernelModules, card_limits
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import KernelTiming, RaceRun, StepDone
from wavediff.core.methods import EDIT, LCS, METHODS, SWAP
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob, LcsKernel
from wavediff.core.methods.race_job import MAX_KERNELS, make_race_job, race_kernels
from wavediff.core.methods.race_result import Stage
from wavediff.core.run import race_run
from wavediff.core.run.race_run import ONLY_NUMBER, race_obstacle, unfit
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.letter_rules import Ambiguity

A, B = letters(b"ACGTACGTACGGT"), letters(b"ACTTACGACGGTA")
PAIR_A, PAIR_B = sequence("ACGTACGTACGGT"), sequence("ACTTACGACGGTA")
HERE = __name__
fault: dict[str, Any] = {}


def run(job):
    """Stand in for the LCS; ``fault`` says by path what is wrong with it."""
    from wavediff.core.jobs.alignment import Alignment, Op
    from wavediff.core.jobs.lcs_result import LcsResult

    yield StepDone(job.id, "blocks", 1, 100, 0.002)
    yield StepDone(job.id, "upload", 1, 0, 0.001)
    wrong = fault.get(str(job.path), 0)
    if isinstance(wrong, BaseException):
        raise wrong
    ops, lengths = np.array([Op.EQUAL], np.uint8), np.array([5], np.int64)
    alignment = None if job.path is TracebackMethod.NONE else Alignment(ops, lengths)
    return LcsResult(
        job_id=job.id, length=5 + wrong, alignment=alignment, strategy="full", reason="as the test has it", n_cells=100,
        cells=100, device="cpu", kernel_seconds=0.003, wall_seconds=0.005 if wrong else 0.004,
    )  # fmt: skip


@pytest.fixture
def fakes(monkeypatch):
    fault.clear()
    monkeypatch.setattr(LcsJob, "modules", KernelModules(cpu=HERE, gpu=None))
    return fault


def raced(*ids, path=True, **more):
    seen = []
    job = make_race_job(LCS, ids, PAIR_A, PAIR_B, fold_case=False, path=path, **more)
    return run_job(job, report=seen.append), seen


def test_kernels_run_one_after_the_other_round_by_round(fakes):
    result, seen = raced("cpu", "hirschberg", rounds=2)
    marks = [(one.result is None, one.leg, one.round) for one in seen if isinstance(one, RaceRun)]
    assert marks == [(begins, leg, turn) for turn in (0, 1) for leg in (0, 1) for begins in (True, False)]
    ids, inside = [leg.recorded.job_id for leg in result.legs], None
    assert len(set(ids)) == 2
    for one in seen:
        if isinstance(one, RaceRun):
            inside = ids[one.leg] if one.result is None else None
        elif isinstance(one, StepDone):
            assert one.job_id == inside
    assert not [one for one in seen if isinstance(one, KernelTiming)], "no line that adds up different kernels"
    assert [leg.seconds for leg in result.legs] == [(0.004, 0.004)] * 2
    assert result.agree
    assert result.verdict() == "Both agree: longest common subsequence 5, identical alignments"


def test_runs_of_less_than_a_second_have_three_rounds(fakes, monkeypatch):
    """Unless so many are asked for; a longer run has one."""
    result, seen = raced("cpu", "hirschberg")
    assert [len(leg.seconds) for leg in result.legs] == [3, 3]
    assert result.rounds == 3
    assert [one.leg for one in seen if isinstance(one, RaceRun) and one.result is None] == [0, 1] * 3
    monkeypatch.setattr(race_run, "SHORT_RUN_SECONDS", 0.004)
    result, _ = raced("cpu", "hirschberg")
    assert ([len(leg.seconds) for leg in result.legs], result.rounds) == ([1, 1], 1)
    assert [len(leg.seconds) for leg in raced("cpu", rounds=2)[0].legs] == [2]


@pytest.mark.parametrize("method", [EDIT, LCS, SWAP])
def test_the_number_is_that_of_the_answer(method):
    """Three N in B: edits and common letters of a comparison leave them out, and so does the race."""
    a = sequence("ACGTACGTTAGACCATTAGACAGTTACCATGAGACATTAGC")
    b = sequence("ACGTNNNTTAGRCCATTAGACAGTTACCTTGAGACATTAGC")  # three N, an R instead of an A, a substitution
    ids = tuple(one.id for one in method.race_kernels if one.device == "cpu")[:2]
    for ambiguity in (Ambiguity.MISSING, Ambiguity.LETTERS):
        job = make_race_job(method, ids, a, b, fold_case=True, path=True, ambiguity=ambiguity)
        result = run_job(job)
        answer = replace(run_job(job.legs[0].job), ambiguity=ambiguity)
        number = next(word for word in method.headline(answer, len(a), len(b)).split() if word.isdigit())
        assert {leg.shown for leg in result.legs} == {int(number)}
        whole = method.value(answer)
        assert result.legs[0].answer == whole
        assert f": {method.long_name} {number}" in result.verdict()
        assert ("ambiguity codes" in result.verdict()) == (whole != int(number))
    number_only = run_job(make_race_job(method, ids[:1], a, b, fold_case=True, path=False))
    assert number_only.legs[0].shown == whole


def test_stages_add_up_to_the_whole(fakes):
    (leg,) = raced("cpu")[0].legs
    stages = leg.stages()
    assert list(stages) == list(Stage)
    assert sum(stages.values()) == pytest.approx(leg.best)
    assert (stages[Stage.BLOCKS], stages[Stage.TRANSFER]) == (0.002, 0.001)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_no_kernel_claims_cells_that_it_leaves_out(method):
    """Equal ends and blocks with known borders are left out whatever is asked for."""
    ends = "ACGTTGCA" * 20
    a, b = (sequence(f"{ends}{middle}{ends}") for middle in ("GATTACAGATTACA" * 9, "CATGCATTTAGC" * 11))
    for one in method.race_kernels:
        if one.device == "cpu" and unfit(method, one, path=True) is None:
            result = run_job(method.job(a, b, one.options, fold_case=True))
            claims = any(word in " ".join((one.name, one.tip, result.reason)) for word in ("all cells", "every cell"))
            assert not claims or result.cells >= result.n_cells, one


def test_answers_that_differ_are_said_plainly(fakes):
    fakes["hirschberg"] = 2
    result, _ = raced("cpu", "hirschberg", "cpu-full")
    assert not result.agree
    assert result.answers == (5, 7)
    assert result.verdict().startswith("THE ANSWERS DIFFER, so at least one kernel is wrong: longest common")
    assert "CPU 5, Hirschberg, CPU 7, CPU, no band 5" in result.verdict()
    assert result.fastest is result.legs[0]


def test_a_kernel_that_fails_is_out_and_the_others_go_on(fakes):
    fakes["hirschberg"] = NotEnoughMemory("needs 9 GB, 1 GB is free")
    result, seen = raced("hirschberg", "cpu", rounds=3)
    assert [leg.failure for leg in result.legs] == ["needs 9 GB, 1 GB is free", ""]
    assert result.verdict() == "Only CPU came to an answer: longest common subsequence 5"
    assert [one.leg for one in seen if isinstance(one, RaceRun) and one.result is None] == [0, 1, 1, 1]
    assert len(export.tsv(result.legs).splitlines()) == 3
    fakes["checkpoints"] = MemoryError()
    result, _ = raced("cpu")
    assert result.legs[0].failure == "out of memory"
    assert result.verdict() == "No kernel came to an answer"
    fakes["checkpoints"] = ZeroDivisionError("a defect")
    with pytest.raises(ZeroDivisionError):
        raced("cpu")


@pytest.mark.parametrize("error", [DeviceOutOfMemory("no room"), DeviceLost("gone")])
def test_nothing_takes_the_place_of_a_card_that_fails(fakes, monkeypatch, error):
    """A race whose GPU was the CPU in truth would lie."""
    from tests.gpu import fake_cupy, fake_twin

    fake_cupy.install(monkeypatch)
    fake_twin.Twin.reset()
    fake_twin.Twin.error = error
    monkeypatch.setattr(LcsJob, "modules", KernelModules(cpu=HERE, gpu=fake_twin.HERE))
    result, _ = raced("gpu", "cpu")
    assert [(leg.device, leg.answer, leg.failure) for leg in result.legs] == [("gpu", None, str(error)), ("cpu", 5, "")]
    lost = isinstance(error, DeviceLost)
    assert (race_obstacle(LCS, race_kernels(LCS)["gpu"], path=True) is not None) is lost


def test_a_card_says_of_sequences_too_long_for_it_that_they_are(fakes, monkeypatch):
    from tests.gpu import fake_cupy, fake_twin

    fake_cupy.install(monkeypatch)
    fake_twin.Twin.reset()
    monkeypatch.setattr(card_limits, "MAX_LETTERS", 3)
    monkeypatch.setattr(LcsJob, "modules", KernelModules(cpu=HERE, gpu=fake_twin.HERE))
    result, _ = raced("gpu", "cpu")
    assert result.legs[0].failure.startswith("the GPU compares sequences of up to 3 letters, and one has ")
    assert (result.legs[1].answer, fake_twin.Twin.ran) == (5, [])


def test_stop_ends_it_inside_a_kernel(fakes):
    cancel, closed = CancelToken(), []

    def report(event):
        if isinstance(event, RaceRun):
            closed.append(event.leg)
        if isinstance(event, StepDone):
            cancel.cancel()

    with pytest.raises(Cancelled):
        run_job(
            make_race_job(LCS, ("cpu", "cpu-full"), PAIR_A, PAIR_B, fold_case=False, path=False),
            report=report,
            cancel=cancel,
        )
    assert closed == [0]


def test_who_cannot_race_and_why():
    known = race_kernels(LCS)
    assert race_obstacle(LCS, known["cpu"], path=False) is None
    assert race_obstacle(LCS, known["hirschberg"], path=False) == ONLY_NUMBER
    assert race_obstacle(LCS, known["hirschberg"], path=True) is None
    for bad in ((), ("cpu",) * 2, tuple(known)[: MAX_KERNELS + 1]):
        with pytest.raises(ValueError, match="different kernels can race"):
            make_race_job(LCS, bad, PAIR_A, PAIR_B, fold_case=False, path=True)
    with pytest.raises(ValueError, match="rounds"):
        make_race_job(LCS, ("cpu",), PAIR_A, PAIR_B, fold_case=False, path=True, rounds=-1)


def test_every_kernel_makes_the_job_that_it_is_named_for():
    for method, kind in ((LCS, LcsJob), (EDIT, EditJob)):
        ids = tuple(race_kernels(method))
        assert len(set(ids)) == len(method.race_kernels)
        for id_ in ids:
            job = make_race_job(method, (id_,), PAIR_A, PAIR_B, fold_case=True, path=False, threads=3)
            (leg,) = job.legs
            assert type(leg.job) is kind
            assert (leg.job.fold_case, leg.job.path, leg.job.threads) == (True, TracebackMethod.NONE, 3)
    paper = make_race_job(LCS, ("kawanami",), PAIR_A, PAIR_B, fold_case=False, path=True).legs[0]
    assert (paper.job.kernel, paper.race_kernel.device) == (LcsKernel.KAWANAMI, "gpu")


@pytest.mark.parametrize("method", [method for method in METHODS if method.race_kernels], ids=str)
def test_the_real_kernels_of_the_cpu_agree(method):
    pytest.importorskip("numba")
    ids = tuple(one.id for one in method.race_kernels if one.device == "cpu")
    result = run_job(make_race_job(method, ids, PAIR_A, PAIR_B, fold_case=False, path=True))
    assert result.agree
    assert len(result.answers) == 1
    assert all(leg.best > 0 and leg.timings for leg in result.legs)


def test_a_leg_without_its_device_fails_and_is_told(monkeypatch):
    def refuse(_job, _device, **_):
        raise BackendUnavailable("GPU: there is none")

    monkeypatch.setattr("wavediff.core.run.race_run.resolve", refuse)
    result, _ = raced("gpu")
    assert result.legs[0].failure == "GPU: there is none"
    assert replace(result, legs=()).fastest is None
