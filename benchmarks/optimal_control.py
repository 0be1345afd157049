"""Optimal control: ours and Crocoddyl's on the same problem, a reach of the Panda.

`python -m benchmarks.optimal_control` writes benchmarks/optimal_control.md.
"""

import platform
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import numpy as np

import articulated as art

T, DT, ITERATIONS, ROUNDS = 100, 0.01, 10, 15
WEIGHTS = {"control": 1e-3, "state": 0.1, "reach": 1.0, "final": 1e3}
FRAME = "panda_hand"
#: problems at once
MANY = 256


def problem(robot):
    """Reach a point with little torque and little motion."""
    home = robot.poses["home"]
    target = robot.pose(home, FRAME)[:3, 3] + [0.1, 0.3, -0.2]
    held = robot.gravity_forces(home)
    costs = [
        art.costs.control(WEIGHTS["control"], held),
        art.costs.state(home, weight=WEIGHTS["state"], final=WEIGHTS["state"]),
        art.costs.frame(FRAME, target, weight=WEIGHTS["reach"], final=WEIGHTS["final"]),
    ]
    return art.Problem(robot, T, costs, dt=DT), home, target, held


def on_crocoddyl(robot, home, target, held):
    """The same costs on the same robot, and a function that runs some iterations."""
    import crocoddyl
    import pinocchio as pin

    with tempfile.TemporaryDirectory() as folder:
        art.save(robot, path := Path(folder) / "panda.urdf")
        model = pin.buildModelFromUrdf(str(path))
    state = crocoddyl.StateMultibody(model)
    full = crocoddyl.ActuationModelFull(state)
    limit = np.array(robot.limits.effort)

    def action(reach, dt):
        costs = crocoddyl.CostModelSum(state)
        x0 = np.concatenate([home, np.zeros(7)])
        rows = [
            ("state", crocoddyl.ResidualModelState(state, x0), WEIGHTS["state"]),
            ("reach", crocoddyl.ResidualModelFrameTranslation(state, model.getFrameId(FRAME), target), reach),
        ]
        if dt:
            rows.append(("control", crocoddyl.ResidualModelControl(state, held), WEIGHTS["control"]))
        for name, residual, weight in rows:
            costs.addCost(name, crocoddyl.CostModelResidual(state, residual), weight)
        moving = crocoddyl.DifferentialActionModelFreeFwdDynamics(state, full, costs)
        found = crocoddyl.IntegratedActionModelEuler(moving, dt)
        if dt:
            found.u_lb, found.u_ub = -limit, limit
        return found

    x0 = np.concatenate([home, np.zeros(7)])
    shooting = crocoddyl.ShootingProblem(x0, [action(WEIGHTS["reach"], DT)] * T, action(WEIGHTS["final"], 0.0))
    solver = crocoddyl.SolverBoxDDP(shooting)
    solver.th_stop = 1e-30

    def solve(iterations):
        us = [held.copy() for _ in range(T)]
        solver.solve(shooting.rollout(us), us, iterations, True)
        return solver.cost, solver.iter

    return solve


def measured() -> list[str]:
    """The lines of the report."""
    robot = art.load("panda")
    ours, home, target, held = problem(robot)
    theirs = on_crocoddyl(robot, home, target, held)
    best, other = ours.solve(home, tolerance=1e-13).cost, theirs(100)[0]
    assert abs(best - other) < 1e-6 * other, (best, other)
    starts = home + 0.05 * np.random.default_rng(0).normal(size=(MANY, 7))
    ours.solve(starts, iterations=1)
    times: dict[str, list[float]] = {"ours": [], "crocoddyl": [], "many": []}
    for _ in range(ROUNDS):
        for name, run in (
            ("ours", lambda: ours.solve(home, iterations=ITERATIONS, tolerance=0.0).iterations),
            ("crocoddyl", lambda: theirs(ITERATIONS)[1]),
            ("many", lambda: ours.solve(starts, iterations=ITERATIONS, tolerance=0.0).iterations.sum()),
        ):
            began = time.process_time()
            count = run()
            times[name].append((time.process_time() - began) / max(1, int(count)))
    each = {name: 1e3 * float(np.median(x)) for name, x in times.items()}
    ratio = float(np.median(np.array(times["ours"]) / np.array(times["crocoddyl"])))
    ratio_many = float(np.median(np.array(times["many"]) / np.array(times["crocoddyl"])))
    return [
        "| candidate | an iteration, ms | of Crocoddyl's |",
        "| --- | --- | --- |",
        f"| Crocoddyl, SolverBoxDDP, one thread | {each['crocoddyl']:.2f} | 1 |",
        f"| ours, one problem | {each['ours']:.2f} | {ratio:.2f} |",
        f"| ours, {MANY} problems at once, each | {each['many']:.2f} | {ratio_many:.2f} |",
        "",
        f"Costs of the solutions: {best:.9f} and {other:.9f}.",
    ]


def main() -> None:
    """Measure, and write the page."""
    lines = measured()
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "llvmlite", "crocoddyl", "pin"))
    text = f"""# Optimal control

By `python -m benchmarks.optimal_control`: a reach of the Panda, {T} steps of {DT} s, torques within their limits, costs
of torques, states and the position of the hand; {ITERATIONS} iterations from the torques that hold it, feasible
rollouts.  Candidates run in turn on a machine with other work; medians of the CPU time of the process.

{platform.machine()}; Python {platform.python_version()}, {versions}.

"""
    Path(__file__).with_suffix(".md").write_text(text + "\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
