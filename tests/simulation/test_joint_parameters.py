"""`simulate(…, joints=…)`: each run of a batch moves as the robot whose joints have these numbers."""

import pickle

import numpy as np
import pytest

import articulated as art

METHODS = ("euler", "midpoint", "rk4", "adaptive", "symplectic")
#: of positions after a quarter of a second: two programs round in their own ways
NEAR = 1e-11


def resisting(robot, **joints):
    """The robot that has these numbers: each a dict by name."""
    links = [
        link.replace(joint=link.joint.replace(**joints.get(link.joint.name, {}))) if link.joint else link
        for link in robot.links
    ]
    return art.build(links, gravity=robot.gravity, name=robot.name)


def of_run(joints, k):
    return {j: {n: float(np.broadcast_to(x, (3,))[k]) for n, x in own.items()} for j, own in joints.items()}


def push(t, q, v):
    return 0.3 * np.sin(4 * t) - 0.1 * v


def some(robot, names, rng):
    """Numbers for the first and the last joint; one of them the same for all, one zero in one run."""
    first, last = robot.joint_names[0], robot.joint_names[-1]
    drawn = {name: rng.uniform(0.05, 0.5, 3) for name in names}
    drawn[names[0]][1] = 0.0
    return {first: drawn, last: {names[-1]: 0.2}}


#: functions that are called have steps of one length
CASES = [("cart_pole", method, "traced") for method in METHODS]
CASES += [("tree4", "euler", "traced"), ("tree4", "euler", "called"), ("tree4", "rk4", "called")]


@pytest.mark.parametrize(("name", "method", "driven"), CASES)
def test_each_moves_as_the_robot_it_is(name, method, driven, rng):
    robot = art.load(name).frictionless()
    smooth = method in ("adaptive", "symplectic")
    joints = some(robot, ("stiffness", "damping", "armature", *(() if smooth else ("friction",))), rng)
    q, v = robot.random(rng, (3,)) * 0.3, rng.normal(size=(3, robot.nv))
    options = {"duration": 0.25, "dt": 2e-3, "method": method, "limits": False if method == "euler" else None}
    torque = art.traced(push) if driven == "traced" else push
    run = art.simulate(robot, q, v, torque=torque, joints=joints, **options)
    for k in range(3):
        own = resisting(robot, **of_run(joints, k))
        one = art.simulate(own, q[k], v[k], torque=torque, **options)
        # with dry friction each step is solved to 1e-6 of what gravity does in it
        near = 1e-8 if method == "euler" else NEAR
        assert np.abs(run.q[k] - one.q).max() < near and np.abs(run.a[k] - one.a).max() < 1e6 * near
        assert np.allclose(run.energy.total[k], one.energy.total, rtol=1e-7)
    assert not np.allclose(run.q[0], art.simulate(robot, q[0], v[0], torque=torque, **options).q, atol=1e-4)


def test_with_masses_frictions_of_the_ground_and_limits(rng):
    robot, q = hopper()
    parameters = np.array(robot.parameters) * np.array([[1.0], [1.5], [0.7]])
    joints = {"leg": {"friction": [0.0, 1.0, 4.0], "damping": [3.0, 0.0, 1.0], "armature": 0.1}}
    ground = art.Ground(np.array([0.2, 0.5, 0.9]), feet=FOOT)
    options = {"v0": [0.3, 0.1, 0, 0, 0, 0, 0], "duration": 0.15, "torque": art.traced(weak)}
    run = art.simulate(robot, q, contacts=ground, parameters=parameters, joints=joints, **options)
    assert run.contact.residual.max() <= 1e-6 and run.q[..., 7].max() < 0.2 + 1e-9
    for k in range(3):
        own = resisting(robot, **of_run(joints, k))
        floor = art.Ground([0.2, 0.5, 0.9][k], feet=FOOT)
        one = art.simulate(own, q, contacts=floor, parameters=parameters[k], **options)
        assert np.abs(run.q[k] - one.q).max() < 1e-8 and np.array_equal(run.contact.states[k], one.contact.states)
    called = art.simulate(
        robot, q, contacts=ground, parameters=parameters, joints=joints, v0=options["v0"], duration=0.15,
        torque=lambda t, q, v: [weak(t, *state) for state in zip(q, v, strict=True)],
    )  # fmt: skip
    assert np.abs(run.q - called.q).max() < NEAR


