"""The camera stays where it was put, sees what moves, and everything follows a robot that walks."""

import numpy as np
import pytest

import articulated as art
from articulated.viewer import html
from articulated.viewer.ground import THEMES
from articulated.viewer.page import EXPORTS, OTHER
from articulated.viewer.playback import PLOTS, curves

from .browser import send, soon, until, visitor

pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")


@pytest.fixture(scope="module")
def walk():
    """A quadruped that slides two meters along x."""
    robot = art.load("quadruped", floating_base=True)
    q = np.tile(robot.poses["home"], (5, 1))
    q[:, 0] = np.linspace(0, 2, 5)
    still = np.zeros((5, robot.nv))
    push = {"base": np.tile([0.0, 50.0, 0, 0, 0, 0], (5, 1))}
    return art.Trajectory(robot, np.linspace(0, 1, 5), q, still, still, still, forces=push)


def test_everything_else_moves_where_the_robot_is_followed(walk):
    with art.view(walk, quiet=True) as viewer:
        scene, page = viewer.page.scene, viewer.page
        scene.place(walk.q[-1])
        assert np.allclose(scene._root.position, [-2, 0, 0]) and abs(scene.ground.node.position[0] - 2) < 1
        low, high = scene.view(walk.q[-1])
        assert abs(low[:2] + high[:2]).max() < 0.2  # the robot is in the middle of what is seen
        page._follow.value = False
        until(lambda: not scene.follows, "it is heard")
        scene.place(walk.q[-1])
        assert np.allclose(scene._root.position, 0)


def test_a_camera_sees_the_whole_motion_of_an_arm():
    arm = art.load("2r")
    run = art.simulate(arm, [1.5, 0.0], duration=0.5)
    with art.view(run, quiet=True) as viewer:
        low, high = viewer.page.scene.view(run.q[0])
        for q in run.q[::50]:
            tip = arm.pose(q, "tip")[:3, 3]
            assert (low - 1e-2 <= tip).all() and (tip <= high + 1e-2).all()


def test_other_runs_of_a_batch_are_ghosts():
    arm = art.load("2r")
    starts = np.array([[1.5, 0.0], [1.2, 0.3], [0.5, 0.5]])
    run = art.simulate(arm, starts, duration=0.02)
    with art.view(run, quiet=True) as viewer:
        scene = viewer.page.scene
        assert np.array_equal(viewer.trajectory.q, run.q[0]) and len(scene._ghosts) == 2
        viewer.page._ghosts(viewer.page.state.now)
        for (_, *nodes), q in zip(scene._ghosts, starts[1:], strict=True):
            assert np.allclose(nodes[1].position, arm.body_motions(q, 0 * q, 0 * q).pose[1, :3, 3])
        viewer.play(run.batch[1])
        assert scene._ghosts == []


def test_setting_q_stops_a_motion():
    run = art.simulate(art.load("2r"), [1.5, 0.0], duration=0.5)
    with art.view(run, quiet=True) as viewer:
        viewer.play()
        viewer.q = [0.25, 0.5]
        viewer._draw()
        assert viewer.q.tolist() == [0.25, 0.5] and not viewer.page.playback.playing


def test_the_pose_that_is_shown_is_named():
    with art.view("panda", quiet=True) as viewer:
        page = viewer.page
        for q, name in (
            (viewer.robot.poses["home"], "home"),
            (viewer.robot.neutral(), "neutral"),
            (viewer.q + 1, OTHER),
        ):
            viewer.q = q
            page._name_pose(page.state.now)
            assert page._pose.value == name


def test_pushes_are_arrows_and_both_themes_have_a_ground(walk):
    with art.view(walk, quiet=True) as viewer:
        page = viewer.page
        page._forces(page.state.now)
        (start, end), color = page.scene.arrows._arrows.points[0], page.scene.arrows._arrows.colors[0]
        assert np.allclose((end - start)[[0, 2]], 0, atol=1e-6) and end[1] > start[1] and color[0] > color[2]
        for dark in (True, False):
            page._dark(dark)
            assert tuple(page.scene.ground.node.plane_color) == THEMES[dark][0] and viewer.dark == dark


