"""Nonsense is noticed: divergence behind joint stops, runs of a batch that end, controllers that fail."""

import warnings

import numpy as np
import pytest

import articulated as art
from articulated.simulation.trajectory import summary


def explicit(arm, home):
    """A law too stiff for the step, in a function whose gains nobody knows."""
    law = art.PD(arm, 100, 20)
    return lambda t, q, v: law(q, v, home).tau


def test_divergence_behind_joint_stops_is_said_once():
    arm = art.load("panda")
    home = arm.poses["home"]
    with pytest.warns(
        art.SimulationWarning, match=r"joint 'panda_joint\d' moves at .* rad/s; try a smaller dt"
    ) as told:
        run = art.simulate(arm, home, duration=0.2, torque=explicit(arm, home))
    assert len(told) == 1 and told[0].filename == __file__
    kinds = [found.what for found in run.findings]
    assert kinds[0] == "divergence" and "energy" in kinds
    assert f"; {len(kinds)} findings, see .findings>" in repr(run)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        good = art.simulate(arm, home, duration=0.2, torque=art.PD(arm, 100, 20).towards(home))
    assert repr(good) == "<Trajectory of panda: 201 samples, 0 … 0.2 s>"


def test_energy_from_nowhere_has_its_step_and_amount():
    """Beyond the work of torques, with gravity: of a jolt that no force explains."""
    arm = art.load("2r")
    run = art.simulate(arm, [0.4, 0.0], duration=0.1, torque=[1.0, 0.1])
    assert not run.findings
    v = run.v.copy()
    v[60:] *= 1.5
    forged = art.Trajectory(arm, run.t, run.q, v, run.a, run.tau, info=dict(run.info))
    (found,) = forged.findings
    gained = float(arm.kinetic_energy(run.q[60], v[60]) - arm.kinetic_energy(run.q[60], run.v[60]))
    assert found.what == "energy" and "J of it after sample 59 at t = 0.059 s, beyond the work" in found.text
    assert float(found.text.split(" J of it")[0].split()[-1]) == pytest.approx(gained, rel=0.01)


def test_rest_at_a_stop_is_no_energy_from_nowhere():
    """Velocities are solved to a part of what gravity adds in a step: 1e-10 J from exactly nothing is no finding.

    A stop is closed within 1e-4 g dt², 1 nm.
    """
    inertia = art.Inertia(1.0, (0, 0, 0), np.eye(3) / 100)
    joint = art.Prismatic((0, 0, 1), limits=art.Limits(0, 0.5))
    links = [art.Link("low", None, joint, inertia=inertia), art.Link("high", "low", joint, inertia=inertia)]
    run = art.simulate(art.build(links), [0.0, 0.0], duration=0.5, progress=False)
    assert abs(run.q).max() < 1.1e-9 and not run.findings


def test_limp_robots_and_walkers_have_no_energy_from_nowhere(rng):
    for name in ("panda", "ur5", "cart_pole", "triple_pendulum"):
        robot = art.load(name)
        v = rng.normal(size=robot.nv)
        run = art.simulate(robot, robot.poses.get("home", robot.neutral()), v, 0.5)
        assert not [found for found in run.findings if found.what == "energy"], name


UNSTABLE = {"traced": art.traced, "called": lambda f: f}


@pytest.mark.parametrize("every", [1, 5])
@pytest.mark.parametrize("kind", UNSTABLE)
def test_a_run_that_diverges_ends_and_the_others_go_on(kind, every):
    arm = art.load("2r")

    def grows(t, q, v):
        return np.where(q > 1, 1e3 * v * v, -0.1 * v)

    q = np.full((2, 2, 2), 0.3)
    q[1, 0] = 1.5
    options = {"duration": 0.05, "every": every}
    with (
        np.errstate(all="ignore"),
        pytest.warns(art.SimulationWarning, match="1 of 4 runs ended early, the first after"),
    ):
        run = art.simulate(arm, q, np.ones(2), torque=UNSTABLE[kind](grows), **options)
    alone = art.simulate(arm, q[0, 0], np.ones(2), torque=UNSTABLE[kind](grows), **options)
    for k in ((0, 0), (0, 1), (1, 1)):
        assert np.array_equal(run.q[k], alone.q) and np.array_equal(run.tau[k], alone.tau)
    first, second, (t, k) = run.info["ended_at"][:2], run.info["ended_at"][3], (run.info["ended_at"][2], 2)
    assert first == [None, None] and second is None and k == 2
    end = round(t / (every * 1e-3))
    assert (run.q[1, 0, end:] == run.q[1, 0, end]).all() and not run.v[1, 0, end + 1 :].any()
    assert np.isfinite(run.a).all() and run.findings[0].what == "diverged"
    assert "member 1, 0 of the batch" in run.findings[0].text
    assert run.batch[0, 0].info["ended_at"] == [None] and not run.batch[0, 0].findings


