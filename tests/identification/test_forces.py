"""Force sensors, contact forces: rows and columns of the regressor, and what identification makes of them."""

import numpy as np
import pytest

import articulated as art
from tests.identification.motions import samples

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]


@pytest.fixture(scope="module")
def quadruped():
    return art.load("quadruped", floating_base=True)


@pytest.fixture(scope="module")
def panda():
    return art.load("panda")


def _wrench(robot: art.Robot, link: str, block: dict[str, np.ndarray], forces=None) -> np.ndarray:
    """Through a hinge that does not turn in the place of the fixed joint: another way to the same force."""
    hinge = robot.replace(link, joint=art.Revolute((0, 0, 1), name="stiff"))
    at, still = hinge.index("stiff"), {name: block[name] for name in ("q", "v", "a")}
    for name, x in still.items():
        still[name] = np.insert(x, (at.q if name == "q" else at.v).start, 0.0, axis=1)
    return np.asarray(hinge.body_wrenches(*still.values(), forces=forces))[:, hinge.body_names.index(link)]


def _beyond(robot: art.Robot, link: str, extra: float) -> art.Robot:
    """Heavier beyond a sensor."""
    return robot.attach(link, art.Inertia(extra, (0.02, -0.01, 0.06), np.diag([2e-3, 3e-3, 2.5e-3])))


@pytest.mark.parametrize(("name", "floating", "link"), [("panda", False, "panda_hand"), ("quadruped", True, "FL_FOOT")])
def test_rows_of_a_sensor_and_columns_of_a_force(name, floating, link):
    robot = art.load(name, floating_base=floating)
    block, force = samples(robot, 20), np.random.default_rng(0).normal(size=(20, 6))
    state = [block[key] for key in ("q", "v", "a")]
    chosen = {"friction": ["viscous"], "wrenches": [link], "sensors": [link]}
    Y, names = np.asarray(robot.regressor(*state, **chosen)), art.regressor_names(robot, **chosen)
    assert Y.shape[1:] == (len(names.rows), len(names.columns)) and len(names.units) == len(names.columns)
    assert names.units[-6:] == ["N"] * 3 + ["N m"] * 3 and names.columns[-1] == f"{link}_rz"
    # the body of the link is cut: what it was is in two parts
    split = robot.replace(link, joint=art.Revolute((0, 0, 1), name="stiff"))
    numbers = np.r_[split.parameters, np.zeros(len(names.columns) - len(split.parameters) - 6)]
    forces = {link: force}
    tau = (Y @ np.r_[numbers, np.zeros(6)])[:, :, None] + Y[:, :, -6:] @ force[:, :, None]
    sensor = [k for k, row in enumerate(names.rows) if row not in robot.names("v")[0]]
    joints = np.asarray(robot.frictionless().inverse_dynamics(*state, forces=forces))
    assert abs(np.delete(tau[..., 0], sensor, axis=1) - joints).max() < 1e-12 * abs(joints).max()
    assert abs(tau[:, sensor, 0] - _wrench(robot, link, block, forces)).max() < 1e-12 * abs(joints).max()


def test_a_wrist_sensor_finds_what_is_beyond_it(panda):
    true = _beyond(panda, "panda_hand", 1.3)
    block, rng = samples(true, 1500), np.random.default_rng(0)
    offset = np.array([1.0, -2.0, 3.0, 0.1, 0.2, -0.3])
    sensors = {"panda_hand": _wrench(true, "panda_hand", block) + offset}
    exact = art.identify(panda, block | {"sensors": sensors}, friction="offset", consistent=False)
    assert exact.relative_residual < 1e-6 and exact.unseen == []
    rows = [k for k, name in enumerate(exact.names) if name.startswith("panda_hand_joint") and name.endswith("offset")]
    assert len(rows) == 6 and abs(exact.unknown[-6:] - offset).max() < 1e-8
    assert exact.robot.joint_names == panda.joint_names and exact.robot.nv == 7
    tau = exact.robot.inverse_dynamics(*(block[name] for name in ("q", "v", "a")))
    assert abs(tau - block["tau"]).max() < 1e-8 * abs(tau).max()
    # torques are poor, the sensor is good
    noisy = {"tau": block["tau"] + rng.normal(0, 5.0, block["tau"].shape)}
    noisy["sensors"] = {"panda_hand": sensors["panda_hand"] + rng.normal(0, 0.1, (1500, 6))}
    found = art.identify(panda, block | noisy, friction="offset", only="payload", link="panda_hand")
    alone = art.identify(panda, block | noisy | {"sensors": None}, friction="offset", only="payload", link="panda_hand")
    assert found.payload.mass == pytest.approx(1.3, rel=0.01)
    assert abs(np.array(found.payload.com, float) - (0.02, -0.01, 0.06)).max() < 2e-3
    assert found.covariance[0, 0] < 0.05 * alone.covariance[0, 0]
    assert found.robot.mass == pytest.approx(panda.mass + found.payload.mass)


