"""Gradients through forward dynamics in PyTorch and JAX, against adam and frax: `python -m benchmarks.bridges [file]`.

The gradient of Σ a² by q, v and tau for 4096 states of an arm in double precision, as a learner would take it.  adam
has no forward dynamics of a fixed base: it is the solution of M a = tau - h with its M and h.  Candidates run in turn
within one run on one core; medians of the time on the clock, ratios medians of the ratios in each round; results are
compared before they are timed.  The environment is that of `make test-bridges` with adam-robotics, frax and
example-robot-data.
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
os.environ.setdefault("JAX_ENABLE_X64", "1")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import platform
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import frax.core.robot
import jax
import numpy as np
import torch
from adam.pytorch import KinDynComputationsBatch
from jax import numpy as jnp

import articulated.bridges.jax
import articulated.bridges.torch

from .robots import Case, States, agree, case
from .timing import Call, interleaved, ratio

ROBOTS, STATES, ROUNDS = ("ur5", "panda"), 4096, 5
#: what the table is held against
FLOOR = {"PyTorch": 20, "JAX": 10}


def in_torch(found: Case, states: States) -> dict[str, Callable[[], Any]]:
    """Gradients by ours and by adam's, on tensors."""
    torch.set_num_threads(1)
    arm = articulated.bridges.torch.Robot(found.robot)
    gravity = torch.tensor([0, 0, -9.81, 0, 0, 0], dtype=torch.float64)
    twin = KinDynComputationsBatch(str(found.path), found.robot.joint_names, dtype=torch.float64, gravity=gravity)
    n = len(states.q)
    base = torch.eye(4, dtype=torch.float64).expand(n, 4, 4).contiguous()
    rest = torch.zeros(n, 6, dtype=torch.float64)

    def theirs(q: Any, v: Any, tau: Any) -> Any:
        M = twin.mass_matrix(base, q)[..., 6:, 6:]
        h = twin.bias_force(base, q, rest, v)[..., 6:]
        return torch.linalg.solve(M, (tau - h).unsqueeze(-1)).squeeze(-1)

    def gradients(function: Callable[..., Any]) -> Callable[[], Any]:
        given = [torch.tensor(x, requires_grad=True) for x in (states.q, states.v, states.tau)]
        return lambda: torch.autograd.grad(function(*given).square().sum(), given)

    return {"ours": gradients(arm.forward_dynamics), "adam": gradients(theirs)}


def in_jax(found: Case, states: States) -> dict[str, Callable[[], Any]]:
    """Gradients by ours and by frax's, jitted."""
    arm = articulated.bridges.jax.Robot(found.robot)
    twin = frax.core.robot.Robot(str(found.path), joint_ordering=found.robot.joint_names)
    alone = jax.vmap(lambda q, v, tau: twin.forward_dynamics(q, v, tau, None))

    def gradients(function: Callable[..., Any]) -> Callable[[], Any]:
        taken = jax.jit(jax.grad(lambda *given: jnp.square(function(*given)).sum(), argnums=(0, 1, 2)))
        given = list(map(jnp.asarray, (states.q, states.v, states.tau)))
        return lambda: jax.block_until_ready(taken(*given))

    return {"ours": gradients(arm.forward_dynamics), "frax": gradients(alone)}


def row(found: Case, library: str) -> str:
    """One row of the table."""
    ways = {"PyTorch": in_torch, "JAX": in_jax}[library](found, found.states(STATES))
    ours, peer = ways
    for x, y in zip(ways[ours](), ways[peer](), strict=True):
        agree(f"{found.name}, {library}", np.asarray(x), np.asarray(y), 1e-6)
    times = interleaved({name: Call("way()", {"way": way}) for name, way in ways.items()}, ROUNDS, wall=True)
    mine, theirs = (np.median(times[name]) / STATES * 1e9 for name in ways)
    much = ratio(times[peer], times[ours])
    return f"| {library} | {found.name} | {mine:.0f} ns | {peer} | {theirs:.0f} ns | {much:.0f}× ({FLOOR[library]}) |"


def table(folder: Path) -> str:
    """The page."""
    names = ("numpy", "llvmlite", "torch", "jax", "adam-robotics", "frax")
    packages = ", ".join(f"{name} {version(name)}" for name in names)
    about, _, how = (__doc__ or "").partition(": `")
    lines = [
        "# Gradients in PyTorch and JAX", "", f"{about}; written by `python -m benchmarks.bridges`.",
        *how.splitlines()[1:], "",
        f"{platform.machine()}; Python {platform.python_version()}, {packages}.  In brackets: the target.", "",
        "| library | robot | per state, N = 4096 | peer | theirs, per state | times theirs |",
        "| --- | --- | --- | --- | --- | --- |",
        *(row(case(name, folder), library) for library in FLOOR for name in ROBOTS), "",
    ]  # fmt: skip
    return "\n".join(lines)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        page = table(Path(scratch))
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page, encoding="utf-8")
    print(page)
