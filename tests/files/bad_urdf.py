"""Wrong or doubtful URDF, each with the code it must be given and the line to point at."""

ROOT = '<link name="a"/>'
PAIR = f'{ROOT}<link name="b"/>'
ENDS = '<parent link="a"/><child link="b"/>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def robot(*lines: str, head: str = '<robot name="r">') -> str:
    """A file whose line 1 is <robot> and whose line k + 1 is the k-th argument."""
    return "\n".join([head, *lines, "</robot>"])


def inertial(text: str) -> str:
    """A link whose inertial is on line 2."""
    return robot(f'<link name="a"><inertial>{text}</inertial></link>')


def moved(text: str, kind: str = "revolute", limit: str = LIMIT) -> str:
    """A joint with something in it, on line 3."""
    return robot(PAIR, f'<joint name="j" type="{kind}">{ENDS}{limit}{text}</joint>')


def follower(text: str, kind: str = "revolute") -> str:
    """Joint k on line 4 follows another one."""
    j = f'<joint name="j" type="{kind}">{ENDS}{"" if kind == "fixed" else LIMIT}</joint>'
    k = f'<joint name="k" type="revolute"><parent link="b"/><child link="c"/>{LIMIT}{text}</joint>'
    return robot(f'{PAIR}<link name="c"/>', j, k)


def drawn(geometry: str) -> str:
    """A link with a shape, on line 2."""
    return robot(f'<link name="a"><visual><geometry>{geometry}</geometry></visual></link>')


def mass(value: str) -> str:
    """A link whose mass is written like this."""
    return inertial(f'<mass value="{value}"/>{UNIT}')


UNIT = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
ONE = '<mass value="1"/>'
JOINT = f'<joint name="j" type="revolute">{ENDS}{LIMIT}</joint>'


def tensor(xx: str, yy: str, zz: str) -> str:
    """A link of 1 kg with these moments of inertia."""
    return inertial(f'{ONE}<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/>')


