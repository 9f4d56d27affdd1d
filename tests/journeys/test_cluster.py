"""The pairs of a file, computed by this computer, by a cluster, and what is said of one that is not there."""

import pytest

pytest.importorskip("distributed")

from tests.cluster import local_cluster
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
MANY, PAIRS = "Many pairs", "Distances of the pairs"


def typed(me, address):
    me.tick("Cluster…", True, MANY)
    me.fill("Cluster", address, MANY)
    me.key("Return")


def on_a_cluster(me, address):
    """The same pairs here and there, and an address at which nothing answers."""
    many = me.folder / "many.fa"
    many.write_text("".join(f">r{k}\n{'ACGTTGCATTACCATGACCA'[k:]}\n" for k in range(5)))
    me.wait_to_see("Nothing leaves this computer")
    me.key("Ctrl+M")
    me.name_files([many])
    me.wait_until(lambda: me.is_enabled("Save…", MANY), "all pairs are compared", 60)
    me.wait_to_see("on the CPU")
    here = me.table(PAIRS, MANY)
    assert len(here) == 10
    typed(me, "tcp://127.0.0.1:9")  # where nothing answers
    me.wait_to_see("Reaching the cluster…")
    me.click("Stop", MANY)
    me.wait_until(lambda: not me.is_enabled("Stop", MANY), "it is not waited for", 60)
    assert me.table(PAIRS, MANY) == here
    typed(me, address)
    me.wait_to_see("on the cluster", 60)
    me.picture("cluster")
    assert me.table(PAIRS, MANY) == here


def a_day_later(me, address):
    """The address is kept, so not all stays here."""
    me.wait_to_see(f"Only files of Many pairs are sent, to {address}")
    assert not me.sees("Nothing leaves this computer")
    me.picture("start")


def test_many_pairs_on_a_cluster(tmp_path):
    with local_cluster(workers=1) as cluster:
        play(Home(tmp_path), on_a_cluster, address=cluster.address)
        play(Home(tmp_path), a_day_later, address=cluster.address)
