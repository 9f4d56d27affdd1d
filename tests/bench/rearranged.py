"""Exact matches beside MUMmer, and aligned collinear blocks beside minimap2, where they are installed."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from time import process_time
from typing import Any

import numpy as np

from wavediff.core.jobs import Job
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.tests.bench.table import Row, once

K = 20  # letters of an exact match
QUICK, WHOLE, PARTS = 500_000, 5_000_000, 20  # letters, and parts of which ten are rearranged
CHANGED, COVERED = 0.02, 0.99  # shares of the letters


def pair(n: int) -> tuple[bytes, bytes]:
    """Return A, and B with exchanged parts, one of each two on the other strand, and substitutions."""
    rng = np.random.default_rng(47)
    a = rng.integers(0, 4, n, dtype=np.uint8)
    b = (a + (rng.random(n) < CHANGED) * rng.integers(1, 4, n, dtype=np.uint8)) % 4
    one, other = (np.frombuffer(b"ACGT", np.uint8)[codes].tobytes() for codes in (a, b))
    parts = [other[n * at // PARTS : n * (at + 1) // PARTS] for at in range(PARTS)]
    for at in range(1, PARTS, 4):
        parts[at], parts[at + 1] = reverse_complement(parts[at + 1]), parts[at]
    return one, b"".join(parts)


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield both lines: equal are the letters of all matches, and that 99 % of A are in blocks."""
    n = QUICK if quick else WHOLE
    letters = pair(n)
    a, b = (np.frombuffer(one, np.uint8) for one in letters)
    size = f"{n / 1e6:g} MB"
    with tempfile.TemporaryDirectory() as folder:
        for name, one in zip("ab", letters, strict=True):
            Path(folder, name).write_bytes(b">%b\n%b\n" % (name.encode(), one))
        seconds, matches = _ours(ExactMatchesJob(a=a, b=b, k=K))
        found = _peer(folder, f"mummer -maxmatch -l {K} -b -n a b", b">")
        theirs = {} if found is None else {"mummer": once(found[0], sum(int(row[2]) for row in found[1]))}
        mine, note = once(seconds, int(matches.lengths.sum())), f"{len(matches):,} matches"
        yield Row(f"exact matches of {K} letters, {size}", 2 * n, mine, theirs, note)
        seconds, blocks = _ours(RearrangedJob(a=a, b=b, threads=1))
        aligned = [block for block in blocks.blocks if block.result is not None]
        covered, note = _covered(n, [block.size[0] for block in aligned], blocks.edits)
        mine = once(seconds, covered)
        found, theirs = _peer(folder, "minimap2 -c -x asm10 -t 1 a b"), {}
        if found is not None:
            edits = sum(int(row[12].removeprefix(b"NM:i:")) for row in found[1])
            covered, told = _covered(n, [int(row[8]) - int(row[7]) for row in found[1]], edits)
            theirs, note = {"minimap2": once(found[0], covered)}, f"{note}; minimap2: {told}"
        yield Row(f"collinear blocks, aligned, {size}", 2 * n, mine, theirs, note)


def _ours(job: Job) -> tuple[float, Any]:
    """Return seconds and result, after a call that loads the kernels."""
    run_job(job)
    start = process_time()
    result = run_job(job)
    return process_time() - start, result


def _peer(folder: str, command: str, comment: bytes = b"#") -> tuple[float, list[list[bytes]]] | None:
    """Return the seconds of a process and the fields of its lines; None where it is not installed."""
    if which(command.split()[0]) is None:
        return None
    before = os.times()
    done = subprocess.run(command.split(), cwd=folder, capture_output=True, check=True, timeout=600)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, [line.split() for line in done.stdout.splitlines() if not line.startswith(comment)]


def _covered(n: int, sizes: list[int], edits: int) -> tuple[bool, str]:
    return sum(sizes) >= COVERED * n, f"{len(sizes)} blocks, {sum(sizes) / n:.2%} of A, {edits:,} differences"
