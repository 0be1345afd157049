"""Scenes: robots and free objects in one model, by closed forms and against the parts on their own."""

import pickle
from functools import cache

import numpy as np
import pytest

import articulated as art

G = 9.81


@cache
def arm_and_ball() -> art.Scene:
    parts = {"left": art.load("2r"), "right": art.load("2r"), "ball": art.Ball(radius=0.1, mass=0.5, at=(3, 0, 1))}
    return art.Scene(parts, at={"right": art.Transform.from_rpy((0.1, 0.2, 0.3), (0, 1, 0))})


def test_parts_are_named_after_what_they_are():
    balls = [art.Ball(radius=0.1, mass=1.0, at=(k, 0, 1)) for k in range(3)]
    scene = art.Scene([art.load("2r"), *balls, art.Box(size=(1, 1, 1), mass=2.0), art.Ground()])
    assert list(scene.parts) == ["2r", "ball1", "ball2", "ball3", "box"]
    assert scene.index("ball2") == (slice(9, 16), slice(8, 14)) and scene.index("2r/joint2").q == slice(1, 2)
    q = scene.configuration({"ball2": [0, 0, 5, 0, 0, 0, 1], "2r": [[0.1, 0.2], [0.3, 0.4]]})
    assert q.shape == (2, 30) and (q[:, 11] == 5).all() and (q[:, :2] == [[0.1, 0.2], [0.3, 0.4]]).all()
    assert (q[0, scene.index("ball3").q] == [2, 0, 1, 0, 0, 0, 1]).all()


def test_what_a_scene_has_is_the_sum_of_its_parts():
    """M is block diagonal, energies add, and momentum is that of all of them."""
    scene, rng = arm_and_ball(), np.random.default_rng(0)
    q, v = scene.random(rng), rng.normal(size=scene.nv)
    arm, right = art.load("2r"), scene.parts["right"]
    M = scene.mass_matrix(q)
    for name in ("left", "right"):
        own = scene.index(name)
        assert np.allclose(M[own.v, own.v], arm.mass_matrix(q[own.q]), atol=1e-14)
        M[own.v, own.v] = 0
    ball = scene.index("ball").v
    assert np.allclose(M[ball, ball], np.diag([0.5] * 3 + [0.002] * 3))
    M[ball, ball] = 0
    assert not M.any()
    parts = [arm.kinetic_energy(q[x.q], v[x.v]) for x in map(scene.index, ("left", "right"))]
    energy = sum(parts) + (0.25 * v[ball][:3] @ v[ball][:3] + 0.001 * v[ball][3:] @ v[ball][3:])
    assert np.isclose(scene.kinetic_energy(q, v), energy, rtol=1e-14)
    assert np.isclose(scene.mass, 2 * right.mass + 0.5)


def test_fixed_robots_stand_where_they_are_put_and_floating_ones_begin_there():
    scene, at = arm_and_ball(), art.Transform.from_rpy((0.1, 0.2, 0.3), (0, 1, 0))
    q = scene.configuration({"right": [0.3, 0.4]})
    wanted = at.matrix() @ art.load("2r").pose([0.3, 0.4], "tip")
    assert np.allclose(scene.pose(q, "right/tip"), wanted, atol=1e-15)
    dog = art.load("quadruped", floating_base=True)
    free = art.Scene([dog], at={"quadruped": at})
    wanted = at.matrix() @ dog.pose(dog.poses["home"], "FL_FOOT")
    assert np.allclose(free.pose(free.poses["start"], "quadruped/FL_FOOT"), wanted, atol=1e-15)


def test_balls_exchange_their_velocities():
    """A central collision of equal balls, e = 1, without gravity: the second leaves with the velocity of the first."""
    balls = [art.Ball(radius=0.1, mass=1.0, at=(x, 0, 0)) for x in (0, 0.5)]
    scene = art.Scene(balls, restitution=1.0, friction=0.0, gravity=(0, 0, 0))
    run = art.simulate(scene, v0=scene.velocity({"ball1": [2, 0, 0, 0, 0, 0]}), duration=0.3)
    assert np.allclose(run.v[-1, [0, 6]], [0, 2], atol=1e-12)
    momentum = scene.centroidal_momentum(run.q, run.v)
    assert np.ptp(momentum[:, :3], axis=0).max() < 1e-12


