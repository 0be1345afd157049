"""Dask arrays and xarray objects in, the same kind out: the kernel runs on the blocks or values they hold.

A Dask argument gives Dask results, and nothing is computed yet: blocks run along the leading axes,
each holds whole vectors.  A DataArray gives DataArrays: its last dimension is the vector, the others broadcast by
name.  A result that is one vector as long as the last argument's keeps the name (and labels) of
that dimension; any other result axis is called `<function>_0`, `<function>_1`, …
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import ShapeError

_FOREIGN = ("dask", "xarray")


def among(values: Sequence[Any]) -> bool:
    """Whether one of the values is for this file."""
    return any(_family(x) in _FOREIGN for x in values)


def _family(x: Any) -> str:
    return type(x).__module__.partition(".")[0]


def apply(kernel: Any, values: Sequence[Any], out: Any, threads: int) -> Any:
    """`kernel(*values)` on containers."""
    if out is not None:
        raise ShapeError("out= takes NumPy arrays; with Dask or xarray arguments the result is a new container")
    names, plain = kernel.source.sizes, _Plain(kernel, threads)
    if len(values) != len(names):
        kernel.source.check(values, {})  # says what is missing
    for (name, size), x in zip(names.items(), values, strict=True):
        if not np.ndim(x) or np.shape(x)[-1] != size:
            raise ShapeError(f"{kernel.source.name}: {name} has shape {np.shape(x)}; its last axis must have {size}")
    labelled = any(_family(x) == "xarray" for x in values)
    found = (_xarray if labelled else _dask)(kernel, plain, values)
    result = kernel.ready().result
    found = found if isinstance(found, tuple) else (found,)
    return found[0] if result is None else result(*found)


class _Plain:
    """The kernel with ordinary tuples for results, which any process can send to any other."""

    def __init__(self, kernel: Any, threads: int):
        self.kernel, self.threads = kernel, threads

    def __call__(self, *arrays: np.ndarray) -> Any:
        found = self.kernel(*arrays, threads=self.threads)
        return tuple(map(np.asarray, found)) if isinstance(found, tuple) else np.asarray(found)


def _dask(kernel: Any, plain: _Plain, values: Sequence[Any]) -> Any:
    import dask.array

    inputs = ",".join(f"(i{k})" for k in range(len(values)))
    outputs = [f"({','.join(f'o{k}_{axis}' for axis in range(len(s)))})" for k, s in enumerate(kernel.shapes)]
    sizes = {f"o{k}_{axis}": n for k, s in enumerate(kernel.shapes) for axis, n in enumerate(s)}
    many = kernel.ready().result is not None
    return dask.array.apply_gufunc(
        plain,
        f"{inputs}->{','.join(outputs)}",
        *values,
        output_sizes=sizes,
        output_dtypes=[kernel.source.dtype] * len(kernel.shapes) if many else kernel.source.dtype,
        allow_rechunk=True,  # a vector split over blocks has to come together
    )


def _xarray(kernel: Any, plain: _Plain, values: Sequence[Any]) -> Any:
    import xarray

    vectors = [x.dims[-1] if isinstance(x, xarray.DataArray) else f"argument_{k}" for k, x in enumerate(values)]
    values = [
        x if isinstance(x, xarray.DataArray) else xarray.DataArray(np.asarray(x), dims=_axes(x, str(vector)))
        for x, vector in zip(values, vectors, strict=True)
    ]
    size = list(kernel.source.sizes.values())[-1]
    dims = [
        [vectors[-1]] if shape == (size,) else [f"{kernel.source.name}_{axis}" for axis in range(len(shape))]
        for shape in kernel.shapes
    ]
    lazy = any(_family(x.data) == "dask" for x in values)
    function = (lambda *arrays: _dask(kernel, plain, arrays)) if lazy else plain
    return xarray.apply_ufunc(
        function, *values, input_core_dims=[[v] for v in vectors], output_core_dims=dims, dask="allowed"
    )


def _axes(x: Any, vector: str) -> list[str]:
    """Dimensions of an argument without labels: a single state, or the leading axes of one that has some."""
    if np.ndim(x) != 1:
        raise ShapeError(f"{vector} has no dimension names but the shape {np.shape(x)}; make it a DataArray as well")
    return [vector]
