"""What `help` says of the methods of `Equations`, beside their first sentences."""

from ...documentation import Help

SETTING = '>>> eq = art.derive("2r")'

ARGUMENTS = {
    "factorization": '"christoffel" or "body_jacobian" (both skew), or "nonskew"',
    "coriolis_polynomials.factorization": "the same words",
    "frame": "name of a link or frame",
    "axes": '"world" (at the frame\'s origin), "frame" (its own axes) or "spatial" (at the world\'s origin)',
    "states": "how many random states are compared",
    "seed": "of the random states",
    "known": "symbols, or their names, that are not part of a coefficient: lengths, gravity",
    "values": "by symbol or name: numbers or expressions; SI, radians",
    "shown.values": "polynomials of `eq.polynomials`, one or an array",
    "what": 'quantities by name, with commas: "M,c,g"',
    "derivative.what": '"tau", "c", "g", "friction", "M", "T" or "U"',
    "by": '"q", "v" or "a"',
    "q0": "configuration (nq,), rad or m: numbers or symbols",
    "q": "configuration (nq,); None: for all q",
    "C": "your own matrix (nv, nv), in the symbols of `eq`",
    "name": '"l_1", "q_1", "qd_1", "qdd_1"',
    "format": '"text", "md", "tex" or "html"',
    "form": '"tex", "md", "html", "text", "py", "c", "casadi", "julia" or "matlab"',
    "christoffel": "True: the Christoffel symbols one by one",
    "named": "parameters are arguments of their own, not one array",
}
LAGRANGE = "De Luca, Robotics 2 (Lagrangian dynamics, moving frames)"

EQUATIONS: dict[str, Help] = {
    "shown": Help("SymPy expressions of the same shape", example='\n>>> eq.shown(eq.polynomials["g"]) == eq.g\nTrue'),
    "coriolis": Help(
        "(nv, nv) SymPy", source=f"{LAGRANGE}; Echeandia and Wensing 2021 (skew symmetry)",
        example="\n>>> (eq.coriolis() * eq.v - eq.c).expand()\nMatrix([\n[0],\n[0]])",
    ),
    "coriolis_polynomials": Help(
        "(nv, nv) of polynomials", example='\n>>> eq.coriolis_polynomials("christoffel").shape\n(2, 2)'
    ),
    "pose": Help("(4, 4) SymPy, in the world", example='\n>>> eq.pose("link2")[3, :]\nMatrix([[0, 0, 0, 1]])'),
    "jacobian": Help("(6, nv) SymPy, [linear; angular]", example='\n>>> eq.jacobian("link2")[5, :]\nMatrix([[1, 1]])'),
    "check": Help("a Check, true if both agree; prints as a sentence", example="\n>>> bool(eq.check())\nTrue"),
    "coefficients": Help(
        "Coefficients: named expressions a (p,), with .Y (nv, p) such that tau = Y a", source=LAGRANGE,
        example="\n>>> len(eq.coefficients())\n5",
    ),
    "base_parameters": Help(
        "Coefficients with .Y and .values (p,)", source="Gautier and Khalil 1990",
        example="\n>>> eq.base_parameters().Y.shape[0]\n2",
    ),
    "subs": Help(
        "Equations of the changed robot, or M, C, c, g, T, U, tau at that state",
        example='\n>>> eq.subs({"l_1": 1, "l_2": 1}).symbol("m_2")\nm_2',
    ),
    "derivative": Help(
        "SymPy: of a vector (nv, nv), of M (nv, nv) per coordinate, of T and U (nv,)",
        example='\n>>> eq.derivative("g", "q").shape\n(2, 2)',
    ),
    "linearize": Help(
        "Linearized(A (2 nv, 2 nv), B (2 nv, nv), …): d/dt [δq; v] = A [δq; v] + B δtau",
        example='\n>>> art.derive("acrobot").linearize([0, 0]).A.shape\n(4, 4)',
    ),
    "questions": Help(
        "Answers; prints as sentences", source=LAGRANGE, example="\n>>> len(str(eq.questions())) > 0\nTrue"
    ),
    "factorization": Help(
        "a Factorization that says both, with what is left over", source=LAGRANGE,
        example="\n>>> bool(eq.factorization(eq.C))\nTrue",
    ),
    "articulated_inertias": Help(
        "an ArticulatedInertia by body, (6, 6) in its axes, [linear; angular]", source="Featherstone 2008, ch. 7",
        example="\n>>> len(eq.articulated_inertias([0, 0]))\n2",
    ),
    "latex": Help("text", example='\n>>> "ddot" in eq.latex("tau")\nTrue'),
    "symbol": Help("a SymPy symbol", example='\n>>> eq.symbol("l_1")\nl_1'),
    "derivation": Help("text, whole", source=LAGRANGE, example='\n>>> eq.derivation("md").startswith("#")\nTrue'),
    "export": Help("text", example='\n>>> "double" in eq.export("c")\nTrue'),
}  # fmt: skip
