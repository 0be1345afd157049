"""pandas and xarray hold the same numbers under the names of joints, with units, and the robot takes them back."""

import numpy as np
import pytest

import articulated as art
from articulated.robot.arguments.state_names import component_names
from articulated.robot.arguments.state_names import component_units as units
from tests.near import near
from tests.zoo import ZOO

from .rollouts import FEET, contacts, dog, rollout, scattered


@pytest.mark.parametrize("batch", [(), (3,), (2, 2)], ids=str)
def test_data_frame(batch):
    pandas = pytest.importorskip("pandas")
    run = dog(5, batch)
    frame = run.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 5 * int(np.prod(batch))
    names = [f"q_{name}" for name in component_names(run.robot.model, "q")]
    assert np.array_equal(frame[names].to_numpy().reshape(run.q.shape), run.q)
    assert np.array_equal(frame["contact_force_HL_FOOT_z"].to_numpy().reshape(*batch, 5), run.contact.forces[..., 2, 2])
    assert frame["contact_state_FL_FOOT"].dtype == np.int8 and ("batch" in frame) == bool(batch)
    assert np.array_equal(frame["force_base_rx"].to_numpy().reshape(*batch, 5), run.forces["base"][..., 3])
    frame.iloc[0, 0] = 7.0  # its own numbers


@pytest.mark.parametrize("batch", [(), (3,), (2, 2)], ids=str)
def test_dataset(batch):
    pytest.importorskip("xarray")
    run = dog(5, batch, contact=contacts(5, batch, each_friction=bool(batch)))
    data = run.to_xarray()
    leading = {(): (), (3,): ("batch",), (2, 2): ("batch_0", "batch_1")}[batch]
    assert data.q.dims == (*leading, "time", "coordinate") and data.tau.dims == (*leading, "time", "joint")
    assert np.array_equal(data.v.sel(joint="FL_KFE"), run.v[..., run.robot.joint_names.index("FL_KFE") + 5])
    assert np.array_equal(data.contact_forces.sel(contact=FEET[1], axis="z"), run.contact.forces[..., 1, 2])
    assert np.array_equal(data.total_energy, run.energy.total) and data.total_energy.units == "J"
    assert data.contact_frictions.dims == ((*leading, "contact") if batch else ("contact",))
    assert near(run.robot.kinetic_energy(data.q, data.v).values, run.energy.kinetic)
    assert dict(zip(data.joint.values, data.tau_unit.values, strict=True))["FL_KFE"] == "N m"


def test_every_column_and_label_is_there_once():
    """Also if a joint is called as a part of another."""
    pytest.importorskip("pandas"), pytest.importorskip("xarray")
    inertia = art.Inertia(1.0, (0.1, 0.2, 0.3), np.diag([0.3, 0.2, 0.25]))
    joints = [art.Planar(name="a"), art.Revolute(name="a_x"), art.Cylindrical(name="c"), art.Revolute(name="c_1")]
    links = [art.Link(f"link{k}", f"link{k - 1}" if k else None, x, inertia=inertia) for k, x in enumerate(joints)]
    run = scattered(art.build(links), 4)
    frame, data = run.to_pandas(), run.to_xarray()
    assert frame.columns.is_unique and np.array_equal(frame["q_a_x"], run.q[:, 3])
    assert np.array_equal(frame["v_a__x"], run.v[:, 0])
    assert np.array_equal(data.q.sel(coordinate="a_x"), run.q[:, 3])
    assert np.array_equal(data.v.sel(joint="c__1"), run.v[:, 5])
    assert near(run.robot.gravity_forces(data.q[:, ::-1]).values, run.robot.gravity_forces(run.q))


@pytest.mark.parametrize("robot", ZOO, ids=lambda robot: robot.name)
def test_every_number_has_a_unit(robot):
    for name in ("q", "v", "a", "tau"):
        found = units(robot.model, name)
        assert len(found) == (robot.nq if name == "q" else robot.nv)
    assert set(units(robot.model, "tau")) <= {"N", "N m"}


@pytest.mark.parametrize("joint, q, tau", [
    (art.Revolute(), ["rad"], ["N m"]), (art.Prismatic(), ["m"], ["N"]), (art.Helical(pitch=0.1), ["rad"], ["N m"]),
    (art.Floating(), ["m"] * 3 + [""] * 4, ["N"] * 3 + ["N m"] * 3), (art.Spherical(), [""] * 4, ["N m"] * 3),
    (art.Planar(), ["m", "m", "rad"], ["N", "N", "N m"]), (art.Cylindrical(), ["m", "rad"], ["N", "N m"]),
])  # fmt: skip
def test_units_by_joint(joint, q, tau):
    model = art.build([art.Link("body", None, joint, inertia=art.Inertia(1.0, (0, 0, 0), np.eye(3)))]).model
    assert sorted(units(model, "q")) == sorted(q) and sorted(units(model, "tau")) == sorted(tau)


# -- in words ---------------------------------------------------------------------------------------------------------


def still(robot, at, **changes):
    """Two samples at rest, with changes to single arrays."""
    zero = np.zeros((2, robot.nv))
    return art.Trajectory(robot, [0.0, 0.5], **{"q": [at, at], "v": zero, "a": zero, "tau": zero, **changes})


