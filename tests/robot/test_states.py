"""States by name, limits, indices, names of columns: on robots with every kind of joint."""

import numpy as np
import pytest

import articulated as art
from articulated.robot.axis_names import OTHERS
from tests.methods import EVALUATED, arguments
from tests.robot.callables import small
from tests.zoo import STRUCTURES, zoo

robots = pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)


@robots
def test_names_lead_to_arrays_and_back(robot, rng):
    for shape in ((), (3,), (2, 2)):
        q, v = robot.random(rng, shape), rng.normal(size=(*shape, robot.nv))
        assert (robot.configuration(robot.named(q), q * 0) == q).all() or robot.nq == 0
        assert (robot.velocity(robot.named(v, "v")) == v).all()
        components = dict(zip(robot.names("q")[0], np.moveaxis(q, -1, 0), strict=True))
        assert (robot.configuration(components) == q).all()


@robots
def test_indices_are_where_the_numbers_are(robot, rng):
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    seen = np.zeros(robot.nq), np.zeros(robot.nv)
    for joint in robot.joint_names:
        at = robot.index(joint)
        seen[0][at.q] += 1
        seen[1][at.v] += 1
        assert (np.ravel(robot.named(q)[joint]) == q[at.q]).all()
        assert (np.ravel(robot.named(v, "v")[joint]) == v[at.v]).all()
    assert (seen[0] == 1).all() and (seen[1] == 1).all()


@robots
def test_random_configurations_are_within_the_limits(robot, rng):
    limits, q = robot.limits, robot.random(rng, 50)
    assert limits.lower.shape == limits.upper.shape == (robot.nq,)
    assert limits.velocity.shape == limits.effort.shape == (robot.nv,)
    assert (limits.lower <= q).all() and (q <= limits.upper).all()
    away = robot.distance_to_limits(q)
    with np.errstate(invalid="ignore"):
        assert (away == np.minimum(q - limits.lower, limits.upper - q)).all() and (away >= 0).all()


def gripper(follower=(-0.4, 0.1), multiplier=-2, offset=0.1):
    """A finger that another follows, whose range and velocity are the narrower ones."""
    box = art.Inertia(1.0, None, np.eye(3))
    gear = art.Mimic("lead", multiplier, offset)
    lead = art.Prismatic([1, 0, 0], name="lead", limits=art.Limits(-1, 1, 3, 7))
    follow = art.Revolute([0, 1, 0], name="follow", limits=art.Limits(*follower, 4, 5), mimic=gear)
    links = [art.Link("palm"), art.Link("a", "palm", lead, inertia=box), art.Link("b", "palm", follow, inertia=box)]
    return art.build(links, name="gripper")


def test_a_joint_keeps_to_the_limits_of_those_that_follow_it(rng):
    robot = gripper()
    assert robot.limits.lower[0] == 0 and robot.limits.upper[0] == pytest.approx(0.25)
    assert (robot.limits.velocity[0], robot.limits.effort[0]) == (2, 7)
    q = robot.random(rng, 200)
    assert ((q >= 0) & (q <= 0.25)).all() and q.min() < 0.02 and q.max() > 0.23
    assert np.allclose(robot.distance_to_limits([[-0.1], [0.1], [0.3]]), [[-0.1], [0.1], [-0.05]])
    with pytest.raises(art.ModelError) as problem:
        art.simulate(robot, [[0.1], [0.5]], duration=0.01)
    said = "joint 'lead' begins 0.25 m beyond its upper limit 0.25 m, where 'follow', which follows it, is at its own"
    assert said in str(problem.value) and "in state 1 of the batch" in str(problem.value)
    run = art.simulate(robot, [0.2], [1.0], 0.5)
    assert run.q.max() < 0.25 + 1e-6


def test_where_limits_contradict_each_other_a_joint_keeps_to_its_own():
    for robot in (gripper((5, 6)), gripper((1, 2), multiplier=1, offset=0)):  # no place for both, a single point
        assert (robot.limits.lower[0], robot.limits.upper[0]) == (-1, 1)
        assert np.ptp(robot.random(0, 50)) > 1


def test_limits_cannot_be_written_to():
    with pytest.raises(ValueError):
        art.load("panda").limits.lower[0] = 0


def test_beyond_a_limit_the_distance_is_negative():
    panda = art.load("panda")
    q = panda.limits.upper + 0.25
    np.testing.assert_allclose(panda.distance_to_limits(q), -0.25, rtol=1e-12)
    assert np.isnan(panda.distance_to_limits(q * np.nan)).all()


def test_one_limit_is_enough():
    links = [art.Link("a", None, art.Revolute(limits=art.Limits(lower=-1.0))),
             art.Link("b", "a", art.Revolute(limits=art.Limits(upper=2.0)))]  # fmt: skip
    assert art.build(links).distance_to_limits([0.5, 0.5]).tolist() == [1.5, 1.5]


@pytest.mark.parametrize("name", [*EVALUATED, "regressor"])
def test_every_axis_of_every_result_has_names(name, rng):
    robot = small()
    given = arguments(robot, name, rng)
    found, names = getattr(robot, name)(**given), robot.names(name)
    fields = found._asdict() if isinstance(found, tuple) else {"": found}
    names = names if isinstance(names, dict) else {"": names}
    assert fields.keys() == names.keys()
    for field, x in fields.items():
        assert np.shape(x) == tuple(map(len, names[field])), field


