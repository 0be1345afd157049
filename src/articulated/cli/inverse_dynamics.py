"""`articulated id`: the forces a motion takes."""

from .options import A, Floating, Json, Log, Output, Q, Quiet, RobotName, V


def inverse_dynamics(
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
    """Inverse dynamics: the generalized forces tau for a motion q, v, a."""
    from .evaluate import Quantity, dofs, evaluate

    quantity = Quantity(
        "id", "tau", ["q", "v", "a"], lambda r, q, v, a: r.inverse_dynamics(q, v, a), lambda r: [dofs(r)]
    )
    given = {"q": q, "v": v, "a": a}
    evaluate(quantity, robot, given, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)
