"""Batches on a cluster of two workers of this machine: the same answers as here, also where a worker is killed."""

from dataclasses import replace

import numpy as np
import pytest

from tests.cluster import local_cluster
from tests.core.pairs import random_letters
from wavediff.core.base.errors import Cancelled, ClusterError, InputError, WavediffError
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.events import DeviceChosen, Progress, Step, StepDone
from wavediff.core.methods import AFFINE, EDIT, LCS
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.run.cluster import batch
from wavediff.core.run.cluster.batch import Tile
from wavediff.core.run.cluster.client import MOST_TRANSFER_SHARE, Link, Session
from wavediff.core.run.cluster.workers import Workers
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import Alphabet, SequencePool

pytestmark = pytest.mark.thorough
ACGT = np.frombuffer(b"ACGT", np.uint8)
MANY = np.arange(100, 600, dtype=np.uint16)  # of a text of 500 characters


def pools(seed, *numbers, letters=ACGT):
    rng = np.random.default_rng(seed)
    made = ([letters[rng.integers(0, letters.size, rng.integers(0, 90))] for _ in range(n)] for n in numbers)
    return [SequencePool.of(one) for one in made]


def on(cluster, job, **how):
    values = {name: getattr(job, name) for name in ("a", "b", "pairs", "method", "fold_case", "alphabets", "options")}
    result = run_job(BatchJob(**values, cluster=Cluster(cluster.address)), **how)
    assert isinstance(result, BatchResult)
    assert result.device == "cluster"
    return result


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch):
    monkeypatch.setattr(batch, "records_per_tile", lambda *_: 7)


@pytest.mark.parametrize(
    ("method", "letters"), [(EDIT, ACGT), (LCS, ACGT), (AFFINE, ACGT), (EDIT, MANY), (LCS, MANY), (AFFINE, MANY[:100])]
)
def test_the_same_answers_in_the_same_places(cluster, method, letters):
    a, b, c = pools(1, 23, 16, 23, letters=letters)
    both = BatchJob(a=a, b=b, method=method, alphabets=[] if letters is ACGT else [Alphabet.TEXT])
    for job in (both, replace(both, b=None), replace(both, b=c, pairs=Pairing.ONE_TO_ONE)):
        here, there = run_job(job, device=Device.CPU), on(cluster, job)
        assert np.array_equal(here.values, there.values)
        assert here.values.dtype == there.values.dtype
        assert (here.shares is None) == (there.shares is None)
        if here.shares is not None:
            assert np.array_equal(here.shares, there.shares)


def test_what_a_worker_refuses_is_told_as_here(cluster):
    odd = SequencePool.of([np.frombuffer(b"AC!T", np.uint8)])
    job = BatchJob(a=odd, b=odd, method=AFFINE)
    with pytest.raises(InputError, match="has no score") as here:
        run_job(job, device=Device.CPU)
    with pytest.raises(WavediffError, match="has no score") as there:
        on(cluster, job)
    assert str(there.value) == str(here.value)


def test_stop_is_heard_between_tiles(cluster):
    (a,) = pools(2, 60)
    cancel, seen = CancelToken(), []

    def report(event):
        seen.append(event)
        if isinstance(event, StepDone):
            cancel.cancel()

    with pytest.raises(Cancelled):
        on(cluster, BatchJob(a=a, b=None), report=report, cancel=cancel)
    (a,) = pools(3, 9)
    assert np.array_equal(on(cluster, BatchJob(a=a, b=None)).values, run_job(BatchJob(a=a, b=None)).values)


def test_a_worker_that_is_killed_loses_nothing():
    (a,) = pools(4, 120)
    events = []
    with local_cluster() as cluster:
        on(cluster, BatchJob(a=pools(5, 30)[0], b=None))  # both workers have joined and are warm

        def report(event):
            events.append(event)
            if isinstance(event, StepDone):
                cluster.kill_first()

        found = on(cluster, BatchJob(a=a, b=None), report=report)
    assert np.array_equal(found.values, run_job(BatchJob(a=a, b=None)).values)
    done = [one.done for one in events if isinstance(one, Progress) and one.unit == "pairs"]
    assert done == sorted(done)
    assert done[-1] == found.n_pairs
    told = [one.reason for one in events if isinstance(one, DeviceChosen)]
    assert told == ["2 workers with 2 threads", "1 worker with 1 thread"]
    assert cluster.workers[0].returncode != 0


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr("wavediff.core.run.cluster.client.CONNECT_SECONDS", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://here"):
        with pytest.raises(ClusterError, match=f"no Dask scheduler answers at {address}"):
            run_job(BatchJob(a=pools(6, 3)[0], b=None, cluster=Cluster(address)))


def test_tiles_cover_each_pair_once(monkeypatch):
    monkeypatch.undo()
    a, b = pools(7, 50, 31)
    for job in (BatchJob(a=a, b=b), BatchJob(a=a, b=None), BatchJob(a=a, b=a, pairs=Pairing.ONE_TO_ONE)):
        for records in (1, 7, 50, 100):
            met = np.zeros(job.shape, np.int32)
            pairs = 0
            for tile in batch.tiles(job, records):
                n, m = tile.rows[1] - tile.rows[0], tile.cols[1] - tile.cols[0]
                one = np.ones((n,) if job.pairs is Pairing.ONE_TO_ONE else (n, m), np.int32)
                batch.enter(job, tile, one, met)
                pairs += batch.pairs_of(job, tile)
            assert (met == 1).all()
            assert pairs == job.n_pairs
    assert list(batch.tiles(BatchJob(a=a, b=None), 30)) == [
        Tile((0, 30), (0, 30)), Tile((0, 30), (30, 50)), Tile((30, 50), (30, 50)),
    ]  # fmt: skip


def test_tiles_are_so_large_that_sending_them_takes_a_twentieth(monkeypatch):
    monkeypatch.undo()
    rng = np.random.default_rng(8)
    job = BatchJob(a=SequencePool.of([random_letters(rng, 5_000, 4) for _ in range(4_000)]), b=None)
    slow, fast = Link(1e-3, 20e6), Link(1e-3, 1e9)
    sizes = {}
    for link in (slow, fast):
        records = sizes[link] = batch.records_per_tile(job, 8, 1e-10, link)
        computed = records * records * 25e6 * 1e-10
        sent = link.seconds + (2 * records * 5_000 + 4 * records * records) / link.bytes_per_second
        assert sent <= MOST_TRANSFER_SHARE * computed
    assert sizes[slow] >= sizes[fast]
    assert batch.records_per_tile(job, 1_000_000, 1e-10, fast) == 1  # each thread has some


def test_a_scheduler_that_is_killed_is_told_of():
    (a,) = pools(9, 120)
    with local_cluster(workers=1) as cluster:

        def report(event):
            if isinstance(event, StepDone) and cluster.scheduler.poll() is None:
                cluster.scheduler.kill()
                cluster.scheduler.wait(30)

        with pytest.raises(ClusterError, match="the scheduler of the cluster is gone"):
            on(cluster, BatchJob(a=a, b=None), report=report)


def test_a_client_that_gave_up_its_scheduler_is_told_of():
    distributed = pytest.importorskip("distributed")
    with local_cluster(workers=1) as cluster:
        client = distributed.Client(cluster.address, set_as_default=False)
        workers = Workers(client)
        list(workers.changes())
        session = Session(Step(1), client, Link(1e-3, 1e9), workers)
        client.close()
        with pytest.raises(ClusterError, match="the scheduler of the cluster is gone"):
            session.submit(len, b"")
        with pytest.raises(ClusterError, match="the scheduler of the cluster is gone"):
            session._changes()
