"""The equations of a robot with its motors, rotors on moving links included."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import Any

from ...model.motors import Motor, with_motors


def motors(equations: Any, given: Sequence[Motor]) -> Any:
    """Derived anew: the rotors are bodies like any other."""
    from ..equations.derive import derive

    return derive(with_motors(equations.model, given), letters=equations.state.letters or None)
