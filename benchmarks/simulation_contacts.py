"""Steps with contacts against `mujoco.rollout`, one core, interleaved: `python -m benchmarks.simulation_contacts`.

The same robots, feet, friction, springs and dampers at the joints, and dt = 1 ms; a batch of states that fall a little,
land and stand; one trots: its springs lift two feet in turn, 2.5 times a second.  Ours is `art.simulate` with
everything it does around its loop.  Writes simulation_contacts.md.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

import articulated as art

from .robots import Case, case

HERE = Path(__file__).parent
DT, FRICTION, ROUNDS = 1e-3, 0.7, 5
CORNERS = tuple((x, y, 0.0) for x in (-0.1, 0.1) for y in (-0.05, 0.05))
LEGS = {f"leg_{side}_{k}_joint": x for side in ("left", "right") for k, x in ((3, -0.3), (4, 0.6), (5, -0.3))}
SOLO = {
    f"{leg}_{joint}": x * (1 if leg[0] == "F" else -1)
    for leg in ("FL", "FR", "HL", "HR")
    for joint, x in (("HFE", 0.8), ("KFE", -1.6))
}


class Scene(NamedTuple):
    """A robot, where it touches, how it stands, and the springs and dampers of its joints."""

    name: str
    robot: str
    feet: dict[str, tuple]  # points by frame
    radius: float
    bent: dict[str, float]
    stiffness: float  # per unit of a joint's inertia, but for solo12
    damping: float
    above: float  # meters that it falls
    states: int
    steps: int
    limits: bool = False
    trots: bool = False


POINTS = dict.fromkeys(("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"), ((0.0, 0.0, 0.0),))
SOLES = dict.fromkeys(("left_sole_link", "right_sole_link"), CORNERS)
SCENES = [
    Scene("solo12, four feet", "solo12", POINTS, 0.016, SOLO, 5.0, 0.1, 0.1, 1024, 600),
    Scene("solo12, with joint limits", "solo12", POINTS, 0.016, SOLO, 5.0, 0.1, 0.1, 1024, 600, True),
    Scene("solo12, trotting", "solo12", POINTS, 0.016, SOLO, 5.0, 0.1, 0.02, 1024, 600, trots=True),
    Scene("Talos, eight corners", "talos", SOLES, 1e-4, LEGS, 600.0, 30.0, 0.01, 512, 200),
]


class Springs(NamedTuple):
    """Of the joints: where they rest, and how stiff they are."""

    rest: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray


def start(scene: Scene, robot: art.Robot) -> tuple[np.ndarray, Springs]:
    """States (n, nq) above the ground, and the springs that hold them."""
    q = robot.neutral()
    for joint, x in scene.bent.items():
        q[robot.index(joint).q] = x
    weights = np.ones(robot.nv - 6)
    if scene.robot == "talos":
        weights = np.minimum(np.diag(robot.mass_matrix(q))[6:], 3.0)
    springs = Springs(q[7:].copy(), scene.stiffness * weights, scene.damping * weights)
    rng = np.random.default_rng(0)
    states = np.tile(q, (scene.states, 1))
    states[:, 7:] += (0.01 if scene.robot == "talos" else 0.05) * rng.normal(size=(scene.states, len(weights)))
    lowest = np.min([robot.pose(states, frame)[:, 2, 3] for frame in scene.feet], axis=0)
    tilt = 0.03 if scene.robot == "talos" else 0.0  # corners of a sole that is not level are lower
    states[:, 2] = scene.above + scene.radius + tilt - lowest
    return states, springs


def ours(scene: Scene, robot: art.Robot, q: np.ndarray, springs: Springs) -> Callable[[int, int], Any]:
    """A run of all states: (steps, steps between samples)."""
    single = all(len(points) == 1 for points in scene.feet.values())
    feet: Any = dict.fromkeys(scene.feet, scene.radius) if single else scene.feet
    ground = art.Ground(FRICTION, feet=feet)
    rest, stiffness, damping = springs
    swing = lifted(robot) if scene.trots else np.zeros((2, robot.nv - 6))
    law = art.traced(lambda t, q, v: stiffness * (rest + phases(t) @ swing - q[7:]) - damping * v[6:])

    def run(steps: int, every: int) -> art.Trajectory:
        options = {"limits": scene.limits, "every": every, "progress": False}
        return art.simulate(robot, q, None, steps * DT, DT, torque=law, contacts=ground, **options)

    return run


def phases(t: Any) -> Any:
    """How far each pair of feet is lifted."""
    wave = np.sin(2 * np.pi * 2.5 * t)
    return np.stack([np.maximum(wave, 0.0), np.maximum(-wave, 0.0)])


def lifted(robot: art.Robot) -> np.ndarray:
    """What the rest of the joints changes by for either pair of feet, (2, motors)."""
    found = np.zeros((2, robot.nv - 6))
    for pair, legs in enumerate((("FL", "HR"), ("FR", "HL"))):
        for leg in legs:
            for joint, x in (("HFE", 0.25), ("KFE", -0.5)):
                place = robot.index(f"{leg}_{joint}").v
                found[pair, place.start - 6] = x * (1 if leg[0] == "F" else -1)
    return found


def mujoco_model(scene: Scene, own: Case, springs: Springs) -> Any:
    """The same robot, feet and springs in MuJoCo."""
    import mujoco

    root = ElementTree.fromstring(own.urdf)
    settings = {"fusestatic": "false", "balanceinertia": "false", "discardvisual": "true"}
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", settings)
    spec = mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding="unicode"))
    spec.worldbody.first_body().add_freejoint()
    order = own.robot.permutation("mujoco")
    if scene.trots:
        for k, place in enumerate(order[6:] - 6):
            motor = spec.add_actuator(trntype=mujoco.mjtTrn.mjTRN_JOINT, target=spec.joints[k + 1].name)
            motor.gainprm[0], motor.biasprm[1] = springs.stiffness[place], -springs.stiffness[place]
            motor.biastype = mujoco.mjtBias.mjBIAS_AFFINE
    for frame, points in scene.feet.items():
        for point in points:
            ball = spec.body(frame).add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[scene.radius, 0, 0], pos=point)
            ball.contype, ball.conaffinity, ball.mass, ball.condim, ball.friction = 1, 0, 0, 3, [FRICTION, 0, 0]
    floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1])
    floor.contype, floor.conaffinity, floor.condim, floor.friction = 0, 1, 3, [FRICTION, 0, 0]
    model = spec.compile()
    model.opt.timestep, model.opt.gravity[:] = DT, (0, 0, -9.81)
    model.dof_damping[:] = model.dof_frictionloss[:] = model.dof_armature[:] = 0
    if not scene.limits:
        model.jnt_limited[:] = 0
    model.jnt_stiffness[1:] = 0 if scene.trots else springs.stiffness[order[6:] - 6]
    model.dof_damping[6:] = springs.damping[order[6:] - 6]
    model.qpos_spring[7:] = springs.rest[order[6:] - 6]
    return model


def measured(scene: Scene, folder: Path) -> list[str]:
    """One row of the table."""
    import mujoco
    from mujoco import rollout

    own = case(scene.robot, folder)
    q, springs = start(scene, own.robot)
    run = ours(scene, own.robot, q, springs)
    model = mujoco_model(scene, own, springs)
    data, some = mujoco.MjData(model), 64
    state = np.zeros((some, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    theirs = art.conventions.to_mujoco(own.robot, q[:some], np.zeros((some, own.robot.nv)))
    state[:, 1 : 1 + model.nq] = theirs.q
    control = {}
    if scene.trots:
        rest = springs.rest + phases(DT * np.arange(scene.steps)).T @ lifted(own.robot)
        control["control"] = np.tile(rest[:, own.robot.permutation("mujoco")[6:] - 6], (some, 1, 1))
    times = []
    run(scene.steps, scene.steps)
    with rollout.Rollout(nthread=0) as peer:
        for _ in range(ROUNDS):
            began = time.thread_time()
            run(scene.steps, scene.steps)
            middle = time.thread_time()
            peer.rollout(model, data, state, nstep=scene.steps, **control)
            each = (middle - began) / len(q), (time.thread_time() - middle) / some
            times.append(np.array(each) / scene.steps * 1e6)
    here, there = np.median(times, axis=0)
    history = run(scene.steps, 1).contact
    within = 100 * (history.residual <= 1e-6).mean()
    return [
        scene.name, str(len(q)), f"{here:.2f} µs", f"{there:.1f} µs",
        f"{np.median([b / a for a, b in times]):.1f}×", f"{within:.2f} %", f"{history.residual.max():.1e}",
        f"{max(0.0, -history.gaps.min()) * 1e6:.1g} µm",
    ]  # fmt: skip


def main() -> None:
    head = [
        "scene",
        "states",
        "ours",
        "`mujoco.rollout`",
        "ratio",
        "residual ≤ 1e-6",
        "largest residual",
        "penetration",
    ]
    with tempfile.TemporaryDirectory() as folder:
        rows = [measured(scene, Path(folder)) for scene in SCENES]
    text = (__doc__ or "").split("\n\n")[1].replace("  Writes simulation_contacts.md.", "")
    lines = [
        "# Steps with contacts", "", "Written by `python -m benchmarks.simulation_contacts`, one core:", text.strip(),
        "Times are a step of one state, medians of the CPU time of one thread.", "",
        "| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]  # fmt: skip
    (HERE / "simulation_contacts.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
