"""Bodies of the methods of `Contacts` that are more than one kernel.

The `checks` of a law end with its conditioning; a state where that is too small is singular.  It is computed again on
arrays, with ranks from singular values, some hundred times slower.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import ShapeError
from ..inputs.choices import floats
from ..inputs.labels import SPATIAL
from ..robot.arguments.arrays import Arguments, as_vectors, check_batches
from ..robot.arguments.forces import Wrenches
from ..robot.quantities import Call
from ..robot.request import PARAMETERS
from . import feasibility
from .analysis import Analysis, analysis
from .checks import in_order, plain, require_finite, wish
from .constraints import constraint_drift
from .kernels import those, unsound
from .laws import FALL, ROUNDING
from .loops import closed
from .ranks import by_singular_values
from .ranks.by_singular_values import Torques
from .ranks.subspaces import Floats, apply, pseudo_inverse, quietly

if TYPE_CHECKING:
    from .contacts import Contacts

Arrays = dict[str, Any]


class Motion(NamedTuple):
    """Accelerations (…, nv) and the contact forces (…, k) that go with them."""

    a: Floats
    forces: Floats


class Impact(NamedTuple):
    """Velocities (…, nv) after an impact and the impulses (…, k) it took."""

    v: Floats
    impulses: Floats


# -- equations ------------------------------------------------------------------------------------


def positions(contacts: "Contacts", call: Call) -> Floats:
    """Origins of the poses."""
    return contacts.poses(call.arrays["q"])[..., :3, 3]


def drift(contacts: "Contacts", call: Call) -> Floats:
    """Drift from anchors."""
    return quick_drift(contacts, [call.arrays["q"], call.arrays.get("anchors")])


def quick_drift(contacts: "Contacts", values: Sequence[Any]) -> Any:
    """Drift from anchors, which only loops can do without; None if it is not q and anchors that are given."""
    if len(values) != 2:
        return None
    (q, anchors), count = values, len(contacts.contacts)
    grounded = [contact.name for contact in contacts.contacts if contact.other is None]
    if anchors is None and grounded:
        raise ShapeError(
            f"the drift of {', '.join(grounded)} needs anchors: contacts.poses(q) of when the contact was made"
        )
    anchors = np.zeros((count, 4, 4)) if anchors is None else floats("anchors", anchors, rows=())
    if anchors.shape[-3:] != (count, 4, 4):
        raise ShapeError(f"anchors has shape {anchors.shape}; it must be (…, {count}, 4, 4)")
    if not np.isfinite(anchors).all():
        raise ShapeError("anchors holds NaN or infinity")
    flat = anchors.reshape(*anchors.shape[:-3], 16 * count)
    return contacts.kernels.equation("drift", constraint_drift, q=q, anchors=flat)


def analyze(contacts: "Contacts", call: Call) -> Analysis:
    """Analysis of one configuration."""
    given = call.arrays
    q = plain("analyze", contacts.kernels.vectors, {"q": given["q"]})["q"]
    J = contacts.jacobian(q)
    if J.ndim != 2:
        raise ShapeError(f"analyze takes one configuration q ({contacts.robot.nq},); got {np.shape(q)}")
    require_finite("analyze", q=q)
    if not np.isfinite(J).all():
        raise ShapeError("contacts.analyze: q has a quaternion without direction, or numbers too large to compute with")
    return analysis(J, contacts.structure, contacts.positions(q), given["tolerance"])


def assemble(contacts: "Contacts", call: Call) -> Floats:
    """A configuration in which loops are closed."""
    return closed(contacts, **{"anchors": None, **call.arrays})


# -- laws -----------------------------------------------------------------------------------------


def quick_torques(contacts: "Contacts", values: Sequence[Any]) -> Torques | None:
    """Torques in one state for a controller that waits; None if it is not that, or the state is singular."""
    if len(values) != 3:
        return None
    q, v, a = values
    if not (type(q) is type(v) is type(a) is np.ndarray and q.ndim == v.ndim == a.ndim == 1):
        return None
    if (found := contacts.kernels.quick("inverse_dynamics", values)) is None:
        return None
    residual, violation, excess, conditioning = found.checks.tolist()
    parts = (found.value, found.forces, residual, violation, conditioning, excess <= 0, np.array(a, float))
    return tuple.__new__(Torques, parts)  # the constructor takes as long as a tenth of the law


def quick_motion(contacts: "Contacts", values: Sequence[Any]) -> Motion | None:
    """Accelerations under the torques of motors in one state; None as for torques."""
    if len(values) != 3:
        return None
    q, v, tau = values
    if not (type(q) is type(v) is type(tau) is np.ndarray and q.ndim == v.ndim == 1):
        return None
    if tau.shape != (contacts.kernels.motors,) or (found := contacts.kernels.quick("forward_dynamics", values)) is None:
        return None
    return Motion(found.value, found.forces)


def acceleration(contacts: "Contacts", call: Call) -> Floats:
    """a0 and the shortest step to what the contacts allow."""

    def on_arrays(state: Arrays, forces: Wrenches) -> list[Any]:
        J, rate = contacts.kernels.moved(state["q"], state["v"])
        missing = apply(J, state["a0"]) + rate
        return [state["a0"] - apply(pseudo_inverse(J, scale=contacts.structure.size), missing)]

    state = in_order("acceleration", contacts.kernels.vectors, call.arrays)
    return _computed(contacts, call, state, lambda found: [found.value], on_arrays)[0][0]


def inverse_dynamics(contacts: "Contacts", call: Call) -> Torques:
    """Torques by the law, or by the lecture's formulas."""
    state = in_order("inverse_dynamics", contacts.kernels.vectors, {name: call.arrays[name] for name in "qva"})
    if call.choices["on_infeasible"] != "least_squares":
        return feasibility.torques(contacts, call._replace(arrays={**call.arrays, **state}))
    wishes: Arrays = {
        name: wish(contacts.robot.name, name, call.arrays[name], contacts.kernels.vectors[name])
        for name in ("tau0", "weight", "force_weight")
        if name in call.arrays
    }
    method = call.choices["method"]

    def results(found: Any) -> Torques:
        residual, violation, excess, conditioning = (found.checks[..., i] for i in range(4))
        a = np.array(np.broadcast_to(np.asarray(state["a"], float), (*excess.shape, contacts.robot.nv)))
        return Torques(found.value, found.forces, residual, violation, conditioning, excess <= 0, a)

    def on_arrays(arrays: Arrays, forces: Wrenches) -> Torques:
        own = {name: x for name, x in wishes.items() if name != "tau0"}
        return _ranked(contacts, arrays, own, forces, method)

    straight = method == "qr" and all(name == "tau0" or x.ndim == 1 for name, x in wishes.items())
    straight = straight and contacts.kernels.compiled_law("inverse_dynamics")
    given = {
        **state,
        **_parameters(call.arrays),
        **{name: x for name, x in wishes.items() if straight or name == "tau0"},
    }
    both, checks = _computed(contacts, call, given, results, on_arrays, straight)
    found = Torques(*both)
    # the conditioning stays: it says which states were singular
    return found if checks is None else found._replace(conditioning=np.nan_to_num(checks[..., 3], nan=0.0))


