"""Mutants of valid files: they load, or meet our errors, and nothing else.

`python -m tests.files.fuzz 1000000 toml` runs a million of one format, without a name a third of them for each; the
tests run thousands.
"""

import math
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from articulated.errors import ArticulatedError
from articulated.files.mjcf.reader import read_mjcf
from articulated.files.toml.reader import read_toml
from articulated.files.urdf.reader import read_urdf
from articulated.model import STANDARD_GRAVITY, build

from .bad_urdf import ENDS, LIMIT, PAIR, UNIT, follower, moved, robot
from .mjcf_models import HONORED, MODELS, REPORTED

SHAPE = '<visual><origin rpy="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry></visual>'
BODY = f'<inertial><origin xyz="0.1 0 0" rpy="0 0.1 0"/><mass value="1.5"/>{UNIT}</inertial>'
URDF = [
    robot(f'<link name="a">{BODY}{SHAPE}</link>', '<link name="b"/>',
          f'<joint name="j" type="prismatic">{ENDS}{LIMIT}<axis xyz="0 1 0"/><dynamics damping="1"/></joint>'),
    follower('<mimic joint="j" multiplier="-2" offset="0.1"/>'),
    moved('<origin xyz="1 2 3" quat_xyzw="0 0 0.6 0.8"/>', "planar"),
    robot(PAIR, f'<joint name="j" type="floating">{ENDS}</joint>', head='<robot name="r" version="1.2">'),
]  # fmt: skip
TOML = [
    """name = "arm"
gravity = [0, 0, -9.81]
[[link]]
name = "rod"
joint = "revolute"
axis = [0, 1, 0]
mass = 1.0
com = [0, 0, -0.5]
inertia = [0.083, 0.083, 0.001]
limits = {lower = -2, upper = 2, velocity = 3, effort = 40}
damping = 0.1
frames = [{name = "tip", xyz = [0, 0, -1]}]
shapes = [{capsule = [0.05, 1], xyz = [0, 0, -0.5]}, {sphere = 0.1, visual = false, collision = true}]
[[link]]
name = "tool"
parent = "rod"
joint = "helical"
pitch = 0.1
rpy = ["90 deg", 0, "pi/3"]
mimic = {joint = "rod", multiplier = -2, offset = 0.1}
""",
    """name = "dh"
convention = "modified"
[[dh]]
d = 0.4
alpha = "pi/2"
mass = 2
gyration = [0.1, 0.1, 0.1]
[[dh]]
joint = "prismatic"
a = 0.3
mass = 1
inertia_about = "origin"
inertia = [1, 0.0, 0.0, 1, 0.1, 1]
limits = [-2, 2]
""",
]
MJCF = [*MODELS.values(), *HONORED.values(), *(text for _, text, _ in REPORTED)]

NASTY = [
    "", "nan", "inf", "-inf", "-1", "0", "1e308", "1e-320", "1e400", "0,5", "a", "b", "c", "j", "k", "${x}", "1 2 3",
    "0 0 0", "1 1 1 1", "\u0661", "fixed", "revolute", "mimic", "&lt;", "&#0;", "x" * 500, "\ud7ff", "-0.0", "+.5e-3",
    "\ud800", "1" * 5000, "9" * 300, "1e-400", "\u2028", "\x00",
]  # fmt: skip
ONLY_TOML = [
    "0x" + "f" * 5000, "1_0", "true", "1979-05-27T07:32:00Z", "[]", "{}", "[[1]]", "{a.b = 1}", "[" * 300, '"""', "'''",
    '"pi"', '"90 deg"', '"1e200 deg"', '"pi/1e-300"', '"\\ud800"', '"\\u0000"', "[1, 2, 3]", "-nan", "+inf", "0b1",
]  # fmt: skip
ONLY_MJCF = ["free", "ball", "slide", "hinge", "b", "root", "auto", "true", "disable", "mesh", "1 0 0", "-1 1"]


class Format(NamedTuple):
    """A format that is mutated, and its reader."""

    seeds: Sequence[str]
    nasty: Sequence[str]
    token: re.Pattern[str]
    value: re.Pattern[str]
    quoted: bool
    read: Callable[..., Any]


