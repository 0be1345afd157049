"""Names may hold anything; every form the equations leave in only shows them, and code stays the same code."""

import ast
import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest

from .command import run

pytest.importorskip("sympy")

HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "an attribute": "\" onload='alert(1)' x=\"",
    "a file for TeX": r"\input{/etc/passwd}\write18{ls}",
    "math mode": r"$\def\x{\x}\x$ % & # ^^M",
    "a terminal title": "\x1b]0;owned\x07\x9b2J\r",
    "10 kB": "x" * 10_000,
    "writing direction": "\u202egpj.exe\u2066\u200b",
    "the end of a docstring": '"""\nimport os\nos.abort()\n"""\\',
    "a backslash at the end": 'x\\"\\',
    "the end of a comment": "*/\n#include </etc/passwd>\n/* ??/",
    "a link": "[x](javascript:alert(1)) ![i](http://example.org/i)",
    "a keyword": "class",
    "a keyword of C": "int",
    "digits that are no digits": "²½①",
    "another script": "роботرَجُل",
}
#: of a robot and its two links: every name once, three to a robot
ROBOTS = [list(HOSTILE.values())[k : k + 3] for k in range(0, len(HOSTILE), 3)]


def derived(folder, names, *options: str) -> str:
    """A robot and two links of these names, as `derive` writes them."""
    name, first, second = map(json.dumps, names)
    rod = "joint = 'revolute'\naxis = [0, 1, 0]\nmass = 1\ncom = [0, 0, -0.5]\ndamping = 0.1\n"
    text = f"name = {name}\n[[link]]\nname = {first}\njoint_name = {first}\n{rod}"
    text += f"[[link]]\nname = {second}\nparent = {first}\nxyz = [0, 0, -1]\n{rod}"
    (folder / "robot.toml").write_text(text, encoding="utf-8")
    result = run("derive", folder / "robot.toml", *options)
    assert result.code == 0, result.err
    assert_only_shows(result.err)
    return result.out


@pytest.fixture(scope="module")
def tame(tmp_path_factory):
    """The same of a robot with plain names."""
    folder = tmp_path_factory.mktemp("tame")
    return cache(lambda *options: derived(folder, ("robot", "upper", "lower"), *options))


def assert_only_shows(text: str) -> None:
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]", text)
    assert not re.search("x{200}", text), re.findall(".{0,80}x{200}", text)


class Tags(HTMLParser):
    def __init__(self, page: str):
        super().__init__()
        self.found: list[tuple] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, *(key for key, _ in attrs)))


def commands(tex: str) -> set[str]:
    return set(re.findall(r"\\([A-Za-z]+)", tex))


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE)
def hostile(request):
    return request.param


@pytest.mark.parametrize("steps", [(), ("--steps",)], ids=["", "steps"])
@pytest.mark.parametrize("names", ROBOTS, ids=range(len(ROBOTS)))
def test_documents(names, steps, tame, tmp_path):
    pages = [(derived(tmp_path, names, *how), tame(*how)) for form in FORMS for how in [("--format", form, *steps)]]
    for check, (page, plain) in zip(FORMS.values(), pages, strict=True):
        assert_only_shows(page)
        check(page, plain, names)


def check_html(page, tame, names):
    assert Tags(page).found == Tags(tame).found


def check_tex(page, tame, names):
    assert not (commands("".join(names)) - commands(tame)) & commands(page)
    assert page.count("\\begin{") == tame.count("\\begin{") and "^^" not in page
    unescaped = re.sub(r"\\[\\{}$&%#_]", "", page)
    assert unescaped.count("{") == unescaped.count("}") and "%" not in unescaped and "#" not in unescaped


def check_markdown(page, tame, names):
    outside = re.sub(r"\\.", "", page)  # what no backslash protects
    assert "<" not in re.sub(r"\$\$.*?\$\$|\$.*?\$", "", outside, flags=re.DOTALL) and "](" not in outside
    assert [line[:3] for line in page.split("\n")].count("## ") == [line[:3] for line in tame.split("\n")].count("## ")


FORMS = {"html": check_html, "tex": check_tex, "md": check_markdown}


@pytest.mark.parametrize("form", ["py", "casadi"])
def test_python(hostile, form, tame, tmp_path):
    texts = [derived(tmp_path, (hostile, hostile, f"{hostile}2"), "--format", form), tame("--format", form)]
    assert_only_shows(texts[0])
    trees = [ast.parse(text) for text in texts]
    for tree in trees:
        tree.body = [node for node in tree.body if not isinstance(node, ast.Expr)]  # the docstring
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.name = node.name if node.name == "stacked" else "f"
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = ""
            if isinstance(node, ast.Name) and node.id not in ("q", "v", "a"):
                node.id = "x"
    assert ast.dump(trees[0]) == ast.dump(trees[1])


def test_c(hostile, tame, tmp_path):
    texts = [derived(tmp_path, (hostile, hostile, f"{hostile}2"), "--format", "c"), tame("--format", "c")]
    assert_only_shows(texts[0])
    bodies = [re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL) for text in texts]
    declared = [re.search(r"\bvoid ([A-Za-z_]\w*)\(", body) for body in bodies]
    assert all(declared) and declared[0][1] not in ("int", "class")
    assert bodies[0].replace(declared[0][1], "robot") == bodies[1]


@pytest.mark.parametrize("names", ROBOTS, ids=range(len(ROBOTS)))
def test_on_a_terminal(names, tmp_path, monkeypatch):
    from articulated.symbolic.equations import progress

    monkeypatch.setattr(progress, "PATIENCE", 0.0)  # say everything at once
    assert_only_shows(derived(tmp_path, names, "--check"))
    assert_only_shows(derived(tmp_path, names, "--steps"))


def test_formulas_in_python(hostile):
    """`equations.latex()` for a robot built in Python, its symbols named by somebody else."""
    import sympy

    import articulated as art

    rod = art.Inertia(sympy.Symbol(hostile, positive=True), (0, 0, -1), [[0, 0, 0]] * 3)
    equations = art.derive(art.build([art.Link(hostile, None, art.Revolute((0, 1, 0)), inertia=rod)], name=hostile))
    assert not commands(hostile) & commands(equations.latex())
