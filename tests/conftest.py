"""Settings of the whole suite: fewer examples without the JIT, parallel workers, ``--kernels``.

With workers (``-n``), the kernels are compiled before the workers start, which load them. At the
end the signatures of each kernel in all processes are compared.
"""

from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

from engine.facts import survey
from engine.jit import JIT_ENABLED, KERNELS, compile_all
from engine.warm_ups import PLAYING

settings.register_profile(
    "yomi", max_examples=60 if JIT_ENABLED else 15, deadline=None, derandomize=True
)
settings.load_profile("yomi")

# These tests run kernels only on the way: front ends, files, processes, experiments. Their own
# questions have the same answers with bounds checks and without the JIT.
OF_PYTHON = (
    "belief", "explain", "facts", "gtp", "player", "review",
    "patterns_db/records", "patterns_db/solvers", "patterns_db/store",
    "patterns_db/test_cluster.py", "patterns_db/test_cluster_solving.py",
    "scripts/check", "scripts/learn", "scripts/play", "scripts/reproduce/test_stern2007.py",
    "scripts/test_page_commands.py",
    "jit/test_compiling.py", "jit/test_fallback.py", "jit/test_folders.py",
    "jit/test_kernel_files.py", "test_bench.py", "test_pages.py", "test_warm_ups.py",
)  # fmt: skip
WITH_KERNELS = (  # modules there that are about kernels
    "belief/test_open_points.py", "belief/test_searcher.py", "facts/test_kept_facts.py",
    "scripts/check/test_fates.py", "scripts/play/test_baselines.py",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--kernels``."""
    parser.addoption("--kernels", action="store_true", help="only tests that ask about kernels")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out tests of Python where only kernels are wanted."""
    inside = collection_path.relative_to(Path(__file__).parent)
    if collection_path.is_dir() or not config.getoption("kernels"):
        return None
    of_python = any(inside.is_relative_to(part) for part in OF_PYTHON)
    return True if of_python and inside.as_posix() not in WITH_KERNELS else None


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels, in a process per core, before several workers would do so at once."""
    if JIT_ENABLED and session.config.getoption("numprocesses", None):
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        for name, seconds in compile_all([group for group in PLAYING if not group.is_ready]):
            reporter.write_line(f"compiled: {name}, {seconds:.0f} s")


_signatures: dict[str, set[str]] = defaultdict(set)


def _note_signatures() -> None:
    for k in KERNELS if JIT_ENABLED else ():
        compiled = [*k.signatures, *getattr(k, "parts", ())]
        _signatures[f"{k.__module__}.{k.__name__}"].update(map(str, compiled))


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_testnodedown(node) -> None:
    """Add the signatures that a worker compiled."""
    for name, signatures in getattr(node, "workeroutput", {}).get("signatures", {}).items():
        _signatures[name].update(signatures)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a kernel has two signatures: an accidental int32, read-only or strided argument."""
    _note_signatures()
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["signatures"] = {k: [*v] for k, v in _signatures.items()}
    elif _twice() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _twice() -> list[str]:
    return [name for name, signatures in _signatures.items() if len(signatures) > 1]


def pytest_terminal_summary(terminalreporter) -> None:
    """Name the kernels with two signatures."""
    for name in _twice():
        terminalreporter.write_line(f"compiled twice: {name} {sorted(_signatures[name])}")


@pytest.fixture(autouse=not JIT_ENABLED)
def _few_careful_rollouts(monkeypatch):
    """Judge final positions by few roll-outs where they are slow; many tests do so on the way."""
    monkeypatch.setattr(survey, "SURVEY", survey.SURVEY._replace(rollouts=24))


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
