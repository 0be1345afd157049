"""A robot under the mouse: dragged and pushed."""

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Sphere

from .browser import soon, until

pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")
pytestmark = pytest.mark.browser


def still(tab, name):
    """Where a node is in the window, as soon as it stays there."""
    places = [tab.place(name)]

    def stays():
        tab.pictures(5)
        places.append(tab.place(name))
        return len(places) > 3 and np.ptp(places[-4:], axis=0).max() < 0.5

    until(stays, f"{name} stays where it is")
    return places[-1]


def test_an_arrow_that_is_dragged_by_the_mouse_takes_the_robot_along(shown):
    robot = art.load("ur5")
    start = np.array([0.3, -1.2, 1.5, -0.4, 0.5, 0.2])
    viewer, tab = shown(robot, q=start)
    tab.tick("Drag a frame")
    handle, frame = f"{viewer.page.scene.root}/drag", viewer.page.frame
    before = robot.pose(start, frame)

    def went():
        """Along its own x axis alone, as the arrow points, and turned by nothing."""
        after = robot.pose(viewer.q, frame)
        x, y, z = before[:3, :3].T @ (after[:3, 3] - before[:3, 3])
        return x > 0.03 and max(abs(y), abs(z)) < 1e-3 and np.allclose(after[:3, :3], before[:3, :3], atol=1e-3)

    def dragged():
        """Once more if the page was too slow for the mouse."""
        middle = still(tab, handle)
        arrow = tab.place(handle, (0.2 * viewer.page.scene.size, 0.0, 0.0))
        tab.drag(arrow, arrow + 0.3 * (arrow - middle))
        return soon(went)

    until(dragged, "the robot follows the arrow")
    handle_at = viewer.page.dragging._gizmo
    until(lambda: np.allclose(handle_at.position, robot.pose(viewer.q, frame)[:3, 3], atol=1e-3), "and stays at it")


def test_dragging_beside_the_handle_turns_the_view_and_not_the_robot(shown):
    robot = art.load("ur5")
    start = np.array([0.3, -1.2, 1.5, -0.4, 0.5, 0.2])
    viewer, tab = shown(robot, q=start)
    node = f"{viewer.page.scene.root}/1"
    still(tab, node)
    camera = "window.__viserMutable.camera.position.toArray()"
    before = np.array(tab.page.evaluate(camera))

    def turned():
        """Once more if the page was too slow for the mouse."""
        corner = tab.place(node) + np.array([0, 60])
        tab.drag(corner, corner + np.array([60, -20]))
        return soon(lambda: abs(np.array(tab.page.evaluate(camera)) - before).max() > 0.05)

    until(turned, "the view turns")
    assert np.array_equal(viewer.q, start)


def test_a_push_moves_a_floating_robot_that_stands_on_the_ground(shown):
    ball = art.Inertia(2.0, (0, 0, 0), 0.03 * np.eye(3))
    arm = art.Inertia(0.2, (0, 0, -0.05), 1e-3 * np.eye(3))
    trunk = art.Link("trunk", None, inertia=ball, shapes=[Sphere(0.2, collision=True)])
    viewer, tab = shown(art.build([trunk, art.Link("arm", "trunk", art.Revolute((0, 1, 0)), inertia=arm)]).floating())
    start = viewer.q
    tab.tab("Motion")
    tab.type_into("Duration (s)", 0.4)
    simulate = tab.page.get_by_role("button", name="Simulate", exact=True)
    simulate.click()
    alone = until(lambda: viewer.trajectory, "it stands")
    until(lambda: viewer.page.state.now.sample, "it plays at once")
    viewer.pause()
    tab.page.get_by_role("button", name="Play", exact=True).wait_for()
    viewer.q = start
    tab.tick("Push")
    simulate.click()
    pushed = until(lambda: viewer.trajectory is not alone and viewer.trajectory, "it is pushed")
    push = pushed.forces[viewer.page.frame]
    assert np.array_equal(pushed.q[0], alone.q[0]) and abs(push[0]).max() == 0 and abs(push).max() > 1.0
    sideways = pushed.q[:, 1] - alone.q[:, 1]  # the force is along y
    early = pushed.t < 0.1
    assert abs(sideways[early]).max() < 1e-12 and sideways[-1] > 1e-4
    assert pushed.contact is not None and pushed.contact.normal.max() > 0
    until(lambda: viewer.page.scene.arrows._arrows is not None, "its contact forces are shown")
