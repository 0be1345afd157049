"""Checks at the door of `Robot`: every argument becomes an array of the right shape, or an error that says why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...algorithms.configuration import ranges
from ...errors import ShapeError, WrongKind, unexpected, warn
from ...inputs import labels
from ...inputs.choices import choose as choose
from ...model import Model
from ...text import shortened as shortened_text
from .state_names import SPATIAL, component_names, parameter_names


class Vector(NamedTuple):
    """An array of numbers as a method takes it: how many, what they are, and a number each of them may be."""

    size: int
    meaning: str
    example: float = 0.0
    names: tuple[str, ...] = ()  # of its components: labels of an argument are compared with these
    title: str = ""  # what messages call it, if not by its name


def vectors_of(model: Model) -> dict[str, Vector]:
    """The vectors of a robot by the names its methods give them."""
    names = shortened(model.joint_names)
    q = Vector(model.nq, f"coordinates of {names}", names=tuple(component_names(model, "q")))
    v = Vector(model.nv, f"one per velocity of {names}", names=tuple(component_names(model, "v")))
    spatial = Vector(6, "[linear; angular] components", names=tuple(SPATIAL))
    inertias = Vector(
        10 * len(model.bodies), "ten inertial parameters of each body", names=tuple(parameter_names(model))
    )
    return {
        "parameters": inertias,
        **dict.fromkeys(("q", "q0", "q1"), q),
        **dict.fromkeys(("v", "a", "tau", "dv"), v),
        **dict.fromkeys(("base_velocity", "base_acceleration", "force"), spatial),
    }


@dataclass(frozen=True)
class Arguments:
    """The vectors a method takes: `arguments(values, named)` gives them as arrays, all of one dtype."""

    method: str
    owner: str
    vectors: Mapping[str, Vector]
    dtype: Any = float

    def __call__(self, values: Sequence[Any], named: Mapping[str, Any] = {}) -> list[np.ndarray]:
        """One array (…, size) per argument, in order; their leading axes broadcast."""
        wanted = self.vectors
        given = {**dict(zip(wanted, values, strict=False)), **named}
        for name in named.keys() - wanted.keys():
            raise unexpected(self.method, name, [*wanted, "out", "threads"])
        if len(values) > len(wanted) or given.keys() != wanted.keys() or len(given) != len(values) + len(named):
            got = ", ".join([f"{len(values)} by position", *named])
            raise WrongKind(f"{self.method} takes the arrays {', '.join(wanted)}; got {got}")
        called = {name: vector.title or name for name, vector in wanted.items()}
        check_rows(self.method, {called[name]: x for name, x in given.items()})
        arrays = {
            name: as_vectors(self.method, self.owner, name, given[name], vector, self.dtype)
            for name, vector in wanted.items()
        }
        check_batches(self.method, {called[name]: x for name, x in arrays.items()})
        return list(arrays.values())


def precision(method: str, dtype: Any) -> np.dtype:
    """`dtype` if kernels compute in it."""
    try:
        found = np.dtype(dtype)
    except Exception:  # of NumPy, whatever it thinks of what it got
        found = None
    if dtype is None or found not in (np.float64, np.float32) or not found.isnative:
        raise ShapeError(f"{method}: dtype is float64 or float32; got {shortened_text(repr(dtype))}")
    return found


def as_vectors(method: str, owner: str, name: str, value: Any, vector: Vector, dtype: Any = float) -> np.ndarray:
    """`value` as an array (…, size) of `dtype`."""
    size, quantity, name = vector.size, name, vector.title or name
    value = labels.plain(f"{method}: {name}", value, vector.names if len(vector.names) == size else (), quantity)
    try:
        x = np.asarray(value)
    except Exception as problem:  # ragged lists; something that refuses to be an array
        raise ShapeError(f"{method}: {name} is not a rectangular array: {problem}") from None
    if x.dtype == object or x.dtype.kind not in "biuf":
        what = "Python objects" if x.dtype == object else x.dtype
        raise ShapeError(f"{method}: {name} must hold real numbers; got {type(value).__name__} of {what}")
    if x.ndim == 0 and size == 1:
        x = x[None]
    if x.ndim == 0 or x.shape[-1] != size:
        across = "; the states run along the leading axes: pass its transpose" if x.shape[-2:-1] == (size,) else ""
        raise ShapeError(
            f"{method}: {name} has shape {x.shape}, but {owner} needs (…, {size}): {vector.meaning}{across}"
        )
    if x.dtype == dtype:
        return x
    with np.errstate(over="ignore"):  # what single precision cannot hold is infinite there, and its state NaN
        return x.astype(dtype, copy=False)


def check_rows(method: str, given: Mapping[str, Any]) -> None:
    """Tables of one call must have the same rows."""
    tables = {name: x for name, x in given.items() if hasattr(x, "columns") and hasattr(x, "index")}
    first = next(iter(tables), "")
    for name, table in tables.items():
        if not table.index.equals(tables[first].index):
            raise ShapeError(f"{method}: the rows of {first} and {name} have different labels; align them first")


def check_batches(method: str, arrays: Mapping[str, np.ndarray]) -> tuple[int, ...]:
    """The shape of all axes but the last, which must broadcast."""
    try:
        return np.broadcast_shapes(*(x.shape[:-1] for x in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {x.shape}" for name, x in arrays.items())
        raise ShapeError(f"{method}: the leading axes do not broadcast: {shapes}") from None


def shortened(names: Iterable[str], most: int = 12) -> str:
    """A list of names that fits on a line."""
    names = list(names)
    return ", ".join(names[:most]) + (f", … ({len(names)})" if len(names) > most else "")


def rotation_errors(R: np.ndarray) -> list[Any]:
    """Six residuals (…) of matrices (…, 3, 3) that vanish for rotations.

    Lengths and product of the first two rows, and the entries of the third less those of their cross product.
    """
    # of one matrix floats of Python, of which few are faster
    x, y, z = R.tolist() if R.ndim == 2 else np.ascontiguousarray(np.moveaxis(R, (-2, -1), (0, 1)))
    pairs = ((x, x, 1), (y, y, 1), (x, y, 0))
    errors = [abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - unit) for a, b, unit in pairs]
    return errors + [abs(x[i] * y[j] - x[j] * y[i] - z[k]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]


#: rad; an angle of a joint with limits beyond this is taken for degrees
FAR = 7.0


def remark_on_degrees(model: Model, q: Any) -> None:
    """A warning if a joint that turns is beyond FAR and its limits.

    A joint without limits may turn for long; it is remarked on in a single state of whole numbers.
    """
    try:
        given = np.asarray(q)
        values = given.astype(float, copy=False) if given.dtype.kind in "fiu" else np.full(model.nq, np.nan)
        if max(values.max(initial=0.0), -values.min(initial=0.0)) <= FAR:
            return
        furthest = np.abs(values).reshape(-1, model.nq).max(axis=0)
        typed = values.size == model.nq and bool((values == values.round()).all())
        bounds = {b: max(FAR, -own.lower, own.upper) for b, own in ranges(model).items()}
    except (TypeError, ValueError):  # of another shape, or symbols: not for this remark
        return
    for b, most in bounds.items():
        angle = furthest[b.coords.start] if b.joint.nq == 1 and b.joint.turns else 0.0
        if (FAR if most == np.inf and typed else most) < angle <= 360:
            text = (
                f"{shortened_text(b.joint.name)} = {angle:g} rad is {angle / (2 * np.pi):.1f} turns: is q in degrees?"
            )
            warn(f"{text} np.radians(q) turns them into radians")
            return
