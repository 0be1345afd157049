"""No array is misread: labels that nobody expects, labels in a list and masks are refused wherever arrays go in."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import articulated as art

from .callables import cases

pandas = pytest.importorskip("pandas")
xarray = pytest.importorskip("xarray")
for _extra in ("sympy", "matplotlib"):
    pytest.importorskip(_extra)

Path = tuple[Any, ...]


def arrays(value: Any, path: Path = ()) -> Iterator[tuple[Path, np.ndarray]]:
    """The arrays of numbers among arguments, and where they are."""
    if isinstance(value, np.ndarray) and value.ndim and value.size > 1:
        yield path, value
    elif isinstance(value, (dict, list, tuple)):
        for key, x in value.items() if isinstance(value, dict) else enumerate(value):
            yield from arrays(x, (*path, key))


def put(value: Any, path: Path, x: Any) -> Any:
    """The arguments with `x` in a place."""
    if not path:
        return x
    first, *rest = path
    if isinstance(value, dict):
        return {**value, first: put(value[first], tuple(rest), x)}
    return type(value)(put(member, tuple(rest), x) if k == first else member for k, member in enumerate(value))


def unnamed(x: np.ndarray) -> Iterator[Any]:
    """The array with names that nothing of ours has, in several kinds of containers."""
    names, dims = [f"label{k}" for k in range(x.shape[-1])], [f"d{k}" for k in range(x.ndim)]
    yield xarray.DataArray(x, dims=dims, coords={dims[-1]: names})
    if x.ndim == 1:
        yield pandas.Series(x, index=names)
        yield [xarray.DataArray(one) if k else np.ma.masked for k, one in enumerate(x)]
    if x.ndim == 2:
        yield pandas.DataFrame(x, columns=names)
        yield [pandas.Series(row, index=names) for row in x]


def masked(x: np.ndarray) -> Iterator[Any]:
    """The array with its last number masked."""
    hidden = np.arange(x.size).reshape(x.shape) == x.size - 1
    yield np.ma.array(x, mask=hidden)
    if x.ndim > 1:
        yield [np.ma.array(row, mask=mask) for row, mask in zip(x, hidden, strict=True)]


@pytest.mark.parametrize("spoilt", [unnamed, masked])
def test_what_cannot_be_read_is_refused(spoilt):
    misread = []
    for case in cases():
        for path, x in arrays(case.given):
            for given in spoilt(x):
                try:
                    case.function(**put(case.given, path, given))
                except art.ArticulatedError:
                    continue
                except Exception as problem:
                    misread.append((case.name, path, type(given).__name__, repr(problem)[:90]))
                else:
                    misread.append((case.name, path, type(given).__name__))
    assert not misread, "\n".join(map(str, misread))


def test_what_a_controller_returns_is_looked_at():
    arm = art.load("2r")
    hidden = np.ma.array([1.0, 2.0], mask=[False, True])
    for given, words in (
        (hidden, "masked"),
        ([1.0, np.ma.masked], "masked"),
        (pandas.Series([1.0, 2.0], index=["a", "b"]), "expected are joint1, joint2"),
    ):
        for torque in (lambda t, q, v, x=given: x, art.traced(lambda t, q, v, x=given: x)):
            with pytest.raises(art.ArticulatedError, match=words):
                art.simulate(arm, [0, 0], duration=0.01, torque=torque)
