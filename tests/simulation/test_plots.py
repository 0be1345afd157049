"""Every kind of picture, of every kind of robot and batch, as PNG, SVG and PDF; whole or not at all."""

import re

import numpy as np
import pytest

import articulated as art
from articulated.simulation.trajectory.plots import KINDS, style
from articulated.simulation.trajectory.plots import contacts as contact_plots
from articulated.simulation.trajectory.plots.joints import roll_pitch_yaw, series
from articulated.simulation.trajectory.plots.tree import places
from tests.near import near
from tests.zoo import ZOO, random_tree

from .rollouts import FEET, contacts, dog, rollout, scattered

matplotlib = pytest.importorskip("matplotlib")
MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def runs():
    return {"one": dog(30), "few": dog(12, (3,)), "many": dog(12, (4, 5)), "short": dog(1)}


def texts(figure):
    return [text.get_text() for text in figure.findobj(matplotlib.text.Text) if text.get_text()]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "law"])  # tests/control/test_history.py
@pytest.mark.parametrize("which", ["many", "short"])
def test_every_kind_of_every_batch(kind, which, runs, tmp_path):
    chosen = ["FL_HAA", "HR_KFE"] if kind == "phase_portraits" else ["floating_base", "FL_HAA", "HR_KFE"]
    fewer = {} if KINDS[kind].whole else {"joints": chosen}  # fewer panels are faster
    figure = runs[which].plot(kind, tmp_path / "out.png", dpi=40, **fewer)
    assert (tmp_path / "out.png").read_bytes().startswith(MAGIC["png"])
    assert any(text.startswith("quadruped: ") for text in texts(figure))


@pytest.mark.parametrize("kind", ["positions", "contact_forces", "phase_portraits"])
def test_a_few_runs_are_lines(kind, runs, tmp_path):
    fewer = {} if KINDS[kind].whole else {"joints": ["FL_HAA"]}
    figure = runs["few"].plot(kind, tmp_path / "out.png", dpi=40, **fewer)
    assert len(figure.axes[0].lines) >= 3 and any("3 runs" in text or "3 of 3" in text for text in texts(figure))


def test_formats(runs, tmp_path):
    for ending, magic in MAGIC.items():
        path = tmp_path / f"out.{ending}"
        runs["one"].plot("energies", path, size=(3, 3))
        assert path.read_bytes().startswith(magic)
    runs["one"].plot("energies", str(tmp_path / "OUT.SVG"), size=(3, 3))
    assert (tmp_path / "OUT.SVG").read_bytes().startswith(MAGIC["svg"])


@pytest.mark.parametrize("robot", [r for r in ZOO if len(r.joint_names) == 1], ids=lambda robot: robot.name)
def test_every_kind_of_joint(robot, tmp_path):
    figure = scattered(robot, 4).plot("positions", tmp_path / "out.svg")
    assert any(text.startswith(robot.joint_names[0]) for text in texts(figure))


def test_labels_have_units_and_names(runs):
    figure = runs["one"].plot("torques", joints=["floating_base", "FL_KFE"])
    matplotlib.pyplot.close(figure)
    found = texts(figure)
    assert "FL_KFE (N m)" in found and "floating_base force (N)" in found and "t (s)" in found
    figure = runs["many"].plot("contact_forces")
    matplotlib.pyplot.close(figure)
    assert {f"{foot} (N)" for foot in FEET} <= set(texts(figure))
    assert any("5 … 95 % of 20 runs" in text for text in texts(figure))


def test_chosen_joints(runs):
    figure = runs["one"].plot("positions", joints=["FL_KFE", "HR_HAA"])
    matplotlib.pyplot.close(figure)
    titles = {text for text in texts(figure) if text.endswith("(rad)")}
    assert titles == {"FL_KFE (rad)", "HR_HAA (rad)"}


