"""`articulated fd`: the motion that forces give."""

from .options import Floating, Json, Log, Output, Q, Quiet, RobotName, Tau, V


def forward_dynamics(
    robot: RobotName,
    q: Q = "",
    v: V = "",
    tau: Tau = "",
    floating: Floating = False,
    log: Log = "",
    output: Output = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Forward dynamics: the acceleration under generalized forces tau."""
    from .evaluate import Quantity, dofs, evaluate

    quantity = Quantity(
        "fd", "a", ["q", "v", "tau"], lambda r, q, v, tau: r.forward_dynamics(q, v, tau), lambda r: [dofs(r)]
    )
    given = {"q": q, "v": v, "tau": tau}
    evaluate(quantity, robot, given, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)
