"""The laws of a contact set as kernels of its robot, made when first asked for and shared by equal sets."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..compiler.kernel import Kernel, Source
from ..compiler.runtime.fingerprint import fingerprint
from ..robot import Robot
from ..robot.arguments import Arguments
from ..robot.programs import robot_fingerprint
from .constraints import constraint_jacobian
from .kinds import Contact
from .laws import FORMULATIONS, Structure
from .subspaces import rank

#: configurations tried for what a contact set is in general
TRIED = 3


def structure(robot: Robot, contacts: tuple[Contact, ...], unactuated: tuple[int, ...]) -> Structure:
    """The ranks a contact set has at all but a few configurations: the largest of some random ones."""
    sets = vars(robot).setdefault("_contact_sets", {})
    if (contacts, unactuated) not in sets:
        actuated = tuple(i for i in range(robot.nv) if i not in unactuated)
        ranks = []
        for q in robot.random(0, TRIED).astype(object):
            J = robot._numbers(robot._numeric(lambda q: constraint_jacobian(robot.model, q, contacts))(q=q))
            size = float(np.linalg.norm(J, 2)) if J.size else 0.0
            ranks.append((rank(J), rank(J[:, list(unactuated)], scale=size), size))
        sets[contacts, unactuated] = Structure(contacts, unactuated, actuated, *map(max, zip(*ranks, strict=True)))
    return sets[contacts, unactuated]


def kernel(
    robot: Robot, method: str, function: Callable[..., Any], sizes: Mapping[str, int], about: Any, frames: tuple = ()
) -> Kernel:
    """`function(model, **arrays, <about>)` compiled; `about` a Structure, or the contacts alone; `frames` of forces."""
    key = (function, tuple(sizes.items()), about, frames)
    known = robot._kernels.get(key)
    return known or robot._kernels.setdefault(key, _made(robot, method, function, sizes, about, frames))


def _made(
    robot: Robot, method: str, function: Callable[..., Any], sizes: Mapping[str, int], about: Any, frames: tuple
) -> Kernel:
    fixed = {"structure" if isinstance(about, Structure) else "contacts": about}
    pushed = {f"force_{i}": name for i, name in enumerate(frames)}

    def evaluate(model: Any, arrays: Mapping[str, Any], **how: Any) -> Any:
        state = {name: x for name, x in arrays.items() if name not in pushed}
        forces = {"forces": {pushed[name]: arrays[name] for name in pushed}} if pushed else {}
        return function(model, **state, **fixed, **forces, **how)

    sizes = {**sizes, **dict.fromkeys(pushed, 6)}
    formulations: tuple[Callable[..., Any], ...] = ()
    if function in FORMULATIONS:
        formulations = (robot._numeric(lambda **arrays: evaluate(robot._regrouped, arrays, **FORMULATIONS[function])),)
    source = Source(
        name=f"contacts.{method}",
        function=robot._numeric(lambda **arrays: evaluate(robot.model, arrays)),
        formulations=formulations,
        sizes=sizes,
        check=Arguments(f"contacts.{method}", robot.name, sizes, _meanings(robot, sizes)),
        result=function.__annotations__["return"] if function in FORMULATIONS else None,
        identity=lambda: (own := robot_fingerprint(robot)) and fingerprint(own, function, dict(sizes), about, frames),
        remake=(kernel, (robot, method, function, sizes, about, frames)),
        example=_example(robot, sizes) if robot._long else None,
        compiled=not robot._too_long,
    )
    return Kernel(source)


def _meanings(robot: Robot, sizes: Mapping[str, int]) -> dict[str, str]:
    known = {
        "tau": "one per actuated velocity, or one per velocity",
        "tau0": "one per actuated velocity",
        "weight": "one per actuated velocity",
        "force_weight": "one per row of the contacts",
        "correction": "one per row of the contacts",
        "restitution": "one number",
        "anchors": "the poses (contacts, 4, 4) of the contacts",
    }
    return {name: known.get(name) or robot._meaning(name) for name in sizes}


def _example(robot: Robot, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    """A state at which everything can be computed: no stretched leg, no weight of zero."""
    some = {"q": robot.random(0), "weight": np.ones(robot.nv), "force_weight": np.ones(max(sizes.values()))}
    return {name: some[name][:size] if name in some else np.zeros(size) for name, size in sizes.items()}
