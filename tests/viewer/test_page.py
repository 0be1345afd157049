"""The page in a browser: what people do with it, and what it shows."""

from pathlib import Path

import numpy as np
import pytest

import articulated as art

from .browser import Tab, until

pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")
pytestmark = pytest.mark.browser

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]


def near(found, expected):
    return bool(np.allclose(found, expected, rtol=1e-12, atol=1e-12))


def matrix(values, n):
    return np.array([[values.get(f"{i},{j}", np.nan) for j in range(n)] for i in range(n)])


def vector(values):
    return np.array([values[str(k)] for k in range(len(values))])


def test_a_slider_moves_the_robot_and_the_panels_show_its_numbers(shown):
    robot = art.load("ur5")
    viewer, tab = shown(robot, q=np.zeros(6))
    name = robot.joint_names[1]
    tab.type_into(name, -0.7)
    until(lambda: viewer.q[1] == -0.7, "the slider moved the robot")
    q = viewer.q
    assert near(np.delete(q, 1), 0.0)
    until(lambda: near(matrix(tab.values("mass"), 6), robot.mass_matrix(q)), "the mass matrix is that of the pose")
    assert near(vector(tab.values("gravity")), robot.gravity_forces(q))
    energies = tab.values("energy")
    assert near([energies["kinetic"], energies["potential"]], [0.0, robot.potential_energy(q)])
    placed = viewer.page.scene._placed[1:]  # what was sent to the browser last
    until(lambda: near(placed[:, :3], robot.body_motions(q, q * 0, q * 0).pose[:, :3, 3]), "the bodies are there")
    low, high = robot.limits.lower[1], robot.limits.upper[1]
    tab.type_into(name, 100.0)
    until(lambda: viewer.q[1] > 1.0, "the slider went up")
    assert low <= viewer.q[1] <= high  # also of what is typed


def test_sliders_follow_what_the_program_sets(shown):
    viewer, tab = shown(art.load("2r"))
    viewer.q = [0.25, -0.5]
    field = "[...document.querySelectorAll('input')].map(e => e.value)"
    until(lambda: {"0.25", "-0.5"} <= set(tab.page.evaluate(field)), "the sliders show the pose")
    assert viewer.q.tolist() == [0.25, -0.5]


def test_tree_and_equations_of_a_small_robot(shown):
    pytest.importorskip("sympy")
    robot = art.load("2r")
    _, tab = shown(robot, q=[0.3, 0.4])
    tab.tab("Tree")
    parents = tab.page.evaluate("[...document.querySelectorAll('[data-parent]')].map(e => e.textContent)")
    children = tab.page.evaluate("[...document.querySelectorAll('[data-children]')].map(e => e.textContent)")
    assert [int(x) for x in parents] == robot.topology().parent
    assert children == ["{1}", "{2}", "∅"]
    tab.tab("Equations")
    tab.page.wait_for_selector("math >> nth=3")
    formulas = tab.page.evaluate("[...document.querySelectorAll('math')].map(e => e.textContent).join(' ')")
    assert "cos" not in formulas and "c2" in formulas.replace(" ", "")  # c₂ is the lectures' short form
    cells = tab.page.locator("td").all_text_contents()
    assert all(f"{x:.4g}" in cells for x in robot.mass_matrix([0.3, 0.4]).ravel())


def test_a_blank_is_filled_in_and_its_numbers_follow_the_sliders(shown):
    pytest.importorskip("sympy")
    robot = art.load("2r")
    viewer, tab = shown(robot, q=[0.3, 0.4])
    tab.tab("Exercise")
    viewer.page.panels["Exercise"]._blank.value = "M12"
    until(
        lambda: near(tab.values("entry").get("M12", np.nan), robot.mass_matrix([0.3, 0.4])[0, 1]), "numbers are shown"
    )
    answer = tab.page.locator("xpath=//label[text()='Answer']/following::input[1]")
    for text, verdict in (("I2 + m2 d2 (d2 + l1 s2)", "False"), ("I2 + m2 d2 (d2 + l1 c2)", "True")):
        answer.fill(text)
        tab.page.wait_for_selector(f"[data-verdict={verdict}]")
    viewer.q = [0.3, 1.0]
    until(lambda: near(tab.values("entry").get("M12", np.nan), robot.mass_matrix([0.3, 1.0])[0, 1]), "they follow")


def test_feet_that_are_ticked_are_analysed_and_carry_the_weight(shown):
    robot = art.load("quadruped", floating_base=True)
    viewer, tab = shown(robot)
    tab.tab("Contacts")
    for foot in FEET[:3]:
        tab.tick(foot)
    tab.page.wait_for_selector("td:has-text('uncontrollable')")
    until(lambda: len(tab.values("force")) == 9, "three feet have forces")
    contacts, still = art.Contacts(robot, point=FEET[:3]), np.zeros(robot.nv)
    ranks = contacts.analyse(viewer.q)
    cells = tab.page.locator("td").all_text_contents()
    assert cells[cells.index("constraints") + 1] == str(ranks.k)
    assert cells[cells.index("internal forces") + 1] == str(ranks.internal)
    forces = tab.values("force")
    found = np.array([[forces[f"{k},{i}"] for i in range(3)] for k in range(3)])
    expected = contacts.inverse_dynamics(viewer.q, still, still).forces.reshape(3, 3)
    assert np.allclose(found, expected, atol=1e-9 * robot.mass * 9.81)
    assert abs(found[:, 2].sum() - robot.mass * 9.81) < 1e-6
    assert viewer.page.scene.arrows._arrows.points.shape == (3, 2, 3)


