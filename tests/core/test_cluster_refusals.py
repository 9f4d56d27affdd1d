"""What a cluster does not do, and files of its encryption that are wrong, are told of before anybody connects."""

import numpy as np
import pytest

from tests.certificates import make_certificates
from tests.cluster import local_cluster
from wavediff.core.base.errors import ClusterError, WavediffError
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods.affine import AffineJob
from wavediff.core.methods.base import PairJob, TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, LcsKernel
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.cluster.run import check
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool

A = np.frombuffer(b"ACGT", np.uint8)
NONE = TracebackMethod.NONE


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (SwapEditJob(a=A, b=A, path=NONE), "by --method lcs or edit, and from end to end"),
        (AffineJob(a=A, b=A, path=NONE), "by --method lcs or edit, and from end to end"),
        (EditJob(a=A, b=A, path=NONE, ends=Ends.A), "by --method lcs or edit, and from end to end"),
        (EditJob(a=A, b=A), "no alignment: add '--traceback none'"),
        (LcsJob(a=A, b=A), "no alignment: add '--traceback none'"),
        (LcsJob(a=A, b=A, path=NONE, kernel=LcsKernel.KAWANAMI), "--kernel kawanami runs on this computer only"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, PairJob) else "",
)
def test_it_says_why(job, said):
    with pytest.raises(WavediffError, match=said):
        check(job)


def test_numbers_of_a_pair_and_many_pairs_are_computed():
    for job in (LcsJob(a=A, b=A, path=NONE), EditJob(a=A, b=A, path=NONE), BatchJob(a=SequencePool.of([A]), b=None)):
        check(job)


NOWHERE = "tls://127.0.0.1:9"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return make_certificates(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    return make_certificates(tmp_path_factory.mktemp("other"))


def distances(cluster):
    pool = SequencePool.of([np.frombuffer(one, np.uint8) for one in (b"kitten", b"sitting", b"mitten")])
    return run_job(BatchJob(a=pool, b=None, cluster=cluster)).values.tolist()


@pytest.mark.thorough
def test_a_cluster_that_encrypts(files, others):
    with local_cluster(workers=1, tls=files) as cluster:
        assert cluster.address.startswith("tls://")
        assert distances(Cluster(cluster.address, *files)) == distances(None)
        for wrong in (others, others[:1] + files[1:]):
            with pytest.raises(ClusterError, match="not of the same authority"):
                distances(Cluster(cluster.address, *wrong))
        with pytest.raises(ClusterError, match="if it encrypts, its address begins with tls://"):
            distances(Cluster(cluster.address.replace("tls", "tcp")))


def test_each_wrong_file_is_told_of(files, others, tmp_path):
    ca, certificate, key = files
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("nonsense")
    bad = str(nonsense)
    for cluster, said in (
        (Cluster(NOWHERE), "needs three PEM files"),
        (Cluster(NOWHERE, ca), "three files are needed"),
        (Cluster("tcp://127.0.0.1:9", *files), "go with an address tls://"),
        (Cluster(NOWHERE, ca, certificate, str(tmp_path / "none.pem")), "none.pem: there is no such file"),
        (Cluster(NOWHERE, bad, certificate, key), "nonsense.pem: no certificate of an authority"),
        (Cluster(NOWHERE, ca, bad, key), "nonsense.pem and .*: not a certificate and its key"),
        (Cluster(NOWHERE, ca, certificate, bad), "not a certificate and its key"),
        (Cluster(NOWHERE, ca, certificate, others.key), "the key is not that of the certificate"),
    ):
        with pytest.raises(ClusterError, match=said):
            distances(cluster)
