"""Short pairs in Python's integers: the same answers as compiled kernels, and nothing compiled or imported for them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.compilers import at_work, ready_names
from tests.core.pairs import mutate
from tests.depth import deeper, examples, some
from wavediff.core.jit.background_compile import BackgroundCompiler
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.events import Planned, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise import short_pair
from wavediff.core.kernels.pairwise.edit.run import run as compiled_edit
from wavediff.core.kernels.pairwise.lcs.run import run as compiled_lcs
from wavediff.core.kernels.uncompiled import run as uncompiled
from wavediff.core.methods.base import SHORT_LETTERS, Ties, TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run import dispatch
from wavediff.core.run.runner import run_job

ROOT = Path(__file__).parents[2]
KINDS = (
    (EditJob, uncompiled.edit, short_pair.edit, compiled_edit),
    (LcsJob, uncompiled.lcs, short_pair.lcs, compiled_lcs),
)
NOBODY = ("/nowhere/python",)  # no child can be started


def same(a, b, **fields):
    """Assert that all kernels of both methods give one answer; return how often ties were looked at."""
    looked_at = 0
    for kind, ours, in_one_call, theirs in KINDS:
        job = kind(a=a, b=b, threads=1, **fields)
        assert job.is_short
        found, wanted = run_to_end(ours(job)), run_to_end(theirs(job))
        assert getattr(found, "length", None) == getattr(wanted, "length", None)
        assert getattr(found, "distance", None) == getattr(wanted, "distance", None)
        assert (found.ties, found.verification, found.n_cells) == (wanted.ties, wanted.verification, wanted.n_cells)
        if a.dtype == np.uint8:
            has_path = wanted.alignment is not None
            value, *runs = in_one_call(job.a, job.b, job.fold_case, has_path, job.ties is Ties.FEWEST_GAPS)
            score = wanted.distance if kind is EditJob else wanted.length
            if value == short_pair.UNSOLVED:  # but where one may contain the other
                assert score == (abs(a.size - b.size) if kind is EditJob else min(a.size, b.size))
            else:
                assert value == score
                assert not has_path or Alignment(*runs).cigar() == wanted.alignment.cigar()
        if wanted.alignment is None:
            assert found.alignment is None
            continue
        assert found.alignment.cigar() == wanted.alignment.cigar()
        looked_at += found.ties.windows + found.ties.unrelated
    return looked_at


def array(letters, dtype=np.uint8):
    return np.array(list(letters), dtype)


@given(
    st.binary(max_size=40) | st.text("ACGTacgt", max_size=90).map(str.encode),
    st.binary(max_size=40) | st.text("ACGTacgt", max_size=90).map(str.encode),
    st.booleans(),
    st.sampled_from(Ties),
    st.sampled_from([TracebackMethod.BLOCKS, TracebackMethod.NONE]),
)
@example(b"", b"", False, Ties.FEWEST_GAPS, TracebackMethod.BLOCKS)
@example(b"", b"ACGT", False, Ties.FEWEST_GAPS, TracebackMethod.NONE)
@example(b"kitten", b"sitting", False, Ties.FEWEST_GAPS, TracebackMethod.BLOCKS)
@examples(400)
def test_both_kernels_give_one_answer(a, b, fold_case, ties, path):
    same(array(a), array(b), fold_case=fold_case, ties=ties, path=path)


@given(st.lists(st.integers(0, 400), max_size=30), st.lists(st.integers(0, 400), max_size=30))
def test_letters_wider_than_bytes_too(a, b):
    same(array(a, np.uint16), array(b, np.uint16))


@deeper
@pytest.mark.parametrize("case", some(42))
def test_gaps_of_mutated_letters_are_the_same(case):
    """Long equal runs, windows between them, gaps of hundreds of letters, unrelated letters: all ties are settled
    alike."""
    rng = np.random.default_rng(case)
    n_codes = 2 + case % 19
    n = (60, 400, 1_500, 2_048)[case % 4]
    a = rng.integers(0, n_codes, n, np.uint8)
    b = mutate(rng, a, n * (case % 5 + 1) // 16, n_codes)
    at = int(rng.integers(0, n // 2))
    b = np.concatenate([b[:at], b[at + n // 3 * (case % 2) :]])[:SHORT_LETTERS]
    looked_at = same(a, b)
    assert looked_at or case % 4 == 0 or n_codes > 3


def test_a_long_gap_in_pieces_becomes_one():
    rng = np.random.default_rng(5)
    a = rng.integers(0, 4, 2_000, np.uint8)
    again = next(k for k in range(1_000, 1_400) if a[k] == a[300])
    b = np.concatenate([a[:301], a[again + 1 : again + 9], a[1_700:]])
    assert same(a, b) + same(b, a) + same(a[:40], a) + same(a[:9][::-1].copy(), a)


@pytest.mark.parametrize("n", [1, 400])
def test_skipped_cells_would_have_taken_as_long_as_the_others(n):
    """Of few cells nothing is known but their start."""
    a, b = (np.concatenate((np.zeros(n, np.uint8), np.full(n, letter, np.uint8))) for letter in (1, 2))
    steps, cells, seconds = uncompiled.edit(EditJob(a=a, b=b)), 0, 0.0
    try:
        while True:
            event = next(steps)
            if isinstance(event, StepDone) and event.kernel == "uncompiled":
                cells, seconds = event.cells, event.seconds
    except StopIteration as end:
        (skip,) = end.value.skips
    assert (cells, skip.cells) == (n * n, 3 * n * n)
    if n == 400:
        assert skip.seconds == pytest.approx(3 * seconds)
    else:
        assert skip.seconds < seconds


def test_a_stop_is_heard_and_its_block_is_shown():
    job = EditJob(a=array(b"kitten"), b=array(b"sitting"))
    steps = uncompiled.edit(job)
    planned = next(steps)
    assert isinstance(planned, Planned)
    assert planned.block_map.tolist() == [[BlockState.WAITING]]
    run_to_end(steps)
    assert planned.block_map.tolist() == [[BlockState.PATH]]


def test_short_jobs_are_those_without_a_choice_of_blocks_bands_or_ends():
    a, long = array(b"ACGT"), np.zeros(SHORT_LETTERS + 1, np.uint8)
    assert EditJob(a=a, b=a).is_short
    others = [
        EditJob(a=a, b=long),
        EditJob(a=a, b=a, block_rows=512),
        EditJob(a=a, b=a, band=BandMode.NONE),
        EditJob(a=a, b=a, ends=Ends.A),
        LcsJob(a=a, b=a, strategy=Strategy.FULL),
        LcsJob(a=a, b=a, path=TracebackMethod.HIRSCHBERG),
    ]
    assert not [job for job in others if job.is_short]


def test_a_pair_does_not_wait_for_a_child_and_asks_it_for_the_next(monkeypatch):
    """Where children compile, a short pair is computed without what they have not got."""
    compiler = BackgroundCompiler(command=NOBODY)
    at_work(monkeypatch, compiler)
    wanted = []
    monkeypatch.setattr(compiler, "expect", wanted.append)
    job = EditJob(a=array(b"kitten"), b=array(b"sitting"))
    kernels = []
    assert run_job(job, report=lambda event: kernels.append(getattr(event, "kernel", ""))).distance == 3
    assert "uncompiled" in kernels
    assert wanted == list(job.modules.uncompiled.compiled)
    ready_names(compiler).update(wanted)
    assert not dispatch.runs_uncompiled(job)


def test_many_short_pairs_are_worth_a_compiler(monkeypatch):
    """Before Numba is imported: kernels that are kept are loaded after some pairs, others compiled later."""
    job = EditJob(a=array(b"kitten"), b=array(b"sitting"))
    monkeypatch.setattr(dispatch, "_COMPILER", "no such module")
    for kept, letters, wanted in (
        (True, dispatch.LOAD_LETTERS, True),
        (True, dispatch.LOAD_LETTERS + 1, False),
        (False, dispatch.COMPILE_LETTERS, True),
        (False, dispatch.COMPILE_LETTERS + 1, False),
    ):
        monkeypatch.setattr(dispatch, "_is_kept", lambda _, kept=kept: kept)
        monkeypatch.setattr(dispatch, "_uncompiled_letters", letters)
        assert dispatch.runs_uncompiled(job) is wanted
    assert dispatch.resolve(job, compiled=True).run is compiled_edit


@pytest.mark.parametrize("method", ["edit", "lcs"])
def test_short_dna_is_compared_without_a_compiler(method, tmp_path):
    """By the command line, with the look at shared k-mers and a drawing of the terminal, and by the functions."""
    rng = np.random.default_rng(3)
    a = rng.choice(np.frombuffer(b"ACGT", np.uint8), 2_000)
    b = np.concatenate([a[:700], a[730:1_500], a[1_499:]])
    for name, letters in (("a", a), ("b", b)):
        (tmp_path / f"{name}.fa").write_bytes(b">" + name.encode() + b"\n" + letters.tobytes() + b"\n")
    paths = [str(tmp_path / "a.fa"), str(tmp_path / "b.fa")]
    asked = (
        "import sys\n"
        "from pathlib import Path\n"
        "import wavediff\n"
        "a, b, method = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]\n"
        "answer = wavediff.compare(a, b, method=method)\n"
        "print(answer, answer.to_tsv(), answer.to_json()[:9], len(answer._repr_html_()) > 9)\n"
        "from wavediff.app.commands.cli import main\n"
        "main(['compare', str(a), str(b), '--method', method, '--color', 'never'])\n"
        "print(sorted(name for name in sys.modules if name in ('numba', 'llvmlite', 'cupy', 'PySide6')))\n"
    )
    environment = {"WAVEDIFF_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT / ".ci" / "package")}
    done = subprocess.run(
        [sys.executable, "-c", asked, *paths, method], capture_output=True, text=True, env=environment, timeout=100
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[-1] == "[]"
    assert "2 gaps" in lines[0]
    assert lines.count(lines[0]) == 2, "the answer of the function and that of the command"


@pytest.mark.parametrize("method", ["lines", "words"])
def test_small_texts_are_compared_without_numba(method, tmp_path):
    lines = (ROOT / "core" / "kernels" / "uncompiled" / "run.py").read_text(encoding="utf-8").splitlines()
    for name, letters in (("a", lines), ("b", [*lines[:30], "added", *lines[40:90], *lines[91:]])):
        (tmp_path / f"{name}.txt").write_text("\n".join(letters), encoding="utf-8")
    asked = (
        "import sys\n"
        "from wavediff.app.commands.cli import main\n"
        "main(['compare', sys.argv[1], sys.argv[2], '--method', sys.argv[3]])\n"
        "print('numba' in sys.modules)\n"
    )
    environment = {"WAVEDIFF_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT / ".ci" / "package")}
    command = [sys.executable, "-c", asked, str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), method]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100)
    assert (done.stderr, done.stdout.splitlines()[-1]) == ("", "False")
    assert not list(tmp_path.rglob("*.nb?"))


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32])
def test_units_are_aligned_as_by_compiled_kernels(dtype):
    rng = np.random.default_rng(5)
    a = rng.integers(0, 300, SHORT_LETTERS).astype(dtype)
    same(a, a[rng.random(a.size) < 0.8])


def test_kmers_of_short_letters_are_those_of_the_table(monkeypatch):
    from wavediff.core.screening import run as screening
    from wavediff.core.screening.shared_kmers import ScreenJob

    rng = np.random.default_rng(8)
    letters = np.frombuffer(b"ACGTN", np.uint8)
    for n in (0, 15, 16, 17, 200, 2_000):
        a = letters[rng.choice(5, n, p=[0.3, 0.2, 0.2, 0.29, 0.01])]
        b = np.concatenate([a[n // 2 :], a[: n // 3], a[:20]])
        job = ScreenJob(a=a, b=b)
        short = run_to_end(screening.run(job))
        with monkeypatch.context() as patch:
            patch.setattr(screening, "SHORT_LETTERS", -1)
            table = run_to_end(screening.run(job))
        assert short.n_unique == table.n_unique
        for ours, theirs in ((short.plus, table.plus), (short.minus, table.minus)):
            assert ours.a_places.tolist() == theirs.a_places.tolist()
            assert ours.b_places.tolist() == theirs.b_places.tolist()
        assert n < 200 or short.plus.n_seeds
