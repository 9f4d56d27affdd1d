"""The same kernels compiled for a processor without AVX-512, and for one without AVX2 (vectors of 4 and 2 words)."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import numpy as np
from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein
from core.methods.batch import BatchJob
from core.methods import SWAP
from core.methods.edit import BandMode, EditJob
from core.methods.lcs import LcsJob, Strategy
from core.methods.swap import SwapEditJob
from core.jobs.search import SearchJob
from core.sequences.pattern_list import Pattern
from core.sequences.sequence_pool import SequencePool
from core.run.runner import run_job
from core.jit.simd import LANES
assert LANES == {lanes}, LANES
rng = np.random.default_rng(5)
for n, m, letters in ((5000, 4900, 4), (1500, 1700, 20)):
    a, b = rng.integers(0, letters, n).astype(np.uint8), rng.integers(0, letters, m).astype(np.uint8)
    common, edits = (peer(a.tobytes(), b.tobytes()) for peer in (LCSseq.similarity, Levenshtein.distance))
    assert run_job(LcsJob(a=a, b=b, strategy=Strategy.FULL, block_rows=512)).length == common
    assert run_job(EditJob(a=a, b=b, band=BandMode.SUDO)).distance == edits
    for k in (9, 63, 200, 511):
        x, y = a[:k], b[:600]
        assert run_job(LcsJob(a=x, b=y)).length == LCSseq.similarity(x.tobytes(), y.tobytes())
        assert run_job(EditJob(a=x, b=y)).distance == Levenshtein.distance(x.tobytes(), y.tobytes())
    swaps = DamerauLevenshtein.distance(a.tobytes(), b.tobytes())
    assert run_job(SwapEditJob(a=a, b=b)).distance == swaps
some, others = (a[:300], a, a[:0], a[5:], *(a[k : 2 * k] for k in range(70))), (b, b[:70], b[9:])
batch = run_job(BatchJob(a=SequencePool.of(some), b=SequencePool.of(others), method=SWAP)).values
dna = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, 20_000)]
words = [dna[k : k + 20].tobytes() for k in range(0, 19_000, 500)]
found = run_job(SearchJob(text=dna, patterns=tuple(Pattern(one, "") for one in words[:8]))).hits
assert set(zip(found.pattern.tolist(), found.start.tolist())) >= {{(k, 500 * k) for k in range(8)}}
assert len(found) == sum(dna.tobytes().count(one) for one in words[:8])
assert batch.tolist() == [[DamerauLevenshtein.distance(x.tobytes(), y.tobytes()) for y in others] for x in some]
"""


@pytest.mark.thorough
@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="names features of x86-64")
@pytest.mark.parametrize(
    ("cpu", "features", "lanes"),
    [
        ("haswell", "+sse4.2,+avx,+avx2,+bmi,+bmi2,+popcnt,+lzcnt,+fma", 4),
        ("nehalem", "+sse4.2,+popcnt", 2),
    ],
)
def test_narrow_vectors(cpu, features, lanes):
    environment = os.environ | {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": features}
    subprocess.run(
        [sys.executable, "-c", SCRIPT.format(lanes=lanes)], cwd=ROOT, env=environment, check=True, timeout=300
    )
