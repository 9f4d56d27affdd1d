"""Estimated seconds of a job on each device: tabled for the machines we know, corrected by what was measured.

Good for a choice between devices and for no promise: whether two sequences are so alike that a band will do is not
known before.
"""

from __future__ import annotations

import threading
from itertools import pairwise
from math import exp, log

import numpy as np

from wavediff.core.jobs.bwt import BwtJob, IndexJob, InverseBwtJob
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.search import SearchJob
from wavediff.core.methods import METHODS, method_of
from wavediff.core.methods.base import Method, PairJob, Rates
from wavediff.core.methods.batch import BatchJob
from wavediff.core.sequences.sequence_pool import SequencePool
from wavediff.core.system.machine import GraphicsCard, cores
from wavediff.gpu.card import sharing

Compared = PairJob | BatchJob
Transformed = BwtJob | InverseBwtJob | IndexJob
Tabled = Compared | Transformed | SearchJob
Kind = type | Method  # of a job; batches are told apart by what they compute
Curve = tuple[tuple[float, float], ...]

GPU_JOB_SECONDS = 4e-3  # seconds a job costs on a graphics card whatever its size: uploads, launches, waiting
KERNEL_LOAD_SECONDS = 0.5  # seconds for the kernels of a method to come to the card, the first time in a process
DRIVER_WAKE_SECONDS = 1.0  # seconds to import CuPy and to wake the driver
UPLOAD_LETTERS_PER_SECOND = (
    4e9  # letters a second to a graphics card, which batches are counted with: there are few cells for a letter
)
BYTES_PER_LETTER = 8  # of the card's memory for each letter of both sequences: codes, tables of matches, one border
BYTES_OF_A_RECORD = 64
BYTES_SORTED = 52  # for each letter of a text that is sorted
SEARCH_LETTERS_PER_SECOND = (
    40e9  # letters a second of a text that is searched on a graphics card (PCIe 5), whatever is searched
)
MIN_COSTED_PATTERN_LETTERS = 200  # letters of patterns: fewer take a text as long
# On the CPU, which looks exact patterns up, a pattern takes as long as so many of its letters would elsewhere, and a
# row of errors as several.
LOOKED_UP_PATTERN_LETTERS, CPU_ROWS_OF_ERRORS = 2, 2
SEARCH_BYTES = 1 << 28  # of the card's memory that a search needs, however long the text
MAX_LETTERS = (1 << 31) - (1 << 20)  # of a sequence or a text: kernels of cards number letters in 31 bits
MIN_MEASURED_CELLS = 1 << 30  # cells; smaller runs measure the way to the kernel and not the kernel


RATES: dict[Kind, Rates] = {
    **{one.job_type: one.rates for one in METHODS},
    **{one: one.batch.rates for one in METHODS if one.batch is not None},
    SearchJob: Rates(0.8e12, ((1e9, 100e12), (1e12, 250e12))),
    BwtJob: Rates(25e6, ((1e6, 0.1e9), (1e8, 1.4e9))),
    IndexJob: Rates(13e6, ((1e6, 40e6), (1e8, 100e6))),  # most of it is the CPU's on both
    InverseBwtJob: Rates(120e6, ((1e6, 0.2e9), (1e8, 3e9))),
}
_TABLED_CARD = 132 * 1.98e9  # multiprocessors times their clock

_lock = threading.Lock()
_measured: dict[tuple[Kind, str], float] = {}  # (kind of job, device) -> measured rate over the tabled one


def kind_of(job: object) -> Kind:
    """Return the key of ``job`` in the tables of rates and of kernels."""
    return job.method if isinstance(job, BatchJob) else type(job)


def cells(job: Tabled) -> int:
    """Return what the job's rate counts; in a search cells of each of the rows that errors need."""
    if isinstance(job, Transformed):
        return letters(job)
    if isinstance(job, SearchJob):
        return letters(job) * max(_pattern_letters(job), MIN_COSTED_PATTERN_LETTERS) * (job.errors + 1)
    return job.n_cells


def _cpu_cells(job: Tabled) -> int:
    """Return ``cells`` as the CPU's rate counts them."""
    if not isinstance(job, SearchJob):
        return cells(job)
    if job.errors:
        return CPU_ROWS_OF_ERRORS * cells(job)
    if job.layout is not SearchLayout.AUTO:
        return cells(job)
    patterns = len(job.patterns) * (1 + job.both_strands)
    return letters(job) * (MIN_COSTED_PATTERN_LETTERS + LOOKED_UP_PATTERN_LETTERS * patterns)


def letters(job: Tabled) -> int:
    """Return the letters of both sides, or of the text."""
    if isinstance(job, Transformed):
        return job.length
    if isinstance(job, SearchJob):
        return int(job.text.size)
    return job.n_letters


def _pattern_letters(job: SearchJob) -> int:
    """Return the letters of all patterns, on every strand."""
    return sum(len(one.letters) for one in job.patterns) * (1 + job.both_strands)


def cpu_seconds(job: Tabled) -> float:
    """Return the seconds on the cores that the job may have; what a job costs whatever its size is under 0.1 ms."""
    return _cpu_cells(job) / _cpu_rate(job)


