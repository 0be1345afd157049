"""Evaluations by CasADi, of machine code and of programs in SX: `python -m benchmarks.casadi_calls [file]`.

Forward dynamics of a robot, its Jacobian by q, v and tau, and the Hessian of a weighed sum of its result, each as a
`casadi.Function` that is evaluated without Python (a buffer).  The last row is a whole problem: a Panda moves to
another configuration in 30 steps of the trapezoidal rule with the least torque, by IPOPT with exact Hessians; both take
the same steps.  Candidates run in turn within one run; medians of CPU time of the thread.
"""

import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import casadi
import numpy as np

import articulated as art
import articulated.casadi

ROUNDS, SAMPLE = 15, 2e-3
STEPS, DT = 30, 0.03


def evaluation(function: casadi.Function, arrays: list[np.ndarray]) -> Any:
    """Evaluation of a function where its arguments and results lie."""
    buffer, run = function.buffer()
    given = [np.ascontiguousarray(x, float) for x in arrays]
    results = [np.zeros(function.nnz_out(k)) for k in range(function.n_out())]
    for k, x in enumerate(given):
        buffer.set_arg(k, memoryview(x))
    for k, x in enumerate(results):
        buffer.set_res(k, memoryview(x))
    return lambda kept=(given, results, buffer): run()


def seconds(ways: list[Any]) -> np.ndarray:
    """Seconds of a call of each, (rounds, ways)."""
    found = np.empty((ROUNDS, len(ways)))
    repeats = []
    for way in ways:
        start = time.thread_time()
        way()
        repeats.append(max(1, int(SAMPLE / max(time.thread_time() - start, 1e-7))))
    for k in range(ROUNDS):
        for j, (way, calls) in enumerate(zip(ways, repeats, strict=True)):
            start = time.thread_time()
            for _ in range(calls):
                way()
            found[k, j] = (time.thread_time() - start) / calls
    return found


def hessian(function: casadi.Function, sizes: list[int]) -> casadi.Function:
    """Second derivatives of a weighed sum of a function's result."""
    x, weights = casadi.MX.sym("x", sum(sizes)), casadi.MX.sym("w", function.numel_out(0))
    parts = casadi.vertsplit(x, np.cumsum([0, *sizes]).tolist())
    return casadi.Function("h", [x, weights], [casadi.hessian(casadi.dot(weights, function(*parts)), x)[0]])


def rows(name: str) -> list[str]:
    """Rows of a robot."""
    robot = art.load(name)
    bridge, rng = articulated.casadi.Robot(robot), np.random.default_rng(0)
    state = [robot.random(rng), *rng.normal(size=(2, robot.nv))]
    sizes, weights = [len(x) for x in state], rng.normal(size=robot.nv)
    program, code = (way("forward_dynamics") for way in (bridge.function, bridge.compiled))
    given = {
        "forward dynamics": ((program, code), state),
        "its Jacobian": ((program.jacobian(), code.jacobian()), [*state, np.zeros(robot.nv)]),
        "a Hessian": ((hessian(program, sizes), hessian(code, sizes)), [np.concatenate(state), weights]),
    }
    return [row(f"{name}, {what}", [evaluation(f, x) for f in pair]) for what, (pair, x) in given.items()]


def row(title: str, ways: list[Any]) -> str:
    """A row of the table."""
    found = seconds(ways)
    ratio, (program, code) = np.median(found[:, 0] / found[:, 1]), np.median(found, axis=0) * 1e6
    return f"| {title} | {program:,.1f} µs | {code:,.2f} µs | {ratio:.0f}× |"


def problem(dynamics: casadi.Function, robot: art.Robot) -> casadi.Function:
    """A motion with the least torque, as a solver."""
    n, opti, x = robot.nv, [], []
    q, v, tau = (casadi.MX.sym(name, n, STEPS + 1) for name in ("q", "v", "tau"))
    a = [dynamics(q[:, k], v[:, k], tau[:, k]) for k in range(STEPS + 1)]
    for k in range(STEPS):
        opti += [q[:, k + 1] - q[:, k] - DT / 2 * (v[:, k] + v[:, k + 1])]
        opti += [v[:, k + 1] - v[:, k] - DT / 2 * (a[k] + a[k + 1])]
    start = robot.poses["home"]
    ends = [q[:, 0] - start, q[:, -1] - start - 0.5, v[:, 0], v[:, -1]]
    x = casadi.vertcat(*map(casadi.vec, (q, v, tau)))
    rows = {"x": x, "f": casadi.sumsqr(tau) * DT, "g": casadi.vertcat(*opti, *ends)}
    quiet = {"ipopt.print_level": 0, "print_time": False, "ipopt.sb": "yes", "ipopt.tol": 1e-8}
    return casadi.nlpsol("motion", "ipopt", rows, quiet)


def motion() -> str:
    """The row of the whole problem."""
    robot = art.load("panda")
    bridge = articulated.casadi.Robot(robot)
    start = np.concatenate([np.tile(robot.poses["home"], STEPS + 1), np.zeros(2 * robot.nv * (STEPS + 1))])
    solvers = [problem(way("forward_dynamics"), robot) for way in (bridge.function, bridge.compiled)]
    found, times = [], np.empty((3, 2))
    for k in range(3):
        for j, solver in enumerate(solvers):
            begin = time.thread_time()
            found.append(np.asarray(solver(x0=start, lbg=0.0, ubg=0.0)["x"]))
            times[k, j] = time.thread_time() - begin
            assert solver.stats()["success"]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6, atol=1e-6)
    (program, code), steps = np.median(times, axis=0), solvers[1].stats()["iter_count"]
    return (
        f"| panda, the whole problem, {steps} iterations of IPOPT | {program * 1e3:,.0f} ms | {code * 1e3:,.0f} ms |"
        f" {np.median(times[:, 0] / times[:, 1]):.1f}× |"
    )


def main(path: str = str(Path(__file__).with_suffix(".md"))) -> None:
    """Write the table."""
    head = "| | program in SX | machine code | ratio |\n" + "| --- " * 4 + "|"
    text = "\n".join([head, *rows("panda"), *rows("quadruped"), motion()])
    about = (__doc__ or "").partition("\n\n")[2].strip()
    Path(path).write_text(
        f"# Evaluations by CasADi\n\nWritten by `python -m benchmarks.casadi_calls`, CasADi {version('casadi')}.\n\n"
        f"{about}\n\n{text}\n",
        "utf-8",
    )
    print(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
