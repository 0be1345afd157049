"""A joint of one's own: right where its facts are enough, refused by name where they are not."""

from dataclasses import dataclass

import numpy as np
import pytest

import articulated as art
from articulated.algebra.rotations import axis_angle
from articulated.algebra.scalars import Array, array, zeros
from articulated.algorithms.fast.formulations import FORMULATIONS
from articulated.algorithms.fast.regrouping import regrouped
from articulated.joints import Joint
from articulated.robot.display import joint_rows, tree_lines
from tests.laws.test_formulations import given_to
from tests.near import near
from tests.zoo import random_inertia, random_pose

Z = array((0, 0, 1))


@dataclass(frozen=True, eq=False)
class Carousel(Joint):
    """Rides around an axis along z, `radius` to the left of it, facing forward: a rotation about another point."""

    nq = nv = 1
    radius: float = 0.4

    @property
    def S(self) -> Array:
        return array([0, self.radius, 0, 0, 0, 1])[:, None]

    def transform(self, q: Array) -> art.Transform:
        R, arm = axis_angle(Z, q[0]), array([self.radius, 0, 0])
        return art.Transform(R, R @ arm - arm)


class CrossSlide(Joint):
    """Two translations, along x and y."""

    nq = nv = 2
    span = 1.0

    @property
    def S(self) -> Array:
        S = zeros(6, 2)
        S[0, 0] = S[1, 1] = 1
        return S

    def transform(self, q: Array) -> art.Transform:
        return art.Transform(p=array([q[0], q[1], 0]))


def robots() -> dict[str, tuple[art.Robot, art.Robot]]:
    """Robots with joints of one's own, and the same without."""
    rng = np.random.default_rng(4)
    poses, bodies = [random_pose(rng) for _ in range(4)], [random_inertia(rng) for _ in range(4)]
    data = {"damping": 0.1, "armature": 0.2}

    def chain(*links: art.Link) -> art.Robot:
        rest = [art.Link("hand", links[-1].name, art.Revolute((0, 1, 0), name="wrist"), poses[2], bodies[2])]
        return art.build([art.Link("base", inertia=bodies[3]), *links, *rest])

    arm = art.Transform(p=(-0.4, 0, 0))
    ride = art.Link("seat", "base", Carousel(name="ride", **data), poses[0], bodies[0], tail=poses[1])
    turn = ride.replace(joint=art.Revolute((0, 0, 1), name="ride", **data), placement=poses[0] @ arm)
    turn = turn.replace(tail=art.Transform(p=(0.4, 0, 0)) @ poses[1])
    cross = art.Link("table", "base", CrossSlide(name="cross", **data), poses[0], bodies[0], tail=poses[1])
    first = art.Link("x", "base", art.Prismatic((1, 0, 0), name="cross_x", **data), poses[0])
    second = art.Link("table", "x", art.Prismatic((0, 1, 0), name="cross_y", **data), inertia=bodies[0], tail=poses[1])
    return {"carousel": (chain(ride), chain(turn)), "crossslide": (chain(cross), chain(first, second))}


ROBOTS = robots()
FLOATING = {name: tuple(robot.floating() for robot in pair) for name, pair in ROBOTS.items()}
everywhere = pytest.mark.parametrize("own, plain", [*ROBOTS.values(), *FLOATING.values()], ids=[*ROBOTS, *(
    f"{name}_floating" for name in FLOATING)])  # fmt: skip
#: method -> its arrays; what is left out has arguments of its own below
METHODS = {
    **dict.fromkeys(("mass_matrix", "mass_matrix_inverse", "gravity_forces", "center_of_mass", "centroidal_map",
                     "potential_energy", "christoffel", "screws"), 1),
    **dict.fromkeys(("bias_forces", "coriolis_forces", "coriolis_matrix", "mass_matrix_rate", "kinetic_energy",
                     "centroidal_momentum", "integrate", "configuration_rate"), 2),
    **dict.fromkeys(("inverse_dynamics", "forward_dynamics"), 3),
}  # fmt: skip


def states(robot: art.Robot, rng: np.random.Generator) -> list[np.ndarray]:
    return [robot.random(rng), *rng.normal(size=(2, robot.nv))]


@everywhere
@pytest.mark.parametrize("method", METHODS)
def test_methods_know_a_joint_by_what_it_states(own, plain, rng, method):
    given = states(own, rng)[: METHODS[method]]
    condition = np.linalg.cond(plain.mass_matrix(given[0]))
    assert near(getattr(own, method)(*given), getattr(plain, method)(*given), 1e-14 * max(100, condition))


