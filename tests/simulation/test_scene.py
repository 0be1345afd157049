"""Scenes: robots and free objects in one model, by closed forms and against the parts on their own."""

import pickle
from functools import cache

import numpy as np
import pytest

import articulated as art
from tests.contacts.legged import tripod

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


def test_a_fixed_joint_may_have_the_name_of_the_free_base(tmp_path):
    """As in a1.urdf, whose trunk is welded to its base by the joint "floating_base"."""
    trunk = art.Link("trunk", "base", art.Fixed(name="floating_base"), inertia=art.Inertia(1.0, [0, 0, 0], np.eye(3)))
    robot = art.build([art.Link("base", None), trunk]).floating()
    scene = art.Scene({"dog": robot}, at={"dog": (1, 2, 3)})
    art.save(scene, tmp_path / "scene.toml")
    assert (art.load(tmp_path / "scene.toml").poses["start"] == scene.poses["start"]).all()


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


@pytest.mark.parametrize(
    "ground",
    [
        None,
        art.Ground(0.4, slope=0.1, restitution=0.2),
        art.Ground(0.2, steps=[(1.0, 0.1)], feet={"hopper/foot0": 0.02, "ball": [[0, 0, -0.05]]}),
        art.Ground(heights=np.arange(6.0).reshape(2, 3) / 100, extent=(-9, 9, -9, 9), height=-0.2, rolling=0.01),
    ],
    ids=["none", "slope", "steps", "heights"],
)
def test_a_run_of_a_scene_comes_back_with_its_scene(ground, tmp_path):
    """Its parts, ground and law: it is simulated on to the last bit."""
    parts = {
        "2r": art.load("2r"),
        "hopper": tripod(1),
        "ball": art.Ball(radius=0.05, mass=0.2, at=(0.5, 0, 1.3), color=(1, 0, 0)),
        "wall": art.Box(size=(0.1, 0.2, 0.3), mass=None, at=art.Transform.from_rpy((0.1, 0.2, 0.3), (2, 0, 3))),
    }
    scene = art.Scene(
        {**parts, **({"ground": ground} if ground else {})}, at={"hopper": (0, 2, 0.8), "2r": (-1, 0, 1)}, friction=0.3,
        restitution=0.2, gravity=(0, 0, -3.7), name="mine",
    )  # fmt: skip
    run = art.simulate(scene, duration=0.02, progress=False)
    for ending in ("npz", "csv"):
        run.save(tmp_path / f"run.{ending}")
        back = art.Trajectory.load(tmp_path / f"run.{ending}")
        assert isinstance(back.robot, art.Scene) and repr(back.robot) == repr(scene)
        assert back.robot.contacts.parts[1:] == scene.contacts.parts[1:]
        assert back.robot.index("ball") == scene.index("ball") and back.robot.parts["ball"].shape.color == (1, 0, 0)
        if ground is None:
            assert back.robot.ground is None
        else:
            for name in ("surface", "friction", "restitution", "rolling", "feet", "slow"):
                assert getattr(back.robot.ground, name) == getattr(ground, name), name
        again = art.simulate(back.robot, back.q[0], duration=0.02, progress=False)
        assert np.array_equal(again.q, run.q) and np.array_equal(back.energy.total, run.energy.total)


def test_a_damaged_scene_is_refused(tmp_path):
    run = art.simulate(art.Scene([art.Ball(radius=0.1, mass=1.0, at=(0, 0, 1)), art.Ground()]), duration=0.01)
    run.save(tmp_path / "run.csv")
    text = (tmp_path / "run.csv").read_text()
    for old, new in (('""radius"": 0.1', '""radius"": -1'), ('""Plane""', '""Moon""'), ('""slow""', '""fast""')):
        assert old in text
        (tmp_path / "bad.csv").write_text(text.replace(old, new))
        with pytest.raises(art.ArticulatedError, match="its scene cannot be read"):
            art.Trajectory.load(tmp_path / "bad.csv")


@pytest.mark.parametrize("method", ["euler", "midpoint"])
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("kind", ["ball", "box"])
def test_a_collision_of_free_bodies_keeps_momentum(kind, restitution, method):
    """Linear and angular, to rounding, with friction and off center; balls also have their closed form, head on.

    Angular momentum to the first order by the midpoint rule: its impulses act where bodies are in the middle of a step.
    """
    size = {"radius": 0.1} if kind == "ball" else {"size": (0.2, 0.2, 0.2)}
    solid = art.Ball if kind == "ball" else art.Box
    parts = {"a": solid(**size, mass=10.0, at=(-0.5, 0.03, 0)), "b": solid(**size, mass=1.0, at=(0, 0, 0.02))}
    scene = art.Scene(parts, gravity=(0, 0, 0), friction=0.5, restitution=restitution)
    v = scene.velocity({"a": [5, 0, 0, 0.3, 2, 0]})
    run = art.simulate(scene, scene.poses["start"], v, 0.3, method=method, progress=False)
    off = 1e-11 if method == "euler" else 5e-3  # half of that with half the step
    assert np.linalg.norm(run.v[-1, 6:9]) > 1  # it was hit
    h, c = scene.centroidal_momentum(run.q, run.v), scene.center_of_mass(run.q)
    about = h[:, 3:] + np.cross(c, h[:, :3])
    assert np.allclose(h[:, :3], [50, 0, 0], rtol=0, atol=1e-11) and np.allclose(about, about[0], rtol=0, atol=off)
    if kind == "ball":
        q = scene.configuration({"a": [-0.5, 0, 0, 0, 0, 0, 1], "b": [0, 0, 0, 0, 0, 0, 1]})
        run = art.simulate(scene, q, scene.velocity({"a": [5, 0, 0, 0, 0, 0]}), 0.3, method=method, progress=False)
        mean = 50 / 11  # restitution by energy is Newton's law, head on
        wanted = [mean - restitution * 5 / 11, mean + restitution * 50 / 11]
        assert np.allclose(run.v[-1, [0, 6]], wanted, rtol=1e-6 if restitution else 2e-3)
