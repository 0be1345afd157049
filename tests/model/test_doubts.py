"""Inertias that are possible and unlikely are findings."""

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Box

BODY = art.Inertia(2.0, (0, 0, 0.1), np.diag([0.01, 0.01, 0.002]))
BOX = (Box((0.1, 0.1, 0.3)),)


def codes(*links):
    return [d.code for d in art.build(links).report]


def link(name, parent, inertia=BODY, shapes=BOX):
    return art.Link(name, parent, art.Revolute((0, 1, 0)), art.Transform(p=(0, 0, 0.3)), inertia, shapes)


@pytest.mark.parametrize(
    ("links", "found"),
    [
        ([link("a", None), link("b", "a")], []),
        ([link("a", None), link("b", "a", art.Inertia())], ["INERTIA002"]),  # drawn
        ([link("a", None), link("b", "a", art.Inertia(), ())], ["INERTIA002"]),  # carries nothing
        ([link("a", None, art.Inertia(), ()), link("b", "a")], []),  # an axis of two
        ([link("a", None, art.Inertia()), link("b", "a")], ["INERTIA002"]),
        ([link("a", None, art.Inertia()), art.Link("b", "a", art.Fixed(), inertia=BODY)], []),  # welded to it
        ([link("a", None, art.Inertia())], []),  # kinematics only
    ],
)
def test_moving_links_without_mass(links, found):
    assert codes(*links) == found


@pytest.mark.parametrize(("factor", "found"), [(1, []), (30, []), (1000, ["INERTIA003"]), (1e6, ["INERTIA003"])])
@pytest.mark.parametrize("far", [0.0, 5.0])
def test_inertias_too_large_for_the_mass_and_the_shapes(factor, found, far):
    """Also far from the frame, which makes the inertia about it large and that of the body not."""
    large = art.Inertia(2.0, (far, 0, 0), factor * np.diag([0.02, 0.02, 0.02]))
    placed = (Box((0.1, 0.1, 0.3), placement=art.Transform(p=(far, 0, 0))),)
    expected = found if not far or factor > 1e4 else []
    assert codes(link("a", None, large, placed)) == expected


def test_small_parts_are_not_looked_at():
    sensor = art.Link("imu", "a", art.Fixed(), inertia=art.Inertia(0.001, (0, 0, 0), np.eye(3)), shapes=BOX)
    assert codes(link("a", None), sensor) == []
