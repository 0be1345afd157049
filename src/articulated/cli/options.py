"""The options that several commands share, declared once."""

from .candidates import among, files, frames, poses, robot_names
from .click_commands import Argument, Option

RobotName = Argument("Catalogue name, or a .urdf, .xml (MJCF) or .toml file.", metavar="ROBOT", complete=robot_names)
Floating = Option("--floating", help="Free the root link.")
Frame = Option("--frame", "-f", help="Link or frame; default: the last one.", complete=frames)
AXES = ("world", "frame", "spatial")
Axes = Option("--axes", help="world, frame or spatial.", default="world", complete=among(*AXES))
_state = "numbers in joint order, or joint=value (pi/2, 90deg); a named pose (home); random, random:SEED."
Q = Option("--q", help=f"Configuration: {_state}", complete=poses)
V = Option("--v", help="Velocity, written like --q.")
A = Option("--a", help="Acceleration, written like --q.")
Tau = Option("--tau", help="Generalized forces, written like --q.")
Log = Option("--log", "-l", help="States from a .csv, .npz or .parquet file; joints by column name.", complete=files)
Output = Option(
    "--output", "-o", help="Result of a log: .csv, .npz or .parquet; default: CSV on stdout.", complete=files
)
Quiet = Option("--quiet", help="No progress bar, no remarks on stderr.")