@pytest.mark.parametrize("given", ["measured", "measured, no torques", "unknown"])
def test_a_floating_base_on_its_feet(quadruped, given, tmp_path):
    robot, rng, count = quadruped, np.random.default_rng(0), 1500
    true = _beyond(robot, "base", 2.0)
    block = samples(true, count)
    touching = {foot: rng.uniform(size=count) < 0.7 for foot in FEET}
    forces = {
        foot: np.c_[rng.normal(0, 20, (count, 3)), np.zeros((count, 3))] * on[:, None] for foot, on in touching.items()
    }
    state = [block[name] for name in ("q", "v", "a")]
    log = block | {"tau": np.asarray(true.inverse_dynamics(*state, forces=forces))}
    log |= {"contacts": touching} if given == "unknown" else {"forces": forces}
    if "no torques" in given:  # nothing drives the base: what it takes beside the feet is measured, too
        log["forces"] = forces | {"base": log.pop("tau")[:, :6]}
    found = art.identify(robot, log, friction=None, consistent=False)
    wanted = art.base_parameters(true).values
    assert found.unseen == []
    assert abs(found.base.values - wanted).max() < 1e-9 * abs(wanted).max()
    if given == "unknown":
        assert abs(found._predicted(found.samples) - log["tau"]).max() < 1e-7
        assert art.identify(robot, log, robust=True).relative_residual < 1e-5
        half = {name: x[:700] for name, x in log.items() if name != "contacts"}
        one, other = (
            art.Normal(robot, {name: x[part] for name, x in log.items() if name != "contacts"}
                       | {"contacts": {foot: on[part] for foot, on in touching.items()}})
            for part in (slice(0, 700), slice(700, None))
        )  # fmt: skip
        one.save(tmp_path / "one.npz")
        parts = [art.Normal.load(robot, tmp_path / "one.npz"), other]
        assert abs(art.identify(robot, parts, consistent=False).base.values - wanted).max() < 1e-9 * abs(wanted).max()
        with pytest.raises(art.ShapeError, match="different columns"):
            other + art.Normal(robot, half)


def test_what_is_refused(panda, quadruped):
    block = samples(panda, 20)
    with pytest.raises(art.ModelError, match="a link on a fixed joint; panda_link5 is not one"):
        art.identify(panda, block | {"sensors": {"panda_link5": np.zeros((20, 6))}})
    with pytest.raises(art.ShapeError, match=r"sensors\['panda_hand'\] has shape \(20, 3\); it must be \(20, 6\)"):
        art.identify(panda, block | {"sensors": {"panda_hand": np.zeros((20, 3))}})
    with pytest.raises(art.ShapeError, match="gains are found without sensors"):
        art.identify(panda, block | {"sensors": {"panda_hand": np.zeros((20, 6))}}, gains=True)
    with pytest.raises(art.ShapeError, match="no tau"):
        art.identify(panda, {name: block[name] for name in ("q", "v", "a")})
    with pytest.raises(art.ShapeError, match=r"contacts\['FL_FOOT'\] has shape"):
        art.identify(quadruped, samples(quadruped, 20) | {"contacts": {"FL_FOOT": np.ones(7)}})
