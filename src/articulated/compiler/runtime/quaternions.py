"""Quaternions of any length: those whose squares would overflow or vanish are scaled before they are computed with.

A multiple of a quaternion is the same rotation.  Machine code only notices that a length is out of range (`LENGTHS`);
the states that have such a quaternion are then found here, and computed again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import ShapeError
from ..abi import LENGTHS


@dataclass(frozen=True)
class Quaternions:
    """Those among the arguments of a kernel: of each the position of its argument, and the column where it begins."""

    columns: tuple[tuple[int, int], ...] = ()
    refused: str = ""  # the words for one that is out of range, if its length counts

    def out_of_range(self, inputs: Sequence[np.ndarray]) -> np.ndarray:
        """Which states have a quaternion that must be scaled."""
        odd = np.zeros(len(inputs[0]) if inputs else 0, bool)
        for k, column in self.columns:
            odd |= _out_of_range(inputs[k][:, column : column + 4], inputs[k].dtype.name)
        return odd

    def scaled(self, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The arguments with quaternions of moderate length; an error where their lengths count."""
        found = list(inputs)
        for k, x in enumerate(inputs):
            found[k] = moderate(x, [c for argument, c in self.columns if argument == k], x.dtype.name)
            if self.refused and found[k] is not x:
                raise ShapeError(self.refused)
        return found


def moderate(x: np.ndarray, columns: Sequence[int], precision: str) -> np.ndarray:
    """Rows `x` (…, size); a copy if quaternions are out of range in this precision, these scaled by a power of two."""
    for column in columns:
        part = x[..., column : column + 4]
        odd = _out_of_range(part, precision)
        if odd.any():
            x = x.copy()
            _, exponent = np.frexp(abs(part[odd]).max(axis=-1, keepdims=True))
            x[odd, column : column + 4] = np.ldexp(part[odd], -exponent)
    return x


def lengths(quaternions: np.ndarray) -> np.ndarray:
    """Of quaternions (…, 4), whose squares may overflow or vanish."""
    with np.errstate(over="ignore"):
        return np.hypot.reduce(quaternions, axis=-1)


def _out_of_range(part: np.ndarray, precision: str) -> np.ndarray:
    """Which of the quaternions (…, 4) are too long or too short; zeros, and what is not finite, are no quaternions."""
    low, high = (x * x for x in LENGTHS[precision])
    with np.errstate(all="ignore"):
        squared = (part * part).sum(axis=-1)
    return ~((low < squared) & (squared < high)) & np.isfinite(part).all(axis=-1) & part.any(axis=-1)