@everywhere
def test_frames_move_as_with_joints_of_the_package(own, plain, rng):
    q, v, a = states(own, rng)
    for robot in (own, plain):
        assert near(robot.jacobian(q, "hand") @ v, robot.frame_velocity(q, v, "hand"))
    assert near(own.pose(q, "hand"), plain.pose(q, "hand"))
    for method, given in {"jacobian": [q], "jacobian_rate": [q, v], "frame_acceleration": [q, v, a]}.items():
        assert near(getattr(own, method)(*given, "hand"), getattr(plain, method)(*given, "hand"))
    assert near(own.difference(q, own.integrate(q, v)), v)
    assert near(own.forward_dynamics(q, v, a, method="composite_body"), plain.forward_dynamics(q, v, a))
    assert near(own.inverse_dynamics(q, v, a, forces={"hand": np.ones(6)}),
                plain.inverse_dynamics(q, v, a, forces={"hand": np.ones(6)}))  # fmt: skip


@everywhere
def test_everything_else_a_robot_does_works(own, plain, rng):
    q, v, a = states(own, rng)
    for found in (own.regressor(q, v, a) @ own.parameters, own.frictionless().inverse_dynamics(q, v, a)):
        assert near(found, plain.frictionless().inverse_dynamics(q, v, a), 1e-11)
    for method in ("body_motions", "body_wrenches", "articulated_bodies"):
        assert np.isfinite(np.concatenate([np.ravel(x) for x in getattr(own, method)(q, v, a)])).all()
    joint = next(b for b in own.model.bodies if b.joint.name in ("ride", "cross"))
    locked = own.lock({joint.joint.name: q[joint.coords]})
    assert near(locked.pose(np.delete(q, joint.coords), "hand"), own.pose(q, "hand"))
    assert own.compile("mass_matrix", "bias_forces")(q, v).bias_forces.shape == (own.nv,)
    batch = own.random(rng, 3)
    assert near(own.mass_matrix(batch)[1], own.mass_matrix(batch[1]))


@everywhere
def test_formulations_agree_on_it(own, plain, rng):
    model = own.model
    for textbook, formulations in FORMULATIONS.items():
        arrays = given_to(own, rng, textbook)
        for formulation in formulations:
            assert near(formulation(regrouped(model), *arrays), textbook(model, *arrays), 1e-11)


@everywhere
def test_it_is_shown_by_its_kind(own, plain):
    kind = next(b.joint.kind for b in own.model.bodies if b.joint.name in ("ride", "cross"))
    assert kind in ("carousel", "crossslide")
    assert any(f"({kind} " in line for line in tree_lines(own.model))
    assert kind in {row[1] for row in joint_rows(own.model)} and kind in own._repr_html_()


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("ending, format", [("urdf", "URDF"), ("toml", "TOML"), ("xml", "MuJoCo")])
def test_writers_refuse_it_by_name(name, ending, format, tmp_path):
    joint = {"carousel": "ride", "crossslide": "cross"}[name]
    with pytest.raises(art.ModelError, match=f"joint '{joint}' is {name}; {format} has only .*revolute"):
        art.save(ROBOTS[name][0], tmp_path / f"robot.{ending}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("library", ["pinocchio", "mujoco", "drake"])
def test_conventions_refuse_it_by_name(name, library):
    robot = ROBOTS[name][0]
    for convert in (getattr(art.conventions, f"{way}_{library}") for way in ("to", "from")):
        with pytest.raises(art.ArticulatedError, match=f"is {name}; nothing is known of how {library} writes that"):
            convert(robot, robot.neutral())


def test_closed_forms_are_derived(rng):
    own, plain = ROBOTS["carousel"]
    equations = art.derive(own)
    q, v, a = states(own, rng)
    names = dict(zip([*equations.q, *equations.v, *equations.a], [*q, *v, *a], strict=True))
    found = np.array(equations.tau.subs(names), float).ravel()
    assert near(found, plain.inverse_dynamics(q, v, a), 1e-9)
    assert art.moving_frames(own).polynomials[0].sigma is None


@pytest.mark.parametrize("name", FLOATING)
def test_contacts_hold_it(name, rng):
    own, plain = (art.Contacts(robot, point=["hand"]) for robot in FLOATING[name])
    q, v, _ = states(own.robot, rng)
    assert near(own.jacobian(q), plain.jacobian(q)) and near(own.bias(q, v), plain.bias(q, v))
    tau = rng.normal(size=len(own.actuated))
    assert near(own.forward_dynamics(q, v, tau).a, plain.forward_dynamics(q, v, tau).a, 1e-9)
    assert own.analyse(q).rank == plain.analyse(q).rank == 3


def test_a_floating_base_of_ones_own_floats():
    class Balloon(art.Floating):
        """A floating joint under another name."""

    robot = art.build([art.Link("body", None, Balloon(), inertia=art.Inertia(1.0, about_com=np.eye(3)))])
    assert robot.floating().nv == 6 and art.Contacts(robot, point=["body"]).actuated == []
    with pytest.raises(art.ModelError, match="no motor drives the floating base"):
        art.ComputedTorque(robot, 1.0, 1.0)
