"""A remark on configurations that seem to be in degrees."""

import warnings
from typing import Any

import numpy as np

from ...algorithms.limits import ranges
from ...errors import ModelWarning
from ...model import Model
from ...text import shortened

#: rad; who means radians writes less for a joint with limits
FAR = 7.0


def remark_on_degrees(model: Model, q: Any, depth: int) -> None:
    """A warning, at the caller `depth` calls up, if a joint that turns is beyond FAR and its limits.

    A joint without limits may turn for long; it is remarked on in a single state of whole numbers.
    """
    try:
        given = np.asarray(q)
        values = given.astype(float) if given.dtype.kind in "fiu" else np.full(model.nq, np.nan)
        furthest = np.abs(values).reshape(-1, model.nq).max(axis=0, initial=0.0)
        if furthest.max() <= FAR:
            return
        typed = values.ndim == 1 and bool((values == values.round()).all())
        bounds = {b: max(FAR, -own.lower, own.upper) for b, own in ranges(model).items()}
    except (TypeError, ValueError):  # of another shape, or symbols: not for this remark
        return
    for b, most in bounds.items():
        angle = furthest[b.coords.start] if b.joint.nq == 1 and b.joint.turns else 0.0
        if (FAR if most == np.inf and typed else most) < angle <= 360:
            text = f"{shortened(b.joint.name)} = {angle:g} rad is {angle / (2 * np.pi):.1f} turns: is q in degrees?"
            warnings.warn(f"{text} np.radians(q) turns them into radians", ModelWarning, stacklevel=depth + 2)
            return
