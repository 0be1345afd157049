"""Help for what a set of contacts answers."""

from ..documentation import Help
from ..robot.help import ARGUMENTS as OF_A_ROBOT

#: what the examples begin with
SETTING = """>>> dog = art.load("quadruped", floating_base=True)
>>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
>>> q, still = dog.poses["home"], [0.0] * dog.nv"""

ARGUMENTS = {
    **OF_A_ROBOT,
    "names": "of contacts: the frame, or both frames of a loop",
    "forces": "external forces by frame, besides contact forces, (…, 6), [force; moment] at its origin: N, N m",
    "by_contact.forces": "rows (…, k), such as contact forces",
    "anchors": "poses (…, contacts, 4, 4) of when the contacts were made",
    "tolerance": "ranks: singular values smaller than this part of the largest are zero; assemble: m, rad",
    "a0": "acceleration one would like, (…, nv)",
    "tau": "torques of the actuated joints (…, motors), or generalized forces (…, nv): N m, N",
    "tau0": "torques one would like, (…, motors): N m, N",
    "weight": "of the torques: a number, (motors,), or a matrix",
    "force_weight": "of the contact forces: a number, (k,), or a matrix",
    "method": 'of inverse_dynamics "qr", or the lecture\'s "projector" and "full_qr"; of derivatives the name of a law',
    "on_infeasible": '"least_squares": as near as torques come; "nearest": those of the nearest feasible a; or "raise"',
    "baumgarte": "rate in rad/s at which drift is pulled back; none: it is not",
    "restitution": "0 (they stick) to 1 (they bounce back)",
    "locked": "joints that stay as they are",
    "steps": "the most steps that are tried",
    "subsets": "True: for every subset of the contacts as well",
    "methods": "names of laws to compile",
}

CONTACTS: dict[str, Help] = {
    "lift": Help(
        "a new set of contacts",
        example="""
>>> feet.lift("FR_FOOT").names
['FL_FOOT', 'HL_FOOT', 'HR_FOOT']
""",
    ),
    "by_contact": Help(
        "a dict by contact of (…, rows of the contact)",
        example="""
>>> feet.by_contact([1.0] * 12)["FL_FOOT"].tolist()
[1.0, 1.0, 1.0]
""",
    ),
    "jacobian": Help(
        "(…, k, nv), world axes",
        source="SUSTech ch. 9; Mistry, Buchli, Schaal 2010",
        example="""
>>> feet.jacobian(q).shape
(12, 18)
""",
    ),
    "bias": Help(
        "(…, k): m/s², rad/s²",
        example="""
>>> feet.bias(q, still).shape
(12,)
""",
    ),
    "poses": Help(
        "(…, contacts, 4, 4)",
        example="""
>>> feet.poses(q).shape
(4, 4, 4)
""",
    ),
    "positions": Help(
        "(…, contacts, 3): m",
        example="""
>>> feet.positions(q).shape
(4, 3)
""",
    ),
    "drift": Help(
        "(…, k): m, rad",
        example="""
>>> abs(feet.drift(q, feet.poses(q))).max().item()
3.644466849528879e-17
""",
    ),
    "analyse": Help(
        'Analysis: k, rank, internal, uncontrollable (ints), actuation ("under", "fully" or "over"), and bases',
        source="Mistry, Buchli, Schaal 2010",
        example="""
>>> found = feet.analyse(q)
>>> found.k, found.rank, found.actuation
(12, 12, 'over')
""",
    ),
    "acceleration": Help(
        "(…, nv): rad/s², m/s²",
        example="""
>>> abs(feet.acceleration(q, still, still)).max().round(9).item()
0.0
""",
    ),
    "inverse_dynamics": Help(
        "Torques(tau (…, motors) in N m or N, forces (…, k) on the robot in N and N m, residual, violation, "
        "conditioning, feasible, a (…, nv))",
        included="gcfae",
        source="orthogonal decomposition (Mistry, Buchli, Schaal 2010)",
        example="""
>>> tau, forces, *_ = feet.inverse_dynamics(q, still, still)
>>> round(forces[2::3].sum().item() / dog.mass, 6)
9.81
""",
    ),
    "feasible_acceleration": Help(
        "(…, nv): rad/s², m/s²",
        included="gcfae",
        source="projections in the metric of M",
        example="""
>>> trot = feet.lift("FR_FOOT", "HL_FOOT")
>>> a = trot.feasible_acceleration(q, still, [1.0] * 18)
>>> bool(trot.inverse_dynamics(q, still, a).feasible)
True
""",
    ),
    "forward_dynamics": Help(
        "Motion(a (…, nv), forces (…, k) on the robot in N and N m)",
        included="gcfae",
        source="Featherstone 2008, chapter 8",
        example="""
>>> tau = feet.inverse_dynamics(q, still, still).tau
>>> abs(feet.forward_dynamics(q, still, tau).a).max().item() < 1e-9
True
""",
    ),
    "derivatives": Help(
        "a function of what the law takes; it returns a NamedTuple with a field per result and argument: a_q, a_v, …",
        source="the equations of the law, differentiated at its solution",
        example="""
>>> tau = feet.inverse_dynamics(q, still, still).tau
>>> feet.derivatives("forward_dynamics")(q, still, tau).a_q.shape
(18, 18)
""",
    ),
    "impact": Help(
        "Impact(v (…, nv), impulses (…, k) in N s)",
        included="a",
        source="Featherstone 2008, section 11.7",
        example="""
>>> feet.impact(q, [0, 0, -1.0] + [0] * 15).v.shape
(18,)
""",
    ),
    "assemble": Help(
        "(nq,)",
        source="Gauss-Newton on the drift",
        example="""
>>> feet.assemble(q, feet.poses(q)).shape
(19,)
""",
    ),
    "warm": Help(
        "nothing: the kernels are ready",
        example="""
>>> feet.warm("acceleration")
""",
    ),
}
