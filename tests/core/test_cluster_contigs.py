"""Contigs placed by a cluster of two workers of this machine: the same answer as here."""

import sys

import numpy as np
import pytest

from tests.cli.helpers import call
from tests.cluster import local_cluster
from tests.core.assemblies import assembly, fasta, random_letters
from tests.core.test_contigs import told
from wavediff.core.base.errors import ClusterError
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.contigs import ContigsJob, NotPlaced
from wavediff.core.jobs.events import NoticeRaised, Progress
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.sequence import SequencePool

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def made():
    """An assembly with copies, a chimera, an inversion inside, a repeat, strangers and short ones."""
    rng = np.random.default_rng(5)
    unit = random_letters(rng, 400)
    a, contigs, _ = assembly(6, n=40_000, parts=12, share=0.01)
    a += unit * 150
    inside = a[:2_000] + reverse_complement(a[2_000:3_500]) + a[3_500:6_000]
    others = [reverse_complement(contigs[0]), contigs[3] + contigs[8], inside, unit * 2, b"ACGT", b"", unit[:90]]
    return a, [*contigs, random_letters(rng, 700), *others]


@pytest.mark.parametrize("circular", [False, True])
def test_the_same_answer_as_here(cluster, made, circular):
    a, contigs = made
    pool, names = SequencePool.of([np.frombuffer(one, np.uint8) for one in contigs]), tuple(map(str, range(20)))
    events, how = [], {"a": np.frombuffer(a, np.uint8), "contigs": pool, "names": names, "circular": circular}
    here = run_job(ContigsJob(**how))
    there = run_job(ContigsJob(**how, cluster=Cluster(cluster.address)), report=events.append)
    assert told(there) == told(here)
    assert (there.order, there.covered) == (here.order, here.covered)
    assert [(one.number, one.name, one.letters) for one in there.placements] == [
        (one.number, one.name, one.letters) for one in here.placements
    ]
    assert {one.reason for one in there.unplaced} == {NotPlaced.SHORT, NotPlaced.UNKNOWN, NotPlaced.REPEATS}
    done = [one.done for one in events if isinstance(one, Progress) and one.unit == "contigs"]
    assert done[-1] == len(contigs)
    assert done == sorted(done)


# A worker whose memory is at fault: contigs lie a letter further on.
WRONG = """
from dataclasses import replace
from wavediff.app.commands.worker import serve
from wavediff.core.run.cluster import contigs
right = contigs.MatchedContigs.placement
def wrong(self, at, threads):
    one = yield from right(self, at, threads)
    return replace(one, contig=(one.contig[0], one.contig[1] + 1))
contigs.MatchedContigs.placement = wrong
serve()
"""


@pytest.mark.parametrize("n", [0, 1])
def test_a_worker_with_wrong_places_is_rejected(made, n, monkeypatch):
    monkeypatch.setattr("wavediff.core.run.cluster.contigs.TASKS_PER_THREAD", 1)
    a, contigs = made
    pool, names = SequencePool.of([np.frombuffer(one, np.uint8) for one in contigs]), tuple(map(str, range(20)))
    events, how = [], {"a": np.frombuffer(a, np.uint8), "contigs": pool, "names": names}
    with local_cluster(n, others=[[sys.executable, "-c", WRONG]]) as cluster:
        job = ContigsJob(**how, cluster=Cluster(cluster.address))
        if n:
            assert told(run_job(job, report=events.append)) == told(run_job(ContigsJob(**how)))
        else:
            with pytest.raises(ClusterError, match="no worker of the cluster is left"):
                run_job(job, report=events.append)
    said = [one.text for one in events if isinstance(one, NoticeRaised) and "is not used" in one.text]
    assert len(said) == 1 or (n and not said), "the right worker may be quick enough to do all"
    assert all("gives another answer than this computer for contig" in one for one in said)


def test_the_command_prints_the_same(cluster, made, tmp_path, capsys):
    a, contigs = made
    one, other = tmp_path / "a.fa", tmp_path / "c.fa"
    one.write_text(fasta([a], ["ref"]))
    other.write_text(fasta([contig for contig in contigs if contig]))
    here = call(capsys, "contigs", one, other)
    there = call(capsys, "contigs", one, other, "--scheduler", cluster.address)
    assert there[:2] == here[:2]
    assert "contigs placed" in here[1]
