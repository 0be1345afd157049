"""The URDF files of the example-robot-data package."""

from pathlib import Path

import pytest

from .corpora import package_files

CORPUS = [path for path in package_files("example-robot-data") if "robots" in path.parts]

needs_corpus = pytest.mark.skipif(not CORPUS, reason="example-robot-data is not installed")


def label(path: Path) -> str:
    """Package and file, without the machine's folders."""
    parts = path.parts
    return "/".join([parts[parts.index("robots") + 1], path.stem])
