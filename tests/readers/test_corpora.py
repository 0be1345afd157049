"""Robots other people wrote: every file loads or is refused for a reason we can name, with a line.

The wheel of pybullet is compared when it is installed; `python -m tests.readers.corpora FOLDER` lists any folder.
"""

import pytest

import articulated as art
from articulated.parameters import inertia_defects
from articulated.readers.description import FileError

from .corpora import package_files, urdf_files
from .corpus import CORPUS, label

#: files that are broken, and how
REFUSED = {
    "rtb-data": {"test.urdf": "URDF002"},
    "pybullet": {
        "bike.urdf": "URDF010", "biped2d_pybullet.urdf": "URDF007", "diff_ring.urdf": "URDF007",
        "cube_no_rotation.urdf": "URDF024", "humanoid.urdf": "URDF018", "husky.urdf": "URDF009",
        "microtaur.urdf": "URDF011", "spirit40newer.urdf": "URDF016", "torus_deform.urdf": "URDF019",
    },
}  # fmt: skip


@pytest.mark.parametrize("package", REFUSED)
def test_every_file_loads_or_is_refused_for_a_reason(package):
    files = package_files(package)
    if not files and package == "pybullet":
        pytest.skip("pybullet is not installed")
    assert files
    refused = {}
    for path in files:
        try:
            art.load(path)
        except FileError as problem:
            assert all(d.why and d.fix and d.file for d in problem.diagnostics)
            refused[path.name] = problem.diagnostics[0].code
    assert refused == REFUSED[package]


def test_every_inertial_defect_is_named_with_its_link():
    defects = 0
    for path in CORPUS:
        if label(path) in ("alex_description/alex_psyonic_hands", "ur_description/ur3"):
            continue
        robot = art.load(path)
        named = {d.element for d in robot.report if d.code == "URDF031"}
        wrong = {f"link {k.name!r}" for k in robot.links if inertia_defects(k.inertia)}
        assert wrong <= named, path
        defects += len(named)
        mended = art.load(path, on_error="repair")
        assert not any(inertia_defects(k.inertia, 1e-7) for k in mended.links), path
    assert defects > 20


def test_a_folder_is_listed(tmp_path):
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "a.urdf").touch()
    assert [path.name for path in urdf_files(tmp_path)] == ["a.urdf"]
