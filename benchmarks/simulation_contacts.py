"""Steps with contacts against `mujoco.rollout`, one core, interleaved: `python -m benchmarks.simulation_contacts`.

The same robots, feet, friction, springs and dampers at the joints, and dt = 1 ms; as many states on both sides, and
every step stored.  The states fall a little, land and stand; one robot trots: its springs lift two feet in turn, 2.5
times a second; one is limp, and sinks down on the corners of its feet.  Ours is `art.simulate` with everything it does
around its loop, MuJoCo's the faster of its two cones.  Panda falls, without limits.  Stored of a sample are q, v, a,
tau, of each contact force, position, normal, gap and state, and a residual (solo12: 118 numbers; of Panda q and v), and
by `mujoco.rollout` time, qpos and qvel (38).  Both begin with a run that is not timed: it fetches memory from the
system, page by page, which ours keeps for the next results of this size.  Writes simulation_contacts.md.
"""

import sys
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
DT, FRICTION, ROUNDS = 1e-3, 0.7, 3
#: states of a batch, and the most steps of so many
SIZES = {16: 600, 256: 600, 4096: 100}
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
    steps: int
    limits: bool = False
    trots: bool = False


POINTS = dict.fromkeys(("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"), ((0.0, 0.0, 0.0),))
SOLES = dict.fromkeys(("left_sole_link", "right_sole_link"), CORNERS)
SCENES = [
    Scene("solo12, four feet", "solo12", POINTS, 0.016, SOLO, 5.0, 0.1, 0.1, 600),
    Scene("solo12, with joint limits", "solo12", POINTS, 0.016, SOLO, 5.0, 0.1, 0.1, 600, True),
    Scene("solo12, trotting", "solo12", POINTS, 0.016, SOLO, 5.0, 0.1, 0.02, 600, trots=True),
    Scene("Talos, eight corners", "talos", SOLES, 1e-4, LEGS, 600.0, 30.0, 0.01, 200),
    Scene("Talos, limp", "talos", SOLES, 1e-4, LEGS, 0.0, 0.0, 0.01, 200),
]


class Springs(NamedTuple):
    """Springs of the joints: where they rest, and how stiff they are."""

    rest: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray


def start(scene: Scene, robot: art.Robot, count: int) -> tuple[np.ndarray, Springs]:
    """States (n, nq) above the ground, and the springs that hold them."""
    q = robot.neutral()
    for joint, x in scene.bent.items():
        q[robot.index(joint).q] = x
    weights = np.ones(robot.nv - 6)
    if scene.robot == "talos":
        weights = np.minimum(np.diag(robot.mass_matrix(q))[6:], 3.0)
    springs = Springs(q[7:].copy(), scene.stiffness * weights, scene.damping * weights)
    rng = np.random.default_rng(0)
    states = np.tile(q, (count, 1))
    states[:, 7:] += (0.01 if scene.robot == "talos" else 0.05) * rng.normal(size=(count, len(weights)))
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
    """Change of the rest of the joints for either pair of feet, (2, motors)."""
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


def rollout_of(model: Any, q: np.ndarray, steps: int, control: dict[str, Any]) -> Callable[[], Any]:
    """MuJoCo's rollout of a batch."""
    import mujoco
    from mujoco import rollout

    data, size = mujoco.MjData(model), mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state, peer = np.zeros((len(q), size)), rollout.Rollout(nthread=0)
    state[:, 1 : 1 + model.nq] = q
    return lambda: peer.rollout(model, data, state, nstep=steps, **control)


def times(*runs: Callable[[], Any]) -> np.ndarray:
    """CPU seconds of each, in turn: (rounds, runs)."""
    found = np.empty((ROUNDS, len(runs)))
    for k in range(-1, ROUNDS):
        for i, run in enumerate(runs):
            began = time.thread_time()
            run()
            found[max(k, 0), i] = time.thread_time() - began
    return found


def measured(scene: Scene, folder: Path, count: int) -> list[str]:
    """One row of the table."""
    own, steps = case(scene.robot, folder), min(scene.steps, SIZES[count])
    q, springs = start(scene, own.robot, count)
    run, control = ours(scene, own.robot, q, springs), dict[str, Any]()
    theirs = art.conventions.to_mujoco(own.robot, q, np.zeros((count, own.robot.nv))).q
    if scene.trots:
        rest = springs.rest + phases(DT * np.arange(steps)).T @ lifted(own.robot)
        control["control"] = np.tile(rest[:, own.robot.permutation("mujoco")[6:] - 6], (count, 1, 1))
    peers = []
    for cone in (0, 1):
        model = mujoco_model(scene, own, springs)
        model.opt.cone = cone
        peers.append(rollout_of(model, theirs, steps, control))
    history = run(steps, 1).contact
    within = 100 * (history.residual <= 1e-6).mean()
    told = [f"{within:.2f} %", f"{history.residual.max():.1e}", f"{max(0.0, -history.gaps.min()) * 1e6:.1g} µm"]
    del history
    return [scene.name, *compared(times(lambda: run(steps, 1), *peers), count, steps), *told]