def test_all_runs_of_a_batch_diverge():
    arm = art.load("2r")
    with pytest.raises(art.Diverged, match="state"):
        art.simulate(arm, np.full((3, 2), 1.5), np.ones(2), 0.05, torque=art.traced(lambda t, q, v: 1e3 * v * v))


def test_events_of_the_runs_that_go_on():
    arm = art.load("2r")
    q = np.array([[0.3, 0.0], [1.5, 0.0], [0.3, 0.0]])
    grows = art.traced(lambda t, q, v: np.where(q > 1, 1e3 * v * v, 0 * v))
    with pytest.warns(art.SimulationWarning):
        run = art.simulate(arm, q, np.ones(2), 0.1, torque=grows, events={"down": lambda t, q, v: v[0]})
    assert sorted(set(run.info["events"]["down"]["state"]) - {1}) == [0, 2]


class Broken(Exception):
    """A controller's own."""


@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("what", [Broken, np.nan, None, [1.0, 2.0, 3.0]])
def test_a_controller_that_fails_keeps_the_run_so_far(what, batch):
    arm = art.load("2r")

    def fails(t, q, v):
        if t < 0.05:
            return 0 * v
        if what is Broken:
            raise Broken
        return what if what is None or isinstance(what, list) else 0 * v + what

    with pytest.raises((Broken, art.ArticulatedError)) as caught:
        art.simulate(arm, np.full((*batch, 2), 0.3), duration=0.1, torque=fails)
    run = caught.value.run
    whole = art.simulate(arm, np.full((*batch, 2), 0.3), duration=0.049)
    assert np.array_equal(run.q, whole.q) and run.info["ended"] == f"by {type(caught.value).__name__}"
    assert "the run so far" in caught.value.__notes__[0]


def test_a_controller_that_fails_at_once_has_no_run():
    with pytest.raises(Broken) as caught:
        art.simulate(art.load("2r"), [0, 0], torque=lambda t, q, v: (_ for _ in ()).throw(Broken()))
    assert not hasattr(caught.value, "run")


def test_a_duration_in_the_place_of_v0():
    with pytest.raises(art.ShapeError, match=r"did you mean duration=2.0\?"):
        art.simulate(art.load("panda"), art.load("panda").poses["home"], 2.0)


def test_a_csv_file_tells_that_it_was_changed(tmp_path, rng):
    path, arm = tmp_path / "run.csv", art.load("2r")
    run = art.simulate(arm, [0.1, 0.2], duration=0.02)
    run.save(path)
    assert np.array_equal(art.Trajectory.load(path).q, run.q)
    good, silent = path.read_bytes(), 0
    for place in rng.integers(0, len(good), 150):
        changed = bytearray(good)
        changed[place] ^= 1 << int(rng.integers(0, 7))
        path.write_bytes(changed)
        try:
            loaded = art.Trajectory.load(path)
        except art.ArticulatedError:
            continue
        same = all(np.array_equal(getattr(loaded, x), getattr(run, x)) for x in ("t", "q", "v", "a", "tau"))
        silent += not same or loaded.info != run.info
    assert not silent


