"""Workers that are not used: of other sources, or with wrong answers; they are named, and the answers are right."""

import shutil
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pytest

from tests.cluster import ROOT, local_cluster
from tests.processes import spawned
from wavediff.core.base.errors import ClusterError
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.events import NoticeRaised
from wavediff.core.methods import EDIT, LCS
from wavediff.core.methods.batch import BatchJob
from wavediff.core.run.cluster import batch
from wavediff.core.run.cluster.batch import Tile
from wavediff.core.run.cluster.workers import Build, Workers, build
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool

ACGT = np.frombuffer(b"ACGT", np.uint8)
OTHERS = Build("0" * 64, build().python, build().numba)

# A worker of our sources whose memory is at fault: it adds one to all that it computes.
WRONG = """
import sys
from dataclasses import replace
from wavediff.app.commands.worker import serve
from wavediff.core.run.cluster import batch
right = batch.run_job
def wrong(job, **how):
    found = right(job, **how)
    return replace(found, values=found.values + 1)
batch.run_job = wrong
serve()
"""


def pool(seed, n):
    rng = np.random.default_rng(seed)
    return SequencePool.of([ACGT[rng.integers(0, 4, rng.integers(5, 60))] for _ in range(n)])


def test_builds_differ_by_sources_python_and_numba():
    mine = build()
    assert mine.difference(build()) == ""
    assert "other sources" in OTHERS.difference(mine)
    assert mine._replace(python="3.9").difference(mine) == f"has Python 3.9, and this computer {mine.python}"
    assert mine._replace(numba="0.1").difference(mine) == f"has Numba 0.1, and this computer {mine.numba}"


def test_any_source_that_computes_is_part_of_the_build(tmp_path, monkeypatch):
    for folder in ("core", "gpu", "app"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr("wavediff.core.system.program.ROOT", tmp_path)
    found = [build.__wrapped__()]
    for name in ("app/ui/theme.py", "core/run/cluster/batch.py", "gpu/cuda/search.cu"):
        with (tmp_path / name).open("a") as file:
            file.write("\n")
        found.append(build.__wrapped__())
    assert found[0] == found[1] == build()  # a copy elsewhere, and another window
    assert len(set(found)) == 3


class Scheduler:
    """Stands for a client of Dask whose workers are known beforehand: address -> what it says of itself."""

    def __init__(self):
        self.there = {}
        self.asked = []

    def nthreads(self):
        return dict.fromkeys(self.there, 2)

    def run(self, _call, workers, on_error):
        assert on_error == "return"
        self.asked += workers
        return {one: self.there[one] for one in workers}


def test_each_worker_is_asked_when_it_is_new():
    scheduler = Scheduler()
    workers = Workers(scheduler)
    scheduler.there = {"tcp://a:1": build(), "tcp://b:1": OTHERS}
    assert list(workers.changes()) == [
        "Worker tcp://b:1 is not used: it has other sources of Wavediff than this computer"
    ]
    assert (workers.known, workers.only, workers.threads) == ({"tcp://a:1": 2}, ["tcp://a:1"], 2)
    assert list(workers.changes()) == []
    scheduler.there |= {"tcp://c:1": build(), "tcp://d:1": ModuleNotFoundError("No module named 'wavediff'")}
    (why, more) = workers.changes()
    assert "tcp://d:1 is not used: it cannot import Wavediff (ModuleNotFoundError: No module named" in why
    assert more == "1 worker joined the cluster"
    scheduler.there["tcp://e:1"] = OSError("gone while it was asked")
    assert list(workers.changes()) == []
    scheduler.there["tcp://e:1"] = build()
    del scheduler.there["tcp://a:1"]
    assert list(workers.changes()) == [
        "1 worker left the cluster; others do its tasks",
        "1 worker joined the cluster",
    ]
    scheduler.there = {}
    assert list(workers.changes()) == ["The cluster has no workers left; the job continues when one joins"]
    assert scheduler.asked == ["tcp://a:1", "tcp://b:1", "tcp://c:1", "tcp://d:1", "tcp://e:1", "tcp://e:1"]


def test_the_pair_that_is_computed_again_is_one_of_the_tile():
    a, b = pool(1, 9), pool(2, 9)
    for job in (BatchJob(a=a, b=b), BatchJob(a=a, b=None), BatchJob(a=a, b=b, pairs=Pairing.ONE_TO_ONE)):
        values = run_job(job).values
        for tile in batch.tiles(job, 4):
            if not batch.pairs_of(job, tile):
                continue
            row, col = batch.shortest_pair(job, tile)
            assert tile.rows[0] <= row < tile.rows[1]
            assert tile.cols[0] <= col < tile.cols[1]
            assert row != col or job.b is not None
            assert job.pairs is Pairing.ALL_TO_ALL or row == col
            rows, cols = slice(*tile.rows), slice(*tile.cols)
            part = values[rows] if job.pairs is Pairing.ONE_TO_ONE else values[rows, cols]
            wanted = values[row] if job.pairs is Pairing.ONE_TO_ONE else values[row, col]
            assert batch.value_of(job, tile, part, row, col) == wanted
    short = SequencePool.of([ACGT, ACGT[:1], ACGT[:3], ACGT[:2]])
    assert batch.shortest_pair(BatchJob(a=short, b=None), Tile((0, 4), (0, 4))) == (1, 3)
    assert batch.shortest_pair(BatchJob(a=short, b=short), Tile((2, 4), (0, 2))) == (3, 1)


@contextmanager
def joined(workers, other):
    with local_cluster(workers, others=[other]) as cluster:
        yield cluster, BatchJob(a=pool(3, 90), b=None, method=EDIT, cluster=Cluster(cluster.address)), []


def rejected(events):
    return [one.text for one in events if isinstance(one, NoticeRaised) and "is not used" in one.text]


@pytest.fixture
def other_sources(tmp_path):
    """A worker of a checkout in which one line differs: all its answers are one too many."""
    for folder in ("core", "gpu", "app", ".ci"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "main.py", tmp_path)
    tiles = tmp_path / "core" / "run" / "cluster" / "batch.py"
    text = tiles.read_text(encoding="utf-8")
    changed = text.replace("TileAnswer(result.values, ", "TileAnswer(result.values + 1, ")
    assert changed != text
    tiles.write_text(changed, encoding="utf-8")
    return [sys.executable, str(tmp_path / "main.py"), "worker"]


@pytest.fixture
def wrong_answers():
    return [sys.executable, "-c", WRONG]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["other_sources", "wrong_answers"])
