"""What the numbers of a state are called, and tables put in that order."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ShapeError, unknown
from ..model import Model

#: what a kind of joint with several numbers calls them, for q and for everything of the size of v
PARTS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "floating": (("x", "y", "z", "qx", "qy", "qz", "qw"), ("x", "y", "z", "rx", "ry", "rz")),
    "spherical": (("qx", "qy", "qz", "qw"), ("rx", "ry", "rz")),
    "planar": (("x", "y", "angle"), ("x", "y", "angle")),
}


def component_names(model: Model, name: str) -> list[str]:
    """The joint of each number of q (or of v, a, tau); `joint_x` and so on where it has several."""
    names: list[str] = []
    for b in model.bodies:
        if b.leader is not b:
            continue
        count = b.joint.nq if name == "q" else b.joint.nv
        numbered = [str(k) for k in range(count)]
        parts = PARTS.get(b.joint.kind, (numbered, numbered))[name != "q"]
        names += [b.joint.name] if count == 1 else [f"{b.joint.name}_{part}" for part in parts]
    return names


def in_order(method: str, name: str, value: Any, labels: Sequence[str]) -> Any:
    """The columns of a table, or the entries of a labelled row, in the order of `labels`; anything else as it is.

    A column is called like its component, or `q_COMPONENT`; whole numbers for names say nothing, as no names do.
    """
    given = _labels(value)
    if given is None or not labels:
        return value
    at = {label.removeprefix(f"{name}_") if label not in labels else label: k for k, label in enumerate(given)}
    if strange := [label for label in at if label not in labels]:
        raise ShapeError(f"{method}: {unknown(f'column for {name}:', strange[0], 'the robot', labels)}")
    if len(at) != len(given) or len(at) != len(labels):
        lacking = [label for label in labels if label not in at]
        why = f"lacks {lacking[0]!r}" if lacking else "has a column twice"
        raise ShapeError(f"{method}: the table for {name} {why}; its columns are {', '.join(given[:12])}")
    return np.asarray(value)[..., [at[label] for label in labels]]


def _labels(value: Any) -> list[str] | None:
    """The names of the columns of a data frame, or of the entries of a series; None if it has none."""
    names = getattr(value, "columns", None)
    if names is None and getattr(value, "ndim", 0) == 1:
        names = getattr(value, "index", None)
    if names is None or callable(names):
        return None
    names = list(names)
    return names if names and all(isinstance(x, str) for x in names) else None
