"""Other libraries, one file each: `calls(case, states, threads)` gives a statement for each quantity they have.

A file also has NAME, the distribution it comes in, and `check(case)`, which fails unless its inverse dynamics is ours.
"""

import importlib
import os
from types import ModuleType

from ..timing import Call

# what frax recommends for JAX on a CPU, to be known before JAX is
os.environ.setdefault("JAX_ENABLE_X64", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

ALL = ("pinocchio", "mujoco", "dynibo", "frax", "adam", "roboticstoolbox")


def installed() -> tuple[list[ModuleType], dict[str, str]]:
    """The adapters whose library is here, and for the others why not."""
    found, missing = [], {}
    for name in ALL:
        try:
            found.append(importlib.import_module(f".{name}", __name__))
        except ImportError as problem:
            missing[name] = "not installed" if isinstance(problem, ModuleNotFoundError) else str(problem)
    return found, missing


def looped(one: str, names: str, arrays: dict, scope: dict, outputs: list) -> Call:
    """A loop in Python over a batch, for a library that takes one state at a time; results go into arrays."""
    rows = {f"{name}_rows": arrays[name] for name in names.split(", ")}
    results = {f"out{k}": output for k, output in enumerate(outputs)}
    targets = ", ".join(f"{name}[i]" for name in results)
    statement = f"for i, ({names},) in enumerate(zip({', '.join(rows)})):\n    {targets} = {one}"
    return Call(statement, {**scope, **rows, **results})
