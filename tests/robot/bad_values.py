"""Mistaken arguments: spoilt versions of a good value, and things that are no value."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import articulated as art


def nothing(*given: Any, **options: Any) -> None:
    """A function where none, or one that gives something, is expected."""


#: in place of anything
STRANGE: list[Callable[[], Any]] = [
    lambda: None, lambda: True, lambda: 0, lambda: -1, lambda: 2.5, lambda: 10**400, lambda: 1e308, lambda: 1j,
    lambda: float("nan"), lambda: float("inf"), lambda: "", lambda: "frame", lambda: "1.0", lambda: b"q", lambda: [],
    lambda: (), lambda: {}, lambda: {"a": 1}, lambda: {1, 2}, lambda: object(), lambda: nothing, lambda: int,
    lambda: [[1, 2], [3]],
    lambda: [None], lambda: ["a", "b"], lambda: np.zeros(0), lambda: np.zeros((3, 0)), lambda: np.zeros((2, 3, 4)),
    lambda: np.array(1.0), lambda: np.array([object()]), lambda: np.array(["a"]), lambda: np.zeros(3, complex),
    lambda: np.zeros(3, "M8[s]"), lambda: np.zeros(2, [("a", float)]), lambda: iter([1.0]), lambda: range(3),
    lambda: slice(1), lambda: Ellipsis, lambda: art.Transform(), lambda: art.Inertia(1.0), lambda: Exception("x"),
]  # fmt: skip


def _entry(x: float) -> Callable[[random.Random, np.ndarray], Any]:
    def spoilt(rng: random.Random, a: np.ndarray) -> Any:
        a = a.astype(float)
        if a.size:
            a.flat[rng.randrange(a.size)] = x
        return a

    return spoilt


def _masked(rng: random.Random, a: np.ndarray) -> Any:
    return np.ma.array(a, mask=np.arange(a.size).reshape(a.shape) == 0)


def _labeled(rng: random.Random, a: np.ndarray) -> Any:
    import xarray

    names = [f"label{k}" for k in range(a.shape[-1])] if a.ndim else []
    dims = [f"d{k}" for k in range(a.ndim)]
    return xarray.DataArray(a, dims=dims, coords={dims[-1]: names[::-1]} if dims else {})


def _table(rng: random.Random, a: np.ndarray) -> Any:
    import pandas

    if a.ndim not in (1, 2):
        return a[..., None]
    names = [f"column{k}" for k in range(a.shape[-1])]
    return pandas.Series(a, index=names) if a.ndim == 1 else pandas.DataFrame(a, columns=names)


#: in place of an array
SPOILT: list[Callable[[random.Random, np.ndarray], Any]] = [
    _entry(np.nan), _entry(np.inf), _entry(-np.inf), _entry(1e308), _entry(-1e200), _entry(1e-320),
    lambda rng, a: a[..., :-1] if a.ndim else a, lambda rng, a: np.concatenate([a, a], axis=-1) if a.ndim else a,
    lambda rng, a: a[..., None], lambda rng, a: a[None], lambda rng, a: np.stack([a] * 3), lambda rng, a: a.T,
    lambda rng, a: np.stack([a] * 2)[:0], lambda rng, a: a.tolist(), lambda rng, a: tuple(a.ravel().tolist()),
    lambda rng, a: a.astype(np.float32), lambda rng, a: a.astype(np.float16), lambda rng, a: a.astype(int),
    lambda rng, a: a.astype(bool), lambda rng, a: a.astype(complex), lambda rng, a: a.astype(object),
    lambda rng, a: a.astype(str), lambda rng, a: a.astype(">f8"), lambda rng, a: 0 * a, lambda rng, a: -1 * a,
    lambda rng, a: 1e200 * a, lambda rng, a: 1e-200 * a, lambda rng, a: a[..., ::-1] if a.ndim else a,
    lambda rng, a: [*a.ravel().tolist(), "x"], lambda rng, a: np.array([*a.ravel().tolist(), None], object),
    lambda rng, a: dict(enumerate(a.ravel().tolist())), _masked, _labeled, _table,
]  # fmt: skip


def instead(rng: random.Random, value: Any) -> Any:
    """Something in place of a good value."""
    if isinstance(value, np.ndarray) and rng.random() < 0.75:
        return rng.choice(SPOILT)(rng, value)
    if isinstance(value, str) and rng.random() < 0.4:
        return rng.choice([value[:-1], value.upper(), f" {value}", f"{value}\0", "é" * 50, value * 3])
    if isinstance(value, dict) and value and rng.random() < 0.6:
        name = rng.choice(list(value))
        return {**value, name: instead(rng, value[name])} if rng.random() < 0.7 else {f"{name}_": value[name]}
    if isinstance(value, (list, tuple)) and value and rng.random() < 0.6:
        k = rng.randrange(len(value))
        return rng.choice([[*value[:k], instead(rng, value[k]), *value[k + 1 :]], list(value[:-1]), [*value, *value]])
    return rng.choice(STRANGE)()


def holds_nan(value: Any) -> bool:
    """Whether a number in it is not finite."""
    if value is None or isinstance(value, (str, bytes)):
        return False
    if isinstance(value, dict):
        return any(map(holds_nan, value.values()))
    try:
        return not np.isfinite(np.asarray(value, float)).all()
    except (TypeError, ValueError, OverflowError):
        return False


def holds_extreme(value: Any) -> bool:
    """Whether a number in it is astronomically large or small."""
    if isinstance(value, dict):
        return any(map(holds_extreme, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(holds_extreme, value))
    if isinstance(value, (int, float)):
        return abs(value) > 1e100 or 0 < abs(value) < 1e-100
    x = abs(value) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else np.zeros(0)
    with np.errstate(over="ignore"):
        return bool(((x > 1e100) & (x < np.inf) | (x > 0) & (x < 1e-100)).any())
