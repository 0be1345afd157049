"""With a horizon a joint stays in its range all the way, not only at the end of it."""

import numpy as np
import pytest

import articulated as art

ONE = """<robot name="one"><link name="base"/><link name="arm"><inertial><mass value="1"/><origin xyz="0.5 0 0"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="10" effort="1000"/></joint></robot>"""


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "one.urdf"
    path.write_text(ONE, "utf-8")
    return art.load(path)


def law(one, target, horizon=0.1):
    return art.WholeBody(art.Contacts(one), [art.tasks.Posture(gain=100, target=[target])], horizon=horizon)


def run(own, q, v, dt, seconds=1.0):
    """Positions, velocities; semi-implicit Euler."""
    q, v, path = np.array([q]), np.array([v]), []
    for _ in range(round(seconds / dt)):
        v = v + dt * own(q, v).a
        q = q + dt * v
        path.append((q[0], v[0]))
    return np.array(path).T


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("dt", [1e-3, 1e-2])
def test_a_joint_driven_at_its_limit_stops_there(one, side, dt):
    q, v = run(law(one, 5.0 * side), 0.0, 0.0, dt)
    assert (side * q).max() < 1 + 1e-4
    assert abs(q[-1] - side) < 1e-3 and (side * v).min() > -1e-3


@pytest.mark.parametrize("q, v", [(0.9, 2.5), (-0.9, -2.5), (0.99, 1.0), (0.5, 4.0)])
def test_the_path_turns_before_the_limit(one, q, v):
    a = law(one, 5.0 * np.sign(v))([q], [v]).a[0]
    t = np.linspace(0, 0.1, 1001)
    assert abs(q + v * t + a * t**2 / 2).max() < 1 + 1e-7


@pytest.mark.parametrize("side", [1, -1])
def test_a_joint_beyond_its_limit_comes_back(one, side):
    for q0, v0 in ((1.02, 0.0), (1.01, 0.3), (0.9999, 2.0)):
        q, v = run(law(one, 5.0 * side), side * q0, side * v0, 1e-3)
        assert (side * q).max() < 1.04 and abs(q[-1] - side) < 1e-3
        assert abs(v).max() < max(abs(v0), 1.0) + 1e-6


def test_far_from_its_limits_a_joint_is_free(one):
    wild = art.WholeBody(art.Contacts(one), [art.tasks.Posture(gain=100, target=[0.2])])
    assert abs(law(one, 0.2)([0.1], [0.1]).a - wild([0.1], [0.1]).a).max() < 1e-9


@pytest.mark.parametrize("dt", [1e-3, 7e-3])
@pytest.mark.parametrize("q, v", [(0.0, 0.0), (0.99, 0.5), (1.001, 0.2), (1.0 - 3e-6, 0.02), (-1.0, -0.1)])
def test_a_joint_with_limited_acceleration_comes_to_rest_at_its_limit(one, q, v, dt):
    """Rather than being thrown back and forth, which stays in all limits as well."""
    posture = [art.tasks.Posture(gain=400, target=[1.5])]
    own = art.WholeBody(art.Contacts(one), posture, horizon=dt, acceleration_limits=50.0)
    inside = abs(q) + v * abs(v) / 100 <= 1
    for k in range(round(2 / dt)):
        a = own([q], [v]).a[0]
        assert abs(a) <= 50 + 1e-6
        q, v = q + dt * v + dt * dt / 2 * a, v + dt * a
        assert q <= 1 + 1e-9 or not inside
        if k * dt > 1.5:
            assert abs(a) < 1e-6 and abs(v) < 1e-9 and abs(q - 1) < 1e-9
