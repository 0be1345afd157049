"""Invariance under the order of links, merging, frames, locking; and mimic as a constrained model."""

import numpy as np
import pytest

import articulated as art
from tests.near import near
from tests.zoo import STRUCTURES, random_inertia, random_joint, random_pose, random_tree, state, with_mimic

TREES = [r for r in STRUCTURES if len(r.links) > 2]
trees = pytest.mark.parametrize("robot", TREES, ids=lambda r: r.name)
standing = pytest.mark.parametrize("robot", [r for r in TREES if r.links[0].joint.nv == 0], ids=lambda r: r.name)


def with_springs_of(robot, other, end=lambda frame_or_point: frame_or_point):
    """Another robot with the springs of this one, between other ends."""
    return other.add_springs([spring._replace(a=end(spring.a), b=end(spring.b)) for spring in robot.model.springs])


@trees
def test_link_order_does_not_matter(robot, rng):
    shuffled = art.build([robot.links[i] for i in rng.permutation(len(robot.links))], robot.gravity)
    shuffled = with_springs_of(robot, shuffled)
    q, v, a = state(robot, rng)
    position = {b.joint.name: b for b in shuffled.model.bodies}
    q2, v2, a2, tau = np.empty_like(q), np.empty_like(v), np.empty_like(a), np.empty_like(v)
    for b in robot.model.bodies:
        q2[position[b.joint.name].coords] = q[b.coords]
        v2[position[b.joint.name].dofs], a2[position[b.joint.name].dofs] = v[b.dofs], a[b.dofs]
    found = shuffled.inverse_dynamics(q2, v2, a2)
    for b in robot.model.bodies:
        tau[b.dofs] = found[position[b.joint.name].dofs]
    assert near(tau, robot.inverse_dynamics(q, v, a))


@trees
def test_splitting_a_link_by_a_fixed_joint_changes_nothing(robot, rng):
    """Every link cut in two halves held together by a fixed joint."""
    halves = []
    for k in robot.links:
        cut = random_pose(rng)
        about = np.array(k.inertia.matrix(), float)
        half = art.Inertia.from_moments(about[0, 0] / 2, k.inertia.first * 0.5, k.inertia.second * 0.5)
        there = half.moved_out(cut.inverse())
        halves += [k.replace(inertia=half), art.Link(f"{k.name}_half", k.name, art.Fixed(), cut, there)]
    split = with_springs_of(robot, art.build(halves, robot.gravity))
    q, v, a = state(robot, rng)
    assert split.body_names == robot.body_names
    assert near(split.inverse_dynamics(q, v, a), robot.inverse_dynamics(q, v, a))
    assert near(split.mass_matrix(q), robot.mass_matrix(q))


@standing
def test_a_turned_base_with_turned_gravity_changes_nothing(robot, rng):
    root = robot.links[0]
    turn = random_pose(rng)
    gravity = np.array(turn.R, float) @ robot.gravity
    links = [root.replace(placement=turn), *robot.links[1:]]
    turned = with_springs_of(
        robot, art.build(links, gravity), lambda x: x if isinstance(x, str) else tuple(turn.point(np.array(x)))
    )
    q, v, a = state(robot, rng)
    assert near(turned.inverse_dynamics(q, v, a), robot.inverse_dynamics(q, v, a))
    assert near(turned.mass_matrix(q), robot.mass_matrix(q))


@trees
def test_moving_a_link_frame_changes_nothing(robot, rng):
    """The frame of a link is a choice: move it, with everything attached to it."""
    moved = []
    shift = {k.name: random_pose(rng) for k in robot.links}
    for k in robot.links:
        before = shift[k.parent].inverse() if k.parent else art.Transform()
        inertia = k.inertia.moved_out(shift[k.name].inverse())
        tail, frames = k.tail @ shift[k.name], [(f"{k.name} before", shift[k.name].inverse())]
        moved.append(k.replace(placement=before @ k.placement, tail=tail, inertia=inertia, frames=frames))
    other = with_springs_of(
        robot, art.build(moved, robot.gravity), lambda x: f"{x} before" if isinstance(x, str) else x
    )
    q, v, a = state(robot, rng)
    assert near(other.inverse_dynamics(q, v, a), robot.inverse_dynamics(q, v, a))


@pytest.mark.parametrize("seed", range(4))
def test_locking_is_holding_still(seed, rng):
    robot = random_tree(seed, 8)
    q, v, a = state(robot, rng)
    held = [b for b in robot.model.bodies if b.parent][::2]
    for b in held:
        v[b.dofs] = a[b.dofs] = 0
    locked = robot.lock({b.joint.name: q[b.coords] for b in held})
    free = [b for b in robot.model.bodies if b not in held]
    keep_q = np.concatenate([np.arange(robot.nq)[b.coords] for b in free])
    keep_v = np.concatenate([np.arange(robot.nv)[b.dofs] for b in free])
    assert near(locked.inverse_dynamics(q[keep_q], v[keep_v], a[keep_v]), robot.inverse_dynamics(q, v, a)[keep_v])


