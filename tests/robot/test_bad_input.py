"""Wrong sizes, NaN, unknown names, odd types: a clear error, or the obviously right result."""

import numpy as np
import pytest

import articulated as art
from tests.near import near
from tests.zoo import state

robot = art.load("ur5")
free = art.load("quadruped").floating()
q0, v0 = robot.neutral(), np.zeros(robot.nv)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: robot.mass_matrix([0, 0, 0]), ["mass_matrix", "q", "(3,)", "(…, 6)", "shoulder_pan_joint"]),
        (lambda: robot.mass_matrix(0.0), ["q", "()"]),
        (lambda: robot.mass_matrix(np.zeros((6, 100))), ["(6, 100)", "transpose"]),
        (lambda: robot.inverse_dynamics(q0, v0, np.zeros(5)), ["inverse_dynamics", "a", "(5,)", "6"]),
        (lambda: robot.inverse_dynamics(np.zeros((3, 6)), np.zeros((4, 6)), v0), ["broadcast", "(3, 6)", "(4, 6)"]),
        (lambda: robot.inverse_dynamics(q0, v0, v0, {"tool0": [0, 0, 0]}), ["(3,)", "6"]),
        (lambda: robot.mass_matrix(["a"] * 6), ["q", "numbers"]),
        (lambda: robot.mass_matrix(np.zeros(6, complex)), ["q", "complex"]),
        (lambda: robot.mass_matrix([[0, 0], [0]]), ["q"]),
        (lambda: robot.mass_matrix(None), ["q"]),
        (lambda: robot.mass_matrix(q0, out=np.zeros((5, 5))), ["out", "(5, 5)", "(6, 6)"]),
    ],
)
def test_wrong_shapes_say_which_argument_and_both_shapes(call, words):
    with pytest.raises(art.ShapeError) as error:
        call()
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: robot.pose(q0, "tool"), ["tool", "did you mean 'tool0'", "It has:"]),
        (lambda: robot.jacobian(q0, "tool0", axes="wrld"), ["wrld", "did you mean 'world'"]),
        (lambda: robot.inverse_dynamics(q0, v0, v0, {"hand": np.zeros(6)}), ["hand", "it has:"]),
        (lambda: robot.forward_dynamics(q0, v0, v0, method="aba"), ["aba", "articulated_body"]),
        (lambda: robot.coriolis_matrix(q0, v0, factorization="skew"), ["skew", "christoffel"]),
        (lambda: robot.permutation("pinochio"), ["pinochio", "did you mean 'pinocchio'"]),
        (lambda: art.load("pandas"), ["pandas", "did you mean 'panda'"]),
        (lambda: robot.pose(q0, 3), ["3", "; it has:"]),
    ],
)
def test_unknown_names_get_the_closest_one(call, words):
    with pytest.raises(art.UnknownName) as error:
        call()
    assert all(word in str(error.value) for word in words), str(error.value)
    assert isinstance(error.value, KeyError) and isinstance(error.value, art.ArticulatedError)


def test_missing_file_is_file_not_found():
    with pytest.raises(FileNotFoundError):
        art.load("no/such/robot.urdf")


def test_lists_integers_and_other_floats_are_fine():
    expected = robot.mass_matrix(np.array([1.0, 0, 1, 0, 1, 0]))
    for q in (
        [1, 0, 1, 0, 1, 0],
        (1, 0, 1, 0, 1, 0),
        np.array([1, 0, 1, 0, 1, 0]),
        np.array([1, 0] * 3, np.float32),
        [True, False] * 3,
    ):
        assert near(robot.mass_matrix(q), expected, 0)


def test_any_leading_shape_and_broadcasting(rng):
    q, v, a = state(robot, rng, (2, 1, 3))
    tau = robot.inverse_dynamics(q, v[:, :, :1], a[0, 0])
    assert tau.shape == (2, 1, 3, 6)
    assert near(tau[1, 0, 2], robot.inverse_dynamics(q[1, 0, 2], v[1, 0, 0], a[0, 0, 2]), 1e-15)
    assert robot.kinetic_energy(q, v).shape == (2, 1, 3)
    assert np.ndim(robot.kinetic_energy(q[0, 0, 0], v[0, 0, 0])) == 0


