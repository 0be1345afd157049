"""Data of a joint has an effect, or is refused where it is given; printed data is that which holds."""

import numpy as np
import pytest

import articulated as art
from articulated.joints import JOINTS, Joint

BODY = art.Inertia(1.0, (0.1, 0, 0), np.eye(3) * 0.01)
DATA = {
    "damping": 2.0, "friction": 1.0, "armature": 0.5, "limits": art.Limits(-0.1, 0.1, 2, 3),
    "mimic": art.Mimic("leader", 3, 1),
}  # fmt: skip


def held(robot):
    """Everything a computation takes from the joints."""
    bodies = [(b.damping, b.friction, b.armature, b.multiplier) for b in robot.model.bodies]
    return repr((bodies, [x.tolist() for x in robot.limits], robot.nv))


def robot_of(joint):
    lead = art.Link("base", None, art.Revolute(name="leader", limits=art.Limits(-9, 9, 9, 9)), inertia=BODY)
    return art.build([lead, art.Link("a", "base", joint, inertia=BODY)])


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("kind", JOINTS)
def test_data_has_an_effect_or_is_refused(kind, name):
    try:
        robot = robot_of(JOINTS[kind](name="j", **{name: DATA[name]}))
    except art.ModelError as refusal:
        assert kind in ("fixed", "spherical", "floating") or name == "mimic"
        assert kind in str(refusal).lower() or "'j'" in str(refusal)
        return
    assert held(robot) != held(robot_of(JOINTS[kind](name="j")))


@pytest.mark.parametrize(("make", "words"), [
    (lambda: art.Fixed(mimic=art.Mimic("no"), damping=2, limits=art.Limits(-1, 1)), "damping and limits and mimic"),
    (lambda: art.Fixed().replace(armature=1), "armature would have no effect"),
    (lambda: art.Spherical(limits=art.Limits(-0.1, 0.1, 2, 3)), "no lower and upper limit"),
    (lambda: art.Floating(limits=art.Limits(upper=1)), "no lower and upper limit"),
])  # fmt: skip
def test_idle_data_is_refused_by_the_constructor(make, words):
    with pytest.raises(art.ModelError, match=words):
        make()


def test_joints_of_ones_own_are_looked_at_when_a_robot_is_built():
    class Weld(Joint):
        def __init__(self):
            self.__dict__.update(name="w", damping=1, friction=0, armature=0, limits=art.Limits(), mimic=None)

    with pytest.raises(art.ModelError, match="'w' is Weld, which does not move: damping"):
        art.build([art.Link("a", None, Weld())])


@pytest.mark.parametrize("kind", [k for k in JOINTS if k not in ("fixed", "universal")])
def test_the_table_has_the_limits_of_the_robot(kind):
    """With units of velocities, which no quaternion has."""
    limits = art.Limits(velocity=2, effort=3) if JOINTS[kind].quaternion else art.Limits(-0.1, 0.25, 2, 3)
    robot = art.build([art.Link("a", None, JOINTS[kind](name="j", limits=limits), inertia=BODY)])
    row = print_of(robot, "j")
    assert ("-0.1" in row) == np.isfinite(robot.limits.lower).all() == ("0.25" in row)
    assert "w/s" not in row and ("2 rad/s" in row or "2 m/s" in row) and ("3 N" in row)


def test_the_table_has_what_followers_leave():
    follower = art.Revolute(name="k", limits=art.Limits(-0.5, 0.5, 3), mimic=art.Mimic("j", 2, 0))
    links = [art.Link("a", None, art.Revolute(name="j", limits=art.Limits(-1, 1, 9)), inertia=BODY),
             art.Link("b", "a", follower, inertia=BODY)]  # fmt: skip
    robot = art.build(links)
    assert robot.limits.upper.tolist() == [0.25] and robot.limits.velocity.tolist() == [1.5]
    assert "-0.25" in print_of(robot, "j") and "1.5 rad/s" in print_of(robot, "j")


def print_of(robot, joint):
    return next(line for line in str(robot).splitlines() if line.startswith(f"{joint} "))


URDF = """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="{}">
<parent link="a"/><child link="b"/>{}</joint></robot>"""


@pytest.mark.parametrize(("kind", "inside", "notes"), [
    ("fixed", '<mimic joint="nope"/><dynamics damping="2"/><limit lower="-1" upper="1" effort="1" velocity="1"/>', 3),
    ("fixed", '<limit lower="0" upper="0.0" effort="0" velocity="0"/><dynamics damping="0"/><axis xyz="0 0 0"/>', 0),
    ("fixed", '<limit lower="abc"/>', 1),
    ("continuous", '<limit lower="-1" upper="1" effort="1" velocity="1"/>', 1),
    ("continuous", '<limit effort="1" velocity="1"/>', 0),
    ("floating", '<limit effort="1" velocity="1"/>', 1),
    ("planar", '<limit lower="-1" upper="1" effort="1" velocity="1"/>', 1),
])  # fmt: skip
def test_what_a_urdf_joint_cannot_have_is_a_note(kind, inside, notes):
    report = art.load(URDF.format(kind, inside)).report
    assert [(d.code, d.severity, d.element) for d in report] == [("URDF034", "note", "joint 'j'")] * notes


@pytest.mark.parametrize("line", ["damping = 1", "limits = [-1, 1]", 'mimic = {joint = "x"}'])
def test_toml_refuses_what_a_weld_cannot_have(line, tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(f'[[link]]\nname = "a"\n{line}\n')
    with pytest.raises(art.ModelError, match=r"a\.toml:1.*does not move"):
        art.load(path)
