"""Springs, dampers and linear actuators in closed form."""

import numpy as np
import pytest
import sympy

import articulated as art

k1, k2, k, l0, c, rest, m1, m2, l, h = sympy.symbols("k_1 k_2 k l_0 b rest m_1 m_2 l h", positive=True)
NUMBERS = {k1: 5.0, k2: 6.0, k: 10.0, l0: 0.2, c: 0.3, rest: 0.1, m1: 1.0, m2: 2.0, l: 0.5, h: 0.7}


def arm():
    """A hinge and a slide with springs of their own."""
    tip = [("tip", art.Transform(p=(l, 0, 0)))]
    hinge, slide = art.Revolute(stiffness=k1, rest=rest), art.Prismatic((1, 0, 0), stiffness=k2, damping=c)
    links = [
        art.Link("a", None, hinge, inertia=art.Inertia(m1, (l / 2, 0, 0)), frames=tip),
        art.Link("b", "a", slide, art.Transform(p=(l, 0, 0)), art.Inertia(m2)),
    ]
    return art.build(links, gravity=(0, -9.81, 0))


def test_joint_springs_are_half_k_e_squared():
    without = [x.replace(joint=x.joint.replace(stiffness=0)) for x in arm().links]
    eq, bare = art.derive(arm()), art.derive(art.build(without, gravity=(0, -9.81, 0)))
    q1, q2 = eq.q
    springs = k1 * (q1 - rest) ** 2 / 2 + k2 * q2**2 / 2
    assert sympy.expand(eq.U - bare.U - springs) == 0
    assert sympy.expand(eq.g - bare.g - sympy.Matrix([springs.diff(x) for x in eq.q])) == sympy.zeros(2, 1)
    assert eq.check() and "k_{1}" in eq.latex("U")
    assert {"k_1", "k_2"} <= {str(x.expression) for x in eq.base_parameters()}


def test_lines_between_frames_are_proven_and_agree_with_the_recursions():
    springs = [art.Spring("b", (0, h, 0), k, l0, c), art.Spring("tip", (h, 0, 0), k)]
    robot = arm().add_springs(springs).add_actuators([art.LinearActuator((0, h, 0), "tip")])
    eq = art.derive(robot)
    assert eq.check().proven
    (thrust,) = eq.actuation_map()[:1, :]
    q1 = eq.q[0]
    length = sympy.sqrt((l * sympy.cos(q1)) ** 2 + (l * sympy.sin(q1) - h) ** 2)
    assert sympy.simplify(thrust - length.diff(q1)) == 0 and eq.actuation_map()[1, 0] == 0
    there = eq.subs(NUMBERS)
    assert there.check()
    numbers, (q, v, a) = art.Robot(there.model), np.random.default_rng(0).normal(size=(3, 2))
    at = {s: x for group, row in ((there.q, q), (there.v, v), (there.a, a)) for s, x in zip(group, row, strict=True)}
    assert np.allclose(np.array(there.tau.subs(at), float).ravel(), numbers.inverse_dynamics(q, v, a), atol=1e-12)
    by_q = np.array(there.derivative("tau", "q").subs(at), float)
    assert np.allclose(by_q, numbers.derivatives("inverse_dynamics")(q, v, a).q, atol=1e-11)
    assert float(there.U.subs(at)) == pytest.approx(float(numbers.potential_energy(q)), abs=1e-12)


def test_a_spring_about_a_quaternion_is_refused_in_words():
    body = art.Inertia(1.0, (0, 0, 0), np.eye(3).tolist())
    with pytest.raises(art.ModelError, match="a spring about a quaternion has no closed form"):
        art.derive(art.build([art.Link("ball", None, art.Spherical(stiffness=k), inertia=body)]))
