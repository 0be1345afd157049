"""`articulated simulate`: the run of `art.simulate`, told, saved and drawn; mistakes leave no file."""

import numpy as np
import pytest

import articulated as art
from articulated.cli import initial_state
from articulated.cli.commands import simulate as command
from articulated.cli.state import configuration
from articulated.simulation.drive import default_controllers
from articulated.simulation.methods.table import INTEGRATORS
from articulated.simulation.trajectory.plots.draw import FORMATS, KINDS

from .command import run


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]


def test_the_help_knows_what_there_is():
    assert tuple(INTEGRATORS) == command.METHODS and command.PICTURES == FORMATS and "overview" in KINDS
    shown = "".join(run("simulate", "--help").out.split())
    assert all(word in shown for word in (*INTEGRATORS, *initial_state.CONTROLLERS, *initial_state.GROUND))


def test_it_is_what_simulate_gives(here):
    options = ["--q", "0.5 -0.2", "--v", "1", "--duration", "0.1", "--dt", "0.002", "--method", "rk4", "--tau", "0.3"]
    done = run("simulate", "double_pendulum", *options, "--save", "run.npz", "--every", "5", "--json")
    wanted = art.simulate(
        art.load("double_pendulum"), [0.5, -0.2], [1, 1], 0.1, 0.002, torque=[0.3, 0.3], method="rk4", every=5
    )
    found = art.Trajectory.load(here / "run.npz")
    assert (found.q == wanted.q).all() and (found.tau == wanted.tau).all()
    told = done.json
    assert told["q"] == wanted.q[-1].tolist() and told["samples"] == len(wanted) == 11 and told["end"] == wanted.t[-1]
    assert told["energy"]["end"] == wanted.energy.total[-1] and told["save"] == "run.npz" and told["plot"] is None
    assert told["contact"] is None and told["ended"] == "after its duration"


LAWS = {
    "pd": lambda robot, Kp, Kd: art.PD(robot, Kp, Kd),
    "computed-torque": lambda robot, Kp, Kd: art.ComputedTorque(robot, Kp, Kd),
    "impedance": lambda robot, Kp, Kd: art.Impedance(robot, Kp, Kd),
}


@pytest.mark.parametrize("name", LAWS)
def test_controllers(name):
    robot, start, target = art.load("2r"), [0.3, 0.2], [0.1, -0.4]
    options = ["--stiffness", "30,20", "--damping", "5", "--q", "0.3 0.2", "--target", "0.1 -0.4", "-d", "0.05"]
    told = run("simulate", "2r", "--controller", name, *options, "--json").json
    law = LAWS[name](robot, [30, 20], 5).towards(target)
    assert told["q"] == art.simulate(robot, start, None, 0.05, torque=law).q[-1].tolist()
    # gains of its own bring it there
    far = run("simulate", "2r", "--controller", name, "--q", "0.3 0.2", "--target", "0.1 -0.4", "-d", "3", "--json")
    assert np.abs(np.array(far.json["q"]) - target).max() < 1e-6


def standing(contact):
    """Contacts that stick; nothing else touches."""
    states = dict(zip(contact["names"], contact["states"], strict=True))
    assert {*states.values()} <= {"open", "sticking"}
    return [name for name, state in states.items() if state == "sticking"]


def test_a_quadruped_stands_where_it_begins():
    options = ["--ground", "friction=0.6", "--controller", "pd", "--duration", "0.3", "--json"]
    told = run("simulate", "quadruped", "--floating", *options).json
    home = art.load("quadruped", floating_base=True).poses["home"]
    assert standing(told["contact"]) == FEET and told["contact"]["residual"] <= 1e-6
    assert np.abs(np.array(told["q"]) - home).max() < 1e-3
    weight = 12.0 * 9.81
    assert sum(force[2] for force in told["contact"]["forces"]) == pytest.approx(weight, rel=1e-3)


def test_a_robot_is_put_down_unless_its_place_is_given():
    """Whatever touches first, on level ground and on a slope."""
    robot = art.load("quadruped", floating_base=True)

    def lowest(*options, off=(0, 0, 1)):
        ground = initial_state.ground_of(*options[:1], "")
        q = initial_state.put_down(robot, np.array(options[2]), options[1], ground)
        return min(np.dot(off, robot.pose(q, foot)[:3, 3]) for foot in FEET) - 0.02, q

    home, bent = robot.poses["home"], robot.neutral()
    for q in (home, bent):
        for text in ("", "FL_HFE=0.3"):
            assert abs(lowest("flat", text, q)[0]) < 1e-12
    assert abs(lowest("height=0.5", "", bent)[0] - 0.5) < 1e-12
    assert abs(lowest("slope=10deg", "", bent, off=(-np.sin(np.pi / 18), 0, np.cos(np.pi / 18)))[0]) < 1e-12
    for text in ("floating_base_z=0.3", "home", "0 0 1", "random:1"):
        assert np.array_equal(lowest("flat", text, bent)[1], bent)
    assert initial_state.put_down(robot, bent, "", None) is bent


def test_without_words_it_begins_within_its_limits():
    panda = configuration(art.load("panda").lock({}), "")
    arm = art.build([art.Link("arm", None, art.Revolute(limits=art.Limits(0.3, 0.9)), inertia=art.Inertia(1.0))])
    assert configuration(arm, "").tolist() == [0.3] and panda.shape == (7,)


#: what bears them: balls, corners of a foot, a ball below a cylinder
STANDING = {"quadruped": 4, "humanoid": 8, "g1_29dof_rev_1_0": 8, "anymal_c_simple_description/anymal": 4}


