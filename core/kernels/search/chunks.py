"""Threads over text chunks: a thread compares a chunk with all patterns while the chunk is in its cache."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Hashable
from dataclasses import replace
from itertools import count

import numpy as np

from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.hits import Hits
from wavediff.core.kernels.search.collect_hits import in_order
from wavediff.core.kernels.search.scanner import AutomatonScanner, QgramScanner, Scanner
from wavediff.core.kernels.search.search_plan import AutomatonPlan, QgramPlan

QGRAMS = "q-grams"
CHUNK_LETTERS = (1 << 21) + 4608  # letters; packed, half the second cache; streams do not meet in the sets of the first
_MIN_CHUNK_LETTERS = 1 << 14
_MIN_CHUNKS = 16  # a short text is cut into so many


def chunk_letters(n: int) -> int:
    """Return the letters per chunk, a multiple of 4; it is the same for any number of threads, as are the hits."""
    return max(_MIN_CHUNK_LETTERS, min(CHUNK_LETTERS, -(-n // (4 * _MIN_CHUNKS)) * 4))


class ChunkScan:
    """Shared state of a search's threads; ``advance``, ``finished`` and ``stop`` serve ``run_threads``.

    Attributes:
        found: sorted hits by chunk number, once complete.
        n: chunks.
        passes: approximate total of ``advance`` calls with a budget of 1.
        size: letters of a chunk, n_letters: of the text.
    """

    def __init__(self, plan: AutomatonPlan | QgramPlan, threads: int) -> None:
        self.n_letters = int(plan.job.text.size)
        self.size = chunk_letters(self.n_letters)
        self.n = -(-self.n_letters // self.size)
        self.found: dict[int, Hits] = {}
        self._next = count()
        self._stopped = threading.Event()
        self._scanners = [
            AutomatonScanner(plan, self.size) if isinstance(plan, AutomatonPlan) else QgramScanner(plan)
            for _ in range(threads)
        ]
        self.passes = self.n * self._scanners[0].passes

    def advance(self, me: int, budget: int) -> int:
        """Run up to ``budget`` passes in thread ``me`` (a chunk against a group), as hit buffers allow."""
        scanner, done = self._scanners[me], 0
        while done < budget and not self._stopped.is_set():
            if scanner.done and not self._assign_chunk(scanner):
                break
            scanner.advance()
            done += 1
            if scanner.done:
                self.found[scanner.chunk] = in_order(scanner.kept)
        return done

    def _assign_chunk(self, scanner: Scanner) -> bool:
        number = next(self._next)
        if number >= self.n:
            scanner.idle = True
            return False
        scanner.take(number, number * self.size, min((number + 1) * self.size, self.n_letters))
        return True

    def finished(self, me: int) -> bool:
        return self._stopped.is_set() or self._scanners[me].idle

    def stop(self) -> None:
        self._stopped.set()


def scan_variant(width: int, step: int, errors: int, edits: bool) -> Hashable:
    """Return the key of a compiled variant of ``scan``; ``QGRAMS`` is the key of the q-gram scan."""
    return width, step, errors, "edits" if edits else "mismatches"


def make_ready(plan: AutomatonPlan) -> Generator[Event, None, None]:
    """Scan one letter with each width in the plan, for compilation."""
    widths = {group.width: group for group in plan.automaton.groups}
    for width, group in widths.items():
        small = replace(plan, automaton=replace(plan.automaton, groups=(group,)))
        key = scan_variant(width, plan.automaton.step, *plan.rule)
        yield from warm_up(plan.job.step, "scan", key, one_letter(small))


def one_letter(plan: AutomatonPlan | QgramPlan) -> Callable[[], object]:
    job = replace(plan.job, text=np.zeros(1, np.uint8), starts=None)
    return lambda: ChunkScan(replace(plan, job=job), 1).advance(0, 2)
