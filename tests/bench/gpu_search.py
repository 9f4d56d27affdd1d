"""Search on a graphics card, beside the CPU twin and beside what the way to the card can do.

A text comes from the memory of the host, so the whole job is bound by that way: its rate is measured in the same run,
from memory that the card reads by itself (pinned) and from where a text lies (pageable, one plain copy).
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np

from wavediff.core.base.arrays import Letters, freeze
from wavediff.core.jobs.choices import Device, SearchLayout
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.tests.bench import bwt_texts
from wavediff.tests.bench.on_card import best, card_for, of_kernel, timed
from wavediff.tests.bench.search import FREQUENT, LOG_WORDS, MANY_HITS_QUICK, MANY_HITS_WHOLE, log, vocabulary
from wavediff.tests.bench.table import Row, show

QUICK, WHOLE = 64 << 20, 512 << 20  # letters; Kusudo, Ino and Hagihara's text has 512 MB
COPY_BYTES = 1 << 26  # bytes of a copy that is measured
ROUNDS = 4
CPU_WORK = 1 << 38  # letters of the text times letters of the patterns and rows of states: up to here the twin is timed


def table(quick: bool) -> bool:
    card = card_for(SearchJob)
    if card is None:
        return True
    pinned, pageable = copy_rates()
    print(f"\nto {card.name}: {pinned:.1f} GB/s pinned, {pageable:.1f} GB/s pageable", end="")
    return show(f"search, {'64' if quick else '512'} MB of text, all cores", rows(quick), ("CPU twin",), "GB/s")


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
    job, small = (SearchJob(text=one, patterns=patterns, **choices) for one in (text, text[: 1 << 20]))
    hits: list[tuple[int, int]] = []

    def answer(result: SearchResult) -> int:
        found = [getattr(result.hits, one).tobytes() for one in ("pattern", "strand", "start", "length", "cost")]
        hits.append((len(result.hits), result.cells))
        return crc32(b"".join(found))

    timed(small, Device.GPU, "scan", answer)
    ours, scan = best(ROUNDS, job, Device.GPU, "scan", answer)
    n_hits, cells = hits[-1]
    peers = {}
    if cells * (job.errors + 1) <= CPU_WORK:
        timed(small, Device.CPU, "scan", answer)
        peers["CPU twin"], _ = timed(job, Device.CPU, "scan", answer)
    return Row(what, text.size, ours, peers, f"{n_hits:,} hits, {of_kernel('scan', scan, text.size, 1e9, 'GB/s')}")
