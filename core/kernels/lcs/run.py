"""Longest common subsequence on the CPU: choose the way, compute, walk back, check.

Source: paper 1 (Kawanami and Fujimoto) for the bit-parallel column step, the block grid and Hirschberg's
recursion; paper 2 (Sudo and Shinohara) for the staggered layout and the queue of ready blocks. We
depart from paper 1 in three ways: rows are bit-sliced, so no addition needs a carry chain; the path comes
from kept block borders in one pass, Hirschberg's two-pass recursion being a choice; and similar sequences
do not cost the whole matrix (stripped ends, an O(ND) probe, a band that proves itself).
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core import bits
from core.arrays import freeze
from core.errors import SelfCheckFailed
from core.events import Compiled, Event, StepDone
from core.jobs import LcsJob
from core.kernels.lcs.ways import take_way
from core.kernels.problem import Core
from core.kernels.warm import warm_up
from core.results.alignment import Alignment, Op
from core.results.lcs import LcsResult
from core.traceback.runs import MORE, RIGHT, canonical, from_walk, replay

PIECE = 1 << 23  # letters encoded or checked between two reports


def run(job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``core.results.lcs.LcsResult``.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    kernel_seconds, compile_seconds, cells = 0.0, 0.0, 0
    start = perf_counter()
    steps = _steps(job)
    try:
        while True:
            event = next(steps)
            if isinstance(event, StepDone):
                kernel_seconds += event.seconds
                cells += event.cells
            elif isinstance(event, Compiled):
                compile_seconds += event.seconds
            yield event
    except StopIteration as end:
        core, length, alignment = end.value
    finally:
        steps.close()
    return LcsResult(
        job_id=job.id,
        length=length,
        alignment=alignment,
        way=core.way,
        reason=core.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=cells,
        device="cpu",
        kernel_seconds=kernel_seconds,
        wall_seconds=perf_counter() - start - compile_seconds,
    )


def _steps(job: LcsJob) -> Generator[Event, None, tuple[Core, int, Alignment | None]]:
    yield from _make_ready(job)
    core = yield from _encode(job)
    length = core.prefix + core.suffix
    length += yield from take_way(core)
    if not core.wants_path:
        return core, length, None
    start = perf_counter()
    alignment = from_walk(core.pieces, core.prefix, core.suffix)
    yield StepDone(job.id, "traceback", 0, 0, perf_counter() - start)
    yield from _check(core, alignment, length)
    return core, length, alignment


def _make_ready(job: LcsJob) -> Generator[Event, None, None]:
    """Compile (or load) what every job needs."""
    frozen, codes = job.a[:0], np.zeros(0, np.uint8)

    def encode() -> None:
        bits.count_bytes(frozen)
        bits.encode(frozen, np.zeros(256, np.uint8), codes)
        bits.common_prefix(codes, codes)
        bits.common_suffix(codes, codes)

    def check() -> None:
        ops, lengths = canonical(codes, np.zeros(0, np.int64))
        replay(frozen, frozen, codes, freeze(ops), freeze(lengths), np.zeros(4, np.int64), 1)

    yield from warm_up(job.id, "encode", "encode", encode)
    yield from warm_up(job.id, "check", "check", check)


def _encode(job: LcsJob) -> Generator[Event, None, Core]:
    counts, codes = [], []
    start = perf_counter()
    for letters in (job.a, job.b):
        total = np.zeros(256, np.int64)
        for at in range(0, letters.size, PIECE):
            total += bits.count_bytes(letters[at : at + PIECE])
            if perf_counter() - start > 0.01:
                yield StepDone(job.id, "encode", 1, 0, perf_counter() - start)
                start = perf_counter()
        counts.append(total)
    code = bits.dense_code(counts[0], counts[1], job.fold_case)
    for letters in (job.a, job.b):
        out = np.empty(letters.size, np.uint8)
        for at in range(0, letters.size, PIECE):
            bits.encode(letters[at : at + PIECE], code.table, out[at : at + PIECE])
            if perf_counter() - start > 0.01:
                yield StepDone(job.id, "encode", 1, 0, perf_counter() - start)
                start = perf_counter()
        codes.append(out)
    a, b = codes
    prefix = bits.common_prefix(a, b)
    a, b = a[prefix:], b[prefix:]
    suffix = bits.common_suffix(a, b)
    a, b = a[: a.size - suffix], b[: b.size - suffix]
    yield StepDone(job.id, "encode", 1, 0, perf_counter() - start)
    return Core(job, a, b, code.n_codes, code.planes, prefix, suffix)


def _check(core: Core, alignment: Alignment, length: int) -> Generator[Event, None, None]:
    """Raise unless the alignment is one of the letters themselves, with ``length`` equal ones and no mismatch."""
    start, job = perf_counter(), core.job
    table = np.arange(256, dtype=np.uint8)
    if job.fold_case:
        table[ord("a") : ord("z") + 1] -= ord("a") - ord("A")
    place = np.zeros(4, np.int64)
    while replay(job.a, job.b, table, alignment.ops, alignment.lengths, place, PIECE) == MORE:
        yield StepDone(job.id, "check", 1, 0, perf_counter() - start)
        start = perf_counter()
    equal = alignment.count(Op.EQUAL)
    if place[0] != RIGHT or equal != length or alignment.count(Op.MISMATCH):
        raise SelfCheckFailed(
            f"the LCS of {job.a.size:,} and {job.b.size:,} letters failed its check at run {place[1] + 1:,} of"
            f" {alignment.ops.size:,} ({equal:,} equal letters, {length:,} claimed); the result was thrown away"
        )
    yield StepDone(job.id, "check", 1, 0, perf_counter() - start)
