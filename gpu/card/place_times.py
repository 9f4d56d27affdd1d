"""Block times recorded on the card: ``cuda/place_times.cuh``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.run_record import LaneNumbers, RunRecord, Ticks
from wavediff.gpu.card.cuda import Card

STRUCT = np.dtype(
    [(name, np.uint64) for name in ("begun", "ended", "since")]
    + [(name, np.int32) for name in ("rows", "groups", "group_bits", "columns", "places", "tick_bits")],
    align=True,
)
LAUNCHES = "launches"  # lane of the kernels of a card, in order
PLACE_BYTES = 20  # maximum bytes per place on the card
MIN_TICK_BITS = 5  # shift of nanoseconds: a tick of 32 ns, as in the timer of an H200
MIN_CELLS_PER_SECOND = 10**11  # of a slow card, whose ticks must not overflow


def launch_name(number: int) -> str:
    return f"launch {number:,}"


def card_lane(number: int) -> str:
    """Return the lane name of one of several cards, by CUDA number."""
    return f"GPU {number:,}"


def card_launches(number: int) -> str:
    """Return the name of the launch lane of one of several cards."""
    return f"launches of GPU {number:,}"


def warp_lanes(n: int) -> tuple[str, ...]:
    return tuple(f"warp {k + 1:,}" for k in range(n))


def multiprocessor_lanes(n: int) -> tuple[str, ...]:
    return tuple(f"multiprocessor {k + 1:,}" for k in range(n))


def card_record(shape: tuple[int, ...], names: tuple[str, ...] = ()) -> RunRecord:
    """Return an empty record of a block map; a card has more than 256 lanes."""
    began, ended = np.zeros(shape, np.uint32), np.zeros(shape, np.uint32)
    return RunRecord(began, ended, np.zeros(shape, np.uint16), names)


def tick_bits(n_cells: int) -> int:
    """Return the nanosecond bits per tick, so that 32-bit ticks cover the time for ``n_cells``."""
    return max(MIN_TICK_BITS, (n_cells * 10**9 // MIN_CELLS_PER_SECOND >> 32).bit_length())


class PlaceTimes:
    """Start and end times of the places of a map, recorded on the card until ``fetch``; construction starts the clock.

    Args:
        shape: rows and columns of the map. rows, groups: size of a place, either in strips and groups of columns (a
            power of two), or in rows and columns of blocks. n_cells: cells that are computed in the recorded time.

    Attributes:
        struct: kernel argument.
        start: ``time.perf_counter`` at the start of the attempt.
    """

    def __init__(self, card: Card, shape: tuple[int, int], rows: int, groups: int, n_cells: int) -> None:
        self._card, self._bits = card, tick_bits(n_cells)
        several = rows > 1
        self._begun, self._ended = card.zeros(shape, np.uint32), card.zeros((1 + several, *shape), np.uint64)
        since = card.zeros(1, np.uint64)
        card.launch(card.kernel("pack.cu", "read_timer"), 1, 1, 0, since)
        self.start = perf_counter()
        struct: Any = np.zeros((), STRUCT)
        struct["begun"], struct["ended"] = card.address(self._begun), card.address(self._ended)
        struct["since"] = card.download(since)[0]
        struct["rows"], struct["groups"], struct["group_bits"] = rows, groups, groups.bit_length() - 1
        struct["columns"], struct["places"] = shape[1], several * shape[0] * shape[1]
        struct["tick_bits"] = self._bits
        self.struct: Any = struct[()]

    @property
    def seconds_per_tick(self) -> float:
        return 1e-9 * (1 << self._bits)

    @contextmanager
    def kept_in(self, record: RunRecord) -> Iterator[None]:
        """Context: copy the times to ``record`` at the end of the attempt, or when cancelled.

        Failed work is repeated elsewhere, and its times are not read, since the card may not answer.
        """
        try:
            yield
        except GeneratorExit:
            self.fetch(record)
            raise
        self.fetch(record)

    def fetch(self, record: RunRecord) -> None:
        """Copy all times to ``record``; no launch may run.

        A place without a start time took its strip (of several, the first) from the place to the left.
        """
        begun, stamps, by = self._times(np.s_[:, :])
        began, ended = record.began, record.ended
        ended[:], record.by[:], came = stamps[0], by[0], stamps[0]
        if len(stamps) > 1:
            first_ends = stamps[1] > stamps[0]
            np.copyto(ended, stamps[1], where=first_ends)
            np.copyto(record.by, by[1], where=first_ends)
            came = np.where(stamps[1] > 0, stamps[1], ended)
        began[:, 0], began[:, 1:] = 0, came[:, :-1]
        own = begun > 0
        if len(stamps) > 1:  # in a band a strip that is not the first of several may begin where these have long been
            own &= (began == 0) | (began >= begun)
        np.copyto(began, begun, where=own)
        np.copyto(began, np.uint32(0), where=ended == 0)
        record.start, record.seconds_per_tick = self.start, self.seconds_per_tick

    def row_seconds(self, first: int, last: int) -> tuple[list[float], list[float]]:
        """Return start and end of entries ``first`` to ``last - 1`` of the only row: ``time.perf_counter``."""
        times: list[Counts] = [each.ravel().astype(np.int64) for each in self._times(np.s_[:1, first:last])[:2]]
        began, ended = ((self.start + (each - 1) * self.seconds_per_tick).tolist() for each in times)
        return began, ended

    def _times(self, where: Any) -> tuple[Ticks, Ticks, LaneNumbers]:
        """Return start and end ticks (from 1; 0: none) and lanes of the selected entries.

        End ticks and lanes list the first strips of several after the other entries.
        """
        begun, ended = self._card.download(self._begun[where]), self._card.download(self._ended[(slice(None), *where)])
        return np.where(begun > 0, ~begun, np.uint32(0)), ended.view("<u4")[..., 1::2], ended.view("<u2")[..., ::4]