def test_a_ball_falls_on_a_ball_and_both_on_the_ground():
    scene = art.Scene([*(art.Ball(radius=0.1, mass=1.0, at=(0, 0, z)) for z in (0.1, 0.4)), art.Ground()])
    run = art.simulate(scene, duration=0.6)
    assert run.contact.names == ("ball1", "ball2", "ball1~ball2")
    assert np.allclose(run.q[-1, [2, 9]], [0.1, 0.3], atol=1e-6)
    assert np.allclose(run.contact.normal[-1], [2 * G, 0, G], rtol=1e-6)
    assert run.contact.residual.max() <= 1e-6


def test_objects_without_a_mass_stay_where_they_are():
    """A ball rests on a shelf, which is no part of the state."""
    shelf = art.Box(size=(1, 1, 0.1), mass=None, at=(0, 0, 0.5))
    scene = art.Scene([shelf, art.Ball(radius=0.1, mass=1.0, at=(0, 0, 0.7)), art.Ground()])
    run = art.simulate(scene, duration=0.3)
    assert scene.nv == 6 and np.isclose(run.q[-1, 2], 0.65, atol=1e-6)
    with pytest.raises(art.ModelError, match="needs a robot with a joint"):
        art.Scene([shelf])


def test_friction_between_parts_is_that_of_the_scene():
    scene = art.Scene(
        [art.Ball(radius=0.1, mass=1.0, at=(x, 0, 0.1)) for x in (0, 1)] + [art.Ground(0.3)], friction=0.6
    )
    run = art.simulate(scene, duration=0.01)
    assert run.contact.frictions.tolist() == [0.3, 0.3, 0.6]


def test_a_saved_scene_is_the_same_robot_again(tmp_path):
    scene = arm_and_ball()
    assert art.save(scene, tmp_path / "scene.toml") == art.Scene.beside_model
    again, copy = art.load(tmp_path / "scene.toml"), pickle.loads(pickle.dumps(scene))
    q = scene.poses["start"]
    assert (again.poses["start"] == q).all() and (copy.poses["start"] == q).all()
    assert np.allclose(again.mass_matrix(q), scene.mass_matrix(q), atol=1e-15)
    assert list(copy.parts) == list(scene.parts)


BALL = art.Ball(radius=0.1, mass=1.0)
REFUSED = {
    "no body": (lambda: art.Scene([]), "needs a robot with a joint that moves, an art.Box or an art.Ball"),
    "only ground": (lambda: art.Scene([art.Ground()]), "needs a robot with a joint"),
    "two grounds": (lambda: art.Scene([BALL, art.Ground(), art.Ground()]), "one ground at most; got 2"),
    "a number": (lambda: art.Scene([3]), "holds robots, art.Box, art.Ball and art.Ground; got 3"),
    "not a list": (lambda: art.Scene(BALL), "is a list of robots"),
    "names twice": (
        lambda: art.Scene([BALL, BALL, art.load("2r").replace(name="ball2")]), "two parts are called 'ball2'"
    ),
    "a slash": (lambda: art.Scene({"a/b": BALL}), "a text without '/'"),
    "at nobody": (lambda: art.Scene([BALL], at={"bal": (0, 0, 0)}), "did you mean 'ball'"),
    "at nowhere": (lambda: art.Ball(radius=0.1, mass=1.0, at=(0, 0, np.nan)), r"Ball: at is \(x, y, z\)"),
    "no radius": (lambda: art.Ball(radius=0.0, mass=1.0), "radius is a length above zero"),
    "no height": (lambda: art.Box(size=(1, 1, 0), mass=1.0), "size is three lengths above zero"),
    "no mass": (lambda: art.Box(size=(1, 1, 1), mass=0), "mass is a mass above zero"),
    "friction": (lambda: art.Scene([BALL], friction=-1), "Scene: friction is Coulomb's coefficient"),
    "inside each other": (
        lambda: art.simulate(art.Scene([BALL, art.Ball(radius=0.1, mass=1.0, at=(0.15, 0, 0))])),
        r"'ball1' and 'ball2' begin 0\.05 m inside each other; move them",
    ),
    "below the ground": (
        lambda: art.simulate(art.Scene([BALL, art.Ground()])), r"'ball' begins 0\.1 m below the ground"
    ),
    "another ground": (
        lambda: art.simulate(art.Scene([BALL]), contacts=art.Ground()), "the ground is a part of the scene"
    ),
}  # fmt: skip


@pytest.mark.parametrize("make, text", REFUSED.values(), ids=REFUSED)
def test_refused_in_words(make, text):
    with pytest.raises(art.ArticulatedError, match=text):
        make()
