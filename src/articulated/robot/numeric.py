"""The numbers of a model, and a clear word where it still holds symbols."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.configuration import ranges
from ..algorithms.regressor import parameters
from ..errors import SymbolicModelError
from ..inputs.choices import generator
from ..model import Model
from .arguments.arrays import shortened


def numbers(model: Model, values: Any) -> NDArray[np.floating]:
    """Scalars of the model as floats."""
    try:
        return np.array(values, float)
    except TypeError:
        raise SymbolicModelError(f"{model.name} holds the symbols {shortened(symbols(model))}") from None


def numeric(model: Model, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with a clear error if the model still holds symbols."""

    def evaluated(**arguments: Any) -> Any:
        try:
            return function(**arguments)
        except TypeError as problem:
            if found := symbols(model):
                raise SymbolicModelError(
                    f"{model.name} holds the symbols {shortened(found)}; replace them by numbers first"
                ) from problem
            raise

    return evaluated


def symbols(model: Model) -> list[str]:
    """The symbols in the model, by name."""
    places = [x for b in model.bodies for X in (b.placement, b.tail) for x in (*X.R.flat, *X.p)]
    joints = [x for b in model.bodies for x in (b.damping, b.friction, b.armature, b.stiffness, *b.rest, b.multiplier)]
    joints += [x for spring in model.springs for x in spring[2:]]
    known = [x for x in (*parameters(model), *places, *joints, *model.gravity) if not isinstance(x, (int, float))]
    return sorted({str(s) for x in known for s in getattr(x, "free_symbols", (x,))})


def random_configuration(model: Model, rng: Any, shape: tuple[int, ...] = ()) -> NDArray[np.floating]:
    """Coordinates (*shape, nq) within the joint limits."""
    rng = generator("random: rng", rng)
    parts = [np.zeros((*shape, 0))]
    for b, own in numeric(model, ranges)(model=model).items():
        joint = b.joint
        if not own.lower_of == own.upper_of == joint.name:  # within the range that those that follow it leave
            joint = joint.replace(limits=joint.limits._replace(lower=own.lower, upper=own.upper))
        parts.append(joint.sample(rng, shape))
    return np.concatenate(parts, axis=-1)