@robots
def test_parameters_have_names(robot):
    assert robot.names("parameters") == (robot.parameter_names,)
    assert len(robot.parameter_names) == len(robot.parameters) == 10 * len(robot.body_names)
    masses = dict(zip(robot.parameter_names, robot.parameters, strict=True))
    assert [masses[f"{b.name}_m"] for b in robot.model.bodies] == [float(b.inertia.mass) for b in robot.model.bodies]


def test_every_named_result_is_a_method():
    for name in OTHERS.keys() - {"q", "v"}:
        assert hasattr(art.Robot, name), name


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda r: r.index("panda_joint9"), "did you mean 'panda_joint"),
        (lambda r: r.configuration({"panda_joint": 1}), "did you mean 'panda_joint"),
        (lambda r: r.configuration([1, 2]), "by joint"),
        (lambda r: r.configuration({"panda_joint1": "x"}), "panda_joint1 must hold real numbers"),
        (lambda r: r.configuration({"panda_joint1": [1, 2], "panda_joint2": [1, 2, 3]}), "do not broadcast"),
        (lambda r: r.configuration({"panda_joint1": 1}, [1, 2]), "start has shape"),
        (lambda r: r.named([1, 2]), "(…, 7)"),
        (lambda r: r.named(r.neutral(), "tau"), "kind ="),
        (lambda r: r.poses["hom"], "did you mean 'home'"),
        (lambda r: r.names("mass_matrices"), "did you mean 'mass_matrix'"),
        (lambda r: r.manipulability(r.neutral(), "panda_hand", directions=["u"]), "directions"),
        (lambda r: r.pose(r.neutral(), "panda_hand", parameters=r.parameters), "parameters"),
    ],
)
def test_mistakes_are_named(call, words):
    with pytest.raises((art.ArticulatedError, TypeError)) as caught:
        call(art.load("panda"))
    assert words in str(caught.value)


def test_a_joint_with_several_numbers_takes_them_all():
    dog = art.load("quadruped", floating_base=True)
    with pytest.raises(art.ShapeError, match="floating_base has 7 numbers"):
        dog.configuration({"floating_base": [0, 0, 1]})
    q = dog.configuration({"floating_base_z": 0.4})
    assert q[2] == 0.4 and q[6] == 1


def test_print_shows_every_joint_with_units():
    text = str(art.load("panda"))
    assert all(word in text for word in ("panda_joint7", "rad/s", "87 N m", "mass kg", "poses: home", "panda_hand_tcp"))
    assert "…" not in text
    assert "= -0.5 j1 + 0.2" in str(zoo()["mimic"])
    chain = [art.Link("l0")] + [art.Link(f"l{i}", f"l{i - 1}", art.Revolute()) for i in range(1, 400)]
    assert "… and 199 more" in str(art.build(chain)) and "\x1b" not in str(art.build([art.Link("\x1b[31m")]))


def test_a_number_is_given_once():
    dog = art.load("quadruped", floating_base=True)
    given = {"floating_base": [0, 0, 1, 0, 0, 0, 1], "floating_base_z": 2}
    for both in (given, dict(reversed(given.items()))):
        with pytest.raises(art.ShapeError, match=r"configuration: 'floating_base.*give the same number"):
            dog.configuration(both)


def test_who_follows_is_not_given():
    fingers = [art.Link(name, None, art.Prismatic(name=name, mimic=mimic), inertia=art.Inertia(1.0))
               for name, mimic in (("x", None), ("y", art.Mimic("x")))]  # fmt: skip
    hand = art.build([art.Link("base"), *(k.replace(parent="base") for k in fingers)])
    with pytest.raises(art.ShapeError, match="configuration: 'y' follows 'x'; give the value of that"):
        hand.configuration({"y": 0.3})


@pytest.mark.parametrize("directions", [[], ["x", "x"]])
def test_manipulability_takes_different_directions(directions):
    with pytest.raises(art.ShapeError, match="manipulability: directions are different ones"):
        art.load("2r").manipulability([0.1, 0.2], "tip", directions=directions)


def test_results_do_not_share_an_array():
    arm, x = art.load("2r"), np.empty((2, 2))
    D, state = arm.derivatives("inverse_dynamics"), ([0.1, 0.2], [1, 2], [0, 0])
    expected = D(*state)
    with pytest.raises(art.ShapeError, match="two of the arrays overlap in memory"):
        D(*state, out=type(expected)(x, x, np.empty((2, 2))))
    table = np.empty((2, 2, 3))  # columns of one table have nothing in common
    D(*state, out=type(expected)(*(table[..., k] for k in range(3))))
    assert all((table[..., k] == expected[k]).all() for k in range(3))
    with pytest.raises(art.ShapeError, match="entries of an array overlap in memory"):
        arm.mass_matrix([0.1, 0.2], out=np.lib.stride_tricks.as_strided(x, (2, 2), (0, 8)))
    for wrong in ([0, 0], (0.0, 1.0)):
        with pytest.raises(art.ShapeError, match=r"out needs a NumPy array \(2,\); got"):
            arm.gravity_forces([0.1, 0.2], out=wrong)
