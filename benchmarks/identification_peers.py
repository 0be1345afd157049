"""Identification beside its peers: `python -m benchmarks.identification_peers` writes identification_peers.md.

One simulated log of a UR5 with a payload, without friction: what each makes of it, and of states it has not seen.
Needs figaroh.
"""

import platform
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import articulated as art

STATES, NOISE = 400, 0.3
Floats = np.ndarray
Log = dict[str, Floats]


def data() -> tuple[art.Robot, Log, Log]:
    """The robot as described, a log to learn from and one to predict, of the robot with a payload."""
    robot = art.load("ur5")
    true = robot.attach(robot.frame_names[-1], art.Inertia(1.5, (0.02, 0.01, 0.08), np.diag([4e-3, 5e-3, 3e-3])))
    logs = []
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        q = np.asarray(robot.random(rng, (STATES,)))
        v, a = rng.normal(0, 1, (STATES, robot.nv)), rng.normal(0, 3, (STATES, robot.nv))
        tau = np.asarray(true.inverse_dynamics(q, v, a)) + rng.normal(0, NOISE, (STATES, robot.nv)) * (seed == 0)
        logs.append({"q": q, "v": v, "a": a, "tau": tau})
    return robot, *logs


def payload(robot: art.Robot, log: Log) -> tuple[Callable[[Log], Floats], bool]:
    """`art.identify` of a payload alone."""
    found = art.identify(robot, log, friction=None, only="payload", folds=0)
    return lambda other: found.predict(other["q"], other["v"], other["a"]), found.consistent


def ours(robot: art.Robot, log: Log, consistent: bool) -> tuple[Callable[[Log], Floats], bool]:
    """`art.identify`."""
    found = art.identify(robot, log, friction=None, consistent=consistent, folds=0)
    return lambda other: found.predict(other["q"], other["v"], other["a"]), found.consistent


def figaroh(robot: art.Robot, log: Log, path: Path) -> tuple[Callable[[Log], Floats], bool]:
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


def main() -> None:
    """Write the page."""
    warnings.simplefilter("ignore")
    robot, log, other = data()
    with tempfile.TemporaryDirectory() as folder:
        urdf = Path(folder) / "robot.urdf"
        art.save(robot, urdf)
        ways = {
            "articulated, consistent": lambda: ours(robot, log, True),
            "articulated, least squares": lambda: ours(robot, log, False),
            "articulated, payload alone": lambda: payload(robot, log),
            "figaroh, base parameters": lambda: figaroh(robot, log, urdf),
        }
        rows = []
        for name, way in ways.items():
            way() if name.startswith("articulated") else None  # compiled once
            begin = time.process_time()
            predict, possible = way()
            seconds = time.process_time() - begin
            left = [np.linalg.norm(predict(x) - x["tau"]) / np.linalg.norm(x["tau"]) for x in (log, other)]
            rows.append(
                f"| {name} | {left[0]:.3%} | {left[1]:.3%} | {'yes' if possible else 'not asked for'} | {seconds:.2f} |"
            )
    text = f"""# Identification beside its peers

Written by `python -m benchmarks.identification_peers` on {platform.machine()}, Python {platform.python_version()}; CPU
time, the machine shared with other work. A UR5 with a payload of 1.5 kg that its description does not have, {STATES}
random states with noise of {NOISE} N m; the other {STATES} states are without noise.

| way | left of the torque | of states it has not seen | links are possible bodies | CPU s |
|---|---|---|---|---|
{chr(10).join(rows)}
"""
    (Path(__file__).parent / "identification_peers.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
