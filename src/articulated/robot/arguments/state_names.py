"""A name for every number of a state, by joint: what columns of a log, of a table and of a DataArray are called."""

from collections.abc import Collection, Sequence

from ...inputs.labels import SPATIAL as SPATIAL
from ...joints import Joint
from ...model import Model
from ...model.parameters import PARAMETER_NAMES

#: what a kind of joint with several numbers calls them, for q and for everything of the size of v
PARTS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "floating": (("x", "y", "z", "qx", "qy", "qz", "qw"), SPATIAL),
    "spherical": (("qx", "qy", "qz", "qw"), ("rx", "ry", "rz")),
    "planar": (("x", "y", "angle"), ("x", "y", "angle")),
}
#: of coordinates, rates, accelerations and forces: of what slides, and of what turns
UNITS = {"q": ("m", "rad"), "v": ("m/s", "rad/s"), "a": ("m/s²", "rad/s²"), "tau": ("N", "N m")}
#: which parts of a joint turn, where it has several
_TURNS = {"floating": "000111", "spherical": "111", "planar": "001", "cylindrical": "01"}


def component_names(model: Model, name: str) -> list[str]:
    """The joint of each number of q (or of v, a, tau); `joint_x` and so on where it has several, `joint__x` where
    another joint is called `joint_x`."""
    found: list[str] = []
    taken = set(model.joint_names)
    for b in model.bodies:
        if b.leader is b:
            parts = _components(b.joint, name, taken)
            taken.update(parts)
            found += parts
    return found


def _components(joint: Joint, name: str, taken: Collection[str]) -> list[str]:
    """The same of one joint; its name alone if it has one number."""
    count = joint.nq if name == "q" else joint.nv
    if count == 1:
        return [joint.name]
    numbered = [str(k) for k in range(count)]
    parts, mark = PARTS.get(joint.kind, (numbered, numbered))[name != "q"], "_"
    while any(f"{joint.name}{mark}{part}" in taken for part in parts):
        mark += "_"
    return [f"{joint.name}{mark}{part}" for part in parts]


def parameter_names(model: Model) -> list[str]:
    """Of the ten inertial parameters of every body: `hand_m`, `hand_mx` … `hand_Izz`."""
    return [f"{b.name}_{name}" for b in model.bodies for name in PARAMETER_NAMES]


def angles(model: Model, name: str) -> list[bool]:
    """Of each number of q, v or a whether it is an angle, or how fast one changes; forces are none."""
    found: list[bool] = []
    for joint in (b.joint for b in model.bodies if b.leader is b):
        plain = name != "q" or joint.nq == joint.nv  # a quaternion is no angle
        found += [turns and name != "tau" for turns in _turning(joint)] if plain else [False] * joint.nq
    return found


def _turning(joint: Joint) -> list[bool]:
    """Of each velocity of a joint whether it turns."""
    return [bit == "1" for bit in _TURNS.get(joint.kind, "0" if joint.slides else "1" * joint.nv)]


def component_units(model: Model, name: str) -> list[str]:
    """The unit of each number of v, a or tau; none for another name."""
    if name not in UNITS or name == "q":
        return []
    return [UNITS[name][turns] for b in model.bodies if b.leader is b for turns in _turning(b.joint)]
