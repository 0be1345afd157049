"""Methods that compute, by name, for type checkers: each list holds those with the same arrays.

tests/project/test_types.py compares them with the methods of `Robot`.
"""

from typing import Any, Literal

#: of q
OfQ = Literal[
    "body_jacobians",
    "center_of_mass",
    "centroidal_map",
    "christoffel",
    "composite_inertias",
    "distance_to_limits",
    "force_map",
    "gravity_forces",
    "gravity_wrenches",
    "jacobian",
    "manipulability",
    "mass_matrix",
    "mass_matrix_inverse",
    "pose",
    "potential_energy",
    "screws",
]
#: of q and v
OfQV = Literal[
    "bias_forces",
    "centroidal_momentum",
    "configuration_rate",
    "coriolis_forces",
    "coriolis_matrix",
    "frame_velocity",
    "jacobian_rate",
    "kinetic_energy",
    "mass_matrix_rate",
]
#: of q, v and a
OfQVA = Literal["body_wrenches", "frame_acceleration", "inverse_dynamics", "regressor"]
#: of q, v and tau
OfQVTau = Literal["forward_dynamics"]
#: of other arrays
OfOthers = Literal["difference", "friction_forces", "integrate"]
#: with several results, in a NamedTuple
Several = Literal["articulated_bodies", "body_motions", "contributions"]
#: with one
Single = OfQ | OfQV | OfQVA | OfQVTau | OfOthers
#: what has derivatives
Differentiable = Single | Several
#: what is compiled
Computing = Differentiable | Literal["operational_space"]
#: a method, or a tuple of a method and what follows its arrays
Asked = Computing | tuple[Computing, *tuple[Any, ...]]
#: what `Robot.names` knows
Named = (
    Computing
    | Literal["q", "v", "neutral", "random", "configuration", "velocity", "parameters", "support", "skewness_defect"]
)

#: what methods are differentiated by: their arrays
Q = Literal["q", "base_velocity", "base_acceleration"]
QV = Q | Literal["v"]
QVA = QV | Literal["a"]
QVTau = QV | Literal["tau"]
Others = Literal["q", "v", "dv", "q0", "q1"]
By = QVA | QVTau | Others
#: and what they can do without
Further = Literal["forces", "parameters"]
#: by the directions of `integrate`, or by the entries of q
Space = Literal["tangent", "coordinates"]
