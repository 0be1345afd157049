"""Dynamics of articulated rigid-body systems: arms, trees, legged robots.

import articulated as art

robot = art.load("panda")
tau = robot.inverse_dynamics(q, v, a)       # arrays of any leading shape
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from . import _imported as _imported  # first: it notes which files everything below comes from
from ._public import PLACES, places


def __getattr__(name: str) -> Any:
    """Every public name, on its first use: a command's `--help` need not wait for NumPy."""
    if name == "__all__":
        return sorted(places())
    # a module is not a public name: `from . import scalars` must not start importing everything
    if name not in PLACES and (name.startswith("_") or find_spec(f"{__name__}.{name}")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = PLACES.get(name) or places().get(name)
    if module is None:
        from .errors import NoSuchAttribute
        from .robot.foreign_names import OF_THE_PACKAGE

        raise NoSuchAttribute(f"module {__name__!r}", name, sorted(places()), OF_THE_PACKAGE)
    globals()[name] = found = getattr(import_module(f".{module}", __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted(places())
