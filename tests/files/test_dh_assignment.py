"""D-H tables laid into given arms: the robot of the table moves as the arm does, whatever its axes."""

import numpy as np
import pytest

import articulated as art

CONVENTIONS = ("standard", "modified")


def moved(row: art.DH, q: float, convention: str) -> np.ndarray:
    """A(q) of one row, from its definition."""
    theta, d = (row.theta + q, row.d) if row.joint == "revolute" else (row.theta, row.d + q)

    def turn(angle, k):
        c, s, R = np.cos(angle), np.sin(angle), np.eye(4)
        i, j = (k + 1) % 3, (k + 2) % 3
        R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
        return R

    def shift(x, k):
        T = np.eye(4)
        T[k, 3] = x
        return T

    z, x = turn(theta, 2) @ shift(d, 2), shift(row.a, 0) @ turn(row.alpha, 0)
    return z @ x if convention == "standard" else turn(row.alpha, 0) @ shift(row.a, 0) @ z


def random_arm(rng: np.random.Generator) -> art.Robot:
    """Axes along the world's or anywhere, often parallel, meeting or coinciding; sliders among them."""
    links, parent = [], None
    for k in range(int(rng.integers(1, 7))):
        axis = np.eye(3)[rng.integers(3)] * rng.choice([1, -1]) if rng.random() < 0.7 else rng.normal(size=3)
        kind = art.Prismatic if rng.random() < 0.25 else art.Revolute
        place = rng.normal(size=3) * (rng.random(3) < 0.5)
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0] if rng.random() < 0.3 else np.eye(3)
        R = R * np.sign(np.linalg.det(R))
        links.append(art.Link(f"l{k}", parent, kind(axis.tolist()), art.Transform(R, place), art.Inertia(1.0)))
        parent = f"l{k}"
    return art.build(links)


def compared(robot: art.Robot, convention: str, rng: np.random.Generator) -> None:
    table = art.dh_table(robot, convention)
    for _ in range(3):
        q = rng.normal(size=robot.nq)
        pose = table.base
        for row, x in zip(table.rows, q, strict=True):
            pose = pose @ moved(row, x, convention)
        assert np.allclose(pose @ table.tool, robot.pose(q, robot.body_names[-1]), atol=1e-9)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", ["ur5", "panda", "scara", "stanford", "puma560", "2r", "acrobot", "cart_pole"])
def test_arms_of_the_catalogue(name, convention):
    compared(art.load(name), convention, np.random.default_rng(0))


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("seed", range(60))
def test_arms_nobody_chose(seed, convention):
    rng = np.random.default_rng(seed)
    compared(random_arm(rng), convention, rng)


def test_free_choices_are_stated_and_a_robot_is_made_of_the_rows():
    table = art.dh_table(art.load("scara"))
    text = str(table)
    assert text.count("parallel") >= 1 and "slides" in text and "q_1" in text
    again = art.from_dh(table.rows, links=[art.Inertia(1.0)] * 4)
    assert again.nq == 4
    assert [row.name for row in art.dh_table(again).rows] == [row.name for row in table.rows]


@pytest.mark.parametrize("name", ["tree4", "quadruped"])
def test_what_is_no_serial_arm_is_refused(name):
    with pytest.raises(art.ModelError, match="D-H table"):
        art.dh_table(art.load(name))


def test_letters_are_named():
    length = pytest.importorskip("sympy").Symbol("l_1", positive=True)
    with pytest.raises(art.ArticulatedError, match="holds the symbols l_1"):
        art.dh_table(art.from_dh([art.DH(0, 0, length, 0)]))
