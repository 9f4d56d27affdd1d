"""What the compiling child runs: it must meet every kernel that it promises, and take wishes first."""

import threading

from tests.core.compilers import nothing_ready
from tests.depth import DEEP, deeper
from wavediff.core.jit import background_compile, warmup
from wavediff.core.jit.warmup_job import WarmupJob
from wavediff.core.run import compile_worker
from wavediff.core.run.compile_worker import CompileQueue, all_warmup_jobs, jobs_on_request
from wavediff.core.run.runner import run_job

PROTEIN = 5  # rank of what proteins need
PLANES_OF_MANY = str((0,) * 16)  # of more than 4,096 characters; the rest is the same


@deeper
def test_each_rehearsal_makes_ready_what_it_names(monkeypatch):
    nothing_ready(monkeypatch)
    promised = set()
    usual = [one for one in all_warmup_jobs() if one.rank < PROTEIN + DEEP]  # the rest differs in its planes only
    for one in usual:
        run_job(one.job) if one.steps is None else list(one.steps())
        promised |= set(one.names)
        assert set(one.names) <= warmup.compiled_names()
    assert promised == warmup.compiled_names()
    named = [name for one in all_warmup_jobs() for name in one.names]
    assert len(named) == len(set(named))
    named = [name for name in named if "swap" not in name]
    for kernel, ways in (("blocks (", 1), ("traceback (", 2)):  # 1 to 8 bit planes, two methods
        assert len([name for name in named if name.startswith(kernel)]) == 16 * ways


def test_each_rehearsal_of_wide_letters_makes_ready_what_it_names(monkeypatch):
    nothing_ready(monkeypatch)
    every = jobs_on_request()
    for one in every:
        if "batch" not in one.names[0] and PLANES_OF_MANY not in one.names[0]:
            run_job(one.job) if one.steps is None else list(one.steps())
            assert set(one.names) <= warmup.compiled_names()
    named = [name for one in every for name in one.names]
    assert len(named) == len(set(named))
    wide = {name for name in warmup.compiled_names() if background_compile.ON_REQUEST in name}
    assert wide <= set(named), "a child ends, and the window compiles, where it does not know the name"


def test_wishes_come_first_and_nothing_is_done_twice():
    jobs = {name: object() for name in "abcd"}
    queue = CompileQueue([WarmupJob(0, (name, f"{name}'"), job) for name, job in jobs.items()])
    queue.relax()
    order = []
    for one in queue:
        assert one.job is jobs[one.names[0]]
        order.append(one.names[0])
        if one.names[0] == "a":
            queue.wish("nothing of ours")
            queue.wish("c'")
    assert order == ["a", "c", "b", "d"]


def test_who_is_asked_waits_a_moment_for_the_next_wish():
    queue = CompileQueue([WarmupJob(0, (name,), object()) for name in "abc"])
    queue.wish("b")
    seen = iter(queue)
    assert next(seen).names == ("b",)
    threading.Timer(0.05, queue.wish, ("c",)).start()
    assert next(seen).names == ("c",)
    assert next(seen).names == ("a",)


def test_with_nothing_but_wishes_the_rest_is_left():
    queue = CompileQueue([WarmupJob(0, (name,), object()) for name in "abc"], asked=True)
    threading.Timer(0.05, queue.wish, ("c",)).start()
    assert next(iter(queue)).names == ("c",)


def test_nothing_is_begun_that_was_not_asked_for_until_nobody_waits(monkeypatch):
    queue = CompileQueue([WarmupJob(0, (name,), object()) for name in "abc"])
    threading.Timer(0.05, queue.wish, ("c",)).start()
    seen = iter(queue)
    assert next(seen).names == ("c",)
    threading.Timer(0.05, queue.relax).start()
    assert next(seen).names == ("a",)
    monkeypatch.setattr(compile_worker, "FIRST_IDLE_SECONDS", 0.0)
    assert next(iter(CompileQueue([WarmupJob(0, ("a",), object())]))).names == ("a",)


def test_what_is_done_on_request_only_waits_for_it_and_an_unknown_name_ends_who_is_asked():
    usual, rare = (WarmupJob(0, (name,), object()) for name in ("a", "b uint16"))
    queue = CompileQueue([usual], on_request=[rare])
    queue.relax()
    assert list(queue) == [usual]
    queue = CompileQueue([usual], asked=True, on_request=[rare])
    queue.wish("b uint16")
    queue.wish("c uint16")
    assert list(queue) == [rare]
