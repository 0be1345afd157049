"""Spellings of right answers as lecturers see them, and the same with one letter, index or sign changed."""

import random
import re

import pytest
import sympy

import articulated as art
from tests.symbolic.robots import lecture

ARM = {
    "M": [
        "[I1+I2+m1d1^2+m2(l1^2+d2^2+2l1d2c2) I2+m2(d2^2+l1d2c2); I2+m2(d2^2+l1d2c2) I2+m2d2^2]",
        "[I1+I2+m1*d1^2+m2*(l1^2+d2^2+2*l1*d2*cos(q2)), I2+m2*(d2^2+l1*d2*cos(q2)); I2+m2*(d2^2+l1*d2*cos(q2)),"
        " I2+m2*d2^2]",
        "[I1 + I2 + m1*d1^2 + m2*(l1^2 + d2^2 + 2*l1*d2*cos(q2)) ,  I2 + m2*(d2^2 + l1*d2*cos(q2)) ; ...\n I2 +"
        " m2*(d2^2+l1*d2*cos(q2)) , I2 + m2*d2^2 ];",
        "M = [[I1+I2+m1*d1**2+m2*(l1**2+d2**2+2*l1*d2*cos(q2)), I2+m2*(d2**2+l1*d2*cos(q2))],"
        " [I2+m2*(d2**2+l1*d2*cos(q2)), I2+m2*d2**2]]",
        "np.array([[I1+I2+m1*d1**2+m2*(l1**2+d2**2+2*l1*d2*np.cos(q2)), I2+m2*(d2**2+l1*d2*np.cos(q2))],"
        " [I2+m2*(d2**2+l1*d2*np.cos(q2)), I2+m2*d2**2]])",
        "sp.Matrix([[I_1+I_2+m_1*d_1**2+m_2*(l_1**2+d_2**2+2*l_1*d_2*sp.cos(q_2)),"
        " I_2+m_2*(d_2**2+l_1*d_2*sp.cos(q_2))], [I_2+m_2*(d_2**2+l_1*d_2*sp.cos(q_2)), I_2+m_2*d_2**2]])",
        r"M(q) = \begin{bmatrix} I_1+I_2+m_1d_1^2+m_2\left(l_1^2+d_2^2+2l_1d_2\cos q_2\right) &"
        r" I_2+m_2\left(d_2^2+l_1d_2\cos q_2\right)\\ I_2+m_2\left(d_2^2+l_1d_2\cos q_2\right) &"
        r" I_2+m_2d_2^2\end{bmatrix}",
        r"\mathbf{M}(\mathbf{q}) = \begin{bmatrix} I_{1}+I_{2}+m_{1}d_{1}^{2}+m_{2}(l_{1}^{2}+d_{2}^{2}+2l_{1}d_{2"
        r"}\cos(q_{2})) & * \\ I_2+m_2(d_2^2+l_1d_2\cos{q_2}) & I_2+m_2d_2^2\end{bmatrix}",
        "M11 = I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2)\nM12 = M21 = I2+m2(d2²+l1d2c2)\nM22 = I2+m2d2²",
        "m11 = I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2); m12 = I2+m2(d2²+l1d2c2); m22 = I2+m2d2²",
        "b11 = I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2), b12 = b21 = I2+m2(d2²+l1d2c2), b22 = I2+m2d2²",
        "M_{11} = I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2), M_{12} = I2+m2(d2²+l1d2c2), M_{22} = I2+m2d2²",
        "M(1,1) = I1+I2+m1*d1^2+m2*(l1^2+d2^2+2*l1*d2*cos(q2)); M(1,2) = I2+m2*(d2^2+l1*d2*cos(q2)); M(2,1) ="
        " M(1,2); M(2,2) = I2+m2*d2^2;",
        "[ I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2)   I2+m2(d2²+l1d2c2) ]\n[ I2+m2(d2²+l1d2c2)   I2+m2d2² ]",
        "{{I1+I2+m1 d1^2+m2 (l1^2+d2^2+2 l1 d2 Cos[q2]), I2+m2 (d2^2+l1 d2 Cos[q2])}, {I2+m2 (d2^2+l1 d2"
        " Cos[q2]), I2+m2 d2^2}}",
        "[I₁+I₂+m₁d₁²+m₂(l₁²+d₂²+2l₁d₂cos(q₂)), I₂+m₂(d₂²+l₁d₂cos(q₂)); I₂+m₂(d₂²+l₁d₂cos(q₂)), I₂+m₂d₂²]",
        "[I₁+I₂+m₁d₁²+m₂(l₁²+d₂²+2l₁d₂cosθ₂), I₂+m₂(d₂²+l₁d₂cosθ₂); I₂+m₂(d₂²+l₁d₂cosθ₂), I₂+m₂d₂²]",
        r"\begin{pmatrix} I_1+I_2+m_1d_1^2+m_2(l_1^2+d_2^2+2l_1d_2c_2) & I_2+m_2(d_2^2+l_1d_2c_2)\\ \text{sym.} &"
        r" I_2+m_2d_2^2\end{pmatrix}",
    ],
    "c": [
        "[-m2l1d2s2(2q1'q2'+q2'^2); m2l1d2s2q1'^2]",
        "-m2*l1*d2*sin(q2)*(2*dq1*dq2+dq2^2), m2*l1*d2*sin(q2)*dq1^2",
        "[-m2*l1*d2*sin(q2)*(2*qd1*qd2+qd2^2), m2*l1*d2*sin(q2)*qd1^2]",
        "[-m2 l1 d2 s2 (2 q1dot q2dot + q2dot^2), m2 l1 d2 s2 q1dot^2]",
        "[-m2 l1 d2 s2 (2 q1d q2d + q2d^2), m2 l1 d2 s2 q1d^2]",
        "(-m₂l₁d₂s₂(2q̇₁q̇₂+q̇₂²), m₂l₁d₂s₂q̇₁²)ᵀ",
        "[-m2 l1 d2 s2 (2 q̇1 q̇2 + q̇2²); m2 l1 d2 s2 q̇1²]",
        "[-m2 l1 d2 s2 (2 θ̇1 θ̇2 + θ̇2²); m2 l1 d2 s2 θ̇1²]",
        r"\begin{bmatrix}-m_2l_1d_2\sin(q_2)\left(2\dot q_1\dot q_2+\dot q_2^2\right)\\m_2l_1d_2\sin(q_2)\dot"
        r" q_1^2\end{bmatrix}",
        r"c_1 = -m_2 l_1 d_2 s_2\dot{q}_2(2\dot{q}_1+\dot{q}_2), \quad c_2 = m_2 l_1 d_2 s_2\dot{q}_1^{2}",
        r"c(q,\dot q) = \begin{pmatrix} -m_2l_1d_2s_2(\dot q_2^2+2\dot q_1\dot q_2)\\ m_2l_1d_2s_2\dot"
        r" q_1^2\end{pmatrix}",
        "h = m2 l1 d2 s2; c = [-h (2 dq1 dq2 + dq2^2); h dq1^2]",
        "m2 l1 d2 s2 [-(2 dq1 + dq2) dq2; dq1²]",
        "c1 = -m2*l1*d2*s2*(2*dq1*dq2 + dq2**2)\nc2 = m2*l1*d2*s2*dq1**2",
        "[-m2*l1*d2*sin(q2)*(2*diff(q1,t)*diff(q2,t)+diff(q2,t)^2); m2*l1*d2*sin(q2)*diff(q1,t)^2]",
        "[-m2 l1 d2 s2 (2 q1_d q2_d + q2_d^2), m2 l1 d2 s2 q1_d^2]",
        "[-m2 l1 d2 s2 (2 dq_1 dq_2 + dq_2^2), m2 l1 d2 s2 dq_1^2]",
        "[-m2 l1 d2 s2 (2 q_1dot q_2dot + q_2dot^2), m2 l1 d2 s2 q_1dot^2]",
        "[-m2 l1 d2 s2 (2 dq(1) dq(2) + dq(2)^2), m2 l1 d2 s2 dq(1)^2]",
        "[-m2 l1 d2 s2 (2 q'1 q'2 + q'2^2), m2 l1 d2 s2 q'1^2]",
    ],
    "g": [
        "[g0*(m1*d1+m2*l1)*cos(q1)+g0*m2*d2*cos(q1+q2), g0*m2*d2*cos(q1+q2)]",
        "[gm1d1c1+gm2(l1c1+d2c12), gm2d2c12]",
        "[g m1 d1 cos q1 + g m2 (l1 cos q1 + d2 cos(q1+q2)); g m2 d2 cos(q1+q2)]",
        "[g0(m1d1+m2l1)c1+g0m2d2c12; g0m2d2c12]",
        "[(m1 d1 + m2 l1) g0 cos(q_1) + m2 d2 g0 cos(q_1+q_2), m2 d2 g0 cos(q_1+q_2)]",
        "[(m1·d1 + m2·l1)·g0·cos(q1) + m2·d2·g0·cos(q1+q2), m2·d2·g0·cos(q1+q2)]",
        "[(m1×d1 + m2×l1)×g0×cos(q1) + m2 d2 g0 cos(q1+q2), m2 d2 g0 cos(q1+q2)]",
        r"\begin{bmatrix} (m_1d_1+m_2l_1)g_0C_1+m_2d_2g_0C_{12}\\ m_2d_2g_0C_{12}\end{bmatrix}",
        r"g(q)=\left[\begin{array}{c}(m_1 d_1+m_2 l_1)g_0\cos q_1+m_2 d_2 g_0\cos\left(q_1+q_2\right)\\ m_2 d_2"
        r" g_0\cos\left(q_1+q_2\right)\end{array}\right]",
        "G = [ (m1*d1+m2*l1)*g0*c1 + m2*d2*g0*c12 ; m2*d2*g0*c12 ]",
        "g1 = (m1 d1+m2 l1) g0 c1 + m2 g0 d2 c12 and g2 = m2 g0 d2 c12",
        "[(m1 d1+m2 l1) g0 cos(theta1) + m2 g0 d2 cos(theta1+theta2), m2 g0 d2 cos(theta1+theta2)]",
        "[(m1 d1+m2 l1) g0 cosθ1 + m2 g0 d2 cos(θ1+θ2), m2 g0 d2 cos(θ1+θ2)]",
        "[(m1 d1+m2 l1) g0 Cos[q1] + m2 g0 d2 Cos[q1+q2], m2 g0 d2 Cos[q1+q2]]",
        "[(m1 d1+m2 l1) g0 sin(q1+pi/2) + m2 g0 d2 sin(q1+q2+π/2), m2 g0 d2 cos(q1+q2)]",
        "[(m1 d1+m2 l1) g0 c_1 + m2 g0 d2 c_{12}, m2 g0 d2 c_{1,2}]",
        "[(m1 d1+m2 l1) g0 c(q1) + m2 g0 d2 c(q1+q2), m2 g0 d2 c(q1+q2)]",
        "[(m1 d1+m2 l1) g0 c1 + m2 g0 d2 (c1c2 - s1s2), m2 g0 d2 (c1c2-s1s2)]",
        "(m1 d1+m2 l1) g0 c1 + m2 g0 d2 c12\n\nm2 g0 d2 c12",
        "[(m1 d1+m2 l1) g0 c1 + m2 g0 d2 c12, m2 g0 d2 c12]'",
    ],
    "T": [
        "1/2 m1 d1^2 dq1^2 + 1/2 I1 dq1^2 + 1/2 m2 (l1^2 dq1^2 + d2^2 (dq1+dq2)^2 + 2 l1 d2 c2 dq1 (dq1+dq2)) +"
        " 1/2 I2 (dq1+dq2)^2",
        "0.5*m1*d1^2*dq1^2 + 0.5*I1*dq1^2 + 0.5*m2*(l1^2*dq1^2 + d2^2*(dq1+dq2)^2 +"
        " 2*l1*d2*cos(q2)*dq1*(dq1+dq2)) + 0.5*I2*(dq1+dq2)^2",
        "0,5 m1 d1² dq1² + 0,5 I1 dq1² + 0,5 m2 (l1² dq1² + d2² (dq1+dq2)² + 2 l1 d2 c2 dq1 (dq1+dq2)) + 0,5 I2"
        " (dq1+dq2)²",
        "½ (m1d1²+I1) q̇1² + ½ m2 (l1²q̇1² + d2²(q̇1+q̇2)² + 2l1d2c2q̇1(q̇1+q̇2)) + ½ I2 (q̇1+q̇2)²",
        r"T = \frac12 (m_1d_1^2+I_1)\dot q_1^2 + \tfrac{1}{2} m_2 \left[l_1^2\dot q_1^2 + d_2^2(\dot q_1+\dot"
        r" q_2)^2 + 2l_1d_2\cos q_2\,\dot q_1(\dot q_1+\dot q_2)\right] + \frac{I_2}{2}(\dot q_1+\dot q_2)^2",
        "T1 + T2 = (m1d1²+I1)/2 dq1² + m2/2 (l1² dq1² + d2² (dq1+dq2)² + 2 l1 d2 c2 dq1 (dq1+dq2)) + I2/2"
        " (dq1+dq2)²",
        "1/2*(m1*d1^2+I1)*dq1^2 + 1/2*m2*((l1*sin(q2)*dq1)^2 + (l1*cos(q2)*dq1+d2*(dq1+dq2))^2) +"
        " 1/2*I2*(dq1+dq2)^2",
        "1/2 (m1d1^2+I1) dq1^2 + 1/2 m2 ( (l1 sin q2 dq1)^2 + (l1 cos q2 dq1 + d2 (dq1+dq2))^2 ) + 1/2 I2"
        " (dq1+dq2)^2",
        "1/2 (m1d1^2+I1) dq1^2 + 1/2 m2 ( l1^2 sin^2 q2 dq1^2 + (l1 cos q2 dq1 + d2 (dq1+dq2))^2 ) + 1/2 I2"
        " (dq1+dq2)^2",
        "1/2 (m1d1²+I1) dq1² + 1/2 m2 ( l1² sin²q2 dq1² + (l1 c2 dq1 + d2 (dq1+dq2))² ) + 1/2 I2 (dq1+dq2)²",
        "1/2 (m1d1²+I1) dq1² + 1/2 m2 ( l1² s2² dq1² + (l1 c2 dq1 + d2 (dq1+dq2))² ) + 1/2 I2 (dq1+dq2)²",
        "1/2 (m1d1²+I1) dq1² + 1/2 m2 ( l1² s₂² dq1² + (l1 c₂ dq1 + d2 (dq1+dq2))² ) + 1/2 I2 (dq1+dq2)²",
        r"\frac{1}{2}(m_1d_1^2+I_1)\dot{q_1}^2 + \frac{1}{2}m_2\left(l_1^2\dot{q_1}^2+d_2^2(\dot{q_1}+\dot{q_2})^2"
        r"+2l_1d_2\cos{(q_2)}\dot{q_1}(\dot{q_1}+\dot{q_2})\right)+\frac{1}{2}I_2(\dot{q_1}+\dot{q_2})^2",
    ],
    "U": [
        "m1 g0 d1 sin(q1) + m2 g0 (l1 sin(q1) + d2 sin(q1+q2))",
        "g0(m1d1+m2l1)s1 + g0m2d2s12",
        "U = m1·g0·d1·sin q1 + m2·g0·[l1·sin q1 + d2·sin(q1 + q2)]",
        r"m_1 g_0 d_1 \sin q_1 + m_2 g_0 \left( l_1 \sin q_1 + d_2 \sin(q_1+q_2) \right)",
        r"$$U = m_1 g_0 d_1 \sin\theta_1 + m_2 g_0 (l_1 \sin\theta_1 + d_2 \sin(\theta_1+\theta_2))$$",
        r"\[ U(q) = m_1 g_0 d_1 \sin(q_1) + m_2 g_0 (l_1 \sin(q_1) + d_2 \sin(q_1+q_2)) \]",
        "m_1*g_0*d_1*sin(q_1) + m_2*g_0*(l_1*sin(q_1) + d_2*sin(q_1 + q_2)) + 0",
        "m1gd1sinq1 + m2g(l1sinq1 + d2sin(q1+q2))",
        "m1g0d1s1 + m2g0(l1s1 + d2s12).",
        "m1 g0 d1 s1 + m2 g0 (l1 s1 + d2 sin(q12))",
    ],
    "S": [
        "[-m2*l1*d2*s2*dq2, -m2*l1*d2*s2*(dq1+dq2); m2*l1*d2*s2*dq1, 0]",
        "S = [-m2l1d2s2dq2  -m2l1d2s2(dq1+dq2); m2l1d2s2dq1  0]",
        r"\begin{bmatrix}-h\dot q_2 & -h(\dot q_1+\dot q_2)\\ h\dot q_1 & 0\end{bmatrix}, h = m_2l_1d_2\sin q_2",
        r"\begin{bmatrix}-h\dot q_2 & -h(\dot q_1+\dot q_2)\\ h\dot q_1 & 0\end{bmatrix} \text{ with } h ="
        r" m_2l_1d_2\sin q_2",
    ],
    "tau": [
        "[ (I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2)) ddq1 + (I2+m2(d2²+l1d2c2)) ddq2 - m2l1d2s2(2dq1dq2+dq2²) +"
        " g0(m1d1+m2l1)c1 + g0m2d2c12, (I2+m2(d2²+l1d2c2)) ddq1 + (I2+m2d2²) ddq2 + m2l1d2s2dq1² + g0m2d2c12 ]",
        r"\tau_1 = (I_1+I_2+m_1d_1^2+m_2(l_1^2+d_2^2+2l_1d_2c_2))\ddot q_1 + (I_2+m_2(d_2^2+l_1d_2c_2))\ddot q_2"
        r" - m_2l_1d_2s_2(2\dot q_1\dot q_2+\dot q_2^2) + g_0(m_1d_1+m_2l_1)c_1 + g_0m_2d_2c_{12} \\ \tau_2 ="
        r" (I_2+m_2(d_2^2+l_1d_2c_2))\ddot q_1 + (I_2+m_2d_2^2)\ddot q_2 + m_2l_1d_2s_2\dot q_1^2 +"
        r" g_0m_2d_2c_{12}",
        "[ (I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2)) q̈1 + (I2+m2(d2²+l1d2c2)) q̈2 - m2l1d2s2(2q̇1q̇2+q̇2²) +"
        " g0(m1d1+m2l1)c1 + g0m2d2c12; (I2+m2(d2²+l1d2c2)) q̈1 + (I2+m2d2²) q̈2 + m2l1d2s2q̇1² + g0m2d2c12 ]",
        "[ (I1+I2+m1d1²+m2(l1²+d2²+2l1d2c2)) qdd1 + (I2+m2(d2²+l1d2c2)) qddot2 - m2l1d2s2(2dq1dq2+dq2²) +"
        " g0(m1d1+m2l1)c1 + g0m2d2c12; (I2+m2(d2²+l1d2c2)) q1ddot + (I2+m2d2²) q2'' + m2l1d2s2dq1² + g0m2d2c12 ]",
    ],
    "Y": [
        "[ddq1, c2(2ddq1+ddq2) - s2(2dq1dq2+dq2²), ddq2, c1, c12; 0, c2ddq1+s2dq1², ddq1+ddq2, 0, c12]",
        r"\begin{bmatrix}\ddot q_1 & \cos q_2(2\ddot q_1+\ddot q_2)-\sin q_2(2\dot q_1\dot q_2+\dot q_2^2) &"
        r" \ddot q_2 & \cos q_1 & \cos(q_1+q_2)\\ 0 & \cos q_2\,\ddot q_1+\sin q_2\,\dot q_1^2 & \ddot q_1+\ddot"
        r" q_2 & 0 & \cos(q_1+q_2)\end{bmatrix}",
        "[ddq1 c2*(2*ddq1+ddq2)-s2*(2*dq1*dq2+dq2^2) ddq2 c1 c12; 0 c2*ddq1+s2*dq1^2 ddq1+ddq2 0 c12]",
    ],
}  # fmt: skip

