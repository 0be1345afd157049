"""`robot.study`: every other route gives the numbers of the usual one, by a program of its own."""

import inspect

import numpy as np
import pytest

import articulated as art
from articulated.algebra.spatial import Transform, symmetric_out
from articulated.compiler import pipeline
from articulated.robot.quantities import STUDY
from articulated.robot.study import Study
from tests.laws.test_dynamics import condition, forces_on
from tests.methods import results
from tests.near import near
from tests.zoo import STRUCTURES, state, with_mimic

everywhere = pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
MATRICES = [name for name in vars(Study) if name.startswith("mass_matrix_by")]
INVERSE = [name for name in vars(Study) if name.startswith("inverse_dynamics")]
COMPUTING = list(STUDY)


def test_the_lectures_routes_are_all_there():
    assert len(MATRICES) == 5 and len(INVERSE) == 2 and len(COMPUTING) == 10


@everywhere
@pytest.mark.parametrize("name", INVERSE)
def test_routes_to_inverse_dynamics(robot, name, rng):
    q, v, a = state(robot, rng, 3)
    forces = forces_on(robot, rng, (3,))
    assert near(getattr(robot.study, name)(q, v, a), robot.inverse_dynamics(q, v, a))
    assert near(getattr(robot.study, name)(q, v, a, forces), robot.inverse_dynamics(q, v, a, forces))


@everywhere
@pytest.mark.parametrize("name", MATRICES)
def test_routes_to_the_mass_matrix(robot, name, rng):
    q = robot.random(rng, 3)
    M = robot.mass_matrix(q)
    # polarisation adds and subtracts energies far larger than small entries
    assert near(getattr(robot.study, name)(q), M, 1e-12, scale=abs(M).max() * robot.nv)


@everywhere
def test_composite_bodies_in_world_coordinates(robot, rng):
    q = robot.random(rng, 2)
    H, inertia, screws = robot.study.composite_bodies_in_world(q)
    assert near(H, robot.mass_matrix(q), 1e-12)
    assert near(inertia, robot.composite_inertias(q)) and near(screws, robot.screws(q))


@everywhere
def test_forward_dynamics_column_by_column(robot, rng):
    q, v, tau = state(robot, rng)
    forces = forces_on(robot, rng)
    found = robot.study.forward_dynamics_by_unit_accelerations(q, v, tau, forces)
    assert near(found, robot.forward_dynamics(q, v, tau, forces), 1e-14 * max(100, condition(robot, q)))


@everywhere
def test_articulated_bodies_in_world_coordinates(robot, rng):
    """IA, pA, p_i, xi, its rate and f are those of the body's axes moved to the world's; mimic joints included."""
    q, v, tau = state(robot, rng)
    forces = forces_on(robot, rng)
    there, here = (
        robot.study.articulated_bodies_in_world(q, v, tau, forces),
        robot.articulated_bodies(q, v, tau, forces),
    )
    limit = 1e-13 * max(100, condition(robot, q))
    assert near(there.a, here.a, limit)
    assert near(np.einsum("bij,bj->bi", there.inertia, there.acceleration) + there.bias, there.wrench, limit)
    twists = robot.body_motions(q, v, here.a).velocity
    for i, b in enumerate(robot.model.bodies):
        X = Transform.from_matrix(robot.pose(q, b.name))
        assert near(there.inertia[i], symmetric_out(X, here.inertia[i]), limit)
        assert near(there.velocity[i], X.motion_out(twists[i]), limit)
        assert near(there.acceleration[i], X.motion_out(here.acceleration[i]), limit)
        size = max(abs(here.wrench).max(), abs(here.bias).max())
        for part in ("bias", "own_bias", "wrench"):
            moved = X.force_out(getattr(here, part)[i])
            assert near(getattr(there, part)[i], moved, limit, scale=size), part


# -- they are programs of their own ---------------------------------------------------------


@pytest.fixture
def asked(rng):
    """A fresh robot of which every route has been asked for, and the kernels made for that."""
    robot = art.load("tree4")
    q, v, tau = state(robot, rng)
    given = {"q": q, "v": v, "a": tau, "tau": tau}
    for name in COMPUTING:
        method = getattr(robot.study, name)
        method(**{x: given[x] for x in inspect.signature(method).parameters if x in given})
    return {request.method: kernel for request, kernel in robot.kernels.made.items()}


def test_routes_are_compiled_as_they_are_written(asked):
    assert set(asked) == {f"study.{name}" for name in COMPUTING}
    for kernel in asked.values():
        assert kernel.source.formulations() == ()


def test_routes_differ_in_their_operations(asked):
    lengths = {name: len(pipeline.program(kernel.source)) for name, kernel in asked.items()}
    for kind in ("inverse_dynamics", "mass_matrix"):
        counted = [n for name, n in lengths.items() if name.startswith(f"study.{kind}")]
        assert len(set(counted)) == len(counted), lengths


@pytest.mark.parametrize("name", COMPUTING)
def test_arrays_lists_and_batches(name, rng):
    robot = with_mimic()
    method, (q, v, a) = getattr(robot.study, name), state(robot, rng, (2, 3))
    given = {"q": q, "v": v, "a": a, "tau": a}
    given = {x: given[x] for x in inspect.signature(method).parameters if x in given}
    whole = results(method(**given))
    for alone in (
        method(**{x: y[1, 2] for x, y in given.items()}),
        method(*(y[1, 2].tolist() for y in given.values())),
    ):
        assert all((part[1, 2] == one).all() for part, one in zip(whole, results(alone), strict=True))
    with pytest.raises(art.ShapeError, match=rf"study\.{name}: q has shape"):
        method(**{**given, "q": np.zeros(17)})
    with pytest.raises(TypeError):
        method(**given, acceleration=1)


def test_a_joint_that_moves_nothing_is_named():
    robot = art.build([art.Link("a", None, art.Revolute())])
    for name in ("articulated_bodies_in_world", "forward_dynamics_by_unit_accelerations"):
        with pytest.raises(art.SingularModelError, match="'a' moves no mass"):
            getattr(robot.study, name)([0.0], [0.0], [0.0])


# -- loops, counted -------------------------------------------------------------------------


def tree(parents):
    links = [art.Link("0"), *(art.Link(str(i), str(p), art.Revolute()) for i, p in enumerate(parents, start=1))]
    return art.build(links)


@pytest.mark.parametrize(
    "parents, entries, depth",
    [(range(10), 55, 10), ([i // 2 for i in range(1, 16)], 49, 4), ([0] * 7, 7, 1), ([], 0, 0)],
    ids=["chain", "binary", "comb", "nothing"],
)
def test_composite_bodies_loop_over_the_sum_of_depths(parents, entries, depth, monkeypatch):
    robot, parents = tree(parents), list(parents)
    assert robot.study.loop_counts() == (len(parents), entries, depth)
    # the textbook's matrix takes each body's force to every joint below it: that often it is moved
    from articulated.algorithms.mass_matrix import mass_matrix

    moved, force_out = [], Transform.force_out
    monkeypatch.setattr(Transform, "force_out", lambda X, F: moved.append(X) or force_out(X, F))
    mass_matrix(robot.model, np.zeros(robot.nq))
    assert len(moved) == entries