def compared(seconds: np.ndarray, count: int, steps: int) -> list[str]:
    """States, both times of a step of one, and their ratio."""
    each = seconds / (count * steps) * 1e6
    best = 1 + np.median(each[:, 1:], axis=0).argmin()
    here, there = np.median(each[:, [0, best]], axis=0)
    return [str(count), f"{here:.2f} µs", f"{there:.1f} µs", f"{np.median(each[:, best] / each[:, 0]):.1f}×"]


def falling(folder: Path, count: int) -> list[str]:
    """A row of Panda."""
    from .robots import mujoco_twin
    from .simulation import unlimited

    arm, steps = case("panda", folder), SIZES[count]
    q = arm.states(count).q
    peer = rollout_of(unlimited(mujoco_twin(arm)), q, steps, {})

    def run() -> None:
        art.simulate(arm.robot, q, None, steps * DT, DT, limits=False, progress=False)

    return ["Panda, falling", *compared(times(run, peer), count, steps), "", "", ""]


def among(count: int, falls: bool) -> list[str]:
    """A row of a robot among so many balls: Panda that falls limp beside them, or a quadruped under their heap."""
    robot = art.load("quadruped", floating_base=True) if falls else art.load("panda")
    side = 4 if falls else int(np.ceil(np.sqrt(count)))
    step, above = (0.16, 0.81) if falls else (0.125, 0.06)
    x0, y0 = (-0.25, -0.25) if falls else (0.35, -0.5)
    places = [
        (x0 + step * (k % side), y0 + step * (k // side % side), above + 0.16 * (k // side**2)) for k in range(count)
    ]
    scene = art.Scene([robot, *[art.Ball(radius=0.06, mass=0.3, at=at) for at in places], art.Ground()])
    began = time.process_time()
    art.simulate(scene, duration=DT, progress=False)
    first, began = time.process_time() - began, time.process_time()
    run = art.simulate(scene, duration=1.0, progress=False)
    each, residual = 1e6 * (time.process_time() - began) / len(run.t), run.contact.residual
    what = "quadruped under a heap" if falls else "Panda beside balls on the ground"
    above = [f"{100 * np.mean(residual > limit):.2f} %" for limit in (1.01e-6, 1.01e-4)]
    gained = np.diff(run.energy.total).max()
    return [what, str(count), f"{each:.0f} µs", *above, f"{residual.max():.0e}", f"{gained:.0e} J", f"{first:.1f} s"]


AMONG = """
## Robots among many objects

`python -m benchmarks.simulation_contacts among`: CPU time of a step of one state, mean of 1 s at 1 ms with everything
`art.simulate` does around it; residuals; the largest change of the total energy in a step, by Euler's method also where
nothing touches; CPU time of the first run, nothing in the cache. On a loaded machine.

"""


def tabled_among() -> str:
    """The second table."""
    head = ["scene", "balls", "a step", "above 1e-6", "above 1e-4", "largest", "energy", "first step"]
    rows = [among(count, falls) for falls in (False, True) for count in (30, 100, 300)]
    lines = [head, ["---"] * len(head), *rows]
    return AMONG + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main() -> None:
    path = HERE / "simulation_contacts.md"
    if sys.argv[1:] == ["among"]:
        text = path.read_text(encoding="utf-8").split("\n## Robots among")[0]
        path.write_text(text.rstrip("\n") + "\n" + tabled_among(), encoding="utf-8")
        return
    head = [
        "scene", "states", "ours", "`mujoco.rollout`", "ratio", "residual ≤ 1e-6", "largest residual", "penetration",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        rows = [measured(scene, Path(folder), count) for scene in SCENES for count in SIZES]
        rows += [falling(Path(folder), count) for count in SIZES]
    text = (__doc__ or "").split("\n\n")[1].replace("  Writes simulation_contacts.md.", "")
    lines = [
        "# Steps with contacts", "", "Written by `python -m benchmarks.simulation_contacts`, one core:", text.strip(),
        "Times are a step of one state, medians of the CPU time of one thread, on a loaded machine.", "",
        "| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]  # fmt: skip
    path.write_text("\n".join(lines) + "\n" + tabled_among(), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
