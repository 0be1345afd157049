"""Methods of `Robot` about inertia: mass and Coriolis matrices, operational space, regressor."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms import coriolis, jacobians, mass_matrix, operational, regressor
from ...algorithms.operational import OperationalSpace
from ...errors import SingularModelError
from .row import Quantity

if TYPE_CHECKING:
    from ..robot import Robot

#: configurations tried for what a frame can ever do
TRIED = 3


def require_rank(robot: "Robot", call: Any, found: OperationalSpace) -> OperationalSpace:
    """The result of a call, or an error where there is no operational space: in its one state, or in any.

    Singular states of a batch stay NaN.
    """
    inertia, frame, q, v = found.inertia, call.choices["frame"], call.arrays["q"], call.arrays["v"]
    if type(inertia) is not np.ndarray or (inertia.ndim == 2 and inertia[0, 0] == inertia[0, 0]):
        return found
    missing = np.isnan(inertia[..., 0, 0])
    if not missing.any() or not all(np.isfinite(np.asarray(x, float)).all() for x in (q, v)):
        return found
    ever = max(_directions(robot, frame, x) for x in robot.random(0, (TRIED,)))
    if inertia.ndim > 2 and ever == 6:
        return found
    when = "whatever its configuration" if ever < 6 else "in this configuration"
    count = ever if ever < 6 else min(5, _directions(robot, frame, q))
    raise SingularModelError(
        f"operational_space: {when}, {frame} of {robot.name} can move in {count} of the six directions only, "
        "and the inertia felt in the others has no bound"
    )


def _directions(robot: "Robot", frame: str, q: Any) -> int:
    values = np.linalg.svd(robot.jacobian(q, frame), compute_uv=False)
    return int((values > 1e-7 * values.max(initial=0.0)).sum())


def _least(dtype: np.dtype) -> dict[str, float]:
    """The smallest mobility that is told from rounding."""
    return {"least": 1e-5 if dtype == np.float32 else operational.LEAST}


ROWS = [
    Quantity(
        mass_matrix.mass_matrix,
        ("v", "v"),
        "(…, nv, nv), symmetric, positive definite where every joint moves mass: kg m², kg m, kg",
        included="a",
        source="composite bodies (Walker, Orin 1982; Featherstone 2008, table 6.2)",
        inertial=True,
        example='art.load("2r").mass_matrix([0, 0]).round(4).tolist() → [[1.3462, 0.2838], [0.2838, 0.0963]]',
    ),
    Quantity(
        mass_matrix.mass_matrix_inverse,
        ("v", "v"),
        "(…, nv, nv)",
        included="a",
        source="branch-sparse factors (Featherstone 2008, section 6.5)",
        inertial=True,
        divides_by_mass=True,
        example="""
>>> robot = art.load("2r")
>>> (robot.mass_matrix_inverse([0, 1]) @ robot.mass_matrix([0, 1])).round(12).diagonal().tolist()
[1.0, 1.0]
""",
    ),
    Quantity(
        mass_matrix.mass_matrix_rate,
        ("v", "v"),
        "(…, nv, nv), per second",
        source="derivative of the composite bodies",
        inertial=True,
        example="""
>>> art.load("2r").mass_matrix_rate([0, 1.0], [0, 1.0]).round(4).tolist()
[[-0.3156, -0.1578], [-0.1578, 0.0]]
""",
    ),
    Quantity(
        coriolis.coriolis_matrix,
        ("v", "v"),
        "(…, nv, nv)",
        'C(q, v) with C v = c, (…, nv, nv); dM/dt - 2C is skew except for "nonskew".',
        included="c",
        source='Christoffel symbols; Niemeyer, Slotine 1991 ("body_jacobian")',
        inertial=True,
        example="""
>>> art.load("2r").coriolis_matrix([0, 1.0], [1, 1]).round(4).tolist()
[[-0.1578, -0.3156], [0.1578, -0.0]]
""",
    ),
    Quantity(
        coriolis.christoffel,
        ("v", "v", "v"),
        "(…, nv, nv, nv)",
        "Γ(q), (…, nv, nv, nv): C_ij = Σ_k Γ_ijk v_k.",
        source="Sapienza lecture; Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j - ∂M_jk/∂q_i)",
        inertial=True,
        example='art.load("2r").christoffel([0, 1.0])[0].round(4).tolist() → [[-0.0, -0.1578], [-0.1578, -0.1578]]',
    ),
    Quantity(
        mass_matrix.composite_inertias,
        ("body", "spatial", "spatial"),
        "(…, nb, 6, 6): [[kg, kg m], [kg m, kg m²]]",
        'Inertia of each body and all beyond it, (…, nb, 6, 6): at the world\'s origin, or axes="frame".',
        included="",
        source="Rennes lecture",
        inertial=True,
        example='art.load("2r").composite_inertias([0, 0])[0, 0, 0].round(4).item() → 6.5',
    ),
    Quantity(
        operational.operational_space,
        {"inertia": ("spatial", "spatial"), "bias": ("spatial",)},
        "OperationalSpace(inertia (…, 6, 6), bias (…, 6)), [linear; angular]",
        """Inertia (…, 6, 6) and bias (…, 6) felt at a frame that can move in all six directions.

Where it cannot, one state is refused, and a state of a batch is NaN.
""",
        takes="q v frame axes",
        included="gcfa",
        source="Khatib 1987",
        inertial=True,
        divides_by_mass=True,
        constants=_least,
        check=require_rank,
        example="""
>>> robot = art.load("panda")
>>> robot.operational_space(robot.poses["home"], [0] * 7, "panda_hand").inertia.shape
(6, 6)
""",
    ),
    Quantity(
        jacobians.force_map,
        ("v", "force"),
        "(…, nv, 6 n)",
        """E(q), (…, nv, 6 n): E f are the generalized forces of the external forces f = [f_1; …; f_n] on n frames.

M a + c + g = E f + B u with the motors' B of `actuation_map`.  The frames are the bodies if none are named.
""",
        source="SUSTech ch. 9, section 3.1",
        example='art.load("2r").force_map([0, 0], ["tip"]).shape → (2, 6)',
    ),
    Quantity(
        regressor.regressor,
        ("v", "parameter"),
        "(…, nv, 10 nb + terms nv + 6 wrenches); `robot.parameter_names` names the columns of the links",
        included="gc",
        source="Atkeson, An, Hollerbach 1986",
        example="""
>>> robot = art.load("2r")
>>> Y = robot.regressor([0, 1], [1, 1], [0, 0])
>>> np.allclose(Y @ robot.parameters, robot.inverse_dynamics([0, 1], [1, 1], [0, 0]))
True
""",
    ),
]
