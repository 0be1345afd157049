"""What `help` says of the methods of the laws; their classes have the first sentences."""

from ..documentation import Help, adopt, document
from .differential_ik import DifferentialIK
from .gait.gait import Gait
from .laws.cartesian_impedance import CartesianImpedance
from .laws.computed_torque import ComputedTorque
from .laws.feedback import Feedback
from .laws.impedance import Impedance
from .laws.pd import PD
from .whole_body.law import WholeBody

#: what the examples begin with
ARM = """>>> arm = art.load("2r")
>>> q, still = [0.1, 0.2], [0.0, 0.0]"""
DOG = """>>> dog = art.load("quadruped", floating_base=True)
>>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
>>> law = art.WholeBody(feet, [art.tasks.CenterOfMass()])
>>> q, still = dog.poses["home"], [0.0] * dog.nv"""

ARGUMENTS = {
    "q": "configurations, (…, nq)",
    "v": "velocities, (…, nv)",
    "q_ref": "desired configuration, (…, nq)",
    "v_ref": "desired velocity, (…, nv); zero if not given",
    "a_ref": "its planned acceleration, (…, nv); zero if not given",
    "error_dynamics.q": "one configuration, (nq,)",
    "error_dynamics.v": "one velocity, (nv,); only passive laws depend on it",
    "reference": "q_ref, (q_ref, v_ref), (q_ref, v_ref, a_ref), or a function of t (s) that returns one of these",
    "target": "one configuration q_ref, pose (4, 4), position (3,) or rotation",
    "rate": "how fast the target moves, one number per row, world axes, linear first: m/s, rad/s; zero if not given",
    "acceleration": "of the target, the same: m/s², rad/s²; zero if not given",
    "targets": "by frame: a pose (…, 4, 4), a position (…, 3), art.Orientation or art.Direction",
    "rates": "velocities of the targets by frame, one number per row, world axes, linear first: m/s, rad/s",
    "through": "a joint law, such as art.ComputedTorque",
    "towards.targets": "by frame (a whole-body law: by task), or a function of t (s) that returns that",
    "gait": "an art.Gait, or None: all feet stay on the ground",
    "towards.options": "height= of the steps (0.05 m); capture=, how far footholds follow a push (1)",
    "options": "",
    "names": "of contacts",
    "feet": "four frames in the order FL, FR, HL, HR",
    "begin": "s",
    "end": "s; whole periods until then",
    "period": "s",
    "ground": "the part of a period that each foot is on the ground, from 0.5",
    "t": "a time, s",
}
#: of a law that is called in one state, with targets by the names of its tasks
OF_TASKS = {**ARGUMENTS, "q": "one configuration, (nq,)", "v": "one velocity, (nv,)",
            "targets": "by the name of a task: the value, or (value, rate, acceleration)"}  # fmt: skip
TORQUES = "Torques(tau, feedforward, feedback), of the actuated joints (…, n): N m, N"
ERRORS = "ErrorDynamics with inertia, damping, stiffness (n, n); .eigenvalues (2 n,) 1/s, .stable, .frequencies rad/s"
CONTROLLER = "a controller: a function of (t, q, v) that gives generalized forces (nv,), for art.simulate"


def joint_law(called: str, source: str) -> dict[str, Help]:
    """The help of a law that is made by `art.{called}(arm, …)`."""
    made = f"\n>>> law = art.{called}"
    return {
        "__call__": Help(TORQUES, None, source, f"{made}\n>>> law(q, still, [0.2, 0.2]).tau.shape\n(2,)"),
        "error_dynamics": Help(ERRORS, None, source, f"{made}\n>>> law.error_dynamics(q).stable\nTrue"),
    }


document(Feedback, ARGUMENTS, {"towards": Help(
    CONTROLLER, None, "", "\n>>> law = art.PD(arm, 100, 20)\n>>> law.towards([0.5, -0.2])(0.0, q, still).shape\n(2,)",
)}, ARM)  # fmt: skip
for _law in (PD, ComputedTorque, Impedance, CartesianImpedance):
    adopt(_law, Feedback)
