"""Frame rate of the viewer in a browser that renders in software: `python -m benchmarks.viewer [ROBOT …]`.

Counted are frames that the page has drawn, and among them those that show a state that was not shown before, while a
motion is played; beside them the CPU time of one frame, in the browser (the software renderer, and the page) and in the
server.  Light and full drawing (?drawing=full) take turns.  Needs the extra `view`, psutil,
playwright and Chromium.
"""

import statistics
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from playwright.sync_api import sync_playwright

import articulated as art
from tests.viewer.browser import FLAGS, Tab, chromium

ROBOTS = ("humanoid", "talos_reduced")
WINDOW = {"width": 1280, "height": 800}
ROUNDS, SECONDS = 3, 4.0
#: counts pictures and states in the page: a body stands otherwise in each state
COUNT = """name => { const seen = window.__viserMutable, info = window.__viserTestpoints.rendererInfo.render;
  const count = window.__count = { first: info.frame, states: 0 }; let frame = info.frame, before = "";
  (function look() { if (window.__count !== count) return;
    if (info.frame !== frame) { frame = info.frame;
      const now = seen.nodeRefFromName[name].quaternion.toArray().join();
      if (now !== before) count.states += 1;
      before = now; }
    requestAnimationFrame(look) })() }"""
COUNTED = "[window.__viserTestpoints.rendererInfo.render.frame - window.__count.first, window.__count.states]"


def swing(robot: art.Robot) -> art.Trajectory:
    """Every joint by 0.4 rad, 10 s."""
    t = np.linspace(0.0, 10.0, 601)
    moving = np.ones(robot.nv)
    moving[:6] = 0.0
    q = robot.integrate(robot.neutral(), 0.4 * np.sin(2 * t)[:, None] * moving)
    still = np.zeros((len(t), robot.nv))
    return art.Trajectory(robot, t, q, still, still, still)


def busy() -> dict[str, float]:
    """Seconds of the processor so far: of what draws, of the page, and of the server."""
    found = {"draws": 0.0, "page": 0.0, "server": sum(psutil.Process().cpu_times()[:2])}
    for process in psutil.Process().children(recursive=True):
        command = " ".join(process.cmdline())
        kind = "draws" if "--type=gpu" in command else "page" if "--type=" in command else None
        if kind:
            found[kind] += sum(process.cpu_times()[:2])
    return found


def measured(viewer: Any, tab: Tab) -> dict[str, float]:
    """Rates in one window of time."""
    tab.page.evaluate(COUNT, f"{viewer.page.scene.root}/{len(viewer.robot.model.bodies)}")
    before, start = busy(), time.monotonic()
    tab.page.wait_for_timeout(1000 * SECONDS)
    (pictures, states), after, passed = tab.page.evaluate(COUNTED), busy(), time.monotonic() - start
    cost = {kind: 1000 * (after[kind] - before[kind]) / max(pictures, 1) for kind in before}
    return {"pictures": pictures / passed, "states": states / passed, **cost}


def rows(name: str, driver: Any) -> list[str]:
    """Lines of the table for one robot."""
    robot = art.load(name, floating_base=True)
    found: dict[str, list[dict[str, float]]] = {"light": [], "full": []}
    with art.view(robot, swing(robot), quiet=True) as viewer:
        viewer.page.playback.loop.value = True
        viewer.play()
        for k in range(ROUNDS):
            for drawing, each in found.items():
                browser = driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
                tab = Tab(browser.new_context(viewport=WINDOW), f"{viewer.url}?drawing={drawing}")
                tab.page.wait_for_function("() => window.__viserTestpoints?.rendererInfo.render.frame > 3")
                tab.page.wait_for_timeout(3000)  # shaders are compiled, and the resolution is found
                each.append(measured(viewer, tab))
                browser.close()
                print(name, drawing, k, {key: round(x, 1) for key, x in each[-1].items()}, flush=True)
        triangles = sum(len(s.faces) for each in viewer.page.scene.looks.surfaces.values() for s in each.values())
    lines = []
    for drawing, each in found.items():
        median = {key: statistics.median(one[key] for one in each) for key in each[0]}
        best = max(one["pictures"] for one in each)
        lines.append(
            f"| {name} | {len(robot.model.bodies)} | {triangles} | {drawing} "
            f"| {median['pictures']:.1f} (best {best:.1f}) "
            f"| {median['states']:.1f} | {median['draws']:.0f} | {median['page']:.0f} | {median['server']:.0f} |"
        )
    return lines


def main(*names: str) -> None:
    """Print the table, and write it if it is of all robots."""
    warnings.simplefilter("ignore", art.ModelWarning)
    load = psutil.getloadavg()[0]
    with sync_playwright() as driver:
        lines = [line for name in names or ROBOTS for line in rows(name, driver)]
    text = (
        "# Frame rate of the viewer without a graphics card\n\n"
        f"`python -m benchmarks.viewer`, {psutil.cpu_count()} cores, load {load:.0f} when it began, "
        f"Chromium's SwiftShader, a window of {WINDOW['width']} × {WINDOW['height']}; medians of {ROUNDS} turns.\n"
        "The server sends 30 states a second. The last three columns are CPU time in ms per frame: software renderer,\n"
        "page, server. Light is what a browser without a graphics card gets: no shadows, no antialiasing.\n\n"
        "| robot | bodies | triangles | drawing | frames/s | states shown/s | renderer | page | server |\n"
        "|---|---|---|---|---|---|---|---|---|\n" + "\n".join(lines) + "\n"
    )
    print(text)
    if not names:
        Path(__file__).with_suffix(".md").write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
