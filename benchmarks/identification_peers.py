"""Identification beside its peers: `python -m benchmarks.identification_peers` writes identification_peers.md.

A UR5 with a payload that its description does not have: what each makes of a log, and of states it has not seen.
Needs figaroh, and mujoco with what `mujoco[sysid]` asks for.
"""

import contextlib
import io
import platform
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import articulated as art

STATES, NOISE, TURNS = 400, 0.3, 3
#: s; what takes longer is run once
SLOW = 5.0
#: of the motion: samples per second, s, and s that are simulated from each measured state
RATE, DURATION, WINDOW = 500, 4.0, 0.1
COLUMNS = ("way", "left of the torque", "of states it has not seen", "links are possible bodies", "CPU s")
Floats = np.ndarray
Log = dict[str, Floats]
Way = tuple[Callable[[Log], Floats], bool]


def robots() -> tuple[art.Robot, art.Robot]:
    """As described, and with the payload."""
    robot = art.load("ur5")
    load = art.Inertia(1.5, (0.02, 0.01, 0.08), np.diag([4e-3, 5e-3, 3e-3]))
    return robot, robot.attach(robot.frame_names[-1], load)


def states(robot: art.Robot, true: art.Robot, seed: int) -> Log:
    """Random states and their torques."""
    rng = np.random.default_rng(seed)
    q = np.asarray(robot.random(rng, (STATES,)))
    v, a = rng.normal(0, 1, (STATES, robot.nv)), rng.normal(0, 3, (STATES, robot.nv))
    return {"q": q, "v": v, "a": a, "tau": np.asarray(true.inverse_dynamics(q, v, a))}


def motion(robot: art.Robot, true: art.Robot, folder: Path) -> tuple[Log, Log]:
    """A run as an encoder sees it: times, q, v and tau with noise; and what `read_log` makes of it."""
    run, rng = art.excitation(robot, DURATION, rate=RATE), np.random.default_rng(0)
    tau = np.asarray(true.inverse_dynamics(run.q, run.v, run.a))
    seen = {"time": run.t, "q": run.q + rng.normal(0, 1e-5, run.q.shape), "v": run.v + rng.normal(0, 1e-3, run.v.shape),
            "tau": tau + rng.normal(0, NOISE, tau.shape)}  # fmt: skip
    np.savez(folder / "run.npz", **seen)
    log = art.read_log(robot, folder / "run.npz")
    return seen, {name: getattr(log, name) for name in ("q", "v", "a", "tau")}


def ours(robot: art.Robot, log: Log, **options: Any) -> Way:
    """`art.identify`."""
    found = art.identify(robot, log, friction=None, folds=0, **options)
    return lambda other: found.predict(other["q"], other["v"], other["a"]), found.consistent


def figaroh(robot: art.Robot, log: Log, path: Path) -> Way:
    """Regressor, QR and least squares in base parameters; links are not asked for."""
    import pinocchio
    from figaroh.tools.qrdecomposition import get_baseIndex
    from figaroh.tools.regressor import build_regressor_basic

    model = pinocchio.buildModelFromUrdf(str(path))
    about, settings = SimpleNamespace(model=model, data=model.createData()), {"act_idxv": list(range(robot.nv))}

    def regressor(x: Log) -> Floats:
        return build_regressor_basic(about, x["q"], x["v"], x["a"], settings)

    W = regressor(log)
    kept = np.flatnonzero((W**2).sum(axis=0) > 1e-6)
    columns = kept[list(get_baseIndex(W[:, kept], [str(k) for k in kept]))]
    found = np.linalg.lstsq(W[:, columns], log["tau"].T.ravel(), rcond=None)[0]
    return lambda other: (regressor(other)[:, columns] @ found).reshape(robot.nv, -1).T, False


