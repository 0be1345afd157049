"""Estimation on MuJoCo as the plant: a trot on the estimated state, and how soon feet and pushes are noticed.

`python -m benchmarks.estimation [seeds]` writes benchmarks/estimation.md.  Needs mujoco.
"""

import sys
import time
from pathlib import Path

import mujoco
import numpy as np

import articulated as art

from .walking import START, STEP, Case, loaded, plant

GYRO, ACCELEROMETER, ANGLE, RATE = 0.01, 0.1, 5e-4, 0.02  # standard deviations of a sample: rad/s, m/s², rad, rad/s
GYRO_BIAS, ACCELEROMETER_BIAS = 0.01, 0.1  # largest of a seed, each axis
FORCE = 15.0  # N along the vertical: a foot is on the ground
CASE = Case("trot 0.5 m/s, turning 0.3 rad/s", command=(0.5, 0.0, 0.3), duration=6.0)


def loop(seed, closed):
    """Errors (samples, 5): tilt, velocity; delays of feet, s; and whether the robot is up."""
    robot, rng = loaded(CASE.robot), np.random.default_rng(seed)
    model = plant(CASE, rng)
    data, walk = mujoco.MjData(model), art.Walk(robot, CASE.gait)
    data.qpos[:] = art.conventions.to_mujoco(robot, walk.home)
    feet = art.Contacts(robot, point=walk.law.contacts.names)
    estimator, observer = art.BaseEstimator(robot, feet.names, STEP), art.MomentumObserver(robot, STEP, rate=200.0)
    estimator.reset(walk.home, np.zeros(robot.nv))
    biases = [size * rng.uniform(-1, 1, 3) for size in (GYRO_BIAS, ACCELEROMETER_BIAS)]
    geoms = {foot: int(np.argmin(np.linalg.norm(place - robot.pose(walk.home, foot)[:3, 3], axis=1)))
             for place in [positions(model, data)] for foot in feet.names}  # fmt: skip
    before, errors, touched, delays, seen = data.qvel[:3].copy(), [], {}, [], dict.fromkeys(feet.names, True)
    q = v = None
    for k in range(round(CASE.duration / STEP)):
        t = k * STEP
        true_q, true_v = art.conventions.from_mujoco(robot, data.qpos.copy(), data.qvel.copy())
        R = robot.pose(true_q, "base")[:3, :3]
        if true_q[2] < 0.6 * walk.home[2] or R[2, 2] < 0.6:
            return False, np.array(errors), delays
        force = R.T @ ((data.qvel[:3] - before) / STEP * (k > 0) - robot.gravity)
        before = data.qvel[:3].copy()
        joints = true_q[7:] + ANGLE * rng.normal(size=12)
        rates = true_v[6:] + RATE * rng.normal(size=12)
        standing = [foot not in walk.gait.lifted(t) for foot in feet.names]
        q, v = estimator(
            true_v[3:6] + biases[0] + GYRO * rng.normal(size=3),
            force + biases[1] + ACCELEROMETER * rng.normal(size=3), joints, rates, standing,
        )  # fmt: skip
        walk.command(*(CASE.command if t >= START else (0.0, 0.0, 0.0)))
        tau = walk(t, *((q, v) if closed else (true_q, true_v)))
        up = art.contact_forces(feet, q, observer(q, v, tau))[2::3]
        for i, foot in enumerate(feet.names):
            on = pressed(model, data, geoms[foot]) > FORCE
            if on and not touched.get(foot, (True,))[0]:
                touched[foot] = (True, t)
            elif not on:
                touched[foot] = (False, t)
            if up[i] > FORCE and not seen[foot] and touched.get(foot, (False,))[0]:
                delays.append(t - touched[foot][1])
            seen[foot] = up[i] > FORCE
        data.qfrc_applied[:] = tau
        mujoco.mj_step(model, data)
        tilt = np.arccos(np.clip(robot.pose(q, "base")[2, :3] @ R[2], -1, 1))
        errors.append([tilt, *(v[:3] - true_v[:3]), np.linalg.norm(q[:2] - true_q[:2])])
    return True, np.array(errors), delays


