"""A child fills the cache of compiled kernels, since compiling in the process would stall the window."""

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from tests.core.compilers import ahead_now, at_work, nothing_ready, ready_names
from wavediff.core.jit import background_compile
from wavediff.core.jit.background_compile import ALL, ON_REQUEST_OPTION, STAGE, BackgroundCompiler, KernelSet
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Progress, Step
from wavediff.core.system.program import CHECKOUT_PACKAGE, child_command

ROOT = Path(__file__).parents[2]

# Answers every wish after a moment, and tells nothing else.
FAKE = """
import json, sys, time
for line in sys.stdin:
    time.sleep(0.05)
    print(json.dumps({"ready": [line.strip()]}), flush=True)
"""


def fake(program):
    return sys.executable, "-c", program


@pytest.fixture
def ahead(monkeypatch):
    monkeypatch.setattr(background_compile, "_answered", False)  # by no other test
    monkeypatch.setattr(background_compile, "_cached", None)
    compiler = BackgroundCompiler(command=fake(FAKE))
    yield compiler
    compiler.close()
    assert gone(compiler)


def gone(compiler):
    end = time.monotonic() + 20
    while compiler.pid is not None and time.monotonic() < end:
        time.sleep(0.01)
    return compiler.pid is None


def test_a_kernel_is_waited_for_and_asked_for_once(ahead):
    seen = list(ahead.wait_for(Step(3), "blocks", "blocks 2"))
    assert {(e.job_id, e.stage, e.unit) for e in seen} == {(3, f"{STAGE} blocks", "steps")}
    assert {(e.done, e.total) for e in seen} == {(2, 4)}
    assert ahead.has("blocks 2")
    assert list(ahead.wait_for(Step(3), "blocks", "blocks 2")) == []
    assert not ahead.has("blocks 3")


def test_the_step_of_a_first_start_is_the_first_of_which_nothing_is_ready(ahead, monkeypatch):
    at_work(monkeypatch, ahead, cached=())
    assert background_compile.first_start() is None, "no child is at work"
    ahead.begin()
    for step, name in ((1, "traceback 1"), (1, "encode 1"), (2, "blocks 1"), (4, "seeds 1")):
        now = background_compile.first_start()
        assert (now.done, now.total) == (step, 4)
        list(ahead.wait_for(Step(1), name.split()[0], name))
    assert background_compile.first_start() is None
    monkeypatch.setattr(background_compile, "_cached", frozenset({"encode 1"}))
    assert background_compile.first_start() is None, "it is no first start"


def test_what_the_cache_holds_starts_no_child():
    compiler = BackgroundCompiler(["encode"], fake(FAKE))
    assert list(compiler.wait_for(Step(1), "encode", "encode")) == []
    whole = BackgroundCompiler([f"{ALL} {KernelSet.EVERYTHING}"], fake(FAKE))
    whole.begin()
    assert list(whole.wait_for(Step(1), "new", "new")) == []
    assert (compiler.pid, whole.pid) == (None, None)


def test_a_kernel_of_wide_letters_is_compiled_by_a_child_that_only_that_is_asked_of(monkeypatch):
    """Also where all usual kernels are there; nobody needs the child after the job."""
    start, commands = background_compile.start_child, []
    monkeypatch.setattr(background_compile, "start_child", lambda *how: commands.append(how[0]) or start(*how))
    compiler = BackgroundCompiler([f"{ALL} {KernelSet.EVERYTHING}"], fake(FAKE))
    list(compiler.wait_for(Step(1), "blocks", "blocks 2 uint16"))
    assert compiler.has("blocks 2 uint16")
    assert not compiler.has("blocks 3 uint16")
    assert [command[-2:] for command in commands] == [(ON_REQUEST_OPTION, KernelSet.EVERYTHING)]
    compiler.begin()
    compiler.relax()
    assert gone(compiler)


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "import os; os.abort()", "print('{')", "print('[1]')"])
def test_a_child_that_fails_ends_the_wait(program):
    """The kernel is then compiled here."""
    compiler = BackgroundCompiler(command=fake(program))
    list(compiler.wait_for(Step(1), "blocks", "blocks"))
    assert gone(compiler)
    assert not compiler.has("blocks")


def test_without_a_child_at_all_nobody_waits():
    compiler = BackgroundCompiler(command=("/nowhere/python",))
    assert list(compiler.wait_for(Step(1), "blocks", "blocks")) == []