@pytest.mark.parametrize("robot", STANDING)
def test_the_whole_body_law_stands(robot):
    options = ["--ground", "friction=0.6", "--controller", "whole-body", "--duration", "0.06", "--dt", "0.002"]
    told = run("simulate", robot, "--floating", *options, "--json").json
    assert len(standing(told["contact"])) == STANDING[robot] and told["contact"]["residual"] <= 1e-6
    assert np.abs(np.array(told["v"])).max() < 0.05


def test_meshes_touch_the_ground_by_their_hulls():
    options = ["solo12", "--floating", "--ground", "flat", "--duration", "0.02"]
    refused = run("simulate", *options)
    assert refused.code == 3 and "--hulls" in refused.err and "--feet" in refused.err
    told = run("simulate", *options, "--hulls", "--json").json
    assert {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"} <= {x.split(".")[0] for x in told["contact"]["names"]}
    assert standing(told["contact"]) and told["contact"]["residual"] <= 1e-6


def test_soles_lie_between_the_lowest_corners():
    """Within the sole of the humanoid, whose corners are balls; turned in place it is the same in its axes."""
    robot, ground = art.load("humanoid", floating_base=True), art.Ground()
    q = robot.poses["home"]
    found = default_controllers.soles(robot, ground, q)
    assert sorted(found) == ["left_ankle_roll_link", "right_ankle_roll_link"]
    assert np.allclose(found["left_ankle_roll_link"], ((-0.075, 0.135), (-0.045, 0.045)), atol=1e-12)
    dv = np.zeros(robot.nv)
    dv[5] = 1.0
    for name, sole in default_controllers.soles(robot, ground, robot.integrate(q, dv)).items():
        assert np.allclose(sole, found[name], atol=1e-12)


def test_pictures_and_words(here):
    pytest.importorskip("matplotlib")
    done = run("simulate", "2r", "-d", "0.05", "--plot", "a.svg", "--kind", "phase-portraits", "--save", "a.csv")
    assert done.code == 0 and done.out.endswith("wrote a.svg\nwrote a.csv\n"), done.err
    assert sorted(path.name for path in here.iterdir()) == ["a.csv", "a.svg"]


def test_a_robot_without_shapes_is_asked_for_its_feet(here):
    art.save(art.from_dh([art.DH(0, 0, 1, 0)]), here / "rod.toml")
    done = run("simulate", "rod.toml", "--ground", "flat", "--save", "a.npz")
    assert done.code == 3 and "nothing of" in done.err and "name its feet" in done.err and "--feet" in done.err
    assert [path.name for path in here.iterdir()] == ["rod.toml"]


@pytest.mark.parametrize("options, words, code", [
    (["--dt", "0"], "a time step above zero", 3), (["--dt", "-1"], "a time step above zero", 3),
    (["--dt", "nan"], "a time step above zero", 3), (["--duration", "0"], "a time above zero", 3),
    (["--dt", "x"], "not a valid float", 2), (["--method", "rk5"], "did you mean 'rk4'", 3),
    (["--every", "7"], "does not divide", 3), (["--q", "1 2 3"], "--q has 3 numbers", 3),
    (["--v", "1 2 3"], "--v has 3 numbers", 3), (["--controller", "pid"], "did you mean 'pd'", 3),
    (["--controller", "pd", "--target", "1 2 3"], "--target has 3 numbers", 3),
    (["--controller", "pd", "--stiffness", "x"], "--stiffness", 3),
    (["--controller", "pd", "--stiffness", "-1"], "negative eigenvalue", 3),
    (["--controller", "pd", "--stiffness", "1,2,3"], "--stiffness has 3 numbers", 3),
    (["--controller", "pd", "--damping", ","], "--damping", 3), (["--stiffness", "1"], "go with --controller", 2),
    (["--controller", "pd", "--tau", "1"], "without --controller", 2), (["--feet", "a"], "goes with --ground", 2),
    (["--ground", "hilly"], "it is flat, or friction=", 3), (["--ground", "friction=-1"], "friction", 3),
    (["--ground", "friction=x"], "--ground friction", 3),
    (["--ground", "flat", "--feet", "knee"], "no frame 'knee'", 3),
    (["--ground", "flat", "--method", "rk4", "--feet", "link2"], 'needs method="euler"', 3),
    (["--floating", "--controller", "pd"], "floating base", 2),
    (["--controller", "whole-body"], "needs a floating base", 2),
    (["--floating", "--ground", "flat", "--feet", "link2", "-c", "whole-body", "--damping", "1"], "takes neither", 2),
    (["--plot", "a.gif"], ".png, .svg, .pdf", 3), (["--kind", "energies"], "--kind goes with --plot", 2),
    (["--save", "a.pkl"], ".npz, .parquet, .csv", 3), (["--save", "gone/a.npz"], "no such folder", 3),
    (["--plot", "a.png", "--kind", "torque", "--save", "a.npz"], "did you mean 'torques'", 3),
    (["--plot", "a.png", "--kind", "footfalls", "--save", "a.npz"], "has none", 3),
    (["--dt", "1", "-d", "400", "-c", "pd", "--damping", "1e6", "-m", "rk4", "--save", "a.npz"], "t = ", 3),
])  # fmt: skip
def test_mistakes_leave_nothing(options, words, code, here):
    pytest.importorskip("matplotlib")
    done = run("simulate", "2r", "--duration", "0.01", *options, "--json")
    assert done.code == code and words in done.err and words in done.json["error"]["text"], done.err
    assert not list(here.iterdir())