CART = {
    "M": [
        "[M+m, -m l cosθ; -m l cosθ, m l²]",
        r"\begin{bmatrix} M+m & -ml\cos\theta\\ -ml\cos\theta & ml^2\end{bmatrix}",
        "[[M+m,-m*l*cos(theta)],[-m*l*cos(theta),m*l**2]]",
        "[M+m -m*l*cos(theta); -m*l*cos(theta) m*l^2]",
        "[M+m, -ml cosθ; sym, ml²]",
    ],
    "c": [
        "[m l sinθ θ̇², 0]",
        r"\begin{bmatrix} ml\sin\theta\,\dot\theta^2\\0\end{bmatrix}",
        "[m*l*sin(theta)*thetadot^2; 0]",
        "[m*l*sin(theta)*theta_dot^2, 0]",
        "[m l sinθ θ'², 0]",
        "[m l sin(θ) θ'^2, 0]",
        "[m l sin(theta) dtheta^2; 0]",
        "[ml sin θ dθ²; 0]",
        "[m l s_θ θ̇², 0]",
        "[m*l*sin(theta)*diff(theta,t)^2, 0]",
        "[m*l*sin(theta(t))*diff(theta(t),t)^2, 0]",
        r"[ml\dot{\theta}^{2}\sin{\theta}, 0]",
        r"[ml\dot{\theta}^2\sin\left(\theta\right), 0]^{T}",
        "[m l sinθ ω², 0] with ω = θ̇",
    ],
    "g": [
        "[0, -m g l sinθ]",
        "[0; -mgl sin θ]",
        "[0; -mglsinθ]",
        "(0, -mgl sinθ)^T",
    ],
    "T": [
        "½ M ẋ² + ½ m (ẋ² - 2 l ẋ θ̇ cosθ + l² θ̇²)",
        "1/2 M x'^2 + 1/2 m (x'^2 - 2 l x' θ' cosθ + l^2 θ'^2)",
        "1/2 (M+m) xdot^2 - m l xdot thetadot cos(theta) + 1/2 m l^2 thetadot^2",
        r"\frac{1}{2}(M+m)\dot{x}^2 - ml\dot{x}\dot{\theta}\cos\theta + \frac{1}{2}ml^2\dot{\theta}^2",
        "0.5(M+m)dx^2 - m l dx dθ cos θ + 0.5 m l^2 dθ^2",
        "(M+m)ẋ²/2 - mlẋθ̇cosθ + ml²θ̇²/2",
        "½(M+m)v² - mlvωcosθ + ½ml²ω², v = ẋ, ω = θ̇",
    ],
    "U": [
        "m g l cosθ",
        "mgl cos(theta)",
        "m*g*l*cos(theta)",
        r"mgl\cos\theta",
        "mglcosθ",
        "m g l (1 - 2 sin²(θ/2))",
    ],
    "tau": [
        "[(M+m)ẍ - ml cosθ θ̈ + ml sinθ θ̇²; -ml cosθ ẍ + ml² θ̈ - mgl sinθ]",
        r"\begin{bmatrix}(M+m)\ddot{x} - ml\cos\theta\,\ddot{\theta}+ml\sin\theta\,\dot{\theta}^2"
        r"\\ -ml\cos\theta\,\ddot{x}+ml^2\ddot{\theta}-mgl\sin\theta\end{bmatrix}",
        "[(M+m)x'' - ml cosθ θ'' + ml sinθ θ'²; -ml cosθ x'' + ml² θ'' - mgl sinθ]",
        "[(M+m)*xddot - m*l*cos(theta)*thetaddot + m*l*sin(theta)*thetadot^2, -m*l*cos(theta)*xddot +"
        " m*l^2*thetaddot - m*g*l*sin(theta)]",
    ],
    "S": [
        "[0, m l sinθ θ̇; 0, 0]",
        "[0 m*l*sin(theta)*thetadot; 0 0]",
    ],
}  # fmt: skip

