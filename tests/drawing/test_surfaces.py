"""Surfaces of shapes and mesh files: their volume, their sharp edges, and fewer triangles of the same form."""

import warnings

import numpy as np
import pytest

import articulated as art
from articulated.drawing import meshes
from articulated.drawing.appearance import ellipsoid, looks
from articulated.drawing.meshes import Meshes
from articulated.drawing.surfaces import Surface, creased, simplified, solid
from articulated.model.shapes import Box, Capsule, Cylinder, Hull, Mesh, Sphere
from tests.zoo import ZOO

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed: pip install 'articulated[view]'")
pytest.importorskip("fast_simplification")


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
        (Hull(points=[(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3), (0.1, 0.2, 0.3), (0, 0, 0)]), 1.0),
    ],
    ids=lambda x: type(x).__name__,
)
def test_solids_enclose_their_volume(shape, expected):
    """Inscribed in curved surfaces, so a little less."""
    found = volume(solid(shape))
    assert 0.95 * expected < found <= expected * (1 + 1e-12)


def test_the_ellipsoid_has_the_mass_and_inertia_of_the_body(rng):
    """A solid of even density, compared with the moments of its own triangles."""
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


def test_meshes_are_drawn_from_their_files(tmp_path):
    trimesh.creation.box((0.2, 0.4, 0.6)).export(tmp_path / "box.stl")
    urdf = '<robot name="r"><link name="base"/><link name="arm">{}</link><joint name="j" type="continuous">' \
           '<parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>'  # fmt: skip
    body = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>' \
           '<visual><geometry><mesh filename="{}" scale="1 2 1"/></geometry></visual>'  # fmt: skip
    for name, drawn in (("box.stl", True), ("none.stl", False)):
        (tmp_path / "robot.urdf").write_text(urdf.format(body.format(name)))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = looks(art.load(tmp_path / "robot.urdf").model)
        assert bool(said) != drawn
        (surface,) = found.surfaces[1].values()
        assert found.surfaces[1] and bool(found.notes) != drawn
        if drawn:
            size = surface.vertices.max(axis=0) - surface.vertices.min(axis=0)
            assert np.allclose(size, [0.2, 0.8, 0.6]) and np.isclose(volume(surface), 0.2 * 0.8 * 0.6)


# -- edges and triangles ---------------------------------------------------------------------------


def test_faces_of_a_cube_have_corners_of_their_own_and_a_ball_has_not():
    cube = solid(Box((1.0, 1.0, 1.0)))
    assert len(cube.vertices) == 24 and set(np.round(abs(cube.normals).max(axis=1), 12)) == {1.0}
    whole = trimesh.creation.icosphere(3)
    assert len(creased(whole).vertices) == len(whole.vertices)
    assert np.einsum("ni,ni->n", creased(whole).normals, whole.vertices).min() > 0.999


def test_what_is_open_or_turned_over_is_known():
    cube = trimesh.creation.box()
    turned = np.concatenate([cube.faces[:1, ::-1], cube.faces[1:]])
    for faces, closed in ((cube.faces, True), (cube.faces[:-1], False), (turned, False), (cube.faces[:, ::-1], True)):
        found = creased(trimesh.Trimesh(cube.vertices, faces, process=False))
        assert found.closed == closed
        if closed:
            assert np.isclose(volume(found), 1.0)


def test_mirrored_and_stretched_surfaces_keep_their_outside():
    found = solid(Cylinder(0.5, 2.0)).scaled(np.array([-1.0, 2.0, 0.5]))
    assert volume(found) > 0
    a, b, c = np.moveaxis(found.vertices[found.faces], 1, 0)
    assert (np.einsum("ni,ni->n", np.cross(b - a, c - a), found.normals[found.faces[:, 0]]) > 0).all()


@pytest.mark.parametrize("most", [1000, 400])
def test_a_ball_with_fewer_triangles_stays_round_and_closed(most):
    few = creased(simplified(trimesh.creation.icosphere(5), most))
    assert len(few.faces) <= 1.1 * most and few.closed
    assert abs(np.linalg.norm(few.vertices, axis=1) - 1).max() < 0.05 and volume(few) > 0.95 * 4 / 3 * np.pi


def test_large_files_are_drawn_with_fewer_triangles_unless_all_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(meshes, "LIGHT", 500)
    file = tmp_path / "ball.stl"
    whole = trimesh.creation.icosphere(4)
    whole.export(file)
    shape = Mesh("ball.stl", file=str(file))
    (light,), (full,) = Meshes().parts_of(shape), Meshes(full=True).parts_of(shape)
    assert len(full.surface.faces) == len(whole.faces) and len(light.surface.faces) <= 550
    assert len(light.points) == len(full.points)  # the ground is measured on all of them


def test_a_file_of_too_many_triangles_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(meshes, "MOST_READ", 11)
    file = tmp_path / "fine.stl"
    trimesh.creation.box().export(file)
    with pytest.raises(ValueError, match=r"fine.stl: 12 triangles, more than 11"):
        Meshes().parts_of(Mesh("fine.stl", file=str(file)))
