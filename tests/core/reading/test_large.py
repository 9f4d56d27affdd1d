"""Genome-size input: many records, long ones, and what they cost in memory and to other threads."""

import gc
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import psutil
import pytest
from isal import igzip

from tests.clock import check_within, longest, moment
from tests.core.reading.tools import noticed
from wavediff.core.jobs.read import ReadJob
from wavediff.core.reading import read
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import Alphabet

LENGTH = 250_000_000
WIDTH = 60


@pytest.fixture(scope="module")
def genome():
    """One random record of 250 Mbp with runs of N."""
    block = np.random.default_rng(11).choice(np.frombuffer(b"ACGT", np.uint8), 1_000_003)
    letters = np.resize(block, LENGTH)
    letters[: LENGTH // 50] = ord("N")
    return letters


@contextmanager
def ticking():
    """Run a thread that wakes each 5 ms; yields a function for its longest wait (s) and the memory used (bytes)."""
    process = psutil.Process()
    gc.collect()
    before = process.memory_info().rss
    gaps, peaks = [0.0], [before]
    over = threading.Event()

    def tick():
        last = moment()
        while not over.wait(0.005):
            now = moment()
            gaps.append(longest([last, now]))
            last = now
            peaks.append(process.memory_info().rss)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        yield lambda: (max(gaps), max(peaks) - before)
    finally:
        over.set()
        thread.join()


def write_wrapped(path, letters):
    with path.open("wb") as file:
        file.write(b">chr1 made up\n")
        rows = letters.size // WIDTH
        for start in range(0, rows, 1 << 20):
            part = letters[start * WIDTH : min(start + (1 << 20), rows) * WIDTH].reshape(-1, WIDTH)
            file.write(np.pad(part, ((0, 0), (0, 1)), constant_values=10).tobytes())
        file.write(letters[rows * WIDTH :].tobytes() + b"\n")


def check(load, genome):
    sequence = load.sequence(0)
    assert np.array_equal(sequence.letters, genome)
    assert sequence.letters.base is not None
    assert sequence.alphabet is Alphabet.DNA
    assert sequence.counts.sum() == LENGTH
    assert sequence.counts[ord("N")] == np.count_nonzero(genome == ord("N"))


@pytest.mark.thorough
@pytest.mark.timed
@pytest.mark.parametrize("form", ["wrapped", "one line", "gzip"])
def test_i15_250_mbp(tmp_path, genome, form):
    """Memory: at most 1.2 times the letters. The interpreter: other threads wait no more than 150 ms, rule R."""
    path = tmp_path / "chr1.fa"
    if form == "one line":
        path.write_bytes(b">chr1 made up\n")
        with path.open("ab") as file:
            genome.tofile(file)
    elif form == "gzip":
        with igzip.open(path, "wb", compresslevel=0) as file:
            file.write(b">chr1\n")
            for start in range(0, LENGTH, 1 << 22):
                file.write(genome[start : start + (1 << 22)].tobytes() + b"\n")
    else:
        write_wrapped(path, genome)
    events = []
    with ticking() as cost:
        start = time.perf_counter()
        load = run_job(ReadJob(path=path), report=events.append)
        seconds = time.perf_counter() - start
        gap, memory = cost()
    sys.stdout.write(f"\n{form}: {seconds:.2f} s, longest gap {gap * 1e3:.0f} ms, {memory / 1e6:.0f} MB more\n")
    check(load, genome)
    assert memory <= 1.2 * LENGTH
    check_within(gap, 0.15)
    assert len(events) > 200  # so often it can be stopped
    path.unlink()


@pytest.mark.thorough
@pytest.mark.timed
def test_i14_a_million_tiny_records(tmp_path):
    n = 1_000_000
    path = tmp_path / "tiny.fa"
    path.write_bytes(b"".join(b">r%d some words\nACGT%s\n" % (i, b"ACGT"[i % 4 : i % 4 + 1]) for i in range(n)))
    with ticking() as cost:
        start = time.perf_counter()
        load = read(path)
        seconds = time.perf_counter() - start
        gap, memory = cost()
    sys.stdout.write(f"\ntiny: {seconds:.2f} s, longest gap {gap * 1e3:.0f} ms, {memory / 1e6:.0f} MB more\n")
    assert load.n_records == n
    assert np.all(load.lengths == 5)
    for k in (0, 1, 77_777, n - 1):
        assert (load.name(k), load.description(k)) == (f"r{k}", "some words")
        assert load.sequence(k).letters.tobytes() == b"ACGT" + b"ACGT"[k % 4 : k % 4 + 1]
    assert load.find("R99999").tolist() == [99_999, *range(999_990, 1_000_000)]
    assert noticed(load) == ()
    check_within(gap, 0.15)
    assert memory < 400_000_000
