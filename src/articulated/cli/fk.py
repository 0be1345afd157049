"""`articulated fk`: where a frame is."""

from .options import Floating, Frame, Json, Log, Output, Q, Quiet, RobotName


def fk(
    robot: RobotName,
    q: Q = "",
    frame: Frame = "",
    floating: Floating = False,
    log: Log = "",
    output: Output = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Pose of a frame in the world: a 4×4 matrix for each state."""
    from .evaluate import Quantity, evaluate

    quantity = Quantity(
        "fk", "pose", ["q"], lambda r, q: r.pose(q, frame or r.frame_names[-1]), lambda r: [["0", "1", "2", "3"]] * 2
    )
    evaluate(quantity, robot, {"q": q}, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)
