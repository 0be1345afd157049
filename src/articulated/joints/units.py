"""Units of a joint's coordinates, velocities, accelerations and forces, from its motion subspace."""

from .base import Joint

#: units of a length, of an angle, and of a part of a quaternion
UNITS = {
    "m": {"q": "m", "v": "m/s", "a": "m/s²", "tau": "N"},
    "rad": {"q": "rad", "v": "rad/s", "a": "rad/s²", "tau": "N m"},
    "": {"q": ""},
}


def units(joint: Joint, name: str) -> list[str]:
    """Unit of each number of q, v, a or tau; empty for a quaternion."""
    return [UNITS[measure][name] for measure in _measures(joint, name)]


def _measures(joint: Joint, name: str) -> list[str]:
    """Angle or length: a column of S with an angular part is measured in radians, also if it moves along as well."""
    rates = ["rad" if any(x != 0 for x in column[3:]) else "m" for column in joint.S.T]
    if name != "q" or joint.nq == joint.nv:
        return rates
    if joint.quaternion is None:
        return [""] * joint.nq
    # the coordinates beside the quaternion are the displacement of the body
    inside = range(joint.nq)[joint.quaternion]
    return ["" if k in inside else "m" for k in range(joint.nq)]
