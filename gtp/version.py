"""Which yomi this is; apart from everything else, so that ``yomi --version`` loads nothing."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Return the version of the installed distribution, which pyproject.toml names."""
    try:
        return version("yomi-go")
    except PackageNotFoundError:
        return "unknown (not installed)"