SPELT = [
    (robot, name, x) for robot, given in (("arm", ARM), ("cart", CART)) for name, texts in given.items() for x in texts
]


def cart():
    """A cart of mass M with a rod that stands up, in letters of its own."""
    M, m, l, g = sympy.symbols("M m l g", positive=True)
    links = [
        art.Link("cart", None, art.Prismatic((1, 0, 0)), inertia=art.Inertia(M)),
        art.Link("pole", "cart", art.Revolute((0, -1, 0)), inertia=art.Inertia(m, (0, 0, l))),
    ]
    return art.derive(art.build(links, gravity=(0, 0, -g)), letters=["x", "theta"])


@pytest.fixture(scope="module")
def equations():
    return {"arm": lecture("2r"), "cart": cart()}


@pytest.mark.parametrize(("robot", "name", "text"), SPELT)
def test_right_spellings_are_right(equations, robot, name, text):
    verdict = equations[robot].check_answer(**{name: text})
    assert verdict, verdict.text


OTHER = {"1": "2", "2": "1", "₁": "₂", "₂": "₁", "+": "-", "-": "+", "c": "s", "s": "c"}


@pytest.mark.parametrize(("robot", "name", "text"), SPELT)
def test_wrong_ones_are_not(equations, robot, name, text):
    """One index, sign, sine or cosine changed, behind the equals sign that names an entry: wrong, or not read."""
    spots = [
        x for x in re.finditer(r"(?<!\d)[12](?!\d)|[₁₂]|[-+]|[cs](?=_?\{?[12])", text) if _is_content(text, x.start())
    ]
    for found in random.Random(text).sample(spots, min(3, len(spots))):
        changed = text[: found.start()] + OTHER[found[0]] + text[found.end() :]
        try:
            verdict = equations[robot].check_answer(**{name: changed})
        except art.ArticulatedError:
            continue
        assert not verdict, changed


def _is_content(text, at):
    """Whether a character is not part of the name of an entry, of a matrix environment, or of nothing added."""
    return "=" not in re.split(r"[;,\n]|\\\\|\band\b", text[at:])[0] and not re.match(
        r"[12]?,?[12]\)|[-+] 0$", text[at:]
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("m1 g0 d1 sin(Q1)", "did you mean 'q1'"),
        ("m1 g0 d1 sin q1 + m_3", "m_3"),
        ("m1 g0 d1 sin(q[0])", "did you mean"),
    ],
)
def test_what_cannot_be_read_has_a_word(equations, text, word):
    with pytest.raises(art.ArticulatedError, match=re.escape(word)):
        equations["arm"].check_answer(U=text)


def test_entries_are_those_of_their_names(equations):
    """g2 before g1 is the same; the first named g2 is not."""
    first, second = "(m1 d1 + m2 l1) g0 c1 + m2 g0 d2 c12", "m2 g0 d2 c12"
    assert equations["arm"].check_answer(g=f"g2 = {second}; g1 = {first}")
    assert not equations["arm"].check_answer(g=f"g2 = {first}; g1 = {second}")
