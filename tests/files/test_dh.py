"""D-H tables: the frame of every link is the D-H frame of its row, in both conventions."""

import numpy as np
import pytest

from articulated.algebra.scalars import array, cos, sin
from articulated.algebra.spatial import Inertia
from articulated.errors import ModelError
from articulated.files.dh import DH, dh_links
from articulated.joints import Prismatic, Revolute
from articulated.model import build

from .poses import poses

ROWS = [DH(0.3, 0.4, 0.1, np.pi / 2), DH(0, 0.2, 0.5, -0.7, "prismatic"), DH(-1.1, 0, 0.3, 0), DH(0.2, 0.1, 0, 2.0)]
Q = np.array([0.7, -0.3, 1.9, -2.2])


def rotation(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R = np.eye(4)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def translation(axis, distance):
    T = np.eye(4)
    T[axis, 3] = distance
    return T


def row_matrix(row, q, convention):
    theta, d = (row.theta + q, row.d) if row.joint == "revolute" else (row.theta, row.d + q)
    about_z = rotation(2, theta) @ translation(2, d)
    about_x = translation(0, row.a) @ rotation(0, row.alpha)
    return about_z @ about_x if convention == "standard" else about_x @ about_z


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_frames_are_the_products_of_the_row_matrices(convention):
    ours = poses(build(dh_links(ROWS, convention)), Q)
    expected = np.eye(4)
    for i, (row, q) in enumerate(zip(ROWS, Q, strict=True), start=1):
        expected = expected @ row_matrix(row, q, convention)
        np.testing.assert_allclose(ours[f"link{i}"], expected, atol=1e-14)


def test_the_matrix_of_one_row():
    # theta 0.7, d 0.3, a 0.25, alpha -1.1 in ^{i-1}A_i = Rz(theta) Tz(d) Tx(a) Rx(alpha)
    expected = [
        [0.7648421872844885, -0.2922146442847723, -0.5741315443479861, 0.19121054682112212],
        [0.644217687237691, 0.34692944965489897, 0.681632986593423, 0.16105442180942275],
        [0.0, -0.8912073600614354, 0.4535961214255773, 0.3],
        [0.0, 0.0, 0.0, 1.0],
    ]
    model = build(dh_links([DH(0.4, 0.3, 0.25, -1.1)]))
    np.testing.assert_allclose(poses(model, [0.3])["link1"], expected, atol=1e-15)
    model = build(dh_links([DH(0.7, 0.1, 0.25, -1.1, "prismatic")]))
    np.testing.assert_allclose(poses(model, [0.2])["link1"], expected, atol=1e-15)


def test_names_joints_and_inertias():
    bodies = [Inertia(1.0, [0.1, 0, 0]), None]
    first, second = dh_links([DH(name="upper"), DH(joint="prismatic")], links=bodies)
    assert (first.name, first.parent, first.joint.name) == ("upper", None, "joint1")
    assert (second.name, second.parent, second.joint.name) == ("link2", "upper", "joint2")
    assert isinstance(first.joint, Revolute) and isinstance(second.joint, Prismatic)
    assert first.inertia is bodies[0] and second.inertia.mass == 0


def test_rows_may_be_plain_tuples():
    assert dh_links([(0, 0, 1, 0, "prismatic")])[0].joint.nv == 1


def test_a_table_may_be_an_array():
    rows = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]])
    one, other = dh_links(rows), dh_links([DH(*row) for row in rows.tolist()])
    assert [(k.placement.p.tolist(), k.tail.R.tolist()) for k in one] == [
        (k.placement.p.tolist(), k.tail.R.tolist()) for k in other
    ]


def test_right_angles_are_exact():
    (link,) = dh_links([DH(alpha=-np.pi / 2)])
    assert link.tail.R.tolist() == [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    assert all(type(x) is int for x in link.tail.R.ravel())


def test_symbols_pass_through():
    sympy = pytest.importorskip("sympy")

    class Angle(sympy.Symbol):
        """A symbol of this test alone."""

    sin.register(Angle, sympy.sin)
    cos.register(Angle, sympy.cos)
    length, twist, q = sympy.Symbol("l"), Angle("alpha"), Angle("q")
    (link,) = dh_links([DH(a=length, alpha=twist)])
    pose = link.placement @ link.joint.transform(array([q])) @ link.tail
    assert pose.p.tolist() == [length * sympy.cos(q), length * sympy.sin(q), 0]
    assert pose.R[0, 1] == -sympy.sin(q) * sympy.cos(twist)


@pytest.mark.parametrize(
    ("rows", "options", "says"),
    [
        ([], {}, "at least one row"),
        ([DH(), DH(joint="Prismatc")], {}, r"row 2.*did you mean 'prismatic'"),
        ([DH()], {"convention": "craig"}, "'standard' or 'modified'"),
        ([DH()], {"links": [None, None]}, "1 rows, links has 2"),
        ([7], {}, "row 1 is 7"),
        ([DH(), np.array(1.0)], {}, r"row 2 is array\(1\.\); write DH"),
        ([(0, 0, 1)], {}, r"row 1 is \(0, 0, 1\), 3 values; it has theta, d, a and alpha"),
        ([()], {}, "0 values"),
        ([np.zeros(3)], {}, "3 values"),
        (np.zeros((2, 3)), {}, "row 1 .* 3 values"),
    ],
)
def test_mistakes_are_named(rows, options, says):
    with pytest.raises(ModelError, match=says):
        dh_links(rows, **options)


@pytest.mark.parametrize("value", [None, "l1", float("nan")])
@pytest.mark.parametrize("name", ["theta", "d", "a", "alpha"])
def test_entries_are_numbers_or_symbols(name, value):
    with pytest.raises(ModelError, match=f"row 2: {name} = "):
        dh_links([DH(a=1.0), DH(**{name: value})])
