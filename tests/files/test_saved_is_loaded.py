"""Files that `save` writes without a remark have the same dynamics when loaded; all else is remarked on or refused."""

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Box, Mesh, Sphere
from tests.zoo import ZOO, random_tree

from .test_writers import torques

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

ENDINGS = ["toml", "urdf", "xml"]
BODY = art.Inertia(1.0, (0.1, 0.2, 0), np.diag([0.02, 0.03, 0.04]))
FULL = art.Limits(-1, 1)
SMALL, LARGE, TOO_LARGE = 1e-300, 1e20, 1e120


def hinge(**data):
    return art.Revolute((0, 1, 0), **{"name": "j", "limits": FULL, **data})


def lone(inertia=BODY, joint=None, name="a", **parts):
    return [art.Link(name, None, joint or hinge(), inertia=inertia, **parts)]


#: robots that `build` takes, each odd in one way
ODD = {
    **{f"mass {m:g}": lone(art.Inertia(m, (0.1, 0, 0), BODY.about_com)) for m in (0, SMALL, LARGE, TOO_LARGE)},
    "mass -1": lone(art.Inertia.from_moments(-1.0, (-0.1, 0, 0), BODY.second)),
    "no inertia at all": lone(art.Inertia()),
    "a center of no mass": lone(art.Inertia(0.0, (0.5, 0, 0))),
    "negative moments": lone(art.Inertia(1.0, (0.1, 0, 0), -np.eye(3))),
    "broken triangle": lone(art.Inertia(1.0, (0.1, 0, 0), np.diag([1, 1, 9]))),
    "not symmetric": lone(art.Inertia(1.0, (0.1, 0, 0), np.eye(3) + np.diag([0.5, 0], 1))),
    **{f"limits {x}": lone(joint=hinge(limits=art.Limits(*x))) for x in (
        (0, 0), (0.5, 0.5), (-1, 1, 0, 0), (0, 0, 0, 0), (-1, np.inf), (-np.inf, 0), (-1, 1, SMALL, SMALL),
        (-SMALL, SMALL), (-1e9, 1), (-2e9, 2e9), (-TOO_LARGE, TOO_LARGE), (-1, 1, TOO_LARGE, TOO_LARGE), (-1, 1, 2, 3),
    )},
    **{f"slide {x}": lone(joint=art.Prismatic(name="j", limits=art.Limits(*x))) for x in ((0, 0), (2, 2, 1, 0), ())},
    **{f"{what} {x:g}": lone(joint=hinge(**{what: x})) for what in ("damping", "friction", "armature")
       for x in (SMALL, LARGE, TOO_LARGE)},
    **{f"name {name!a}": lone(name=name) for name in (
        " ", "a\0", "\ud800", "a/b", "a\nb\r\t ", "\x85\u2028", "world", "\x7f",
    )},
    "a very long name": lone(name="a" * 100_000),
    "a blank joint name": lone(joint=hinge(name=" ")),
    "far away": lone(placement=art.Transform(p=(TOO_LARGE, 0, 0))),
    "nothing moves": [art.Link("a", inertia=BODY)],
    "only a world": [art.Link("world")],
    "a still follower": [*lone(), art.Link("b", "a", hinge(name="k", mimic=art.Mimic("j", 0, 1)), inertia=BODY)],
    "names crossed": [*lone(joint=hinge(name="b")), art.Link("b", "a", hinge(name="a"), inertia=BODY)],
    "a frame called as the joint": lone(frames=[("j", art.Transform())]),
    **{f"{type(joint).__name__}": lone(joint=joint) for joint in (
        art.Planar(name="j"), art.Spherical(name="j"), art.Floating(name="j"), art.Universal(name="j"),
        art.Helical((0, 0, 1), 0.1, name="j"), art.Cylindrical(name="j"), art.Continuous(name="j"),
    )},
    **{f"shape {i}": lone(shapes=[shape]) for i, shape in enumerate((
        Box((-1, 1, 1)), Sphere(np.nan), Sphere(1e200), Sphere(0.0), Mesh(""), Mesh("\0"),
        Sphere(1.0, color=(7, -1, 2)),
    ))},
}  # fmt: skip
ROBOTS = {
    **{name: lambda links=links: art.build(links) for name, links in ODD.items()},
    **{robot.name: lambda robot=robot: robot for robot in ZOO},
    **{f"random {seed}": lambda seed=seed: random_tree(seed, 7, ["revolute", "prismatic", "fixed"], friction=True)
       for seed in range(6)},
}  # fmt: skip


