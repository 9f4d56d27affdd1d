"""Search of many files on a cluster of two workers of this machine: the same lines as here, in order."""

import os
from dataclasses import replace

import numpy as np
import pytest

from tests.cluster import local_cluster
from tests.core.running import stopped
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.events import StepDone
from wavediff.core.jobs.search_files import FileQuery, SearchFilesJob
from wavediff.core.run.cluster import files as cluster_files
from wavediff.core.run.cluster.files import SentFile, search_group, signature
from wavediff.core.run.runner import run_job
from wavediff.core.run.search_file import search_file
from wavediff.core.sequences.pattern_list import Pattern

QUERY = FileQuery(
    patterns=(Pattern(b"ACGTA", "one"), Pattern(b"GGR", "two")), both_strands=True, errors=1, outputs=("tsv", "bed")
)
ALL = 10_000_000


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("files"), np.random.default_rng(1)
    found = []
    for k in range(30):
        path = folder / f"{k}.fa"
        letters = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, rng.integers(1, 3_000))]
        path.write_bytes(b">r\n" + letters.tobytes() + b"\n")
        found.append(str(path))
    (folder / "7.fa").write_bytes(b"")
    (folder / "9.fa").unlink()
    return tuple(found)


def here(paths, limit=ALL):
    found = []
    for path in paths:
        left = limit - sum(one.n_hits for one in found)
        if not left:
            break
        found.append(search_file(path, path, QUERY, left, 1))
        if not found[-1].complete:
            break
    return found


def there(cluster, paths, limit=ALL, **how):
    found = []
    job = SearchFilesJob(paths=paths, query=QUERY, take=found.append, limit=limit, cluster=Cluster(cluster.address))
    assert run_job(job, **how).device == "cluster"
    return found


def told(found):
    return [
        (one.source, bool(one.error), one.n_letters, one.n_hits, one.counts.tolist(), one.complete,
         {id_: b"".join(lines) for id_, lines in one.lines.items()})
        for one in found
    ]  # fmt: skip


def test_what_is_not_the_same_file_there_is_asked_for(tmp_path):
    path = tmp_path / "a.fa"
    path.write_bytes(b">r\nACGTACGTA\n")
    file = SentFile(0, "a.fa", str(path), signature(str(path)), ALL)
    (found,) = search_group((file,), QUERY)
    assert found.source == "a.fa"
    sent = replace(file, path="/nowhere/a.fa", data=path.read_bytes())
    for other in (
        replace(file, path=str(tmp_path / "none.fa")),
        replace(file, signature=file.signature._replace(size=5)),
        replace(file, signature=file.signature._replace(changed=5)),
        replace(file, signature=file.signature._replace(ends=b"?")),
    ):
        assert search_group((other,), QUERY) == [None]
    assert told(search_group((sent,), QUERY)) == told([found])


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_worker_opens_no_pipe(cluster, tmp_path):
    """Nobody writes into it: who opens it waits for ever."""
    os.mkfifo(tmp_path / "a.fa")
    (told_of,) = there(cluster, (str(tmp_path / "a.fa"),))
    assert told_of.error


@pytest.mark.thorough
def test_the_same_lines_in_the_order_of_the_files(cluster, paths, monkeypatch):
    assert told(there(cluster, paths)) == told(here(paths))
    monkeypatch.setattr(cluster_files, "FILE_SECONDS", 1.0)  # a file a task
    assert told(there(cluster, paths)) == told(here(paths))


@pytest.mark.thorough
def test_files_that_workers_do_not_have_are_sent(cluster, paths, monkeypatch):
    real = signature
    monkeypatch.setattr(cluster_files, "signature", lambda path: real(path)._replace(changed=1))
    monkeypatch.setattr(cluster_files, "LARGEST_SENT_BYTES", 3_000)
    found = there(cluster, paths)
    assert told(found) == told(here(paths))
    monkeypatch.setattr(cluster_files, "LARGEST_SENT_BYTES", 100)
    assert any("too large to be sent" in one.error for one in there(cluster, paths))


@pytest.mark.thorough
def test_a_limit_keeps_the_hits_of_the_first_files(cluster, paths):
    everything = sum(one.n_hits for one in here(paths))
    first = here(paths[:1])[0].n_hits
    for limit in (1, first - 1, first, first + 1, everything // 2, everything - 1, everything):
        assert told(there(cluster, paths, limit)) == told(here(paths, limit))


@pytest.mark.thorough
def test_stop_is_heard(cluster, paths, monkeypatch):
    monkeypatch.setattr(cluster_files, "FILE_SECONDS", 1.0)
    job = SearchFilesJob(paths=paths, query=QUERY, take=[].append, limit=ALL, cluster=Cluster(cluster.address))
    stopped(job)


@pytest.mark.thorough
def test_a_worker_that_is_killed_loses_nothing(paths, monkeypatch):
    monkeypatch.setattr(cluster_files, "FILE_SECONDS", 1.0)
    with local_cluster() as cluster:

        def report(event):
            if isinstance(event, StepDone):
                cluster.kill_first()

        found = there(cluster, paths, report=report)
    assert told(found) == told(here(paths))
    assert cluster.workers[0].returncode != 0
