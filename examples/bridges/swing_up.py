"""A cart-pole swings its pole up with the least effort: CasADi and IPOPT on the exact equations of the robot.

Direct collocation by the trapezoid rule; then the motion that was found is simulated with the force that was found.
"""

import casadi
import numpy as np

import articulated as art
import articulated.casadi

robot = art.load("cart_pole")
acceleration = articulated.casadi.Robot(robot).function("forward_dynamics")
duration, steps, strongest = 2.0, 80, 20.0  # seconds, intervals, newtons
down, up = np.zeros(2), np.array([0.0, np.pi])  # the pole hangs at zero

problem = casadi.Opti()
q, v, force = problem.variable(2, steps + 1), problem.variable(2, steps + 1), problem.variable(1, steps + 1)
a = acceleration(q, v, casadi.vertcat(force, casadi.DM.zeros(1, steps + 1)))
dt = duration / steps
problem.minimize(dt * casadi.sumsqr(force))
for x, rate in ((q, v), (v, a)):
    problem.subject_to(x[:, 1:] - x[:, :-1] == dt / 2 * (rate[:, 1:] + rate[:, :-1]))
problem.subject_to(problem.bounded(-strongest, force, strongest))
for x, first, last in ((q, down, up), (v, np.zeros(2), np.zeros(2))):
    problem.subject_to(x[:, 0] == first)
    problem.subject_to(x[:, -1] == last)
problem.set_initial(q, np.linspace(down, up, steps + 1).T)
problem.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes"})
found = problem.solve()
effort = dt * np.sum(found.value(force) ** 2)
print(f"{found.stats()['return_status']} after {found.stats()['iter_count']} iterations: effort {effort:.1f} N² s")

# the same force on the robot itself
times = np.linspace(0, duration, steps + 1)
run = art.simulate(
    robot, down, np.zeros(2), duration, dt=1e-3, method="rk4",
    torque=lambda t, q, v: np.array([np.interp(t, times, found.value(force)), 0.0]),
)  # fmt: skip
print(
    f"simulated: the pole ends {abs(run.q[-1, 1] - up[1]):.3f} rad from upright, the cart {abs(run.q[-1, 0]):.3f} m off"
)
