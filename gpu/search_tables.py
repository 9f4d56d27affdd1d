"""The automaton of a search on the card: groups of as many words together, and what they are compared with."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from core.events import Compiled, Event, StepDone
from core.kernels.search.plan import Plan
from core.kernels.search.steps import HELD
from core.shift_or import Group
from gpu.card import Card, Kernel

UNIT = "search.cu"
BLOCK = 32  # letters between two looks at what was reached
THREADS = 512
LINE = 128  # bytes: copies of a piece of a row, one for each lane that looks up at the same time
MASKS = 4


def words_of(errors: int) -> tuple[int, ...]:
    """Return the words a group may have: all rows of states and a row of the table have to stay in registers."""
    return (1, 2, 4) if errors < 4 else (1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """Groups of the same width.

    Attributes:
        n: groups.
        scan, report: the kernels for them.
        shared: bytes of shared memory that a block of ``scan`` needs.
        tables, masks, shifts, owner, late: of all groups, on the card; see ``core.shift_or.Group``.
    """

    n: int
    scan: Kernel
    report: Kernel
    shared: int
    tables: Any
    masks: Any
    shifts: Any
    owner: Any
    late: Any


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """All of it.

    Attributes:
        before: letters that a thread takes ahead of its segment, a multiple of ``BLOCK``.
        matches, letters, offsets: of ``Searched``, on the card; ``starts`` of the records.
    """

    banks: tuple[Bank, ...]
    before: int
    matches: Any
    letters: Any
    offsets: Any
    starts: Any
    n_starts: int


def upload(card: Card, plan: Plan) -> Generator[Event, None, Tables]:
    """Compile the kernels and bring the tables of ``plan`` to the card."""
    job, found, automaton = plan.job, plan.searched, plan.automaton
    start, compiled, banks = perf_counter(), 0.0, []
    for width in sorted({group.width for group in automaton.groups}):
        groups = [group for group in automaton.groups if group.width == width]
        kernels = [card.kernel(UNIT, name, **_macros(plan, groups[0])) for name in ("scan", "report")]
        compiled += sum(kernel.seconds for kernel in kernels)
        banks.append(_bank(card, groups, *kernels))
    if compiled:
        yield Compiled(job.id, "scan", compiled)
    before = rounded(plan.before * automaton.step)
    starts = np.asarray(job.starts, np.int64)
    tables = Tables(
        tuple(banks), before,
        card.upload(found.matches), card.upload(found.letters), card.upload(found.offsets),
        card.upload(starts), int(starts.size),
    )  # fmt: skip
    yield StepDone(job.id, "tables", 1, 0, perf_counter() - start - compiled)
    return tables


def _macros(plan: Plan, group: Group) -> dict[str, int]:
    paper = bool(group.shift)
    return {
        "WORDS": group.width,
        "STEP": plan.automaton.step,
        "ROWS": plan.job.errors + 1,
        "EDITS": int(plan.rule[1]),
        "HELD": HELD if not paper and plan.automaton.step == 1 and not plan.job.errors else 0,
        "PAPER": int(paper),
        "MASKS": 1 if paper else MASKS,
        "COPIES": LINE // min(16, 8 * group.width),
        "THREADS": THREADS,
    }


def _bank(card: Card, groups: list[Group], scan: Kernel, report: Kernel) -> Bank:
    return Bank(
        n=len(groups),
        scan=scan,
        report=report,
        shared=256 * LINE * max(1, groups[0].width // 2),
        tables=card.upload(np.concatenate([group.table for group in groups])),
        masks=card.upload(np.concatenate([group.masks for group in groups])),
        shifts=card.upload(np.array([group.shift for group in groups], np.int32)),
        owner=card.upload(np.concatenate([group.owner for group in groups])),
        late=card.upload(np.concatenate([group.late for group in groups])),
    )


def rounded(letters: int) -> int:
    """Return so many letters or more, whole blocks."""
    return -(-letters // BLOCK) * BLOCK
