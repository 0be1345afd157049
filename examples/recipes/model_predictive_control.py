"""Model-predictive control of an arm: an optimal motion, planned again at every step.

topic: Control
words: MPC, model predictive control, receding horizon, iLQR, DDP, optimal control, trajectory optimization
change: Costs and horizon; `iterations=1` is enough from step to step, since each plan starts near the last one.
"""

import articulated as art

arm = art.load("panda")
home, target = arm.poses["home"], [0.4, 0.3, 0.5]
costs = [art.costs.control(1e-4, arm.gravity_forces(home)), art.costs.frame("panda_hand", target, 100, 100)]
problem = art.Problem(arm, 20, [*costs, art.costs.state(home, weight=[0.01] * 7 + [1] * 7)], dt=0.02)
sim, tau = art.Simulator(arm, dt=0.02), None
sim.reset(home)
for _ in range(80):
    plan = problem.solve(sim.q, sim.v, tau, iterations=1).trajectory.tau
    sim.step(plan[0])
    tau = plan[1:]
print("the hand is", abs(arm.pose(sim.q, "panda_hand")[:3, 3] - target).max().round(3), "m off")
