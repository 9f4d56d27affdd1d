"""The clock of a record as Python sees it: begun with an attempt, and compared with ``time.perf_counter``.

Apart from ``wavediff.core.jit.clock``, as kernels are made from that, and would be compiled anew for each change of a
record.
"""

from __future__ import annotations

from time import perf_counter

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.clock import BITS_PER_TICK, SINCE, now, tick_bits
from wavediff.core.jobs.run_record import RunRecord


def begin_ticks(record: RunRecord, shared: Counts, n_cells: int) -> None:
    """Let the ticks of an attempt begin now.

    Args:
        shared: int64, the counters that its threads share. n_cells: that it will compute.
    """
    record.start, shared[SINCE], shared[BITS_PER_TICK] = perf_counter(), now(), tick_bits(n_cells)


def fit_ticks(record: RunRecord, shared: Counts) -> None:
    """Find out how long a tick is; the longer ago the attempt began, the better."""
    ticks = (now() - int(shared[SINCE])) >> int(shared[BITS_PER_TICK])
    record.seconds_per_tick = (perf_counter() - record.start) / max(1, ticks)
