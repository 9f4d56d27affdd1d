"""Search on a graphics card, beside the CPU twin and beside what the way to the card can do.

A text comes from the memory of the host, so the whole job is bound by that way: its rate is measured in the same run,
from memory that the card reads by itself (pinned) and from where a text lies (pageable, one plain copy).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters, freeze
from wavediff.core.jobs.choices import Device, SearchLayout
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.run.dispatch import gpu_obstacle, graphics_card
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.tests.bench import bwt_texts
from wavediff.tests.bench.search import FREQUENT, LOG_WORDS, MANY_HITS_QUICK, MANY_HITS_WHOLE, log, vocabulary

QUICK, WHOLE = 64 << 20, 512 << 20  # letters; Kusudo, Ino and Hagihara's text has 512 MB
COPY_BYTES = 1 << 26  # bytes of a copy that is measured
ROUNDS = 4
CPU_WORK = 1 << 38  # letters of the text times letters of the patterns and rows of states: up to here the twin is timed


@dataclass(frozen=True, slots=True)
class Row:
    """One search: seconds of its scans on the card, of all of it, and of the CPU twin; None where not run."""

    what: str
    letters: int
    hits: int
    scan: float
    wall: float
    cpu: float | None
    agrees: bool | None

    def rate(self, seconds: float) -> float:
        """10^9 letters a second."""
        return self.letters / max(seconds, 1e-9) / 1e9


def table(quick: bool, unit: Callable[[float], str]) -> bool:
    """Print the table, or nothing where there is no card; returns whether all hits were the same."""
    card = graphics_card()
    if gpu_obstacle(SearchJob) is not None or card is None:
        return True
    pinned, pageable = copy_rates()
    print(f"\nsearch on {card.name}; to the card: {pinned:.1f} GB/s pinned, {pageable:.1f} GB/s pageable")
    heads = f"{'scan':>11} {'GB/s':>7} {'whole job':>11} {'GB/s':>6} {'of pinned':>9} {'CPU twin':>11} {'ratio':>6}"
    print(f"{'512 MB of text, all cores' if not quick else '64 MB of text, all cores':52} {heads}  hits")
    fine = True
    for row in rows(quick):
        line = f"{row.what:52} {unit(row.scan):>11} {row.rate(row.scan):7.1f} {unit(row.wall):>11}"
        line += f" {row.rate(row.wall):6.1f} {row.rate(row.wall) / pinned:9.0%}"
        line += " " * 19 if row.cpu is None else f" {unit(row.cpu):>11} {row.cpu / row.wall:6.1f}"
        verdict = "" if row.agrees is None else ", equal" if row.agrees else ", DIFFERENT"
        print(f"{line}  {row.hits:,}{verdict}", flush=True)
        fine &= row.agrees is not False
    return fine


def copy_rates() -> tuple[float, float]:
    """Return the GB/s of copies to the card from pinned and from pageable memory, the best of some rounds."""
    from wavediff.gpu.card.current_card import card

    on, queue = card(), card().queue()
    pinned, plain = on.pinned(COPY_BYTES, np.uint8), np.zeros(COPY_BYTES, np.uint8)
    pinned[:] = plain[:] = 1
    there = on.zeros(COPY_BYTES, np.uint8)
    best = [1e9, 1e9]
    for _ in range(ROUNDS):
        before = queue.moment()
        queue.upload(there, pinned)
        after = queue.moment()
        after.wait()
        best[0] = min(best[0], after.seconds_since(before))
        start = perf_counter()
        there.set(plain)  # CuPy's own copy, not by several threads
        best[1] = min(best[1], perf_counter() - start)
    return COPY_BYTES / best[0] / 1e9, COPY_BYTES / best[1] / 1e9


def rows(quick: bool) -> Iterator[Row]:
    n = QUICK if quick else WHOLE
    base = b"abcdefghij"
    text = freeze(np.resize(np.frombuffer(base, np.uint8), n))
    for matched in (0, 19):
        given = [(base * 3)[k : k + matched] + (base * 3)[k + matched : k + 20].upper() for k in range(10)]
        yield _row(f"Fig. 6 of Kusudo, {matched:2} of 20 match", text, given)
    text = freeze(np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(3).integers(0, 4, n, dtype=np.uint8)])
    few = [text[k << 16 : (k << 16) + 26 + k % 3].tobytes() for k in range(8)]
    many = [text[k << 16 : (k << 16) + 32].tobytes() for k in range(8)]
    yield _row("random DNA, 8 patterns of 26-28", text, few)
    yield _row("random DNA, 8 patterns of 32, a letter a step", text, many, layout=SearchLayout.SINGLE)
    primers = [text[k << 14 : (k << 14) + 18 + k % 8].tobytes() for k in range(1000)]
    codes = {"rule": LetterRule.NUCLEOTIDE, "fold_case": True}
    yield _row("random DNA, 1,000 primers, both strands", text, primers, both_strands=True, **codes)
    for errors in (2, 4, 8):
        for edits in (False, True):
            what = f"random DNA, 8 patterns of 26-28, {errors} {'edits' if edits else 'mismatches'}"
            yield _row(what, text, few, errors=errors, edits=edits)
    yield _row("random DNA, one pattern of 5 letters", text, [b"ACGTA"])
    letters = MANY_HITS_QUICK if quick else MANY_HITS_WHOLE
    python = bwt_texts.sources(letters)
    yield _row(f"Python sources, 8 frequent words ({_megabytes(python)})", python, list(FREQUENT))
    yield _row(f"Python sources, 1,000 words ({_megabytes(python)})", python, vocabulary(python, 1000))
    lines = log(letters)
    yield _row(f"log lines, 4 words ({_megabytes(lines)})", lines, list(LOG_WORDS))


def _megabytes(text: Letters) -> str:
    return f"{text.size / 1e6:.0f} MB"


def _row(what: str, text: Letters, given: list[bytes], **choices: Any) -> Row:
    patterns = tuple(Pattern(one, "") for one in given)
    job = SearchJob(text=text, patterns=patterns, **choices)
    _timed(SearchJob(text=text[: 1 << 20], patterns=patterns, **choices), Device.GPU)
    found, scan, wall = min((_timed(job, Device.GPU) for _ in range(ROUNDS)), key=lambda one: one[2])
    if found.cells * (job.errors + 1) > CPU_WORK:
        return Row(what, text.size, len(found.hits), scan, wall, None, None)
    _timed(SearchJob(text=text[: 1 << 20], patterns=patterns, **choices), Device.CPU)
    wanted, _, cpu = _timed(job, Device.CPU)
    names = ("pattern", "strand", "start", "length", "cost")
    same = all(np.array_equal(getattr(found.hits, one), getattr(wanted.hits, one)) for one in names)
    return Row(what, text.size, len(found.hits), scan, wall, cpu, same)


def _timed(job: SearchJob, device: Device) -> tuple[SearchResult, float, float]:
    """Return the answer, the seconds of its scans, and those of the whole job without compiling."""
    seconds: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, KernelTiming) and event.kernel == "scan":
            seconds.append(event.seconds)

    result = run_job(job, device=device, report=listen)
    assert device is not Device.GPU or result.device == "gpu", "the card was not used"
    return result, sum(seconds), result.wall_seconds
