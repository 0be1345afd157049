"""`articulated compare`: our numbers against those of Pinocchio or MuJoCo."""

import math
from typing import Any

from ..click_commands import Option
from ..completing import among
from ..exit_codes import PROBLEM, BadInput
from ..options import Floating, Json, RobotName
from ..output import print_json, print_table, say

PEERS = ("pinocchio", "mujoco")


OFFERED = among("pinocchio", "mujoco", "both")


def compare(
    robot: str = RobotName,
    peer: str = Option("--with", help="pinocchio, mujoco, or both where installed.", complete=OFFERED, default="both"),
    states: int = Option("--states", min=1, max=10_000, help="Number of random states.", default=20),
    tolerance: float = Option(
        "--tolerance", help="Largest difference, relative to the size of the term.", default=1e-10
    ),
    floating: bool = Floating,
    as_json: bool = Json,
) -> int:
    """Compare M, bias, gravity and Jacobians with Pinocchio or MuJoCo, term by term. Exit code 1 if one differs.

    Examples:
      articulated compare robot.urdf --with pinocchio
    """
    from ...errors import unknown

    if peer not in (*PEERS, "both"):
        raise BadInput(str(unknown("peer", peer, "--with", [*PEERS, "both"])))
    if not 0 <= tolerance < math.inf:
        raise BadInput(f"--tolerance is a number, not negative; got {tolerance:g}")
    rows, refused = [], {}
    for name in PEERS if peer == "both" else (peer,):
        try:
            rows += _rows(name, robot, floating, states, tolerance)
        except BadInput as problem:
            refused[name] = str(problem)
    if not rows:
        raise BadInput("; ".join(f"{name}: {reason}" for name, reason in refused.items()))
    if as_json:
        print_json("compare", {"ok": all(r["ok"] for r in rows), "terms": rows, "not_compared": refused})
    else:
        verdicts = ["same" if r["ok"] else f"differs at {r['body']}" for r in rows]
        table = [[r["peer"], r["term"], f"{r['error']:.1e}", said] for r, said in zip(rows, verdicts, strict=True)]
        print_table(["peer", "term", "error", "verdict"], table)
        for name, reason in refused.items():
            say(f"not compared with {name}: {reason}")
    return 0 if all(r["ok"] for r in rows) else PROBLEM


def _rows(peer: str, source: str, floating: bool, states: int, tolerance: float) -> list[dict[str, Any]]:
    import numpy as np

    from ..oracles import mujoco, pinocchio
    from ..remarks import nothing_moves

    robot, theirs = {"pinocchio": pinocchio.peer, "mujoco": mujoco.peer}[peer](source, floating)
    if not robot.nv:
        raise BadInput(nothing_moves(robot))
    rng = np.random.default_rng(0)
    q, v = robot.random(rng, states), rng.normal(size=(states, robot.nv))
    frame = robot.frame_names[-1]
    ours = {
        "mass matrix": robot.mass_matrix(q), "bias": robot.bias_forces(q, v), "gravity": robot.gravity_forces(q),
        f"Jacobian of {frame}": robot.jacobian(q, frame),
    }  # fmt: skip
    reference = [theirs(q[i], v[i], frame) for i in range(states)]
    keys = ("M", "bias", "gravity", "J")
    sizes = _sizes(robot, ours["mass matrix"], v)
    rows = []
    for (term, found), key in zip(ours.items(), keys, strict=True):
        if key not in reference[0]:
            continue
        expected = np.array([row[key] for row in reference])
        by_dof = abs(found - expected).reshape(-1, robot.nv).max(axis=0, initial=0.0)
        size = max(abs(expected).max(initial=0.0), sizes.get(key, 0.0))
        relative = by_dof / size if size else np.where(by_dof == 0, 0.0, np.inf)
        worst = float(relative.max(initial=0.0))
        row = {"peer": peer, "term": term, "error": worst, "ok": worst <= tolerance}
        rows.append({**row, "body": "" if row["ok"] else _culprit(robot, relative, tolerance)})
    return rows


def _sizes(robot: Any, M: Any, v: Any) -> dict[str, float]:
    """Scale of forces, N m or N: at an axis gravity vanishes up to rounding, and bias where nothing turns.

    The largest inertia is m r², so a weight times its lever is sqrt(m · m r²) g.
    """
    inertia = float(abs(M).max(initial=0.0))
    weight = math.sqrt(robot.mass * inertia) * math.hypot(*robot.gravity)
    return {"gravity": weight, "bias": weight + inertia * float((v * v).max(initial=0.0))}


def _culprit(robot: Any, by_dof: Any, tolerance: float) -> str:
    """The outermost body whose numbers differ: an error there shows in every body that carries it."""
    differing = [b for b in robot.model.bodies if by_dof[b.dofs].max(initial=0.0) > tolerance]
    carrying = {b.parent for b in differing}
    return next(b.name for b in differing if b not in carrying)
