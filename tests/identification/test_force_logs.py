"""Logs with force sensors, measured and unknown contact forces; floating bases, whose torques no file has."""

import numpy as np
import pytest

import articulated as art
from articulated.logs import LogError
from tests.cli.command import run
from tests.identification.motions import samples

T = np.arange(0, 1.5, 0.002)
FEET = ("FL_FOOT", "HR_FOOT")
AXES = ("fx", "fy", "fz")


def _csv(path, columns):
    np.savetxt(path, np.stack(list(columns.values()), axis=1), "%.17g", ",", header=",".join(columns), comments="")
    return path


@pytest.fixture(scope="module")
def stand():
    """A quadruped that is heavier than described, pushed at its feet as its motion takes."""
    robot, rng = art.load("quadruped", floating_base=True), np.random.default_rng(0)
    true = robot.attach("base", art.Inertia(2.0, (0.05, 0.0, 0.05)))
    block = samples(true, len(T))
    state = [block[name] for name in ("q", "v", "a")]
    forces = {foot: np.c_[rng.normal(0, 30, (len(T), 3)), np.zeros((len(T), 3))] for foot in FEET}
    forces["base"] = np.asarray(true.inverse_dynamics(*state, forces=forces))[:, :6]
    tau = np.asarray(true.inverse_dynamics(*state, forces=forces))
    assert abs(tau[:, :6]).max() < 1e-9
    return robot, true, block | {"tau": tau}, forces


def _columns(robot, block, base="floating_base"):
    names = robot.names("q")[0], robot.names("v")[0]
    parts = {"q": names[0], "v": names[1], "a": names[1], "tau": names[1][6:]}
    held = block | {"tau": block["tau"][:, 6:]}
    return {"time": T} | {
        f"{name}_{part}".replace("floating_base", base): held[name][:, k]
        for name, those in parts.items()
        for k, part in enumerate(those)
    }


@pytest.mark.parametrize("base", ["floating_base", "base"])
@pytest.mark.parametrize("ending", ["csv", "npz"])
def test_a_floating_base_with_measured_forces(stand, base, ending, tmp_path):
    robot, true, block, forces = stand
    path = tmp_path / f"run.{ending}"
    if ending == "csv":
        pushed = {f"{foot}_{axis}": forces[foot][:, k] for foot in FEET for k, axis in enumerate(AXES)}
        twist = [f"/mocap/{part}/{axis}" for part in ("force", "torque") for axis in "xyz"]
        _csv(path, _columns(robot, block, base) | pushed | dict(zip(twist, forces["base"].T, strict=True)))
    else:
        arrays = {name: np.ascontiguousarray(forces[name][:, :3]) for name in FEET} | {"mocap": forces["base"]}
        np.savez(path, time=T, **block | {"tau": np.ascontiguousarray(block["tau"][:, 6:])}, **arrays)
    log = art.read_log(robot, path, forces={"base": "mocap", **{foot: foot for foot in FEET}})
    assert set(log.forces) == {"base", *FEET} and "torques of the floating base are zero" in " ".join(log.notes)
    found = art.identify(robot, log, friction=None, consistent=False)
    wanted = art.base_parameters(true).values
    assert abs(found.base.values - wanted).max() < 1e-9 * abs(wanted).max()
    if ending == "csv":
        every = [f"--force={name}" for name in ("base=mocap", *FEET)]
        told = run("identify", "quadruped", path, "--floating", *every, "--friction", "none", "--json").json
        assert told["residual"] < 1e-5


def test_a_floating_base_without_its_forces_is_a_clear_word(stand, tmp_path):
    robot, _, block, _ = stand
    log = art.read_log(robot, _csv(tmp_path / "run.csv", _columns(robot, block)))
    with pytest.raises(art.ShapeError, match=r"no force acts on the floating base in this log.*give forces="):
        art.identify(robot, log)
    still = 0 * block["v"]
    falls = {"q": block["q"], "v": still, "tau": still}
    falls["a"] = np.asarray(robot.forward_dynamics(block["q"], still, still))
    with pytest.raises(art.ShapeError, match="all torques and forces of the log are zero"):
        art.identify(robot, falls, friction=None)
    joints = np.r_[np.zeros(6), np.ones(robot.nv - 6)]  # free flight is a log like others
    falls["tau"] = joints * block["tau"]
    falls["a"] = np.asarray(robot.forward_dynamics(block["q"], still, falls["tau"]))
    found = art.identify(robot, falls, friction=None)
    # the prior weighs against residuals that are taken for at least 1e-5 of the torque
    assert found.relative_residual < 1e-4 and found.consistent


