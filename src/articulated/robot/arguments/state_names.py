"""A name for every number of a state, by joint: what columns of a log, of a table and of a DataArray are called."""

from collections.abc import Collection

from ...inputs.labels import SPATIAL as SPATIAL
from ...joints import Joint
from ...joints.data import units
from ...model import Model
from ...model.parameters import PARAMETER_NAMES

#: state vectors, whose numbers have the units of their joints
VECTORS = ("q", "v", "a", "tau")


def component_names(model: Model, name: str) -> list[str]:
    """The joint of each number of q (or of v, a, tau); `joint_x` and so on where it has several, `joint__x` where
    another joint is called `joint_x`."""
    found: list[str] = []
    taken = set(model.joint_names)
    for b in model.independent:
        parts = _components(b.joint, name, taken)
        taken.update(parts)
        found += parts
    return found


def _components(joint: Joint, name: str, taken: Collection[str]) -> list[str]:
    """Names of the numbers of one joint; its name alone if it has one number."""
    count = joint.nq if name == "q" else joint.nv
    if count == 1:
        return [joint.name]
    words = joint.coordinates if name == "q" else joint.velocities
    parts, mark = words or [str(k) for k in range(count)], "_"
    while any(f"{joint.name}{mark}{part}" in taken for part in parts):
        mark += "_"
    return [f"{joint.name}{mark}{part}" for part in parts]


def parameter_names(model: Model) -> list[str]:
    """Names of the ten inertial parameters of every body: `hand_m`, `hand_mx` … `hand_Izz`."""
    return [f"{b.name}_{name}" for b in model.bodies for name in PARAMETER_NAMES]


def component_units(model: Model, name: str) -> list[str]:
    """Unit of each number of q, v, a or tau; empty for a quaternion."""
    return [unit for b in model.independent for unit in units(b.joint, name)]