XML_TOKEN = re.compile(r'<[^>]*>|"[^"]*"|[^<"]+|.', re.DOTALL)
XML_VALUE = re.compile(r'"[^"]*"')
FORMATS = {
    "urdf": Format(URDF, NASTY, XML_TOKEN, XML_VALUE, True, read_urdf),
    "toml": Format(
        TOML, [*NASTY, *ONLY_TOML], re.compile(r"[^\n]*\n|[^\n]+"),
        re.compile(r'"[^"]*"|(?<=[\[ ,])-?[0-9][0-9.]*|(?<== )\S+'), False, read_toml,
    ),
    "mjcf": Format(MJCF, [*NASTY, *ONLY_MJCF], XML_TOKEN, XML_VALUE, True, read_mjcf),
}  # fmt: skip


def mutant(rng: random.Random, form: Format) -> str | bytes:
    """One to three changes of a seed."""
    text = rng.choice(form.seeds)
    for _ in range(rng.randint(1, 3)):
        text = rng.choice(CHANGES)(rng, form, text)
    if rng.random() < 0.1:
        data = bytearray(text.encode(errors="surrogatepass"))
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    return text


def _new_value(rng: random.Random, form: Format, text: str) -> str:
    spots = list(form.value.finditer(text))
    if not spots:
        return text
    spot, value = rng.choice(spots), rng.choice(form.nasty)
    quote = '"' if form.quoted or rng.random() < 0.5 else ""
    return f"{text[: spot.start()]}{quote}{value}{quote}{text[spot.end() :]}"


def _shuffled(rng: random.Random, form: Format, text: str) -> str:
    tokens = form.token.findall(text)
    i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens)


def _repeated(rng: random.Random, form: Format, text: str) -> str:
    tokens = form.token.findall(text)
    i, j = sorted((rng.randrange(len(tokens)), rng.randrange(len(tokens))))
    return "".join([*tokens[:j], *tokens[i:j], *tokens[j:]])


def _dropped(rng: random.Random, form: Format, text: str) -> str:
    tokens = form.token.findall(text)
    i = rng.randrange(len(tokens))
    return "".join(tokens[:i] + tokens[i + rng.randint(1, 2) :]) or " "


def _cut(rng: random.Random, form: Format, text: str) -> str:
    return text[: rng.randrange(1, len(text) + 1)]


def _spliced(rng: random.Random, form: Format, text: str) -> str:
    other = rng.choice(form.seeds)
    return text[: rng.randrange(1, len(text) + 1)] + other[rng.randrange(len(other)) :]


CHANGES = [_new_value, _new_value, _new_value, _shuffled, _repeated, _dropped, _cut, _spliced]


def outcome(form: Format, text: str | bytes, repair: bool) -> str:
    """ "loads" or the first code; an assertion if an accepted robot holds a number that is not finite."""
    try:
        found = form.read(text, "m", repair=repair)
        try:
            model = build(found.links, found.gravity or STANDARD_GRAVITY, report=found.report)
        except ArticulatedError as problem:  # of the tree, which URDF checks itself
            assert form.read is not read_urdf, f"an error without a place: {problem}"
            return "no tree"
    except ArticulatedError as problem:
        diagnostics = getattr(problem, "diagnostics", ())
        assert diagnostics, f"an error without a place: {problem}"
        str(problem).encode()
        return diagnostics[0].code
    for link in model.links:
        joint = link.joint
        values = [link.inertia.mass, *link.inertia.second.ravel(), *link.placement.R.ravel(), *link.placement.p]
        values += [joint.damping, joint.friction, joint.armature, *getattr(joint, "axis", ()), *link.tail.p]
        assert all(math.isfinite(x) for x in values), link
        assert joint.limits.lower <= joint.limits.upper, link
    assert all(math.isfinite(x) for x in model.gravity)
    return "loads"


def run(name: str, count: int, seed: int = 0) -> Counter[str]:
    """How often each outcome was met; anything else than an outcome is raised, with the mutant."""
    rng, met, form = random.Random(seed), Counter(), FORMATS[name]
    for _ in range(count):
        text = mutant(rng, form)
        try:
            met[outcome(form, text, rng.random() < 0.3)] += 1
        except Exception as problem:
            raise AssertionError(f"{text!r} meets {problem!r}") from problem
    return met


def main(total: int = 10_000, *names: str) -> None:
    for name in names or FORMATS:
        start, count = time.time(), total // len(names or FORMATS)
        for code, times in run(name, count, seed=int(time.time())).most_common():
            print(f"{code:<10}{times:>9}")
        print(f"{count} mutants of {name} in {time.time() - start:.0f} s; every one loads or meets our errors")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:])