def test_very_many_joints_are_a_map(tmp_path):
    robot = random_tree(3, 45, ["revolute"])
    numbers = np.zeros((4, robot.nv))
    run = art.Trajectory(robot, np.arange(4.0), numbers, numbers, numbers, numbers + np.arange(robot.nv))
    figure = run.plot("torques", tmp_path / "out.png", dpi=40)
    assert len(figure.axes) < 5 and "link7" in texts(figure)


def test_names_that_hold_anything(tmp_path):
    odd = ["$x$ $", "a\nb", "\x1b[31m", "関節" * 60, r"\frac{$"]
    links = [art.Link("base")]
    for name in odd:
        inertia = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]))
        links.append(art.Link(f"link {name}", links[-1].name, art.Revolute(name=name), inertia=inertia))
    run = rollout(art.build(links, name="$\\alpha"), 3)
    for kind in ("overview", "mass_matrix", "tree"):
        run.plot(kind, tmp_path / f"{kind}.png", dpi=40)
        assert (tmp_path / f"{kind}.png").stat().st_size > 1000


def test_limits_are_drawn_where_they_matter():
    robot = art.load("panda")
    q = np.zeros((3, 7))
    q[:, 3], q[:, 5], q[:, 0] = -1.5, 1.5, [0, 2.8, 3.5]
    zero = np.zeros((3, 7))
    figure = art.Trajectory(robot, [0, 1, 2], q, zero, zero, zero).plot("positions", joints="panda_joint1")
    matplotlib.pyplot.close(figure)
    (axes,) = figure.axes
    low, high = axes.get_ylim()
    drawn = [line.get_ydata()[0] for line in axes.lines if line.get_color() == style.RED]
    assert [x for x in drawn if low < x < high] == [pytest.approx(2.8973)] and len(axes.patches) == 2
    assert "lower limit −2.897, upper limit 2.897" in texts(figure)


def test_the_colors_of_the_mass_matrix_say_that_they_are_logarithmic():
    figure = rollout(art.load("quadruped", floating_base=True), 3).plot("mass_matrix")
    matplotlib.pyplot.close(figure)
    bar = next(axes for axes in figure.axes if "logarithmic" in axes.get_ylabel())
    assert {"−12", "−1", "−0.1", "0", "0.1", "1", "12"} <= {label.get_text() for label in bar.get_yticklabels()}


def test_an_impact_runs_out_of_the_panel_and_is_written():
    force = np.full((300, 4), 10.0)
    force[100, 2] = 500.0
    assert contact_plots.usual(force[:, 0]) == 10 and 12 < contact_plots.usual(force[:, 2]) < 13
    found = contacts(300)
    forces = force[..., None] * np.array([0.0, 0.0, 1.0])
    names = ("positions", "normals", "gaps", "frictions", "states", "residual")
    contact = art.ContactHistory(FEET, forces, **{name: getattr(found, name) for name in names})
    robot = art.load("quadruped", floating_base=True)
    still = np.zeros((300, robot.nv))
    run = art.Trajectory(robot, np.arange(300) * 1e-3, np.tile(robot.neutral(), (300, 1)), still, still, still, contact)
    figure = run.plot("contact_forces")
    matplotlib.pyplot.close(figure)
    assert texts(figure).count("impact: 500 N = impulse / dt") == 1 and figure.axes[4].get_ylim()[1] < 15


def test_noise_is_drawn_flat_and_a_free_base_without_forces_is_left_out():
    robot = art.load("quadruped", floating_base=True)
    tau = np.zeros((5, robot.nv))
    tau[:, 6] = 1e-9 * np.arange(5)
    tau[:, 7] = np.arange(5)
    run = art.Trajectory(robot, np.arange(5.0), np.tile(robot.neutral(), (5, 1)), 0 * tau, 0 * tau, tau)
    figure = run.plot("torques")
    matplotlib.pyplot.close(figure)
    assert not any("floating_base" in text for text in texts(figure))
    assert np.ptp(figure.axes[0].get_ylim()) > 1e-3
    base = run.plot("torques", joints="floating_base")
    matplotlib.pyplot.close(base)
    assert "floating_base force (N)" in texts(base)


