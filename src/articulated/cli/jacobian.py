"""`articulated jacobian`: how a frame moves with the joints."""

from .options import Axes, Floating, Frame, Json, Log, Output, Q, Quiet, RobotName

ROWS = ["x", "y", "z", "rx", "ry", "rz"]


def jacobian(
    robot: RobotName,
    q: Q = "",
    frame: Frame = "",
    axes: Axes = "world",
    floating: Floating = False,
    log: Log = "",
    output: Output = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Velocity of a frame per unit velocity, 6 × nv, [linear; angular]."""
    from .evaluate import Quantity, dofs, evaluate

    quantity = Quantity(
        "jacobian",
        "J",
        ["q"],
        lambda r, q: r.jacobian(q, frame or r.frame_names[-1], axes=axes),
        lambda r: [ROWS, dofs(r)],
    )
    evaluate(quantity, robot, {"q": q}, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)
