"""Spot checks: random blocks of a card's run are recomputed on the CPU.

A path is checked letter by letter, but its optimality, or a score without a path, depends on the matrix alone. Samples
use data that is available anyway: the mailboxes between strips, the rows of a strip that waits between two panels, and
the borders stored for a traceback. Each run checks at least one sample, the start of a strip, alongside the launches,
so it takes no extra time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import wait
from threading import Event as Flag
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.events import Event, Step
from wavediff.core.system.thread_loop import thread_pool
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.pairwise.strips.memory import StripMemory
from wavediff.gpu.pairwise.strips.reference_steps import Rows, fresh, replay
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, LANES, DeltaBits

CHECK_TIME_SHARE = 0.005  # maximum share of a run's time for samples; shorter runs are sampled at random
CHECK_GROUPS = 32  # columns of a sample divided by 8
MAILBOX_TRIES = 4  # mailboxes to examine for one that is not reused yet
MAX_TRIES = 64  # maximum candidate mailboxes, some of them already overwritten
MAX_KNOWN = 4  # strips with saved rows
MAX_TILES = 16  # of a run
EXPECTED_SECONDS = 1e-3  # initial seconds per sample
POLL_SECONDS = 1e-3  # seconds between two polls for available data
MAX_FIRST_CHECKS = 4  # concurrent first samples


class TimeBudget:
    """Time allowance of spot checks; ``rng``: chooses the blocks."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng()
        self._seen = self._spent = 0.0
        self._cost = EXPECTED_SECONDS
        self._luck = self.rng.random()  # of the next sample; redrawing it at each query would favour frequent queries

    def earn(self, seconds: float) -> None:
        """Add the time of the run; checks may take a fraction of it."""
        self._seen += seconds

    @property
    def is_due(self) -> bool:
        """Return whether the remaining time of the checks suffices for a random fraction of a sample's cost."""
        return bool(self._luck * self._cost < CHECK_TIME_SHARE * self._seen - self._spent)

    def spend(self, seconds: float, sample: bool = True) -> None:
        """Subtract the time of a sample or its preparation."""
        self._cost = seconds if sample else self._cost
        self._spent += seconds
        self._luck = self.rng.random()


def differs(rows: tuple[int, int], columns: tuple[int, int]) -> SelfCheckFailed:
    """Return the error for rows and columns (0-based, half-open) that differ from the card's."""
    return SelfCheckFailed(
        f"rows {rows[0] + 1:,} to {rows[1]:,} and columns {columns[0] + 1:,} to {columns[1]:,}, "
        "computed again on the CPU, come out differently"
    )


