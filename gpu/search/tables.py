"""The automaton of a search on the card: groups of as many words together, and what they are compared with."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.jobs.events import Event
from wavediff.core.kernels.search.search_plan import AutomatonPlan
from wavediff.core.kernels.search.simd_steps import UNTESTED_STEPS
from wavediff.core.sequences.shift_or import WordGroup
from wavediff.gpu.card.interface import Card, CudaKernel

Array = npt.NDArray[Any]
UNIT = "search.cu"
CHECK_LETTERS = 32  # letters between two looks at what was reached
THREADS = 512
CACHE_LINE_BYTES = 128  # bytes: copies of a piece of a row, one for each lane that looks up at the same time
MASKS = 4


def words_of(errors: int) -> tuple[int, ...]:
    """Return the words a group may have: all rows of states and a row of the table have to stay in registers."""
    return (1, 2, 4) if errors < 4 else (1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class GroupBank:
    """Groups of the same width.

    Attributes:
        n: groups.
        scan, report: the kernels for them.
        shared: bytes of shared memory that a block of ``scan`` needs.
        tables, masks, owner, late: of all groups, on the card; see ``wavediff.core.sequences.shift_or.WordGroup``.
    """

    n: int
    scan: CudaKernel
    report: CudaKernel
    shared: int
    tables: Any
    masks: Any
    owner: Any
    late: Any


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """All of it.

    Attributes:
        before: letters that a thread takes ahead of its segment, a multiple of ``CHECK_LETTERS``.
        matches, letters, offsets, pattern, strand: of ``PatternSet``, on the card; ``starts`` of the records.
    """

    banks: tuple[GroupBank, ...]
    before: int
    matches: Any
    letters: Any
    offsets: Any
    pattern: Any
    strand: Any
    starts: Any
    n_starts: int


def upload(card: Card, plan: AutomatonPlan) -> Generator[Event, None, Tables]:
    """Compile the kernels and bring the tables of ``plan`` to the card."""
    job, sought, automaton = plan.job, plan.searched, plan.automaton
    start, compiled = perf_counter(), 0.0
    starts: Array = np.asarray(job.starts, np.int64)
    arrays: list[Array] = [sought.matches, sought.letters, sought.offsets, sought.pattern, sought.strand, starts]
    n_common = len(arrays)
    kernels: list[tuple[int, int, CudaKernel, CudaKernel]] = []  # groups, bytes of shared memory, scan and report
    for width in sorted({group.width for group in automaton.groups}):
        groups = [group for group in automaton.groups if group.width == width]
        scan, report = (card.kernel(UNIT, name, **_macros(plan, groups[0])) for name in ("scan", "report"))
        compiled += scan.seconds + report.seconds
        kernels.append((len(groups), 256 * CACHE_LINE_BYTES * max(1, width // 2), scan, report))
        arrays += _arrays(groups)
    if compiled:
        yield job.step.compiled("scan", compiled)
    on_card = _brought(card, arrays)
    banks = (
        GroupBank(n, scan, report, shared, *on_card[at : at + 4])
        for at, (n, shared, scan, report) in zip(range(n_common, len(arrays), 4), kernels, strict=True)
    )
    before = rounded(plan.before * automaton.step)
    matches, letters, offsets, pattern, strand, begins = on_card[:n_common]
    tables = Tables(tuple(banks), before, matches, letters, offsets, pattern, strand, begins, int(starts.size))
    yield job.step.took("tables", perf_counter() - start - compiled)
    return tables


def _macros(plan: AutomatonPlan, group: WordGroup) -> dict[str, int]:
    return {
        "WORDS": group.width,
        "STEP": plan.automaton.step,
        "ROWS": plan.job.errors + 1,
        "EDITS": int(plan.rule[1]),
        "HELD": UNTESTED_STEPS if plan.automaton.step == 1 and not plan.job.errors else 0,
        "MASKS": MASKS,
        "COPIES": CACHE_LINE_BYTES // min(16, 8 * group.width),
        "THREADS": THREADS,
    }


def _arrays(groups: list[WordGroup]) -> list[Array]:
    return [np.concatenate([getattr(group, name) for group in groups]) for name in ("table", "masks", "owner", "late")]


def _brought(card: Card, arrays: list[Array]) -> list[Any]:
    """Return copies on the card, in one transfer that does not wait for the text that is on its way already."""
    firsts = np.cumsum([0, *(-(-array.nbytes // CACHE_LINE_BYTES) * CACHE_LINE_BYTES for array in arrays)]).tolist()
    staged, there, queue = card.pinned(firsts[-1], np.uint8), card.empty(firsts[-1], np.uint8), card.queue()
    ranges = [slice(first, first + array.nbytes) for first, array in zip(firsts, arrays, strict=False)]
    for place, array in zip(ranges, arrays, strict=True):
        staged[place] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    queue.upload(there, staged)
    queue.finish()
    return [there[place].view(array.dtype) for place, array in zip(ranges, arrays, strict=True)]


def rounded(letters: int) -> int:
    """Return so many letters or more, whole blocks."""
    return -(-letters // CHECK_LETTERS) * CHECK_LETTERS
