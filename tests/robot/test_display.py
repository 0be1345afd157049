"""Text and HTML of a robot: escaped, complete, bounded."""

import html.parser
import re

import numpy as np
import pytest

import articulated as art
from articulated.robot.display import tree_lines
from articulated.text import SEVERITIES, html_table, plain, shortened
from tests.zoo import STRUCTURES


class Checker(html.parser.HTMLParser):
    """Counts open tags; every tag must be one of ours."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        assert tag in {"div", "p", "b", "pre", "table", "tr", "th", "td", "details", "summary", "style"}, tag
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def shown(robot):
    checker = Checker()
    checker.feed(robot._repr_html_())
    assert checker.open == []
    return checker.text


@pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
def test_html_names_every_joint_and_body(robot):
    text = shown(robot)
    assert all(name in text for name in [robot.name, *robot.joint_names, *robot.body_names])


def test_html_shows_the_findings():
    robot = art.build(
        [art.Link("odd", None, art.Revolute(), inertia=art.Inertia(1.0, (0, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, 9]]))]
    )
    assert "triangle inequality" in shown(robot) and "INERTIA001" in shown(robot)


def test_what_is_wrong_comes_first_and_numbers_have_units():
    bad = art.Inertia(1.0, (0, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, 9]])
    robot = art.build([art.Link("odd", None, art.Revolute(limits=art.Limits(-1, 1, 2, 3)), inertia=bad)])
    text = shown(robot)
    assert text.index("triangle inequality") < text.index("joints") < text.index("tree")
    assert all(unit in text for unit in ("2 rad/s", "3 N m", "mass kg", "rad"))
    page = robot._repr_html_()
    assert text.count("1 warning") == 1 and "1 body," in text
    # no color of its own for text and background: the theme's, light or dark
    assert "color:inherit" in page and "background:transparent" in page and "#fff" not in page and "#000" not in page


def test_tables_read_well_in_any_notebook():
    """Notebooks put every cell to the right, and drop style sheets they do not trust; each cell has its place."""
    page = html_table(["name", "mass kg", "note"], [["arm", "1.5", "warning"], ["hand", "", "fine"]])
    placed = {text: style for style, text in re.findall(r"style='([^']*)'>([^<]*)<", page)}
    assert all("text-align:right" in placed[text] for text in ("mass kg", "1.5"))
    assert all("text-align:left" in placed[text] for text in ("name", "arm", "note", "warning", "fine"))
    assert f"color:{SEVERITIES['warning']}" in placed["warning"] and "color" not in placed["fine"]


@pytest.mark.parametrize("severity", SEVERITIES)
def test_findings_are_read_on_white_and_on_black(severity):
    """Contrast as of the WCAG's formula; 4 on both is near the most there can be (4.3 on either)."""
    color = SEVERITIES[severity]
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert 1.05 / (light + 0.05) > 4 and (light + 0.05) / 0.05605 > 4  # JupyterLab's dark is #111111


def test_contacts_and_their_analysis_are_tables():
    dog = art.load("quadruped", floating_base=True)
    feet = art.Contacts(dog, point=["FL_FOOT"], surface=["HR_FOOT"], passive=["FL_KFE"])
    page = feet._repr_html_()
    assert all(word in page for word in ("FL_FOOT", "surface", "0:3", "3:9", "(N)", "(N m)", "FL_KFE", "<table>"))
    found = feet.analyse(dog.poses["home"])
    names = [line.split("  ")[0].strip() for line in str(found).splitlines()]
    page = found._repr_html_()
    assert all(name in page for name in names if name != "note")
    assert found.notes and page.index(found.notes[0]) < page.index("constraints")


def test_names_cannot_leave_their_cell():
    name = "</td><script>alert(1)</script><b onload=x>&amp;\x1b[31m"
    text = shown(art.build([art.Link(name, None, art.Revolute(name=name), inertia=art.Inertia(1.0))], name=name))
    assert "<script>alert(1)" in text and "\x1b" not in text  # as text, not as a tag


def test_long_chains_are_cut_and_need_no_recursion():
    links = [art.Link("l0", inertia=art.Inertia(1.0))]
    links += [art.Link(f"l{i}", f"l{i - 1}", art.Revolute(), inertia=art.Inertia(1.0)) for i in range(1, 3000)]
    robot = art.build(links)
    assert len(tree_lines(robot.model)) == 3000
    assert "… and 2800 more" in shown(robot)


def test_the_tree_draws_branches():
    lines = tree_lines(art.load("tree4").model)
    assert any("├─ " in line for line in lines) and any("└─ " in line for line in lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb", r"a\nb"),
        ("\u202e", r"\u202e"),
        ("\x9b", r"\x9b"),
        ("ä…", "ä…"),
    ],
)
def test_plain(text, expected):
    assert plain(text) == expected


def test_shortened():
    assert shortened("x" * 100) == "x" * 79 + "…" and shortened("short") == "short"


PUBLIC = [x for name in dir(art) if isinstance(x := getattr(art, name), type)]


def test_no_public_object_shows_an_address():
    assert [kind for kind in PUBLIC if kind.__repr__ is object.__repr__] == []


def test_what_hangs_on_a_robot_says_whose_it_is():
    robot = art.load("quadruped", floating_base=True)
    contacts = art.Contacts(robot, point=["FL_FOOT"])
    assert repr(robot.study).startswith("<study of quadruped: inverse_dynamics_with_weights, ")
    assert repr(contacts.study).startswith("<study of <Contacts of quadruped: FL_FOOT; 3 rows>: order, S, ")


def test_inverse_kinematics_and_poses_are_tables_in_a_notebook():
    arm = art.load("panda")
    place = arm.pose(arm.poses["home"], "panda_hand")[:3, 3]
    for targets, said in (
        (place, ["<b>inverse kinematics</b>: reached", "largest component of the errors"]),
        ([2.0, 0, 0], [": not reached", "stays 1.17 m away"]),
        ([place, [2.0, 0, 0]], [": 1 of 2 reached", "target 1"]),
        (np.full((9, 3), 3.0), [": 0 of 9 reached", "target 4", "and 4 more"]),
        (np.zeros((0, 3)), [": 0 of 0 reached"]),
    ):
        page = arm.inverse_kinematics({"panda_hand": targets}, restarts=2)._repr_html_()
        Checker().feed(page)
        assert all(word in page for word in said), page
    shown = arm.poses._repr_html_()
    Checker().feed(shown)
    assert "home" in shown and "-2.35619" in shown and art.load("2r").poses._repr_html_() == "no poses"