def _ranked(contacts: "Contacts", state: Arrays, wishes: Arrays, forces: Wrenches, method: str) -> Torques:
    """Torques on arrays."""
    q, v = state["q"], state["v"]
    f = contacts.robot.inverse_dynamics(q, v, state["a"], forces, **_parameters(state))
    if "tau0" in state:
        check_batches("contacts.inverse_dynamics", {"q, v and a": f, "tau0": state["tau0"]})
        wishes = {**wishes, "tau0": state["tau0"]}
    J, rate = contacts.kernels.moved(q, v)
    a = np.array(np.broadcast_to(state["a"], f.shape), float)
    moved = apply(J, a) + rate
    return by_singular_values.torques(f, J, moved, negligible(contacts, a, v), a, contacts.structure, method, **wishes)


def negligible(contacts: "Contacts", a: Floats, v: Floats) -> Any:
    """Accelerations of contacts that are rounding errors, (…)."""
    return ROUNDING * contacts.structure.size * (np.linalg.norm(a, axis=-1) + (v * v).sum(axis=-1) + FALL)


def forward_dynamics(contacts: "Contacts", call: Call) -> Motion:
    """Accelerations and contact forces."""
    state, rate = {name: call.arrays[name] for name in ("q", "v", "tau")}, call.choices["baumgarte"]
    if "anchors" in call.arrays and rate is None:
        raise ShapeError("contacts.forward_dynamics: anchors needs baumgarte=, which pulls contacts to them")
    state = in_order("forward_dynamics", contacts.kernels.vectors, state) | _parameters(call.arrays)
    if rate is not None:
        state["correction"] = _correction(contacts, state["q"], state["v"], rate, call.arrays.get("anchors"))

    def on_arrays(arrays: Arrays, forces: Wrenches) -> Sequence[Any]:
        tau = arrays["tau"]
        if tau.shape[-1] < contacts.robot.nv:  # of the motors alone
            tau = apply(by_singular_values.selection(contacts.structure), tau)
        M, h, J, rate = contacts.kernels.equations(arrays["q"], arrays["v"], forces, **_parameters(arrays))
        free = np.linalg.solve(M, (tau - h)[..., None])[..., 0]
        return by_singular_values.held(M, J, free, arrays.get("correction", 0) - rate, contacts.structure)

    return Motion(*_computed(contacts, call, state, lambda found: found[:2], on_arrays)[0])


