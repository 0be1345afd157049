"""Tolerances of adaptive methods."""

import numpy as np

from ...errors import ShapeError
from ...inputs.choices import number

#: default tolerances, relative and absolute
USUAL = 1e-9, 1e-12
#: below this relative tolerance a step cannot be told from rounding
FINEST = 1e-13


def tolerances_of(method: str, adaptive: bool, rtol: float | None, atol: float | None) -> tuple[float, float]:
    """(rtol, atol), checked; only an adaptive method has them."""
    if not adaptive:
        for name, value in (("rtol", rtol), ("atol", atol)):
            if value is not None:
                raise ShapeError(
                    f'simulate: {name} is for method="adaptive"; the steps of "{method}" are dt long whatever the error'
                )
    if rtol is None and atol is None:
        return USUAL
    relative, absolute = (usual if x is None else x for x, usual in zip((rtol, atol), USUAL, strict=True))
    return (
        number("simulate: rtol", relative, f"a relative tolerance from {FINEST:g} to 1", FINEST, 1.0),
        number("simulate: atol", absolute, "an absolute tolerance above zero", np.nextafter(0, 1)),
    )
