"""NumPy's functions in a traced function: the same numbers as NumPy's, over the whole range."""

import numpy as np
import pytest

from articulated.compiler.emit import numpy as numpy_emitter
from articulated.compiler.passes.trace import trace
from articulated.control.tracing.scalar_functions import applied
from articulated.control.tracing.tracing import run_on_scalars

SIZES = np.concatenate([np.geomspace(1e-12, 1e12, 97), np.arange(0.0, 9.0, 0.25), [2.0**51, 2.0**60, 20.1]])
VALUES = np.concatenate([-SIZES, SIZES])


def compiled(function, *arrays):
    """The function as the compiler computes it, state by state."""
    names = "xy"[: len(arrays)]
    program = trace(lambda **given: run_on_scalars(function, *(given[n][0] for n in names)), dict.fromkeys(names, 1))
    out = np.empty((len(arrays[0]), 1))
    numpy_emitter.compiled(program)(out, *(np.ascontiguousarray(x[None]) for x in arrays))
    return out[:, 0]


@pytest.mark.parametrize("name", ["tanh", "floor", "ceil", "absolute", "sign", "arctan"])
def test_of_one_number(name):
    wanted = getattr(np, name)(VALUES)
    exact = name in ("floor", "ceil", "absolute", "sign")
    found = compiled(getattr(np, name), VALUES)
    assert np.array_equal(found, wanted) if exact else np.allclose(found, wanted, rtol=2e-15, atol=0)


@pytest.mark.parametrize("name", ["less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or"])
def test_conditions_are_numbers(name, rng):
    x, y = (rng.integers(-2, 3, 200).astype(float) for _ in range(2))
    assert np.array_equal(compiled(getattr(np, name), x, y), getattr(np, name)(x, y))


def test_remainders_have_the_sign_of_the_divisor(rng):
    """Where the quotient is rounded to a whole number the remainder may be 0 or the divisor."""
    x, y = rng.normal(size=(2, 500)) * rng.choice([0.1, 1, 100], (2, 500))
    found, wanted = compiled(np.remainder, x, y), np.remainder(x, y)
    apart = np.abs(found - wanted)
    assert (np.minimum(apart, np.abs(apart - np.abs(y))) < 1e-12 * (np.abs(x) + np.abs(y))).all()
    assert ((found == 0) | (np.sign(found) == np.sign(y))).all()


def test_numbers_stay_numbers():
    """A function of constants among the arguments is NumPy's."""
    for function, given in {np.tanh: (0.3,), np.floor: (-1.5,), np.remainder: (7.5, 2.0), np.less: (1, 2)}.items():
        assert applied(function)(*given) == function(*given)
