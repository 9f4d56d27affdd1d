"""Search tables on a card, and hit buffers."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.jobs.events import Event
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search.search_plan import AutomatonPlan
from wavediff.core.kernels.search.simd_steps import UNTESTED_STEPS
from wavediff.core.sequences.shift_or import WordGroup
from wavediff.gpu.card.cuda import Card, CudaKernel
from wavediff.gpu.card.queue import CardQueue

Array = npt.NDArray[Any]
UNIT = "search.cu"
CHECK_LETTERS = 32  # letters between two tests for hits
THREADS = 512
CACHE_LINE_BYTES = 128  # bytes: copies of a part of a row, one per concurrently reading lane
MASKS = 4


def words_of(errors: int) -> tuple[int, ...]:
    """Return the possible words per group: state rows and a table row must fit into registers."""
    return (1, 2, 4) if errors < 4 else (1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class GroupBank:
    """Groups of the same width.

    Attributes:
        n: groups.
        scan, report: kernels for these groups.
        shared: bytes of shared memory per block of ``scan``.
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
    """Search tables of all groups.

    Attributes:
        before: letters read by a thread before its segment, a multiple of ``CHECK_LETTERS``.
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
    """Compile the kernels and upload the tables of ``plan``."""
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
    """Upload arrays in one transfer, independent of the pending text upload."""
    firsts = np.cumsum([0, *(-(-array.nbytes // CACHE_LINE_BYTES) * CACHE_LINE_BYTES for array in arrays)]).tolist()
    staged, there, queue = card.pinned(firsts[-1], np.uint8), card.empty(firsts[-1], np.uint8), card.queue()
    ranges = [slice(first, first + array.nbytes) for first, array in zip(firsts, arrays, strict=False)]
    for place, array in zip(ranges, arrays, strict=True):
        staged[place] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    queue.upload(there, staged)
    queue.finish()
    return [there[place].view(array.dtype) for place, array in zip(ranges, arrays, strict=True)]


def rounded(letters: int) -> int:
    return -(-letters // CHECK_LETTERS) * CHECK_LETTERS


MAX_HITS = 3 << 20  # hits, and marks, of a range of letters; more for many patterns
KEY_BITS = 64
KEY_BYTES, COLUMN_BYTES, MARK_BYTES = 8, 18, 8  # bytes of a hit as a number, as columns; of a mark
ASYNC_HITS = 1 << 16  # hits returned without waiting for other work of the card
HOST_SORT_HITS = 1 << 12  # hits sorted by the CPU, as loading the card's sort takes a process 40 ms, once
UNPACK_THREADS = 256

HitSteps = Generator[Event, None, Hits]


@dataclass(frozen=True, slots=True)
class KeyBits:
    """Bit layout of a hit's sort key; the cost is below ``who``."""

    start: int
    length: int
    who: int

    @classmethod
    def of(cls, job: SearchJob) -> KeyBits:
        longest = max((len(pattern.letters) for pattern in job.patterns), default=0)
        who = job.errors.bit_length()
        length = who + (len(job.patterns) * job.strands).bit_length()
        return cls(length + (longest + job.errors).bit_length(), length, who)

    @property
    def most_letters(self) -> int:
        """Maximum number of distinguishable letters."""
        return 1 << (KEY_BITS - self.start)

    @property
    def arguments(self) -> tuple[Any, ...]:
        return np.int32(self.start), np.int32(self.length), np.int32(self.who)


def most_hits(job: SearchJob) -> int:
    """Return the hit capacity; one block for all patterns never exceeds it."""
    n_patterns = len(job.patterns) * job.strands
    return max(CHECK_LETTERS * n_patterns, min(MAX_HITS, n_patterns * int(job.text.size)))


def room_bytes(job: SearchJob) -> int:
    """Return the memory of a ``HitRoom`` in bytes, including sorting."""
    return (2 * KEY_BYTES + COLUMN_BYTES) * most_hits(job)


class HitRoom:
    """Marks and hits of one range of letters at a time.

    Attributes:
        most: capacity in marks, and in hits.
        bits: of a hit's number.
        marks, keys: device arrays. Columns overwrite the marks.
    """

    def __init__(self, card: Card, job: SearchJob, tables: Tables) -> None:
        self._card, self._job, self._tables = card, job, tables
        self.most, self.bits = most_hits(job), KeyBits.of(job)
        self.keys = card.empty(self.most, np.uint64)
        self._columns = card.empty(COLUMN_BYTES * self.most, np.uint8)
        self.marks = self._columns[: MARK_BYTES * self.most]
        self._few = card.pinned(COLUMN_BYTES * ASYNC_HITS, np.uint8)

    def ordered(self, n: int, base: int, queue: CardQueue) -> HitSteps:
        """Return the first ``n`` hits in order, after ``queue`` has found them.

        Args:
            base: first place, in the whole text.
        """
        if not n:
            return Hits.joined([])
        unpack = self._card.kernel("hits.cu", "unpack_hits")
        if unpack.seconds:
            yield self._job.step.compiled("report", unpack.seconds)
        begun = queue.moment()
        self._sort(n, queue)
        queue.launch(
            unpack, 8 * self._card.processors, UNPACK_THREADS, 0,
            self.keys, np.int32(n), *self.bits.arguments, np.int64(base),
            self._tables.pattern, self._tables.strand, self._columns,
        )  # fmt: skip
        ended = queue.moment()
        if n <= ASYNC_HITS:
            few = self._few[: COLUMN_BYTES * n]
            queue.download(few, self._columns)
            queue.moment().wait()
            raw = few.copy()
        else:
            ended.wait()
            since = perf_counter()
            raw = self._card.download(self._columns[: COLUMN_BYTES * n])
            yield self._job.step.done("download", since)
        yield self._job.step.took("report", ended.seconds_since(begun))
        raw.setflags(write=False)
        start, pattern, length, strand, cost = np.split(raw, (n * np.array([8, 12, 16, 17])).tolist())
        return Hits(
            pattern=pattern.view(np.int32),
            strand=strand.view(np.int8),
            start=start.view(np.int64),
            length=length.view(np.int32),
            cost=cost,
        )

    def _sort(self, n: int, queue: CardQueue) -> None:
        if n > HOST_SORT_HITS:
            queue.sort(self.keys[:n])
            return
        few = self._few[: KEY_BYTES * n].view(np.uint64)
        queue.download(few, self.keys)
        queue.moment().wait()
        few.sort()
        queue.upload(self.keys.view(np.uint8), few.view(np.uint8))
