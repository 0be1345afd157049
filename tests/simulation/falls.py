"""Energy of limp robots that fall by two methods: `python -m tests.simulation.falls euler|midpoint 16000 FAMILY …`.

Robots and attitudes are those of campaign.py ("talos" is one more family), up to 0.6 m above the ground; the rows are
those of docs/integrators.md.  Impulses of the midpoint rule act in the middle of a step, which no run stores: here a
step gives their energy, ½ v⁺ᵀMv⁺ against the same without impulses, in the place of the first accelerations.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

os.environ["ARTICULATED_CACHE"] = "off"  # steps that are not the library's are kept nowhere

import articulated as art
from articulated.algorithms.mass_matrix import mass_matrix
from articulated.simulation.contact import step, terms

from . import campaign

#: m above the ground, at most; and J of total energy in a step that are counted
HEIGHT, COUNTED = 0.6, 1e-3


def arrived(model: Any, q: Any, there: Any, before: Any, after: Any, way: Any, fresh: Any, dt: Any, free: Any) -> Any:
    """The end of a step, with the energy that impulses add and that without them as accelerations."""
    q_next, v_next, a = terms.arrived(model, q, there, before, after, way, fresh, dt)
    M, a = mass_matrix(model, there), a + 0.0
    with_them, without = (0.5 * (v @ (M @ v)) for v in (after, free))
    a[0], a[1] = with_them - without, without
    return q_next, v_next, a


def arrive(self: Any) -> None:
    """`ContactStep._arrive` with this end of a step."""
    self._run(terms.way, "before free after impact", "way")
    self._run(step.nothing(), "", "fresh")
    self._flag("way", terms.sinking)
    self._run(self._bound(arrived), "q there before after way fresh dt free", "q v a")


def robots(family: str) -> Iterator[tuple[Any, float]]:
    """Robots and frictions of a family, endlessly."""
    if family != "talos":
        yield from campaign.robots(family)
    robot, seed = art.load("talos", floating_base=True), 0
    while True:
        yield robot, float(np.random.default_rng([seed, 7]).choice([0.0, 0.3, 0.7, 1.2]))
        seed += 1


def row(method: str, steps: int, family: str) -> str:
    """A row: steps, impulses that gain, above the tolerance, total energy: counted gains, the largest."""
    done = gains = above = counted = 0
    largest = 0.0
    for k, (robot, friction) in enumerate(robots(family)):
        if done >= steps:
            break
        rng = np.random.default_rng([k, 11])
        q, v = campaign.starts(robot, rng, campaign.LANES)
        q[:, 2] += rng.uniform(0, HEIGHT, campaign.LANES)
        options: Any = {"contacts": art.Ground(friction), "method": method, "progress": False}
        run = art.simulate(robot, q, v, campaign.STEPS * campaign.DT, campaign.DT, **options)
        change = np.diff(run.energy.total, axis=1)
        done, counted, largest = done + change.size, counted + int((change > COUNTED).sum()), max(largest, change.max())
        above += int((run.contact.residual[:, :-1] > campaign.TOLERANCE * 1.01).sum())
        if method == "midpoint":
            gained, kinetic = run.a[:, :-1, 0], run.a[:, :-1, 1]
            gains += int((gained > campaign.RELATIVE * kinetic + campaign.ABSOLUTE).sum())
    told = gains if method == "midpoint" else "–"
    return f"| {family}, {method} | {done:,} | {told} | {above} | {counted} | {largest:.2g} |"


def main(method: str, steps: str, *families: str) -> None:
    """Print rows."""
    warnings.simplefilter("ignore", art.SimulationWarning)
    if method == "midpoint":
        step.ContactStep._arrive = arrive  # type: ignore[method-assign]
    print("| family | steps | impulses that gain | above 1e-6 | energy + 1 mJ | largest, J |\n" + "| --- " * 6 + "|")
    for family in families or (*campaign.FAMILIES,)[:-1]:
        print(row(method, int(steps), family), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
