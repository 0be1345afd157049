"""The law of every ground surface: the gradient of the gap is the normal, and its axes are a right-handed frame."""

import inspect

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.simulation.contact.constraints import gaps_of
from articulated.simulation.contact.meetings import ball_on_ground
from articulated.simulation.contact.surfaces import SURFACES, Plane, nearest
from articulated.simulation.contact.system import system

from .scenes import at, ball

BUMPS = np.random.default_rng(3).uniform(-0.1, 0.1, (4, 5))
#: values for every keyword of the table, and those that go with it
EXAMPLES = {
    "slope": [{"slope": 0.3}, {"slope": -1.2}, {"slope": 0}],
    "normal": [{"normal": (0.2, -0.5, 1.0)}, {"normal": (3, 0, 1e-3)}],
    "steps": [{"steps": [(0.0, 0.2), (0.4, -0.1), (0.8, 0.3)]}],
    "heights": [{"heights": BUMPS, "extent": (-1, 1, -0.5, 1.5)}],
}


def test_every_row_has_an_example_and_a_keyword_of_ground():
    keywords = inspect.signature(art.Ground).parameters
    assert not [
        name for name in SURFACES if name not in EXAMPLES or name not in keywords or name not in art.Ground.__doc__
    ]


@pytest.mark.parametrize("keyword", [*SURFACES, None])
def test_the_gradient_of_the_gap_is_the_normal(keyword):
    """On the surface, at random points away from its edges; below it gaps are negative, and `height` raises it."""
    rng, complaints = np.random.default_rng(0), []
    for options in EXAMPLES[keyword] if keyword else [{}]:
        surface, higher = (art.Ground(**options, height=h).surface for h in (0.0, 0.25))
        flat = isinstance(surface, Plane)
        raised = keyword != "steps"  # whose treads are at heights of their own

        def gap(p, of=surface):
            return float(of.meet(array([float(x) for x in p])).distance)

        for p in rng.uniform((-0.9, -0.4, -0.2), (0.9, 1.4, 0.5), (40, 3)):
            for _ in range(4):  # to the surface
                met = surface.meet(array([float(x) for x in p]))
                axes = np.array(met.axes, float)
                p = p - float(met.distance) * axes[2]
            ahead, behind = (np.array([gap(p + s * 1e-6 * x) for x in np.eye(3)]) for s in (1, -1))
            smooth = abs(ahead + behind).max() < 1e-10  # no edge in between
            wrong = {
                "on the surface": abs(gap(p)) > 1e-9,
                "the gradient": smooth and abs((ahead - behind) / 2e-6 - axes[2]).max() > 1e-6,
                "the frame": abs(axes @ axes.T - np.eye(3)).max() > 1e-12 or np.linalg.det(axes) < 0,
                "the sign": smooth and not gap(p - 1e-4 * axes[2]) < 0 < gap(p + 1e-4 * axes[2]),
                "the height": raised and abs(gap(p + 0.25 * np.eye(3)[2], higher)) > 1e-9,
                "one normal of a plane": flat and abs(axes - surface.meet(np.zeros(3)).axes).max() > 0,
            }
            complaints += [(options, what, p) for what, bad in wrong.items() if bad]
    assert not complaints


@pytest.mark.parametrize("keyword", SURFACES)
def test_its_numbers_are_data(keyword, rng):
    """A surface is that of its numbers, and compiled code is the same for others."""
    robot = ball()
    for options in EXAMPLES[keyword]:
        ground, other = art.Ground(**options), art.Ground(**options, height=0.05)
        again = ground.surface.like.of(array(list(ground.surface.numbers)))
        for p in rng.uniform((-0.9, -0.4, -0.2), (0.9, 1.4, 0.5), (40, 3)):
            one, two = (x.meet(array([float(c) for c in p])) for x in (ground.surface, again))
            assert one.distance == two.distance and (one.axes == two.axes).all()
        assert ground.surface.numbers != other.surface.numbers
        assert system(robot.model, ground).coded == system(robot.model, other).coded