def torques(model: Any, data: Any, log: Log) -> Floats:
    """Inverse dynamics of MuJoCo, state by state."""
    import mujoco

    out = np.empty_like(log["v"])
    for row, q, v, a in zip(out, log["q"], log["v"], log["a"], strict=True):
        data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
        mujoco.mj_inverse(model, data)
        row[:] = data.qfrc_inverse
    return out


def modifier(sysid: Any, name: str) -> Callable[[Any, Any], None]:
    """Setter of a body's pseudo-inertia: that of MuJoCo 4.0.0 leaves NaN in its quaternion, and so in the model."""

    def changed(spec: Any, param: Any) -> None:
        sysid.apply_body_inertia(spec, name, param)
        spec.body(name).iquat[:] = 1.0, 0.0, 0.0, 0.0

    return changed


class Sysid:
    """`mujoco.sysid`: nonlinear least squares on the pseudo-inertias of links, by finite differences."""

    def __init__(self, path: Path, links: int, **options: Any):
        import mujoco
        from mujoco import sysid

        self.sysid, self.mujoco, self.options = sysid, mujoco, options
        self.spec = mujoco.MjSpec.from_file(str(path))
        self.spec.option.timestep = 1 / RATE
        self.spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        self.joints = [joint.name for joint in self.spec.joints]
        for kind in (mujoco.mjtSensor.mjSENS_JOINTPOS, mujoco.mjtSensor.mjSENS_JOINTVEL):
            for name in self.joints:
                about = {"type": kind, "objtype": mujoco.mjtObj.mjOBJ_JOINT, "objname": name}
                self.spec.add_sensor(name=f"{name}_{kind.name}", **about)
        while self.spec.actuators:
            self.spec.delete(self.spec.actuators[0])
        for name in self.joints:
            self.spec.add_actuator(name=f"{name}_motor", target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        self.model = self.spec.compile()
        self.sought = sysid.ParameterDict()
        moving = [body.name for body in self.spec.bodies if body.joints]
        for name in moving[-links:]:
            about = {
                "inertia_type": sysid.InertiaType.Pseudo, "mass_bound_mult": np.array([0.01, 100.0]),
                "stretch_bound_mult": np.array([0.01, 100.0]), "shear_bound_off": np.array([-2.0, 2.0]),
                "modifier": modifier(sysid, name),
            }  # fmt: skip
            self.sought.add(sysid.body_inertia_param(self.spec, self.model, name, **about))

    def least(self, residual: Callable[..., Any]) -> Way:
        """The fit."""
        with contextlib.redirect_stdout(io.StringIO()):  # of each step
            found, _ = self.sysid.optimize(self.sought.copy(), residual, verbose=False, **self.options)
        model = self.sysid.apply_param_modifiers(found, self.spec.copy())
        return partial(torques, model, self.mujoco.MjData(model)), True

    def of_torques(self, log: Log) -> Way:
        """Residuals of torques, through inverse dynamics."""

        def residual(x: Floats, params: Any) -> tuple[list[Floats], list, list]:
            each = []
            for column in np.atleast_2d(x.T):
                params.update_from_vector(column)
                model = self.sysid.apply_param_modifiers(params, self.spec.copy())
                each.append((torques(model, self.mujoco.MjData(model), log) - log["tau"]).ravel() / NOISE)
            return [np.stack(each, axis=1) if x.ndim > 1 else each[0]], [], []

        return self.least(residual)

    def of_motions(self, seen: Log) -> Way:
        """Residuals of positions and velocities, through simulations from measured states, as the tool means it."""
        size, series = round(WINDOW * RATE), self.sysid.TimeSeries
        data, starts, controls, sensors = self.mujoco.MjData(self.model), [], [], []
        for k in range(0, len(seen["q"]) - size, size):
            own = {name: x[k : k + size + 1] for name, x in seen.items()}
            t = own["time"] - own["time"][0]
            starts.append(self.sysid.create_initial_state(self.model, own["q"][0], own["v"][0], data.act))
            controls.append(series(t, own["tau"]))
            sensors.append(series.from_names(t, np.concatenate([own["q"], own["v"]], axis=1), self.model))
        names = [f"window {k}" for k in range(len(starts))]
        windows = self.sysid.ModelSequences("robot", self.spec, names, starts, controls, sensors)
        return self.least(self.sysid.build_residual_fn(models_sequences=[windows], n_threads=1))


def measured(ways: dict[str, Callable[[], Way]], log: Log, other: Log) -> list[str]:
    """Rows of a table; ways are interleaved."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    found: dict[str, Way] = {}
    for name, way in ways.items():
        way() if name.startswith("articulated") else None  # compiled once
    for _ in range(TURNS):
        for name, way in ways.items():
            if max(seconds[name], default=0.0) < SLOW:
                begin = time.process_time()
                found[name] = way()
                seconds[name].append(time.process_time() - begin)
    rows = []
    for name, (predict, possible) in found.items():
        left = [np.linalg.norm(predict(x) - x["tau"]) / np.linalg.norm(x["tau"]) for x in (log, other)]
        cell = "yes" if possible else "not asked for"
        rows.append(f"| {name} | {left[0]:.3%} | {left[1]:.3%} | {cell} | {statistics.median(seconds[name]):.2f} |")
    return rows


def main() -> None:
    """Write the page."""
    warnings.simplefilter("ignore")
    robot, true = robots()
    with tempfile.TemporaryDirectory() as folder:
        urdf, mjcf = Path(folder) / "robot.urdf", Path(folder) / "robot.xml"
        art.save(robot, urdf)
        art.save(robot, mjcf)
        log, other = states(robot, true, 0), states(robot, true, 1)
        log["tau"] = log["tau"] + np.random.default_rng(2).normal(0, NOISE, log["tau"].shape)
        seen, run = motion(robot, true, Path(folder))
        tables = []
        for samples in (log, run):
            ways: dict[str, Callable[[], Way]] = {
                "articulated, consistent": partial(ours, robot, samples),
                "articulated, least squares": partial(ours, robot, samples, consistent=False),
                "articulated, last link": partial(ours, robot, samples, only="payload"),
                "figaroh, base parameters": partial(figaroh, robot, samples, urdf),
                "mujoco.sysid, torques, last link": partial(Sysid(mjcf, 1).of_torques, samples),
            }
            if samples is run:
                quick = Sysid(mjcf, 1, optimizer="scipy_parallel_fd")
                ways["mujoco.sysid, motions, last link"] = partial(quick.of_motions, seen)
            else:
                ways["mujoco.sysid, torques, all links"] = partial(Sysid(mjcf, robot.nv).of_torques, samples)
            tables.append("\n".join(measured(ways, samples, other)))
    head = f"| {' | '.join(COLUMNS)} |\n|---|---|---|---|---|"
    text = f"""# Identification beside its peers

Written by `python -m benchmarks.identification_peers` on {platform.machine()}, Python {platform.python_version()}; CPU
time, ways interleaved, the median of {TURNS} turns (one of those beyond {SLOW:g} s), the machine shared with other
work. A UR5 with a payload of 1.5 kg that its description does not have; the {STATES} states it has not seen are random
and without noise. `mujoco.sysid` (MuJoCo {mujoco_version()}) fits pseudo-inertias by nonlinear least squares with
finite differences: `torques` by `mj_inverse`, `motions` by simulations of {WINDOW:g} s from measured states, which is
what it is made for.

## {STATES} random states, torques with noise of {NOISE} N m

{head}
{tables[0]}

## A motion of {DURATION:g} s at {RATE} Hz: q, v and torques with noise, accelerations by `read_log`

{head}
{tables[1]}
"""
    (Path(__file__).parent / "identification_peers.md").write_text(text, "utf-8")
    print(text)


def mujoco_version() -> str:
    """Version of MuJoCo."""
    import mujoco

    return str(mujoco.__version__)


if __name__ == "__main__":
    main()
