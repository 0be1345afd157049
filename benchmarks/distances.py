"""Distances between the links of a robot: ours for a batch, and coal's through Pinocchio, state by state from Python.

`python -m benchmarks.distances` writes benchmarks/distances.md.
"""

import platform
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np

import articulated as art
from articulated.geometry.pairs import pairs
from articulated.model.shapes import Box, Capsule, Sphere

from .robots import agree
from .timing import Call, interleaved, ratio

SIZES = (1, 16, 256, 4096)
CAPSULES = "panda of capsules"
ROBOTS = (CAPSULES, "panda", "ur5", "quadruped", "biped")
ROUNDS = 7


def of_capsules() -> art.Robot:
    """The Panda with capsules instead of the boxes of its base and hand."""
    across = art.Transform.from_rpy((np.pi / 2, 0, 0), (0, 0, 0.0325))
    base = Capsule(0.1, 0.1, placement=art.Transform.from_rpy((0, np.pi / 2, 0), (-0.04, 0, 0.07)), collision=True)
    hand = Capsule(0.035, 0.14, placement=across, collision=True)
    return art.load("panda").replace("panda_link0", shapes=[base]).replace("panda_hand", shapes=[hand])


class OnCoal:
    """The same shapes and pairs in Pinocchio's geometry model, whose narrow phase is coal."""

    def __init__(self, robot: art.Robot, folder: Path):
        import coal
        import pinocchio as pin

        self.pin = pin
        path = folder / f"{robot.name}.urdf"
        art.save(robot, path)
        self.model = pin.buildModelFromUrdf(str(path))
        self.data, self.geometry = self.model.createData(), pin.GeometryModel()
        self.links = pairs(robot.model)
        for k, shapes in enumerate(pair for each in self.links.values() for pair in each):
            ends = [self._added(coal, f"{k}.{side}", x) for side, x in enumerate((shapes.first, shapes.second))]
            self.geometry.addCollisionPair(pin.CollisionPair(*ends))
        self.found = self.geometry.createData()
        for asked in self.found.distanceRequests:
            asked.enable_signed_distance = True

    def _added(self, coal, name, x):
        frame = self.model.frames[self.model.getFrameId(x.link.name)]
        place = self.pin.SE3(*(np.array(part, float) for part in (x.shape.placement.R, x.shape.placement.p)))
        kinds = {Box: lambda s: coal.Box(*s.size), Sphere: lambda s: coal.Sphere(s.radius)}
        shape = kinds.get(type(x.shape), lambda s: coal.Capsule(s.radius, s.length))(x.shape)
        solid = self.pin.GeometryObject(name, frame.parentJoint, frame.placement * place, shape)
        return self.geometry.addGeometryObject(solid)

    def distances(self, q):
        """All pairs of shapes, one state after the other."""
        results = []
        for state in q:
            self.run(state)
            results.append([x.min_distance for x in self.found.distanceResults])
        return np.array(results)

    def run(self, state):
        """The same for one, with the results left where they are."""
        self.pin.computeDistances(self.model, self.data, self.geometry, self.found, state)

    def by_links(self, q):
        """The nearest shapes of each pair of links."""
        found, counts = self.distances(q), [len(each) for each in self.links.values()]
        return np.minimum.reduceat(found, np.cumsum([0, *counts[:-1]]), axis=1)


def measured(folder: Path) -> list[str]:
    """The lines of the report."""
    head = ["robot", "pairs of links (shapes)", *(f"N = {size}" for size in SIZES), "coal", "ratio"]
    head += ["coal, results in an array", "ratio", "gradients"]
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for name in ROBOTS:
        robot = of_capsules() if name == CAPSULES else art.load(name)
        peer, q = OnCoal(robot, folder), robot.random(np.random.default_rng(0), (max(SIZES),))
        agree(f"distances of {name}", robot.distances(q[:64]), peer.by_links(q[:64]), 1e-6)
        scope = {"robot": robot, "peer": peer, "q": q, "few": q[:64], "gradient": robot.derivatives("distances")}
        calls = {size: Call(f"robot.distances(q[:{size}])", scope) for size in SIZES}
        calls |= {"coal": Call("for x in few: peer.run(x)", scope), "array": Call("peer.distances(few)", scope)}
        calls["gradients"] = Call("gradient(q)", scope)
        times = interleaved(calls, ROUNDS)
        each = [1e6 * float(np.median(times[size])) / size for size in SIZES]
        coal, read, gradients, ours = (
            times[x] / n for x, n in (("coal", 64), ("array", 64), ("gradients", 4096), (4096, 4096))
        )
        shapes = sum(len(x) for x in peer.links.values())
        lines.append(
            f"| {name} | {len(peer.links)} ({shapes}) | {' | '.join(f'{x:.2f} µs' for x in each)} | "
            f"{1e6 * float(np.median(coal)):.1f} µs | {ratio(coal, ours):.0f}× | "
            f"{1e6 * float(np.median(read)):.1f} µs | {ratio(read, ours):.0f}× | "
            f"{1e6 * float(np.median(gradients)):.2f} µs |"
        )
    return lines


def main() -> None:
    """Measure, and write the page."""
    with tempfile.TemporaryDirectory() as folder:
        lines = measured(Path(folder))
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "llvmlite", "pin", "coal"))
    text = f"""# Distances

By `python -m benchmarks.distances`: signed distances between the links of built-in robots at random configurations, one
thread.  Ours is a call of `robot.distances` for N states, kinematics included, and its derivatives by q for N = 4096.
Coal is called through Pinocchio's `computeDistances` with the same shapes and pairs, one state after the other from
Python: first with its results left where they are, then with the distances in an array; it finds nearest points as
well.  Microseconds for each state; candidates run in turn, medians of the CPU time of one thread, ratios at N = 4096;
distances agree to 1e-6, coal's tolerance.  The machine had other work.

{platform.machine()}; Python {platform.python_version()}, {versions}.

"""
    Path(__file__).with_suffix(".md").write_text(text + "\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
