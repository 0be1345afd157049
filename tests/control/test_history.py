"""Ticks of a whole-body law, as they are kept for pictures: what the law said, not what a picture would like."""

import numpy as np
import pytest

import articulated as art

from .standing import contacts


def walked(seconds=0.5, **options):
    robot = art.load("quadruped", floating_base=True)
    walk = art.Walk(robot, gait="trot", friction=0.3, **options)
    walk.record()
    walk.command(0.6, 0.2, 0.4)
    run = art.simulate(robot, walk.home, duration=seconds, dt=2e-3, torque=walk, contacts=art.Ground(0.4))
    return walk, run


@pytest.fixture(scope="module")
def trot():
    return walked()


def test_every_step_of_a_run_has_its_tick(trot):
    walk, run = trot
    assert [x.t for x in walk.ticks] == pytest.approx(run.t, abs=1e-12)
    assert any(x.footholds for x in walk.ticks) and any("friction" in name for x in walk.ticks for name in x.active)
    for k in range(0, len(run), 20):
        tick = walk.ticks[k]
        assert set(tick.footholds) == {name for name, on in zip(tick.contacts, tick.standing, strict=True) if not on}
        assert not tick.forces[~tick.standing].any()
        assert np.allclose(tick.center_of_mass, run.robot.center_of_mass(run.q[k]), atol=1e-12)
        assert tick.positions == pytest.approx(walk.law.contacts.positions(run.q[k]), abs=1e-12)


def test_the_forces_of_a_tick_move_the_robot_as_its_torques_do(trot):
    walk, run = trot
    robot, feet = run.robot, walk.law.contacts
    for k in (10, 120, 200):
        tick = walk.ticks[k]
        M, h, J = robot.mass_matrix(run.q[k]), robot.bias_forces(run.q[k], run.v[k]), feet.jacobian(run.q[k])
        a = np.linalg.solve(M, run.tau[k] + J.T @ tick.forces.ravel() - h)
        stay = np.repeat(tick.standing, 3)
        # feet that stand lose what velocity they have at the damping of the law
        drift = (J @ a + feet.bias(run.q[k], run.v[k]) + 20.0 * J @ run.v[k])[stay]
        assert abs(drift).max() < 1e-8 * (1 + abs(a).max())


def test_an_earlier_time_begins_a_new_run(trot):
    walk, run = trot
    walk, _ = walked(0.1)
    count = len(walk.ticks)
    walk(0.05, run.q[0], run.v[0])
    assert count == 51 and [x.t for x in walk.ticks] == [0.05]


def test_a_loop_of_ones_own_makes_ticks():
    robot, axis = art.load("quadruped", floating_base=True), np.array([0.6, 0, 0.8])
    feet = art.Contacts(robot, point=["FL_FOOT", "FR_FOOT", "HL_FOOT"], direction={"HR_FOOT": axis})
    law = art.WholeBody(feet, [art.tasks.Momentum()], friction={"FL_FOOT": 0.2}, glued=["FR_FOOT"])
    q = robot.poses["home"]
    done = law(q, np.zeros(robot.nv), standing=[True, True, False, True])
    tick = law.tick(0.3, done)
    own = dict(zip(tick.contacts, tick.forces, strict=True))
    assert np.allclose(own["HR_FOOT"], done.forces[-1] * axis) and not own["HL_FOOT"].any()
    assert np.allclose(own["FL_FOOT"], done.forces[:3])
    assert tick.frictions.tolist() == [0.2, np.inf, 0.6, 0.0] and tick.standing.tolist() == [True, True, False, True]
    assert np.allclose(tick.normals[-1], axis) and tick.active == done.active and tick.status == done.status


def test_soles_and_loops_are_no_points():
    law = art.WholeBody(contacts("biped"), [art.tasks.Momentum()], glued=contacts("biped").names)
    q, robot = law.contacts.robot.neutral(), law.contacts.robot
    tick = law.tick(0.0, law(q, np.zeros(robot.nv)))
    weight = robot.mass * 9.81
    assert tick.forces.sum(axis=0) == pytest.approx([0, 0, weight], abs=1e-3 * weight)


def test_an_arm_has_no_contacts_to_draw(tmp_path):
    pytest.importorskip("matplotlib")
    arm = art.load("panda")
    q, tip = arm.poses["home"], arm.body_names[-1]
    law = art.WholeBody(art.Contacts(arm), [art.tasks.Frame(tip, "position"), art.tasks.Posture(target=q, weight=0.01)])
    reach = law.towards({tip: arm.pose(q, tip)[:3, 3] + [0.05, 0, 0]})
    reach.record()
    run = art.simulate(arm, q, duration=0.1, dt=2e-3, torque=reach)
    assert all(x.wanted is None and x.forces.shape == (0, 3) for x in reach.ticks)
    run.plot("law", tmp_path / "arm.png", law=reach, dpi=40)


@pytest.mark.parametrize("law, word", [(None, "law is for"), ([], "not such a list"), (3, "not such a list")])
def test_a_plot_without_ticks_says_what_is_missing(law, word, trot):
    with pytest.raises(art.ShapeError, match=word):
        trot[1].plot("law", law=law)
    with pytest.raises(art.ShapeError, match="record"):
        trot[1].plot("law", law=art.Walk(trot[1].robot))
    with pytest.raises(art.ShapeError, match="law is for"):
        trot[1].plot("energies", law=trot[0])


def test_bars_of_the_picture_are_the_active_rows(trot, tmp_path):
    pytest.importorskip("matplotlib")
    walk, run = trot
    figure = run.plot("law", tmp_path / "law.png", law=walk.ticks, dpi=40)
    axes = figure.subfigs[0].axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == sorted({name for x in walk.ticks for name in x.active})
    for row, name in enumerate(names):
        bars = [c for c in axes.collections if any(abs(p.vertices[:, 1].mean() - row) < 0.2 for p in c.get_paths())]
        wide = sum(np.ptp(p.vertices[:, 0]) for c in bars for p in c.get_paths())
        assert wide == pytest.approx(2e-3 * sum(name in x.active for x in walk.ticks[:-1]), abs=1e-9)
