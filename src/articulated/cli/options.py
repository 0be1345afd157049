"""The options that several commands share, declared once."""

from typing import Annotated

from .click_commands import Argument, Option
from .completing import among, files, frames, poses, robot_names

#: formats of logs
LOGS = (".csv", ".npz", ".parquet")

RobotName = Annotated[
    str,
    Argument("Catalogue name, or a .urdf, .xml (MJCF) or .toml file.", metavar="ROBOT", complete=robot_names),
]
Json = Annotated[bool, Option("--json", help="One JSON object on stdout (schema: docs/cli.md).")]
Floating = Annotated[bool, Option("--floating", help="Free the root link.")]
Frame = Annotated[str, Option("--frame", "-f", help="Link or frame; default: the last one.", complete=frames)]
Axes = Annotated[str, Option("--axes", help="world, frame or spatial.", complete=among("world", "frame", "spatial"))]
_state = "numbers in joint order, or joint=value (pi/2, 90deg); a named pose (home); random, random:SEED."
Q = Annotated[str, Option("--q", help=f"Configuration: {_state}", complete=poses)]
V = Annotated[str, Option("--v", help="Velocity, written like --q.")]
A = Annotated[str, Option("--a", help="Acceleration, written like --q.")]
Tau = Annotated[str, Option("--tau", help="Generalized forces, written like --q.")]
Log = Annotated[
    str,
    Option(
        "--log", "-l", help="States from a .csv, .npz or .parquet file; joints by column name.", complete=files(*LOGS)
    ),
]
Output = Annotated[
    str,
    Option(
        "--output",
        "-o",
        help="Result of a log: .csv, .npz or .parquet; default: CSV on stdout.",
        complete=files(*LOGS),
    ),
]
Quiet = Annotated[bool, Option("--quiet", help="No progress bar, no remarks on stderr.")]