def test_a_worker_that_is_not_as_this_computer_is_rejected(kind, request, monkeypatch):
    monkeypatch.setattr(batch, "records_per_tile", lambda *_: 5)
    with joined(1, request.getfixturevalue(kind)) as (_, job, events):
        found = run_job(job, report=events.append)
    assert np.array_equal(found.values, run_job(BatchJob(a=job.a, b=None, method=EDIT)).values)
    (said,) = rejected(events)
    assert said.startswith("Worker tcp://127.0.0.1:")
    assert ("other sources" in said) == (kind == "other_sources")
    assert ("are recomputed" in said) == (kind == "wrong_answers")


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["other_sources", "wrong_answers"])
def test_with_no_other_worker_nothing_is_computed(kind, request):
    with (
        joined(0, request.getfixturevalue(kind)) as (_, job, events),
        pytest.raises(ClusterError, match=r"no worker of the cluster .*tcp://127.0.0.1:\d+ (has other|answers)"),
    ):
        run_job(job, report=events.append)


@pytest.mark.thorough
def test_a_worker_that_joins_later_is_asked_too(other_sources, monkeypatch):
    monkeypatch.setattr(batch, "records_per_tile", lambda *_: 3)
    monkeypatch.setattr("wavediff.core.run.cluster.client.IN_FLIGHT_PER_THREAD", 1)
    job = BatchJob(a=pool(4, 60), b=None, method=LCS)
    events = []
    with local_cluster(1) as cluster:
        begun = []

        def report(event):
            events.append(event)
            if not begun and not isinstance(event, NoticeRaised):
                options = ["--no-nanny", "--no-dashboard", "--nthreads", "1"]
                silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                begun.append(spawned([*other_sources, cluster.address, *options], **silent))
                begun[0].__enter__()

        try:
            found = run_job(BatchJob(a=job.a, b=None, method=LCS, cluster=Cluster(cluster.address)), report=report)
        finally:
            for one in begun:
                one.__exit__(None, None, None)
    # Whether it came before the end or not, nothing of it is in the answer.
    assert np.array_equal(found.values, run_job(job).values)


@pytest.mark.thorough
def test_a_scheduler_without_the_program_is_told_of_in_a_line(tmp_path):
    pytest.importorskip("distributed")
    code = (
        "import sys, asyncio\nsys.modules['wavediff'] = None\nfrom distributed import Scheduler\n"
        "async def main():\n"
        "    async with Scheduler(host='127.0.0.1', port=0, dashboard=False) as one:\n"
        "        print(one.address, flush=True); await one.finished()\n"
        "asyncio.run(main())"
    )
    with spawned([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as one:
        address = one.stdout.readline().decode().strip()
        with pytest.raises(ClusterError, match=f"the scheduler at {address} cannot import Wavediff") as told:
            run_job(BatchJob(a=pool(5, 4), b=None, cluster=Cluster(address)))
    assert "\n" not in str(told.value)
