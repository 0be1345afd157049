"""Meshes with fewer triangles: the same form, the same place, and edges that stay sharp."""

import numpy as np
import pytest

from articulated.model.shapes import Mesh
from articulated.viewer import meshes
from articulated.viewer.creases import closed, creased, outward
from articulated.viewer.meshes import Meshes, share
from articulated.viewer.solids import Surface, ball, box, revolved
from articulated.viewer.thinning import COARSE, normals, thinned, welded

from .test_view import volume


def fine_box(count: int = 12) -> Surface:
    """The faces of a unit cube, each of 2 count² triangles."""
    u, v = (x.ravel() for x in np.meshgrid(np.arange(count + 1), np.arange(count + 1), indexing="ij"))
    side = np.stack([u, v, np.full_like(u, count)], axis=-1) / count - 0.5
    a = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    faces = np.concatenate([np.stack(x, -1) for x in ((a, a + count + 1, a + count + 2), (a, a + count + 2, a + 1))])
    turns = [np.roll(np.eye(3), k, axis=0) for k in range(3)]
    flips = np.diag([-1.0, 1.0, -1.0])
    sides = [side @ turn for turn in turns] + [side @ flips @ turn for turn in turns]
    return Surface(np.concatenate(sides), np.concatenate([faces + k * len(side) for k in range(6)]))


def test_a_fine_cube_becomes_a_coarse_one():
    whole = fine_box()
    assert np.isclose(volume(whole), 1.0) and closed(whole)
    few = thinned(whole, 60)
    assert len(few.faces) <= 60 and closed(few)
    assert abs(volume(few) - 1.0) < 1e-5  # flat faces lose triangles, and nothing else
    assert np.allclose(few.vertices.min(axis=0), -0.5, atol=1e-5) and np.allclose(
        few.vertices.max(axis=0), 0.5, atol=1e-5
    )


@pytest.mark.parametrize("most", [1000, 400, 150])
def test_a_ball_stays_round_and_closed(most, rng):
    turns = np.linspace(-np.pi / 2, np.pi / 2, 60)
    whole = revolved(list(zip(np.cos(turns), np.sin(turns), strict=True)))
    few = thinned(whole, most)
    assert len(few.faces) <= most * 1.02
    assert abs(np.linalg.norm(few.vertices, axis=1) - 1).max() < 0.08
    assert volume(few) > 0.93 * volume(whole)
    middles = few.vertices[few.faces].mean(axis=1)
    assert (np.einsum("ni,ni->n", normals(few.vertices, few.faces), middles) > 0).all()  # none is turned over


def test_a_rim_stays_where_it_is():
    count = 20
    x, y = (a.ravel() for a in np.meshgrid(np.arange(count + 1.0), np.arange(count + 1.0), indexing="ij"))
    a = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    faces = np.concatenate([np.stack(f, -1) for f in ((a, a + count + 1, a + count + 2), (a, a + count + 2, a + 1))])
    few = thinned(Surface(np.stack([x, y, 0 * x], axis=-1), faces, closed=False), 40)
    assert len(few.faces) <= 42 and not few.closed
    assert np.isclose(np.linalg.norm(normals(few.vertices, few.faces), axis=1).sum() / 2, count**2, rtol=1e-4)


def test_faces_of_a_cube_have_corners_of_their_own_and_a_ball_has_not():
    cube = creased(Surface(*welded(box(np.ones(3)))))
    assert len(cube.vertices) == 24 and np.isclose(volume(cube), 1.0)
    whole = ball(1.0)
    assert len(creased(whole).vertices) == len(welded(whole)[0])


def test_what_is_open_or_turned_over_is_known():
    cube = box(np.ones(3))
    assert closed(cube) and not closed(cube._replace(faces=cube.faces[:-1]))
    turned = cube._replace(faces=np.concatenate([cube.faces[:1, ::-1], cube.faces[1:]]))
    assert not closed(turned)
    inside_out = cube._replace(faces=cube.faces[:, ::-1])
    assert closed(inside_out) and volume(inside_out) < 0 and volume(outward(inside_out)) > 0


def test_shares_add_up_and_small_parts_keep_what_they_have(rng):
    counts = rng.integers(10, 30_000, 40).astype(float)
    found = share(counts, 20_000)
    given = np.minimum(counts, found * np.sqrt(counts))
    assert np.isclose(given.sum(), 20_000) and (given == counts)[counts <= found**2].all()
    assert share(counts, 10**9) == np.inf and share(np.zeros(0), 100) == np.inf


def test_a_file_of_too_many_triangles_is_refused(tmp_path, monkeypatch):
    trimesh = pytest.importorskip("trimesh")
    monkeypatch.setattr(meshes, "MOST_READ", 11)
    file = tmp_path / "fine.stl"
    trimesh.creation.box().export(file)
    shape = Mesh("fine.stl", file=str(file))
    with pytest.raises(ValueError, match=r"fine.stl: 12 triangles, more than 11"):
        Meshes([shape]).parts_of(shape)


def test_a_very_fine_mesh_keeps_its_form():
    """Its points are clustered before edges collapse: the volume stays to a hundredth, no corner moves by more."""
    whole = fine_box(75)
    few = thinned(whole, 2000)
    assert len(whole.faces) > COARSE and len(few.faces) <= 2000
    assert abs(volume(few) - 1.0) < 0.02
    assert abs(few.vertices.min(axis=0) + 0.5).max() < 0.01 and abs(few.vertices.max(axis=0) - 0.5).max() < 0.01
