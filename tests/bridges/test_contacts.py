"""Contacts in every bridge: the numbers of `art.Contacts`, and its derivatives."""

import numpy as np
import pytest

import articulated as art
from tests.zoo import random_tree

WALKER = random_tree(1, 4, ["revolute", "prismatic"]).floating()
FEET = art.Contacts(WALKER, point=["link0", "link1", "link3"])
LAWS = {"forward_dynamics": ("a", "tau"), "inverse_dynamics": ("tau", "a")}


def torch_jacobian(method, state):
    torch = pytest.importorskip("torch")
    import articulated.torch

    law = getattr(articulated.torch.Contacts(FEET), method)
    given = [torch.tensor(x) for x in state]
    by = torch.autograd.functional.jacobian(lambda *x: law(*x)[0], tuple(given))
    return law(*given)[0].numpy(), [x.numpy() for x in by]


def jax_jacobian(method, state):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import articulated.jax

    law = getattr(articulated.jax.Contacts(FEET), method)
    by = jax.jit(jax.jacfwd(lambda *x: law(*x)[0], argnums=(0, 1, 2)))(*state)
    found = np.array(jax.jit(law)(*state)[0])
    jax.config.update("jax_enable_x64", False)
    return found, [np.array(x) for x in by]


def casadi_jacobian(method, state, way="function"):
    pytest.importorskip("casadi")
    import articulated.casadi

    function = getattr(articulated.casadi.Contacts(FEET), way)(method)
    by = function.jacobian()(*state, *[0] * function.n_out())
    return np.array(function(*state)[0]).ravel(), [np.array(x) for x in by[:3]]


def casadi_compiled(method, state):
    return casadi_jacobian(method, state, "compiled")


@pytest.mark.parametrize("bridge", [torch_jacobian, jax_jacobian, casadi_jacobian, casadi_compiled])
@pytest.mark.parametrize("method", LAWS)
def test_laws_and_their_derivatives(method, bridge, rng):
    value, last = LAWS[method]
    state = [WALKER.random(rng), rng.normal(size=WALKER.nv), rng.normal(size=FEET.kernels.vectors[last].size)]
    found, by = bridge(method, state)
    assert np.allclose(found, getattr(getattr(FEET, method)(*state), value), rtol=1e-9, atol=1e-9)
    wanted = FEET.derivatives(method)(*state)
    rates = WALKER.derivatives("integrate", wrt="dv", space="coordinates")(state[0], np.zeros(WALKER.nv)).dv
    for x, name in zip((by[0] @ rates, *by[1:]), ("q", "v", last), strict=True):
        expected = getattr(wanted, f"{value}_{name}")
        assert abs(x - expected).max() < 1e-9 * (1 + abs(expected).max())


def test_batches_ranks_that_are_lost_and_bad_input(rng):
    torch = pytest.importorskip("torch")
    import articulated.torch

    feet = articulated.torch.Contacts(FEET)
    q = torch.tensor(WALKER.random(rng, (3,)))
    assert np.allclose(feet.jacobian(q).numpy(), FEET.jacobian(q.numpy()), atol=1e-12)
    with pytest.raises(art.ShapeError, match="takes no baumgarte"):
        feet.forward_dynamics(q, q[:, :-1], q[:, :2], baumgarte=3.0)
    with pytest.raises(art.ArticulatedError, match="takes a Contacts"):
        articulated.torch.Contacts(WALKER)
    with pytest.raises(AttributeError, match="impact"):
        feet.impact  # noqa: B018
