"""TOML robots: both formats, and every mistake with its table, key and line."""

import numpy as np
import pytest

from articulated.files.description import FileError
from articulated.files.dh import DH, dh_links
from articulated.files.numbers import angle
from articulated.files.toml.reader import read_toml
from articulated.files.toml.tables import RULES
from articulated.joints import JOINTS
from articulated.model import build

from .poses import poses

LINK = """name = "r"
[[link]]
name = "a"
"""
ARM = """
name = "arm"
gravity = [0, -9.81, 0]
[[link]]
name = "a"
[[link]]
name = "b"
parent = "a"
joint = "revolute"
joint_name = "j"
axis = [0, 1, 0]
xyz = [1, 2, 3]
rpy = ["pi/2", 0, "90 deg"]
mass = 2
com = [0.1, 0, 0]
inertia = [0.1, 0.01, 0, 0.1, 0, 0.1]
damping = 0.1
friction = 0.2
armature = 0.3
limits = {lower = "-pi", effort = 5}
frames = [{name = "tip", xyz = [1, 0, 0]}]
shapes = [{box = [1, 2, 3]}, {sphere = 1, color = [1, 0, 0]}, {cylinder = [1, 2]}, {capsule = [1, 2]}, {mesh = "m"}]
[[link]]
name = "c"
parent = "b"
joint = "prismatic"
mimic = {joint = "j", multiplier = 2}
limits = [0, inf]
"""


def test_links():
    d = read_toml(ARM)
    assert (d.name, d.gravity, d.report) == ("arm", (0, -9.81, 0), ())
    _, b, c = d.links
    assert (b.joint.name, b.joint.damping, b.joint.friction, b.joint.armature) == ("j", 0.1, 0.2, 0.3)
    assert b.joint.limits == (-np.pi, np.inf, np.inf, 5) and c.joint.limits == (0, np.inf, np.inf, np.inf)
    assert c.joint.mimic == ("j", 2, 0) and c.joint.name == "c"
    assert len(b.shapes) == 5 and b.shapes[1].color == (1, 0, 0)
    assert b.inertia.about_com.tolist() == [[0.1, 0.01, 0], [0.01, 0.1, 0], [0, 0, 0.1]]
    model = build(d.links, d.gravity)
    np.testing.assert_allclose(poses(model, [0.0])["tip"][:3, 3], [1, 3, 3], atol=1e-15)


@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_can_be_written(kind):
    (link,) = read_toml(f'{LINK}joint = "{kind}"').links
    assert type(link.joint) is JOINTS[kind]


def test_inertia_three_ways():
    base = f"{LINK}mass = 2\ncom = [0, 0, 0.1]\n"
    about_com = read_toml(base + "inertia = [0.3, 0.3, 0.2]").links[0].inertia
    about_origin = read_toml(base + 'inertia = [0.32, 0.32, 0.2]\ninertia_about = "origin"').links[0].inertia
    gyration = read_toml(base + "gyration = [0.4, 0.4, 0.31622776601683794]").links[0].inertia
    for other in (about_origin, gyration):
        np.testing.assert_allclose(np.array(other.matrix(), float), np.array(about_com.matrix(), float), atol=1e-15)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh_rows(convention):
    text = f'convention = "{convention}"\n[[dh]]\ntheta = 0.1\nd = 0.2\na = 0.3\nalpha = "-pi/2"\nmass = 1\n'
    text += 'inertia = [1, 1, 1]\n[[dh]]\njoint = "prismatic"\nname = "slide"\njoint_name = "z"\narmature = 2'
    d = read_toml(text)
    rows = [DH(0.1, 0.2, 0.3, -np.pi / 2), DH(joint="prismatic", name="slide")]
    ours, expected = (poses(build(links), [0.4, 0.5]) for links in (d.links, dh_links(rows, convention)))
    for name, pose in expected.items():
        np.testing.assert_allclose(ours[name], pose, atol=1e-15)
    assert [k.joint.name for k in d.links] == ["joint1", "z"] and d.links[1].joint.armature == 2


