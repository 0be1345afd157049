"""Every command: the right numbers, one JSON object that says its schema, data on stdout."""

import json

import numpy as np
import pytest

import articulated as art
from tests.files.mjcf_models import MODELS

from .command import run

ROBOT = art.load("ur5")
Q, V, A = [0.1, -0.2, 0.3, 0.4, 0.5, -0.6], [0.5] * 6, [0.25] * 6
STATE = ["--q", " ".join(map(str, Q)), "--v", "0.5"]
HAND = ROBOT.frame_names[-1]
EXAMPLES = {
    "robots": [], "info": ["2r"], "tree": ["2r"], "check": ["2r"], "explain": ["URDF024"], "doctor": [], "cache": [],
    "convert": ["2r", "out.urdf"], "compare": ["2r", "--with", "pinocchio", "--states", "2"],
    "view": ["2r", "--export", "2r.html"],
    **{name: ["2r"] for name in ("fk", "jacobian", "id", "fd", "mass", "bias", "energy", "regressor")},
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_command_speaks_json(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name == "compare":
        pytest.importorskip("pinocchio")
    if name == "view":
        pytest.importorskip("viser")
    result = run(name, *EXAMPLES[name], "--json")
    assert result.code == 0 and result.err.count("Traceback") == 0
    assert (result.json["schema"], result.json["command"]) == ("articulated/1", name)
    assert result.out.count("\n") == 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_command_has_help_and_is_documented(name, request):
    result = run(name, "--help")
    assert result.code == 0 and "--json" in result.out
    page = (request.config.rootpath / "docs" / "cli.md").read_text(encoding="utf-8")
    assert f"articulated {name}" in page


@pytest.mark.parametrize(
    ("command", "key", "expected"),
    [
        (["fk", "-f", HAND], "pose", ROBOT.pose(Q, HAND)),
        (["jacobian"], "J", ROBOT.jacobian(Q, HAND)),
        (["jacobian", "--axes", "frame"], "J", ROBOT.jacobian(Q, HAND, axes="frame")),
        (["mass"], "M", ROBOT.mass_matrix(Q)),
        (["bias", "--v", "0.5"], "h", ROBOT.bias_forces(Q, V)),
        (["id", "--v", "0.5", "--a", "0.25"], "tau", ROBOT.inverse_dynamics(Q, V, A)),
        (["fd", "--v", "0.5", "--tau", "0.25"], "a", ROBOT.forward_dynamics(Q, V, A)),
        (["regressor", "--v", "0.5", "--a", "0.25"], "Y", ROBOT.regressor(Q, V, A)),
        (["energy", "--v", "0.5"], "energy", [ROBOT.kinetic_energy(Q, V), ROBOT.potential_energy(Q)]),
    ],
    ids=lambda x: x[0] if isinstance(x, list) and isinstance(x[0], str) else "",
)
def test_the_numbers_are_the_librarys(command, key, expected):
    result = run(command[0], "ur5", *STATE[:2], *command[1:], "--json")
    found = np.array(result.json[key])
    if key == "energy":
        assert found[2] == found[0] + found[1]
        found = found[:2]
    assert result.code == 0 and (found == np.array(expected)).all()
    assert [len(axis) for axis in result.json["axes"]] == list(np.array(result.json[key]).shape)


def test_states_by_name_by_angle_and_by_chance():
    by_name = run("id", "2r", "--q", "joint2=pi/2,joint1=90deg", "--json").json
    assert by_name["q"] == [np.pi / 2, np.pi / 2] and by_name["v"] == [0, 0]
    first, again, other = (run("id", "2r", "--q", q, "--json").json["q"] for q in ("random:3", "random:3", "random:4"))
    assert first == again != other
    assert run("id", "2r", "--q", "-0.5,1e-1", "--json").json["q"] == [-0.5, 0.1]


def test_a_floating_base_has_named_components():
    result = run("id", "quadruped", "--floating", "--q", "floating_base_z=0.5", "--json").json
    assert result["q"][:7] == [0, 0, 0.5, 0, 0, 0, 1]
    assert result["axes"][0][:6] == [f"floating_base_{part}" for part in ("x", "y", "z", "rx", "ry", "rz")]


def test_what_people_see():
    assert "panda" in run("robots").out
    info = run("info", "2r").out
    assert "nq = 2" in info and "joint1" in info and "revolute" in info
    assert run("tree", "2r").out.splitlines()[1].startswith("└─ link2")
    assert run("id", "2r").out.splitlines()[0].split()[0] == "joint1"
    assert run("mass", "2r").out.startswith("[[")
    assert "swapped" in run("explain", "urdf024").out
    assert run("explain").out.count("URDF0") > 40
    assert run("--version").out == f"articulated {art.__version__}\n"


def test_doctor_tests_itself():
    result = run("doctor", "--json").json
    assert result["ok"] and result["self_test"].startswith("passed") and result["packages"]["numpy"] == np.__version__
    assert "self-test" in run("doctor").out


def test_doctor_says_how_kernels_are_called(monkeypatch):
    assert run("doctor", "--json").json["calls"].startswith(("in C", "through Python"))
    monkeypatch.setenv("ARTICULATED_EXTENSION", "off")
    result = run("doctor", "--json")
    assert result.code == 0 and "switched off by ARTICULATED_EXTENSION" in result.json["calls"]
    assert "through Python (switched off" in result.json["kernels"] or "NumPy" in result.json["kernels"]


def test_a_failed_self_test_is_a_problem(monkeypatch):
    monkeypatch.setattr("articulated.robot.Robot.inverse_dynamics", lambda *_: np.ones(7))
    result = run("doctor", "--json")
    assert result.code == 1 and not result.json["ok"]


def test_the_cache_can_be_cleared(tmp_path, monkeypatch):
    monkeypatch.setenv("ARTICULATED_CACHE", str(tmp_path / "kernels"))
    tmp_path.joinpath("kernels").mkdir(mode=0o700)
    tmp_path.joinpath("kernels", "old").write_bytes(b"12345")
    assert run("cache", "--json").json["bytes"] == 5
    assert run("cache", "--clear", "--json").json["cleared"] and not list(tmp_path.joinpath("kernels").iterdir())
    monkeypatch.setenv("ARTICULATED_CACHE", "off")
    assert "off" in run("cache").out and run("cache", "--json").json["directory"] is None


@pytest.mark.parametrize("peer", ["pinocchio", "mujoco"])
@pytest.mark.parametrize("floating", [[], ["--floating"]])
def test_peers_agree(peer, floating):
    pytest.importorskip(peer)
    result = run("compare", "ur5", "--with", peer, "--states", 3, *floating, "--json")
    assert result.code == 0, result.out
    assert len(result.json["terms"]) >= 3 and all(row["error"] < 1e-12 for row in result.json["terms"])


@pytest.mark.parametrize("model", MODELS)
def test_mujoco_agrees_on_its_own_files(model, tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "model.xml").write_text(MODELS[model])
    result = run("compare", tmp_path / "model.xml", "--with", "mujoco", "--states", 3, "--json")
    assert result.code == 0, result.err
    assert len(result.json["terms"]) >= 3 and all(row["error"] < 1e-12 for row in result.json["terms"])


def test_a_difference_names_the_body(monkeypatch):
    pytest.importorskip("pinocchio")
    from articulated.cli import oracles

    original = oracles.load

    def heavier(*arguments, **options):
        robot = original(*arguments, **options)
        return robot.replace("forearm_link", inertia=art.Inertia(9.0)) if "forearm_link" in robot.frame_names else robot

    # theirs is read from the text of the first call, ours from the second
    calls = iter([original, heavier])
    monkeypatch.setattr(oracles, "load", lambda *a, **o: next(calls)(*a, **o))
    result = run("compare", "ur5", "--with", "pinocchio", "--json")
    assert result.code == 1
    wrong = {row["term"]: row["body"] for row in result.json["terms"] if not row["ok"]}
    assert set(wrong) == {"mass matrix", "bias", "gravity"} and set(wrong.values()) == {"forearm_link"}


def test_json_is_strict():
    text = run("info", "2r", "--json").out
    json.loads(text, parse_constant=pytest.fail)
    assert json.loads(text)["joints"][0]["limits"]["lower"] is None


ONE_JOINT = {
    "hinge": '[[link]]\nname = "a"\njoint = "continuous"\nmass = 1\ncom = [0, 0, 1]\ninertia = [1, 1, 1]\n',
    "slide": '[[link]]\nname = "a"\njoint = "prismatic"\nlimits = [-1, 1]\nmass = 1\ninertia = [1, 1, 1]\n',
    "ground": '[[link]]\nname = "w"\n[[link]]\nname = "a"\nparent = "w"\njoint = "revolute"\n'
              'mass = 1\ninertia = [1, 1, 1]\n',
}  # fmt: skip


@pytest.mark.parametrize("kind", ONE_JOINT)
@pytest.mark.parametrize("peer", ["pinocchio", "mujoco"])
def test_compare_a_robot_with_one_joint(kind, peer, tmp_path):
    pytest.importorskip(peer)
    (tmp_path / "one.toml").write_text(ONE_JOINT[kind])
    result = run("compare", tmp_path / "one.toml", "--with", peer)
    assert result.code == 0 and result.out.count("same") >= 3


def test_compare_a_robot_that_does_not_move(tmp_path):
    (tmp_path / "none.toml").write_text('[[link]]\nname = "a"\nmass = 1\n')
    result = run("compare", tmp_path / "none.toml")
    assert result.code == 3 and "no joint that moves" in result.err


def test_info_says_what_moves_and_what_it_weighs_in_all():
    assert "6 kg moving, 12 kg in total" in run("info", "quadruped").out
    assert run("info", "quadruped", "--json").json["total_mass"] == pytest.approx(12)
    assert "12 kg" in run("info", "quadruped", "--floating").out and "in all" not in run("info", "2r").out