def pressed(model, data, geom):
    """Normal force of the plant at a geom, N."""
    total, wrench = 0.0, np.zeros(6)
    for k, contact in enumerate(data.contact):
        if geom in (contact.geom1, contact.geom2):
            mujoco.mj_contactForce(model, data, k, wrench)
            total += wrench[0]
    return total


def positions(model, data):
    mujoco.mj_forward(model, data)
    return data.geom_xpos


def period(batch):
    """CPU seconds of filter, observer and contact forces for each of a batch of robots on four feet, least of 20."""
    robot = loaded(CASE.robot)
    feet, home = art.Walk(robot, CASE.gait).law.contacts.names, robot.poses["home"]
    q, v = np.tile(home, (batch, 1)), np.zeros((batch, robot.nv))
    estimator, observer = art.BaseEstimator(robot, feet, STEP), art.MomentumObserver(robot, STEP)
    held, rest = art.Contacts(robot, point=feet), (v[0, :3], -robot.gravity, home[7:], v[0, 6:], [True] * 4)
    estimator.reset(*(x if batch > 1 else x[0] for x in (q, v)))
    calls = (lambda: estimator(*rest), lambda: observer(q, v, v), lambda: art.contact_forces(held, q, v))
    least = np.full(3, np.inf)
    for _ in range(21):
        for k, call in enumerate(calls):
            begin = time.thread_time()
            call()
            least[k] = min(least[k], time.thread_time() - begin)
    return 1e6 * least / batch


def main():
    seeds, rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10, []
    for closed in (False, True):
        found = [loop(seed, closed) for seed in range(seeds)]
        late = np.concatenate([errors[1000:] for _, errors, _ in found])
        delays = 1e3 * np.array([x for *_, each in found for x in each])
        drift = np.median([errors[-1, 4] for up, errors, _ in found if up])
        rows.append([
            "on the estimate" if closed else "on the true state", f"{sum(up for up, *_ in found)} of {seeds}",
            f"{np.sqrt((late[:, 0] ** 2).mean()):.4f} rad", f"{np.sqrt((late[:, 1:4] ** 2).mean()):.3f} m/s",
            f"{100 * drift:.0f} cm", f"{np.median(delays):.0f} ms", f"{np.percentile(delays, 90):.0f} ms",
        ])  # fmt: skip
        print(" | ".join(rows[-1]), flush=True)
    one, many = period(1), period(4096)
    head = ["the law runs", "up at the end", "tilt off, RMS", "velocity off, RMS", "drift after 6 s, median",
            "load of a foot noticed after, median", "90 %"]  # fmt: skip
    table = "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
    Path(__file__).with_suffix(".md").write_text(f"""# Estimation

Made by `python -m benchmarks.estimation {seeds}`: {CASE.what}, MuJoCo as the plant at 1 kHz, masses ±10 %.
Sensors at every tick: gyroscope {GYRO} rad/s, accelerometer {ACCELEROMETER} m/s², joints {ANGLE:g} rad and
{RATE} rad/s (standard deviations), biases up to {GYRO_BIAS} rad/s and {ACCELEROMETER_BIAS} m/s² an axis. Feet stand as
the gait has them; they are balls that roll, which the filter does not know. The load of a foot is noticed when the
momentum observer (200/s) has {FORCE:g} N upwards there; the delay is from when MuJoCo has as much.

{table}

Of a period, CPU time of one thread: the filter takes {one[0]:.0f} µs for one robot and {many[0]:.2f} µs for each
of 4,096, the momentum observer {one[1]:.0f} and {many[1]:.2f}, contact forces {one[2]:.0f} and {many[2]:.2f}.
""", "utf-8")  # fmt: skip


if __name__ == "__main__":
    main()
