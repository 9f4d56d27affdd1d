"""Timing of the experiments of papers (result tables of lessons) on this machine, except those that take too long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.run.api.compare import compare
from wavediff.core.run.api.many import batch
from wavediff.core.run.api.texts import search, transform
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.system.cpu_levels import processor_name
from wavediff.core.system.machine import cores
from wavediff.core.system.version import VERSION

MAX_SECONDS = 60.0  # seconds of a row, estimated from the previous rows
AGAIN_SECONDS = 30.0  # seconds; shorter rows are repeated, as the first run may compile
RUNS = 3
SEED = 2009


def measure(tables: Iterable[Mapping[str, Any]], report: Callable[[str], object] = str) -> dict[str, Any]:
    """Return machine, date, and the seconds by table and row.

    Args:
        tables: inputs of the lesson parts with method ``results``. A row has ``n`` and ``m`` letters, and ``edits``
            between A and its copy B, ``part`` (A is a subsequence of B) or ``pairs`` of a batch. ``of`` has ``call``
            (compare, batch, search, transform), ``letters``, ``patterns``, options. Rows without ``n`` are skipped.
        report: called with a line for each row.
    """
    seconds: dict[str, float] = {}
    for table in tables:
        speed = 0.0
        for row in table["rows"]:
            job = {**table["of"], **row}
            name, work = f"{table['table']}: {row['what']}", job.get("pairs", 1) * job.get("n", 0) * job.get("m", 1)
            if not work:
                continue
            if speed and work / speed > MAX_SECONDS:
                report(f"{name}: some {work / speed:,.0f} s are left out")
                continue
            seconds[name] = _seconds(_call(job))
            speed = max(speed, work / seconds[name])
            report(f"{name}: {seconds[name]:.3g} s")
    card = None if graphics_cards().obstacle() else graphics_cards().describe()
    machine = f"{processor_name()}, {cores()} cores{f', {card.name}' if card else ''}"
    return {"machine": machine, "date": f"{datetime.now(UTC):%Y-%m-%d}", "version": VERSION, "seconds": seconds}


def _seconds(call: Callable[[], object]) -> float:
    least = float("inf")
    for _ in range(RUNS):
        began = perf_counter()
        call()
        least = min(least, perf_counter() - began)
        if least > AGAIN_SECONDS:
            break
    return least


def _call(job: Mapping[str, Any]) -> Callable[[], object]:
    rng, letters = np.random.default_rng(SEED), np.frombuffer(job["letters"].encode(), np.uint8)
    options, n = job.get("options", {}), job["n"]
    if job["call"] in ("search", "transform"):
        text = np.resize(letters, n) if job.get("repeated") else rng.choice(letters, n)
        if job["call"] == "transform":
            return lambda: transform(text)
        return lambda: search(job["patterns"], text, **options)
    pairs = [_pair(rng, letters, job) for _ in range(job.get("pairs", 1))]
    if job["call"] == "batch":
        return lambda: batch([a for a, _ in pairs], [b for _, b in pairs], pairs="one-to-one", **options)
    return lambda: compare(*pairs[0], **options)


def _pair(rng: np.random.Generator, letters: Letters, job: Mapping[str, Any]) -> tuple[Letters, Letters]:
    n, m = job["n"], job["m"]
    b = rng.choice(np.frombuffer(job["others"].encode(), np.uint8) if "others" in job else letters, m)
    if job.get("part"):
        return b[np.sort(rng.choice(m, n, replace=False))], b
    a = rng.choice(letters, n)
    if "edits" in job:
        b = a.copy()
        at = np.linspace(0, n - 1, job["edits"] + 2).astype(np.int64)[1:-1]
        b[at] = letters[(np.searchsorted(letters, a[at]) + 1) % len(letters)]
    return a, b
