"""`articulated compare`: our numbers against those of Pinocchio or MuJoCo."""

import math
from typing import Any

from ..candidates import among
from ..click_commands import Option, Told
from ..exit_codes import PROBLEM, BadInput
from ..options import Floating, RobotName
from ..output import table

PEERS = ("pinocchio", "mujoco", "both")


def compare(
    robot: str = RobotName,
    peer: str = Option(
        "--with", help="pinocchio, mujoco, or both where installed.", complete=among(*PEERS), default="both"
    ),
    states: int = Option("--states", min=1, max=10_000, help="Number of random states.", default=20),
    tolerance: float = Option(
        "--tolerance", help="Largest difference, relative to the size of the term.", default=1e-10
    ),
    floating: bool = Floating,
) -> Told:
    """Compare M, bias, gravity and Jacobians with Pinocchio or MuJoCo, term by term. Exit code 1 if one differs.

    Examples:
      articulated compare robot.urdf --with pinocchio
    """
    from ...errors import unknown

    if peer not in PEERS:
        raise BadInput(str(unknown("peer", peer, "--with", PEERS)))
    if not 0 <= tolerance < math.inf:
        raise BadInput(f"--tolerance is a number, not negative; got {tolerance:g}")
    rows, refused = [], {}
    for name in PEERS[:2] if peer == "both" else (peer,):
        try:
            rows += _rows(name, robot, floating, states, tolerance)
        except BadInput as problem:
            refused[name] = str(problem)
    if not rows:
        raise BadInput("; ".join(f"{name}: {reason}" for name, reason in refused.items()))
    ok = all(r["ok"] for r in rows)
    verdicts = ["same" if r["ok"] else f"differs at {r['body']}" for r in rows]
    shown = [[r["peer"], r["term"], f"{r['error']:.1e}", said] for r, said in zip(rows, verdicts, strict=True)]
    remarks = [f"not compared with {name}: {reason}" for name, reason in refused.items()]
    fields = {"ok": ok, "terms": rows, "not_compared": refused}
    return Told(fields, table(["peer", "term", "error", "verdict"], shown), remarks, 0 if ok else PROBLEM)


def _rows(peer: str, source: str, floating: bool, states: int, tolerance: float) -> list[dict[str, Any]]:
    import numpy as np

    from .. import oracles
    from ..remarks import nothing_moves

    robot, theirs = oracles.PEERS[peer](source, floating)
    if not robot.nv:
        raise BadInput(nothing_moves(robot))
    rng = np.random.default_rng(0)
    q, v = robot.random(rng, states), rng.normal(size=(states, robot.nv))
    frame = robot.frame_names[-1]
    M = robot.mass_matrix(q)
    ours = {
        "M": ("mass matrix", M),
        "bias": ("bias", robot.bias_forces(q, v)),
        "gravity": ("gravity", robot.gravity_forces(q)),
        "J": (f"Jacobian of {frame}", robot.jacobian(q, frame)),
    }
    reference = [theirs(q[i], v[i], frame) for i in range(states)]
    # the scale of forces: at an axis gravity vanishes up to rounding, and bias where nothing turns; the largest
    # inertia is m r², so a weight times its lever is sqrt(m · m r²) g
    inertia = float(abs(M).max(initial=0.0))
    weight = math.sqrt(robot.mass * inertia) * math.hypot(*robot.gravity)
    scales = {"gravity": weight, "bias": weight + inertia * float((v * v).max(initial=0.0))}
    rows = []
    for key in (key for key in ours if key in reference[0]):
        (term, found), expected = ours[key], np.array([row[key] for row in reference])
        by_dof = abs(found - expected).reshape(-1, robot.nv).max(axis=0, initial=0.0)
        size = max(abs(expected).max(initial=0.0), scales.get(key, 0.0))
        relative = by_dof / size if size else np.where(by_dof == 0, 0.0, np.inf)
        worst = float(relative.max(initial=0.0))
        row = {"peer": peer, "term": term, "error": worst, "ok": worst <= tolerance}
        rows.append({**row, "body": "" if row["ok"] else _culprit(robot, relative, tolerance)})
    return rows


def _culprit(robot: Any, by_dof: Any, tolerance: float) -> str:
    """The outermost body whose numbers differ: an error there shows in every body that carries it."""
    differing = [b for b in robot.model.bodies if by_dof[b.dofs].max(initial=0.0) > tolerance]
    carrying = {b.parent for b in differing}
    return next(b.name for b in differing if b not in carrying)