#: (what, text, code, line); errors
REFUSED = [
    ("doctype", f'<!DOCTYPE robot [<!ENTITY x "y">]>\n{robot(ROOT)}', "URDF001", 1),
    ("mismatched tag", robot("<link name='a'></lnk>"), "URDF002", 2),
    ("bare ampersand", robot('<link name="a & b"/>'), "URDF002", 2),
    ("attribute twice", robot('<link name="a" name="b"/>'), "URDF002", 2),
    ("unknown entity", robot('<link name="&x;"/>'), "URDF002", 2),
    ("latin-1 bytes", robot('<link name="Gelenk-\xe4"/>').encode("latin-1"), "URDF002", 2),
    ("unknown encoding", b'<?xml version="1.0" encoding="klingon"?><robot name="r"/>', "URDF002", 1),
    ("wrong encoding", b'<?xml version="1.0" encoding="utf-16"?><robot name="r"/>', "URDF002", 1),
    ("half a surrogate", robot(ROOT, "<!-- \ud800 -->"), "URDF002", 3),
    ("too deep", robot("<x>" * 70 + "</x>" * 70), "URDF004", 2),
    ("too long a value", robot(f'<link name="{"x" * 70_000}"/>'), "URDF004", 2),
    ("empty", "", "URDF002", 1),
    ("white space", "  \n ", "URDF002", 2),
    ("only a comment", "<!-- nothing -->", "URDF002", 1),
    ("truncated", '<robot name="r">\n<link name="a">', "URDF002", 2),
    ("truncated in a tag", '<robot name="r">\n<link na', "URDF002", 2),
    ("text after", robot(ROOT) + "\nrubbish", "URDF002", 4),
    ("two robots", robot(ROOT) + robot(ROOT), "URDF002", 3),
    ("text before the declaration", '\n<?xml version="1.0"?>' + robot(ROOT), "URDF002", 2),
    ("not a robot", "<mujoco/>", "URDF008", 1),
    ("html", "<html><body/></html>", "URDF008", 1),
    ("xacro macro", robot(ROOT, '<xacro:leg side="l"/>', head='<robot name="r" xmlns:xacro="x">'), "URDF009", 3),
    ("xacro name", robot('<link name="${prefix}a"/>'), "URDF009", 2),
    ("xacro number", mass("${m}"), "URDF009", 2),
    ("binary", b"\x7fELF\0\0", "URDF002", 1),
    ("no links", '<robot name="r"/>', "URDF019", 1),
    ("mass a word", mass("heavy"), "URDF010", 2),
    ("mass with comma", mass("0,5"), "URDF010", 2),
    ("mass empty", mass(""), "URDF010", 2),
    ("mass hexadecimal", mass("0x10"), "URDF010", 2),
    ("mass with underscore", mass("1_000"), "URDF010", 2),
    ("mass nan", mass("nan"), "URDF010", 2),
    ("mass inf", mass("inf"), "URDF010", 2),
    ("mass in other digits", mass("\u0661"), "URDF010", 2),
    ("mass twice", mass("1 2"), "URDF010", 2),
    ("mass with unit", mass("1kg"), "URDF010", 2),
    ("inertia nan", tensor("nan", "1", "1"), "URDF010", 2),
    ("commas in xyz", moved('<origin xyz="0.07, 0, -0.69"/>'), "URDF010", 3),
    ("limit nan", moved("", limit='<limit lower="nan" upper="1" effort="1" velocity="1"/>'), "URDF010", 3),
    ("rpy of four", moved('<origin rpy="0 0 0 1"/>'), "URDF011", 3),
    ("xyz of two", moved('<origin xyz="0 0"/>'), "URDF011", 3),
    ("axis of none", moved('<axis xyz=""/>'), "URDF011", 3),
    ("axis of two", moved('<axis xyz="0 1"/>'), "URDF011", 3),
    ("xyz empty", moved('<origin xyz=""/>'), "URDF011", 3),
    ("quaternion of three", moved('<origin quat_xyzw="0 0 1"/>'), "URDF011", 3),
    ("mass overflows", mass("1e400"), "URDF012", 2),
    ("mass without value", inertial(f"<mass/>{UNIT}"), "URDF014", 2),
    ("no ixx", inertial(f'{ONE}<inertia iyy="1" izz="1"/>'), "URDF014", 2),
    ("link without name", robot("<link/>"), "URDF014", 2),
    ("joint without name", robot(PAIR, f'<joint type="fixed">{ENDS}</joint>'), "URDF014", 3),
    ("joint without type", robot(PAIR, f'<joint name="j">{ENDS}</joint>'), "URDF014", 3),
    ("parent without link", robot(PAIR, '<joint name="j" type="fixed"><parent/><child link="b"/></joint>'),
     "URDF014", 3),
    ("axis without xyz", moved("<axis/>"), "URDF014", 3),
    ("mimic without joint", follower("<mimic/>"), "URDF014", 4),
    ("no mass", inertial(UNIT), "URDF015", 2),
    ("no inertia", inertial(ONE), "URDF015", 2),
    ("no parent", robot(PAIR, '<joint name="j" type="fixed"><child link="b"/></joint>'), "URDF015", 3),
    ("no child", robot(PAIR, '<joint name="j" type="fixed"><parent link="a"/></joint>'), "URDF015", 3),
    ("two inertials", robot(f'<link name="a"><inertial>{ONE}{UNIT}</inertial>', f"<inertial>{ONE}{UNIT}</inertial>",
                            "</link>"), "URDF016", 3),
    ("two masses", inertial(f"{ONE}{ONE}{UNIT}"), "URDF016", 2),
    ("two origins", moved("<origin/>\n<origin/>"), "URDF016", 4),
    ("two parents tags", robot(PAIR, f'<joint name="j" type="fixed"><parent link="a"/>{ENDS}</joint>'), "URDF016", 3),
    ("link twice", robot(ROOT, ROOT), "URDF020", 3),
    ("joint twice", robot(f'{PAIR}<link name="c"/>', JOINT, JOINT.replace('link="b"', 'link="c"')), "URDF021", 4),
    ("unknown type", moved("", "revlute"), "URDF022", 3),
    ("type in capitals", moved("", "Revolute"), "URDF022", 3),
    ("missing child link", robot(ROOT, JOINT), "URDF023", 3),
    ("missing parent link", robot('<link name="b"/>', JOINT), "URDF023", 3),
    ("limits swapped", moved("", limit='<limit lower="1" upper="-1" effort="1" velocity="1"/>'), "URDF024", 3),
    ("negative effort", moved("", limit='<limit lower="0" upper="1" effort="-1" velocity="1"/>'), "URDF025", 3),
    ("negative velocity", moved("", limit='<limit lower="0" upper="1" effort="1" velocity="-1"/>'), "URDF025", 3),
    ("axis zero", moved('<axis xyz="0 0 0"/>'), "URDF027", 3),
    ("empty name", robot('<link name=""/>'), "URDF029", 2),
    ("blank joint name", robot(PAIR, f'<joint name=" " type="fixed">{ENDS}</joint>'), "URDF029", 3),
    ("negative mass", mass("-1"), "URDF030", 2),
    ("negative damping", moved('<dynamics damping="-1"/>'), "URDF033", 3),
    ("rpy and quaternion", moved('<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>'), "URDF036", 3),
    ("zero quaternion", moved('<origin quat_xyzw="0 0 0 0"/>'), "URDF037", 3),
    ("two parents", robot(f'{PAIR}<link name="c"/>', JOINT,
                          '<joint name="k" type="fixed"><parent link="c"/><child link="b"/></joint>'), "URDF040", 4),
    ("loop", robot(PAIR, JOINT, '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>'),
     "URDF041", 3),
    ("island loop", robot(f'{PAIR}<link name="c"/><link name="d"/>', JOINT,
                          '<joint name="k" type="fixed"><parent link="c"/><child link="d"/></joint>',
                          '<joint name="l" type="fixed"><parent link="d"/><child link="c"/></joint>'), "URDF041", 4),
    ("two roots", robot(ROOT, '<link name="b"/>'), "URDF042", 3),
    ("own parent", robot(ROOT, '<joint name="j" type="fixed"><parent link="a"/><child link="a"/></joint>'),
     "URDF043", 3),
    ("mimic of nobody", follower('<mimic joint="jj"/>'), "URDF050", 4),
    ("mimic of itself", follower('<mimic joint="k"/>'), "URDF051", 4),
    ("mimic circle", robot(f'{PAIR}<link name="c"/>',
                           f'<joint name="j" type="revolute">{ENDS}{LIMIT}<mimic joint="k"/></joint>',
                           f'<joint name="k" type="revolute"><parent link="b"/><child link="c"/>{LIMIT}'
                           '<mimic joint="j"/></joint>'), "URDF052", 3),
    ("mimic of a floating joint", follower('<mimic joint="j"/>', "floating"), "URDF054", 4),
    ("a planar joint follows", moved('<mimic joint="j"/>', "planar"), "URDF054", 3),
]  # fmt: skip

