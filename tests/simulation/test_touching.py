"""Robots with more collision shapes than a step can hold: what does not stand on the ground is watched."""

import warnings

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Box, Sphere

G = 9.81
SIDE = 0.1


def legged(boxes=4):
    """A body with a belly of boxes, 8 corners each, on three legs that are welded at first: balls 0.3 m below it."""
    inertia = art.Inertia(3.0, (0, 0, 0), np.diag([0.1, 0.1, 0.1]))
    belly = tuple(Box((SIDE, SIDE, 0.1 - 0.01 * k), collision=True) for k in range(boxes))
    links = [art.Link("trunk", None, art.Floating(), inertia=inertia, shapes=belly)]
    for k, (x, y) in enumerate(((0.2, 0.0), (-0.1, 0.2), (-0.1, -0.2))):
        leg = art.Prismatic((0, 0, -1), name=f"leg{k}")
        own = art.Inertia(0.2, (0, 0, 0), np.eye(3) * 1e-3)
        shapes = (Sphere(0.02, collision=True),)
        place = art.Transform(p=(x, y, 0))
        links.append(art.Link(f"foot{k}", "trunk", leg, placement=place, inertia=own, shapes=shapes))
    robot = art.build(links, name="legged")
    return robot, np.array([0, 0, 0.32, 0, 0, 0, 1, 0.3, 0.3, 0.3])


def holding(strength):
    """Springs about the legs' lengths, with the weight of the trunk ahead."""

    def law(t, q, v):
        return [0.0] * 6 + [strength * (G + 800 * (0.3 - q[7 + k]) - 40 * v[6 + k]) for k in range(3)]

    return law


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", art.ModelWarning)
        yield


def test_it_stands_on_its_feet_and_says_so():
    robot, q = legged()
    with pytest.warns(art.ModelWarning, match=r"35 points .* those of 'foot0', 'foot1', 'foot2' do"):
        run = art.simulate(robot, q, duration=0.3, contacts=art.Ground(), torque=art.traced(holding(1.0)))
    assert run.contact.names == ("foot0", "foot1", "foot2") and run.info["ended"] == "after its duration"
    assert abs(run.contact.normal[-1].sum() - 3.6 * G) < 0.05 * 3.6 * G
    named = art.Ground(feet={f"foot{k}": 0.02 for k in range(3)})
    other = art.simulate(robot, q, duration=0.3, contacts=named, torque=art.traced(holding(1.0)))
    assert np.array_equal(run.q, other.q)


@pytest.mark.parametrize("every", [1, 4])
@pytest.mark.parametrize("driven", ["free", "called"])
def test_where_another_touches_the_run_ends(driven, every):
    robot, q = legged()
    torque = None if driven == "free" else lambda t, q, v: 0 * v
    words = r"'trunk' of legged touches the ground before t = 0\.2.*feet=\{…, 'trunk'"
    with pytest.raises(art.Diverged, match=words) as e:
        art.simulate(robot, q, duration=0.4, contacts=art.Ground(), torque=torque, every=every)
    run = e.value.run
    assert run.info["ended"] == "where something touched that may not"
    # the belly, 5 cm below the trunk, falls 27 cm: the legs slide up without a force
    fallen = np.sqrt(2 * 0.27 / G)
    assert abs(run.t[-1] - fallen) < 0.002 + 1e-3 * every and run.q[-1, 2] > 0.05


def test_a_touch_between_samples_is_seen(monkeypatch):
    """A trunk that dips below the ground and comes back within one sample interval."""
    robot, q = legged()
    v = np.zeros(9)
    v[2], v[6:] = -6.0, -6.0  # it comes down, the feet stay where they are
    options = {"duration": 0.2, "contacts": art.Ground(), "torque": art.traced(springy)}
    with pytest.raises(art.Diverged) as fine:
        art.simulate(robot, q, v, **options)
    with pytest.raises(art.Diverged, match=r"touches the ground before t = 0.2 s") as coarse:
        art.simulate(robot, q, v, every=200, **options)
    assert len(coarse.value.run) == 1 and fine.value.run.t[-1] < 0.19
    monkeypatch.setattr("articulated.simulation.loop.rollout.PIECE", 1e-9)
    with pytest.raises(art.Diverged, match=r"touches the ground before t = 0.1 s"):
        art.simulate(robot, q, v, every=50, **options)


def springy(t, q, v):
    """So stiff that it throws the trunk up again."""
    return [0.0] * 6 + [500 * (0.3 - q[7 + k]) for k in range(3)]


