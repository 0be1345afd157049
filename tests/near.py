"""Equality up to rounding, relative to the size of what is compared."""

import numpy as np


def near(found, expected, tolerance: float = 1e-12, scale: float = 1.0) -> bool:
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape, f"shapes {found.shape} and {expected.shape}"
    unlimited = np.isinf(expected) & (found == expected)  # nothing is nearer
    found, expected = np.where(unlimited, 0, found), np.where(unlimited, 0, expected)
    size = max(scale, abs(expected).max(initial=0.0))
    worst = abs(found - expected).max(initial=0.0) / size
    assert worst <= tolerance, f"off by {worst:.2e} of {size:.3g} (allowed {tolerance:.0e})"
    return True
