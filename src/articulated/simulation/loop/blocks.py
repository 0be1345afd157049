"""Blocks of compiled loops that several steps share."""

from collections.abc import Callable
from functools import cache
from typing import Any

from ...algebra.scalars import Array, array, greatest, select, sqrt


@cache  # the same block whenever it is asked for: it is traced and compiled once
def nothing(size: int = 1) -> Callable[[], Array]:
    """A block that writes zeros."""
    return lambda: array([0.0] * size)


@cache
def constant(value: float) -> Callable[[], Array]:
    """A block that writes a number."""
    return lambda: array([value])


def same(a: Array) -> Array:
    """Numbers as they are."""
    return a


def opposite(a: Array) -> Array:
    """0 for 1, and 1 for 0."""
    return 1 - a


def plus(a: Array, b: Array) -> Array:
    """The sum of two vectors."""
    return a + b


def minus(a: Array, b: Array) -> Array:
    """The difference of two vectors."""
    return a - b


def larger(a: Array, b: Array) -> Array:
    """The larger of two numbers."""
    return array([greatest(a[0], b[0])])


def root(a: Array) -> Array:
    """The square root of a number."""
    return array([sqrt(a[0])])


def scaled(part: Array, a: Array) -> Array:
    """A part of a vector."""
    return part[0] * a


def both(a: Any, b: Any) -> Any:
    """Whether two conditions hold."""
    return select(a, select(b, 1.0, 0.0), 0.0) > 0.5
