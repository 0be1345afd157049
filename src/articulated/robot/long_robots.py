"""Algorithms by loops over bodies, for robots of many bodies and for programs too long to be compiled."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..algorithms import forward_dynamics, inverse_dynamics, jacobians
from ..algorithms.by_rows.compositions import COMPOSED, COMPOSED_OF_ONE_AXIS, COMPOSED_OF_SHARED, times
from ..algorithms.by_rows.one_axis import one_axis
from ..algorithms.by_rows.rows import FOUND, STATE, served
from ..algorithms.by_rows.table import RECURSIONS
from ..compiler.closures import Closure, Composition
from ..model import Model
from .request import AS_USUAL, Written
from .row_loops import States, closure

Floats = np.ndarray
#: algorithms that forces at frames enter as torques
PUSHED = (
    inverse_dynamics.inverse_dynamics,
    inverse_dynamics.bias_forces,
    forward_dynamics.forward_dynamics_by_composite_bodies,
    *(algorithm for algorithm, loop in RECURSIONS.items() if loop.eliminates),
)


def loop_for(
    model: Model,
    algorithm: Any,
    arrays: Sequence[str],
    choices: Mapping[str, Any] = {},
    states: States | None = None,
    frames: Sequence[str] = (),
    written: Written = AS_USUAL,
) -> Closure | Composition | None:
    """A loop over bodies that computes an algorithm of these arrays, or a function composed of loops; None if none.

    `states` makes kernels of `one_axis.row_states`, without which only one-axis joints are served; forces at `frames`
    follow the arrays.
    """
    if not set(arrays) <= set(STATE) or (frames and algorithm not in PUSHED) or model.springs:
        return None
    if served(model):
        loops = Loops(model, COMPOSED_OF_ONE_AXIS)
    elif states and (rows := one_axis(model)).served and algorithm is not forward_dynamics.articulated_bodies:
        loops = Loops(model, COMPOSED_OF_SHARED if rows.shared else COMPOSED, states, rows.shared)
    else:
        return None
    if frames:
        return Composition(partial(_pushed, loops, algorithm, arrays, choices, tuple(frames), written))
    if algorithm in loops.composed:
        return Composition(lambda *values: loops(algorithm, **dict(zip(arrays, values, strict=True)), **choices))
    return closure(model, algorithm, arrays, choices, loops.states)


def _pushed(
    loops: "Loops",
    algorithm: Any,
    arrays: Sequence[str],
    choices: Mapping[str, Any],
    frames: tuple[str, ...],
    written: Written,
    *values: Floats,
) -> Any:
    """The results with forces at frames: these are torques of the joints."""
    state, forces = dict(zip(arrays, values, strict=False)), np.concatenate(values[len(arrays) :], axis=-1)
    felt = times(loops(jacobians.force_map, q=state["q"], frames=frames, force_axes=written.axes), forces)
    felt = -felt if written.on == "environment" else felt
    if "tau" in state:
        return loops(algorithm, **(state | {"tau": state["tau"] + felt}), **choices)
    return loops(algorithm, **state, **choices) - felt


class Loops:
    """`loops(algorithm, **arrays, **choices)`: results for states (n, size)."""

    def __init__(self, model: Model, composed: Mapping[Any, Any], states: States | None = None, shared: bool = False):
        self.model, self.composed, self.states, self.shared = model, composed, states, shared
        self._made: dict[Any, Callable[..., Any]] = {}

    def __call__(self, algorithm: Any, /, **given: Any) -> Any:
        """The results of an algorithm."""
        if algorithm in self.composed:
            return self.composed[algorithm](self, self.model, **given)
        arrays = {name: x for name, x in given.items() if name in STATE or name in FOUND}
        choices = {name: x for name, x in given.items() if name not in arrays}
        key = (algorithm, *arrays, *choices.items())
        if key not in self._made:
            found = closure(self.model, algorithm, tuple(arrays), choices, self.states)
            assert found is not None
            self._made[key] = found.function()
        return self._made[key](*arrays.values())
