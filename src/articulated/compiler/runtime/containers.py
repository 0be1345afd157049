"""Dask arrays and xarray objects in, the same kind out: the kernel runs on the blocks or values they hold.

A Dask argument gives Dask results, and nothing is computed yet: blocks run along the leading axes,
each holds whole vectors.  A DataArray gives DataArrays: its last dimension is the vector, the others broadcast by
name.  A result that is one vector as long as the last argument's keeps the name (and labels) of
that dimension; any other result axis is called `<function>_0`, `<function>_1`, …
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...errors import ShapeError
from ...inputs import labels

_FOREIGN = ("dask", "xarray")


def among(values: Sequence[Any]) -> bool:
    """True if one of the values is for this file."""
    return any(_family(x) in _FOREIGN for x in values)


def _family(x: Any) -> str:
    return type(x).__module__.partition(".")[0]


def apply(kernel: Any, values: Sequence[Any], out: Any, threads: int) -> Any:
    """`kernel(*values)` on containers."""
    if out is not None:
        raise ShapeError("out= takes NumPy arrays; with Dask or xarray arguments the result is a new container")
    source, plain = kernel.source, partial(_plain, kernel, threads)
    if len(values) != len(source.sizes):
        source.check(values, {})  # says what is missing
    values = [_checked(source, name, x) for name, x in zip(source.sizes, values, strict=True)]
    labeled = any(_family(x) == "xarray" for x in values)
    found = (_xarray if labeled else _dask)(kernel, plain, values)
    result = kernel.ready().result
    found = found if isinstance(found, tuple) else (found,)
    return found[0] if result is None else result(*found)


def _checked(source: Any, name: str, x: Any) -> Any:
    """An argument with whole vectors in the robot's order along its last axis, or dimension."""
    what, size, names = _called(source, name), source.sizes[name], source.names.get(name, ())
    if _family(x) == "dask" and not hasattr(x, "compute_chunk_sizes"):
        raise ShapeError(f"{what} is a Dask {type(x).__name__}; give a Dask array: .to_dask_array(lengths=True)")
    if _family(x) == "xarray":
        x = labels.in_order(what, x, names if len(names) == size else (), name)
    elif _family(x) != "dask":
        x = labels.plain(what, x, names if len(names) == size else (), name)
        try:
            x = np.atleast_1d(np.asarray(x)) if size == 1 else np.asarray(x)
        except ValueError as problem:  # ragged lists
            raise ShapeError(f"{what} is not a rectangular array: {problem}") from None
    if x.dtype.kind not in "biuf":
        raise ShapeError(f"{what} must hold real numbers; got {x.dtype}")
    if not x.ndim or x.shape[-1] != size:
        raise ShapeError(f"{what} has shape {x.shape}; its last axis must have {size}")
    return x


def _plain(kernel: Any, threads: int, *arrays: np.ndarray) -> Any:
    """The kernel with ordinary tuples for results, which any process can send to any other."""
    found = kernel(*arrays, threads=threads)
    many = isinstance(found, tuple) and len(found) > 1
    return tuple(map(np.asarray, found)) if many else np.asarray(found[0] if isinstance(found, tuple) else found)


def _dask(kernel: Any, plain: Any, values: Sequence[Any]) -> Any:
    import dask.array

    inputs = ",".join(f"(i{k})" for k in range(len(values)))
    outputs = [f"({','.join(f'o{k}_{axis}' for axis in range(len(s)))})" for k, s in enumerate(kernel.shapes)]
    sizes = {f"o{k}_{axis}": n for k, s in enumerate(kernel.shapes) for axis, n in enumerate(s)}
    many = len(kernel.shapes) > 1
    return dask.array.apply_gufunc(
        plain,
        f"{inputs}->{','.join(outputs)}",
        *values,
        output_sizes=sizes,
        output_dtypes=[kernel.source.dtype] * len(kernel.shapes) if many else kernel.source.dtype,
        allow_rechunk=True,  # a vector split over blocks has to come together
    )


def _xarray(kernel: Any, plain: Any, values: Sequence[Any]) -> Any:
    import xarray

    source = kernel.source
    taken = {dim for x in values if isinstance(x, xarray.DataArray) for dim in x.dims}
    vectors = [
        x.dims[-1] if isinstance(x, xarray.DataArray) else _unused(name, taken)
        for name, x in zip(source.sizes, values, strict=True)
    ]
    values = [
        x if isinstance(x, xarray.DataArray) else xarray.DataArray(_one_state(_called(source, name), x), dims=[vector])
        for name, x, vector in zip(source.sizes, values, vectors, strict=True)
    ]
    size = list(source.sizes.values())[-1]
    dims = [
        [vectors[-1]] if shape == (size,) else [f"{source.name}_{axis}" for axis in range(len(shape))]
        for shape in kernel.shapes
    ]
    lazy = any(_family(x.data) == "dask" for x in values)
    function = (lambda *arrays: _dask(kernel, plain, arrays)) if lazy else plain
    try:
        return xarray.apply_ufunc(
            function, *values, input_core_dims=[[v] for v in vectors], output_core_dims=dims, dask="allowed"
        )
    except ValueError as problem:  # dimensions of the same name with other labels, or other lengths
        if isinstance(problem, ShapeError):
            raise
        raise ShapeError(f"{source.name}: the DataArrays do not fit together: {problem}") from None


def _called(source: Any, name: str) -> str:
    """An argument in a message."""
    return f"{source.name}: {source.titles.get(name, name)}"


def _unused(name: str, taken: set[Any]) -> str:
    """A dimension for a vector without one: other arrays with a dimension of that name would be along it."""
    while name in taken:
        name += "_"
    return name


def _one_state(what: str, x: Any) -> np.ndarray:
    """An argument without labels beside one that has some: it has no leading axes, which would have no names."""
    if np.ndim(x) != 1:
        raise ShapeError(f"{what} has no dimension names but the shape {np.shape(x)}; make it a DataArray as well")
    return np.asarray(x)
