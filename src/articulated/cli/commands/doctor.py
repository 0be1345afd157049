"""`articulated doctor`: does it work here, and how fast."""

import platform
from importlib import metadata

from ..click_commands import Told
from ..exit_codes import PROBLEM

#: package -> the extra that brings it
EXTRAS = {
    "llvmlite": "core", "numpy": "core", "click": "core", "sympy": "symbolic",
    "casadi": "casadi", "example-robot-data": "robots", "mujoco": "mjcf", "xacro": "xacro", "pyarrow": "data",
    "pandas": "data", "xarray": "data", "matplotlib": "plot", "torch": "torch",
    "jax": "jax", "viser": "view", "trimesh": "view", "pycollada": "view",
    "fast-simplification": "view", "pillow": "view", "av": "video", "gymnasium": "rl", "dask": "scale",
    "rosbags": "ros", "pin": "test",
}  # fmt: skip


def doctor() -> Told:
    """Check this installation: versions, processor, compiled kernels, cache, extras.

    Examples:
      articulated doctor
    """
    from ..._version import __version__
    from ...compiler import kernel
    from ...compiler.runtime import call

    tested, text = _self_test()
    problem = call.reason()
    found = {
        "articulated": __version__, "python": platform.python_version(), "system": platform.platform(),
        "processor": platform.machine(), "kernels": kernel.status(),
        "calls": f"through Python, some microseconds each: {problem}" if problem else "in C",
    }  # fmt: skip
    versions = {name: _version(name) for name in EXTRAS}
    fields = {"ok": tested, **found, "self_test": text, "packages": versions}
    rows = {**found, "self-test": text}
    rows |= {name: v or f"not installed (extra: {EXTRAS[name]})" for name, v in versions.items()}
    width = max(map(len, rows))
    lines = [f"{key:<{width}}  {value}" for key, value in rows.items()]
    return Told(fields, "\n".join(lines), code=0 if tested else PROBLEM)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _self_test() -> tuple[bool, str]:
    """Torques of the built-in arm, computed and undone, against the recursion on plain floats."""
    import numpy as np

    from ...algebra.scalars import array
    from ...algorithms.inverse_dynamics import inverse_dynamics
    from ...robot.construction import load

    robot = load("panda")
    q, v, a = robot.random(0), np.full(robot.nv, 0.5), np.full(robot.nv, 0.25)
    try:
        tau = robot.inverse_dynamics(q, v, a)
        expected = np.array(inverse_dynamics(robot.model, array(q), array(v), array(a)), float)
        error = abs(tau - expected).max() / abs(expected).max()
        back = abs(robot.forward_dynamics(q, v, tau) - a).max()
    except Exception as problem:  # whatever fails is part of the report
        return False, f"failed: {type(problem).__name__}: {problem}"
    fine = bool(error < 1e-12 and back < 1e-9)
    return fine, f"{'passed' if fine else 'FAILED'}: torques differ by {error:.1e}, accelerations by {back:.1e}"
