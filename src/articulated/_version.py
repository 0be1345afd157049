"""The version of the installed package, which is that of the tag it was built from; looked up when asked for."""

from typing import Any

__version__: str


def __getattr__(name: str) -> Any:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import metadata  # slow to import

    try:
        return metadata.version("articulated")
    except metadata.PackageNotFoundError:  # run from its sources, or from an archive
        return "0+unknown"
