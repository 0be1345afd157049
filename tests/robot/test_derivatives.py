"""`derivatives`, `jvp` and `vjp` as a user calls them: shapes, batches, options, and words for what cannot be."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.robot.quantities import QUANTITIES
from tests.methods import arguments, results
from tests.near import near
from tests.robot.callables import small

arm, legs = art.load("ur5"), small()
DIFFERENTIABLE = sorted(name for name, row in QUANTITIES.items() if not row.check)


def state(robot, rng, shape=()):
    return robot.random(rng, shape), *(rng.normal(size=(*shape, robot.nv)) for _ in range(2))


@pytest.mark.parametrize("method", ["inverse_dynamics", "forward_dynamics"])
def test_a_batch_is_its_states(method, rng):
    given = state(legs, rng, (2, 5))
    d = legs.derivatives(method)
    found = d(*given)
    assert found._fields == ("q", "v", "a" if method == "inverse_dynamics" else "tau")
    for part in found:
        assert part.shape == (2, 5, legs.nv, legs.nv)
    alone = d(*(x[1, 3] for x in given))
    assert all((part[1, 3] == one).all() for part, one in zip(found, alone, strict=True))
    again = d(*given, threads=2)
    assert all((x == y).all() for x, y in zip(found, again, strict=True))


def test_out_and_single_precision(rng):
    given = state(arm, rng, (3,))
    d = arm.derivatives("inverse_dynamics")
    found = d(*given)
    out = type(found)(*map(np.empty_like, found))
    assert all(x is y for x, y in zip(d(*given, out=out), out, strict=True))
    assert all((x == y).all() for x, y in zip(out, found, strict=True))
    for single, double in zip(d(*given, dtype="float32"), found, strict=True):
        assert single.dtype == np.float32 and near(single, double, 1e-5)


def test_a_row_with_nan_is_nan(rng):
    q, v, a = state(arm, rng, (3,))
    q[1, 2] = np.nan
    for part in arm.derivatives("inverse_dynamics")(q, v, a):
        assert np.isnan(part[1]).all() and np.isfinite(part[[0, 2]]).all()


@pytest.mark.parametrize("method", ["inverse_dynamics", "frame_velocity", "mass_matrix", "kinetic_energy", "pose"])
def test_forward_and_backward_are_the_jacobian(method, rng):
    given = arguments(legs, method, rng, (2,))
    arrays = [name for name, x in given.items() if isinstance(x, np.ndarray)]
    whole = legs.derivatives(method)(**given)
    value = getattr(legs, method)(**given)
    tangents = {name: rng.normal(size=(2, legs.nv)) for name in arrays}
    weights = rng.normal(size=value.shape)
    moved = sum(np.einsum("n...k,nk->n...", getattr(whole, name), tangents[name]) for name in arrays)
    near(legs.jvp(method)(**given, tangents=tangents), moved)
    felt = legs.vjp(method)(**given, cotangents=weights)
    for name in arrays:
        axes = "nij"[: value.ndim]
        near(getattr(felt, name), np.einsum(f"{axes},{axes}k->nk", weights, getattr(whole, name)))


def test_a_plain_call_goes_straight_to_the_kernel(monkeypatch, rng):
    """Once compiled: neither the method nor a signature is looked at; anything else takes the long way, as before."""
    pytest.importorskip("llvmlite")
    q, v, a = state(arm, rng)
    w, along = rng.normal(size=(2, 6))
    own = {"vjp": {"cotangents": w}, "hessian": {"cotangents": w}, "jvp": {"tangents": {"q": along, "a": w}},
           "derivatives": {}}  # fmt: skip
    first = {kind: getattr(arm, kind)("inverse_dynamics")(q, v, a, **more) for kind, more in own.items()}
    others = {
        "lists": {"cotangents": w.tolist()},
        "a batch": {"cotangents": np.stack([w, w])},
        "single": {"cotangents": w.astype("float32"), "dtype": "float32"},
    }
    vjp = arm.vjp("inverse_dynamics")
    for kind, more in others.items():
        for x, y in zip(vjp(q, v, a, **more), first["vjp"], strict=True):
            near(x, np.broadcast_to(y, x.shape), 1e-5 if kind == "single" else 1e-14)
    swapped = arm.jvp("inverse_dynamics")(q, v, a=a, tangents={"a": w, "q": along})
    assert (swapped == first["jvp"]).all()

    def looked(*_, **__):
        raise AssertionError("the long way")

    monkeypatch.setattr(art.Robot, "inverse_dynamics", looked)
    monkeypatch.setattr("articulated.robot.derivatives.method.Derivatives._general", looked)
    for kind, more in own.items():
        again = getattr(arm, kind)("inverse_dynamics")(q, v, a, **more)
        out = np.empty_like(again) if kind == "jvp" else type(again)(*map(np.empty_like, again))
        getattr(arm, kind)("inverse_dynamics")(q, v, a, **more, out=out)
        for found in (again, out):
            assert all((x == y).all() for x, y in zip(found, first[kind], strict=True)), kind


def test_in_the_coordinates_of_q(rng):
    q, v, a = state(legs, rng)
    along = rng.normal(size=legs.nv)
    rate = legs.configuration_rate(q, along)
    by_coordinates = legs.derivatives("inverse_dynamics", space="coordinates")(q, v, a)
    assert by_coordinates.q.shape == (legs.nv, legs.nq)
    near(by_coordinates.q @ rate, legs.derivatives("inverse_dynamics")(q, v, a).q @ along)
    near(legs.jvp("inverse_dynamics", space="coordinates")(q, v, a, tangents={"q": rate}), by_coordinates.q @ rate)
    w = rng.normal(size=legs.nv)
    near(legs.vjp("inverse_dynamics", space="coordinates")(q, v, a, cotangents=w).q, w @ by_coordinates.q)


@pytest.mark.parametrize("force_axes", ["frame", "world", "spatial"])
def test_by_forces_and_with_them(force_axes, rng):
    q, v, a = state(legs, rng)
    forces = {name: rng.normal(size=6) for name in ("hand", "body")}
    options = {"forces": art.Wrenches(forces, force_axes)}
    found = legs.derivatives("inverse_dynamics", wrt=("q", "forces"))(q, v, a, **options)
    near(found.forces, -legs.force_map(q, list(forces), force_axes=force_axes))
    step = 1e-6
    for k in range(legs.nv):
        dv = step * np.eye(legs.nv)[k]
        high, low = (legs.inverse_dynamics(legs.integrate(q, s * dv), v, a, **options) for s in (1, -1))
        near(found.q[:, k], (high - low) / (2 * step), 1e-7)  # differences of doubles
    along = {"forces": rng.normal(size=12)}
    near(legs.jvp("inverse_dynamics")(q, v, a, **options, tangents=along), found.forces @ along["forces"])


@pytest.mark.parametrize("robot", [arm, legs], ids=str)
def test_by_inertial_parameters(robot, rng):
    q, v, a = state(robot, rng)
    near(robot.derivatives("inverse_dynamics", wrt="parameters")(q, v, a).parameters, robot.regressor(q, v, a))
    tau = robot.inverse_dynamics(q, v, a)
    by_parameters = robot.derivatives("forward_dynamics", wrt="parameters")(q, v, tau).parameters
    near(robot.mass_matrix(q) @ by_parameters, -robot.regressor(q, v, a), 1e-10)  # of the condition of M


def test_with_parameters_of_ones_own(rng):
    for robot, method, last in ((legs, "inverse_dynamics", "a"), (art.load("2r"), "forward_dynamics", "tau")):
        q, v, a = state(robot, rng, (2,))
        count = len(robot.parameters)
        other = robot.parameters * rng.uniform(0.9, 1.1, (2, count))
        d = robot.derivatives(method, wrt=("q", last, "parameters"))(q, v, a, parameters=other)
        plain = robot.derivatives(method)(q, v, a, parameters=other)  # by the closed form
        near(d.q, plain.q, 1e-10)
        near(getattr(d, last), getattr(plain, last), 1e-10)
        along = rng.normal(size=(2, count))
        moved = robot.jvp(method)(q, v, a, parameters=other, tangents={"parameters": along})
        near(moved, np.einsum("nik,nk->ni", d.parameters, along), 1e-10)
        weights = rng.normal(size=(2, robot.nv))
        felt = robot.vjp(method, wrt="parameters")(q, v, a, parameters=other, cotangents=weights)
        near(felt.parameters, np.einsum("ni,nik->nk", weights, d.parameters), 1e-10)
        size = 1e-6
        high, low = (getattr(robot, method)(q, v, a, parameters=other + sign * size * along) for sign in (1, -1))
        near(moved, (high - low) / (2 * size), 1e-7)  # differences of doubles


def test_every_method_has_them(rng):
    robot = art.load("2r")
    for method in DIFFERENTIABLE:
        given = arguments(robot, method, rng)
        value = results(getattr(robot, method)(**given))
        found = robot.derivatives(method)(**given)
        shapes = [part.shape[:-1] for part in found]
        arrays = sum(isinstance(x, np.ndarray) for x in given.values())
        assert shapes == [part.shape for part in value for _ in range(arrays)], method


def test_they_are_sent_to_another_process(rng):
    given = state(arm, rng)
    d = arm.derivatives("inverse_dynamics", wrt=["v"])
    other = pickle.loads(pickle.dumps(d))
    assert (other(*given).v == d(*given).v).all() and pickle.loads(pickle.dumps(d(*given)))._fields == ("v",)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: arm.derivatives("inverse_dynamic"), ["did you mean 'inverse_dynamics'"]),
        (lambda: arm.derivatives(3), ["no method with derivatives: 3"]),
        (lambda: arm.derivatives("operational_space"), ["operational_space"]),
        (lambda: arm.derivatives("pose", wrt=["v"])(arm.neutral(), "tool0"), ["no argument 'v'", "it has: q"]),
        (lambda: arm.derivatives("pose", wrt=[]), ["at least one argument"]),
        (lambda: arm.derivatives("pose", space="body"), ["space", "tangent, coordinates"]),
        (lambda: arm.derivatives("bias_forces", wrt="forces")(arm.neutral(), np.zeros(6)), ["no argument 'forces'"]),
        (lambda: arm.derivatives("pose")(np.zeros(5), "tool0"), ["derivatives of pose", "(5,)", "(…, 6)"]),
        (lambda: arm.derivatives("pose")(arm.neutral(), "tool0", dtype=int), ["float64 or float32"]),
        (lambda: arm.jvp("pose")(arm.neutral(), "tool0"), ["tangents", "None"]),
        (lambda: arm.jvp("pose")(arm.neutral(), "tool0", tangents={"v": np.ones(6)}), ["no argument 'v'"]),
        (lambda: arm.jvp("pose")(arm.neutral(), "tool0", tangents={"q": np.ones(4)}), ['tangents["q"]', "(4,)"]),
        (lambda: arm.vjp("gravity_forces")(arm.neutral(), cotangents=1.0), ["cotangents has shape ()", "(…, 6)"]),
        (lambda: arm.vjp("pose")(arm.neutral(), "tool0"), ["cotangents", "None"]),
        (lambda: arm.vjp("pose")(arm.neutral(), "tool0", cotangents=np.ones(4)), ["cotangents", "(…, 4, 4)"]),
        (lambda: art.load("puma560").derivatives("pose"), []),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(call, words):
    if not words:
        call()
        return
    with pytest.raises(art.ArticulatedError) as error:
        call()
    assert all(word in str(error.value) for word in words), str(error.value)


def test_a_misspelt_option_is_named():
    with pytest.raises(TypeError, match="did you mean 'tangents'"):
        arm.jvp("gravity_forces")(arm.neutral(), tangents={"q": np.ones(6)}, tangent=1)


def test_what_is_too_long_to_be_compiled_says_so(monkeypatch, rng):
    pytest.importorskip("llvmlite")
    monkeypatch.setattr("articulated.compiler.passes.simplify.MOST_OPERATIONS", 1000)
    robot = art.load("panda").replace(name="long", gravity=(0, -1.625, 0))  # none of its kernels is cached
    given = state(robot, rng)
    # neither is the jvp short enough, whose columns these would be
    with pytest.warns(RuntimeWarning, match="of coriolis_matrix of long: .* (jvp or vjp|differences)"):
        found = robot.derivatives("coriolis_matrix", wrt="v")(*given[:2])
    assert near(found.v @ given[1], robot.coriolis_matrix(*given[:2]))
    with pytest.raises(art.ArticulatedError, match=r"too large for this; .* hessian"):
        robot.second_derivatives("inverse_dynamics")(*given)
    with pytest.raises(art.ArticulatedError, match=r"too large for this; .* vjp"):
        robot.hessian("inverse_dynamics")(*given, cotangents=given[1])
    # one argument cannot be fewer
    with pytest.raises(art.ArticulatedError, match="for this; ask for differences of vjp"):
        robot.hessian("inverse_dynamics", wrt="q")(*given, cotangents=given[1])
    with pytest.raises(art.ArticulatedError, match="for this; ask for a hessian, or for differences of derivatives"):
        robot.second_derivatives("inverse_dynamics", wrt="q")(*given)


def test_what_is_too_long_is_told_what_is_shorter():
    arm = art.load("panda")
    assert arm.derivatives("inverse_dynamics").when_too_long.endswith(
        "ask for fewer arguments (wrt=), or for jvp or vjp, which are shorter"
    )
    assert arm.derivatives("mass_matrix").when_too_long.endswith("; ask for jvp or vjp, which are shorter")
    assert arm.jvp("inverse_dynamics").when_too_long.endswith("; ask for differences of the method")
    assert arm.vjp("inverse_dynamics", wrt="q").when_too_long.endswith("; ask for jvp, which is shorter")
