"""Robots of hundreds of bodies: loops over bodies give the numbers of the textbook, compiled once for all of them."""

import numpy as np
import pytest

import articulated as art
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.compiler.closures import Composition
from articulated.compiler.kernel import Kernel
from articulated.compiler.runtime import engine
from articulated.compiler.source import TooLong
from articulated.robot import kernels
from articulated.robot.long_robots import loop_for
from articulated.robot.quantities import QUANTITIES

from ..compiler.conftest import long_chain

machine_code = pytest.mark.skipif(engine.reason() is not None, reason="no machine code here")


def random_tree(bodies, seed, reach=4):
    """Joints of both kinds about any axis, placed anywhere, with friction, rotors, tails and branches."""
    rng = np.random.default_rng(seed)
    links = []
    for k in range(bodies):
        A = rng.normal(size=(3, 3))
        inertia = art.Inertia(rng.uniform(0.5, 2), rng.normal(size=3) * 0.1, A @ A.T + 0.1 * np.eye(3))
        kind = art.Revolute if rng.random() < 0.7 else art.Prismatic
        friction = dict(zip(("damping", "friction", "armature"), rng.uniform(0, 1, 3), strict=True))
        place, tail = (art.Transform(np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.normal(size=3)) for _ in range(2))
        parent = f"l{rng.integers(max(0, k - reach), k)}" if k else None
        links.append(
            art.Link(f"l{k}", parent, kind(rng.normal(size=3), **friction), _proper(place), inertia, tail=_proper(tail))
        )
    return art.build(links, name="random tree" if reach > 1 else "random chain")


def _proper(X):
    R = np.array(X.R, float)
    return art.Transform(R * np.sign(np.linalg.det(R)), X.p)


def other_joints(bodies, seed, joints, reach=1):
    """A random tree with some joints of other kinds."""
    links = list(random_tree(bodies, seed, reach).links)
    for k, joint in joints.items():
        links[k] = links[k].replace(joint=joint)
    return art.build(links, name="+".join(dict.fromkeys(joint.kind for joint in joints.values())))


ROBOTS = [
    random_tree(13, 0, reach=2),
    random_tree(14, 2, reach=1),
    other_joints(
        10,
        6,
        {
            0: art.Floating(),
            2: art.Planar((1, 2, 3)),
            3: art.Spherical(damping=0.3, friction=0.2),
            5: art.Cylindrical((1, 1, 0), armature=0.3, damping=0.2),
        },
    ),
    other_joints(
        12,
        7,
        {
            4: art.Revolute((1, 0, 1), mimic=art.Mimic("l1", -1.5, 0.3), armature=0.2, damping=0.4),
            9: art.Prismatic((1, 0, 1), mimic=art.Mimic("l1", 0.7, -0.1)),
            6: art.Helical((0, 1, 1), pitch=0.2, armature=0.2, friction=0.1),
        },
    ),
]
#: choices beside the usual ones
CHOICES = {
    "axes": ["frame", "spatial"],
    "force_axes": ["world", "spatial"],
    "at": ["center_of_mass"],
    "by_body": [True],
    "spatial": [True],
    "directions": ["xyz"],
    "factorization": ["body_jacobian"],
    "method": ["articulated_body", "composite_body"],
    "frames": [["l8", "l3"]],
}
#: methods that are short whatever the robot, or about its shapes, and have no loop
SHORT = {
    "distances", "distance_to_limits", "integrate", "difference", "configuration_rate", "friction_forces",
    "spring_forces", "actuator_lengths",
}  # fmt: skip


def calls(row, robot, rng):
    """Arguments of a method for states (3, …), and options: the usual ones, and each other choice."""
    usual = {
        "q": robot.random(rng, (3,)),
        **dict(zip(("v", "a", "tau"), rng.normal(size=(3, 3, robot.nv)), strict=True)),
    }
    given = [usual[name] for name in row.arrays] + (["l8"] if "frame" in row.required else [])
    yield given, {}
    for name, values in CHOICES.items():
        for value in values if name in row.arguments else ():
            yield given, {name: value}


