"""Every panel of PANELS, on robots of every kind: it shows well-formed HTML, and no name becomes a tag."""

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