def test_the_run_of_a_batch_that_touches_is_named():
    robot, q = legged()
    strengths = np.array([[0.0] * 9] * 3)
    strengths[[0, 2], 6:] = 1.2 * G
    torque = strengths[:, None] * np.ones((400, 1))
    with pytest.raises(art.Diverged, match="in state 1 of the batch"):
        art.simulate(robot, np.tile(q, (3, 1)), duration=0.4, contacts=art.Ground(), torque=torque)


def test_a_start_below_the_ground():
    robot, q = legged()
    q[2], q[7:] = 0.04, 0.02
    with pytest.raises(art.ModelError, match=r"'trunk' begins 0.01 m below the ground"):
        art.simulate(robot, q, duration=0.01, contacts=art.Ground())


def test_few_points_all_touch():
    robot, q = legged(boxes=1)
    run = art.simulate(robot, q, duration=0.4, contacts=art.Ground())
    assert len(run.contact.names) == 11 and run.contact.normal[-1, :8].max() > 0


def test_meshes_alone_name_the_frames_that_look_like_feet():
    body = art.Inertia(1.0, (0, 0, 0), np.eye(3) * 0.01)
    links = [
        art.Link("trunk", None, art.Floating(), inertia=body),
        art.Link("left_foot", "trunk", art.Revolute((0, 1, 0)), inertia=body),
    ]
    with pytest.raises(art.ModelError, match=r'name its feet, art.Ground\(feet=\["left_foot"\]\)'):
        art.simulate(art.build(links), [0, 0, 1, 0, 0, 0, 1, 0], duration=0.01, contacts=art.Ground())


def test_a_touch_before_a_terminal_event_is_no_event():
    robot, q = legged()
    v = np.zeros(9)
    v[2], v[6:] = -6.0, -6.0
    event = [(lambda t, q, v: t - 0.1505, {"terminal": True})]
    for torque in (springy, art.traced(springy)):
        options = {"duration": 0.2, "contacts": art.Ground(), "torque": torque, "every": 200, "events": event}
        # it has left the ground again at the sample, where nobody can tell what it was
        with pytest.raises(art.Diverged, match=r"something of legged touches .* every=1 tells what|'trunk'"):
            art.simulate(robot, q, v, **options)


def test_a_ball_beside_the_origin_of_its_link_is_proposed_as_a_frame():
    robot, q = legged()
    ball = Sphere(0.05, placement=art.Transform(p=(0, 0, -0.1)), collision=True)
    links = [k.replace(shapes=(*k.shapes, ball)) if k.name == "trunk" else k for k in robot.model.links]
    robot = art.build(links, name="with a ball")
    with pytest.raises(art.Diverged) as told:
        art.simulate(robot, q, duration=0.5, contacts=art.Ground())
    frame = "robot.add_frame(\"ball\", 'trunk', art.Transform(p=[0.0, 0.0, -0.1]))"
    assert f'art.Ground(feet={{…, "ball": 0.05}}) of {frame}' in str(told.value)
    feet = {**dict.fromkeys(["foot0", "foot1", "foot2"], 0.02), "ball": 0.05}
    lying = art.simulate(eval(frame), q, duration=0.5, contacts=art.Ground(feet=feet))
    assert lying.contact.gaps.min() > -1e-5


def test_links_without_shapes_beyond_the_feet_change_nothing():
    robot, q = legged()
    tip = art.Link("tip", "foot0", art.Fixed(), placement=art.Transform(p=(0, 0, 0.01)))
    toe = art.Link(
        "toe", "foot0", art.Revolute((0, 1, 0), name="toe"), inertia=art.Inertia(0.01, (0, 0, 0), np.eye(3) * 1e-5)
    )
    longer = art.build([*robot.model.links, tip, toe], name="legged")
    ground = art.Ground(friction={"foot0": 0.5, "foot1": 0.5, "foot2": 0.5, "trunk": 0.3})
    with pytest.warns(art.ModelWarning, match="those of 'foot0', 'foot1', 'foot2' do") as told:
        art.simulate(longer, np.append(q, 0.0), duration=0.01, contacts=ground)
    assert told[0].filename == __file__


def test_an_array_as_contacts_is_refused_by_every_method():
    for method in ("rk4", "euler"):
        with pytest.raises(art.ArticulatedError, match="contacts"):
            art.simulate(art.load("2r"), [0, 0], duration=0.01, method=method, contacts=np.zeros(2))
