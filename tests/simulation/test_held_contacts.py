"""Forces of contacts that hold, in a run: with them the equations of motion are met, whatever the kind of contact."""

import numpy as np
import pytest

import articulated as art

from .rollouts import same


def pair():
    """Two arms of two links each, on one floating trunk."""
    about = art.Inertia(1.0, (0.05, 0.02, -0.1), np.diag([0.02, 0.03, 0.01]))
    links = [art.Link("trunk", None, art.Floating(), inertia=about)]
    for side, y in (("left", 0.2), ("right", -0.2)):
        place = art.Transform(p=(0, y, 0))
        links += [
            art.Link(f"{side}_arm", "trunk", art.Spherical(name=f"{side}_shoulder"), place, about),
            art.Link(f"{side}_hand", f"{side}_arm", art.Revolute((0, 1, 0)), art.Transform(p=(0, 0, -0.3)), about),
        ]
    return art.build(links, name="pair")


KINDS = {
    "point": {"point": ["left_hand", "trunk"]},
    "surface": {"surface": ["left_hand"]},
    "line": {"line": {"right_hand": (0.3, 1, 0)}},
    "direction": {"direction": {"left_hand": (0, 0.6, 0.8), "right_hand": (0, 0, 1)}},
    "hinge": {"loops": [("left_hand", "right_hand", "hinge", (0.2, 1, 0.1))]},
    "weld": {"loops": [("left_hand", "right_hand", "weld")]},
}


@pytest.mark.parametrize("kind", KINDS)
def test_forces_meet_the_equations_of_motion(kind, rng):
    robot = pair()
    contacts = art.Contacts(robot, **KINDS[kind])
    q = robot.integrate(robot.neutral(), 0.3 * rng.normal(size=robot.nv))
    if kind in ("hinge", "weld"):  # closed at the start: the hands of a loop are brought together
        q = contacts.assemble(q)
    tau = np.concatenate([np.zeros(6), 0.3 * rng.normal(size=robot.nv - 6)])
    run = art.simulate(robot, q, duration=0.02, torque=tau, contacts=contacts)
    told = run.contact
    assert told.names == tuple(contacts.names) and (told.states == 1).all() and told.forces.any()
    assert np.isinf(told.frictions).all() and not told.gaps.any()
    for k in (0, 7, 19):
        pushed = run.tau[k].copy()
        for i, contact in enumerate(contacts.contacts):
            wrench = np.concatenate([told.forces[k, i], told.moments[k, i]])
            pushed += robot.jacobian(run.q[k], contact.frame).T @ wrench
            pushed -= 0 if contact.other is None else robot.jacobian(run.q[k], contact.other).T @ wrench
            assert np.allclose(told.positions[k, i], robot.pose(run.q[k], contact.frame)[:3, 3], atol=1e-12)
        assert np.allclose(pushed, robot.inverse_dynamics(run.q[k], run.v[k], run.a[k]), atol=1e-6)
    if kind in ("point", "direction"):
        assert not told.moments.any()


def test_beside_the_ground_and_in_files(tmp_path):
    """Those of the ground come first; a frame that both name is told apart."""
    robot = pair()
    q = robot.neutral()
    q[2] = 0.5
    both = [
        art.Ground(0.5, feet=["left_hand", "right_hand"]),
        art.Contacts(robot, surface=["trunk"], point=["left_hand"]),
    ]
    called = art.simulate(robot, q, duration=0.01, contacts=both, torque=lambda t, q, v: np.zeros(robot.nv))
    run = art.simulate(robot, np.tile(q, (2, 1)), duration=0.01, contacts=both)
    assert run.contact.names == ("left_hand", "right_hand", "left_hand held", "trunk")
    assert run.contact.frictions.tolist() == [0.5, 0.5, np.inf, np.inf]
    assert np.allclose(run.contact.forces[0], called.contact.forces, atol=1e-9)
    assert not run.contact.moments[..., :3, :].any() and run.contact.moments[..., 3, :].any()
    for path in (tmp_path / "run.npz", tmp_path / "run.csv"):
        run.save(path)
        again = art.Trajectory.load(path, robot=robot)
        assert same(again, run) and np.array_equal(again.contact.moments, run.contact.moments)
    assert np.array_equal(run.batch[1][2:5].contact.moments, run.contact.moments[1, 2:5])
    assert run.resample(dt=0.002).contact.moments.shape == (2, 6, 4, 3)


def test_tables_have_moments():
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    run = art.simulate(pair(), pair().neutral(), duration=0.002, contacts=art.Contacts(pair(), surface=["trunk"]))
    assert isinstance(run.to_pandas(), pandas.DataFrame) and "contact_moment_trunk_z" in run.to_pandas().columns
    assert isinstance(run.to_xarray(), xarray.Dataset)
    assert run.to_xarray().contact_moments.attrs["units"] == "N m"


def test_two_sets_that_hold_one_frame():
    robot = pair()
    twice = [art.Contacts(robot, point=["trunk"])] * 3
    run = art.simulate(robot, robot.neutral(), duration=0.002, contacts=twice)
    assert run.contact.names == ("trunk", "trunk held", "trunk held.2")