class SpotChecker:
    """Checks samples of strips between launches and at the end."""

    def __init__(self, memory: StripMemory) -> None:
        self._memory = memory
        self._allowance = TimeBudget()
        self._rng = self._allowance.rng
        self._known: dict[int, tuple[int, Rows]] = {}  # strip -> group before which it waits, its rows there
        layout = memory.layout
        # The output of rows past the last one is defined if they match nothing.
        self._full = layout.top + layout.height <= np.array(layout.sizes, np.int64)[layout.part, 0]
        self._full |= memory.form.padded
        self._reader = None if memory.link.reader is None else memory.link.reader.sibling()
        # A separate stream does not wait for others, so old mailbox contents must be cleared first.
        memory.card.download(memory.mail[-1:])
        self._over = Flag()
        self._first = thread_pool("sample", MAX_FIRST_CHECKS).submit(self._check_begun, memory.card.sibling())

    def look(self, step: Step, done: Counts, reached: Counts, seconds: float) -> Generator[Event, None, None]:
        """After a launch, check a block whose borders are still available, if due.

        Args:
            done: groups computed by all lanes of each strip. reached: groups that have at least left the strip.
            seconds: of the launch.

        Raises:
            SelfCheckFailed: card and CPU have different results.
        """
        self._allowance.earn(seconds)
        if self._allowance.is_due:
            yield from self._timed(step, lambda: self._check_mail(reached))
        # The output of a completed panel will soon be overwritten.
        self._known = {strip: one for strip, one in self._known.items() if done[strip] == one[0]}
        if not self._known and (done < self._memory.layout.hi).any():  # for the next one
            yield from self._timed(step, lambda: self._remember(done), sample=False)

    def finish(self, step: Step) -> Generator[Event, None, None]:
        """Check stored tiles after all blocks are computed, and collect the first sample."""
        start = perf_counter()
        self._over.set()
        checked = int(self._first.result())
        yield step.done("spot-check", start, checked)
        for _ in range(MAX_TILES if self._memory.tiles is not None else 0):
            if self._allowance.is_due:
                yield from self._timed(step, self._check_tile)

    def __enter__(self) -> SpotChecker:
        return self

    def __exit__(self, *_: object) -> None:
        """End the background check."""
        self._over.set()
        wait([self._first])

    def _check_begun(self, card: Card) -> bool:
        """Check the first columns of a strip once available; return whether there were any."""
        layout = self._memory.layout
        tickets = layout.tickets
        first = tickets["first"] == layout.lo[tickets["strip"]]
        candidates = np.flatnonzero(first & self._full[tickets["strip"]])
        candidates = np.random.default_rng().permutation(candidates)[:MAX_TRIES].tolist()
        while candidates:
            last_look = self._over.is_set()
            for k in candidates[:MAILBOX_TRIES]:
                mails = self._mails(card, k)
                if mails is not None:
                    strip, lo = int(tickets[k]["strip"]), int(tickets[k]["first"])
                    self._compare(
                        strip,
                        0,
                        layout.height,
                        lo,
                        mails[2],
                        fresh(self._memory.delta_bits, layout.height, self._memory.free_rows),
                        *mails[:2],
                        None,
                    )
                    return True
            if last_look:
                candidates = candidates[MAILBOX_TRIES:]
            else:
                self._over.wait(POLL_SECONDS)
        return False

    def _timed(self, step: Step, check: Callable[[], bool], sample: bool = True) -> Generator[Event, None, None]:
        start = perf_counter()
        checked = int(check())
        seconds = perf_counter() - start
        self._allowance.spend(seconds, sample)
        yield step.took("spot-check", seconds, checked)

    def _check_mail(self, reached: Counts) -> bool:
        memory = self._memory
        layout, tickets, ring = memory.layout, memory.layout.tickets, memory.ring
        strips, firsts = tickets["strip"], tickets["first"].astype(np.int64)
        enough = reached[strips] >= np.minimum(firsts + CHECK_GROUPS, tickets["last"])
        started = np.flatnonzero(reached[strips] > firsts)
        at = np.full(layout.n_strips, -1)
        for strip, (group, _) in self._known.items():
            at[strip] = group
        known = (firsts == layout.lo[strips]) | (firsts == at[strips])
        recent = np.arange(tickets.size) > (started[-1] if started.size else 0) - ring
        candidates = np.flatnonzero(enough & known & recent & self._full[strips])
        for k in self._rng.permutation(candidates)[:MAILBOX_TRIES].tolist():
            mails = self._mails(memory.card, k)
            if mails is None:
                continue
            strip, first = int(tickets[k]["strip"]), int(tickets[k]["first"])
            begins = first == layout.lo[strip]
            rows = fresh(memory.delta_bits, layout.height, memory.free_rows) if begins else self._known.pop(strip)[1]
            self._compare(strip, 0, layout.height, first, mails[2], rows, *mails[:2], None)
            return True
        return False

    def _mails(self, card: Card, k: int) -> tuple[Letters, Letters, int] | None:
        """Return the input and output of the first groups of a ticket, and their end; None: unavailable."""
        ticket = self._memory.layout.tickets[k]
        first = int(ticket["first"])
        end = min(first + CHECK_GROUPS, int(ticket["last"]))
        link, strip = self._memory.link, int(ticket["strip"])
        if strip == self._memory.layout.n_strips - 1 and self._reader is not None:
            below = self._crossed(self._reader, link.leaving, first, end)
        else:
            below = self._mail(card, k, first, end)
        if strip == 0 and link.entering is not None:
            above = self._crossed(card, link.entering, first, end)
        else:
            above = self._mail(card, k - 1, first, min(end, int(ticket["above"])))
        return None if below is None or above is None else (above, below, end)

    def _mail(self, card: Card, ticket: int, first: int, end: int) -> Letters | None:
        """Return the bits passed down by a ticket from group ``first``; None if overwritten."""
        memory = self._memory
        if end <= first:
            return np.zeros((int(memory.delta_bits), 0), np.uint8)
        ring = memory.ring
        start = ticket % ring * memory.mail_groups + first - int(memory.layout.tickets["first"][ticket])
        return self._handed_over(card.download(memory.mail[start : start + end - first]), ticket // ring + 1)

    def _crossed(self, card: Card, crossing: Any, first: int, end: int) -> Letters | None:
        """Return the bits passed to the next card from group ``first``; None if unavailable."""
        return self._handed_over(card.download(crossing[first:end]), 1)

    def _handed_over(self, packets: Any, use: int) -> Letters | None:
        """Return the bits in packets; None unless all belong to this use of the mailbox."""
        if (packets >> 16 != use).any():
            return None
        is_lcs = self._memory.delta_bits is DeltaBits.LCS
        return _bits(np.array([packets & 0xFF] if is_lcs else [packets >> 8 & 0xFF, packets & 0xFF], np.uint8))

    def _remember(self, done: Counts) -> bool:
        """Save the rows of some waiting strips; returns False, as nothing is checked."""
        memory, layout = self._memory, self._memory.layout
        steps = memory.card.download(memory.step)
        waiting = np.flatnonzero((steps == 0) & (done > layout.lo) & (done < layout.hi))
        for strip in self._rng.permutation(waiting)[:MAX_KNOWN].tolist():
            rows = memory.card.download(memory.form.in_rows(memory.card, memory.moving[strip : strip + 1]))[0]
            self._known[strip] = int(done[strip]), integers(rows)
        return False

    def _check_tile(self) -> bool:
        memory, rng = self._memory, self._rng
        tiles, layout, delta_bits = memory.tiles, memory.layout, memory.delta_bits
        assert tiles is not None
        strip = int(rng.integers(layout.n_strips))
        lo, hi = int(layout.lo[strip]), int(layout.hi[strip])
        row, column = int(rng.integers(LANES // tiles.lanes)), int(rng.integers(-(-(hi - lo) // tiles.groups)))
        first = column * tiles.groups  # relative to the start of the strip
        end = min(first + min(tiles.groups, 2 * CHECK_GROUPS), hi - lo)
        height = tiles.lanes * 32 * memory.form.words
        if int(layout.top[strip]) + (row + 1) * height > layout.sizes[0][0]:
            return False  # see ``_full``
        rows = tuple(one >> row * height & (1 << height) - 1 for one in self._kept(strip, column))
        above: Letters | None
        if row:
            above = _bits(self._handed(strip, row - 1, first, end))
        elif strip:
            start = first + lo - int(layout.lo[strip - 1])
            last = min(end + lo, int(layout.hi[strip - 1])) - int(layout.lo[strip - 1])
            above = _bits(self._handed(strip - 1, -1, start, max(start, last)))
        elif memory.link.entering is not None:
            above = self._crossed(memory.card, memory.link.entering, first + lo, end + lo)
        else:
            above = np.zeros((int(delta_bits), 0), np.uint8)
        assert above is not None, "computed, and what it needs from above has not come"
        below = self._handed(strip, row, first, end)
        after = None
        if end == first + tiles.groups and end + lo < hi:
            after = tuple(one >> row * height & (1 << height) - 1 for one in self._kept(strip, column + 1))
        self._compare(strip, row * height, height, first + lo, end + lo, rows, above, _bits(below), after)
        return True

    def _handed(self, strip: int, row: int, first: int, end: int) -> Letters:
        """Return the stored output of a row of tiles, uint8, shape (signs, groups)."""
        handed: Letters = self._memory.card.download(self._memory.kept_h[strip, row, first:end])
        return handed.T[::-1]

    def _kept(self, strip: int, column: int) -> Rows:
        card = self._memory.card
        return integers(self._memory.rows_before(card, strip, card.upload(np.array([column], np.int32)), 1)[0, 0])

    def _compare(
        self, strip: int, row: int, height: int, first: int, end: int, rows: Rows, above: Letters, below: Letters,
        after: Rows | None,
    ) -> None:  # fmt: skip
        """Recompute rows from ``row`` of a strip in groups ``first`` to ``end``, and compare."""
        memory, layout, delta_bits = self._memory, self._memory.layout, self._memory.delta_bits
        part = int(layout.part[strip])
        (a, b), base = memory.pairs[part], int(layout.base[part]) * GPU_GROUP_COLUMNS
        top = int(layout.top[strip]) + row
        left, right = first * GPU_GROUP_COLUMNS - base, min(end * GPU_GROUP_COLUMNS - base, int(b.size))
        arrives = np.zeros((int(delta_bits), right - left), np.uint8)
        # Cells not computed: no growth, or one more edit per column.
        arrives[0] = delta_bits is DeltaBits.EDIT and not memory.free_columns
        known = min(above.shape[1], right - left)
        arrives[:, :known] = above[:, :known]
        again = replay(delta_bits, height, a[top : top + height], b[left:right], memory.form.n_shared, rows, arrives)
        if not np.array_equal(again.below, below[:, : right - left]) or (after is not None and after != again.rows):
            first_row = memory.link.first_strip * layout.height
            raise differs((first_row + top, first_row + min(top + height, int(a.size))), (left, right))


def _bits(streams: Letters) -> Letters:
    return np.unpackbits(np.ascontiguousarray(streams), axis=1)


def integers(rows: Any) -> Rows:
    """Join the words of each sign to one integer."""
    return tuple(int.from_bytes(np.ascontiguousarray(row).tobytes(), "little") for row in rows)
