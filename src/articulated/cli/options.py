"""The options that several commands share, declared once."""

from typing import Annotated

import typer


def complete_robot(incomplete: str) -> list[str]:
    """Catalogue names for the shell."""
    from ..robot.construction import robots

    return [name for name in robots() if name.startswith(incomplete)]


RobotName = Annotated[
    str,
    typer.Argument(
        metavar="ROBOT", help="Catalogue name, or a .urdf, .xml (MJCF) or .toml file.", autocompletion=complete_robot
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout (schema: docs/cli.md).")]
Floating = Annotated[bool, typer.Option("--floating", help="Free the root link.")]
Frame = Annotated[str, typer.Option("--frame", "-f", help="A link or frame; the last one without it.")]
Axes = Annotated[str, typer.Option("--axes", help="world, frame or spatial.")]
_state = "numbers in the order of the joints, or joint=value; pi/2 and 90deg are fine; random, random:SEED."
Q = Annotated[str, typer.Option("--q", help=f"Configuration: {_state}")]
V = Annotated[str, typer.Option("--v", help="Velocity, written like --q.")]
A = Annotated[str, typer.Option("--a", help="Acceleration, written like --q.")]
Tau = Annotated[str, typer.Option("--tau", help="Generalized forces, written like --q.")]
Log = Annotated[
    str, typer.Option("--log", "-l", help="States from a .csv, .npz or .parquet file; joints by column name.")
]
Output = Annotated[
    str, typer.Option("--output", "-o", help="Result of a log: .csv, .npz or .parquet; CSV on stdout without it.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar, no remarks on stderr.")]
