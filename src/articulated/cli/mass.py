"""`articulated mass`: the mass matrix."""

from .options import Floating, Json, Log, Output, Q, Quiet, RobotName


def mass(
    robot: RobotName,
    q: Q = "",
    floating: Floating = False,
    log: Log = "",
    output: Output = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Mass matrix M(q), nv × nv."""
    from .evaluate import Quantity, dofs, evaluate

    quantity = Quantity("mass", "M", ["q"], lambda r, q: r.mass_matrix(q), lambda r: [dofs(r), dofs(r)])
    evaluate(quantity, robot, {"q": q}, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)
