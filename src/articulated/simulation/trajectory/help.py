"""Help on the methods of a trajectory, beside their first sentences."""

from ...documentation import Help

SETTING = '>>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)'
FOLDER = "\n>>> import os, tempfile\n>>> path = os.path.join(tempfile.mkdtemp(), 'run.npz')\n>>> run.save(path)"

ARGUMENTS = {
    "start": "s",
    "end": "s",
    "t": "a time, or times (K,): s",
    "times": "(K,): s",
    "dt": "between samples, s",
    "runs": "trajectories of one robot",
    "frame": "name of a link or frame",
    "kind": "one of these words",
    "path": "of the file; its ending says the format",
    "options": "joints=[names], size=(width, height) in inches, dpi=150",
    "robot": "a Robot, its name or its file, in the place of the one the file names",
}

TRAJECTORY: dict[str, Help] = {
    "between": Help("a Trajectory", example="\n>>> len(run.between(0.1, 0.15))\n51"),
    "at": Help(
        "State(t, q, v, a, tau); of K times each has an axis of K before its last",
        source="cubic Hermite polynomials, in the tangent space where q is no vector",
        example="\n>>> run.at(0.0105).q.shape, run.at([0.01, 0.02]).q.shape\n((2,), (2, 2))",
    ),
    "resample": Help("a Trajectory", example="\n>>> len(run.resample(dt=0.01))\n21"),
    "concatenate": Help("a Trajectory", example="\n>>> len(art.Trajectory.concatenate(run[:101], run[100:]))\n201"),
    "pose": Help("(…, T, 4, 4), in the world", example='\n>>> run.pose("tip").shape\n(201, 4, 4)'),
    "plot": Help("a matplotlib Figure", example='\n>>> type(run.plot("energies")).__name__\n\'Figure\''),
    "save": Help("nothing", example=f"{FOLDER}\n>>> os.path.exists(path)\nTrue"),
    "load": Help(
        "a Trajectory",
        example=f"{FOLDER}\n>>> art.Trajectory.load(path)\n<Trajectory of 2r: 201 samples, 0 … 0.2 s>",
    ),
    "to_pandas": Help(
        "a DataFrame: time (s) and columns q_joint, v_joint, a_joint, tau_joint",
        example="\n>>> len(run.to_pandas())\n201",
    ),
    "to_xarray": Help("a Dataset", example="\n>>> run.to_xarray().q.shape\n(201, 2)"),
}  # fmt: skip
