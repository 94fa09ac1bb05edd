"""The version of yomi, in a module of its own so that ``yomi --version`` loads nothing else."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Return the version of the installed distribution, which pyproject.toml names."""
    try:
        return version("yomi-go")
    except PackageNotFoundError:
        return "unknown (not installed)"