def test_what_is_within_its_limits_has_no_findings():
    robot = art.load("panda")
    limits = [b.joint.limits for b in robot.model.bodies]
    upper, effort = (np.array([getattr(one, name) for one in limits]) for name in ("upper", "effort"))
    run = still(robot, upper, tau=[effort, -effort])
    assert run.findings == [] and "No limit is exceeded" in run._repr_html_()


@pytest.mark.parametrize("name, value, words", [
    ("q", 3.0, "position of panda_joint1 is 3 rad at t = 0.5 s; its limit is 2.897 rad"),
    ("v", -4.0, "speed of panda_joint1 is -4 rad/s at t = 0.5 s; its limit is -2.175 rad/s"),
    ("tau", 100.0, "effort of panda_joint1 is 100 N m at t = 0.5 s; its limit is 87 N m"),
])  # fmt: skip
def test_limits_that_are_exceeded_are_found(name, value, words):
    robot = art.load("panda")
    q = np.array([0, 0, 0, -1.0, 0, 1.0, 0])
    x = np.array([q, q]) if name == "q" else np.zeros((2, 7))
    x[1, 0] = value
    run = still(robot, q, **{name: x})
    assert [finding.text for finding in run.findings] == [words]
    shown = run._repr_html_()
    assert words in shown and shown.index("Findings") < shown.index("<table>")


def test_contacts_that_are_not_solved_are_found():
    from tests.simulation.test_trajectory_checks import points

    run = rollout(art.load("quadruped", floating_base=True), 5)
    residual, gaps = np.zeros(5), np.zeros((5, 4))
    residual[3], gaps[2, 1] = 1e-3, -2e-3
    found = art.ContactHistory(**points(residual=residual, gaps=gaps))
    run = art.Trajectory(run.robot, run.t, run.q, run.v, run.a, run.tau, found)
    texts = [finding.text for finding in run.findings]
    assert texts[-2:] == [
        "in 20 % of the samples the contacts are not solved to 1e-06; the largest residual is 0.001 at t = 0.003 s",
        "FR_FOOT is 2 mm inside what it touches at t = 0.002 s",
    ]


def test_long_results_fit_on_a_screen():
    run = dog(500)
    assert all(len(repr(x)) < 1500 for x in (run.energy, run.at(run.t))) and "..." in repr(run.energy)
    assert "..." not in repr(run[3])


def test_rounding_is_not_shown_as_a_number():
    pendulum = art.build([art.Link("bob", None, art.Revolute(), inertia=art.Inertia(1.0, (1, 0, 0)))])
    v = np.array([[1.0], [-0.0], [6e-18]])
    run = art.Trajectory(pendulum, [0, 1, 2], 0 * v, v, 0 * v, 0 * v)
    assert "e-18" not in run._repr_html_() and ">-0<" not in run._repr_html_()


def test_energy_from_nowhere_is_found():
    """A step too large says so, before the motion leaves all bounds; good runs say nothing."""
    robot, v = art.load("ur5"), [1.0, -2.0, 1.0, 0.5, 0.3, -1.0]

    def told(**options):
        run = art.simulate(robot, robot.neutral(), v, 1.0, **options)
        return [finding.text for finding in run.findings if finding.what == "energy"]

    with pytest.warns(art.SimulationWarning, match=r"joint 'shoulder_lift_joint' moves at .* a smaller dt than 0.25"):
        (words,) = told(method="rk4", dt=0.25)
    assert "although nothing drives the robot: the step of 0.25 s is too large" in words
    assert not told(method="rk4") and not told() and not told(torque=np.ones(6), method="rk4", dt=0.01)
    assert not told(torque=np.ones(6)) and not told(torque=art.PD(robot, 300, 5).towards(robot.neutral()))
    run = rollout(robot, 5)
    still = art.Trajectory(robot, run.t, run.q, run.v, run.a, 0 * run.tau, info={"method": "mine"})
    assert isinstance(still.findings, list)


def test_summaries():
    run = dog(4, (2,))
    assert repr(run) == "<Trajectory of quadruped: 4 samples, 0 … 0.003 s, batch 2, 4 contact points>"
    shown = run._repr_html_()
    assert (
        "how it was made" in shown
        and "euler" in shown
        and "position" in shown
        and "FL_KFE" in shown
        and ">from<" not in shown
        and "N m" in shown
    )
    one = dog(4)._repr_html_()
    assert one.index("No limit") < one.index("energy") < one.index("position") and ">from<" in one
    odd = art.build(
        [art.Link("<b>", None, art.Revolute(name="<script>"), inertia=art.Inertia(1.0, (1, 0, 0)))], name="<i>"
    )
    assert "<script>" not in rollout(odd, 2, info={"<u>": "<s>"})._repr_html_()


def test_forces_along_and_across_the_normal(rng):
    found = contacts(6, (2,))
    assert np.array_equal(found.normal, found.forces[..., 2])
    assert near(found.tangential, np.hypot(found.forces[..., 0], found.forces[..., 1]))