FOOT = {"foot": 0.02}


def hopper():
    """A free body on one leg, which has a range; its foot a millimeter above the ground."""
    body, foot = (art.Inertia(m, (0, 0, 0.01), m * np.diag([0.01, 0.012, 0.015])) for m in (2.0, 0.5))
    leg = art.Prismatic((0, 0, -1), name="leg", limits=art.Limits(0.0, 0.2))
    links = [art.Link("body", None, art.Floating(), inertia=body), art.Link("foot", "body", leg, inertia=foot)]
    return art.build(links, name="hopper"), np.array([0, 0, 0.221, 0, 0, 0, 1, 0.2])


def weak(t, q, v):
    return np.concatenate([np.zeros(6), 8 - 2 * v[6:]])


def test_dry_friction_sticks_in_the_runs_that_have_enough():
    """A pendulum at 0.3 rad: m g l sin 0.3 = 2.899 N m against what each run has."""
    inertia = art.Inertia(1.0, (0, 0, -1.0), np.eye(3) * 0.01)
    joint = art.Revolute((1, 0, 0), name="hinge", friction=9.0)
    robot = art.build([art.Link("bob", None, joint, inertia=inertia)])
    run = art.simulate(robot, [0.3], duration=0.3, joints={"hinge": {"friction": [0.0, 2.8, 2.95, 50.0]}})
    moved = np.abs(run.q[:, -1, 0] - 0.3)
    assert (moved[:2] > 1e-3).all() and (moved[2:] < 1e-12).all() and moved[0] > moved[1]


def test_geared_joints_pass_theirs_on():
    body = art.Inertia(1.0, (0.1, 0, 0), np.eye(3) * 0.02)
    links = [
        art.Link("a", None, art.Revolute((0, 0, 1), name="lead"), inertia=body),
        art.Link("b", "a", art.Revolute((0, 0, 1), name="follow", mimic=art.Mimic("lead", -2.0, 0.0)), inertia=body),
    ]
    robot = art.build(links, gravity=(0, 0, 0))
    joints = {"follow": {"friction": [0.1, 0.2, 0.0], "damping": [0.1, 0.0, 0.3], "armature": [0.05, 0.0, 0.2]}}
    run = art.simulate(robot, [0.0], [2.0], 0.2, joints=joints, torque=[0.05])
    for k in range(3):
        one = art.simulate(resisting(robot, **of_run(joints, k)), [0.0], [2.0], 0.2, torque=[0.05])
        assert np.abs(run.q[k] - one.q).max() < 1e-9 and np.allclose(run.energy.total[k], one.energy.total)


def test_a_slider_comes_to_rest_where_the_formula_says():
    """v0² m / (2 F): each run has its own F."""
    joint = art.Prismatic((1, 0, 0), name="rail")
    robot = art.build([art.Link("cart", None, joint, inertia=art.Inertia(2.0, (0, 0, 0), np.eye(3)))])
    force = np.array([1.0, 2.0, 4.0])
    run = art.simulate(robot, [0.0], [1.0], 3.0, dt=1e-3, joints={"rail": {"friction": force}})
    assert np.allclose(run.q[:, -1, 0], 1.0 / force, atol=1e-3) and np.abs(run.v[:, -1]).max() < 1e-12


