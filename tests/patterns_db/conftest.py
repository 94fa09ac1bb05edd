"""A cluster for the tests that need one."""

import pytest

from patterns_db.cluster.tasks import Cluster


@pytest.fixture(scope="module")
def cluster():
    """Two workers that are threads of this process: nothing to compile twice."""
    distributed = pytest.importorskip("distributed", reason="Dask distributed is not installed")
    options = {"processes": False, "n_workers": 2, "threads_per_worker": 1}
    with (
        distributed.LocalCluster(**options, dashboard_address=None) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield Cluster(client)