def test_play_pause_scrub_and_loop_by_mouse_and_keyboard(shown):
    robot = art.load("2r")
    run = art.simulate(robot, [0.5, 0.2], None, 1.0, 1e-2, method="rk4")
    viewer, tab = shown(robot, run)
    playback = viewer.page.playback
    tab.tab("Motion")
    tab.type_into("t (s)", 0.5)
    until(lambda: near(viewer.q, run.q[50]), "the motion is at 0.5 s")
    until(lambda: tab.page.locator("[data-t='0.5']").count(), "the curves follow")
    lines = tab.values("line")
    assert near(vector(lines), run.q[50])
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("ArrowRight")
    until(lambda: near(viewer.q, run.q[51]), "a step by the keyboard")
    tab.page.keyboard.press("l")
    until(lambda: playback.loop.value, "it loops")
    tab.page.keyboard.press(" ")
    until(lambda: playback.playing, "it plays")
    tab.page.wait_for_selector("button:has-text('Pause')")
    before = viewer.page.state.now.serial
    until(lambda: viewer.page.state.now.serial > before + 5, "it moves")
    until(lambda: playback.t < 0.4, "it began again")
    assert playback.playing
    tab.page.get_by_role("button", name="Pause").click()
    until(lambda: not playback.playing, "it pauses")


def test_simulate_and_push_from_the_pose_that_is_shown(shown):
    robot = art.load("2r")
    viewer, tab = shown(robot, q=[0.3, 0.1])
    tab.tab("Motion")
    tab.type_into("Duration (s)", 0.5)
    tab.tick("Push")
    tab.page.get_by_role("button", name="Simulate", exact=True).click()
    run = until(lambda: viewer.trajectory, "there is a motion")
    push = run.forces[viewer.page.frame]
    assert near(run.q[0], [0.3, 0.1]) and run.duration == 0.5
    assert np.linalg.norm(push, axis=-1).max() > 0 and abs(push[0]).max() == 0
    expected = art.simulate(robot, run.q[0], None, 0.5, 1e-3, every=5)
    assert not near(run.q[-1], expected.q[-1])  # the push did something
    until(lambda: viewer.page.state.now.sample, "it plays at once")


def test_a_robot_file_opens_from_the_page_with_its_report(shown, tmp_path):
    viewer, tab = shown(art.load("2r"))
    art.save(art.load("ur5"), tmp_path / "arm.urdf")
    bad = (tmp_path / "arm.urdf").read_text().replace("mass value=", "mass valeu=", 1)
    (tmp_path / "bad.urdf").write_text(bad)
    tab.tab("File")
    for file in ("bad.urdf", "arm.urdf"):
        with tab.page.expect_file_chooser() as chosen:
            tab.page.get_by_role("button", name="Open a URDF").click()
        chosen.value.set_files(tmp_path / file)
        if file == "bad.urdf":
            tab.page.wait_for_selector("text=bad.urdf is refused")
            assert tab.page.locator("b:text-is('error')").count() and "URDF" in tab.page.content()
            assert viewer.robot.name == "2r"
    until(lambda: viewer.robot.nv == 6, "the arm is there")
    until(lambda: len(tab.values("gravity")) == 6, "and its panels")
    tab.tab("File")
    tab.page.wait_for_selector("text=No problems found")


def test_light_and_dark(shown):
    viewer, tab = shown(art.load("2r"))
    scheme = "getComputedStyle(document.body).backgroundColor"
    light = tab.page.evaluate(scheme)
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("d")
    until(lambda: viewer.dark and tab.page.evaluate(scheme) != light, "it is dark")
    tab.page.keyboard.press("d")
    until(lambda: not viewer.dark and tab.page.evaluate(scheme) == light, "it is light")


def test_an_exported_motion_plays_offline(context, tmp_path):
    robot = art.load("2r")
    run = art.simulate(robot, [1.5, 0.2], None, 1.0, 1e-2, method="rk4")
    with art.view(run, quiet=True) as viewer:
        viewer.export(tmp_path / "run.html")
    context.set_offline(True)
    try:
        tab = Tab(context, (tmp_path / "run.html").as_uri(), "canvas")
        first = tab.page.locator("canvas").last.screenshot()
        until(lambda: tab.page.locator("canvas").last.screenshot() != first, "the picture moves")
        assert tab.complaints == [] and tab.outside() == []
        assert tab.page.title() == "2r, 1 s"
        tab.page.close()
    finally:
        context.set_offline(False)
    assert len(list(Path(tmp_path).iterdir())) == 1


def test_a_page_from_elsewhere_is_refused(context, opened, tmp_path):
    """A page of another origin, opened in the same browser, tries to talk to the viewer."""
    viewer, _ = opened
    address = viewer.url.replace("http:", "ws:")
    program = f"""<body><script>
      const socket = new WebSocket('{address}', 'viser-v1');
      socket.onopen = () => document.body.append('open');
      socket.onerror = () => document.body.append('refused');
    </script>"""
    (tmp_path / "evil.html").write_text(program)
    tab = Tab(context, (tmp_path / "evil.html").as_uri(), "")
    tab.page.wait_for_selector("text=refused")
    assert "open" not in tab.page.locator("body").inner_text()
    tab.page.close()
