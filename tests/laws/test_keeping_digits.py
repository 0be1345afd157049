"""Compiled formulations keep the digits the textbook keeps, on trees of all joints, far apart, of any mass.

Measured against fifty digits, as in test_far_offsets.py: no more than ten times what the textbook loses.  Ten times
nothing is nothing, so there is a floor: 64 roundings of the largest entry, what sums of some hundred terms may lose in
another order.  It is higher where what is solved for, or a derivative that nearly vanishes, multiplies rounding.
"""

import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.fast.formulations import (
    FORMULATIONS,
    formulations_of_derivatives,
    suited,
    suited_derivatives,
)
from articulated.algorithms.fast.regrouping import regrouped
from articulated.algorithms.forward_dynamics import forward_dynamics
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.algorithms.inverse_dynamics_derivatives import (
    forward_dynamics_derivatives,
    inverse_dynamics_derivatives,
)
from articulated.algorithms.mass_matrix import mass_matrix, mass_matrix_inverse
from articulated.joints import Joint
from tests.files.corpus import CORPUS, needs_corpus
from tests.laws.test_far_offsets import ROUNDING, error, exact_model, exactly, fifty_digits  # noqa: F401
from tests.zoo import random_inertia

JOINTS: dict[str, Callable[..., Joint]] = {
    "revolute": art.Revolute, "prismatic": art.Prismatic, "helical": partial(art.Helical, pitch=0.3),
    "cylindrical": art.Cylindrical, "planar": art.Planar, "spherical": art.Spherical, "floating": art.Floating,
    "universal": art.Universal,
}  # fmt: skip
#: what each takes of q, v and a (or tau)
ARRAYS = {inverse_dynamics: 3, mass_matrix: 1, mass_matrix_inverse: 1, forward_dynamics: 3,
          inverse_dynamics_derivatives: 3, forward_dynamics_derivatives: 3}  # fmt: skip
DERIVATIVES = {inverse_dynamics_derivatives: inverse_dynamics, forward_dynamics_derivatives: forward_dynamics}
EPS = float(np.finfo(float).eps)
FLOOR = 64 * EPS


def tree(kinds: list[str], rng: np.random.Generator, far: float = 0.0, masses: list[float] | None = None) -> art.Robot:
    """Joints of these kinds, axes parallel, at right angles or anyhow; one of them `far` along its axis or another."""
    turned = [np.zeros(3), np.array([0, np.pi / 2, -np.pi / 2]), rng.uniform(-3, 3, 3)][rng.integers(3)]
    where, links = int(rng.integers(1, len(kinds))), [art.Link("base")]
    for i, kind in enumerate(kinds):
        R = np.array(art.Transform.from_rpy(rng.permutation(turned).tolist()).exact().R, float)
        p = rng.normal(size=3) * 0.3
        if i == where:
            p = p + far * (R[:, 2] if rng.random() < 0.5 else np.array([0, 0, 1.0]))
        body, size = random_inertia(rng), masses[i] if masses else 1.0
        inertia = art.Inertia.from_moments(body.mass * size, body.first * size, body.second * size)
        parent = links[-1] if i == where or rng.random() < 0.8 else links[int(rng.integers(len(links)))]
        links.append(art.Link(f"link{i}", parent.name, JOINTS[kind](name=f"joint{i}"), art.Transform(R, p), inertia))
    return art.build(links, gravity=(3, 2, -9))


def ways(textbook: Callable, robot: art.Robot) -> dict[str, Callable]:
    """Formulations that may be compiled in the place of an algorithm, each on its model."""
    found = (
        formulations_of_derivatives(DERIVATIVES[textbook], robot.model)
        if textbook in DERIVATIVES
        else FORMULATIONS[textbook]
    )
    fast = regrouped(robot.model)
    kept = suited_derivatives(suited(found, robot.model), robot.model, lambda: fast)
    return {"textbook": partial(textbook, robot.model)} | {f"way {k}": partial(way, fast) for k, way in enumerate(kept)}


def parts(found) -> list:
    return list(found) if isinstance(found, tuple) else [found]


def check(robot: art.Robot, textbook: Callable, floor: float, states: int = 2) -> None:
    exact, rng, tried = exact_model(robot), np.random.default_rng(1), ways(textbook, robot)
    lost: dict[str, list[float]] = {}
    for _ in range(states):
        state = (robot.random(rng), *rng.normal(size=(2, robot.nv)))[: ARRAYS[textbook]]
        truth = parts(textbook(exact, *map(exactly, state)))
        for name, way in tried.items():
            pairs = zip(parts(way(*map(array, state))), truth, strict=True)
            now = [error(x, y) if np.any(y != 0) else 0.0 for x, y in pairs]
            lost[name] = list(map(max, lost.get(name, [ROUNDING] * len(now)), now))
    for name, errors in lost.items():
        for found, textbooks in zip(errors, lost["textbook"], strict=True):
            assert found <= max(10 * textbooks, floor), (textbook.__name__, name, lost)


def drawn(rng: np.random.Generator, *kinds: str) -> list[str]:
    return [str(kind) for kind in rng.choice(kinds or list(JOINTS), int(rng.integers(2, 5)))]


# -- far joints -----------------------------------------------------------------------------

#: what solving with a mass matrix may make of 64 roundings of it: its condition, of bodies like these
SOLVED = 16 * FLOOR