def test_shapes_and_what_is_kept(tmp_path):
    robot = art.load("cart_pole")
    joints = {"slide": {"damping": np.array([[0.1], [0.2]])}, robot.joint_names[1]: {"friction": 0.01}}
    run = art.simulate(robot, [0, 0.3], duration=0.02, joints=joints, limits=False)
    assert run.batch.shape == (2, 1) and run.robot is robot and run.joints["slide"]["damping"].shape == (2, 1)
    one = run.batch[1, 0]
    assert one.joints["slide"]["damping"] == 0.2 and one.joints[robot.joint_names[1]]["friction"] == 0.01
    for part in (run[3:], run.resample(dt=0.004)):
        assert part.joints["slide"]["damping"].tolist() == [[0.1], [0.2]]
    assert np.array_equal((run[:9] + run[8:]).q, run.q)
    with pytest.raises(art.ShapeError, match="different damping, friction, rotor inertia"):
        run + art.simulate(robot, run.q[..., -1, :], run.v[..., -1, :], 0.01, limits=False)
    again = pickle.loads(pickle.dumps(run))
    assert again.joints["slide"]["damping"].tolist() == [[0.1], [0.2]]
    pytest.importorskip("xarray")
    assert run.to_xarray()["damping of slide"].values.tolist() == [[0.1], [0.2]]
    single = art.simulate(robot, [0, 0.3], duration=0.02, joints={"slide": {"damping": 0.1}})
    assert single.batch.shape == ()


