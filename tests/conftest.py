"""Settings of the whole suite: less of all without the JIT, the census of kernels last.

Also a cluster for the tests that need one.
"""

import pytest
from hypothesis import settings

from engine.jit import JIT_ENABLED

settings.register_profile(
    "yomi", max_examples=60 if JIT_ENABLED else 15, deadline=None, derandomize=True
)
settings.load_profile("yomi")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests/test_kernels.py after all other tests: it examines their compiled kernels."""
    items.sort(key=lambda item: item.path.name == "test_kernels.py")


@pytest.fixture(autouse=not JIT_ENABLED)
def _few_careful_rollouts(monkeypatch):
    """Judge final positions by few roll-outs where they are slow; many tests do so on the way."""
    monkeypatch.setattr("engine.facts.survey.ROLLOUTS", 24)


@pytest.fixture(scope="module")
def cluster():
    """Two workers that are threads of this process, so that nothing is compiled twice."""
    distributed = pytest.importorskip("distributed", reason="Dask distributed is not installed")
    # Imported only here, because nothing else needs Dask.
    from patterns_db.cluster.tasks import Cluster

    options = {"processes": False, "n_workers": 2, "threads_per_worker": 1}
    with (
        distributed.LocalCluster(**options, dashboard_address=None) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield Cluster(client)