@machine_code
@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
@pytest.mark.parametrize("row", [row for row in QUANTITIES.values() if row.name not in SHORT], ids=lambda row: row.name)
def test_a_loop_over_bodies_is_the_textbook(row, robot, rng, monkeypatch):
    """Every method, with every choice: one state and a batch, in both precisions, and a state that is not finite."""
    textbook, looped = (art.build(robot.links, name=name) for name in ("textbook", "looped"))
    textbook.kernels.longest = 0
    for given, options in calls(row, robot, rng):
        expected = parts(getattr(textbook, row.name)(*given, **options))
        monkeypatch.setattr(kernels, "LONG_TRACE", 0)
        monkeypatch.setattr(Kernel, "_machine_code", without(Kernel._machine_code, ""))
        found = parts(getattr(looped, row.name)(*given, **options))
        one = parts(getattr(looped, row.name)(*(x if isinstance(x, str) else x[1] for x in given), **options))
        single = parts(getattr(looped, row.name)(*given, **options, dtype="float32"))
        given[0][2, 0] = np.nan
        spoilt = parts(getattr(looped, row.name)(*given, **options))
        given[0][2, 0] = 0.5
        for x, y, z, f, n in zip(expected, found, one, single, spoilt, strict=True):
            scale = max(abs(x).max(), 1e-300)
            assert x.shape == y.shape and x.shape[1:] == z.shape
            assert abs(y - x).max() < 1e-12 * scale and abs(z - x[1]).max() < 1e-12 * scale
            assert f.dtype == np.float32 and abs(f - x).max() < 1e-3 * scale
            assert np.isnan(n[2]).all() and (n[:2] == y[:2]).all()
        monkeypatch.undo()
    assert not any(kernel._loop for kernel in textbook.kernels.made.values())
    several = robot.nv != len(robot.model.bodies)
    if not (several and row.name == "articulated_bodies"):  # whose joints have one inertia each
        made = looped.kernels.made.items()
        assert all(kernel._loop for request, kernel in made if request.method != "states of rows")


def without(make, name):
    """Programs with this in their names are too long to be compiled."""

    def made(kernel, entry):
        if name in kernel.source.name and kernel.source.name != "states of rows":
            raise TooLong
        return make(kernel, entry)

    return made


def parts(found):
    return list(found) if isinstance(found, tuple) else [np.asarray(found)]


@machine_code
def test_laws_of_a_long_chain(rng):
    """Quantities of a robot too long for straight-line code agree with each other."""
    robot = long_chain(kernels.LONG_TRACE + 10)
    q, v, a = 0.1 * rng.normal(size=(3, robot.nv))
    tip, tau = robot.body_names[-1], robot.inverse_dynamics(q, v, a)
    M, C, J = robot.mass_matrix(q), robot.coriolis_matrix(q, v), robot.jacobian(q, tip)
    agree = {
        "inverse dynamics": (M @ a + robot.bias_forces(q, v), tau),
        "Coriolis forces": (C @ v, robot.coriolis_forces(q, v)),
        "rate of M": (robot.mass_matrix_rate(q, v), C + C.T),
        "energy": (0.5 * v @ M @ v, robot.kinetic_energy(q, v)),
        "velocity": (J @ v, robot.frame_velocity(q, v, tip)),
        "acceleration": (
            J @ a + robot.jacobian_rate(q, v, tip) @ v,
            robot.frame_acceleration(q, v, a, tip),
        ),
        "momentum": (robot.centroidal_map(q) @ v, robot.centroidal_momentum(q, v)),
        "poses": (robot.body_motions(q, v, a).pose[-1], robot.pose(q, tip)),
        "Jacobians": (robot.body_jacobians(q)[-1], robot.jacobian(q, tip, axes="frame")),
        "forces": (robot.force_map(q, [tip]), robot.jacobian(q, tip, axes="frame").T),
        "gravity": (robot.gravity_forces(q), robot.bias_forces(q, 0 * v)),
    }
    wrong = [name for name, (x, y) in agree.items() if abs(x - y).max() > 1e-12 * max(1, abs(y).max())]
    assert not wrong
    # the mass matrix of such a chain has a condition number of about 1e8
    for method in ("fastest", "articulated_body", "composite_body"):
        assert np.allclose(robot.forward_dynamics(q, v, tau, method=method), a, atol=1e-6)


@machine_code
def test_a_long_chain_goes_through_the_loop(rng, monkeypatch):
    """One routine for all robots: the second chain, of another length, compiles nothing."""
    first, second = long_chain(kernels.LONG_TRACE + 5), long_chain(2 * kernels.LONG_TRACE)
    compiled = []
    monkeypatch.setattr(
        engine, "compile_object", lambda text, make=engine.compile_object: compiled.append(text) or make(text)
    )
    for k, robot in enumerate((first, second)):
        q, v, a = 0.1 * rng.normal(size=(3, 4, robot.nv))
        tau = robot.inverse_dynamics(q, v, a)
        back = robot.forward_dynamics(q, v, tau)
        # the mass matrix of such a chain has a condition number of about 1e8
        assert np.allclose(back, a, atol=1e-6)
        assert np.allclose(
            robot.bias_forces(q, v) - robot.gravity_forces(q),
            robot.inverse_dynamics(q, v, 0 * a) - robot.gravity_forces(q),
        )
        one = robot.inverse_dynamics(q[2], v[2], a[2])
        assert np.allclose(one, tau[2], rtol=1e-12, atol=1e-12 * abs(tau).max())
        if k:  # but the call with the addresses of the robot's arrays
            assert all("@articulated_allocate" in text for text in compiled)
        compiled.clear()


@machine_code
@pytest.mark.parametrize("turn", [(0, 0, 0, 1), (0, 1, 0, 1), (0, -1, 0, 1), (1, 0, 0, 0), (1e-9, 1, 1e-9, 1)])
def test_a_free_base_turned_to_where_angles_are_not_unique(turn, rng):
    robot = random_tree(4, 8).floating()
    q, v, a = robot.random(rng), *rng.normal(size=(2, robot.nv))
    q[3:7] = turn
    loop = loop_for(robot.model, inverse_dynamics, ("q", "v", "a"), {}, robot.kernels._row_states)
    found = loop.function()(q[None], v[None], a[None])
    assert np.allclose(found[0], robot.inverse_dynamics(q, v, a), rtol=1e-12, atol=1e-12)


