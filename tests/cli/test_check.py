"""`check`, `convert`, and names that try to be more than names."""

import json

import numpy as np
import pytest

import articulated as art
from tests.files.bad_urdf import REFUSED, REPORTED, moved

from .command import run

SWAPPED = moved("", limit='<limit lower="1" upper="-1" effort="1" velocity="1"/>')


def put(folder, text, name="robot.urdf"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode(errors="surrogateescape"))
    return path


@pytest.mark.parametrize(("what", "text", "code", "line"), REFUSED[::7], ids=[case[0] for case in REFUSED[::7]])
def test_refused_files_are_a_problem_found(what, text, code, line, tmp_path):
    path = put(tmp_path, text)
    result = run("check", path, "--json")
    (file,) = result.json["files"]
    assert result.code == 1 and not file["ok"] and not file["loads"]
    assert (file["report"][0]["code"], file["report"][0]["line"]) == (code, line)
    shown = run("check", path)
    assert shown.code == 1 and f"code: {code}" in shown.out and "refused" in shown.out


@pytest.mark.parametrize(("what", "text", "code", "line"), REPORTED, ids=[case[0] for case in REPORTED])
def test_doubtful_files_are_a_problem_only_when_strict(what, text, code, line, tmp_path):
    path = put(tmp_path, text)
    assert run("check", path).code == 0
    severity = run("check", path, "--json").json["files"][0]["report"][0]["severity"]
    assert run("check", path, "--strict").code == (1 if severity == "warning" else 0)


def test_folders_are_searched(tmp_path):
    put(tmp_path, SWAPPED, "bad.urdf")
    (tmp_path / "deeper").mkdir()
    put(tmp_path / "deeper", moved(""), "good.urdf")
    put(tmp_path, "hello", "notes.txt")
    result = run("check", tmp_path, "--json")
    assert result.code == 1 and [file["ok"] for file in result.json["files"]] == [False, True]
    (tmp_path / "none").mkdir()
    assert run("check", tmp_path / "none").code == 3


def test_repair_writes_a_file_that_is_fine(tmp_path):
    path, out = put(tmp_path, SWAPPED), tmp_path / "mended.urdf"
    result = run("check", path, "--repair", out, "--json")
    (finding,) = result.json["files"][0]["report"]
    assert result.code == 0 and (finding["value"], finding["new"]) == ("1 … -1", "-1 … 1")
    assert run("check", out, "--strict").code == 0
    assert art.load(out).links[1].joint.limits == (-1, 1, 1, 1)
    assert "was : 1 … -1" in run("check", path, "--repair", out).out


@pytest.mark.parametrize("ending", ["urdf", "toml", "xml"])
def test_convert_keeps_the_dynamics(ending, tmp_path):
    out = tmp_path / f"arm.{ending}"
    assert run("convert", "ur5", out).code == 0
    before, after = art.load("ur5"), art.load(out)
    q = before.random(0)
    np.testing.assert_allclose(after.mass_matrix(q), before.mass_matrix(q), atol=1e-13)


def test_convert_says_what_is_lost(tmp_path):
    result = run("convert", "2r", tmp_path / "arm.urdf", "--json")
    assert result.code == 0 and any("gravity" in lost for lost in result.json["lost"]) and "gravity" in result.err


HOSTILE = {
    "script": "<script>alert(1)</script>",
    "latex": r"\input{/etc/passwd}",
    "escape": "\x1b]0;title\x07\x1b[31mred",
    "formula": '=cmd|"/c calc"!A1',
    "newline": "a\nb,c\rd",
    "direction": "abc\u202egpj",
    "markup": "[red]x[/red]{{7*7}}%s%n",
    "long": "x" * 10_000,
    "c1": "\x9b31m",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_come_out_inert(name, tmp_path):
    text = f"[[link]]\nname = {json.dumps(name)}\njoint = 'revolute'\nmass = 1\ncom = [1, 0, 0]\ninertia = [1, 1, 9]\n"
    path = put(tmp_path, text, "robot.toml")
    log = put(tmp_path, "q0,v0,a0\n0,0,0\n", "log.csv")
    for command in (["info"], ["tree"], ["check"], ["id"], ["mass"], ["id", "--log", log], ["fk", "-f", "nobody"]):
        result = run(command[0], path, *command[1:])
        for stream in (result.out, result.err):
            assert all(c == "\n" or c.isprintable() for c in stream), command
            if "--log" not in command:
                assert max(map(len, stream.splitlines()), default=0) < 2100
    assert run("info", path, "--json").json["joints"][0]["name"] == name
    cell = run("id", path, "--log", log).out.splitlines()[0].lstrip('"')
    assert cell.startswith("tau_")
    with pytest.warns(art.ModelWarning):
        html = art.load(path)._repr_html_()
    assert "<script" not in html and "\x1b" not in html and len(html) < 10_000


def test_common_blunders_are_found(tmp_path):
    """Degrees for radians twice, no effort and no speed, a moving link without inertia, a mesh that is not there."""
    body = '<inertial><mass value="1"/><inertia ixx="{0}" iyy="{0}" izz="{0}" ixy="0" ixz="0" iyz="0"/></inertial>'
    drawn = '<visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual>'
    mesh = '<visual><geometry><mesh filename="gone.stl"/></geometry></visual>'
    joint = '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><origin rpy="{3}"/>{4}</joint>'
    limit = '<limit lower="{0}" upper="{1}" effort="{2}" velocity="{2}"/>'
    links = [f'<link name="a">{mesh}</link>', f'<link name="b">{body.format(0.01)}</link>']
    links += [f'<link name="c">{drawn}</link>', f'<link name="d">{body.format(10)}{drawn}</link>']
    joints = [joint.format("i", "a", "b", "90 0 0", limit.format(-180, 180, 1))]
    joints += [joint.format("j", "b", "c", "0 0 0", limit.format(-1, 1, 0))]
    joints += [joint.format("k", "c", "d", "0 0 0", limit.format(-1, 1, 1))]
    path = put(tmp_path, "\n".join(['<robot name="r">', *links, *joints, "</robot>"]))
    found = run("check", path, "--json").json["files"][0]["report"]
    codes = sorted(finding["code"] for finding in found)
    assert codes == ["FILE004", "INERTIA002", "INERTIA003", "URDF055", "URDF055", "URDF056"]
