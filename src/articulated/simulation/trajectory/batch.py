"""The leading axes of a trajectory: `run.batch[3]`, `run.batch[:10]`, `run.batch[mask]`."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ShapeError, WrongKind
from ...text import shortened

if TYPE_CHECKING:
    from .trajectory import Trajectory


class Batch:
    """The runs of a batch; an index works as on an array of them, and gives a trajectory."""

    def __init__(self, shape: tuple[int, ...], member: Callable[[tuple[Any, ...]], "Trajectory"]):
        self.shape = shape
        self._member = member

    def __len__(self) -> int:
        if not self.shape:
            raise WrongKind("batch: this trajectory is a single run, without a batch")
        return self.shape[0]

    def __getitem__(self, index: Any) -> "Trajectory":
        indices = index if isinstance(index, tuple) else (index,)
        try:
            chosen = np.broadcast_to(0, self.shape)[indices]
        except (IndexError, TypeError, ValueError) as problem:
            told = f"batch[{shortened(repr(index))}] of a batch of shape {self.shape}"
            raise ShapeError(f"{told}: {problem}") from None
        if not chosen.size:
            raise ShapeError(f"batch[{shortened(repr(index))}] has no members; the batch has the shape {self.shape}")
        return self._member(indices)

    def __iter__(self) -> Iterator["Trajectory"]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<Batch of shape {self.shape}>"


def picked(x: np.ndarray, index: tuple[Any, ...], after: int) -> np.ndarray:
    """`x` with `index` on its leading axes; `after` axes follow them."""
    if any(part is Ellipsis for part in index):
        return x[(*index, *[slice(None)] * after)]
    return x[(*index, ...)]
