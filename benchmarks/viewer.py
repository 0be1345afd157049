"""How many pictures a second a browser draws of a humanoid that moves: `python -m benchmarks.viewer [ROBOT]`.

A picture is drawn when the page has asked for it and the software that draws has finished it: what is counted are
animation frames of the page while a motion is played.  Needs the extra `view`, playwright and Chromium.
"""

import sys
import warnings

import numpy as np
from playwright.sync_api import sync_playwright

import articulated as art
from tests.viewer.browser import FLAGS, Tab, chromium

COUNT = """(ms) => new Promise(done => { let n = 0, start = performance.now(); (function frame() { n++;
  const passed = performance.now() - start;
  passed > ms ? done(1000 * n / passed) : requestAnimationFrame(frame) })() })"""


def swing(robot: art.Robot) -> art.Trajectory:
    """Every joint by 0.4 rad, 10 s."""
    t = np.linspace(0.0, 10.0, 301)
    moving = np.ones(robot.nv)
    moving[:6] = 0.0
    q = robot.integrate(robot.neutral(), 0.4 * np.sin(2 * t)[:, None] * moving)
    still = np.zeros((len(t), robot.nv))
    return art.Trajectory(robot, t, q, still, still, still)


def main(name: str = "talos_reduced") -> None:
    """Print pictures and states a second."""
    warnings.simplefilter("ignore", art.ModelWarning)
    robot = art.load(name, floating_base=True)
    with art.view(robot, swing(robot), quiet=True) as viewer, sync_playwright() as driver:
        viewer.page.playback.loop.value = True
        browser = driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        tab = Tab(browser.new_context(viewport={"width": 1280, "height": 800}), viewer.url)
        viewer.play()
        for _ in range(20):  # shaders are compiled first
            if tab.page.evaluate(COUNT, 1000) > 10:
                break
        before = viewer.page.state.now.serial
        pictures = tab.page.evaluate(COUNT, 8000)
        states = (viewer.page.state.now.serial - before) / 8
        triangles = sum(len(s.faces) for each in viewer.page.scene.looks.surfaces.values() for s in each.values())
        print(f"{name}: {len(robot.model.bodies)} bodies, {triangles} triangles: {pictures:.1f} pictures/s, "
              f"{states:.1f} states/s sent")  # fmt: skip
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
