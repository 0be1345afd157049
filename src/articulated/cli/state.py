"""A state on the command line: numbers in order, joint=value, or the name of a pose."""

import re
from typing import Any

import numpy as np

from ..errors import closest, unknown
from ..files.numbers import DEGREES, angle
from ..robot import Robot
from ..robot.arguments.state_names import component_names, component_units
from ..text import plain, shortened
from .exit_codes import BadInput


def labels(robot: Robot, name: str) -> list[str]:
    """Component names that a terminal and a spreadsheet only show."""
    return [plain(part) for part in component_names(robot.model, name)]


def configuration(robot: Robot, text: str, option: str = "q") -> np.ndarray:
    """The configuration that `text` spells; without words the pose home, or neutral with each joint in its limits."""
    if not text:
        return robot.poses["home"] if "home" in robot.poses else robot.neutral().clip(*robot.limits[:2])
    return vector(robot, "q", text, option)


def start_of(robot: Robot) -> str:
    """Start of a command without --q, in words."""
    if "home" in robot.poses:
        return "at the pose home; --q says another"
    inside = np.array_equal(configuration(robot, ""), robot.neutral())
    return f"at zero{'' if inside else ', each joint within its limits'}; --q says another"


def vector(robot: Robot, name: str, text: str, option: str = "") -> np.ndarray:
    """The vector `name` (q, v, a, tau) that `text` of an option spells; zero, or neutral, where it says nothing."""
    option = f"--{option or name}"
    size = robot.nq if name == "q" else robot.nv
    text = re.sub(r"\s+(deg|degrees?|°)(?=[\s,]|$)", r"\1", text.strip().strip("[]()"))
    neutral = robot.neutral() if name == "q" else np.zeros(size)
    if not text:
        return neutral
    if text == "random" or text.startswith("random:"):
        return _random(robot, name, option, text)
    if name == "q" and text in robot.poses:
        return robot.poses[text]
    words = text.replace(",", " ").split()
    if words and all("=" in word for word in words):
        return _rotations(robot, name, option, _by_name(robot, name, option, words, neutral))
    if name == "q" and len(words) == 1 and (meant := closest(text, robot.poses, 0.6)):
        raise BadInput(f"{option}: no pose {shortened(text)!r} in {shortened(robot.name)}; did you mean {meant!r}?")
    values = [_number(option, word) for word in words]
    if len(values) == 1 and size != 1 and (name != "q" or robot.nq == robot.nv):
        values, words = values * size, words * size
    if len(values) != size:
        shown = ", ".join(map(shortened, component_names(robot.model, name)[:12]))
        more = "" if size <= 12 else ", …"
        count = f"{len(values)} number{'' if len(values) == 1 else 's'}"
        raise BadInput(f"{option} has {count}; {shortened(robot.name)} needs {size}: {shown}{more}")
    _refuse_degrees(robot, name, option, dict(enumerate(words)))
    return _rotations(robot, name, option, np.array(values))


def _refuse_degrees(robot: Robot, name: str, option: str, words: dict[int, str]) -> None:
    """Refuse degrees for a slide, a force or a part of a quaternion."""
    units = component_units(robot.model, name)
    for i, word in words.items():
        if DEGREES.fullmatch(word) and "rad" not in units[i]:
            component = shortened(component_names(robot.model, name)[i])
            raise BadInput(f"{option}: {component} is not an angle; got {word}")


def _rotations(robot: Robot, name: str, option: str, x: np.ndarray) -> np.ndarray:
    """`x`, if all its quaternions have a direction."""
    for b in robot.model.bodies if name == "q" else ():
        if b.joint.quaternion is not None and b.leader is b and not x[b.coords][b.joint.quaternion].any():
            which = f"the quaternion x y z w of {shortened(b.joint.name)!r}"
            raise BadInput(f"{option}: {which} is zero; the identity is 0 0 0 1")
    return x


def _random(robot: Robot, name: str, option: str, text: str) -> np.ndarray:
    seed = text.partition(":")[2] or "0"
    if not (seed.isascii() and seed.isdecimal() and len(seed) < 20):
        raise BadInput(f"{option} {text[:60]}: a seed is a whole number, as in random:7")
    rng = np.random.default_rng([int(seed), ("q", "v", "a", "tau").index(name)])
    return robot.random(rng) if name == "q" else rng.normal(size=robot.nv)


def _by_name(robot: Robot, name: str, option: str, words: list[str], start: np.ndarray) -> np.ndarray:
    names = component_names(robot.model, name)
    places: dict[str, int] = {}
    for i, component in enumerate(names):
        places.setdefault(component, i)
    out = start.copy()
    given: dict[int, str] = {}
    for word in words:
        key, _, value = word.rpartition("=")
        if key not in places:
            raise BadInput(str(unknown(f"component of {option}:", key, robot.name, names)))
        if places[key] in given:
            raise BadInput(f"{option}: {shortened(key)} is given twice; leave one of them out")
        given[places[key]] = value
        out[places[key]] = _number(option, value)
    _refuse_degrees(robot, name, option, given)
    return out


def _number(option: str, word: str) -> Any:
    try:
        return angle(word)
    except (ValueError, OverflowError) as problem:
        raise BadInput(f"{option}: {problem}") from None
