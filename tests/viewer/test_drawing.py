"""Work that a browser without a graphics card is spared, and that nothing is lost by it."""

import gzip

import numpy as np
import pytest

import articulated as art
from articulated.viewer import playback as playing
from articulated.viewer.drawing import program, with_program
from articulated.viewer.playback import Playback
from articulated.viewer.state import State

from .browser import Tab, until

pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")

SCENE = """() => {
  const found = { shadows: 0 };
  window.__viserMutable.scene.traverse(o => { if (o.isLight && o.castShadow) found.shadows += 1; });
  const canvas = window.__viserMutable.canvas;
  found.smoothed = canvas.getContext("webgl2").getContextAttributes().antialias;
  found.triangles = window.__viserTestpoints.rendererInfo.render.triangles;
  return found;
}"""


def swing(robot):
    t = np.linspace(0.0, 4.0, 121)
    moving = np.ones(robot.nv)
    moving[:6] = 0.0
    q = robot.integrate(robot.neutral(), 0.3 * np.sin(3 * t)[:, None] * moving)
    still = np.zeros((len(t), robot.nv))
    return art.Trajectory(robot, t, q, still, still, still)


@pytest.mark.browser
def test_software_draws_no_shadow_and_each_triangle_once(shown):
    robot = art.load("humanoid", floating_base=True)
    viewer, tab = shown(robot, swing(robot))
    ours = sum(len(s.faces) for each in viewer.page.scene.looks.surfaces.values() for s in each.values())
    scene = until(lambda: (s := tab.page.evaluate(SCENE))["triangles"] >= ours and s, "it is drawn")
    assert scene["shadows"] == 0 and not scene["smoothed"]
    assert scene["triangles"] < ours + 500  # the ground
    assert tab.page.get_by_text("Software WebGL rendering detected").count() == 0


@pytest.mark.browser
def test_the_whole_robot_is_seen_however_narrow_the_picture_is(shown):
    """Also when the window changes its form; not once somebody has turned the view."""
    viewer, tab = shown(art.load("quadruped", floating_base=True))
    corners = [f"{viewer.page.scene.root}/{k}" for k in (4, 7, 10, 13)]  # the lower legs
    box = "(b => [b.left, b.top, b.right, b.bottom])(window.__viserMutable.canvas.getBoundingClientRect())"

    def whole():
        left, top, right, low = tab.page.evaluate(box)
        places = np.array([tab.place(name) for name in corners])
        x, y = places.T
        wide = np.ptp(x) / (right - left)
        return x.min() > left and x.max() < right and y.min() > top and y.max() < low and wide > 0.2

    try:
        until(whole, "it is seen beside both panels")
        tab.page.set_viewport_size({"width": 1400, "height": 500})
        until(whole, "in a wide window")
        tab.page.set_viewport_size({"width": 1000, "height": 700})
        until(whole, "and in a narrow one")
    finally:
        tab.page.set_viewport_size({"width": 1000, "height": 560})


@pytest.mark.browser
def test_a_narrow_page_begins_with_the_robot_and_not_with_panels(context, opened):
    viewer, _ = opened
    width = "window.__viserMutable?.canvas.clientWidth"
    for size, least in ((1280, 500), (850, 450)):
        tab = Tab(context, "about:blank", "")
        tab.page.set_viewport_size({"width": size, "height": 560})
        tab.page.goto(viewer.url)
        tab.page.wait_for_selector("text=Joints")
        until(lambda tab=tab, least=least: (tab.page.evaluate(width) or 0) > least, "there is room for the robot")
        folded = tab.page.get_by_role("tab", name="Dynamics")
        until(lambda folded=folded: folded.count() == 1, "they are folded, not gone")
        tab.page.close()


@pytest.mark.browser
def test_the_address_asks_for_the_full_picture(context, opened):
    viewer, _ = opened
    viewer.open(art.load("2r"))
    tab = Tab(context, f"{viewer.url}?drawing=full")
    tab.page.wait_for_function("() => window.__viserTestpoints?.rendererInfo.render.frame > 1")
    until(lambda: tab.page.evaluate(SCENE)["shadows"], "there are shadows")
    assert tab.page.evaluate(SCENE)["smoothed"]
    assert tab.complaints == [] and tab.outside() == []
    tab.page.close()


def test_the_program_is_in_every_page_and_before_all_others(tmp_path):
    import http.client

    with art.view("2r", quiet=True) as viewer:
        bodies = []
        for encoding in ("identity", "gzip"):
            connection = http.client.HTTPConnection("127.0.0.1", viewer.server.get_port(), timeout=20)
            connection.request("GET", f"/{viewer.url.rpartition('/')[2]}", headers={"Accept-Encoding": encoding})
            answer = connection.getresponse()
            body = answer.read()
            assert int(answer.headers["Content-Length"]) == len(body)
            bodies.append((gzip.decompress(body) if encoding == "gzip" else body).decode())
            connection.close()
        viewer.export(tmp_path / "pose.html")
    for page in (*bodies, (tmp_path / "pose.html").read_text()):
        assert page.count(program()) == 1 and page.index("<script") == page.index(program())
    assert with_program("<html><head></head></html>") == f"<html><head>{program()}</head></html>"


class Late:
    """A clock that is read when a slow machine comes to it."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


def test_pictures_that_come_late_are_left_out_and_time_goes_on(monkeypatch, rng):
    """A slow machine shows fewer states, each at its time; it does not play slowly."""
    import viser

    clock = Late()
    monkeypatch.setattr(playing, "time", clock)
    robot = art.load("2r")
    run = art.simulate(robot, [0.5, 0.2], None, 3.0, 1e-2, method="rk4")
    with art.view(robot, quiet=True) as page:
        assert isinstance(page.server, viser.ViserServer)
        state = State(run.q[0], robot.nv)
        playback = Playback(page.server.gui, page.page.turn, state)
        playback.take(run)
        playback._speed.value = "2"
        playback.toggle()
        begun = clock.now
        for late in rng.uniform(0.01, 0.4, 20):
            clock.now += late
            playback.work()
            due = min(2 * (clock.now - begun), 3.0)
            assert abs(playback.t - due) < 1e-9
            assert state.now.sample == min(int((due + 1e-9) / 1e-2 + 1e-6), 300)
            assert np.array_equal(state.now.q, run.q[state.now.sample])
        assert not playback.playing and playback.t == 3.0
        playback.loop.value = True
        playback.toggle()
        clock.now += 4.6  # three times round, and on
        playback.work()
        assert playback.playing and abs(playback.t - 2 * 4.6 % 3.0) < 1e-9
