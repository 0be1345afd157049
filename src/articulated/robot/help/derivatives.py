"""Help for derivatives."""

from ...documentation import Help

DERIVATIVES: dict[str, Help] = {
    "derivatives": Help(
        "Derivatives, which is called like the method and returns a NamedTuple with a field per argument",
        source="closed forms after Singh, Russell and Wensing 2022; other methods by differentiating their programs",
        example="""
>>> robot = art.load("2r")
>>> d = robot.derivatives("inverse_dynamics")([0.1, 0.2], [0, 0], [0, 0])
>>> d._fields, d.q.shape
(('q', 'v', 'a'), (2, 2))
>>> bool((abs(d.a - robot.mass_matrix([0.1, 0.2])) < 1e-12).all())
True
""",
    ),
    "jvp": Help(
        "Jvp, which is called like the method, with tangents= a dict of arrays, and returns what the method does",
        example="""
>>> robot = art.load("2r")
>>> robot.jvp("center_of_mass")([0, 0], tangents={"q": [1, 0]}).shape
(3,)
""",
    ),
    "vjp": Help(
        "Vjp, which is called like the method, with cotangents= an array like its result, and returns a NamedTuple",
        example="""
>>> robot = art.load("2r")
>>> felt = robot.vjp("potential_energy")([0.1, 0.2], cotangents=1.0).q
>>> bool((abs(felt - robot.gravity_forces([0.1, 0.2])) < 1e-12).all())
True
""",
    ),
    "hessian": Help(
        "Hessians, called like the method, with cotangents=; it returns a NamedTuple of symmetric blocks",
        example="""
>>> robot = art.load("2r")
>>> robot.hessian("inverse_dynamics", wrt=["q", "v"])([0.1, 0.2], [1, 0], [0, 0], cotangents=[1, 0])._fields
('q_q', 'q_v', 'v_v')
""",
    ),
    "second_derivatives": Help(
        "SecondDerivatives, called like the method; it returns a NamedTuple of blocks",
        example="""
>>> robot = art.load("2r")
>>> robot.second_derivatives("inverse_dynamics", wrt=["q"])([0.1, 0.2], [1, 0], [0, 0]).q_q.shape
(2, 2, 2)
""",
    ),
    "linearize": Help(
        "LinearSystem(A (…, 2 nv, 2 nv), B (…, 2 nv, nv))",
        source="the derivatives of forward dynamics; sampling by the exponential of a matrix",
        example="""
>>> A, B = art.load("2r").linearize([0, 0], [0, 0], [0, 0])
>>> A.shape, B.shape
((4, 4), (4, 2))
""",
    ),
}
