"""Dynamics of articulated rigid-body systems: arms, trees, legged robots.

import articulated as art

robot = art.load("panda")
tau = robot.inverse_dynamics(q, v, a)       # arrays of any leading shape
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from . import _imported as _imported  # first: it notes which files everything below comes from

if TYPE_CHECKING:
    from ._public import *  # noqa: F403
    from ._public import __all__ as __all__
    from .joints import *  # noqa: F403


def _public_name(name: str) -> Any:
    """Every public name, on its first use: a command's `--help` need not wait for NumPy."""
    # a module is not a public name: `from . import scalars` must not start importing everything
    hidden = name.startswith("_") and name not in ("__all__", "__version__")
    if hidden or (name != "__all__" and find_spec(f"{__name__}.{name}")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _public

    globals().update({public: vars(_public)[public] for public in _public.__all__ if public not in _public.LATER})
    globals()["__all__"] = _public.__all__
    if name in _public.LATER:
        globals()[name] = getattr(_public, name)
    if name not in globals():
        from .errors import NoSuchAttribute
        from .robot.foreign_names import OF_THE_PACKAGE

        raise NoSuchAttribute(f"module {__name__!r}", name, _public.__all__, OF_THE_PACKAGE)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(_public_name("__all__"))


if not TYPE_CHECKING:  # a type checker would take it for every name there could be
    __getattr__ = _public_name