def test_an_impossible_body_is_reported_once():
    d = read_toml(f"{LINK}mass = 1\ninertia = [1, 1, 9]", "r.toml")
    (finding,) = build(d.links, report=d.report).report
    assert (finding.code, finding.line) == ("TOML009", 2)


@pytest.mark.parametrize(
    ("text", "value"),
    [("pi", np.pi), ("-pi/2", -np.pi / 2), ("2*pi/3", 2 * np.pi / 3), ("2pi", 2 * np.pi), ("90 deg", np.pi / 2),
     ("-45deg", -np.pi / 4), ("1.5", 1.5)],
)  # fmt: skip
def test_angles(text, value):
    assert angle(text) == value


@pytest.mark.parametrize("text", ["pi/0", "two", "pi pi", "nan", "", "1 2 deg", "deg", "1.2.3pi", "__import__('os')"])
def test_what_is_not_an_angle(text):
    with pytest.raises(ValueError):
        angle(text)


def joint(kind, entry):
    return f'{LINK}joint = "{kind}"\n{entry}\n'


def pose(kind, entry):
    return joint(kind, f"joint_name = 'j'\n[poses.home]\n{entry}")


@pytest.mark.parametrize("text", [
    f"{LINK}rpy = ['90 deg', 0, '90°']",
    f"{LINK}frames = [{{name = 'tip', rpy = [0, 0, '90 deg']}}]",
    "[[dh]]\ntheta = '90 deg'\nalpha = '-90 deg'\nlimits = ['-90 deg', '90 deg']",
    joint("revolute", "limits = {lower = '-9 deg', upper = '9 deg', velocity = '9 deg'}"),
    joint("helical", "limits = ['-90 deg', '90 deg']"),
    joint("universal", "limits = ['-90 deg', '90 deg']"),
    joint("revolute", "mimic = {joint = 'k', offset = '90 deg'}"),
    pose("revolute", "j = '90 deg'"),
    pose("universal", "j_1 = '90 deg'"),
    pose("cylindrical", "j = [1, '90 deg']"),
    pose("planar", "j = [1, 1, '90 deg']"),
    joint("prismatic", "limits = ['-pi', 'pi']\nmass = 'pi/2'"),
])  # fmt: skip
def test_degrees_of_angles(text):
    assert read_toml(text).report == ()


@pytest.mark.parametrize(("text", "key"), [
    (f"gravity = [0, 0, '90 deg']\n{LINK}", "gravity"),
    (f"{LINK}mass = '90 deg'", "mass"),
    (f"{LINK}com = [0, 0, '90°']", "com"),
    (f"{LINK}xyz = ['90 deg', 0, 0]", "xyz"),
    (f"{LINK}shapes = [{{sphere = '9 degrees'}}]", "sphere"),
    ("[[dh]]\na = '90 deg'", "a"),
    ("[[dh]]\nd = '90 deg'", "d"),
    ("[[dh]]\njoint = 'prismatic'\nlimits = [0, '90 deg']", "limits"),
    (joint("revolute", "damping = '90 deg'"), "damping"),
    (joint("revolute", "axis = [0, 1, '90 deg']"), "axis"),
    (joint("revolute", "limits = {effort = '9 deg'}"), "effort"),
    (joint("prismatic", "limits = [0, '90 deg']"), "limits"),
    (joint("prismatic", "limits = {upper = '90 deg'}"), "upper"),
    (joint("prismatic", "mimic = {joint = 'k', offset = '90 deg'}"), "offset"),
    (joint("helical", "pitch = '90 deg'"), "pitch"),
    (joint("cylindrical", "limits = [0, '90 deg']"), "limits"),
    (pose("prismatic", "j = '90 deg'"), "j"),
    (pose("cylindrical", "j = ['90 deg', 0]"), "j"),
    (pose("spherical", "j = ['90 deg', 0, 0, 1]"), "j"),
])  # fmt: skip
def test_degrees_of_what_is_no_angle(text, key):
    with pytest.raises(FileError) as problem:
        read_toml(text)
    (finding,) = problem.value.diagnostics
    assert finding.code == "TOML003" and f"{key}: '9" in finding.text and "is an angle" in finding.text


