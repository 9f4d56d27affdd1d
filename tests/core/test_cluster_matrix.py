"""One pair on a cluster of two workers of this machine: the same numbers as here, also where a worker is killed."""

from dataclasses import replace

import numpy as np
import pytest

from tests.cluster import local_cluster
from tests.core.pairs import random_letters
from tests.core.running import stopped
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.events import Planned, Recorded, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise.blocks.border_tile import compute_tile, ones, outer_border
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.methods import EDIT, LCS
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run.cluster import matrix
from wavediff.core.run.cluster.client import MOST_TRANSFER_SHARE, Link
from wavediff.core.run.runner import run_job

FULL_LCS = LcsJob(a=np.zeros(0, np.uint8), b=np.zeros(0, np.uint8), path=TracebackMethod.NONE, strategy=Strategy.FULL)
FULL_EDIT = EditJob(a=FULL_LCS.a, b=FULL_LCS.b, path=TracebackMethod.NONE, band=BandMode.NONE)


@pytest.fixture
def small_tiles(monkeypatch):
    monkeypatch.setattr(matrix, "tile_shape", lambda *_: (1024, 1280))
    monkeypatch.setattr(matrix, "LEAST_SECONDS", 0.0)


def on(cluster, job, **how):
    return run_job(replace(job, cluster=Cluster(cluster.address)), **how)


def changed(letters, share, seed):
    rng = np.random.default_rng(seed)
    out = letters.copy()
    at = rng.random(letters.size) < share
    out[at] = rng.integers(0, 4, int(at.sum()))
    return np.delete(out, rng.choice(letters.size, int(letters.size * share / 4), replace=False))


@pytest.mark.parametrize(("kind", "method"), [(LcsMatrix, LCS), (EditMatrix, EDIT)], ids=["lcs", "edit"])
@pytest.mark.parametrize(("n", "m", "rows", "cols"), [(1, 1, 512, 128), (1500, 1111, 512, 300), (2048, 901, 1024, 77)])
def test_tiles_hand_their_borders_on(kind, method, n, m, rows, cols):
    rng = np.random.default_rng(n)
    a, b = random_letters(rng, n, 4), random_letters(rng, m, 4)
    signs = kind.n_delta_bits
    above = {}
    growth = 0
    for i in range(0, n, rows):
        one = a[i : i + rows]
        left = outer_border(one.size, signs, left=True)
        for j in range(0, m, cols):
            other = b[j : j + cols]
            top = above.get(j, outer_border(other.size, signs, left=False))
            found = run_to_end(compute_tile(kind, one, other, (256, 8), left, top, signs == 2))
            left, above[j] = found.right, found.below
        rises = ones(left, one.size)
        growth += int(one.size - rises[0] if signs == 1 else rises[0] - rises[1])
    expected = method.value(run_job(method.job_type(a=a, b=b, path=TracebackMethod.NONE)))
    assert growth + (m if signs == 2 else 0) == expected