@pytest.mark.parametrize("keyword", SURFACES)
def test_a_ball_comes_to_rest_on_it(keyword):
    """Gaps of the simulation are those of the surface, and are never far below zero."""
    options = EXAMPLES[keyword][0]
    run = art.simulate(ball(), at(z=0.6), duration=0.6, dt=2e-3, contacts=art.Ground(5.0, **options))
    assert run.contact.normal.max() > 0 and run.contact.gaps.min() > -1e-3
    center = array([float(x) for x in run.q[-1, :3]])
    assert run.contact.gaps[-1, 0] == pytest.approx(
        float(nearest(art.Ground(**options).surface, center).distance) - 0.1
    )


@pytest.mark.parametrize("keyword", SURFACES)
def test_scenes_on_it_come_back_from_files(keyword, tmp_path):
    for k, options in enumerate(EXAMPLES[keyword]):
        ground = art.Ground(0.5, self_collision=False, **options)
        run = art.simulate(art.Scene([art.Ball(0.1, 1.0, at=(0.5, 0, 3)), ground]), duration=2e-3)
        run.save(tmp_path / f"{k}.npz")
        again = art.Trajectory.load(tmp_path / f"{k}.npz").robot.ground
        assert again.surface == ground.surface and str(again) == str(ground)


@pytest.mark.parametrize("bend", [-2.0, 2.0])
def test_a_ball_touches_ground_that_bends(bend, rng):
    """A hill and a bowl of 0.5 m: the gap of a ball is zero up to the height of an arc over the diagonal of a cell."""
    x, radius = np.linspace(-0.6, 0.6, 31), 0.1
    heights = bend / 2 * (x[:, None] ** 2 + x**2)
    surface = art.Ground(heights=heights, extent=(-0.6, 0.6, -0.6, 0.6)).surface
    arc = abs(bend) / 8 * 2 * (x[1] - x[0]) ** 2
    for place in rng.uniform(-0.35, 0.35, (50, 2)):
        up = np.array([*(-bend * place), 1.0])
        center = np.array([*place, bend / 2 * place @ place]) + radius * up / np.linalg.norm(up)
        point = ball_on_ground(art.Transform(p=center), np.array([0, 0, 0, radius]), surface)[0]
        assert abs(point.gap) < 1.1 * arc and np.array(point.normal, float) @ up > 0.99 * np.linalg.norm(up)


def test_the_slope_at_a_node_is_that_beyond_it():
    """Slopes of a height field, also where nodes are high."""
    heights = np.random.default_rng(0).uniform(1, 2, (4, 5))
    surface = art.Ground(heights=heights, extent=(0, 3, 0, 4)).surface
    for x, y in ((1.0, 2.0), (1.0, 2.3), (1.7, 3.0), (2.0, 0.5)):
        at, beyond = (surface.meet(array([x + h, y + h, 3.0])) for h in (0.0, 1e-9))
        assert np.allclose(np.array(at.axes - beyond.axes, float), 0, atol=1e-8)
        assert at.distance == pytest.approx(float(beyond.distance), abs=1e-8)


@pytest.mark.parametrize("height", [0.04, 0.06, 0.3])
def test_a_wide_ball_let_down_on_rough_ground_touches_it(height):
    """Balls up to nine cells of 0.1 m wide; the ground is looked at point by point, 2.5 mm apart."""
    for seed in range(4):
        rng = np.random.default_rng([seed, 1])
        heights, radius = height * rng.random((9, 9)), rng.uniform(0.15, 0.45)
        x = np.linspace(0.0, 0.8, 321)
        lines = np.array([np.interp(x, x[::40], column) for column in heights.T])  # along x, then along y
        z = np.array([np.interp(x, x[::40], line) for line in lines.T])
        q = np.zeros((60, 7))
        q[:, 6], q[:, :2] = 1.0, rng.uniform(0.1, 0.7, (60, 2))
        for pose in q:
            under = radius**2 - (x[:, None] - pose[0]) ** 2 - (x - pose[1]) ** 2
            pose[2] = (z + np.sqrt(np.maximum(under, 0.0)))[under > 0].max()
        robot, ground = ball(radius), art.Ground(heights=heights, extent=(0, 0.8, 0, 0.8))
        found = gaps_of(robot, system(robot.model, ground))(q).min(axis=1)
        assert found.min() > -2e-5 and found.max() < 5e-5