def test_mimic_is_the_free_model_under_its_linear_map(rng):
    robot = with_mimic()
    free = art.build([k.replace(joint=k.joint.replace(mimic=None)) for k in robot.links])
    G, b0 = np.zeros((free.nv, robot.nv)), np.zeros(free.nv)
    for i, b in enumerate(robot.model.bodies):
        G[i, b.dofs], b0[i] = b.multiplier, b.offset
    y, v, a = state(robot, rng)
    q = G @ y + b0
    assert robot.nq == robot.nv == 2 + 1  # j1, j2 and the free j6
    assert near(robot.mass_matrix(y), G.T @ free.mass_matrix(q) @ G)
    assert near(robot.inverse_dynamics(y, v, a), G.T @ free.inverse_dynamics(q, G @ v, G @ a))
    assert near(robot.jacobian(y, "link5"), free.jacobian(q, "link5") @ G)
    assert near(robot.christoffel(y), np.einsum("ijk,ia,jb,kc->abc", free.christoffel(q), G, G, G))
    assert near(robot.kinetic_energy(y, v), free.kinetic_energy(q, G @ v))
    assert near(robot.regressor(y, v, a), G.T @ free.regressor(q, G @ v, G @ a))


def test_locking_a_leader_locks_its_followers(rng):
    robot = with_mimic()
    q, v, a = state(robot, rng)
    v[0] = a[0] = 0
    locked = robot.lock({"j1": q[0]})
    assert locked.nv == robot.nv - 1
    assert near(locked.inverse_dynamics(q[1:], v[1:], a[1:]), robot.inverse_dynamics(q, v, a)[1:])


def test_universal_is_two_revolutes(rng):
    inertia, place = random_inertia(rng), random_pose(rng)
    short = art.build([art.Link("body", None, art.Universal((1, 0, 0), (0, 1, 0)), place, inertia)])
    cross = art.Link("cross", None, art.Revolute((1, 0, 0)), place)
    long = art.build([cross, art.Link("body", "cross", art.Revolute((0, 1, 0)), art.Transform(), inertia)])
    q, v, a = state(short, rng)
    assert short.joint_names == ["body_1", "body_2"]
    assert near(short.inverse_dynamics(q, v, a), long.inverse_dynamics(q, v, a))


def test_spherical_matches_three_revolutes(rng):
    """The same body on a ball joint and on three intersecting hinges: same energy for the same motion."""
    inertia = random_inertia(rng)
    ball = art.build([art.Link("body", None, art.Spherical(), inertia=inertia)])
    hinges = art.build(
        [
            art.Link("x", None, art.Revolute((1, 0, 0))),
            art.Link("y", "x", art.Revolute((0, 1, 0))),
            art.Link("body", "y", art.Revolute((0, 0, 1)), inertia=inertia),
        ]
    )
    q, v, a = state(hinges, rng)
    J, J_rate = hinges.jacobian(q, "body", "frame")[3:], hinges.jacobian_rate(q, v, "body", "frame")[3:]
    R = hinges.pose(q, "body")[:3, :3]
    from articulated.algebra.rotations import to_quaternion

    torque = ball.inverse_dynamics(to_quaternion(R), J @ v, J @ a + J_rate @ v)
    assert near(J.T @ torque, hinges.inverse_dynamics(q, v, a))


def test_floating_joint_matches_its_pieces(rng):
    inertia = random_inertia(rng)
    free = art.build([art.Link("body", None, art.Floating(), inertia=inertia)])
    pieces = art.build(
        [
            art.Link("x", None, art.Prismatic((1, 0, 0))),
            art.Link("y", "x", art.Prismatic((0, 1, 0))),
            art.Link("z", "y", art.Prismatic((0, 0, 1))),
            art.Link("body", "z", art.Spherical(), inertia=inertia),
        ]
    )
    q, v, _ = state(free, rng)
    R = free.pose(q, "body")[:3, :3]
    world = np.concatenate([R @ v[:3], v[3:]])
    assert near(free.kinetic_energy(q, v), pieces.kinetic_energy(q, world))
    assert near(free.potential_energy(q), pieces.potential_energy(q))


def test_helical_with_zero_pitch_is_revolute_and_cylindrical_contains_both(rng):
    inertia, place, axis = random_inertia(rng), random_pose(rng), (0.6, 0.0, 0.8)
    screw = art.build([art.Link("body", None, art.Helical(axis, 0), place, inertia)])
    hinge = art.build([art.Link("body", None, art.Revolute(axis), place, inertia)])
    both = art.build([art.Link("body", None, art.Cylindrical(axis), place, inertia)])
    q, v, a = state(hinge, rng)
    assert near(screw.inverse_dynamics(q, v, a), hinge.inverse_dynamics(q, v, a))
    lift = lambda x: np.concatenate([[0.0], x])  # noqa: E731
    assert near(both.inverse_dynamics(lift(q), lift(v), lift(a))[1:], hinge.inverse_dynamics(q, v, a))


def test_random_joint_covers_every_kind():
    from articulated.joints import JOINTS

    rng = np.random.default_rng(0)
    assert {type(random_joint(rng, kind)).__name__.lower() for kind in JOINTS} == set(JOINTS)