@pytest.mark.parametrize("signs", [1, 2])
@pytest.mark.parametrize("threads", [2, 64, 1000])
def test_sending_borders_takes_a_twentieth_of_a_tile(signs, threads):
    for link in (Link(1e-3, 1e8), Link(1e-2, 2e7), Link(1e-4, 1e9)):
        rows, cols = matrix.tile_shape(10**9, 10**9, threads, 1 / 4e11, link, signs)
        sent = link.seconds + 2 * signs * (rows + cols) / 8 / link.bytes_per_second
        assert sent <= MOST_TRANSFER_SHARE * rows * cols / 4e11
        assert rows % 512 == 0
        assert max(-(-(10**9) // rows), -(-(10**9) // cols)) <= 1024
    assert matrix.tile_shape(3_000, 2_000, threads, 1e-11, Link(1e-3, 1e9), signs)[0] >= 3_000


def test_only_numbers_end_to_end_are_for_a_cluster():
    address = Cluster("tcp://127.0.0.1:9")
    for job, said in (
        (LcsJob(a=FULL_LCS.a, b=FULL_LCS.b, cluster=address), "--traceback none"),
        (EDIT.job_type(a=FULL_LCS.a, b=FULL_LCS.b, path=TracebackMethod.NONE, ends="both", cluster=address), "end"),
    ):
        with pytest.raises(WavediffError, match=said):
            run_job(job)


@pytest.mark.thorough
@pytest.mark.parametrize("job", [FULL_LCS, FULL_EDIT], ids=["lcs", "edit"])
def test_the_same_number_as_here(cluster, small_tiles, job):
    rng = np.random.default_rng(5)
    for n, m, kinds in ((9_000, 7_777, 4), (700, 30_000, 4), (5_120, 5_120, 4), (9_000, 7_777, 700)):
        events = []
        letters = [rng.integers(kinds, size=size, dtype=np.uint8 if kinds < 256 else np.uint16) for size in (n, m)]
        asked = replace(job, a=letters[0], b=letters[1])
        here, there = run_job(asked), on(cluster, asked, report=events.append)
        assert there.device == "cluster"
        method = LCS if job is FULL_LCS else EDIT
        assert method.value(there) == method.value(here)
        (planned,) = (one for one in events if isinstance(one, Planned))
        assert planned.grid.shape == (-(-n // 1024), -(-m // 1280))
        assert (planned.block_map == BlockState.DONE).all()
        (recorded,) = (one for one in events if isinstance(one, Recorded))
        (attempt,) = recorded.attempts
        assert attempt.record.is_complete
        assert 1 <= len(attempt.record.names) <= 2


@pytest.mark.thorough
def test_bands_are_tiles_round_the_diagonal(cluster, small_tiles, monkeypatch):
    monkeypatch.setattr(matrix._Backend, "_here", lambda *_: float("inf"))  # never done here
    a = random_letters(np.random.default_rng(6), 30_000, 4)
    b = changed(a, 0.05, 7)
    for job, method in ((replace(FULL_LCS, strategy=Strategy.BAND), LCS), (FULL_EDIT, EDIT)):
        if method is EDIT:
            job = replace(job, band=BandMode.FIXED, threshold=3_000)
        asked = replace(job, a=a, b=b)
        events = []
        there = on(cluster, asked, report=events.append)
        assert there.device == "cluster"
        assert method.value(there) == method.value(run_job(asked))
        planned = [one for one in events if isinstance(one, Planned)]
        assert (planned[-1].block_map == BlockState.OUTSIDE_BAND).any()


@pytest.mark.thorough
def test_what_is_alike_is_not_sent(cluster):
    a = random_letters(np.random.default_rng(8), 20_000, 4)
    b = a.copy()
    b[::500] ^= 1
    found = on(cluster, LcsJob(a=a, b=b, path=TracebackMethod.NONE))
    assert found.device == "cpu"
    assert found.length == run_job(LcsJob(a=a, b=b, path=TracebackMethod.NONE)).length


@pytest.mark.thorough
def test_stop_is_heard_between_tiles(cluster, small_tiles):
    rng = np.random.default_rng(9)
    asked = replace(FULL_EDIT, a=random_letters(rng, 20_000, 4), b=random_letters(rng, 20_000, 4))
    stopped(replace(asked, cluster=Cluster(cluster.address)), "blocks")


@pytest.mark.thorough
def test_a_worker_that_is_killed_loses_nothing(small_tiles):
    rng = np.random.default_rng(10)
    asked = replace(FULL_LCS, a=random_letters(rng, 20_000, 4), b=random_letters(rng, 20_000, 4))
    events = []
    with local_cluster() as cluster:
        on(cluster, replace(asked, a=asked.a[:5_000], b=asked.b[:5_000]))  # both workers have joined and are warm

        def report(event):
            events.append(event)
            if isinstance(event, StepDone) and event.kernel == "blocks":
                cluster.kill_first()

        found = on(cluster, asked, report=report)
    assert found.length == run_job(asked).length
    assert cluster.workers[0].returncode != 0
    computed = sum(one.cells for one in events if isinstance(one, StepDone) and one.kernel == "blocks")
    (planned,) = (one for one in events if isinstance(one, Planned))
    assert computed == planned.cells, "each tile counts once, whoever computed it"
