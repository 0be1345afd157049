"""Xacro files are recognized always and expanded only when asked."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import articulated as art
from articulated.files.description import FileError

TEXT = """<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
<xacro:property name="m" value="${1 + 1}"/>
<xacro:macro name="part" params="n"><link name="part_${n}"><inertial><mass value="${m}"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></xacro:macro>
<xacro:part n="1"/>
</robot>"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "robot.urdf.xacro"
    path.write_text(TEXT)
    return path


def test_it_is_recognized(file):
    with pytest.raises(FileError, match="xacro=True") as caught:
        art.load(file)
    assert caught.value.diagnostics[0].code == "URDF009"
    with pytest.raises(FileError, match="xacro"):
        art.load(TEXT)


def test_it_is_expanded_when_asked(file):
    robot = art.load(file, xacro=True)
    assert robot.frame_names == ["part_1"] and robot.links[0].inertia.mass == 2


@pytest.mark.parametrize(
    "text", [TEXT.replace("${m}", "${nobody}"), TEXT[:80], TEXT.replace("xacro:part n", "xacro:prt n")]
)
def test_what_xacro_refuses_is_our_error(file, text):
    file.write_text(text)
    with pytest.raises(FileError) as caught:
        art.load(file, xacro=True)
    assert caught.value.diagnostics[0].code in ("URDF039", "URDF009")


def test_without_the_package_it_says_what_to_install(file, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "xacro", None)
    with pytest.raises(FileError, match=r"articulated\[xacro\]") as caught:
        art.load(file, xacro=True)
    assert caught.value.diagnostics[0].code == "URDF038"


def test_an_argument_nobody_asks_for_is_misspelt(file):
    file.write_text(TEXT.replace('value="${1 + 1}"', 'value="$(arg mass)"').replace(
        "<xacro:macro", '<xacro:arg name="mass" default="1"/><xacro:if value="0"><xacro:arg name="late"/></xacro:if>'
        "<xacro:macro", 1,
    ))  # fmt: skip
    assert art.load(file, xacro_args={"mass": 3}).links[0].inertia.mass == 3
    assert art.load(file, xacro_args={"late": 3}).links[0].inertia.mass == 1
    with pytest.raises(art.UnknownName, match=r"no xacro argument 'mas' .*did you mean 'mass'"):
        art.load(file, xacro_args={"mas": 3})


def test_threads_find_their_own_packages(file):
    """Two copies of a package, each for its own calls; afterwards none is known any more."""
    own = '<xacro:property name="m" value="${1 + 1}"/>'
    file.write_text(TEXT.replace(own, '<xacro:include filename="$(find parts)/mass.xacro"/>'))
    for mass in "12":
        (file.parent / mass / "parts").mkdir(parents=True)
        (file.parent / mass / "parts" / "mass.xacro").write_text(
            f'<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:property name="m" value="{mass}"/></robot>'
        )

    def mass(k):
        return art.load(file, xacro=True, packages=file.parent / str(k)).links[0].inertia.mass

    asked = [1, 2] * 100
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(mass, asked)) == asked
    with pytest.raises(FileError):
        art.load(file, xacro=True)
