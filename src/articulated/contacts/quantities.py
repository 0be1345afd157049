"""Table of methods: a row for each quantity that `Contacts` computes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ..inputs.choices import number
from ..model import Model
from ..robot.quantities import Quantity
from ..robot.quantities.arguments import ARGUMENTS, Argument, one_of
from . import feasibility, laws, methods
from .constraints import constraint_bias, constraint_drift, constraint_jacobian, constraint_poses
from .ranks.subspaces import TOLERANCE


def _rate(model: Model, method: str, x: Any) -> float | None:
    """Baumgarte's rate, if there is one."""
    known = "a rate in rad/s, a number that is not negative"
    return None if x is None else number("baumgarte", x, known, most=1e100)


def _restitution(model: Model, method: str, x: Any) -> float:
    return number("restitution", x, "between 0 (they stick) and 1 (they bounce back)", most=1.0)


def _optional(text: str) -> Argument:
    return Argument(text, "ArrayLike | None", None)


#: arguments of the methods of `Contacts`
KNOWN: dict[str, Argument] = {
    **{name: ARGUMENTS[name] for name in ("q", "v", "a", "forces")},
    "a0": Argument("acceleration one would like, (…, nv)"),
    "tau": Argument("torques of the actuated joints (…, motors), or generalized forces (…, nv): N m, N"),
    "tau0": _optional("torques one would like, (…, motors): N m, N"),
    "weight": _optional("of the torques: a number, (motors,), or a matrix"),
    "force_weight": _optional("of the contact forces: a number, (k,), or a matrix"),
    "anchors": _optional("poses (…, contacts, 4, 4) of when the contacts were made"),
    "method": one_of("method", ("qr", "projector"), "qr", '"qr", or the lecture\'s "projector"'),
    "on_infeasible": one_of(
        "on_infeasible",
        ("least_squares", "nearest", "raise"),
        "least_squares",
        '"least_squares": as near as torques come; "nearest": those of the nearest feasible a; or "raise"',
    ),
    "baumgarte": Argument("rate in rad/s at which drift is pulled back; none: it is not", "float | None", None, _rate),
    "restitution": Argument("0 (they stick) to 1 (they bounce back)", "float", 0.0, _restitution),
    "tolerance": Argument("part of the largest singular value below which others are zero", "float", TOLERANCE),
    "assemble.tolerance": Argument("largest drift left: m, rad", "float", 1e-12),
    "locked": Argument("joints that stay as they are", "Sequence[str]", ()),
    "steps": Argument("the most steps that are tried", "int", 100),
}

_STANDING = """
>>> dog = art.load("quadruped", floating_base=True)
>>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
>>> q, still = dog.poses["home"], [0.0] * dog.nv
"""


def _row(*columns: Any, example: str, **more: Any) -> Quantity:
    make: Callable[..., Quantity] = partial(Quantity, options=(), known=KNOWN)
    return make(*columns, example=_STANDING + example.strip(), **more)


