"""A scheduler with its workers on this computer, one for each module that asks for it."""

import pytest


@pytest.fixture(scope="module")
def cluster():
    from tests.cluster import local_cluster

    with local_cluster() as one:
        yield one
