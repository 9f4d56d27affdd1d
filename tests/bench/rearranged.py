"""Exact matches beside MUMmer, aligned blocks and placed contigs beside minimap2, where there are any."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import which
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.jobs import Job
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.run.dispatch import gpu_obstacle
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.sequence import SequencePool
from wavediff.tests.bench.table import Row, once

K = 20  # letters of an exact match
QUICK, WHOLE, PARTS = 500_000, 5_000_000, 20  # letters, and parts of which ten are rearranged
QUICK_GENOME, GENOME, GENOME_PARTS = 25_000_000, 250_000_000, 100
CHANGED, GENOME_CHANGED, COVERED = 0.02, 0.01, 0.99  # shares of the letters
ROOT = Path(__file__).parents[2]
CONTIGS, MUTATED, APART = 200, 0.01, 100  # contigs, share of their letters, letters that an end may be from its place
_OF_CHILDREN = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024), file=sys.stderr)
"""  # the most memory of all children is that of the only one
Place = tuple[int, int, bool]  # first and last border in A, from 0, and whether on the other strand


class Process(NamedTuple):
    """Times, memory and output of a process.

    Attributes:
        cpu, wall: seconds. memory: most bytes at once.
    """

    cpu: float
    wall: float
    memory: int
    out: bytes

    @property
    def text(self) -> str:
        return f"{self.wall:.1f} s, CPU {self.cpu:.1f} s, {self.memory / 1e6:,.0f} MB"


