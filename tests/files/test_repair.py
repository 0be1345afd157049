"""Modes: strict refuses warnings, repair does what is documented and nothing else, and says so."""

import numpy as np
import pytest

import articulated as art
from articulated.files.description import FileError
from articulated.files.rules import REPAIRS, RULES
from articulated.files.toml.reader import read_toml
from articulated.files.urdf.reader import read_urdf
from articulated.model.parameters import inertia_defects, nearest_physical

from .bad_urdf import REFUSED, REPORTED, UNIT, follower, inertial, moved, tensor

CASES = [*REFUSED, *REPORTED]
COMMAS = moved('<origin xyz="0.07, 0, -0.69"/>')


def repaired(text):
    return read_urdf(text, "r.urdf", repair=True)


@pytest.mark.parametrize(("what", "text", "code", "line"), REFUSED, ids=[case[0] for case in REFUSED])
def test_only_documented_repairs_make_a_file_readable(what, text, code, line):
    try:
        report = repaired(text).report
    except FileError as problem:
        assert problem.diagnostics[0].code == code
        return
    assert code in REPAIRS
    assert all(d.severity == "note" and d.new and d.value and d.line for d in report)


@pytest.mark.parametrize(
    ("text", "code", "old", "new"),
    [
        (COMMAS, "URDF010", "0.07, 0, -0.69", "0.07 0 -0.69"),
        (inertial(UNIT), "URDF015", "<inertial>", "a link without inertia"),
        (moved("<origin/>\n<origin xyz='1 0 0'/>"), "URDF016", "2 times <origin>", "the one in line 3"),
        (moved("", limit='<limit lower="1" upper="-1" effort="1" velocity="1"/>'), "URDF024", "1 … -1", "-1 … 1"),
        (moved("", limit='<limit lower="0" upper="1" effort="-1" velocity="2"/>'), "URDF025", "2, -1", "2, 1"),
        (moved('<axis xyz="0 0 2"/>'), "URDF028", "0 0 2", "0 0 1"),
        (moved('<origin quat_xyzw="0 0 0 2"/>'), "URDF028", "0 0 0 2", "0 0 0 1"),
        (tensor("1", "1", "3"), "URDF031", "ixx=1 iyy=1 izz=3 ixy=0 ixz=0 iyz=0",
         "ixx=1.33333 iyy=1.33333 izz=2.66667 ixy=0 ixz=0 iyz=0"),
        (inertial('<mass value="1"/><inertia ixx="1" iyy="1" izz="1"/>'), "URDF032", "absent",
         'ixy="0" ixz="0" iyz="0"'),
        (moved('<dynamics damping="-1"/>'), "URDF033", "-1", "0"),
        (follower('<mimic joint="jj"/>'), "URDF050", "follows jj", "moves freely"),
        (follower('<mimic joint="j" offset="0.5"/>', "fixed"), "URDF053", "mimic", "fixed at 0.5"),
    ],
)  # fmt: skip
def test_each_repair_is_listed_with_both_values(text, code, old, new):
    (finding,) = repaired(text).report
    assert (finding.code, finding.severity, finding.value, finding.new) == (code, "note", old, new)
    assert "repaired" in finding.text and f"  was : {old}\n  now : {new}" in str(finding)


def test_the_repaired_values_are_used():
    links = repaired(moved("", limit='<limit lower="1" upper="-1" effort="-2" velocity="1"/>')).links
    assert links[1].joint.limits == (-1, 1, 1, 2)
    assert repaired(COMMAS).links[1].placement.p.tolist() == [0.07, 0, -0.69]
    assert repaired(moved('<dynamics damping="-1"/>')).links[1].joint.damping == 0
    assert repaired(follower('<mimic joint="jj"/>')).links[2].joint.mimic is None
    assert repaired(inertial(UNIT)).links[0].inertia.mass == 0


def test_toml_inertias_are_projected_too():
    text = "[[link]]\nname = 'a'\nmass = 1\ninertia = [1, 1, 3]\n"
    (finding,) = read_toml(text, repair=True).report
    assert finding.code == "TOML009" and finding.new
    assert inertia_defects(read_toml(text, repair=True).links[0].inertia) == []


def test_every_repair_is_a_rule():
    assert set(REPAIRS) <= set(RULES)


@pytest.mark.parametrize(("what", "text", "code", "line"), REPORTED, ids=[case[0] for case in REPORTED])
def test_strict_refuses_warnings(what, text, code, line):
    if RULES[code].severity == "note":
        assert art.load(text, on_error="strict").report
        return
    with pytest.raises(FileError) as caught:
        art.load(text, on_error="strict")
    assert caught.value.diagnostics[0].code == code


def test_modes_are_checked():
    with pytest.raises(art.UnknownName, match="did you mean 'repair'"):
        art.load("2r", on_error="repiar")


def random_tensor(rng):
    M = rng.normal(size=(3, 3))
    return (M + M.T) / 2


def test_the_projection_is_the_nearest_physical_tensor(rng):
    for _ in range(50):
        given = random_tensor(rng)
        found = np.array(nearest_physical(art.Inertia(1.0, (0, 0, 0), given)).about_com, float)
        assert inertia_defects(art.Inertia(1.0, (0, 0, 0), found)) == []
        distance = np.linalg.norm(found - given)
        # no real body nearby is closer: mixtures of it with random ones
        for _ in range(40):
            spread = rng.normal(size=(3, 3))
            spread = spread @ spread.T
            other = np.trace(spread) * np.eye(3) - spread
            for step in (1e-3, 1e-2, 0.1, 1.0):
                mixed = (1 - step) * found + step * other
                assert np.linalg.norm(mixed - given) >= distance - 1e-12


def test_physical_bodies_and_massless_ones_stay_as_they_are(rng):
    spread = rng.normal(size=(3, 3))
    spread = spread @ spread.T
    tensor = np.trace(spread) * np.eye(3) - spread
    body = nearest_physical(art.Inertia(2.0, (1, 2, 3), tensor))
    np.testing.assert_allclose(np.array(body.about_com, float), tensor, atol=1e-12)
    assert nearest_physical(art.Inertia(0.0, (0, 0, 0), tensor)).about_com.any() == False  # noqa: E712


def test_real_defects_are_all_mended_on_request():
    text = tensor("1", "1", "-3")
    assert [d.code for d in read_urdf(text).report] == ["URDF031"]
    mended = art.load(text, on_error="repair")
    assert [d.severity for d in mended.report] == ["note"]
