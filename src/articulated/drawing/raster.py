"""The triangle that is seen at each pixel: scan lines and a depth buffer, all triangles at once."""

import numpy as np

#: bits of the number of a triangle, beside which the depth lies in one word
BITS = 24


def visible(corners: np.ndarray, near: np.ndarray, width: int, height: int) -> np.ndarray:
    """The nearest triangle at each pixel, (height, width), −1 where there is none.

    Parameters
    ----------
    corners : (m, 3, 2) pixels; the middle of the first pixel is at (0.5, 0.5)
    near : (m, 3) from 0 to 1, the nearest is 1; it is linear on the screen, as is the reciprocal of the distance
    """
    one, row = _repeated(*_pixels(corners[..., 1].min(axis=1), corners[..., 1].max(axis=1), height))
    # where each row enters and leaves its triangle
    y, ends = row + 0.5, []
    for k in range(3):
        (xa, ya), (xb, yb) = (corners[one, j % 3].T for j in (k, k + 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            part = (y - ya) / (yb - ya)
            ends.append(np.where((part >= 0) & (part <= 1), xa + part * (xb - xa), np.nan))
    left, right = np.fmin.reduce(ends), np.fmax.reduce(ends)
    span, column = _repeated(*_pixels(np.nan_to_num(left), np.nan_to_num(right), width))
    triangle, row = one[span], row[span]
    slope = gradients(corners, near)
    depth = near[triangle, 0] + slope[triangle, 0] * (column + 0.5 - corners[triangle, 0, 0])
    depth += slope[triangle, 1] * (row + 0.5 - corners[triangle, 0, 1])
    word = (np.clip(depth, 0, 1) * 2.0**38).astype(np.int64) << BITS | triangle
    nearest = np.full(width * height, -1)
    np.maximum.at(nearest, row * width + column, word)
    return np.where(nearest < 0, -1, nearest & (2**BITS - 1)).reshape(height, width)


def gradients(corners: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Change of a value (m, 3, …) that is linear on each triangle, per pixel to the right and down, (m, 2, …)."""
    (ux, uy), (vx, vy) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    double = ux * vy - uy * vx
    inverse = np.where(abs(double) > 1e-12, 1 / np.where(double == 0, 1, double), 0.0)
    across = np.stack([np.stack([vy, -uy], -1), np.stack([-vx, ux], -1)], axis=1) * inverse[:, None, None]
    change = np.stack([values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]], axis=1)
    return np.einsum("mij,mj...->mi...", across, change)


def _pixels(low: np.ndarray, high: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """First pixel whose middle lies between two places, and how many there are."""
    first, end = (np.clip(np.ceil(x - 0.5), 0, most).astype(np.int64) for x in (low, high))
    return first, end - first


def _repeated(first: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each item once for every one of its numbers first, first + 1, …: the item and the number."""
    item = np.repeat(np.arange(len(count)), count)
    return item, np.arange(len(item)) + np.repeat(first - np.cumsum(count) + count, count)
