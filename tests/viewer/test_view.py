"""What `art.view` takes, refuses and draws; no browser is needed."""

import socket

import numpy as np
import pytest

import articulated as art
from articulated.algebra.rotations import roll_pitch_yaw, to_quaternion
from articulated.model.shapes import Box, Capsule, Cylinder, Sphere
from articulated.viewer.appearance import ellipsoid, looks
from articulated.viewer.server import PortTaken
from articulated.viewer.sliders import angles, limbs
from articulated.viewer.solids import Surface, ball, solid
from articulated.viewer.thinning import thinned
from tests.zoo import ZOO

viser = pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")


def volume(surface: Surface) -> float:
    """Enclosed by the triangles; positive only if they are seen counterclockwise from outside."""
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Box((1.0, 2.0, 3.0)), 6.0),
        (Sphere(0.5), 4 / 3 * np.pi * 0.5**3),
        (Cylinder(0.5, 2.0), np.pi * 0.25 * 2),
        (Capsule(0.5, 2.0), np.pi * 0.25 * 2 + 4 / 3 * np.pi * 0.5**3),
    ],
    ids=lambda x: type(x).__name__,
)
def test_solids_enclose_their_volume(shape, expected):
    """Inscribed in curved surfaces, so a little less."""
    found = volume(solid(shape))
    assert 0.95 * expected < found <= expected * (1 + 1e-12)


def test_the_ellipsoid_has_the_mass_and_inertia_of_the_body(rng):
    """Of even density: held against the moments of its own triangles."""
    A = rng.normal(size=(3, 3))
    spread = A @ A.T
    about = np.trace(spread) * np.eye(3) - spread
    surface = ellipsoid(art.Inertia(2.0, (0.1, 0.2, 0.3), about))
    corners = surface.vertices[surface.faces]
    weights = np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    middle = np.einsum("n,ni->i", weights, corners.sum(axis=1) / 4) / weights.sum()
    assert np.allclose(middle, [0.1, 0.2, 0.3], atol=1e-9)
    moved = corners - middle
    sums = moved.sum(axis=1)
    second = np.einsum("n,nki,nkj->ij", weights, moved, moved) + np.einsum("n,ni,nj->ij", weights, sums, sums)
    found = 2.0 * second / 20 / weights.sum()
    assert np.allclose(found, spread, rtol=0.06, atol=0.06 * abs(spread).max())  # inscribed


@pytest.mark.parametrize("robot", ZOO, ids=str)
def test_every_body_of_every_robot_is_drawn(robot):
    found = looks(robot.model)
    assert all(found.surfaces[b.index] for b in robot.model.bodies)
    for each in found.surfaces.values():
        for surface in each.values():
            assert np.isfinite(surface.vertices).all() and surface.faces.max() < len(surface.vertices)


@pytest.mark.parametrize("robot", ZOO, ids=str)
def test_every_joint_has_its_place_among_the_limbs(robot):
    listed = [b.joint.name for _, limb in limbs(robot.model) for b in limb]
    assert sorted(listed) == sorted(robot.joint_names)


def test_angles_undo_roll_pitch_and_yaw(rng):
    for roll, pitch, yaw in [*rng.uniform(-1.5, 1.5, (50, 3)), (0.3, np.pi / 2, 0.0), (0.3, -np.pi / 2, 0.0)]:
        R = np.array(roll_pitch_yaw(roll, pitch, yaw), float)
        assert np.allclose(np.array(roll_pitch_yaw(*angles(to_quaternion(R))), float), R, atol=1e-7)


def test_large_meshes_are_thinned_and_keep_their_size():
    whole = ball(1.0)
    small = thinned(whole, 200)
    assert len(small.faces) <= 200 and abs(np.linalg.norm(small.vertices, axis=1) - 1).max() < 0.2


def test_meshes_are_drawn_from_their_files(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((0.2, 0.4, 0.6)).export(tmp_path / "box.stl")
    urdf = '<robot name="r"><link name="base"/><link name="arm">{}</link><joint name="j" type="continuous">' \
           '<parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>'  # fmt: skip
    body = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>' \
           '<visual><geometry><mesh filename="{}" scale="1 2 1"/></geometry></visual>'  # fmt: skip
    for name, drawn in (("box.stl", True), ("none.stl", False)):
        (tmp_path / "robot.urdf").write_text(urdf.format(body.format(name)))
        found = looks(art.load(tmp_path / "robot.urdf").model)
        (surface,) = found.surfaces[1].values()
        assert (found.drawn_by_inertia == set()) == drawn and bool(found.notes) != drawn
        if drawn:
            size = surface.vertices.max(axis=0) - surface.vertices.min(axis=0)
            assert np.allclose(size, [0.2, 0.8, 0.6]) and np.isclose(volume(surface), 0.2 * 0.8 * 0.6)


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
        assert page.page.scene.looks.drawn_by_inertia == {1}
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
