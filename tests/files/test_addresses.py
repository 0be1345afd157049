"""Meshes are found inside declared folders and nowhere else."""

import pytest

import articulated as art
from articulated.files.addresses import mesh_path


@pytest.fixture
def folder(tmp_path):
    robot = tmp_path / "robot"
    (robot / "meshes").mkdir(parents=True)
    (robot / "meshes" / "hand.stl").write_bytes(b"solid")
    (robot / "secret.txt").write_text("x")
    (tmp_path / "outside.stl").write_bytes(b"solid")
    (robot / "link.stl").symlink_to(tmp_path / "outside.stl")
    (robot / "itself.stl").symlink_to("itself.stl")
    (robot / "folder.stl").mkdir()
    return robot


@pytest.mark.parametrize("address", ["meshes/hand.stl", "package://arm/meshes/hand.stl", "./meshes/../meshes/hand.stl"])
def test_found(address, folder):
    assert mesh_path(address, folder, {"arm": folder}) == (folder / "meshes" / "hand.stl").resolve()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("../outside.stl", "outside"),
        ("package://arm/../../outside.stl", "outside"),
        ("package://arm/%2e%2e/outside.stl", "outside"),
        ("package://leg/hand.stl", "'leg' is not declared; declared are: arm"),
        ("/etc/passwd", "outside"),
        ("file:///etc/passwd", "outside"),
        ("file://host/share/hand.stl", "network addresses|no file addresses"),
        ("http://example.org/hand.stl", "no http addresses"),
        ("link.stl", "outside"),
        ("secret.txt", "not a mesh file"),
        ("missing.stl", "no such file"),
        ("itself.stl", "no such file"),
        ("folder.stl", "no such file"),
        ("hand.stl\0.txt", "zero byte"),
    ],
)
def test_refused(address, words, folder):
    with pytest.raises(art.ModelError, match=words):
        mesh_path(address, folder, {"arm": folder})
