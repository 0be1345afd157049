"""Findings about an MJCF file name the line, in MuJoCo's messages and in ours."""

import pytest

import articulated as art
from articulated.files.description import FileError

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

SOUND = """<mujoco>
  <!-- <option density="1"/> <site name="b"/> -->
  <option density="1000"/>
  <worldbody>
    <body name="b" gravcomp="1">
      <joint stiffness="2 1"/>
      <geom size="0.1"/>
      <site name="b"/>
      <body name="c">
        <geom size="0.1"/>
        <joint axis="0 1 0" stiffness="3 1"/>
      </body>
    </body>
    <body name="d">
      <freejoint/>
      <geom size="0.1"/>
    </body>
    <body name="e">
      <joint type="free" armature="1"/>
      <geom size="0.1"/>
    </body>
  </worldbody>
  <equality>
    <weld body1="b" body2="d"/>
  </equality>
  <actuator>
    <motor site="b"/>
  </actuator>
</mujoco>
"""
LINES = {
    "MJCF010": [6, 11], "MJCF011": [24], "MJCF012": [27], "MJCF013": [5], "MJCF014": [8], "MJCF015": [3],
    "MJCF017": [19],
}  # fmt: skip


def test_our_findings():
    found: dict[str, list[int]] = {}
    for d in art.load(SOUND).report:
        found.setdefault(d.code, []).append(d.line)
    assert found == LINES


def test_the_column_is_where_the_line_begins():
    columns = {d.code: d.column for d in art.load(SOUND).report}
    assert columns["MJCF015"] == 3 and columns["MJCF014"] == 7


#: (what, what the sound file says, what the bad one says, line)
BAD = [
    ("a word", 'stiffness="2 1"', 'type="hing"', 6),
    ("an element", "<freejoint/>", "<freejiont/>", 15),
    ("no mass", '<geom size="0.1"/>\n      <site', "\n      <site", 5),
    ("a name twice", 'name="d"', 'name="c"', 14),
    ("an end that is missing", "<freejoint/>", "<freejoint>", 15),
    ("a target", 'site="b"/>\n  </act', 'site="nobody"/>\n  </act', 27),
    ("a file", "<worldbody>", '<asset>\n<mesh name="m" file="gone.stl"/></asset><worldbody>', 5),
]


@pytest.mark.parametrize(("what", "good", "bad", "line"), BAD, ids=[case[0] for case in BAD])
def test_what_mujoco_says(what, good, bad, line, tmp_path):
    assert good in SOUND
    (tmp_path / "robot.xml").write_text(SOUND.replace(good, bad))
    with pytest.raises(FileError) as caught:
        art.load(tmp_path / "robot.xml")
    (finding,) = caught.value.diagnostics
    assert finding.code == "MJCF001" and finding.line == line, str(finding)


def test_what_an_included_file_holds_has_no_line_here(tmp_path):
    part = '<mujocoinclude>\n\n\n<body name="b"><joint stiffness="1 1"/><geom size="0.1"/></body></mujocoinclude>'
    (tmp_path / "part.xml").write_text(part)
    (tmp_path / "robot.xml").write_text('<mujoco>\n<worldbody><include file="part.xml"/></worldbody></mujoco>')
    (finding,) = art.load(tmp_path / "robot.xml").report
    assert finding.line == 1