#: (what, text, code, line); warnings and notes
REPORTED = [
    ("mass huge", mass("1e16"), "URDF013", 2),
    ("newer version", robot(ROOT, head='<robot name="r" version="1.9">'), "URDF017", 1),
    ("no limit", moved("", limit=""), "URDF026", 3),
    ("no effort", moved("", limit='<limit lower="0" upper="1" velocity="1"/>'), "URDF026", 3),
    ("axis not unit", moved('<axis xyz="0 0 2"/>'), "URDF028", 3),
    ("quaternion not unit", moved('<origin quat_xyzw="0 0 0 2"/>'), "URDF028", 3),
    ("triangle", tensor("1", "1", "3"), "URDF031", 2),
    ("not positive", tensor("1", "1", "-1"), "URDF031", 2),
    ("inertia without mass", inertial(f'<mass value="0"/>{UNIT}'), "URDF031", 2),
    ("off-diagonals absent", inertial(f'{ONE}<inertia ixx="1" iyy="1" izz="1"/>'), "URDF032", 2),
    ("limits in degrees", moved("", limit='<limit lower="-180" upper="180" effort="1" velocity="1"/>'), "URDF055", 3),
    ("rpy in degrees", moved('<origin rpy="90 0 0"/>'), "URDF055", 3),
    ("no effort and no speed", moved("", limit='<limit lower="-1" upper="1" effort="0" velocity="0"/>'), "URDF056", 3),
    ("robot without name", robot(ROOT, head="<robot>"), "URDF035", 1),
    ("limits of a fixed joint", moved("", "fixed"), "URDF034", 3),
    ("mimic of a fixed joint", follower('<mimic joint="j"/>', "fixed"), "URDF053", 4),
    ("box of two numbers", drawn('<box size="1 2"/>'), "URDF060", 2),
    ("negative radius", drawn('<sphere radius="-1"/>'), "URDF060", 2),
    ("no shape", drawn(""), "URDF060", 2),
    ("no geometry", robot('<link name="a"><visual/></link>'), "URDF060", 2),
    ("mesh without file", drawn("<mesh/>"), "URDF060", 2),
    ("slip of the pen", robot('<link name="a"><inertail/></link>'), "URDF061", 2),
    ("unknown element", robot('<link name="a"><kinematic/></link>'), "URDF062", 2),
]  # fmt: skip
