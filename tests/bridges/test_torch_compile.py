"""Robots under `torch.compile`: whole graphs, with gradients, `vmap`, and shapes that change."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: make test-bridges")

import articulated as art  # noqa: E402
import articulated.torch  # noqa: E402

pytestmark = [  # of PyTorch's own doing
    pytest.mark.filterwarnings("ignore:The .grad attribute"),
    pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated"),
]
arm = articulated.torch.Robot(art.load("ur5"))


def whole(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, backend="aot_eager", **options)


def state(rng, *shape, dtype=torch.float64):
    return [torch.tensor(rng.normal(size=(*shape, 6)), dtype=dtype, requires_grad=True) for _ in range(3)]


def same(found, expected):
    return all(torch.equal(x, y) for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_values_and_gradients(dtype, rng):
    given = state(rng, 5, dtype=dtype)

    def cost(q, v, tau):
        return (arm.forward_dynamics(q * 1.0, v, tau) ** 2).sum()

    compiled = whole(cost)
    assert compiled(*given).dtype == dtype and torch.equal(compiled(*given), cost(*given))
    assert same(torch.autograd.grad(compiled(*given), given), torch.autograd.grad(cost(*given), given))


def test_frames_forces_and_parameters(rng):
    given = state(rng, 3)
    force, parameters = torch.ones(6, dtype=torch.float64, requires_grad=True), torch.tensor(art.load("ur5").parameters)

    def work(q, v, a, force, parameters):
        tau = arm.inverse_dynamics(q, v, a, forces={"tool0": force}, parameters=parameters)
        return (tau * v).sum() + arm.pose(q, "tool0")[..., 2, 3].sum()

    everything = [*given, force, parameters.requires_grad_()]
    found, expected = (torch.autograd.grad(f(*everything), everything) for f in (whole(work), work))
    assert same(found, expected)


def test_several_results(rng):
    given = state(rng, 4)
    found, expected = whole(lambda *x: arm.body_motions(*x))(*given), arm.body_motions(*given)
    assert found._fields == expected._fields and same(found, expected)
    one = (torch.autograd.grad(f(*given)[0].sum(), given[0])[0] for f in (whole(arm.body_motions), arm.body_motions))
    assert torch.equal(*one)


def test_mapped_and_of_any_length(rng):
    q, v, tau = (x.detach() for x in state(rng, 7))
    mapped = torch.func.vmap(arm.forward_dynamics, in_dims=(0, None, 1))
    assert torch.equal(whole(mapped)(q, v[0], tau.T), mapped(q, v[0], tau.T))
    compiled = whole(lambda q, v, tau: arm.forward_dynamics(q, v, tau) * 2, dynamic=True)
    for n in (7, 3, 5):
        assert torch.equal(compiled(q[:n], v[:n], tau[:n]), 2 * arm.forward_dynamics(q[:n], v[:n], tau[:n]))


def test_what_torch_func_differentiates_stays_outside(rng):
    given = [x.detach() for x in state(rng, 2)]
    for way in (torch.func.jacrev, torch.func.jacfwd):
        torch._dynamo.reset()
        mapped = torch.func.vmap(way(arm.forward_dynamics))
        assert torch.equal(torch.compile(mapped, backend="aot_eager")(*given), mapped(*given))


def test_the_operator_keeps_the_rules_of_operators(rng):
    from articulated.bridges import torch as bridge

    operation = arm.asked("gravity_forces").operation(np.float64)
    q = torch.tensor(rng.normal(size=(3, 6)), requires_grad=True)
    torch.library.opcheck(bridge._operator, (bridge._known(operation), [q]))
