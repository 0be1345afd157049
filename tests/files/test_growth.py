"""Small hostile files: the work grows with the size of the file, or the file is refused.  Counted, not timed."""

import difflib

import pytest

import articulated as art
from articulated.errors import MOST_COMPARED, closest
from articulated.files.description import SHOWN, FileError
from articulated.files.toml.reader import read_toml
from articulated.files.urdf.reader import read_urdf
from articulated.model.assemble import gears
from tests.counting import calls

from .bad_urdf import LIMIT
from .mjcf_models import one, two


def joint(i, inside, parent=None, kind="revolute"):
    ends = f'<parent link="{parent or f"link_{i}"}"/><child link="link_{i + 1}"/>'
    return f'<joint name="j{i}" type="{kind}">{ends}{LIMIT}{inside}</joint>'


def urdf(n, joints):
    links = "".join(f'<link name="link_{i}"/>' for i in range(n + 1))
    return f'<robot name="r">{links}{"".join(joints)}</robot>'


def misspelt_parents(n):
    return urdf(n, (joint(i, "", f"lnk_{i}") for i in range(n)))


def misspelt_leaders(n):
    return urdf(n, (joint(i, f'<mimic joint="J_{i}x"/>') for i in range(n)))


def chained(n):
    """Every joint follows the next one."""
    return urdf(n, (joint(i, f'<mimic joint="j{i + 1}"/>' if i < n - 1 else "") for i in range(n)))


def circle(n):
    return urdf(n, (joint(i, f'<mimic joint="j{(i + 1) % n}"/>') for i in range(n)))


def misspelt_types(n):
    return urdf(n, (joint(i, "", kind="revolut") for i in range(n)))


def misspelt_tags(n):
    return urdf(n, (f"<lnk{i}/>" for i in range(n)))


def unknown_keys(n):
    return "\n".join([*(f"unknown_{i} = 1" for i in range(n)), '[[link]]\nname = "a"\n'])


def bad_rows(n):
    rows = ", ".join(f"{{sphere = 1, color_{i} = 2}}" for i in range(n))
    return f'[[link]]\nname = "a"\nshapes = [{rows}]\n'


def bad_links(n):
    return "".join(f'[[link]]\nname = "a{i}"\nmas = 1\n' for i in range(n))


def many_poses(n):
    return '[[link]]\nname = "a"\njoint = "revolute"\n' + "".join(f"[poses.p{i}]\na = 1\n" for i in range(n))


def poses_of_nobody(n):
    links = "".join(f'[[link]]\nname = "link_{i}"\njoint = "revolute"\n' for i in range(n))
    return f"{links}[poses.home]\n" + "".join(f"{i} = 1\n" for i in range(n))


def equalities(n):
    bodies = "".join(f'<body><joint name="j{i}"/><geom size="1"/></body>' for i in range(n))
    rows = "".join(f'<joint joint1="j{i}" joint2="j{i + 1}"/>' for i in range(n - 1))
    return f"<mujoco><worldbody>{bodies}</worldbody><equality>{rows}</equality></mujoco>"


FILES = [
    (read_urdf, misspelt_parents), (read_urdf, misspelt_leaders), (art.load, chained), (read_urdf, circle),
    (read_urdf, misspelt_types), (read_urdf, misspelt_tags), (read_toml, unknown_keys), (read_toml, bad_rows),
    (read_toml, bad_links), (read_toml, many_poses), (read_toml, poses_of_nobody), (art.load, equalities),
]  # fmt: skip


def attempt(read, text):
    """The findings about a file that loads or is refused."""
    try:
        return read(text).report
    except FileError as problem:
        str(problem)
        return problem.diagnostics


def work(read, text):
    """Calls of functions; those of one comparison of two names are as many as the names are long."""
    return calls(lambda: attempt(read, text))


@pytest.mark.parametrize(("read", "hostile"), FILES, ids=[hostile.__name__ for _, hostile in FILES])
def test_work_grows_with_the_file(read, hostile, monkeypatch):
    work(read, hostile(2))  # what is imported and remembered once
    # beyond the first findings nothing is compared: here none is, the next test counts how many are
    monkeypatch.setattr(difflib, "get_close_matches", lambda *args, **options: [])
    some, more = work(read, hostile(100)), work(read, hostile(400))
    assert more < 5 * some


@pytest.mark.parametrize(("read", "hostile"), FILES, ids=[hostile.__name__ for _, hostile in FILES])
def test_few_names_are_compared(read, hostile, monkeypatch):
    compared = []
    monkeypatch.setattr(difflib, "get_close_matches", lambda word, names, **options: compared.append(len(names)) or [])
    attempt(read, hostile(MOST_COMPARED + 200 if read is not art.load else 200))
    assert sum(1 for count in compared if count > 20) <= SHOWN and max(compared, default=0) <= MOST_COMPARED


@pytest.mark.parametrize(("read", "hostile"), FILES, ids=[hostile.__name__ for _, hostile in FILES])
def test_findings_do_not_repeat_the_file(read, hostile):
    """Each of 400 mistakes has its own text, not the names of 400 others."""
    found = attempt(read, hostile(400))
    assert sum(len(str(finding)) for finding in found) < 1000 * (len(found) + 1)