@pytest.mark.parametrize("method", ["euler", "rk4"])
@pytest.mark.parametrize("driven", ["rows", "called"])
def test_a_speed_that_nobody_believes_is_seen_at_any_sample(method, driven, rng):
    """Of one run of a batch, at one sample alone, as the findings of the run have it; and a little less is not said."""
    joint = art.Prismatic([1, 0, 0], limits=art.Limits(velocity=20.0))  # a hundred times that is not believed
    slide = art.build([art.Link("s", None, joint, inertia=art.Inertia(1.0))], gravity=[0, 0, 0])
    steps = 150
    for k in (0, 1, 77, steps - 2, steps - 1, *rng.integers(steps, size=3)):
        for speed in (1999.0, -1999.0, 2001.0, -2001.0, 900.0):
            tau = np.zeros((3, steps, 1))
            tau[1, k] = speed / 1e-3
            tau[1, k + 1 :][:1] = -speed / 1e-3
            torque = tau if driven == "rows" else lambda t, q, v, tau=tau: tau[:, min(round(t / 1e-3), steps - 1)]
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                run = art.simulate(slide, np.zeros((3, 1)), duration=steps * 1e-3, torque=torque, method=method)
            fast = [found for found in run.findings if found.what == "divergence"]
            assert bool(fast) == bool(told) == (abs(speed) > 2000), (k, speed)
            assert not fast or fast[0].t == pytest.approx((k + 1) * 1e-3)


def test_a_speed_after_the_end_of_a_run_is_not_said():
    """The loop goes on behind an event until its piece is over."""
    slide = art.build([art.Link("s", None, art.Prismatic([1, 0, 0]), inertia=art.Inertia(1.0))], gravity=[0, 0, 0])
    tau = np.zeros((400, 1))
    tau[0], tau[300] = 1e3, 1e9
    event = {"there": (lambda t, q, v: q[0] - 0.1, {"terminal": True})}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = art.simulate(slide, [0.0], duration=0.4, torque=tau, events=event)
    assert run.info["ended"] == "by the event 'there'" and run.v.max() < 2


def test_what_is_not_solved_is_said_also_where_no_contact_is_recorded(monkeypatch):
    """Stops of joints, by a bound that no solver meets."""
    arm = art.load("panda")
    run = art.simulate(arm, arm.poses["home"], duration=1.0)
    assert run.contact is None and 0 < run.info["residual"] <= 1e-6
    assert not any(found.what == "residual" for found in run.findings)
    monkeypatch.setattr(summary, "SOLVED", 0.5 * run.info["residual"])
    told = [found.text for found in art.simulate(arm, arm.poses["home"], duration=1.0).findings]
    assert any(f"the largest residual is {run.info['residual']:.2g}" in text for text in told)


def test_a_function_whose_numbers_change_is_compiled_again():
    """Compared with itself once, and looked at in every call."""
    gains = np.array([1.0, 2.0])
    law, arm = art.traced(lambda t, q, v: -gains * q), art.load("2r")
    torques = []
    for _ in range(2):
        torques.append(art.simulate(arm, np.array([0.3, 0.2]), duration=0.01, torque=law).tau[0])
        gains *= 3
    assert np.allclose(torques, [[-0.3, -0.4], [-0.9, -1.2]])


def test_a_flywheel_that_gains_what_is_little_of_its_energy_is_told():
    """2 % of the energy, forty times the speed of the body that carries it."""
    body = art.Link("body", None, art.Floating(), inertia=art.Inertia(1.0, (0, 0, 0), np.diag([0.1, 0.2, 0.3])))
    spin = art.Inertia(0.1, (0, 0, 0), np.diag([0.002, 0.002, 0.004]))
    robot = art.build([body, art.Link("wheel", "body", art.Revolute((0, 0, 1)), inertia=spin)], gravity=(0, 0, 0))
    v0 = [0, 0, 0, 0.5, 0.2, 0.1, 1000.0]
    with pytest.warns(art.SimulationWarning, match="has grown by 28 J, although nothing drives"):
        run = art.simulate(robot, robot.neutral(), v0, 10.0, method="euler", every=10)
    assert [found.what for found in run.findings] == ["energy"]
    run = art.simulate(robot, robot.neutral(), v0, 10.0, method="midpoint", every=10)
    assert not run.findings and np.ptp(run.energy.total) < 1e-9