def test_unknown_contacts(stand, tmp_path):
    robot, true, block, forces = stand
    touching = {foot: np.random.default_rng(1).uniform(size=len(T)) < 0.7 for foot in FEET}
    acts = {foot: forces[foot] * touching[foot][:, None] for foot in FEET}
    state = [block[name] for name in ("q", "v", "a")]
    acts["base"] = np.asarray(true.inverse_dynamics(*state, forces=acts))[:, :6]
    tau = np.asarray(true.inverse_dynamics(*state, forces=acts))
    columns = _columns(robot, block | {"tau": tau})
    columns |= {f"/contact/{foot}/state": on.astype(float) for foot, on in touching.items()}
    columns |= {f"mocap_{k}": x for k, x in enumerate(acts["base"].T)}
    log = art.read_log(robot, _csv(tmp_path / "run.csv", columns), contacts=FEET, forces={"base": "mocap"})
    assert all((log.contacts[foot] == touching[foot]).all() for foot in FEET)
    found = art.identify(robot, log, friction=None, consistent=False)
    wanted = art.base_parameters(true).values
    assert abs(found.base.values - wanted).max() < 1e-9 * abs(wanted).max()
    own = [f"--contact={foot}" for foot in FEET]
    told = run("identify", "quadruped", tmp_path, "--floating", "--force=base=mocap", *own, "--json").json
    assert told["residual"] < 1e-5


def test_a_wrist_sensor_is_read_and_filtered_like_torques(tmp_path):
    robot = art.load("panda")
    true = robot.attach("panda_hand", art.Inertia(1.3, (0.02, -0.01, 0.06), np.diag([2e-3, 3e-3, 2.5e-3])))
    run_of = art.excitation(robot, 4.0, rate=250, harmonics=3)
    state = run_of.q, run_of.v, run_of.a
    hinge = true.replace("panda_hand", joint=art.Revolute((0, 0, 1), name="stiff"))
    at = hinge.index("stiff").v.start
    still = [np.insert(x, at, 0.0, axis=1) for x in state]
    wrench = np.asarray(hinge.body_wrenches(*still))[:, hinge.body_names.index("panda_hand")]
    columns = {"time": run_of.t, **{f"q{k}": x for k, x in enumerate(run_of.q.T)}}
    columns |= {f"tau{k}": x for k, x in enumerate(np.asarray(true.inverse_dynamics(*state)).T)}
    names = [f"/ft_sensor/wrench/{part}/{axis}" for part in ("force", "torque") for axis in "xyz"]
    path = _csv(tmp_path / "run.csv", columns | dict(zip(names, wrench.T, strict=True)))
    log = art.read_log(robot, path, sensors={"panda_hand": "/ft_sensor"})
    assert log.columns["sensors panda_hand"] == names
    found = art.identify(robot, log, friction=None, only="payload", link="panda_hand")
    assert found.payload.mass == pytest.approx(1.3, rel=0.01)
    assert abs(np.array(found.payload.com, float) - (0.02, -0.01, 0.06)).max() < 2e-3
    out = tmp_path / "found.urdf"
    run("identify", "panda", path, "--sensor", "panda_hand=/ft_sensor", "-o", out)
    assert art.load(out).mass == pytest.approx(true.mass, rel=0.05)
    with pytest.raises(LogError, match="no columns for sensors panda_hand; none has 'ftsensor' in its name"):
        art.read_log(robot, path, sensors={"panda_hand": "ftsensor"})
    with pytest.raises(KeyError, match="panda_hnd"):
        art.read_log(robot, path, sensors="panda_hnd")