BAD = [
    ("name = ", "TOML001", 1),
    ("a = 1\na = 2", "TOML001", 2),
    (b"name = '\xff'", "TOML001", 0),
    (f"grvity = [0, 0, 0]\n{LINK}", "TOML002", 1),
    (f"{LINK}mas = 1", "TOML002", 4),
    (f'{LINK}joint = "spherical"\naxis = [0, 0, 1]', "TOML002", 5),
    (f"{LINK}shapes = [{{sphere = 1, colr = [1, 0, 0]}}]", "TOML002", 2),
    (f"{LINK}mass = true", "TOML003", 4),
    (f"{LINK}mass = nan", "TOML003", 4),
    (f"{LINK}mass = inf", "TOML003", 4),
    (f'{LINK}mass = "one"', "TOML003", 4),
    (f"{LINK}com = 1", "TOML003", 4),
    (f"{LINK}parent = 1", "TOML003", 4),
    (f"{LINK}shapes = [1]", "TOML003", 4),
    ("[[link]]\nname = 1", "TOML003", 2),
    ("link = 1", "TOML003", 1),
    (f"{LINK}com = [1, 2]", "TOML004", 4),
    (f"{LINK}inertia = [1, 2, 3, 4]", "TOML004", 4),
    (f"gravity = [1]\n{LINK}", "TOML004", 1),
    ("[[link]]\nmass = 1", "TOML005", 1),
    (f'{LINK}joint = "revolute"\nmimic = {{multiplier = 2}}', "TOML005", 2),
    (f'{LINK}joint = "revlute"', "TOML006", 4),
    ('convention = "craig"\n[[dh]]', "TOML006", 1),
    ('[[dh]]\njoint = "spherical"', "TOML006", 2),
    (f'{LINK}inertia_about = "middle"', "TOML006", 4),
    (f"{LINK}shapes = [{{}}]", "TOML006", 2),
    ('name = "r"', "TOML007", 1),
    ('[[link]]\nname = "a"\n[[dh]]', "TOML007", 1),
    (f"{LINK}mass = -1", "TOML008", 4),
    (f'{LINK}joint = "revolute"\naxis = [0, 0, 0]', "TOML008", 2),
    (f"{LINK}damping = -1", "TOML008", 4),
    (f"{LINK}limits = [1, -1]", "TOML008", 4),
    (f"{LINK}limits = {{effort = -1}}", "TOML008", 4),
    (f"{LINK}gyration = [1, 1, 1]\ninertia = [1, 1, 1]", "TOML008", 4),
    (f"{LINK}shapes = [{{sphere = -1}}]", "TOML008", 2),
    ('name = "a"\n' + "a." * 70 + "b = 1", "TOML010", 2),
    ('name = "a"\nx = ' + "1" * 5000, "TOML001", 2),
    (f"{LINK}name2 = 0x{'f' * 5000}\n", "TOML002", 4),
    (f"{LINK}mass = 0x{'f' * 5000}\n", "TOML003", 4),
    (f"{LINK}parent = 0x{'f' * 5000}\n", "TOML003", 4),
    ('name = "\ud800"', "TOML001", 1),
    ('[symbols]\nreal = ["1l"]\n' + LINK, "TOML011", 2),
]


@pytest.mark.parametrize(("text", "code", "line"), BAD, ids=range(len(BAD)))
def test_mistakes_are_named(text, code, line):
    with pytest.raises(FileError) as caught:
        read_toml(text, "r.toml")
    first = caught.value.diagnostics[0]
    assert (first.code, first.line) == (code, line), str(caught.value)
    assert first.why and first.fix


def test_every_rule_is_exercised():
    """The two that only warn have tests of their own."""
    assert {code for _, code, _ in BAD} | {"TOML009", "TOML012"} == set(RULES)


def test_the_closest_key_is_offered():
    with pytest.raises(FileError, match="link 'a': dampng: no such key; did you mean 'damping'"):
        read_toml(f"{LINK}dampng = 1")
