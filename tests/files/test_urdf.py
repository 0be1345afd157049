"""The URDF reader: sound files become the robot they describe, unsound ones are refused with a place."""

import pickle

import numpy as np
import pytest

from articulated.files.description import FileError
from articulated.files.urdf.reader import read_urdf
from articulated.files.urdf.rules import RULES
from articulated.joints import Fixed, Floating, Planar, Spherical
from articulated.model import build
from articulated.model.shapes import Box, Capsule, Cylinder, Mesh, Sphere
from tests.counting import calls

from .bad_urdf import ENDS, LIMIT, PAIR, REFUSED, REPORTED, ROOT, drawn, follower, inertial, moved, robot
from .corpus import CORPUS, label, needs_corpus
from .poses import poses

UNREADABLE = {"alex_description/alex_psyonic_hands": "URDF050", "ur_description/ur3": "URDF019"}
SOUND = [path for path in CORPUS if label(path) not in UNREADABLE]


def load(path):
    description = read_urdf(path.read_bytes(), path.name)
    return build(description.links, name=description.name, report=description.report)


@needs_corpus
def test_the_corpus_is_there():
    assert len(CORPUS) >= 60


@pytest.mark.parametrize("path", [p for p in CORPUS if label(p) in UNREADABLE], ids=label)
def test_unreadable_files_say_why(path):
    with pytest.raises(FileError) as caught:
        load(path)
    assert {d.code for d in caught.value.diagnostics} == {UNREADABLE[label(path)]}
    assert all(d.line and d.why and d.fix for d in caught.value.diagnostics)


@pytest.mark.parametrize("path", SOUND, ids=label)
def test_poses_and_masses_are_pinocchios(path):
    pin = pytest.importorskip("pinocchio")
    model = load(path)
    reference = pin.buildModelFromUrdf(str(path), mimic=False)
    data = reference.createData()
    q = np.random.default_rng(0).uniform(-1, 1, model.unmimicked.nq)
    q_pin = pin.neutral(reference)
    for body in model.unmimicked.bodies:
        joint = reference.joints[reference.getJointId(body.joint.name)]
        value = q[body.coords]
        if joint.nq == 2 and len(value) == 1:  # pinocchio keeps cosine and sine
            value = [np.cos(value[0]), np.sin(value[0])]
        assert joint.nq == len(value)
        q_pin[joint.idx_q : joint.idx_q + joint.nq] = value
    pin.framesForwardKinematics(reference, data, q_pin)
    ours = poses(model.unmimicked, q)
    for link in model.links:
        theirs = data.oMf[reference.getFrameId(link.name, pin.BODY)].homogeneous
        np.testing.assert_allclose(ours[link.name], theirs, atol=1e-12)
    total = sum(body.inertia.mass for body in model.bodies)
    np.testing.assert_allclose(total, sum(i.mass for i in list(reference.inertias)[1:]), rtol=1e-12)


@pytest.mark.parametrize("path", SOUND, ids=label)
def test_mimic_joints_move_as_the_file_says(path):
    model = load(path)
    q = np.random.default_rng(1).uniform(-1, 1, model.nq)
    value = {b.joint.name: q[b.coords] for b in model.bodies if b.joint.mimic is None}
    followers = [b.joint for b in model.bodies if b.joint.mimic]
    while followers:  # leaders first
        follower = followers.pop(0)
        if follower.mimic.joint in value:
            value[follower.name] = value[follower.mimic.joint] * follower.mimic.multiplier + follower.mimic.offset
        else:
            followers.append(follower)
    free = np.concatenate([np.zeros(0), *(value[b.joint.name] for b in model.unmimicked.bodies)])
    expected = poses(model.unmimicked, free)
    for name, pose in poses(model, q).items():
        np.testing.assert_allclose(pose, expected[name], atol=1e-12)


@pytest.mark.parametrize(("what", "text", "code", "line"), REFUSED, ids=[case[0] for case in REFUSED])
def test_wrong_files_are_refused(what, text, code, line):
    with pytest.raises(FileError) as caught:
        read_urdf(text, "r.urdf")
    first = caught.value.diagnostics[0]
    assert (first.code, first.line) == (code, line), str(caught.value)
    assert first.severity == "error" and first.why and first.fix
    assert str(caught.value).startswith(f"r.urdf:{line}:" if line else "r.urdf:")


@pytest.mark.parametrize(("what", "text", "code", "line"), REPORTED, ids=[case[0] for case in REPORTED])
def test_doubtful_files_are_reported(what, text, code, line):
    description = read_urdf(text, "r.urdf")
    assert [(d.code, d.line) for d in description.report] == [(code, line)]
    assert description.report[0].severity in ("warning", "note")
    build(description.links, report=description.report)


def test_every_rule_is_exercised():
    elsewhere = {"URDF038", "URDF039"}  # test_xacro
    assert {case[2] for case in REFUSED + REPORTED} | elsewhere == set(RULES)


def test_several_errors_come_together():
    text = robot('<link name="a"><inertial><mass value="x"/></inertial></link>', ROOT, '<joint name="j" type="odd"/>')
    with pytest.raises(FileError) as caught:
        read_urdf(text)
    assert len(caught.value.diagnostics) >= 4
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.diagnostics == caught.value.diagnostics


def test_a_clean_file_has_an_empty_report():
    d = read_urdf(robot(PAIR, f'<joint name="j" type="revolute">{ENDS}{LIMIT}</joint>', "<gazebo/><transmission/>"))
    assert d.report == () and d.name == "r" and d.gravity is None
    assert [k.name for k in d.links] == ["a", "b"]
    assert d.links[1].joint.name == "j" and d.links[1].joint.axis.tolist() == [1, 0, 0]