def numbers(robot):
    """Numbers that a computation gets from the robot."""
    rng = np.random.default_rng(3)
    v, a = rng.uniform(-1, 1, (2, robot.nv))
    q = robot.model.bodies and robot.random(rng)
    with np.errstate(all="ignore"):
        tau = torques(robot.frictionless().model, q, v, a) if robot.nv else np.zeros(0)
    return {"tau": tau, **{name: np.array(x) for name, x in robot.limits._asdict().items()}}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ROBOTS)
def test_what_is_saved_without_a_word_loads_as_it_was(name, ending, tmp_path):
    robot, path = ROBOTS[name](), tmp_path / f"robot.{ending}"
    try:
        lost = art.save(robot, path)
    except art.ModelError as refusal:
        assert len(str(refusal)) > 20 and not path.exists()
        return
    if any(loss.startswith("art.load will refuse the file") for loss in lost):
        return
    again = art.load(path)
    if lost:
        return
    assert again.joint_names == robot.joint_names and set(robot.frame_names) <= set(again.frame_names)
    assert sum(len(k.shapes) for k in again.links) == sum(len(k.shapes) for k in robot.links)
    after = numbers(again)
    for what, before in numbers(robot).items():
        scale = max(1.0, abs(before).max(initial=0.0)) if what == "tau" else 0.0
        np.testing.assert_allclose(after[what], before, rtol=0, atol=1e-12 * scale, err_msg=what)


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_limit_comes_back_or_is_lost_by_name(ending, tmp_path):
    """Each limit of a hinge that differs after a round has a sentence about the joint."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        lower, upper = np.sort(rng.choice([-np.inf, -2e9, -1, 0, 0, SMALL, 1, 2e9, np.inf], 2)).tolist()
        if lower == np.inf or upper == -np.inf:
            continue
        limits = art.Limits(lower, upper, *rng.choice([0, SMALL, 1, np.inf], 2).tolist())
        robot = art.build(lone(joint=hinge(limits=limits)))
        lost = art.save(robot, tmp_path / f"a.{ending}")
        again = art.load(tmp_path / f"a.{ending}")
        same = all(np.array_equal(x, y) for x, y in zip(again.limits, robot.limits, strict=True))
        assert same or any(loss.startswith("joint 'j': ") for loss in lost), limits


@pytest.mark.parametrize("ending", ["toml", "urdf"])
def test_a_negative_mass_is_refused_by_name(ending, tmp_path):
    robot = art.build(ODD["mass -1"])
    with pytest.raises(art.ModelError, match=rf"cannot be saved as .{ending}, .*link 'a'.*negative"):
        art.save(robot, tmp_path / f"n.{ending}")
    assert list(tmp_path.iterdir()) == []


def test_a_run_of_a_robot_that_no_file_holds_is_kept(tmp_path):
    heavy = art.Link("b", "a", inertia=art.Inertia.from_moments(-0.1, (0, 0, 0), np.eye(3) * 1e-3))
    robot = art.build([*lone(), heavy])
    run = art.simulate(robot, [0.1], [0.0], duration=0.01, dt=0.005)
    run.save(tmp_path / "run.npz")
    np.testing.assert_array_equal(art.Trajectory.load(tmp_path / "run.npz", robot).q, run.q)


def test_parts_without_a_name_are_refused():
    for link in (art.Link(""), art.Link("a", frames=[("", art.Transform())])):
        with pytest.raises(art.ModelError, match="addressed by their names"):
            art.build([link])