document(PD, ARGUMENTS, {"__call__": joint_law("PD(arm, 100, 20)", "Takegaki and Arimoto 1981")["__call__"]}, ARM)
document(ComputedTorque, ARGUMENTS, joint_law("ComputedTorque(arm, 100, 20)", "Featherstone 2008, section 1.3"), ARM)
document(Impedance, ARGUMENTS, joint_law("Impedance(arm, 50, 5)", "Hogan 1985; Paden and Panja 1988"), ARM)
document(DifferentialIK, ARGUMENTS, {
    "__call__": Help(
        "velocities, (…, nv): rad/s, m/s", None, "Nakamura and Hanafusa 1986; Kanoun, Lamiraux, Wieber 2011",
        """
>>> law = art.DifferentialIK(arm, ["tip"])
>>> law(q, {"tip": arm.pose([0.3, 0.1], "tip")[:3, 3]}).shape
(2,)""",
    ),
    "towards": Help(
        CONTROLLER, None, "",
        """
>>> law = art.DifferentialIK(arm, ["tip"])
>>> servo = law.towards({"tip": arm.pose([0.3, 0.1], "tip")[:3, 3]}, through=art.ComputedTorque(arm, 100, 20))
>>> servo(0.0, q, still).shape
(2,)""",
    ),
    "bounds": Help(
        "least and largest velocities, two arrays (…, nv): rad/s, m/s", None, "",
        """
>>> least, most = art.DifferentialIK(arm, ["tip"], velocity=[1.0, 2.0]).bounds(q)
>>> most.tolist()
[1.0, 2.0]""",
    ),
}, ARM)  # fmt: skip
document(WholeBody, OF_TASKS, {
    "__call__": Help(
        "a Command: tau of the actuated joints (n,) N m, a (nv,), forces (k,) N and N m, active constraints, residuals "
        "by task, status", None, "Escande, Mansard, Wieber 2014",
        """
>>> law(q, still, center_of_mass=dog.center_of_mass(q)).tau.shape
(12,)""",
    ),
    "lift": Help("a WholeBody on the other contacts", None, "", '\n>>> law.lift("FL_FOOT").contacts.k\n9'),
    "towards": Help(
        CONTROLLER, None, "",
        """
>>> law.towards({"center_of_mass": dog.center_of_mass(q)})(0.0, q, still).shape
(18,)""",
    ),
    "explain": Help(
        "an art.Infeasible with conflict and relaxation, or None", None, "Chinneck 2008 (conflicts)",
        "\n>>> law.explain(q, still, center_of_mass=dog.center_of_mass(q)) is None\nTrue",
    ),
}, DOG)  # fmt: skip
document(Gait, ARGUMENTS, {
    "trot": Help(
        "a Gait", None, "", '\n>>> art.Gait.trot(["FL", "FR", "HL", "HR"], 0.0, 0.8).lifted(0.1)\n(\'FL\', \'HR\')'
    ),
    "swinging": Help(
        "Swing(foot, begin, end) of each foot in the air", None, "",
        '\n>>> art.Gait([("FL", 1.0, 1.4)]).swinging(1.2)[0].end\n1.4',
    ),
    "lifted": Help("names of feet", None, "", '\n>>> art.Gait([("FL", 1.0, 1.4)]).lifted(1.2)\n(\'FL\',)'),
})  # fmt: skip
CARTESIAN = """
>>> law = art.CartesianImpedance(arm, "tip", 300, 30, follows="position")"""
document(CartesianImpedance, ARGUMENTS, {
    "__call__": Help(TORQUES, None, "Khatib 1987; Hogan 1985", CARTESIAN + """
>>> law(q, still, arm.pose([0.2, 0.2], "tip")[:3, 3]).tau.shape
(2,)"""),
    "error_dynamics": Help(ERRORS, None, "Khatib 1987", CARTESIAN + """
>>> law.error_dynamics(q).inertia.shape
(3, 3)"""),
}, ARM)  # fmt: skip