ROWS = [
    _row(
        constraint_jacobian,
        ("row", "v"),
        "(…, k, nv), world axes",
        name="jacobian",
        takes="q",
        source="SUSTech ch. 9; Mistry, Buchli, Schaal 2010",
        example="feet.jacobian(q).shape → (12, 18)",
    ),
    _row(
        constraint_bias,
        ("row",),
        "(…, k): m/s², rad/s²; the USP lecture's b is minus this: J a = b = -J̇ v",
        "J̇ v: acceleration in the forbidden directions if v does not change, (…, k).",
        name="bias",
        takes="q v",
        example="feet.bias(q, still).shape → (12,)",
    ),
    _row(
        constraint_poses,
        ("contact", "row of a pose", "column"),
        "(…, contacts, 4, 4): m",
        "Pose of the frame of every contact, (…, contacts, 4, 4).",
        name="poses",
        takes="q",
        example="feet.poses(q).shape → (4, 4, 4)",
    ),
    _row(
        constraint_poses,
        ("contact", "point"),
        "(…, contacts, 3): m",
        "Origin of the frame of every contact, (…, contacts, 3).",
        name="positions",
        takes="q",
        body=methods.positions,
        example="feet.positions(q).shape → (4, 3)",
    ),
    _row(
        constraint_drift,
        ("row",),
        "(…, k): m, rad",
        "Distance of contacts from their `anchors` (`poses` when they were made), and loops from closed.",
        name="drift",
        takes="q anchors",
        body=methods.drift,
        quick=methods.quick_drift,
        example="abs(feet.drift(q, feet.poses(q))).max().item() → 3.644466849528879e-17",
    ),
    _row(
        constraint_jacobian,
        {},
        'Analysis: k, rank, internal, uncontrollable (ints), actuation ("under", "fully" or "over"), and bases',
        "Ranks at one configuration, what they mean, and bases of internal forces and uncontrollable motions.",
        name="analyze",
        takes="q tolerance",
        source="Mistry, Buchli, Schaal 2010",
        body=methods.analyze,
        example="""
>>> found = feet.analyze(q)
>>> found.k, found.rank, found.actuation
(12, 12, 'over')
""",
    ),
    _row(
        laws.contact_acceleration,
        ("v",),
        "(…, nv): rad/s², m/s²",
        """The acceleration nearest to `a0` for which the contacts stay where they are, (…, nv).

Where contacts contradict each other, at a velocity that moves them, they do so as nearly as they can.
""",
        name="acceleration",
        takes="q v a0",
        body=methods.acceleration,
        example="abs(feet.acceleration(q, still, still)).max().round(9).item() → 0.0",
    ),
    _row(
        laws.contact_torques,
        {
            "tau": ("motor",),
            "forces": ("row",),
            "residual": (),
            "violation": (),
            "conditioning": (),
            "feasible": (),
            "a": ("v",),
        },
        "Torques(tau (…, motors) in N m or N, forces (…, k) on the robot in N and N m, residual, violation, "
        "conditioning, feasible, a (…, nv))",
        """Torques that give the acceleration `a` whatever the contact forces are, and the contact forces.

Of all such torques, those with the smallest sum of weight (tau - tau0)² + force_weight forces²; a weight is a number,
one per component, or a matrix.  `method` "projector" is the lecture's formula, for study: the same to
rounding.  `forces` are other external forces, as in `Robot.inverse_dynamics`.

Where no torque gives `a`, `feasible` is False: it moves a contact (`violation`), or needs forces no contact can supply
(`residual`).  The latter are missed by least squares in coordinates of the base frame, so the torques then depend on
where that frame is.  With `on_infeasible="nearest"` they are those of the nearest acceleration that is feasible, which
is the result's `a` and depends on no frame; with "raise" there is an `InfeasibleAcceleration`, and with both where no
acceleration at all is feasible.
""",
        name="inverse_dynamics",
        takes="q v a tau0 weight force_weight forces method on_infeasible",
        included="gcfae",
        source="orthogonal decomposition (Mistry, Buchli, Schaal 2010)",
        inertial=True,
        body=methods.inverse_dynamics,
        quick=methods.quick_torques,
        example="""
>>> tau, forces, *_ = feet.inverse_dynamics(q, still, still)
>>> round(forces[2::3].sum().item() / dog.mass, 6)
9.81
""",
    ),
    _row(
        feasibility.acceleration,
        ("v",),
        "(…, nv): rad/s², m/s²",
        """The acceleration nearest to `a` that some torque gives while the contacts hold, (…, nv).

Nearest as kinetic energy measures, (x - a)ᵀ M (x - a), so that it depends on no base frame.  In the directions that are
uncontrollable gravity and inertia decide.  An `InfeasibleAcceleration` where there is none: contacts that depend on
each other may contradict each other at this velocity.
""",
        name="feasible_acceleration",
        takes="q v a forces",
        included="gcfae",
        source="projections in the metric of M",
        inertial=True,
        divides_by_mass=True,
        body=feasibility.acceleration,
        example="""
>>> trot = feet.lift("FR_FOOT", "HL_FOOT")
>>> a = trot.feasible_acceleration(q, still, [1.0] * 18)
>>> bool(trot.inverse_dynamics(q, still, a).feasible)
True
""",
    ),
    _row(
        laws.contact_motion,
        {"a": ("v",), "forces": ("row",)},
        "Motion(a (…, nv), forces (…, k) on the robot in N and N m)",
        """Accelerations under the torques `tau` (actuated joints, or all velocities), and the contact forces.

`baumgarte` (rad/s) pulls contacts that have drifted back to their `anchors`, critically damped.
""",
        name="forward_dynamics",
        takes="q v tau forces baumgarte anchors",
        included="gcfae",
        source="Featherstone 2008, chapter 8",
        inertial=True,
        divides_by_mass=True,
        body=methods.forward_dynamics,
        quick=methods.quick_motion,
        example="""
>>> tau = feet.inverse_dynamics(q, still, still).tau
>>> abs(feet.forward_dynamics(q, still, tau).a).max().item() < 1e-9
True
""",
    ),
    _row(
        laws.contact_impact,
        {"v": ("v",), "impulses": ("row",)},
        "Impact(v (…, nv), impulses (…, k) in N s)",
        "Velocities after the contacts have been made at once: J v₊ = -restitution J v, and the impulses.",
        name="impact",
        takes="q v restitution",
        included="a",
        source="Featherstone 2008, section 11.7",
        inertial=True,
        divides_by_mass=True,
        body=methods.impact,
        example="feet.impact(q, [0, 0, -1.0] + [0] * 15).v.shape → (18,)",
    ),
    _row(
        constraint_drift,
        ("q",),
        "(nq,)",
        "A configuration near q, joints `locked` as they are, in which loops are closed and contacts at `anchors`.",
        name="assemble",
        takes="q anchors locked tolerance steps",
        source="Levenberg and Marquardt's steps on the drift",
        body=methods.assemble,
        example="feet.assemble(q, feet.poses(q)).shape → (19,)",
    ),
]

ROWS += [replace(row, name="analyse") for row in ROWS if row.name == "analyze"]  # as it is spelled elsewhere
#: methods of `Contacts` by name
QUANTITIES = {row.name: row for row in ROWS}
#: those that are compiled for given ranks
LAWS = [name for name, row in QUANTITIES.items() if row.algorithm in laws.FORMULATIONS]
