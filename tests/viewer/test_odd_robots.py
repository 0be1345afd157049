"""Robots, files and visitors that a page does not expect."""

import numpy as np
import pytest

import articulated as art

from .browser import Tab, until

pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")
pytestmark = pytest.mark.browser

NAME = "<img src=x onerror='document.title=`taken`'><b>机器人</b> & \"q\""


def chain(count, mass=1.0, name="arm{}"):
    """Links below each other, 0.1 m apart, that turn about y; 0 without mass."""
    inertia = art.Inertia(mass, (0.0, 0.0, -0.05), 1e-3 * mass * np.eye(3)) if mass else art.Inertia(0.0)
    links = []
    for k in range(count):
        parent = links[-1].name if links else None
        placement = art.Transform(p=(0, 0, -0.1 if links else 0.0))
        joint = art.Revolute((0, 1, 0), name=f"{name.format(k)} j")
        links.append(art.Link(name.format(k), parent, joint, placement=placement, inertia=inertia))
    return art.build(links, name=name.format("s"))


def test_names_that_are_markup_are_text_everywhere(shown):
    robot = chain(2, name=NAME + "{}")
    viewer, tab = shown(robot, q=[0.1, 0.2])
    for name in ("Tree", "Contacts", "Equations", "Motion", "Show", "File", "Joints", "Dynamics"):
        tab.tab(name)
    viewer.page.show("names", True)
    until(lambda: len(tab.values("gravity")) == 2, "its panels are there")
    tab.tab("Tree")
    assert tab.page.locator("pre", has_text="<img src=x").count()
    assert tab.page.locator("img[src=x]").count() == 0 and tab.page.title() != "taken"


def test_many_joints_and_one_without_mass(shown):
    viewer, tab = shown(chain(15), q=np.zeros(15))
    until(lambda: len(tab.values("gravity")) == 15, "every torque is there")
    viewer.q = np.full(15, 0.01)
    wanted = viewer.robot.gravity_forces(viewer.q)
    until(lambda: np.allclose(list(tab.values("gravity").values()), wanted), "they follow")
    viewer, tab = shown(chain(1, mass=0.0), q=[0.3])
    until(lambda: tab.values("gravity") == {"0": 0.0}, "nothing weighs nothing")
    tab.tab("Motion")
    tab.page.get_by_role("button", name="Simulate", exact=True).click()
    tab.page.wait_for_selector("strong")  # no motion without mass: it says why
    assert viewer.trajectory is None


def test_a_simulation_that_diverges_says_so_and_shows_how_far_it_came(shown):
    robot = art.load("2r")
    viewer, tab = shown(robot, q=[0.3, 0.1])
    tab.tab("Motion")
    tab.type_into("Duration (s)", 0.5)
    tab.tick("Push")
    for field in tab.page.locator("xpath=//label[normalize-space()='Force (N)']/ancestor::*[.//input][1]//input").all():
        field.fill("1e9")
        field.press("Enter")
    tab.page.get_by_role("button", name="Simulate", exact=True).click()
    run = until(lambda: viewer.trajectory, "there is what there is of it")
    assert np.isfinite(run.q).all()
    until(lambda: tab.page.get_by_role("button", name="Simulate", exact=True).is_enabled(), "it can be tried again")


def test_two_windows_show_the_same_and_one_may_go_while_it_plays(context, shown):
    robot = art.load("2r")
    run = art.simulate(robot, [0.5, 0.2], None, 2.0, 1e-2, method="rk4")
    viewer, tab = shown(robot, run)
    other = Tab(context, viewer.url)
    other.type_into(robot.joint_names[0], 0.75)
    until(lambda: viewer.q[0] == 0.75, "the other window moved it")
    field = "[...document.querySelectorAll('input')].map(e => e.value)"
    until(lambda: "0.75" in tab.page.evaluate(field), "this one shows it")
    viewer.page.playback.loop.value = True
    viewer.play()
    other.page.close()
    before = viewer.page.state.now.serial
    until(lambda: viewer.page.state.now.serial > before + 10, "it plays on")
    until(lambda: len(viewer.server.get_clients()) == 1, "one is gone")
    assert other.complaints == []


REFUSED = [
    ("empty.urdf", b"", "empty.urdf is refused"),
    ("noise.urdf", bytes(range(256)) * 40, "noise.urdf is refused"),
    ("<b>x</b>.urdf", b"<robot name='r'><link", "<b>x</b>.urdf is refused"),
    (
        "bomb.urdf",
        b"<!DOCTYPE r [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>",
        "bomb.urdf is ref",
    ),
    ("many.urdf", b"<robot name='r'>" + b"<link name='a'/>" * 10_000 + b"</robot>", "many.urdf is refused"),
]


def test_files_that_are_no_robots_are_refused_in_the_page(shown):
    viewer, tab = shown(art.load("2r"))
    tab.tab("File")
    for name, data, said in REFUSED:
        with tab.page.expect_file_chooser() as chosen:
            tab.page.get_by_role("button", name="Open a URDF").click()
        chosen.value.set_files([{"name": name, "mimeType": "text/xml", "buffer": data}])
        tab.page.get_by_text(said).first.wait_for()  # its name as text, whatever it is
        assert viewer.robot.name == "2r" and tab.page.locator("b:text-is('error')").count() <= 100
