"""Algorithms by loops over bodies, for robots of many bodies and for programs too long to be compiled."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..algorithms import coriolis, forward_dynamics, inverse_dynamics, jacobians, mass_matrix
from ..algorithms.by_rows.composed import COMPOSED_OF_ONE_AXIS, COMPOSED_OF_ROWS, COMPOSED_OF_SHARED, times
from ..algorithms.by_rows.one_axis import OneAxis
from ..algorithms.by_rows.passes import FOUND, STATE
from ..algorithms.by_rows.rows import served
from ..algorithms.by_rows.table import FACTORS, RESPONSE
from ..compiler.closures import Composition
from ..model import Model
from .request import AS_USUAL, Written
from .row_loops import closure, recursion_of

Floats = np.ndarray
#: algorithms that eliminate joint by joint
ELIMINATIONS = (
    FACTORS,
    RESPONSE,
    forward_dynamics.forward_dynamics,
    forward_dynamics.forward_dynamics_by_articulated_bodies,
)
#: algorithms that forces at frames enter as torques
PUSHED = (
    inverse_dynamics.inverse_dynamics,
    inverse_dynamics.bias_forces,
    forward_dynamics.forward_dynamics_by_composite_bodies,
    *ELIMINATIONS,
)
#: the matrix whose rate an algorithm gives: columns of joints of several axes change with Ė
RATES = {
    jacobians.jacobian_rate: jacobians.jacobian,
    coriolis.coriolis_matrix: mass_matrix.mass_matrix,
    mass_matrix.mass_matrix_rate: mass_matrix.mass_matrix,
}


def loop_for(
    model: Model,
    algorithm: Any,
    arrays: Sequence[str],
    choices: Mapping[str, Any] = {},
    positions: Callable[[Floats], Any] | None = None,
    frames: Sequence[str] = (),
    written: Written = AS_USUAL,
) -> Any:
    """A loop over bodies that computes an algorithm of these arrays, or a function composed of loops; None if none.

    `positions` is the kernel of `one_axis.positions`, without which only one-axis joints are served; forces at `frames`
    follow the arrays.
    """
    if not set(arrays) <= set(STATE) or (frames and algorithm not in PUSHED) or model.springs:
        return None
    if served(model):
        if algorithm not in Loops.composed and not frames:
            return closure(model, algorithm, arrays, choices)
        loops = Loops(model)
    elif positions and (rows := OneAxis(model)).served:
        loops = LoopsOfRows(rows, positions)
    else:
        return None
    if frames:
        return Composition(partial(_pushed, loops, algorithm, arrays, choices, tuple(frames), written))
    return loops.composition(algorithm, arrays, choices)


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

    shared, composed = False, COMPOSED_OF_ONE_AXIS

    def __init__(self, model: Model):
        self.model, self._made = model, dict[Any, Callable[..., Any]]()

    def composition(self, algorithm: Any, arrays: Sequence[str], choices: Mapping[str, Any]) -> Composition | None:
        """A function of the arrays, if there are loops for it."""
        if algorithm not in self.composed and recursion_of(self.model, algorithm, choices) is None:
            return None
        return Composition(lambda *values: self(algorithm, **dict(zip(arrays, values, strict=True)), **choices))

    def __call__(self, algorithm: Any, /, **given: Any) -> Any:
        """The results of an algorithm."""
        if algorithm in self.composed:
            return self.composed[algorithm](self, self.model, **given)
        arrays = {name: x for name, x in given.items() if name in STATE or name in FOUND}
        return self._results(algorithm, arrays, {name: x for name, x in given.items() if name not in arrays})

    def _results(self, algorithm: Any, arrays: Mapping[str, Floats], choices: Mapping[str, Any]) -> Any:
        return self.loop(algorithm, tuple(arrays), choices)(*arrays.values())

    def loop(self, algorithm: Any, names: tuple[str, ...], choices: Mapping[str, Any]) -> Callable[..., Any]:
        """The loop of an algorithm on arrays (n, size)."""
        key = (algorithm, names, *choices.items())
        if key not in self._made:
            found = self._closure(algorithm, names, choices)
            assert found is not None
            self._made[key] = found.function()
        return self._made[key]

    def _closure(self, algorithm: Any, names: tuple[str, ...], choices: Mapping[str, Any]) -> Any:
        return closure(self.model, algorithm, names, choices)


class LoopsOfRows(Loops):
    """Loops over the rows of `OneAxis`, for robots with joints of several axes or that follow others."""

    def __init__(self, rows: OneAxis, positions: Callable[[Floats], Any]):
        super().__init__(rows.true)
        self.rows, self.positions, self.shared = rows, positions, rows.shared
        self.composed = COMPOSED_OF_SHARED if rows.shared else COMPOSED_OF_ROWS

    def composition(self, algorithm: Any, arrays: Sequence[str], choices: Mapping[str, Any]) -> Composition | None:
        """A function of the arrays; none of articulated bodies, whose joints have one inertia each."""
        if algorithm is forward_dynamics.articulated_bodies:
            return None
        return super().composition(algorithm, arrays, choices)

    def _closure(self, algorithm: Any, names: tuple[str, ...], choices: Mapping[str, Any]) -> Any:
        locked: Any = self.rows.locked if algorithm in ELIMINATIONS else ()
        return closure(self.rows.model, algorithm, names, choices, list(self.rows.last), locked)

    def _results(self, algorithm: Any, arrays: Mapping[str, Floats], choices: Mapping[str, Any]) -> Any:
        rows, v = self.rows, arrays.get("v")
        recursion = recursion_of(self.model, algorithm, choices)
        assert recursion is not None
        state = {name: arrays[name] for name in FOUND if name in arrays}
        if "q" in arrays:
            state["q"] = self.positions(arrays["q"])
        if v is not None:
            state |= {"v": rows.moved(v), "a": rows.drift(v)}
        if "a" in arrays:
            state["a"] = rows.moved(arrays["a"]) + state.get("a", 0)
        if "tau" in arrays:
            state["tau"] = np.zeros((len(arrays["tau"]), len(rows.dof)))
            state["tau"][:, rows.own] = arrays["tau"]
        state = {name: state[name] for name in recursion.arrays if name in state}
        found = self.loop(algorithm, tuple(state), choices)(*state.values())
        if algorithm in ELIMINATIONS and algorithm is not FACTORS:
            return found[:, rows.own] - (0 if v is None else rows.drift(v)[:, rows.own])
        shapes = list(recursion.shapes.values())
        mapped = tuple(map(self._mapped, found if len(shapes) > 1 else (found,), shapes))
        if algorithm in RATES:
            assert v is not None
            return mapped[0] + self._rate(algorithm, state["q"], v, choices)
        return mapped if len(mapped) > 1 else mapped[0]

    def _mapped(self, x: Floats, shape: tuple[Any, ...]) -> Floats:
        """A result of the rows as one of the velocities and bodies."""
        for k, axis in enumerate(shape):
            if axis in ("v", "joint", "body"):
                x = (self.rows.by_body if axis == "body" else self.rows.summed)(x, k - len(shape))
        return x

    def _rate(self, algorithm: Any, q: Floats, v: Floats, choices: Mapping[str, Any]) -> Floats:
        """The part of a rate that is not in that of the rows: J Ė, or M Ė and its transpose."""
        others = choices if algorithm is jacobians.jacobian_rate else {}
        M = self.loop(RATES[algorithm], ("q",), others)(q)
        if algorithm is jacobians.jacobian_rate:
            return self.rows.times_rate(M, v)
        found = self.rows.times_rate(self.rows.summed(M, -2), v)
        return found + found.swapaxes(-1, -2) if algorithm is mass_matrix.mass_matrix_rate else found
