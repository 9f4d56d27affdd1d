"""Compile (or load) what a search needs, apart from its run time."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from dataclasses import replace
from functools import partial

import numpy as np

from core.jit.warmup import warm_up
from core.jobs.events import Event
from core.kernels.search.chunks import ChunkScan
from core.kernels.search.search_plan import SearchPlan

PAPER = "paper"


def scan_variant(width: int, step: int, errors: int, edits: bool) -> Hashable:
    """Return what tells one compiled scan from another; ``PAPER`` is the one of Kusudo, Ino and Hagihara's layout."""
    return width, step, errors, "edits" if edits else "mismatches"


def make_ready(plan: SearchPlan) -> Generator[Event, None, None]:
    """Scan one letter past one group of each width that the plan has."""
    widths = {group.width: group for group in plan.automaton.groups}
    for width, group in widths.items():
        letter = np.zeros(1, np.uint8)
        job = replace(plan.job, text=letter, starts=None)
        small = replace(plan, job=job, automaton=replace(plan.automaton, groups=(group,)))
        key = PAPER if group.shift else scan_variant(width, plan.automaton.step, *plan.rule)
        yield from warm_up(plan.job.id, "scan", key, partial(ChunkScan(small, 1).advance, 0, 2))
