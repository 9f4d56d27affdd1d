"""Clusters that encrypt: one that is really started so, and each wrong file told of in a sentence."""

import numpy as np
import pytest

from tests.certificates import make_certificates
from tests.cluster import local_cluster
from wavediff.core.base.errors import ClusterError
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods.batch import BatchJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence_pool import SequencePool

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