def test_the_noise_of_a_joint_that_rests_is_no_portrait():
    robot = art.load("2r")
    t = np.linspace(0, 1, 50)
    q, v = np.stack([np.sin(6 * t), 1e-9 * np.sin(90 * t)], axis=1), np.stack([6 * np.cos(6 * t), 0 * t + 1e-8], axis=1)
    figure = art.Trajectory(robot, t, q, v, 0 * v, 0 * v).plot("phase_portraits")
    matplotlib.pyplot.close(figure)
    moving, resting = figure.axes[:2]
    assert 2 < np.ptp(moving.get_xlim()) < 2.5 and 12 < np.ptp(moving.get_ylim()) < 14
    assert np.ptp(resting.get_xlim()) > 1e-3 and np.ptp(resting.get_ylim()) > 1e-2


def test_no_joint_that_moves(tmp_path):
    robot = art.build([art.Link("block", inertia=art.Inertia(1.0))])
    run = art.Trajectory(robot, [0.0, 1.0], *[np.zeros((2, 0))] * 4)
    for kind in ("positions", "torques", "mass_matrix", "phase_portraits"):
        with pytest.raises(art.ShapeError, match="joint"):
            run.plot(kind, tmp_path / "out.png")
    for kind in ("energies", "overview", "tree"):
        run.plot(kind, tmp_path / "out.png", dpi=30)


def test_portraits_say_which_joints_have_none(runs, tmp_path):
    words = "not shown, with more than one coordinate: floating_base"
    assert words in texts(runs["one"].plot("phase_portraits", tmp_path / "out.png", dpi=30))
    with pytest.raises(art.ShapeError, match="joints: floating_base has several coordinates"):
        runs["one"].plot("phase_portraits", joints=["floating_base", "FL_HAA"])
    alone = runs["one"].plot("phase_portraits", tmp_path / "out.png", dpi=30, joints=["FL_HAA"])
    assert not any("not shown" in text for text in texts(alone))


def test_one_sample_is_a_dot(runs, tmp_path):
    for kind, more in (("energies", {}), ("positions", {"joints": "FL_HAA"})):
        figure = runs["short"].plot(kind, tmp_path / "out.png", dpi=30, **more)
        assert figure.axes[0].lines[0].get_marker() == "o"


def test_footfalls_are_the_samples_in_contact():
    states = np.zeros((6, 4), int)
    states[1:3, 0], states[3, 0], states[4:, 1] = 1, 2, 1
    found = contacts(6)
    names = ("forces", "positions", "normals", "gaps", "frictions", "residual")
    contact = art.ContactHistory(FEET, states=states, **{name: getattr(found, name) for name in names})
    figure = dog(6, contact=contact).plot("footfalls")
    matplotlib.pyplot.close(figure)
    bars = [(c.get_facecolor()[0], p.get_extents()) for c in figure.axes[0].collections for p in c.get_paths()]
    spans = {
        (matplotlib.colors.to_hex(ink), round(b.y0 + 0.3), round(b.x0 * 1e3), round(b.x1 * 1e3)) for ink, b in bars
    }
    assert spans == {(style.BLUE, 0, 1, 3), (style.RED, 0, 3, 4), (style.BLUE, 1, 4, 5)}


def test_long_lines_are_drawn(rng, tmp_path):
    noise = rng.normal(size=(200_000, 2))
    run = art.Trajectory(art.load("2r"), np.arange(200_000.0), *[noise] * 4)
    run.plot("positions", tmp_path / "out.png", joints="joint1", dpi=40)
    assert (tmp_path / "out.png").stat().st_size > 1000