def pair(n: int, n_parts: int = PARTS, changed: float = CHANGED) -> tuple[tuple[bytes, bytes], int]:
    """Return A, and B with substitutions and exchanged parts, one of each two turned; and how many substitutions."""
    rng = np.random.default_rng(47)
    a = rng.integers(0, 4, n, dtype=np.uint8)
    b = (a + (rng.random(n) < changed) * rng.integers(1, 4, n, dtype=np.uint8)) % 4
    one, other = (np.frombuffer(b"ACGT", np.uint8)[codes].tobytes() for codes in (a, b))
    parts = [other[n * at // n_parts : n * (at + 1) // n_parts] for at in range(n_parts)]
    for at in range(1, n_parts, 4):
        parts[at], parts[at + 1] = reverse_complement(parts[at + 1]), parts[at]
    return (one, b"".join(parts)), int((a != b).sum())


def assembly(n: int) -> tuple[bytes, list[bytes], list[Place]]:
    """Return A, contigs in any order and on any strand, with gaps of up to 200 letters, and their places."""
    rng = np.random.default_rng(48)
    a = rng.integers(0, 4, n, dtype=np.uint8)
    b = (a + (rng.random(n) < MUTATED) * rng.integers(1, 4, n, dtype=np.uint8)) % 4
    one, other = (np.frombuffer(b"ACGT", np.uint8)[codes].tobytes() for codes in (a, b))
    step = n // CONTIGS
    starts = [at * step + int(rng.integers(0, step // 2)) for at in rng.permutation(CONTIGS).tolist()]
    ends = [
        min([start for start in starts if start > first], default=n) - int(rng.integers(0, 200)) for first in starts
    ]
    places = [(start, end, bool(rng.integers(2))) for start, end in zip(starts, ends, strict=True)]
    contigs = [other[start:end] for start, end, _ in places]
    return one, [reverse_complement(c) if p[2] else c for c, p in zip(contigs, places, strict=True)], places


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield the lines: equal are the letters of all matches, 99 % of A in blocks, places of contigs.

    Our differences in blocks must be those that were made; those of minimap2, which aligns exchanged parts in one line
    where they are short, are told alone.
    """
    n = QUICK if quick else WHOLE
    letters, made = pair(n)
    a, b = (np.frombuffer(one, np.uint8) for one in letters)
    size = f"{n / 1e6:g} MB"
    with tempfile.TemporaryDirectory() as folder:
        _write(folder, letters)
        seconds, matches = _ours(ExactMatchesJob(a=a, b=b, k=K))
        found = _peer(folder, f"mummer -maxmatch -l {K} -b -n a b", b">")
        theirs = {} if found is None else {"mummer": once(found[0].cpu, sum(int(row[2]) for row in found[1]))}
        mine, note = once(seconds, int(matches.lengths.sum())), f"{len(matches):,} matches"
        note += "" if found is None else f"; mummer: {found[0].text}"
        yield Row(f"exact matches of {K} letters, {size}", 2 * n, mine, theirs, note)
        seconds, blocks = _ours(RearrangedJob(a=a, b=b, threads=1))
        aligned = [block for block in blocks.blocks if block.result is not None]
        covered, note = _covered(n, [block.size[0] for block in aligned], blocks.edits)
        note = f"{note} of {made:,} made; whole program {_program(folder, 'blocks', made).text}"
        mine = once(seconds, covered and _all_found(blocks.edits, made))
        found, theirs = _peer(folder, "minimap2 -c -x asm10 -t 1 a b"), {}
        if found is not None:
            edits = sum(int(row[12].removeprefix(b"NM:i:")) for row in found[1])
            covered, told = _covered(n, [int(row[8]) - int(row[7]) for row in found[1]], edits)
            theirs, note = {"minimap2": once(found[0].cpu, covered)}, f"{note}; minimap2: {told}, {found[0].text}"
        found = _peer(folder, "nucmer a b")
        note += "" if found is None else f"; nucmer: {found[0].text}"
        yield Row(f"collinear blocks, aligned, over 99 % of A, {size}", 2 * n, mine, theirs, note)
    with tempfile.TemporaryDirectory() as folder:
        yield _contigs(n, size, Path(folder))


def _contigs(n: int, size: str, folder: Path) -> Row:
    """Return the line of contigs: equal is how many are where they were cut, on their strand."""
    a, contigs, places = assembly(n)
    (folder / "a").write_bytes(b">a\n%b\n" % a)
    (folder / "b").write_bytes(b"".join(b">%d\n%b\n" % (at, one) for at, one in enumerate(contigs)))
    pool = SequencePool.of(np.frombuffer(one, np.uint8) for one in contigs)
    job = ContigsJob(a=np.frombuffer(a, np.uint8), contigs=pool, names=("",) * len(contigs), threads=1)
    seconds, found = _ours(job)
    mine = [(one.a[0].at, one.a[1].at, one.minus) if one.placed else None for one in found.placements]
    exact = sum(one == place for one, place in zip(mine, places, strict=True))
    note, theirs = f"{exact} to the letter, {sum(one.differences for one in found.placed):,} differences", {}
    peer = _peer(str(folder), "minimap2 -c -x asm10 -t 1 a b")
    if peer is not None:
        best = {int(row[0]): row for row in sorted(peer[1], key=lambda row: int(row[9]))}
        told = [(int(row[7]), int(row[8]), row[4] == b"-") for _, row in sorted(best.items())]
        exact = sum(one == places[at] for at, one in zip(sorted(best), told, strict=True))
        right = sum(_near(one, places[at]) for at, one in zip(sorted(best), told, strict=True))
        theirs = {"minimap2": once(peer[0].cpu, right)}
        edits = sum(int(row[12].removeprefix(b"NM:i:")) for row in best.values())
        note += f"; minimap2: {exact} to the letter, {edits:,} differences"
    right = sum(one is not None and _near(one, place) for one, place in zip(mine, places, strict=True))
    return Row(f"{len(contigs)} contigs placed and aligned, {size}", 2 * n, once(seconds, right), theirs, note)


def _near(one: Place, place: Place) -> bool:
    return one[2] == place[2] and max(abs(one[0] - place[0]), abs(one[1] - place[1])) <= APART


def _ours(job: Job) -> tuple[float, Any]:
    """Return seconds and result, after a call that loads the kernels."""
    run_job(job, device=Device.CPU)
    start = process_time()
    result = run_job(job, device=Device.CPU)
    return process_time() - start, result


def genome(quick: bool) -> bool:
    """Print what a simulated pair of 250 Mb with 50 rearranged parts takes on all cores, and on them with a card where
    there is one, by steps, beside the peers."""
    n, devices = QUICK_GENOME if quick else GENOME, [Device.CPU]
    devices += [Device.GPU] if gpu_obstacle(RearrangedJob) is None else []
    with tempfile.TemporaryDirectory() as folder:
        letters, made = pair(n, GENOME_PARTS, GENOME_CHANGED)
        _write(folder, letters)
        fine = True
        for what, device in product(("dots", "blocks"), devices):
            found = _program(folder, what, made, device)
            fine &= found.out.startswith(b"right ")
            told = f"{what}, {device}, {n / 1e6:g} Mb, {GENOME_CHANGED:.0%}: {found.text}; {found.out.decode().strip()}"
            print(told, flush=True)
        for command in (f"minimap2 -c -x asm5 -t {os.cpu_count()} a b", f"nucmer -t {os.cpu_count()} a b"):
            try:
                peer = _peer(folder, command)
                print(f"{command}: {'not installed' if peer is None else peer[0].text}", flush=True)
            except subprocess.CalledProcessError:
                print(f"{command}: not taken by the version installed", flush=True)
    return fine


def child(what: str, folder: str, made: int, device: str) -> None:
    """Compute the ``dots`` or ``blocks`` of the files in ``folder``, and print whether they are right, and figures."""
    a, b = (np.frombuffer(Path(folder, name).read_bytes()[3:-1], np.uint8) for name in "ab")
    start = perf_counter()
    if what == "dots":
        matches = run_job(ExactMatchesJob(a=a, b=b, k=24), device=Device(device))
        covered = int(matches.lengths.sum())
        print("right" if covered >= COVERED / 2 * a.size else "WRONG", f"{len(matches):,} matches, {covered:,} letters")
        return
    blocks = run_job(RearrangedJob(a=a, b=b), device=Device(device))
    seconds = perf_counter() - start
    sizes = [block.size[0] for block in blocks.blocks if block.result is not None]
    fine, note = _covered(a.size, sizes, blocks.edits)
    fine &= _all_found(blocks.edits, made)
    print("right" if fine else "WRONG", f"{note}, in {seconds:.1f} s")


def _write(folder: str, letters: tuple[bytes, bytes]) -> None:
    for name, one in zip("ab", letters, strict=True):
        Path(folder, name).write_bytes(b">%b\n%b\n" % (name.encode(), one))


def _program(folder: str, what: str, made: int, device: Device = Device.CPU) -> Process:
    """Run this program in a process of its own, with kernels that are compiled."""
    code = "from wavediff.core.jit import compile_cache; compile_cache.prepare()"
    asked = ", ".join(map(repr, (what, folder, made, str(device))))
    code = f"{code}; from wavediff.tests.bench.rearranged import child; child({asked})"
    return _process([sys.executable, "-c", code], ROOT)


def _process(command: list[str], folder: str | Path) -> Process:
    start = perf_counter()
    asked = [sys.executable, "-c", _OF_CHILDREN, *command]
    done = subprocess.run(asked, cwd=folder, capture_output=True, check=True, timeout=1_800)
    cpu, memory = done.stderr.split()[-2:]
    return Process(float(cpu), perf_counter() - start, int(memory), done.stdout)


def _peer(folder: str, command: str, comment: bytes = b"#") -> tuple[Process, list[list[bytes]]] | None:
    """Return a process and the fields of its lines; None where it is not installed."""
    if which(command.split()[0]) is None:
        return None
    done = _process(command.split(), folder)
    return done, [line.split() for line in done.out.splitlines() if not line.startswith(comment)]


def _all_found(edits: int, made: int) -> bool:
    return abs(edits - made) <= (1 - COVERED) * made


def _covered(n: int, sizes: list[int], edits: int) -> tuple[bool, str]:
    return sum(sizes) >= COVERED * n, f"{len(sizes)} blocks, {sum(sizes) / n:.2%} of A, {edits:,} differences"
