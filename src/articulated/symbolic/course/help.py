"""What `help` says of the methods a course asks for next, beside their first sentences."""

from ...documentation import Help

SETTING = '>>> eq = art.derive("2r")'

ARGUMENTS = {
    "known": "symbols, or their names, that are not part of a coefficient: lengths, gravity",
    "old": 'each q by new letters, {"q_1": p_1, "q_2": p_2 - p_1}, or "absolute"',
    "stiffness": "of the springs, one a joint; symbols K_i if not given: N m/rad, N/m",
    "rotors": "inertias of the rotors, one a joint; symbols J_i if not given: kg m²",
    "joints": "names of the elastic joints; all of them if not given",
    "given": "an `art.Motor` for each",
    "constraints": "h(q), expressions that stay zero, or rows A(q) of A(q) v = 0",
    "independent": "names or symbols of the coordinates that are kept",
}
LAGRANGE = "De Luca, Robotics 2 (Lagrangian dynamics, motors)"

METHODS: dict[str, Help] = {
    "change": Help(
        "Changed: M, c, g and the rest in the new letters",
        example='\n>>> eq.change("absolute").M.shape\n(2, 2)',
    ),
    "inverse": Help("Inverse: adjugate and determinant", example="\n>>> eq.inverse().matrix.shape\n(2, 2)"),
    "state_space": Help("StateSpace: f (2 nv,), G (2 nv, nv)", example="\n>>> eq.state_space().G.shape\n(4, 2)"),
    "elastic": Help(
        "System: M, c, g of motors and links", source="Spong 1987", example="\n>>> eq.elastic().M.shape\n(4, 4)"
    ),
    "motors": Help(
        "Equations of the robot with its motors", source=LAGRANGE,
        example="\n>>> eq.motors([]).M == eq.M\nTrue",
    ),
    "constrain": Help(
        "Constrained: reduced dynamics, forces of the constraints",
        example="\n>>> eq.constrain([eq.pose('link2')[0, 3]]).M.shape\n(1, 1)",
    ),
    "adaptive_regressor": Help(
        "AdaptiveRegressor with .Y (nv, p)", source="Slotine and Li 1987",
        example="\n>>> eq.adaptive_regressor().Y.shape\n(2, 5)",
    ),
}  # fmt: skip
