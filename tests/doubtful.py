"""Robots with known findings: loaded without the warning that other tests are about."""

import warnings
from typing import Any

import articulated as art


def load(source: Any, **options: Any) -> art.Robot:
    """`art.load`, silent about doubts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", art.ModelWarning)
        return art.load(source, **options)
