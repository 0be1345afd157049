"""Every panel of PANELS, on robots of every kind: it shows well-formed HTML, and no name becomes a tag."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.viewer.panels import PANELS
from articulated.viewer.panels.panel import Panel

pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")


class Tags(HTMLParser):
    """Tags that are open, and complaints about those that close nothing."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong = [], []
        self.feed(text)
        self.wrong += [f"<{tag}> stays open" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.wrong += ["a name has become a tag"] * (tag == "hostile")
        self.open += [tag] * (tag not in ("br", "img", "circle", "path", "line", "rect"))

    def handle_endtag(self, tag):
        self.wrong += [] if self.open and self.open.pop() == tag else [f"</{tag}> closes nothing"]


def robots():
    hostile = art.Link("<hostile>", None, art.Revolute((0, 0, 1), name="<hostile>j"), inertia=art.Inertia(1.0))
    return {
        "arm": art.load("2r"), "long": art.load("panda"), "legs": art.load("quadruped", floating_base=True),
        "still": art.build([art.Link("base", inertia=art.Inertia(1.0))]), "ball": art.build([hostile.replace(
            joint=art.Spherical(name="j"), inertia=art.Inertia(1.0, (0, 0, 0.1), np.eye(3)))]),
        "hostile": art.build([hostile], name="<hostile>"),
    }  # fmt: skip


def complaints(viewer):
    """Complaints about the panels of a page, in two states."""
    for title, panel in viewer.page.panels.items():
        for _ in range(2):
            panel.tell(viewer.page.state.now)
            shown = [x.content for x in vars(panel).values() if hasattr(x, "content")]
            yield from (f"{title}: {wrong}" for text in shown for wrong in Tags(text).wrong)
            if not shown:
                yield f"{title}: it shows nothing"
            viewer.q = viewer.robot.random(1)


@pytest.mark.parametrize("name, robot", robots().items(), ids=list(robots()))
def test_every_panel_shows_every_robot(name, robot):
    with art.view(robot, quiet=True) as viewer:
        assert list(viewer.page.panels) == [title for title, kind in PANELS.items() if kind.suits(robot)]
        assert list(complaints(viewer)) == []


def test_the_page_has_every_panel():
    page = (Path(__file__).parents[2] / "docs" / "view.md").read_text("utf-8")
    assert not [title for title in PANELS if f"\n| {title} |" not in page], "docs/view.md"


def test_a_panel_is_one_file_and_one_row(monkeypatch):
    class Height(Panel):
        def __init__(self, page):
            super().__init__(page)
            self.text = page.gui.add_html("")

        def tell(self, moment):
            self.text.content = f"<p>{self.robot.center_of_mass(moment.q)[2]:.3g} m"

    monkeypatch.setitem(PANELS, "Height", Height)
    with art.view("2r", quiet=True) as viewer:
        assert set(complaints(viewer)) == {"Height: <p> stays open"}, "the law runs on it"
        assert viewer.page.panels["Height"].text.content.endswith(" m")


def test_ticks_of_a_law_are_told_and_drawn():
    robot = art.load("quadruped", floating_base=True)
    walk = art.Walk(robot, gait="trot", friction=0.3)
    walk.record()
    walk.command(0.6)
    run = art.simulate(robot, walk.home, duration=0.4, dt=2e-3, torque=walk, contacts=art.Ground(0.4))
    with art.view(run, law=walk, quiet=True) as viewer:
        page = viewer.page

        def draw():
            with page.turn:  # the page draws in a thread of its own
                page._forces(page.state.now)

        for tick in walk.ticks[::25]:
            page.playback.scrub(tick.t)
            page.feet.tell(page.state.now)
            draw()
            text, marks = page.feet._text.content, page.scene._marks
            assert re.findall("data-active='([^']*)'", text) == tick.active and f"{tick.t:.3f} s: {tick.status}" in text
            told = np.array([float(x) for x in re.findall(r"data-force='\d+,\d+' data-value='([^']*)'", text)])
            assert np.array_equal(told.reshape(-1, 3), tick.forces)
            assert text.count("<td class='name'>lifted") == len(tick.footholds)
            drawn = [node.position for node in marks["foothold"] if node.visible]
            assert np.array_equal(np.reshape(drawn, (-1, 3)), np.reshape([*tick.footholds.values()], (-1, 3)))
            assert np.array_equal(marks["wanted"][0].position, tick.wanted)
            page.show("forces", False)
            draw()
            assert not any(node.visible for each in marks.values() for node in each)
            page.show("forces", True)
        viewer.play(art.simulate(robot, walk.home, duration=0.01))
        draw()
        assert not any(node.visible for each in marks.values() for node in each)  # another motion has no law
    with pytest.raises(art.ShapeError, match="law goes with a motion"):
        art.view(robot, law=walk, quiet=True)
    with pytest.raises(art.ShapeError, match="record"):
        art.view(run, law=art.Walk(robot), quiet=True)
