"""ANYmal as in SimBenchmark: energy in flight, momentum of a collision, a stand under PD; and robots on their backs.

    python examples/14_anymal.py

Needs its description (`pip install example-robot-data`), and for the picture matplotlib (extra `plot`).
"""

import numpy as np

import articulated as art

FEET = ["LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"]
#: hip, thigh and shank of each leg, rad: the left front one, and signs of the others
LEG, SIGNS = np.array([0.03, 0.4, -0.8]), np.array([(1, 1, 1), (-1, 1, 1), (1, -1, -1), (-1, -1, -1)])
STANDING = np.concatenate([[0, 0, 0.54, 0, 0, 0, 1], *LEG * SIGNS])


def energy(robot):
    """Pushed up by its base for 1 s, limp, from 2 m, then 2 s in flight."""
    q, push = STANDING.copy(), art.Wrenches({"base": [0, 20, 1.3 * 9.81 * robot.mass, 0, 0, 1.0]}, "world")
    q[2] = 2.0
    for method in ("euler", "midpoint", "rk4", "adaptive"):
        start = art.simulate(robot, q, duration=1.0, forces=push, method=method, limits=False)
        flight = art.simulate(robot, start.q[-1], start.v[-1], 2.0, method=method, limits=False)
        moving, total = flight.energy.kinetic, flight.energy.total
        error = abs(total - total[0]).max()
        print(f"energy: {method:9} {error:.1e} J of {moving[0]:.0f} J of motion in 2 s of flight")


def momentum(robot):
    """A ball of 10 kg at 5 m/s hits it, without gravity."""
    ball = art.Ball(radius=0.2, mass=10.0, at=(-5, 0.1, 0))
    scene = art.Scene({"robot": robot, "ball": ball}, friction=0.5, gravity=(0, 0, 0))
    q = scene.configuration({"robot": np.concatenate([np.zeros(3), STANDING[3:]])})
    v = scene.velocity({"ball": [5, 0, 0, 0, 0, 0]})
    for method in ("euler", "midpoint"):
        run = art.simulate(scene, q, v, 10.0, every=10, method=method)
        before, after = (run.energy.kinetic[k] for k in (0, -1))
        off = abs(scene.centroidal_momentum(run.q, run.v)[:, :3] - [50, 0, 0]).max()
        print(f"momentum: {method:9} 50 kg m/s to {off:.1e} kg m/s; {before:.0f} J before, {after:.1f} J 10 s later")


def stand(robot):
    """Dropped from 0.54 m, kp = 40 N m/rad and kd = 1 N m s/rad, steps of 5 ms."""
    law = art.PD(art.Contacts(robot, point=FEET), 40.0, 1.0)
    run = art.simulate(
        robot, STANDING, duration=3.0, dt=5e-3, torque=law.towards(STANDING), contacts=art.Ground(0.8, feet=FEET)
    )
    moves, deep = abs(run.v[-1]).max(), -run.contact.gaps.min()
    print(f"stand: base at {run.q[-1, 2]:.3f} m, moves at {moves:.0e}, feet {1e9 * deep:.1f} nm deep at most")
    print(f"       residual {run.contact.residual.max():.0e}, carries {run.contact.normal[-1].sum():.3f} N")
    run.plot("contact_forces", "14_anymal.png", dpi=80)
    print("wrote 14_anymal.png")


def back(name):
    """Limp, 0.1 m above the ground, upside down: 1 s."""
    robot = art.load(name, floating_base=True)
    q = np.array(robot.poses["home"] if "home" in robot.poses else robot.poses["standing"])
    q[3:7] = 1, 0, 0, 0
    for q[2] in np.arange(0.2, 3, 0.1):  # the first height at which nothing is below the ground
        try:
            run = art.simulate(robot, q, duration=1.0, contacts=art.Ground(0.7))
            break
        except art.ModelError:
            continue
    run = art.simulate(robot, q, duration=1.0, contacts=art.Ground(0.7))  # compiled now
    gained, residual = np.diff(run.energy.total).max(), run.contact.residual
    above, milliseconds = (residual > 1e-6).sum(), 1e3 * run.info["seconds"] / len(run.t)
    print(
        f"on its back: {name:9} {len(run.contact.names)} points, {milliseconds:.2f} ms a step, {above} steps above 1e-6"
    )
    print(f"             {-1e3 * run.contact.gaps.min():.2f} mm deep at most, {gained:+.0e} J in a step at most")


if __name__ == "__main__":
    anymal = art.load("anymal", floating_base=True)
    for scene in (energy, momentum, stand):
        scene(anymal)
    for legged in ("anymal", "a1", "humanoid"):
        back(legged)