@pytest.mark.parametrize("shape", [(0,), (0, 4), (3, 0)])
def test_empty_batches_give_empty_results(shape):
    q = np.zeros((*shape, 6))
    assert robot.mass_matrix(q).shape == (*shape, 6, 6)
    assert robot.inverse_dynamics(q, q, q).shape == (*shape, 6)


def test_nan_spoils_its_own_row_entirely_and_no_other(rng):
    q, v, a = state(robot, rng, 70)
    clean = robot.inverse_dynamics(q, v, a), robot.mass_matrix(q)
    q[5, 0] = np.nan  # the mass matrix does not even depend on the first joint
    v[7, 3] = np.inf
    tau, M = robot.inverse_dynamics(q, v, a), robot.mass_matrix(q)
    assert np.isnan(tau[[5, 7]]).all() and np.isnan(M[5]).all()
    keep = np.delete(np.arange(70), [5, 7])
    assert (tau[keep] == clean[0][keep]).all() and (M[keep] == clean[1][keep]).all()
    assert np.isnan(robot.mass_matrix(q[5])).all()
    assert np.isnan(robot.articulated_bodies(q[5], v[5], a[5]).a).all()


def test_quaternions_of_any_length_are_rotations(rng):
    q, v, a = state(free, rng)
    longer = q.copy()
    longer[3:7] *= 3.7
    assert near(free.inverse_dynamics(longer, v, a), free.inverse_dynamics(q, v, a))
    assert near(free.pose(longer, "FL_FOOT"), free.pose(q, "FL_FOOT"))
    assert np.isclose(np.linalg.norm(free.integrate(longer, v)[3:7]), 1)


def test_inputs_are_never_written_to(rng):
    """Machine code does not ask for permission: the numbers are looked at."""
    given = state(robot, rng, 5)
    kept = [x.copy() for x in given]
    tau, M = robot.inverse_dynamics(*kept), robot.mass_matrix(kept[0])
    for x in given:
        x.flags.writeable = False
    q, v, a = given
    columns = np.asfortranarray(q)
    for _ in range(2):
        assert (robot.inverse_dynamics(q, v, a) == tau).all()
        assert (robot.inverse_dynamics(q[3], v[3], a[3]) == tau[3]).all()
        assert (robot.mass_matrix(q[::2]) == M[::2]).all() and (robot.mass_matrix(columns) == M).all()
        assert all((x == y).all() for x, y in zip((*given, columns), (*kept, kept[0]), strict=True))
        with pytest.raises(art.ArticulatedError, match="read-only"):
            robot.inverse_dynamics(q, v, a, out=a)
    assert not any(x.flags.writeable for x in given)


def test_a_robot_without_moving_joints_has_empty_dynamics():
    still = art.build([art.Link("stone", inertia=art.Inertia(5.0))])
    assert still.nq == still.nv == 0 and still.mass_matrix([]).shape == (0, 0)
    assert still.inverse_dynamics([], [], []).shape == (0,)
    assert still.articulated_bodies([], [], []).inertia.shape == (0, 6, 6)
    assert near(still.pose([], "stone"), np.eye(4))
    with pytest.raises(art.SingularModelError, match="center of mass"):
        still.center_of_mass([])


def test_random_states_respect_limits(rng):
    q = robot.random(rng, 100)
    assert q.shape == (100, 6)
    narrow = art.build(
        [art.Link("a", None, art.Revolute(limits=art.Limits(1.0, 1.1)), inertia=art.Inertia(1.0, (1, 0, 0)))]
    )
    assert ((narrow.random(rng, 50) >= 1.0) & (narrow.random(rng, 50) <= 1.1)).all()
    far = art.build(
        [art.Link("a", None, art.Revolute(limits=art.Limits(7.0, 9.0)), inertia=art.Inertia(1.0, (1, 0, 0)))]
    )
    assert ((far.random(rng, 50) >= 7.0) & (far.random(rng, 50) <= 9.0)).all()
    assert (robot.random(3) == robot.random(3)).all()