@machine_code
@pytest.mark.parametrize("method", ["inverse_dynamics", "bias_forces", "forward_dynamics"])
@pytest.mark.parametrize("robot", ROBOTS[::2], ids=lambda r: r.name)
def test_forces_at_frames(robot, method, rng, monkeypatch):
    other = art.build(robot.links, name="looped")
    given = [robot.random(rng, (3,)), *rng.normal(size=(2, 3, robot.nv))][: len(QUANTITIES[method].arrays)]
    push = {"l8": rng.normal(size=(3, 6)), "l3": rng.normal(size=6)}
    for forces in (push, art.Wrenches(push, axes="world", on="environment")):
        expected = getattr(robot, method)(*given, forces=forces)
        with monkeypatch.context() as patch:
            patch.setattr(Kernel, "_machine_code", without(Kernel._machine_code, method))
            found = getattr(other, method)(*given, forces=forces)
        assert abs(found - expected).max() < 1e-10 * abs(expected).max()
    assert any(isinstance(kernel._loop, Composition) for kernel in other.kernels.made.values())


@machine_code
@pytest.mark.parametrize("method", ["inverse_dynamics", "bias_forces", "forward_dynamics"])
def test_derivatives_by_a_loop_over_bodies(method, rng, monkeypatch):
    """By all arguments and by each alone, for a batch and for one state."""
    robot, other = (art.build(ROBOTS[0].links, name=name) for name in ("textbook", "looped"))
    arrays = QUANTITIES[method].arrays
    given = [rng.normal(size=(3, robot.nv)) for _ in arrays]
    for wrt in (None, *arrays):
        expected = robot.derivatives(method, wrt=wrt)(*given)
        with monkeypatch.context() as patch:
            patch.setattr(kernels, "LONG_TRACE", 0)
            found = other.derivatives(method, wrt=wrt)(*given)
            one = other.derivatives(method, wrt=wrt)(*(x[1] for x in given))
        for x, y, z in zip(expected, found, one, strict=True):
            assert abs(y - x).max() < 1e-10 * abs(x).max() and abs(z - x[1]).max() < 1e-10 * abs(x).max()
    assert all(kernel._loop for request, kernel in other.kernels.made.items() if "derivatives" in request.method)


@machine_code
@pytest.mark.parametrize(
    "method", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "jacobian", "body_motions", "kinetic_energy"]
)
def test_derivatives_too_long_to_be_compiled_are_a_batch_of_columns(method, rng, monkeypatch):
    robot, other = (random_tree(5, 4, reach=2).floating() for _ in range(2))
    row = QUANTITIES[method]
    given = [robot.random(rng, (3,)), *rng.normal(size=(2, 3, robot.nv))][: len(row.arrays)]
    given += ["l4"] if "frame" in row.required else []
    options = {"forces": {"l4": rng.normal(size=(3, 6))}} if "forces" in row.arguments else {}
    expected = robot.derivatives(method)(*given, **options)
    monkeypatch.setattr(Kernel, "_machine_code", without(Kernel._machine_code, "derivatives"))
    found = other.derivatives(method)(*given, **options)
    assert any(isinstance(kernel._loop, Composition) for kernel in other.kernels.made.values())
    for x, y in zip(expected, found, strict=True):
        assert x.shape == y.shape and abs(y - x).max() < 1e-11 * max(abs(x).max(), 1)


def test_what_a_loop_does_not_serve():
    floating = art.load("quadruped", floating_base=True)
    assert loop_for(floating.model, inverse_dynamics, "qva") is None  # without the states of its rows
    assert loop_for(art.load("2r").model, inverse_dynamics, ["q", "v", "a", "base_velocity"]) is None
    assert loop_for(art.load("2r").model, art.Robot.mass_matrix, ["q"]) is None


@machine_code
def test_a_program_too_long_to_be_compiled_goes_through_the_loop(rng, monkeypatch):
    """However many bodies there are: between straight-line code and loops nothing is interpreted."""
    robot = random_tree(30, 3)
    q, v, tau = robot.random(rng), *rng.normal(size=(2, robot.nv))
    expected = robot.forward_dynamics(q, v, tau)
    other = art.build(robot.links, name="again")

    def too_long(*_):
        raise TooLong

    monkeypatch.setattr(Kernel, "_machine_code", too_long)
    monkeypatch.setattr("articulated.compiler.kernel.interpreted", None)
    monkeypatch.setattr("articulated.compiler.pipeline.numpy_run", None)
    for states in ((), (5,)):
        found = other.forward_dynamics(np.broadcast_to(q, (*states, robot.nq)), v, tau)
        assert np.allclose(found, expected, rtol=1e-10, atol=1e-10 * abs(expected).max())
