"""`articulated regressor`: the matrix from inertial parameters to forces."""

from .options import A, Floating, Json, Log, Output, Q, Quiet, RobotName, V

PARAMETERS = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]


def regressor(
    robot: RobotName,
    q: Q = "",
    v: V = "",
    a: A = "",
    floating: Floating = False,
    log: Log = "",
    output: Output = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Regressor Y, nv × 10 bodies: tau = Y times the inertial parameters."""
    from ..inert import plain
    from .evaluate import Quantity, dofs, evaluate

    quantity = Quantity(
        "regressor",
        "Y",
        ["q", "v", "a"],
        lambda r, q, v, a: r.regressor(q, v, a),
        lambda r: [dofs(r), [f"{plain(name)}_{p}" for name in r.body_names for p in PARAMETERS]],
    )
    given = {"q": q, "v": v, "a": a}
    evaluate(quantity, robot, given, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)