def test_a_defective_link_is_reported_once():
    d = read_urdf(inertial('<mass value="1"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/>'))
    assert len(build(d.links, report=d.report).report) == 1


def test_old_declarations_boms_and_encodings_are_read():
    text = robot('<link name="Gelenk-ä"/>')
    for data in (
        '<?xml version="0.0"?>' + text,
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        f'<?xml version="1.0" encoding="ISO-8859-1"?>{text}'.encode("latin-1"),
        f'<?xml version="1.0" encoding="ISO-8859-1"?>{text}',
    ):
        assert read_urdf(data).links[0].name == "Gelenk-ä"


def test_same_name_for_link_and_joint():
    d = read_urdf(robot(PAIR, f'<joint name="b" type="revolute">{ENDS}{LIMIT}</joint>'))
    assert build(d.links).joint_names == ("b",)


@pytest.mark.parametrize(
    ("kind", "joint", "nv"),
    [("floating", Floating, 6), ("planar", Planar, 3), ("spherical", Spherical, 3), ("fixed", Fixed, 0)],
)
def test_joints_without_limits(kind, joint, nv):
    d = read_urdf(moved("", kind, limit=""))
    assert d.report == () and isinstance(d.links[1].joint, joint) and build(d.links).nv == nv


def test_version_1_1_and_1_2():
    quaternion = moved('<origin quat_xyzw="0 0 0.6 0.8" xyz="1 2 3"/>', "fixed", limit="")
    R = np.array(read_urdf(quaternion).links[1].placement.R, float)
    np.testing.assert_allclose(R, [[0.28, -0.96, 0], [0.96, 0.28, 0], [0, 0, 1]], atol=1e-15)
    free = moved("", limit="").replace('name="r"', 'name="r" version="1.2"')
    assert read_urdf(free).report == ()


def test_shapes():
    solids = '<box size="1 2 3"/>', '<sphere radius="1"/>', '<cylinder radius="1" length="2"/>'
    more = '<capsule radius="1" length="2"/>', '<mesh filename="package://x/../../secret" scale="1 1 2"/>'
    kinds = Box, Sphere, Cylinder, Capsule, Mesh
    for text, kind in zip(solids + more, kinds, strict=True):
        (shape,) = read_urdf(drawn(text)).links[0].shapes
        assert type(shape) is kind
    assert shape.address == "package://x/../../secret" and shape.scale == (1, 1, 2)


def test_colors_by_name():
    own = '<material name="red"><color rgba="1 0 0 1"/></material>'
    visual = '<visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>'
    assert read_urdf(robot(own, f'<link name="a">{visual}</link>')).links[0].shapes[0].color == (1, 0, 0)


def test_rotated_inertial_frame():
    text = '<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
    d = read_urdf(inertial(text + '<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>'))
    about_com = np.array(d.links[0].inertia.about_com, float)
    np.testing.assert_allclose(about_com, np.diag([2, 1, 2.5]), atol=1e-15)


def test_a_follower_of_a_fixed_joint_stays_at_its_offset():
    d = read_urdf(follower('<mimic joint="j" multiplier="3" offset="0.5"/>', "fixed"))
    model = build(d.links)
    assert model.nv == 0
    np.testing.assert_allclose(poses(model, [])["c"][1, 2], -np.sin(0.5))


def test_friction_limits_and_mimic_arrive():
    text = '<dynamics damping="0.1" friction="0.2"/><mimic joint="j" multiplier="-2" offset="0.5"/>'
    joint = read_urdf(follower(text)).links[2].joint
    assert (joint.damping, joint.friction) == (0.1, 0.2)
    assert joint.mimic == ("j", -2, 0.5) and joint.limits == (-1, 1, 1, 1)


def test_links_come_in_the_order_of_the_joints():
    names = ["z", "m", "a"]
    links = "".join(f'<link name="{n}"/>' for n in ["a", "m", "r", "z"])
    joints = "".join(f'<joint name="{n}" type="fixed"><parent link="r"/><child link="{n}"/></joint>' for n in names)
    assert [k.name for k in read_urdf(robot(links, joints)).links] == ["r", *names]


def test_limits_can_be_raised():
    with pytest.raises(FileError, match="max_links=1"):
        read_urdf(robot(PAIR), max_links=1)
    with pytest.raises(FileError, match="max_bytes=9"):
        read_urdf(robot(ROOT), max_bytes=9)


def chain(n):
    links = "".join(f'<link name="l{i}"/>' for i in range(n + 1))
    row = '<joint name="j{0}" type="continuous"><parent link="l{0}"/><child link="l{1}"/></joint>'
    return links, "".join(row.format(i, i + 1) for i in range(n))


def test_a_long_chain_is_read_without_recursion():
    n = 3_000  # thrice the depth of Python's stack
    links, joints = chain(n)
    assert len(read_urdf(robot(links, joints)).links) == n + 1
    back = f'<joint name="back" type="fixed"><parent link="l{n}"/><child link="l0"/></joint>'
    with pytest.raises(FileError, match="closed loop"):
        read_urdf(robot(links, joints, back))


def test_the_work_grows_with_the_length_of_the_file():
    short, long = (calls(lambda n=n: read_urdf(robot(*chain(n)))) for n in (400, 800))
    assert long < 2.1 * short
