"""Edit distance and alignment beside edlib and rapidfuzz, which has a path for small inputs only."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import edlib
import numpy as np
from rapidfuzz.distance import Levenshtein

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import Device
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.run.runner import run_job
from wavediff.core.system.machine import cores
from wavediff.tests.bench.lcs import ALPHABETS, mutate_by_share
from wavediff.tests.bench.letters import random_letters
from wavediff.tests.bench.measure import Timing, in_turn
from wavediff.tests.bench.sudo_contest import cases
from wavediff.tests.bench.table import Row, once

ROOT = Path(__file__).parents[2]
PEERS = ("edlib", "rapidfuzz")
_EDITOPS_LETTERS = 10_000  # rapidfuzz keeps two bits a cell
Call = Callable[[], int]


def job(a: Letters, b: Letters, *, path: bool = False, band: BandMode = BandMode.AUTO, threads: int = 1) -> Call:
    method = TracebackMethod.BLOCKS if path else TracebackMethod.NONE

    def call() -> int:
        return int(run_job(EditJob(a=a, b=b, path=method, band=band, threads=threads), device=Device.CPU).distance)

    return call


def peers(a: Letters, b: Letters, *, path: bool = False) -> dict[str, Call]:
    x, y = a.tobytes(), b.tobytes()
    task = "path" if path else "distance"
    found: dict[str, Call] = {"edlib": lambda: int(edlib.align(x, y, mode="NW", task=task)["editDistance"])}
    if not path:
        found["rapidfuzz"] = lambda: int(Levenshtein.distance(x, y))
    elif max(a.size, b.size) <= _EDITOPS_LETTERS:
        found["rapidfuzz"] = lambda: len(Levenshtein.editops(x, y))
    return found


def measured(what: str, a: Letters, b: Letters, ours: Call, beside: dict[str, Call], *, slow: bool = False) -> Row:
    """Measure in turn; ``slow``: one round a peer is enough, and it is not warmed up."""
    cells = a.size * b.size
    if slow:
        (mine,) = in_turn([ours])
        return Row(what, cells, mine, {name: _once(call) for name, call in beside.items()})
    mine, *others = in_turn([ours, *beside.values()])
    return Row(what, cells, mine, dict(zip(beside, others, strict=True)))


def _once(call: Call) -> Timing:
    (timing,) = in_turn([call], at_least=1, warm=False)
    return timing


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line; ``quick`` leaves out what takes a peer more than a few seconds."""
    yield from small()
    yield from whole_matrix(quick)
    yield from similar(quick)
    if not quick:
        yield long_and_similar()


def small(sizes: tuple[int, ...] = (100, 1000, 3000, 10_000)) -> Iterator[Row]:
    rng = np.random.default_rng(30)
    for n in sizes:
        a, b = random_letters(rng, n, 4), random_letters(rng, n, 4)
        yield measured(f"distance, random DNA {n:,}", a, b, job(a, b), peers(a, b))
        yield measured(f"path, random DNA {n:,}", a, b, job(a, b, path=True), peers(a, b, path=True))


def whole_matrix(quick: bool) -> Iterator[Row]:
    rng = np.random.default_rng(31)
    many = cores()
    for alphabet, n in (("DNA", 100_000), ("DNA", 1_000_000), ("protein", 100_000), ("bytes", 100_000)):
        a, b = (random_letters(rng, n, ALPHABETS[alphabet]) for _ in range(2))
        what, slow = f"random {alphabet} {n:,}", n > 100_000
        none, asked = BandMode.NONE, {} if slow and quick else peers(a, b)
        yield measured(f"distance, {what}, every cell", a, b, job(a, b, band=none), asked, slow=slow)
        beside = {} if slow else peers(a, b, path=True)
        yield measured(f"path, {what}", a, b, job(a, b, path=True), beside, slow=slow)
        if many > 1:
            cores_ = f"{many} cores"
            yield measured(f"distance, {what}, every cell, {cores_}", a, b, job(a, b, band=none, threads=many), {})
            yield measured(f"path, {what}, {cores_}", a, b, job(a, b, path=True, threads=many), {})


def similar(quick: bool) -> Iterator[Row]:
    """The divergence series; rapidfuzz takes as long for each as for unrelated letters, so it is asked once."""
    rng = np.random.default_rng(32)
    a = random_letters(rng, 1_000_000, 4)
    for share in (0.0001, 0.001, 0.01, 0.05, 0.15):
        b = mutate_by_share(rng, a, share)
        what, slow = f"DNA 1,000,000 at {share:.2%}", share >= 0.01
        asked = {} if quick and slow else peers(a, b)
        if share != 0.01:
            asked.pop("rapidfuzz", None)
        yield measured(f"distance, {what}", a, b, job(a, b), asked, slow=slow)
        asked = {} if quick and slow else peers(a, b, path=True)
        yield measured(f"path, {what}", a, b, job(a, b, path=True), asked, slow=slow)


def contest(_quick: bool) -> Iterator[Row]:
    """The ten stand-ins on one core, distance only, and their sum."""
    ours, sums, cells = 0.0, dict.fromkeys(PEERS, 0.0), 0
    fine = True
    for case in cases():
        n, m = case.a.size, case.b.size
        row = measured("", case.a, case.b, job(case.a, case.b), peers(case.a, case.b))
        gap = row.ours.answer - case.distance
        note = f"distance {row.ours.answer:,}{f' ({gap:+,} to the paper)' if gap else ''}; Cell BE {case.paper_ms} ms"
        yield Row(f"contest {case.number}: {n:,} x {m:,}", row.work, row.ours, row.peers, note)
        ours += row.ours.best
        cells += row.work
        fine &= row.agrees is True
        for name in PEERS:
            sums[name] += row.peers[name].best
    totals = {name: once(seconds, fine) for name, seconds in sums.items()}
    yield Row("contest, all ten", cells, once(ours), totals)


def long_and_similar() -> Row:
    """Ten million letters at 1 %, with the path, in a process of its own, so that its peak of memory is its own."""
    code = "from wavediff.tests.bench.edit import in_a_process; in_a_process(10_000_000, 0.01)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=900
    )
    found = json.loads(done.stdout)
    a, b = long_pair(10_000_000, 0.01)
    best, answer = found["seconds"], found["distance"]
    x, y = a.tobytes(), b.tobytes()
    peer = _once(lambda: int(edlib.align(x, y, mode="NW", task="distance", k=answer)["editDistance"]))
    before, peak = (found[key] / 2**20 for key in ("before", "peak"))
    note = f"memory {peak:,.0f} MiB, {before:,.0f} of them before the job; edlib was told the distance and has no path"
    return Row("path, DNA 10,000,000 at 1.00%", a.size * b.size, once(best, answer), {"edlib": peer}, note)


def long_pair(n: int, share: float) -> tuple[Letters, Letters]:
    rng = np.random.default_rng(33)
    a = random_letters(rng, n, 4)
    return a, mutate_by_share(rng, a, share)


def in_a_process(n: int, share: float) -> None:
    """Print time, distance and memory of one job (bytes; ``before``: with both sequences and all kernels loaded)."""
    import resource

    from wavediff.core.jit import compile_cache

    compile_cache.prepare()
    a, b = long_pair(20_000, share)
    job(a, b, path=True)()
    a, b = long_pair(n, share)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    (timing,) = in_turn([job(a, b, path=True)], at_least=1, warm=False)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": timing.best, "distance": timing.answer, "before": before, "peak": peak}))
