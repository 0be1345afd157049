"""The endless simulation of the page, and the mouse that pulls a body while it runs."""

from types import SimpleNamespace

import numpy as np
import pytest

import articulated as art

pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")


@pytest.fixture
def arm():
    with art.view("2r", q=[0.3, 0.4], quiet=True) as viewer:
        viewer._stopped.set()  # its clocks; the test draws by itself
        for clock in viewer._clocks:
            clock.join()
        yield viewer
        viewer._stopped.clear()


def begin(viewer):
    live = viewer.page.live
    live.switch.value = True
    live._toggle()
    assert live.running
    return live


def dragged(viewer, k, start, end, phase="update"):
    """An event of the mouse on body k, as viser sends it."""
    target = SimpleNamespace(name=f"{viewer.page.scene.root}/{k}/shape/0")
    event = SimpleNamespace(phase=phase, target=target, start_position=tuple(start), end_position=tuple(end))
    with pytest.raises(StopIteration):  # it waits for nothing; playwright has an event loop of its own here
        viewer.page.live._dragged(event).send(None)


def test_it_is_the_simulation_of_the_library(arm):
    live, start = begin(arm), arm.page.state.now
    for _ in range(3):
        live.work()
    run = art.simulate(arm.robot, start.q, start.v, duration=0.099)
    assert np.allclose(arm.q, run.q[-1], atol=1e-12) and np.allclose(arm.page.state.now.v, run.v[-1], atol=1e-12)


def test_a_body_comes_to_the_mouse_and_is_let_go(arm):
    """Against gravity, from any point of a link, and less than a hand's breadth below it."""
    live, robot = begin(arm), arm.robot
    goal = robot.pose([0.9, 0.5], "tip")[:3, 3]
    before = np.linalg.norm(robot.pose(arm.q, "tip")[:3, 3] - goal)
    dragged(arm, 2, robot.pose(arm.q, "tip")[:3, 3], goal, "start")
    for _ in range(90):
        live.work()
        dragged(arm, 2, robot.pose(arm.q, "tip")[:3, 3], goal)
    assert np.linalg.norm(robot.pose(arm.q, "tip")[:3, 3] - goal) < min(0.25, before) and len(live.pushes) == 1
    dragged(arm, 2, goal, goal, "end")
    live.work()
    assert live._pull is None and len(live.pushes) == 0


def test_what_stands_still_is_not_pulled_and_a_motion_ends_it(arm):
    live = begin(arm)
    dragged(arm, 0, (0, 0, 0), (1, 0, 0))
    assert live._pull is None
    arm.page.take(art.simulate(arm.robot, [0.1, 0.2], duration=0.01))
    live._toggle()
    assert not live.running


def test_feet_have_their_forces_and_a_robot_that_cannot_be_simulated_says_so():
    with art.view(art.load("quadruped", floating_base=True), quiet=True) as viewer:
        live = begin(viewer)
        with viewer.page.turn:
            live.work()
            assert live.touching is not None and (live.touching.forces[:, 2] > 0).sum() == 4
            viewer.page._forces(viewer.page.state.now)
    massless = art.build([art.Link("arm", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(0.0))])
    with art.view(massless, quiet=True) as viewer:
        viewer.page.live.switch.value = True
        viewer.page.live._toggle()
        assert not viewer.page.live.running and "**" in viewer.page.live._said.content
