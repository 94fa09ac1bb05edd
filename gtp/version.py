"""Which yomi this is; apart from everything else, so that ``yomi --version`` loads nothing."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Return the version of the installed package."""
    try:
        return version("yomi")
    except PackageNotFoundError:
        return "unknown (not installed)"
