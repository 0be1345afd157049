"""Robots other people wrote: every file loads or is refused for a reason we can name, with a line.

The wheel of pybullet exists for few versions of Python (see the test extra); `python -m tests.files.corpora FOLDER`
lists any folder, e.g. an unpacked wheel.
"""

from xml.etree import ElementTree

import numpy as np
import pytest

import articulated as art
from articulated.files.description import FileError
from articulated.model.parameters import inertia_defects

from .corpora import package_files, urdf_files
from .corpus import CORPUS, label, needs_corpus

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

UNREADABLE = ("alex_description/alex_psyonic_hands", "ur_description/ur3")
#: files that are broken, and how
REFUSED = {
    "rtb-data": {"test.urdf": "URDF002"},
    "pybullet": {
        "bike.urdf": "URDF010", "biped2d_pybullet.urdf": "URDF002", "diff_ring.urdf": "URDF002",
        "cube_no_rotation.urdf": "URDF024", "humanoid.urdf": "URDF002", "husky.urdf": "URDF009",
        "microtaur.urdf": "URDF011", "spirit40newer.urdf": "URDF016", "torus_deform.urdf": "URDF019",
    },
}  # fmt: skip


#: inertial defects at least; the packages may grow
DEFECTS = {"example-robot-data": 20, "rtb-data": 0, "pybullet": 25}


def files_of(package):
    if not (files := package_files(package)):
        pytest.skip(f"the wheel of {package} is not installed: pip install {package}, where there is one")
    if package == "example-robot-data":
        return [path for path in CORPUS if label(path) not in UNREADABLE]
    return files


def impossible(path):
    """The links no real body could be, by the numbers in the file and nothing of ours."""
    found = set()
    for link in ElementTree.fromstring(path.read_bytes()).iter("link"):
        tensor, mass = link.find("inertial/inertia"), link.find("inertial/mass")
        if tensor is None or mass is None:
            continue
        xx, xy, xz, yy, yz, zz = (float(tensor.get(f"i{ij}", "0")) for ij in ("xx", "xy", "xz", "yy", "yz", "zz"))
        small, middle, large = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        rounding = 1e-9 * max(map(abs, (xx, xy, xz, yy, yz, zz)))
        weightless = float(mass.get("value")) == 0 and rounding > 0
        if weightless or small < -rounding or large > (small + middle) * (1 + 1e-9) + rounding:
            found.add(f"link {link.get('name')!r}")
    return found


@pytest.mark.parametrize("package", DEFECTS)
def test_every_file_loads_with_its_defects_named_or_is_refused_for_a_reason(package):
    refused, defects = {}, 0
    for path in files_of(package):
        try:
            robot = art.load(path)
        except FileError as problem:
            assert all(d.why and d.fix and d.file for d in problem.diagnostics)
            refused[path.name] = problem.diagnostics[0].code
            continue
        named = {d.element for d in robot.report if d.code == "URDF031"}
        assert impossible(path) == named, path
        assert all(d.line > 0 for d in robot.report if d.code == "URDF031")
        defects += len(named)
        mended = art.load(path, on_error="repair") if named else robot
        assert not any(inertia_defects(k.inertia, 1e-7) for k in mended.links), path
    assert refused == REFUSED.get(package, {}) and defects >= DEFECTS[package]


def test_a_folder_is_listed(tmp_path):
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "a.urdf").touch()
    assert [path.name for path in urdf_files(tmp_path)] == ["a.urdf"]


@needs_corpus
def test_every_installed_robot_has_a_name_of_its_own():
    """A built-in robot hides none: both panda load, each by its name."""
    from articulated.files import catalogue
    from articulated.files.load import find, installed

    names = installed()
    assert not names.keys() & set(catalogue.names()) and len(set(names.values())) == len(names) == len(CORPUS)
    (theirs,) = [name for name in names if name.endswith("/panda")]
    assert find(theirs) == names[theirs] and art.load("panda").nq == 7 != art.load(theirs, on_error="repair").nq
