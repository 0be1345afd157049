"""How the work grows with the number of joints in a chain: operations counted, not timed (SUSTech 4.3; S0.30)."""

from functools import partial

import numpy as np
import pytest

import articulated as art
from articulated.algorithms import forward_dynamics, inverse_dynamics, mass_matrix, study
from articulated.compiler.passes.trace import trace

SIZES = (5, 9, 13, 17)


def chain(n):
    """Alike links of which no number is zero."""
    body = art.Inertia(1.3, (0.1, 0.2, 0.3), [[0.3, 0.01, 0.02], [0.01, 0.4, 0.03], [0.02, 0.03, 0.5]])
    place = art.Transform.from_rpy((0.3, 0.2, 0.1), (0.1, 0.2, 0.3))
    links = [art.Link(f"l{i}", f"l{i - 1}", art.Revolute(), place, body) for i in range(1, n + 1)]
    return art.build([art.Link("l0"), *links]).model


def counted(algorithm, *arrays):
    return np.array([len(trace(partial(algorithm, chain(n)), dict.fromkeys(arrays, n))) for n in SIZES])


@pytest.mark.parametrize(
    "algorithm, arrays",
    [
        (inverse_dynamics.inverse_dynamics, "q v a"),
        (inverse_dynamics.bias_forces, "q v"),
        (forward_dynamics.forward_dynamics_by_articulated_bodies, "q v tau"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_linear(algorithm, arrays):
    """Each body costs the same."""
    assert (np.diff(counted(algorithm, *arrays.split()), 2) == 0).all()


@pytest.mark.parametrize(
    "algorithm", [mass_matrix.mass_matrix, study.mass_matrix_by_unit_accelerations], ids=lambda f: f.__name__
)
def test_quadratic(algorithm):
    growth = np.diff(counted(algorithm, "q"), 2)
    assert (growth > 0).all() and abs(np.diff(growth)).max() < 0.01 * growth.max()


@pytest.mark.parametrize(
    "algorithm, arrays",
    [
        (mass_matrix.mass_matrix_inverse, "q"),
        (study.mass_matrix_by_sums, "q"),
        (forward_dynamics.forward_dynamics_by_composite_bodies, "q v tau"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_cubic(algorithm, arrays):
    assert (np.diff(counted(algorithm, *arrays.split()), 3) > 0).all()