def impact(contacts: "Contacts", call: Call) -> Impact:
    """Velocities after an impact, and impulses."""
    restitution = call.choices["restitution"]

    def on_arrays(arrays: Arrays, forces: Wrenches) -> Sequence[Any]:
        before = arrays["v"]
        M, _, J, _ = contacts.kernels.equations(arrays["q"], 0 * before, **_parameters(arrays))
        return by_singular_values.held(M, J, before, -restitution * apply(J, before), contacts.structure)

    state = in_order("impact", contacts.kernels.vectors, call.arrays) | {"restitution": np.array([restitution])}
    return Impact(*_computed(contacts, call, state, lambda found: found[:2], on_arrays)[0])


def _computed(
    contacts: "Contacts",
    call: Call,
    state: Arrays,
    results: Callable[[Any], Sequence[Any]],
    on_arrays: Callable[[Arrays, Wrenches], Sequence[Any]],
    straight: bool = True,
) -> tuple[Sequence[Any], Any]:
    """Results of a law by its kernel, singular states computed on arrays, or all if it has none.

    Then its checks, if some states are singular.
    """
    kernels, method, forces = contacts.kernels, call.method, call.forces
    if forces:
        forces = forces._each(lambda x: x if hasattr(x, "dims") else floats(f"contacts.{method}: a force", x, SPATIAL))
        require_finite(method, **{f"the force at {name}": force for name, force in forces.items()})
    found = kernels.law(method, state, forces) if straight and kernels.compiled_law(method) else None
    if found is None:
        arrays = _checked(contacts, method, state)
        require_finite(method, **arrays)
        return quietly(on_arrays)(arrays, forces), None
    bad, usual = unsound(found.checks), results(found)
    if not bad.any():
        return usual, None
    require_finite(method, **{name: x for name, x in state.items() if np.ndim(x)})
    some = {name: those(x, bad) for name, x in state.items()}
    out = [np.array(x) for x in usual]
    for whole, part in zip(out, quietly(on_arrays)(some, forces._each(lambda x: those(x, bad))), strict=True):
        whole[bad] = part
    return [x[()] for x in out], found.checks


def _checked(contacts: "Contacts", method: str, state: Arrays) -> Arrays:
    """The state as arrays whose leading axes broadcast."""
    nv, vectors = contacts.robot.nv, {name: contacts.kernels.vectors[name] for name in state}
    if "tau" in state and np.shape(state["tau"])[-1:] == (nv,):
        vectors["tau"] = contacts.kernels.vectors["v"]
    check = Arguments(f"contacts.{method}", contacts.robot.name, vectors)
    return dict(zip(state, check(list(state.values())), strict=True))


def _parameters(arrays: Mapping[str, Any]) -> Arrays:
    """Inertial parameters, if they are given."""
    return {PARAMETERS: arrays[PARAMETERS]} if PARAMETERS in arrays else {}


def _correction(contacts: "Contacts", q: Any, v: Any, rate: float, anchors: Any) -> Floats:
    """The acceleration of the rows that pulls contacts back to their anchors."""
    v = as_vectors("contacts.forward_dynamics", contacts.robot.name, "v", v, contacts.kernels.vectors["v"])
    drifted = contacts.drift(q, anchors)
    check_batches("contacts.forward_dynamics", {"q": np.asarray(q), "v": v, "the drift from anchors": drifted})
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows shows in the result
        return -(rate**2) * drifted - 2 * rate * apply(contacts.jacobian(q), v)