@pytest.mark.parametrize(("seed", "far"), [*enumerate([10, 100, 1e3, 1e6])])
def test_far_joints_of_every_kind(seed, far):
    rng = np.random.default_rng(seed)
    robot = tree(drawn(rng), rng, far)
    check(robot, mass_matrix_inverse, FLOOR)
    check(robot, inverse_dynamics_derivatives, FLOOR)
    check(robot, forward_dynamics_derivatives, SOLVED)


CHAINS = [
    (["revolute", "revolute", "prismatic", "revolute"], 1e6), (["revolute", "helical", "revolute", "revolute"], 100.0),
    (["floating", "planar", "universal"], 100.0), (["universal", "helical"], 30.0), (["cylindrical"] * 2, 1e3),
]  # fmt: skip


@pytest.mark.parametrize(("kinds", "far"), CHAINS, ids=lambda x: "-".join(x) if isinstance(x, list) else str(x))
def test_far_joints_of_some_chains(kinds, far):
    robot = tree(kinds, np.random.default_rng(0), far)
    check(robot, mass_matrix_inverse, FLOOR)
    check(robot, inverse_dynamics_derivatives, FLOOR)


def test_compiled_derivatives_keep_their_digits(rng):
    """Three hinges, the second far along the axis of the first."""
    links = [art.Link("base")]
    for axis, p in (((0, 0, 1), (0, 0, 0)), ((0, 1, 0), (0.3, 0.1, 1e3)), ((0, 1, 0), (0.2, 0.3, 0.1))):
        body = art.Inertia(1.0, (0.1, 0.05, 0.02), np.diag([0.01, 0.02, 0.025]))
        joint = art.Revolute(axis, name=f"joint{len(links)}")
        links.append(art.Link(f"link{len(links)}", links[-1].name, joint, art.Transform(p=array(p)), body))
    robot = art.build(links)
    state = rng.normal(size=(3, 3))
    truth = inverse_dynamics_derivatives(exact_model(robot), *map(exactly, state))
    textbook = inverse_dynamics_derivatives(robot.model, *map(array, state))
    for found, own, exact in zip(robot.derivatives("inverse_dynamics")(*state), textbook, truth, strict=True):
        assert error(found, exact) <= max(10 * error(own, exact), FLOOR)


# -- masses of all sizes ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_what_slides_may_be_as_heavy_as_it_likes(seed):
    """Heavy loads on light carriages, where articulated bodies lose least."""
    rng = np.random.default_rng(seed)
    kinds = drawn(rng, "prismatic", "prismatic", "cylindrical")
    robot = tree(kinds, rng, masses=[10.0 ** rng.integers(-8, 8) for _ in kinds])
    check(robot, forward_dynamics, SOLVED)


@pytest.mark.parametrize("heavy", [1e3, 1e9])
def test_a_heavy_load_on_a_light_carriage(heavy):
    sliders = [art.Link("base")]
    for mass in (1.3, 1.7 * heavy):
        body = art.Inertia(mass, about_com=np.eye(3))
        sliders.append(art.Link(f"{mass}", sliders[-1].name, art.Prismatic((0, 0, 1), name=f"{mass}"), inertia=body))
    check(art.build(sliders, gravity=(0, 0, -9.81)), forward_dynamics, 0.0)
    rng = np.random.default_rng(0)
    for kinds, masses in (
        (["prismatic", "cylindrical", "cylindrical"], [1e7, 0.01, heavy]),
        (["cylindrical", "floating", "planar"], [0.01, 1e-7, heavy]),
    ):
        check(tree(kinds, rng, masses=masses), forward_dynamics, SOLVED)


#: hinges that carry a thousand times what they feel lose three digits and stay: robots on a light free base do, too
CARRIED = 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_masses_of_all_sizes_on_joints_of_every_kind(seed):
    rng = np.random.default_rng(seed)
    kinds = drawn(rng)
    robot = tree(kinds, rng, masses=[10.0 ** rng.integers(-8, 8) for _ in kinds])
    for textbook in (inverse_dynamics, mass_matrix, mass_matrix_inverse):
        check(robot, textbook, FLOOR)
    # where only light bodies are seen by one derivative, and by the next one heavy ones
    check(robot, inverse_dynamics_derivatives, 4 * FLOOR)
    check(robot, forward_dynamics, CARRIED)


# -- robots that are built --------------------------------------------------------------------


def keeps_its_formulations(robot: art.Robot, derivatives: bool = True) -> None:
    for textbook, formulations in FORMULATIONS.items():
        assert suited(formulations, robot.model) == formulations, (robot.name, textbook.__name__)
    for textbook in DERIVATIVES.values() if derivatives else ():
        found = formulations_of_derivatives(textbook, robot.model)
        assert suited_derivatives(found, robot.model, lambda: regrouped(robot.model)) == found, robot.name


@pytest.mark.parametrize("name", art.robots())
def test_built_in_robots_keep_the_shortest_formulations(name):
    keeps_its_formulations(art.load(name), derivatives=name in ("panda", "ur5", "scara", "quadruped"))


@needs_corpus
@pytest.mark.parametrize("name", ["solo12", "icub", "kinova", "tiago"])
def test_robots_of_example_robot_data_keep_the_shortest_formulations(name):
    with warnings.catch_warnings(action="ignore"):  # of what their files leave open
        robot = art.load(str(next(path for path in CORPUS if path.stem == name)))
    keeps_its_formulations(robot, derivatives=name in ("solo12", "kinova"))
    if name in ("solo12", "icub"):
        keeps_its_formulations(robot.floating(), derivatives=False)
