"""`run.animate`: files that other programs read, with the pictures they should have."""

import io

import numpy as np
import pytest

import articulated as art
from articulated.simulation.trajectory.animation import ground, moments, smoothed

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install 'articulated[view]'")
pytest.importorskip("trimesh", reason="trimesh is not installed: pip install 'articulated[view]'")


@pytest.fixture(scope="module")
def swing():
    return art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)


def test_a_gif_has_its_pictures_size_and_time(swing, tmp_path):
    swing.animate(tmp_path / "swing.gif", size=(80, 60), fps=20, speed=0.5)
    with Image.open(tmp_path / "swing.gif") as file:
        assert file.size == (80, 60) and file.n_frames == 9 and file.info["duration"] == 50 and file.info["loop"] == 0
        first = np.array(file.convert("RGB"), int)
        file.seek(8)
        assert abs(np.array(file.convert("RGB"), int) - first).max() > 40  # it moves


def test_an_mp4_plays(swing, tmp_path):
    av = pytest.importorskip("av")
    swing.animate(tmp_path / "swing.mp4", size=(81, 60), fps=25, dark=True)
    with av.open(tmp_path / "swing.mp4") as file:
        frames = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
        assert file.streams.video[0].codec_context.name == "h264" and file.streams.video[0].average_rate == 25
    assert len(frames) == 6 and frames[0].shape == (60, 80, 3) and frames[0].mean() < 100


def test_a_picture_shows_the_last_moment_of_the_first_run(swing, tmp_path):
    swing.animate(tmp_path / "end.png", size=(80, 60))
    both = art.simulate(swing.robot, [swing.q[0], [1.0, 1.0]], duration=0.2)
    both.animate(tmp_path / "first.png", size=(80, 60))
    swing[-1:].animate(tmp_path / "only.png", size=(80, 60))
    end, first, only = (np.array(Image.open(tmp_path / f"{name}.png"), int) for name in ("end", "first", "only"))
    assert np.array_equal(end, first) and np.array_equal(end, only) and end.shape == (60, 80, 3)


def test_forces_and_pushes_are_drawn_and_can_be_left_out(tmp_path):
    robot = art.load("quadruped", floating_base=True)
    home, push = robot.poses["home"], {"base": np.array([0.0, 60.0, 0, 0, 0, 0])}
    springs = lambda t, q, v: np.concatenate([np.zeros(6), 100 * (home - q)[7:] - 1 * v[6:]])  # noqa: E731
    run = art.simulate(robot, home, duration=0.1, torque=springs, contacts=art.Ground(2.0), forces=push)

    def inks(**options):
        run.animate(tmp_path / "dog.png", size=(160, 120), **options)
        red, green, blue = np.moveaxis(np.array(Image.open(tmp_path / "dog.png"), int), -1, 0)
        return (green > red + 50).sum(), (red > blue + 90).sum()

    assert min(inks()) > 15 and inks(forces=False) == (0, 0)


def test_ways_obstacles_and_payloads_are_drawn(swing, tmp_path):
    from articulated.model.shapes import Sphere

    def inks(run, **options):
        run.animate(tmp_path / "x.png", size=(120, 90), **options)
        red, green, blue = np.moveaxis(np.array(Image.open(tmp_path / "x.png"), int), -1, 0)
        return (red > blue + 80).sum(), (green > red + 60).sum()

    assert inks(swing) == (0, 0)
    wall = Sphere(0.3, placement=art.Transform(p=(0, 1.0, 0)), color=(0.0, 0.8, 0.0))
    assert inks(swing, obstacles=[wall])[1] > 30
    assert inks(swing, paths=["tip"])[0] > 5
    loaded = art.load("2r").attach("tip", art.Inertia(20.0))
    assert inks(art.simulate(loaded, [0.5, 0.0], duration=0.01))[0] > 15
    swing.animate(tmp_path / "way.gif", size=(120, 90), paths=["tip"], fps=20)
    with Image.open(tmp_path / "way.gif") as file:
        file.seek(file.n_frames - 1)
        red, _, blue = np.moveaxis(np.array(file.convert("RGB"), int), -1, 0)
    assert (red > blue + 80).sum() > 5
    with pytest.raises(art.ShapeError, match="obstacles are shapes"):
        swing.animate(tmp_path / "x.png", obstacles=[3])
    with pytest.raises(art.UnknownName, match="tipp"):
        swing.animate(tmp_path / "x.png", paths=["tipp"])


def test_the_ground_is_that_of_the_contacts():
    robot = art.load("quadruped", floating_base=True)
    q = robot.integrate(robot.poses["home"], [0, 0, 0.2, *[0] * 15])
    tilted = art.simulate(robot, q, duration=0.01, contacts=art.Ground(slope=0.2))
    points = np.zeros((len(tilted), 1, 3))
    found = ground(tilted, points)
    assert (
        np.allclose(found[:3, 2], tilted.contact.normals[0, 0]) and abs(found[2, 3] - found[0, 3] * np.tan(0.2)) < 1e-6
    )
    free = art.simulate(robot, q, duration=0.01)
    assert np.allclose(ground(free, points - np.array([0, 0, 2.0])), np.eye(4))
    hanging = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.01)
    assert ground(hanging, points - np.array([0, 0, 2.0]))[2, 3] == -2.0


def test_the_camera_follows_smoothly_and_keeps_up(rng):
    path = np.cumsum(rng.normal(size=(50, 3)), axis=0)
    line = np.linspace([0, 0, 0], [1, 2, 0], 50)
    assert np.allclose(smoothed(line, 15), line) and np.allclose(smoothed(path, 0), path)
    assert np.ptp(np.diff(smoothed(path, 15), axis=0)) < np.ptp(np.diff(path, axis=0))


def test_times_of_pictures():
    t = np.linspace(1.0, 3.0, 201)
    assert np.allclose(moments(t, 25, 1.0), np.arange(51) / 25 + 1)
    assert np.allclose(moments(t[:1], 25, 1.0), [1.0]) and len(moments(t, 25, 0.5)) == 101
    with pytest.raises(art.ShapeError, match="more than 3000"):
        moments(t, 60, 0.01)


@pytest.mark.parametrize(
    ("path", "options", "text"),
    [
        ("x.avi", {}, r"ends in \.gif, \.mp4, \.png"), ("x.gif", {"size": 3}, "width, height"),
        ("x.gif", {"size": (8, 99999)}, "size"), ("x.gif", {"fps": 0}, "fps"), ("x.gif", {"speed": 0}, "speed"),
        ("x.gif", {"dark": 3}, "dark"), ("x.gif", {"view_from": (0, 0, 0)}, "view_from"),
        ("x.gif", {"meshes": "some"}, "meshes"), ("x.gif", {"follow": "no"}, "follow"), (3, {}, "animate"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_said(swing, path, options, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(art.ArticulatedError, match=text):
        swing.animate(path, **options)
    assert not list(tmp_path.iterdir())


def test_seen_from_straight_above_and_of_a_robot_that_cannot_move(tmp_path):
    rock = art.build([art.Link("rock", inertia=art.Inertia(1.0))])
    still = np.zeros((1, 0))
    run = art.Trajectory(rock, [0.0], still, still, still, still)
    run.animate(tmp_path / "rock.png", size=(32, 24), view_from=(0, 0, 1))
    assert Image.open(io.BytesIO((tmp_path / "rock.png").read_bytes())).size == (32, 24)