def gpu_seconds(job: Tabled, card: GraphicsCard | None = None) -> float:
    """Return the seconds on ``card``, or on the fastest one known; kernels that are not there yet are not counted."""
    seconds = max(GPU_JOB_SECONDS, cells(job) / _gpu_rate(kind_of(job), cells(job), card) / cards_of(job, card))
    if isinstance(job, SearchJob):
        return max(seconds, letters(job) / SEARCH_LETTERS_PER_SECOND)
    return seconds + letters(job) / UPLOAD_LETTERS_PER_SECOND if isinstance(job, BatchJob) else seconds


def cards_of(job: object, card: GraphicsCard | None) -> int:
    """Return how many cards of the kind of ``card`` have a part in a job."""
    n = 1 if card is None else len(card.devices)
    return n if n > 1 and sharing.is_shared(job) else 1


def start_seconds(kind: Kind, *, awake: bool) -> float:
    """Return what comes before the first such job on the card: ``awake`` once CuPy is imported."""
    with _lock:
        loaded = (kind, "gpu") in _measured
    return 0.0 if loaded else KERNEL_LOAD_SECONDS + (0.0 if awake else DRIVER_WAKE_SECONDS)


def gpu_bytes(job: Tabled) -> int:
    """Return the least memory of a card that the job can do with; a path kept there takes what is free."""
    if isinstance(job, BwtJob | IndexJob):
        return BYTES_SORTED * letters(job)
    if isinstance(job, SearchJob):
        return SEARCH_BYTES
    if isinstance(job, BatchJob):
        answers = 4 * int(np.prod(job.shape, dtype=np.float64))
        return BYTES_PER_LETTER * letters(job) + BYTES_OF_A_RECORD * (len(job.a) + len(job.b or ())) + answers
    kept = method_of(job).card_bytes(job) if isinstance(job, PairJob) else 0
    return BYTES_PER_LETTER * letters(job) + kept


def length_limit_reason(job: object) -> str | None:
    """Return in a clause that a sequence is too long for a card; None where it is not.

    A search is not bound by it: it takes its text in chunks.
    """
    if isinstance(job, Transformed) and letters(job) > MAX_LETTERS:
        return f"the GPU transforms texts of up to {MAX_LETTERS:,} letters, and this one has {letters(job):,}"
    if not isinstance(job, Compared):
        return None
    if letters(job) <= MAX_LETTERS:
        return None
    sides = [one for one in (job.a, job.b) if one is not None]
    longest = max(int(one.sizes.max(initial=0)) if isinstance(one, SequencePool) else int(one.size) for one in sides)
    if longest <= MAX_LETTERS:
        return None
    return f"the GPU compares sequences of up to {MAX_LETTERS:,} letters, and one has {longest:,}"


def record_rate(job: object, device: str, n_cells: float, seconds: float, card: GraphicsCard | None = None) -> None:
    """Take note that ``n_cells`` of ``job`` took ``seconds`` inside its kernels on ``device`` (``cpu`` or
    ``gpu``)."""
    if isinstance(job, Transformed):
        with _lock:
            _measured.setdefault((type(job), device), 1.0)  # its kernels are there from now on
    if not isinstance(job, Compared | SearchJob) or seconds <= 0:
        return
    if isinstance(job, SearchJob):
        costed = _cpu_cells(job) if device == "cpu" else cells(job)
        n_cells = n_cells * costed / max(1, letters(job) * _pattern_letters(job))
    key = kind_of(job), device
    with _lock:
        old = _measured.setdefault(key, 1.0)
    if n_cells < MIN_MEASURED_CELLS:
        return
    on_card = _gpu_rate(key[0], n_cells, card) * cards_of(job, card)
    tabled = (on_card if device == "gpu" else _cpu_rate(job)) / old
    with _lock:
        _measured[key] = n_cells / seconds / tabled


def forget() -> None:
    """Forget what was measured."""
    with _lock:
        _measured.clear()


def _cpu_rate(job: Tabled) -> float:
    kind = kind_of(job)
    threads = 1 if isinstance(job, Transformed) else job.threads or cores()
    return RATES[kind].core * threads * _measured.get((kind, "cpu"), 1.0)


def _gpu_rate(kind: Kind, n_cells: float, card: GraphicsCard | None) -> float:
    share = 1.0 if card is None else card.processors * card.hertz / _TABLED_CARD
    curve = RATES[kind].card
    # A card with fewer processors is filled by smaller matrices: what it lacks, it lacks at the upper end.
    rate = min(_at(curve, n_cells), curve[-1][1] * share)
    return rate * _measured.get((kind, "gpu"), 1.0)


def _at(curve: Curve, x: float) -> float:
    """Return the curve at ``x``: straight lines between its points on scales of powers, flat at both ends."""
    for (x0, y0), (x1, y1) in pairwise(curve):
        if x < x1:
            part = max(0.0, log(max(x, 1.0) / x0) / log(x1 / x0))
            return exp(log(y0) + part * log(y1 / y0))
    return curve[-1][1]


def duration(seconds: float) -> str:
    """Return ``seconds`` roughly, for a reason: ``0.1 ms``, ``33 ms``, ``0.8 s``, ``12 s``, ``5 min``, ``3
    h``."""
    if seconds < 5e-5:
        return "under 0.1 ms"
    for limit, factor, digits, unit in (
        (0.0095, 1e3, 1, "ms"),
        (0.0995, 1e3, 0, "ms"),
        (9.95, 1, 1, "s"),
        (99.5, 1, 0, "s"),
        (5970, 1 / 60, 0, "min"),
    ):
        if seconds < limit:
            return f"{seconds * factor:.{digits}f} {unit}"
    return f"{seconds / 3600:,.0f} h"
