"""One call from PyTorch, against a function of autograd written by hand: `python -m benchmarks.torch_calls [file]`.

Forward dynamics of a Panda and its gradients by q, v and tau, for 1 and 32 states.  By hand means ten lines on
`robot.forward_dynamics` and `robot.vjp`, without `torch.func`, second derivatives, broadcasting or checks.  Candidates
run in turn within one run; medians of CPU time of the thread.
"""

import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch

import articulated as art
import articulated.torch

ROUNDS, CALLS = 40, 20


def by_hand(robot: art.Robot) -> Any:
    """A function of autograd on the robot's own methods."""
    vjp = robot.vjp("forward_dynamics", space="coordinates")

    class ByHand(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *given: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(*given)
            return torch.from_numpy(robot.forward_dynamics(*[x.detach().numpy() for x in given]))

        @staticmethod
        def backward(ctx: Any, *cotangents: torch.Tensor) -> tuple[torch.Tensor, ...]:
            given = [x.detach().numpy() for x in ctx.saved_tensors]
            return tuple(map(torch.from_numpy, vjp(*given, cotangents=cotangents[0].contiguous().numpy())))

    return ByHand.apply


def row(robot: art.Robot, states: int) -> str:
    """One row of the table."""
    rng, ours, theirs = np.random.default_rng(0), articulated.torch.Robot(robot).forward_dynamics, by_hand(robot)
    numbers = robot.random(0, (states,)), *rng.normal(size=(2, states, robot.nv))
    given = [torch.tensor(x, requires_grad=True) for x in numbers]
    functions = [lambda f=f: f(*given) for f in (ours, theirs)]
    functions += [lambda f=f: torch.autograd.grad(f(*given).sum(), given) for f in (ours, theirs)]
    for mine, other in zip(functions[2](), functions[3](), strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-12, atol=1e-12)
    times = np.empty((ROUNDS, 4))
    for k in range(ROUNDS):
        for j, function in enumerate(functions):
            start = time.thread_time()
            for _ in range(CALLS):
                function()
            times[k, j] = (time.thread_time() - start) / CALLS * 1e6
    forward, hand, both, both_by_hand = np.median(times, axis=0)
    ratio = np.median(times[:, 2] / times[:, 3])
    return f"| {states} | {forward:.1f} µs | {hand:.1f} µs | {both:.1f} µs | {both_by_hand:.1f} µs | {ratio:.2f} |"


def main(path: str = str(Path(__file__).with_suffix(".md"))) -> None:
    """Write the table."""
    torch.set_num_threads(1)
    robot = art.load("panda")
    head = "| states | forward | by hand | forward and backward | by hand | times by hand |\n" + "| --- " * 6 + "|"
    text = "\n".join([head, row(robot, 1), row(robot, 32)])
    about = (__doc__ or "").partition("\n\n")[2].strip()
    Path(path).write_text(
        f"# A call from PyTorch\n\nWritten by `python -m benchmarks.torch_calls`, torch {version('torch')}.\n\n"
        f"{about}\n\n{text}\n",
        "utf-8",
    )
    print(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