@pytest.mark.parametrize("ending", ["npz", "csv", "parquet"])
def test_files_hold_them(ending, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    robot = art.load("cart_pole").frictionless()
    run = art.simulate(
        robot, [0, 0.3], duration=0.01, method="rk4", joints={"slide": {"damping": [0.1, 0.3], "armature": 0.5}}
    )
    run.save(tmp_path / f"run.{ending}")
    again = art.Trajectory.load(tmp_path / f"run.{ending}")
    assert again.joints["slide"]["damping"].tolist() == [0.1, 0.3] and again.joints["slide"]["armature"] == 0.5
    assert np.array_equal(again.energy.total, run.energy.total)


def test_pictures_use_them():
    """The rotor is in the first entry of the maps of M, in its eigenvalues, and in the energies that are drawn."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    run = art.simulate(art.load("cart_pole"), [0, 0.3], duration=0.01, joints={"slide": {"armature": [0.1, 2.0]}})
    for k, rotor in enumerate((0.1, 2.0)):
        alone = run.batch[k]
        M = run.robot.mass_matrix(alone.q) + np.diag([rotor, 0.0])
        above, below = alone.plot("mass_matrix").subfigs
        drawn = np.array([axes.images[0].get_array() for axes in above.axes if axes.images])
        assert np.allclose(drawn, M[[0, 5, 10]])
        largest, smallest = (line.get_ydata() for line in below.axes[0].lines)
        assert np.allclose(np.stack([smallest, largest], axis=-1), np.linalg.eigvalsh(M))
        for kind, panel in (("energies", 0), ("overview", 3)):
            lines = [line.get_ydata() for line in alone.plot(kind).axes[panel].lines]
            kinetic = 0.5 * np.einsum("ti,tij,tj->t", alone.v, M, alone.v)
            assert any(np.allclose(line, kinetic, rtol=0, atol=1e-12) for line in lines)
    assert np.allclose(run.plot("mass_matrix").subfigs[0].axes[0].images[0].get_array()[0, 0], M[0, 0, 0] - 1.9)
    pyplot.close("all")


def test_other_numbers_do_not_compile_anew(monkeypatch, rng):
    robot, made = art.load("cart_pole").frictionless(), []
    art.simulate(robot, [0, 0.3], duration=0.01, joints={"slide": {"friction": rng.uniform(0.1, 1, 5)}})
    from articulated.robot import kernels

    real = kernels.Kernel
    monkeypatch.setattr(kernels, "Kernel", lambda source, *more: made.append(source) or real(source, *more))
    art.simulate(robot, [0, 0.3], duration=0.01, joints={"slide": {"friction": rng.uniform(0.1, 1, 7)}})
    assert not made


@pytest.mark.parametrize("joints, words", [
    ("stiff", "joints maps joints to their damping"), ({"slid": {"damping": 1}}, "did you mean 'slide'"),
    ({"slide": 0.3}, "joints is like"), ({"slide": {"dampin": 1}}, "damping"),
    ({"slide": {"damping": -1}}, "the damping of joint 'slide' is a number from 0"),
    ({"slide": {"friction": [0.1, np.nan]}}, "friction of joint 'slide'"), ({"slide": {"armature": "x"}}, "armature"),
    ({"slide": {"damping": []}}, "damping of joint 'slide'"),
    ({"slide": {"damping": [1, 2, 3]}}, r"do not broadcast: q0 \(2,\), damping of 'slide' \(3,\)"),
])  # fmt: skip
def test_refused(joints, words):
    with pytest.raises((art.ArticulatedError, TypeError), match=words):
        art.simulate(art.load("cart_pole"), np.zeros((2, 2)), duration=0.01, joints=joints)


@pytest.mark.parametrize("method", ["adaptive", "symplectic"])
def test_dry_friction_is_refused_where_the_method_has_none(method):
    robot = art.load("cart_pole").frictionless()
    with pytest.raises(art.ShapeError, match="'slide': dry friction"):
        art.simulate(robot, [0, 0.3], duration=0.01, method=method, joints={"slide": {"friction": [0, 1.0]}})
    given = {"slide": {"friction": [0.0, 0.0]}}
    art.simulate(robot, [0, 0.3], duration=0.01, method=method, joints=given)  # none in any run


def test_a_trajectory_refuses_other_shapes():
    robot = art.load("cart_pole")
    with pytest.raises(art.ShapeError, match=r"damping of 'slide' has shape \(3,\)"):
        art.Trajectory(robot, [0.0], *[np.zeros((1, 2))] * 4, joints={"slide": {"damping": [1, 2, 3]}})


def test_joints_without_names_are_called_after_their_links():
    inertia = art.Inertia(1.0, (0.3, 0, 0), np.eye(3) * 0.1)
    for name in ("", "hinge"):
        joint = art.Revolute((0, 1, 0), name=name, limits=art.Limits(-2, 2))
        robot = art.build([art.Link("arm", None, joint, inertia=inertia)])
        (called,) = robot.joint_names
        stuck = art.simulate(robot, [0.0], duration=0.1, joints={called: {"friction": 10.0}})
        assert abs(stuck.q).max() < 1e-12 and abs(art.simulate(robot, [0.0], duration=0.1).q[-1]) > 0.05


def with_a_light_end(armature=0.0):
    """Two links, the second without mass: only a rotor lets it move."""
    heavy = art.Inertia(1.0, (0.1, 0, 0), np.eye(3) * 0.02)
    end = art.Revolute((0, 1, 0), name="end", armature=armature)
    links = [
        art.Link("arm", None, art.Revolute((0, 1, 0), name="root"), inertia=heavy),
        art.Link("tip", "arm", end, art.Transform(p=(0.2, 0, 0))),
    ]
    return art.build(links, name="light")


@pytest.mark.parametrize("method", METHODS)
def test_a_rotor_lets_a_massless_link_move(method):
    rotor = [0.1, 0.3]
    options = {"duration": 0.1, "torque": [0.0, 0.02], "method": method}
    run = art.simulate(with_a_light_end(), [0.1, 0.2], joints={"end": {"armature": rotor}}, **options)
    for k, own in enumerate(rotor):
        one = art.simulate(with_a_light_end(own), [0.1, 0.2], **options)
        assert np.abs(run.q[k] - one.q).max() < NEAR and abs(one.q[-1, 1] - 0.2) > 1e-5


@pytest.mark.parametrize("rotor, words", [
    (0, r"joints= gives 'end' an armature of 0, and joint 'end' then moves no mass"),
    ([0.1, 0.0], r"joints= gives 'end' an armature of 0 in some runs, and joint 'end'"),
])  # fmt: skip
def test_a_rotor_that_is_taken_away_is_named(rotor, words):
    with pytest.raises(art.SingularModelError, match=words):
        art.simulate(with_a_light_end(0.1), [0, 0], duration=0.01, joints={"end": {"armature": rotor}})
    with pytest.raises(art.SingularModelError, match=r"^light: joint 'end' moves no mass"):
        art.simulate(with_a_light_end(), [0, 0], duration=0.01, joints={"root": {"armature": 0}})
