"""Cold robots in threads: python -m tests.compiler.stress_threads 100 [first seed].

Every method is asked for the first time by several threads at once while another thread compiles something else.  Each
round is a process of its own, so that a crash is seen; results are compared with those of one thread, bit by bit.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import articulated as art
from articulated.contacts.analysis import Analysis
from articulated.simulation.methods.table import INTEGRATORS
from tests.methods import CONTACTS, ROBOT, arguments, results

THREADS = 3
#: more bodies than are compiled as straight-line code
LONG = 201
Call = Callable[[], Any]


def biped(rng: np.random.Generator) -> art.Robot:
    """A free trunk on two feet; its masses are new, so that none of its kernels is in a cache."""

    def inertia() -> art.Inertia:
        return art.Inertia(rng.uniform(1, 2), [0, 0, -0.1], np.diag([0.1, 0.1, 0.05]))

    limits = art.Limits(-1, 1, 5.0, 50.0)
    links = [art.Link("trunk", inertia=inertia())]
    for name, side in (("left", 1.0), ("right", -1.0)):
        hip = art.Transform(p=[0, 0.1 * side, 0])
        links.append(
            art.Link(name, "trunk", art.Revolute([0, 1, 0], name=f"{name} hip", limits=limits), hip, inertia())
        )
    return art.build(links, name="biped").floating()


def arm(rng: np.random.Generator, bodies: int) -> art.Robot:
    """A chain of hinges about alternating axes; masses as above."""
    links = [art.Link("base")]
    for k in range(bodies):
        inertia = art.Inertia(rng.uniform(1, 2), [0.1, 0, 0], np.diag([0.1, 0.1, 0.1]))
        joint, place = art.Continuous([0, 1, 0] if k % 2 else [0, 0, 1]), art.Transform(p=[0.2, 0, 0])
        links.append(art.Link(f"link{k}", links[-1].name, joint, place, inertia))
    return art.build(links, name=f"arm of {bodies}")


def calls(seed: int) -> Iterator[tuple[str, Call]]:
    """Calls of robots that are new with every call of this function, but the same for equal seeds."""
    rng = np.random.default_rng(seed)
    robot, legs, long = arm(rng, 2), biped(rng), arm(rng, LONG)
    for method in ROBOT:
        for shape in ((), (5,)):
            asked = legs if method == "operational_space" else robot  # which needs six directions
            given = arguments(asked, method, rng, shape)
            yield f"{method} {shape}", partial(asking, asked, method, given)
    yield from _of_derivatives(robot, rng)
    for again in (robot, arm(rng, 1), arm(rng, 1)):
        yield from _loops(again, rng)
    yield from _long(legs, long, rng)
    yield from _of_contacts(art.Contacts(legs, point=["left"]), rng)


def asking(owner: Any, method: str, given: dict[str, Any]) -> Any:
    """A method as its owner has it at that time: once compiled, its fast function."""
    return getattr(owner, method)(**given)


def _of_derivatives(robot: art.Robot, rng: np.random.Generator) -> Iterator[tuple[str, Call]]:
    q, v, a, w = robot.random(rng), *rng.normal(size=(3, robot.nv))
    method = "inverse_dynamics"
    yield "derivatives", lambda: robot.derivatives(method)(q, v, a)
    yield "second_derivatives", lambda: robot.second_derivatives(method)(q, v, a)
    yield "jvp", lambda: robot.jvp(method)(q, v, a, tangents={"q": w})
    yield "vjp", lambda: robot.vjp(method)(q, v, a, cotangents=w)
    yield "hessian", lambda: robot.hessian(method)(q, v, a, cotangents=w)
    yield "linearize", lambda: robot.linearize(q, v, a)
    yield "to_pinocchio", lambda: art.conventions.to_pinocchio(robot, q, v)


def _loops(robot: art.Robot, rng: np.random.Generator) -> Iterator[tuple[str, Call]]:
    """Those that stay in machine code for long."""
    starts, frame = robot.random(rng, 40), robot.frame_names[-1]
    for method in INTEGRATORS:
        for q in (starts[0], starts[:3]):
            options: dict[str, Any] = {"duration": 2.0, "dt": 1e-4, "every": 1000, "method": method}
            name = f"simulate {method} {robot.name} {q.shape}"
            yield name, lambda q=q, options=options: art.simulate(robot, q, **options).q
    targets = robot.pose(starts, frame)[:, :3, 3]
    for n in (1, 40):
        yield f"inverse_kinematics {n}", lambda n=n: robot.inverse_kinematics({frame: targets[:n]}, seed=0).q


def _long(legs: art.Robot, long: art.Robot, rng: np.random.Generator) -> Iterator[tuple[str, Call]]:
    """Steps with contacts, and loops over many bodies."""
    standing, ground = legs.neutral(), art.Ground(feet=["left"])
    standing[2] = 0.1
    yield "simulate on ground", lambda: art.simulate(legs, standing, duration=0.2, contacts=ground).q
    q, v = rng.normal(size=(2, 4, long.nv))
    for method in ("bias_forces", "forward_dynamics"):
        given = {"q": q, "v": v} | ({"tau": 0 * v} if method == "forward_dynamics" else {})
        yield f"{method} {LONG}", partial(asking, long, method, given)


def _of_contacts(feet: art.Contacts, rng: np.random.Generator) -> Iterator[tuple[str, Call]]:
    for method in CONTACTS:
        yield f"contacts.{method}", partial(asking, feet, method, arguments(feet, method, rng))
    q, still = feet.robot.neutral(), np.zeros(feet.robot.nv)
    law = art.WholeBody(feet, [art.tasks.CenterOfMass(target=np.zeros(3)), art.tasks.Posture(target=q)])
    yield "WholeBody", lambda: law(q, still).tau


# -- one round ------------------------------------------------------------------------------------


def outcome(call: Call) -> bytes | str:
    """All numbers of a result, or what was said instead."""
    try:
        found = call()
        if isinstance(found, Analysis):
            return str(found).encode()
        return b"".join(np.ascontiguousarray(x, float).tobytes() for x in results(found))
    except Exception as problem:
        return repr(problem)


def unrelated(stop: threading.Event, seed: int) -> None:
    """Kernels of robots that nobody else has: each load unmaps the code that nothing refers to."""
    rng = np.random.default_rng([seed, 1])
    while not stop.is_set():
        arm(rng, 1).gravity_forces([0.1])


def complaints(seed: int) -> list[str]:
    """Results of threads that differ from those of one thread."""
    told: list[list[bytes | str]] = [[] for _ in range(THREADS)]
    shared, together, stop = list(calls(seed)), threading.Barrier(THREADS), threading.Event()

    def run(found: list[bytes | str]) -> None:
        for _, call in shared:
            together.wait()
            outcome(call)
            found.append(outcome(call))

    threads = [threading.Thread(target=run, args=(found,)) for found in told]
    threads.append(threading.Thread(target=unrelated, args=(stop, seed)))
    for thread in threads:
        thread.start()
    for thread in threads[:-1]:
        thread.join()
    stop.set()
    threads[-1].join()
    said = []
    for k, (name, call) in enumerate(calls(seed)):
        expected = outcome(call)
        said += [f"{name}: {expected}"] if isinstance(expected, str) else []
        said += [f"{name}: a thread was told otherwise" for found in told if found[k] != expected]
    return said


def process(seed: int) -> str:
    """Complaints of a round in a process of its own, with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-X", "faulthandler", "-m", "tests.compiler.stress_threads", "--here", str(seed)]
        done = subprocess.run(command, env={**os.environ, "ARTICULATED_CACHE": cache}, capture_output=True, text=True)
    if done.returncode < 0:
        return f"seed {seed}: killed by {signal.Signals(-done.returncode).name}\n{done.stderr}"
    return f"seed {seed}: {done.stdout}{done.stderr}" if done.returncode else ""


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--here"]:
        found = complaints(int(arguments[1]))
        print("\n".join(found))
        return bool(found)
    rounds, first = (int(x) for x in (*arguments, *("10", "0")[len(arguments) :]))
    wrong = 0
    for seed in range(first, first + rounds):
        if problem := process(seed):
            wrong += 1
            print(problem, flush=True)
    print(f"{rounds} rounds, {wrong} went wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
