"""Arguments and pictures of `art.view`; no browser is needed."""

import socket

import numpy as np
import pytest

import articulated as art
from articulated.algebra.rotations import roll_pitch_yaw, to_quaternion
from articulated.viewer.server import PortTaken
from articulated.viewer.sliders import angles, limbs
from tests.zoo import ZOO

viser = pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")


@pytest.mark.parametrize("robot", ZOO, ids=str)
def test_every_joint_has_its_place_among_the_limbs(robot):
    listed = [b.joint.name for _, limb in limbs(robot.model) for b in limb]
    assert sorted(listed) == sorted(robot.joint_names)


def test_angles_undo_roll_pitch_and_yaw(rng):
    for roll, pitch, yaw in [*rng.uniform(-1.5, 1.5, (50, 3)), (0.3, np.pi / 2, 0.0), (0.3, -np.pi / 2, 0.0)]:
        R = np.array(roll_pitch_yaw(roll, pitch, yaw), float)
        assert np.allclose(np.array(roll_pitch_yaw(*angles(to_quaternion(R))), float), R, atol=1e-7)


# -- what is refused ------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_said():
    with art.view("2r", quiet=True) as page:
        port = page.server.get_port()
        with pytest.raises(PortTaken, match=f"port {port} .* is taken"):
            art.view("2r", port=port, quiet=True)
        with art.view("2r", quiet=True) as other:
            assert other.server.get_port() != port
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    with art.view("2r", port=number, quiet=True) as page:
        assert page.url.startswith(f"http://localhost:{number}/")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"port": 0}, "port"), ({"port": 70000}, "65535"), ({"port": "x"}, "port"), ({"dark": 2}, "dark"),
        ({"q": [0.1]}, "q of 2r is 2"), ({"q": [np.nan, 0]}, "finite"), ({"q": "home"}, "q of 2r"),
        ({"trajectory": 3}, "trajectory is an art.Trajectory"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(options, text):
    with pytest.raises(art.ShapeError, match=text):
        art.view(art.load("2r"), **{"quiet": True, **options})


def test_no_robot_and_an_unknown_one():
    with pytest.raises(art.ShapeError, match="robot is a Robot"):
        art.view(3)
    with pytest.raises(art.UnknownName, match="pandaa"):
        art.view("pandaa")


def test_a_robot_of_symbols_is_refused():
    sympy = pytest.importorskip("sympy")
    m = sympy.Symbol("m")
    robot = art.build([art.Link("arm", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(m, (0.5, 0, 0)))])
    with pytest.raises(art.ArticulatedError, match="symbols"):
        art.view(robot)


def test_a_motion_of_another_robot_is_refused():
    run = art.simulate(art.load("2r"), [0.1, 0.2], None, 0.01)
    with pytest.raises(art.ShapeError, match=r"'2r' .*'panda'"):
        art.view(art.load("panda"), run)
    with art.view(art.load("2r"), run, quiet=True) as page, pytest.raises(art.ShapeError, match="trajectory"):
        page.play("x")


def test_a_robot_without_shapes_and_one_that_cannot_move_are_shown():
    bare = art.build([art.Link("arm", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(1.0, (0.5, 0, 0)))])
    with art.view(bare, quiet=True) as page:
        assert page.page.scene.looks.surfaces[1]
    with art.view(art.build([art.Link("rock", inertia=art.Inertia(1.0))]), quiet=True) as page:
        assert page.q.shape == (0,)


def test_names_that_would_be_markup_are_only_shown():
    name = "<script>alert(1)</script>"
    robot = art.build(
        [art.Link(name, None, art.Revolute((0, 1, 0), name=name), inertia=art.Inertia(1.0, (0.5, 0, 0)))], name=name
    )
    from articulated.viewer.panels.tree import tree

    assert "<script" not in tree(robot.model)
    with art.view(robot, quiet=True) as page:
        page.page.telling[0](page.page.state.now)


def test_a_batch_shows_its_first_run_and_a_floating_robot_stands_on_the_ground():
    arm = art.load("2r")
    run = art.simulate(arm, [[0.1, 0.2], [0.3, 0.4]], None, 0.01)
    with art.view(arm, run, quiet=True) as page:
        assert np.array_equal(page.q, run.q[0, 0]) and page.trajectory.batch.shape == ()
    with art.view(art.load("quadruped", floating_base=True), quiet=True) as page:
        low, _ = page.page.scene.bounds(page.q, moving=True)
        assert abs(low[2]) < 1e-12


def test_the_address_is_printed_and_the_notebook_shows_the_page(capsys, monkeypatch):
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
    with art.view("2r") as page:
        said = capsys.readouterr()
        assert page.url in said.err and "ssh -L" in said.err and said.out == ""
        assert f'<iframe src="{page.url}"' in page._repr_html_()
    assert capsys.readouterr().out == "" and "stopped" in repr(page)