def test_roll_pitch_yaw(rng):
    angles = rng.uniform(-1.4, 1.4, (5, 3))
    half = angles / 2
    c, s = np.cos(half).T, np.sin(half).T
    q = np.stack([
        s[0] * c[1] * c[2] - c[0] * s[1] * s[2], c[0] * s[1] * c[2] + s[0] * c[1] * s[2],
        c[0] * c[1] * s[2] - s[0] * s[1] * c[2], c[0] * c[1] * c[2] + s[0] * s[1] * s[2],
    ], axis=-1)  # fmt: skip
    assert near(roll_pitch_yaw(q), angles)
    turning = np.stack([np.zeros(50), np.zeros(50), np.sin(np.arange(50) / 5), np.cos(np.arange(50) / 5)], axis=-1)
    assert near(roll_pitch_yaw(turning)[:, 2], 2 * np.arange(50) / 5)  # several turns


@pytest.mark.parametrize("robot", ZOO, ids=lambda robot: robot.name)
def test_series_and_trees_hold_everything(robot):
    run = scattered(robot, 2)
    assert sum(len(each.lines) for each in series(run, "v")) == robot.nv
    at = places(robot.model)
    assert len(set(at.values())) == len(robot.links)  # no two links on one place
    for link in robot.links:
        if link.parent is not None:
            assert at[link.name][0] == at[link.parent][0] + 1


def test_a_long_chain_has_a_tree(tmp_path):
    links = [art.Link("l0", None, art.Revolute(), inertia=art.Inertia(1.0))]
    links += [art.Link(f"l{k}", f"l{k - 1}", art.Revolute(), inertia=art.Inertia(1.0)) for k in range(1, 1500)]
    assert len(places(art.build(links).model)) == 1500


def test_pictures_of_a_robot_alone(tmp_path):
    figure = art.plot_tree(art.load("panda"), tmp_path / "tree.svg")
    text = (tmp_path / "tree.svg").read_text("utf-8")
    assert all(name in text for name in ("panda_joint4", "panda_hand", "3.59 kg")) and "panda" in texts(figure)
    with pytest.raises(art.ShapeError, match="takes a robot first"):
        art.plot_tree("panda")


def test_without_a_file_pyplot_has_it(runs):
    figure = runs["one"].plot()
    assert figure.number in matplotlib.pyplot.get_fignums()
    matplotlib.pyplot.close(figure)
    before = matplotlib.pyplot.get_fignums()
    assert matplotlib.rcParams["axes.grid"] is False  # our style ends with the picture
    assert before == matplotlib.pyplot.get_fignums()


@pytest.mark.parametrize("options, words", [
    ({"kind": "torque"}, "did you mean 'torques'"), ({"kind": 3}, "kind ="), ({"path": "out.gif"}, r"\.png, \.svg"),
    ({"path": 3}, "path is the name"), ({"joints": ["knee"]}, "no joint 'knee'"), ({"joints": []}, "joints is empty"),
    ({"joints": 3}, "list of names"), ({"size": 3}, "size is"), ({"size": (0, 3)}, "size"), ({"dpi": 0}, "dpi"),
    ({"dpi": "a"}, "dpi"), ({"sise": 3}, "sise"),
])  # fmt: skip
def test_options_that_cannot_be(options, words, runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((art.ArticulatedError, TypeError), match=words):
        runs["one"].plot(**options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["energies", "contact_forces", "footfalls", "mass_matrix", "tree"])
def test_pictures_of_the_whole_robot_have_no_joints(kind, runs, tmp_path):
    with pytest.raises(art.ShapeError, match=f"plot: {kind} is of the whole robot, .* joints goes with overview, pos"):
        runs["one"].plot(kind, tmp_path / "out.png", joints=["FL_HAA"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["contact_forces", "footfalls"])
def test_contacts_where_there_are_none(kind, tmp_path):
    with pytest.raises(art.ShapeError, match="has none"):
        rollout(art.load("2r"), 2).plot(kind, tmp_path / "out.png")
    assert not list(tmp_path.iterdir())


def test_no_folder_no_picture(runs, tmp_path):
    with pytest.raises(OSError, match=re.escape(str(tmp_path / "gone" / "out.png"))):
        runs["one"].plot("energies", tmp_path / "gone" / "out.png")
