"""Normal equations of Dask arrays: one task for each block, added as a tree (extra `scale`)."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from operator import add
from typing import Any

import numpy as np

from ..errors import MissingExtra, ShapeError
from ..inputs.choices import robot_first
from ..robot import Robot
from ..robot.quantities.arguments import joint_terms
from .normal import CELL, Normal

#: cells in a task
CELLS = 128


def distributed_normal(robot: Robot, block: Mapping[str, Any], friction: Any = ()) -> Any:
    """Normal equations of Dask arrays, on whatever cluster Dask runs: a delayed `Normal`.

    The robot is sent once, each worker compiles once; any number of workers gives the same bits as one process.

    Parameters
    ----------
    robot : a Robot
    block : Dask arrays q (n, nq), v, a and tau (n, nv) by name
    friction : terms of the joints, as of `robot.regressor`

    Returns
    -------
    a Dask Delayed; `.compute()` is a Normal

    Examples
    --------
    >>> import articulated as art
    >>> import numpy as np
    >>> robot = art.load("2r")
    >>> block = {name: np.zeros((5000, 2)) for name in ("q", "v", "a", "tau")}
    >>> try:
    ...     import dask.array as da
    ... except ImportError:
    ...     equal = True
    ... else:
    ...     lazy = art.distributed_normal(robot, {name: da.from_array(x) for name, x in block.items()})
    ...     equal = lazy.compute() == art.Normal(robot, block)
    >>> equal
    True
    """
    try:
        import dask
    except ImportError:
        raise MissingExtra("distributed_normal needs dask: pip install 'articulated[scale]'") from None
    terms = joint_terms("distributed_normal", friction)
    names = ("q", "v", "a", "tau")
    robot_first("distributed_normal", robot)
    own = block if isinstance(block, Mapping) else {}
    if missing := [name for name in names if not hasattr(own.get(name), "to_delayed")]:
        raise ShapeError(f"distributed_normal: {missing[0]} is not a Dask array; it takes q, v, a and tau")
    if len({block[name].shape[0] for name in names}) != 1 or np.isnan(block["q"].shape[0]):
        raise ShapeError(
            "distributed_normal: q, v, a and tau need as many rows each, and known: .compute_chunk_sizes()"
        )
    # cells begin where they would in one process
    even = [block[name].rechunk({0: CELLS * CELL, 1: -1}).to_delayed().ravel() for name in names]
    sent, made = dask.delayed(robot), dask.delayed(Normal)
    parts = [made(sent, dict(zip(names, arrays, strict=True)), terms) for arrays in zip(*even, strict=True)]
    while len(parts) > 1:
        pairs = [parts[k : k + 2] for k in range(0, len(parts), 2)]
        parts = [dask.delayed(add)(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]