def test_a_long_list_still_knows_the_same_name_in_capitals():
    names = [f"link_{i}" for i in range(5 * MOST_COMPARED)]
    assert closest("LINK_77", names) == "link_77" and closest("lnk_77", names) is None
    assert closest("lnk_77", names[:100]) == "link_77" and closest("x" * 10_000, ["x" * 9_999]) is None


DEEP = ["a" + ".a" * 5000, "[" + "a" + ".b" * 5000 + "]", 'x = {"a"' + ' . "b"' * 5000 + " = 1}"]


@pytest.mark.parametrize("key", DEEP, ids=["a key", "a header", "an inline table"])
def test_a_dotted_key_is_refused_with_the_limit(key):
    with pytest.raises(FileError, match="more than 64 parts") as caught:
        read_toml(f'name = "r"\n{key} = 1\n')
    assert caught.value.diagnostics[0].code == "TOML010" and caught.value.diagnostics[0].line == 2


def test_ordinary_keys_and_texts_have_dots():
    text = 'name = "a.b.c"\n[[link]]\nname="x"\njoint="revolute"\nlimits.lower = -1\nshapes = [{mesh = "a.b.c.stl"}]\n'
    assert read_toml(text).links[0].joint.limits.lower == -1


def test_gears_of_a_chain_a_circle_and_nobody():
    mimic = art.Mimic
    found = gears({"a": mimic("b", 2, 1), "b": mimic("c", 3, 4), "c": None, "d": mimic("e"), "f": mimic("g"),
                   "g": mimic("h"), "h": mimic("g")})  # fmt: skip
    assert found["a"] == ("c", 6, 9, "") and found["d"] == ("e", 1, 0, "absent")
    assert [found[name].fault for name in "fgh"] == ["circle"] * 3 and found["f"].leader == "g"


def test_a_chain_of_gears_may_not_multiply_to_infinity():
    factor = 'multiplier="1e90"'
    text = urdf(5, (joint(i, f'<mimic joint="j{i + 1}" {factor}/>' if i < 4 else "") for i in range(5)))
    with pytest.raises(FileError, match="factor inf"):
        read_urdf(text)


def test_mjcf_has_no_hostile_small_file():
    with pytest.raises(FileError, match="bodies, copies included: more than 5000"):
        art.load(two().replace("<worldbody>", "<worldbody>" + "<body/>" * 5001))


def asset(element):
    return one(option=f"<asset>{element}</asset>")


def around(tag, attributes):
    return one().replace("<geom", f"<{tag} {attributes}><geom").replace("</body>", f"</{tag}></body>")


#: what a message of too large sizes says
SIZES = "sizes, with those of <.*: more than 50000000"
#: what is asked for in a few digits -> the file, what the message names
ASKING = {
    "hfield": (asset('<hfield name="h" nrow="8000" ncol="8000" size="1 1 1 1"/>'), SIZES),
    "hfields": (asset('<hfield nrow="1500" ncol="1500" size="1 1 1 1"/>' * 2), SIZES),
    "texture": (asset('<texture type="2d" builtin="flat" width="8000" height="8000"/>'), SIZES),
    "cube": (asset('<texture type="cube" builtin="flat" width="8000" height="1"/>'), SIZES),
    "mesh": (asset('<mesh name="m" builtin="supersphere" params="3000 1 1"/>'), SIZES),
    "cone": (asset('<mesh name="m" builtin="cone" params="10000 1"/>'), SIZES),
    "camera": (around("body", "").replace("<geom", '<camera resolution="10000 10000"/><geom'), SIZES),
    "users": (one(option='<size nuser_body="100000000"/>'), SIZES),
    "user": (one(f'user="{"1 " * 1001}"'), SIZES),
    "userdata": (one(option='<size nuserdata="100000000"/>'), SIZES),
    "keys": (one(option='<size nkey="10000000"/>'), SIZES),
    "sensor": (one(rest='<sensor><user dim="100000000"/></sensor>'), SIZES),
    "samples": (one(rest='<sensor><jointpos joint="j" nsample="10000000"/></sensor>'), SIZES),
    "activations": (
        one(rest='<actuator><general joint="j" dyntype="user" actdim="100000000"/></actuator>'), SIZES),
    "bodies": (around("replicate", 'count="4900"'), "copies.*: more than 3000"),
    "flexes": (around("flexcomp", 'type="grid" count="17 17 17" spacing="1 1 1"'), "copies.*: more than 3000"),
    "not quite XML": (asset('<!-- a -- b --><hfield nrow="8000" ncol="8000"/>'), SIZES),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), ASKING.values(), ids=ASKING)
def test_a_size_in_a_few_digits_is_refused_before_mujoco_makes_room(text, words, monkeypatch):
    monkeypatch.setattr("mujoco.MjSpec.from_string", lambda text: pytest.fail("MuJoCo was asked"))
    with pytest.raises(FileError, match=words) as caught:
        art.load(text)
    assert caught.value.diagnostics[0].code == "MJCF004" and caught.value.diagnostics[0].line == 1


def test_sizes_that_people_write():
    sizes = '<size nuser_body="3" nuserdata="100" nkey="10" njmax="5000" nconmax="1000"/>'
    assets = (
        '<texture type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 0" width="512" height="3072"/>'
        '<hfield name="h" nrow="200" ncol="200" size="1 1 1 1"/>'
    )
    text = one(option=f"{sizes}<asset>{assets}</asset>")
    assert art.load(text.replace("<body", '<replicate count="20" offset="1 0 0"><geom size="1"/></replicate><body')).nv
