"""`articulated bias`: the forces that are there without acceleration."""

from .options import Floating, Json, Log, Output, Q, Quiet, RobotName, V


def bias(
    robot: RobotName,
    q: Q = "",
    v: V = "",
    floating: Floating = False,
    log: Log = "",
    output: Output = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Bias forces h(q, v): Coriolis, gravity and friction; with --v 0, gravity alone."""
    from .evaluate import Quantity, dofs, evaluate

    quantity = Quantity("bias", "h", ["q", "v"], lambda r, q, v: r.bias_forces(q, v), lambda r: [dofs(r)])
    given = {"q": q, "v": v}
    evaluate(quantity, robot, given, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)