@pytest.mark.parametrize("program", [FAKE.replace("0.05", "600"), "import sys; sys.stdin.read()"])
def test_whoever_stops_waiting_ends_the_child(program, monkeypatch):
    """Also where it does not listen: a stop while kernels are compiled; the generator is closed by the runner."""
    monkeypatch.setattr(background_compile, "CHILD_TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(background_compile, "GRACE_SECONDS", 0.01)
    compiler = BackgroundCompiler(command=fake(program))
    waiting = compiler.wait_for(Step(1), "blocks", "blocks")
    assert isinstance(next(waiting), Progress)
    child = compiler._child
    waiting.close()
    until(lambda: compiler.pid is None)
    child.wait(20)


def test_another_choice_goes_on_with_the_child(monkeypatch):
    """A choice during a first start ends one job and begins another, which waits for much the same."""
    ended = []
    timer = lambda _seconds, end, wait: ended.append((end, wait)) or Mock()  # noqa: E731
    monkeypatch.setattr(background_compile.threading, "Timer", timer)
    compiler = BackgroundCompiler(command=fake("import sys; sys.stdin.read()"))
    one = compiler.wait_for(Step(1), "blocks", "blocks")
    next(one)
    child = compiler.pid
    one.close()
    other = compiler.wait_for(Step(2), "blocks", "blocks")
    next(other)
    end, wait = ended.pop()
    end(*wait)  # the time is up, and somebody waits
    assert compiler.pid == child
    other.close()
    end, wait = ended.pop()
    end(*wait)
    assert compiler.pid is None


# Tells its process id for every wish, and lowers its priority when nobody waits.
RELAXING = """
import json, os, sys
for line in sys.stdin:
    if line.strip() == "relax":
        os.setpriority(os.PRIO_PROCESS, 0, 19)
    else:
        told = [line.strip(), "priority " + str(os.getpriority(os.PRIO_PROCESS, 0))]
        print(json.dumps({"ready": told}), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "setpriority"), reason="priorities are those of POSIX")
def test_a_child_that_is_waited_for_has_the_priority_of_its_parent():
    """Also one that had the lowest, as nobody waited: another takes its place."""
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    compiler = BackgroundCompiler(command=fake(RELAXING))
    list(compiler.wait_for(Step(1), "blocks", "blocks 2"))
    assert compiler.has(f"priority {ours}")
    first = compiler.pid
    compiler.expect("blocks 3")
    compiler.relax()
    compiler.expect("blocks 4")  # nobody waits for it
    until(lambda: compiler.has("blocks 4") and compiler.has("priority 19"))
    assert compiler.pid == first
    ready_names(compiler).clear()
    list(compiler.wait_for(Step(1), "blocks", "blocks 5"))
    assert compiler.pid != first
    assert compiler.has(f"priority {ours}")
    compiler.close()
    assert gone(compiler)


def until(done):
    end = time.monotonic() + 20
    while not done() and time.monotonic() < end:
        time.sleep(0.01)
    assert done()


def test_after_the_first_answer_a_wait_names_its_kernel_and_no_step(ahead, monkeypatch):
    at_work(monkeypatch, ahead, cached=())
    assert {e.total for e in background_compile.wait_for(Step(1), "blocks", "blocks 1")} == {4}
    background_compile.compile_missing()
    assert background_compile.first_start() is None
    seen = list(background_compile.wait_for(Step(1), "diagonals", "diagonals probe"))
    assert {(e.stage, e.total) for e in seen} == {(f"{STAGE} diagonals", 0)}


def test_a_closed_compiler_starts_no_other_child(ahead):
    ahead.begin()
    assert ahead.pid is not None
    ahead.close()
    assert gone(ahead)
    ahead.begin()
    assert ahead.pid is None


def test_a_job_can_be_stopped_while_it_waits(monkeypatch):
    """Through the runner."""
    from tests.core.pairs import letters
    from wavediff.core.base.errors import Cancelled
    from wavediff.core.methods.lcs import LcsJob
    from wavediff.core.run.runner import run_job

    compiler = BackgroundCompiler(command=fake("import time; time.sleep(600)"))
    at_work(monkeypatch, compiler)
    nothing_ready(monkeypatch)
    token = CancelToken()
    threading.Timer(0.3, token.cancel).start()
    with pytest.raises(Cancelled):
        run_job(LcsJob(a=letters(b"ACGT" * 999), b=letters(b"AGCT")), cancel=token)
    assert gone(compiler)


PARENT = """
import json, os, sys, threading
from wavediff.core.jit import background_compile as compile_ahead, compile_cache
ready = compile_cache.ready()
compile_ahead.start(ready)
from numba.core import event
compiled = []
class Log(event.Listener):
    def on_start(self, e): compiled.append(e.data["dispatcher"].py_func.__qualname__)
    def on_end(self, e): pass
event.register("numba:compile", Log())
import numpy as np
from wavediff.core.jobs.events import Progress
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run.runner import run_job
dna = np.frombuffer(b"ACGT", np.uint8)
a, b = (np.random.default_rng(k).choice(dna, 5000) for k in (1, 2))
ways = [dict(), dict(strategy=Strategy.BAND), dict(path=TracebackMethod.HIRSCHBERG), dict(path=TracebackMethod.NONE)]
jobs = [LcsJob(a=a, b=b, threads=2, **way) for way in ways] + [LcsJob(a=a[:200], b=b[:300])]
jobs += [LcsJob(a=a, b=np.delete(a, [5, 999]), strategy=Strategy.DIAGONALS)]
jobs += [EditJob(a=a, b=b, threads=2, band=band) for band in (BandMode.AUTO, BandMode.SUDO, BandMode.NONE)]
jobs += [EditJob(a=a, b=a[:-1]), EditJob(a=a[:200], b=b[:300]), EditJob(a=a, b=np.delete(a, [5, 999]) ^ 1)]
events = []
results = [run_job(job, report=events.append) for job in jobs]
lengths = [getattr(result, "length", None) or result.distance for result in results]
waits = sum(isinstance(e, Progress) for e in events)
compile_ahead.close()
print(json.dumps([sorted(ready), compiled, waits, lengths]))
"""


def start(**environment):
    """Run jobs in a new process; return what was ready, what was compiled there, how often it waited, and answers."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PARENT)],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT_PACKAGE), **environment},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return list(json.loads(done.stdout))


def test_the_parent_compiles_nothing():
    """No compiler runs in the process that shows a window, whatever the cache of these tests holds."""
    _, compiled, _, lengths = start()
    assert compiled == []
    assert len(set(lengths[:4])) == 1


@pytest.mark.thorough
def test_the_parent_only_loads_what_the_child_compiled(tmp_path, monkeypatch):
    """Not at the first start, with nothing compiled, and not at the second."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    runs = [start(WAVEDIFF_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    (ready, compiled, waits, lengths), (ready_then, compiled_then, waits_then, lengths_then) = runs
    assert ready == []
    assert compiled == []
    assert waits > 0
    assert {"encode encode", "verify verify"} <= set(ready_then)
    assert (compiled_then, waits_then) == ([], 0)
    assert lengths == lengths_then
    assert len(set(lengths[:4])) == 1


@pytest.mark.parametrize(
    ("arguments", "wish", "ready"),
    [
        ([KernelSet.REST], "", ["encode encode"]),
        ([ON_REQUEST_OPTION, KernelSet.REST], "encode pack", ["encode pack"]),
        pytest.param(
            [ON_REQUEST_OPTION, KernelSet.TRACEBACK],
            "traceback ((0,), (0,), 'path')",
            ["traceback ((0,), (0,), 'path')"],
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_the_child_ends_with_its_parent(spawn, tmp_path, arguments, wish, ready):
    """Its input ends, whatever ended the parent; until then it did what it was asked for, or what comes first."""
    env = {**os.environ, "WAVEDIFF_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(CHECKOUT_PACKAGE)}
    command = [*child_command("compile-kernels"), *arguments]
    child = spawn(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
    assert child.stdout is not None
    child.stdin.write(f"{wish}\n")
    child.stdin.flush()
    said = {"ready": []}
    while said["ready"] != ready:
        said = json.loads(child.stdout.readline())
    child.communicate(timeout=20)
    assert child.returncode == 0
    kept = "import json; from wavediff.core.jit import compile_cache; print(json.dumps(sorted(compile_cache.ready())))"
    done = subprocess.run([sys.executable, "-c", kept], env=env, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == ready


def test_lanes_share_out_the_kernels():
    from wavediff.core.run.compile_worker import all_warmup_jobs

    shared = [
        {name for one in all_warmup_jobs(lane) for name in one.names} for lane in (KernelSet.TRACEBACK, KernelSet.REST)
    ]
    assert not shared[0] & shared[1]
    assert shared[0] | shared[1] == {name for one in all_warmup_jobs() for name in one.names}
    for lane in (KernelSet.TRACEBACK, KernelSet.REST):  # a job for one would also compile kernels of the other
        assert all(lane.holds(name) for one in all_warmup_jobs(lane) for name in one.names)


def test_a_small_matrix_does_not_wait_for_a_shortcut(monkeypatch):
    """It is walked back through block by block, to the same path, and the kernel is there the next time."""
    from wavediff.core.kernels.pairwise.blocks import diagonal_trace
    from wavediff.core.methods.lcs import LcsJob, Strategy
    from wavediff.core.run.runner import run_job

    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 4, 3000, np.uint8) for _ in "ab")
    job = LcsJob(a=a, b=b, strategy=Strategy.FULL, block_rows=512, threads=1)
    wanted = run_job(job).alignment
    compiler = BackgroundCompiler([f"{ALL} {KernelSet.EVERYTHING}"], fake(FAKE))
    at_work(monkeypatch, compiler)
    assert diagonal_trace.is_worthwhile((0,), 1)
    ready_names(compiler).clear()
    assert diagonal_trace.is_worthwhile((0,), 1 << 40)
    assert compiler.pid is None
    monkeypatch.setattr(diagonal_trace, "trace_by_diagonals", None)
    found = run_job(job).alignment
    assert compiler.pid is not None
    list(compiler.wait_for(Step(1), "traceback", "traceback shortcut"))
    assert diagonal_trace.is_worthwhile((0,), 1)
    compiler.close()
    assert gone(compiler)
    assert (found.ops.tolist(), found.lengths.tolist()) == (wanted.ops.tolist(), wanted.lengths.tolist())


def test_a_pair_runs_on_the_kernels_that_are_ready_and_on_the_better_one_next_time(monkeypatch):
    from wavediff.core.kernels.pairwise.strategy import NOT_COMPILED
    from wavediff.core.methods.edit import EditJob
    from wavediff.core.run.compile_worker import all_warmup_jobs
    from wavediff.core.run.runner import run_job

    rng, events = np.random.default_rng(1), list[Any]()
    a = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, 5386)]
    b = a.copy()
    b[[586, 832, 2730]] = np.where(a[[586, 832, 2730]] == ord("A"), ord("C"), ord("A"))
    job = EditJob(a=a, b=b, threads=2)
    every = {name for one in all_warmup_jobs() for name in one.names}
    compiler = BackgroundCompiler(every - {"diagonals edit probe"}, fake(FAKE))
    at_work(monkeypatch, compiler)
    first = run_job(job, report=events.append)
    assert (first.strategy, first.reason) == ("full", NOT_COMPILED)
    assert not [one for one in events if isinstance(one, Progress) and one.stage.endswith("diagonals")], "no wait"
    until(lambda: compiler.has("diagonals edit probe"))
    then = run_job(job)
    assert then.strategy == "diagonals"
    assert then.distance == first.distance == 3
    assert (then.alignment.ops.tolist(), then.alignment.lengths.tolist()) == (
        first.alignment.ops.tolist(),
        first.alignment.lengths.tolist(),
    )
    compiler.close()
    assert gone(compiler)


def test_the_command_line_asks_for_walks_and_compiles_the_rest(monkeypatch):
    monkeypatch.setattr(background_compile, "COMMAND", fake(FAKE))
    monkeypatch.setattr(background_compile, "cores", lambda: 2)
    with background_compile.compile_in_parallel(frozenset()):
        (one,) = ahead_now()
        assert one.pid is not None
        assert list(background_compile.wait_for(Step(1), "blocks", "blocks 2")) == []
        assert not background_compile.is_available("traceback 2")
        list(background_compile.wait_for(Step(1), "traceback", "traceback 2"))
        assert one.has("traceback 2")
    assert gone(one)
    with background_compile.compile_in_parallel(frozenset({"traceback 2"})):
        (one,) = ahead_now()
        assert background_compile.is_available("traceback 2")
        assert one.pid is None
    monkeypatch.setattr(background_compile, "cores", lambda: 1)
    with background_compile.compile_in_parallel(frozenset()):
        assert ahead_now() == ()
