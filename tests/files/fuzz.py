"""Mutants of valid URDF files: they load, or meet our errors, and nothing else.

`python -m tests.files.fuzz 1000000` runs a million; the tests run ten thousand.
"""

import math
import random
import re
import sys
import time
from collections import Counter

from articulated.errors import ArticulatedError
from articulated.files.urdf.reader import read_urdf
from articulated.model import build

from .bad_urdf import ENDS, LIMIT, PAIR, UNIT, follower, moved, robot

SHAPE = '<visual><origin rpy="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry></visual>'
BODY = f'<inertial><origin xyz="0.1 0 0" rpy="0 0.1 0"/><mass value="1.5"/>{UNIT}</inertial>'
SEEDS = [
    robot(f'<link name="a">{BODY}{SHAPE}</link>', '<link name="b"/>',
          f'<joint name="j" type="prismatic">{ENDS}{LIMIT}<axis xyz="0 1 0"/><dynamics damping="1"/></joint>'),
    follower('<mimic joint="j" multiplier="-2" offset="0.1"/>'),
    moved('<origin xyz="1 2 3" quat_xyzw="0 0 0.6 0.8"/>', "planar"),
    robot(PAIR, f'<joint name="j" type="floating">{ENDS}</joint>', head='<robot name="r" version="1.2">'),
]  # fmt: skip
NASTY = [
    "", "nan", "inf", "-1", "0", "1e308", "1e-320", "1e400", "0,5", "a", "b", "c", "j", "k", "${x}", "1 2 3", "0 0 0",
    "1 1 1 1", "\u0661", "fixed", "revolute", "mimic", "&lt;", "&#0;", "x" * 500, "\ud7ff", "-0.0", "+.5e-3",
]  # fmt: skip
TOKEN = re.compile(r'<[^>]*>|"[^"]*"|[^<"]+|.', re.DOTALL)
VALUE = re.compile(r'"[^"]*"')


def mutant(rng: random.Random) -> str | bytes:
    """One to three changes of a seed."""
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 3)):
        text = rng.choice(CHANGES)(rng, text)
    if rng.random() < 0.1:
        data = bytearray(text.encode())
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    return text


def _new_value(rng: random.Random, text: str) -> str:
    spots = list(VALUE.finditer(text))
    if not spots:
        return text
    spot = rng.choice(spots)
    return f'{text[: spot.start()]}"{rng.choice(NASTY)}"{text[spot.end() :]}'


def _shuffled(rng: random.Random, text: str) -> str:
    tokens = TOKEN.findall(text)
    i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens)


def _repeated(rng: random.Random, text: str) -> str:
    tokens = TOKEN.findall(text)
    i, j = sorted((rng.randrange(len(tokens)), rng.randrange(len(tokens))))
    return "".join([*tokens[:j], *tokens[i:j], *tokens[j:]])


def _dropped(rng: random.Random, text: str) -> str:
    tokens = TOKEN.findall(text)
    i = rng.randrange(len(tokens))
    return "".join(tokens[:i] + tokens[i + rng.randint(1, 2) :]) or " "


def _cut(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(1, len(text) + 1)]


def _spliced(rng: random.Random, text: str) -> str:
    other = rng.choice(SEEDS)
    return text[: rng.randrange(1, len(text) + 1)] + other[rng.randrange(len(other)) :]


CHANGES = [_new_value, _new_value, _new_value, _shuffled, _repeated, _dropped, _cut, _spliced]


def outcome(text: str | bytes, repair: bool) -> str:
    """ "loads" or the first code; an assertion if an accepted robot holds a number that is not finite."""
    try:
        found = read_urdf(text, "m.urdf", repair=repair)
        model = build(found.links, report=found.report)
    except ArticulatedError as problem:
        diagnostics = getattr(problem, "diagnostics", ())
        assert diagnostics, f"an error without a place: {problem}"
        return diagnostics[0].code
    for link in model.links:
        values = [link.inertia.mass, *link.inertia.second.ravel(), *link.placement.R.ravel(), *link.placement.p]
        assert all(math.isfinite(x) for x in values), link
    return "loads"


def run(count: int, seed: int = 0) -> Counter[str]:
    """How often each outcome was met; anything else than an outcome is raised, with the mutant."""
    rng, met = random.Random(seed), Counter()
    for _ in range(count):
        text = mutant(rng)
        try:
            met[outcome(text, rng.random() < 0.3)] += 1
        except Exception as problem:
            raise AssertionError(f"{text!r} meets {problem!r}") from problem
    return met


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    start = time.time()
    for code, times in run(total, seed=int(time.time())).most_common():
        print(f"{code:<10}{times:>9}")
    print(f"{total} mutants in {time.time() - start:.0f} s; every one loads or meets our errors")