def test_shapes_fade_and_collision_shapes_are_shown():
    with art.view(art.load("quadruped", floating_base=True), quiet=True) as viewer:
        scene = viewer.page.scene
        scene.fade(0.3)
        assert {node.opacity for node in scene._layers["shapes"]} == {0.3}
        scene.fade(None)
        viewer.page.show("collision", True)
        assert {node.opacity for node in scene._layers["shapes"]} == {None} and scene._layers["collision"]


def test_bars_have_a_scale_for_each_group_and_unit():
    text = html.bars(["a", "b", "c"], [100.0, 2.0, -1.0], ["N", "N m", "N m"], ["base", "joints", "joints"], "x", 1.0)
    assert text.count("width:34.0px") == 2 and text.count("width:17.0px") == 1


@pytest.mark.parametrize("what", PLOTS)
def test_every_curve_has_its_own_unit(walk, what):
    names, lines, units = curves(walk, what, 0)
    assert len(names) == len(lines) == len(units) and not any(" or " in unit for unit in units)


@pytest.mark.parametrize("ending", EXPORTS.values())
def test_a_motion_is_exported_in_every_format(ending, tmp_path):
    pytest.importorskip("av")
    run = art.simulate(art.load("2r"), [1.5, 0.0], duration=0.05)
    start = {".html": b"<!", ".gif": b"GIF", ".mp4": b"\0\0\0", ".png": b"\x89PNG"}[ending]
    with art.view(run, quiet=True) as viewer:
        viewer.export(tmp_path / f"run{ending}")
    assert (tmp_path / f"run{ending}").read_bytes().startswith(start)


def test_a_camera_is_the_users_once_it_is_where_it_was_never_told_to_be():
    """However late a browser reports where it was before; a window that is resized sees the whole robot again."""
    from viser import _messages

    def reported(browser, place, width):
        one, up = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
        send(browser, _messages.ViewerCameraMessage(one, tuple(place), 1.0, 0.1, 10.0, 100, width, (0.0,) * 3, up))

    with art.view("2r", quiet=True) as viewer, visitor(viewer) as browser:
        (client,) = viewer.server.get_clients().values()
        seen = viewer.page.scene.seen
        told = until(lambda: seen.get(client.client_id), "it is told where to look from")
        reported(browser, (1.0, 1.0, 1.0), 200)  # where it began, in a window of another form
        wide = until(lambda: (s := seen[client.client_id]).aspect == 2.0 and s, "it sees the whole robot")
        assert len(wide.places) > len(told.places)
        reported(browser, (5.0, 5.0, 5.0), 300)
        until(lambda: client.camera.aspect == 3.0, "the user's place is heard")
        reported(browser, wide.places[-1], 200)
        until(lambda: client.camera.aspect == 2.0, "and that it is back")
        assert seen[client.client_id] is wide


@pytest.mark.browser
def test_no_key_flies_the_camera_and_the_view_is_reset(shown):
    viewer, tab = shown(art.load("2r"))
    (client,) = viewer.server.get_clients().values()

    def place():
        return np.array(tab.page.evaluate("window.__viserMutable.camera.position.toArray()"))

    def there():
        """Where it was told to be; the browser has other axes."""
        return abs(np.linalg.norm(place()) - np.linalg.norm(viewer.page.scene.seen[client.client_id].places[-1])) < 1e-3

    until(there, "it looks from where it was told to")
    before = place()
    for key in ("w", "a", "d", "q", "e", "d", "ArrowUp", "ArrowLeft", "ArrowRight"):
        tab.page.evaluate("document.activeElement.blur()")
        tab.page.keyboard.press(key, delay=80)
    tab.pictures(3)
    assert np.allclose(place(), before, atol=1e-3)
    tab.page.keyboard.press("s")
    until(lambda: viewer.trajectory is not None, "S simulates all the same")
    until(there, "it sees the whole motion")
    before = place()
    corner = np.array(
        tab.page.evaluate("(b => [b.left, b.top])(window.__viserMutable.canvas.getBoundingClientRect())"), float
    )

    def turned():
        """Background is dragged, again if the page was busy: software draws few pictures a second."""
        tab.drag(corner + 40.0, corner + np.array([190.0, 40.0]))
        return soon(lambda: np.linalg.norm(place() - before) > 0.2)

    until(turned, "the mouse turns it")
    tab.page.get_by_role("button", name="Reset view").click()
    until(there, "it sees the whole motion again")
