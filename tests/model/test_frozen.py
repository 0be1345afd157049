"""Nothing a robot is made of can be changed: not the model, not a copy of it, not a robot made from it."""

import copy
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Number

import numpy as np
import pytest

import articulated as art
from articulated.algorithms.fast.regrouping import hinged, regrouped
from articulated.inputs.frozen import Frozen
from articulated.model import Model
from articulated.model.shapes import Box

ROBOTS = art.robots()
CONSTANT = (str, bool, Number, slice, type(None))


def locked(model: Model) -> Model:
    return model.lock({b.joint.name: b.joint.neutral() for b in model.bodies[:1] if b.joint.mimic is None})


TWINS = {
    "itself": lambda model: model,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickled": lambda model: pickle.loads(pickle.dumps(model)),
    "renamed": lambda model: model.replace(name="other"),
    "replaced": lambda model: model.replace(model.links[-1].name, inertia=art.Inertia(1.0, [0.1, 0, 0], np.eye(3))),
    "locked": locked,
    "floating": lambda model: model.floating(),
    "frictionless": lambda model: model.frictionless(),
    "unmimicked": lambda model: model.unmimicked,
    "regrouped": regrouped,
}


def reachable(thing: object) -> Iterator[object]:
    """Everything a thing is made of, each object once; fails at one whose content cannot be seen."""
    seen, waiting = {}, [thing]
    while waiting:
        x = waiting.pop()
        if isinstance(x, CONSTANT) or id(x) in seen:
            continue
        seen[id(x)] = x
        yield x
        if isinstance(x, np.ndarray):
            waiting += x.ravel().tolist()
        elif isinstance(x, (tuple, frozenset, Mapping)):
            waiting += x.values() if isinstance(x, Mapping) else x
        else:
            waiting += [getattr(x, name) for name in names(x)]


def names(x: object) -> list[str]:
    slots = [name for kind in type(x).__mro__ for name in getattr(kind, "__slots__", ())]
    found = [*slots, *getattr(x, "__dict__", ())]
    assert found, f"{x!r} may hold anything"
    return found


def refuse_changes(thing: object) -> None:
    for x in reachable(thing):
        if isinstance(x, np.ndarray):
            assert x.base is None or not x.base.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                x[...] = x
        elif isinstance(x, (tuple, frozenset, Mapping)):
            key = next(iter(x), "key") if isinstance(x, Mapping) else 0
            with pytest.raises(TypeError):
                x[key] = None
            with pytest.raises(TypeError):
                del x[key]
        else:
            for name in [*names(x), "brand_new"]:
                with pytest.raises(AttributeError):
                    setattr(x, name, 1)
                with pytest.raises(AttributeError):
                    delattr(x, name)


@pytest.mark.parametrize("name", ROBOTS)
def test_no_part_of_a_model_can_be_changed(name):
    model = art.load(name).model
    for twin in TWINS.values():
        refuse_changes(twin(model))


@pytest.mark.parametrize("name", ROBOTS)
def test_what_a_model_finds_when_asked_is_frozen_too(name):
    model = art.load(name).model
    assert model.armature is model.armature  # kept
    for part in (model.base_inertia, model.unmimicked, model.armature):
        refuse_changes(part)
    for b in model.bodies:
        refuse_changes((b.inertia.com, b.inertia.about_com, b.inertia.spread, b.joint))
    refuse_changes(model)


def test_a_closed_form_runs_on_a_frozen_model():
    from articulated.symbolic.ring.state import State

    model = State(art.load("2r").model).model
    for thing in (model, model.bodies[0], model.bodies[0].inertia):
        with pytest.raises(AttributeError):
            thing.name = "other"
    with pytest.raises(TypeError):
        model.frames["x"] = None
    with pytest.raises(ValueError, match="read-only"):
        model.bodies[0].S[0, 0] = 1


def test_copies_are_the_thing_itself():
    robot = art.load("panda")
    for x in (robot.model, robot.model.bodies[0], robot.links[0], art.Transform(), art.Inertia(1.0), art.Revolute()):
        assert copy.copy(x) is x and copy.deepcopy(x) is x


@pytest.mark.parametrize("name", ROBOTS)
def test_pickled_models_are_the_same_robot(name):
    model = art.load(name).model
    twin = pickle.loads(pickle.dumps(model))
    assert [b.name for b in twin.bodies] == [b.name for b in model.bodies] and list(twin.frames) == list(model.frames)
    assert all(b.leader in twin.bodies and (b.parent is None or b.parent in twin.bodies) for b in twin.bodies)
    assert [hinged(b) for b in twin.bodies] == [hinged(b) for b in model.bodies]
    robots = art.Robot(model), art.Robot(twin)
    q, v = robots[0].random(0), np.ones(model.nv)
    assert (robots[0].inverse_dynamics(q, v, v) == robots[1].inverse_dynamics(q, v, v)).all()


def test_lists_given_to_a_link_are_not_kept():
    frames, shapes = [["tip", art.Transform(p=(1, 0, 0))]], [Box([1.0, 2.0, 3.0])]
    link = art.Link("a", None, art.Revolute(), inertia=art.Inertia(1.0, (0.1, 0, 0)), frames=frames, shapes=shapes)
    frames.append(("other", art.Transform()))
    frames[0][0] = "changed"
    shapes.clear()
    assert [name for name, _ in link.frames] == ["tip"] and link.shapes[0].size == (1.0, 2.0, 3.0)
    refuse_changes(link)


def test_arrays_given_to_a_robot_cannot_change_it():
    """Object arrays are kept as they are, so they become read-only; of part of an array a copy is kept."""
    pose = np.eye(4).astype(object)
    place = np.array([0.1, 0.2, 0.3], object)
    numbers = np.array([0.1, 0.0, 0.0])
    links = [
        art.Link("a", None, art.Revolute(numbers), art.Transform.from_matrix(pose), art.Inertia(1.0, numbers)),
        art.Link("b", "a", art.Revolute(), art.Transform(p=place), art.Inertia(1.0, numbers)),
    ]
    gravity = np.array([0.0, 0.0, -9.81])
    robot = art.build(links, gravity=gravity)
    before = robot.pose([0.3, 0.4], "b"), robot.gravity
    pose[:] = 7
    numbers[:] = gravity[:] = 7
    with pytest.raises(ValueError, match="read-only"):
        place[0] = 7
    after = art.Robot(robot.model).pose([0.3, 0.4], "b"), robot.gravity
    assert all((x == y).all() for x, y in zip(before, after, strict=True))
    refuse_changes(robot.model)


@dataclass(frozen=True, eq=False, init=False)
class Lever(art.Revolute):
    """A joint of someone else's, with an array."""

    handle: np.ndarray = None

    def __init__(self, handle, **data):
        super().__init__((0, 0, 1), **data)
        object.__setattr__(self, "handle", handle)


def test_arrays_of_a_joint_of_ones_own_are_frozen_with_its_link():
    link = art.Link("a", None, Lever(np.array([1.0, 2.0])), inertia=art.Inertia(1.0, (0.1, 0, 0)))
    refuse_changes(link)
    refuse_changes(pickle.loads(pickle.dumps(link)))
    refuse_changes(art.build([link]).model)


def test_every_part_says_that_it_does_not_change():
    robot = art.load("2r")
    for part in (robot.model, robot.model.bodies[0], art.Transform(), art.Inertia()):
        assert isinstance(part, Frozen)
        with pytest.raises(AttributeError, match=f"a {type(part).__name__} does not change; make a new one"):
            part.anything = 1


OFFERED = {
    "gravity": lambda r: r.gravity,
    "parameters": lambda r: r.parameters,
    "neutral": lambda r: r.neutral(),
    "random": lambda r: r.random(0),
    "support": lambda r: r.support(),
    "permutation": lambda r: r.permutation("pinocchio"),
    "mass_matrix": lambda r: r.mass_matrix(r.random(0)),
    "gravity_forces": lambda r: r.gravity_forces(r.random(0)),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_arrays_a_robot_hands_out_do_not_lead_back_to_it(name):
    robot = art.load(name)
    own = [x for x in reachable(robot.model) if isinstance(x, np.ndarray)]
    for offered, array in OFFERED.items():
        given, before = array(robot), array(robot).copy()
        assert not any(np.shares_memory(given, x) for x in own), offered
        try:
            given[...] = 7
        except ValueError:
            assert not given.flags.writeable
        assert (array(robot) == before).all(), offered


@pytest.mark.parametrize("name", ROBOTS)
def test_lists_a_robot_hands_out_are_its_own_no_more(name):
    robot = art.load(name)
    for read in (
        lambda: robot.joint_names,
        lambda: robot.body_names,
        lambda: robot.frame_names,
        lambda: robot.topology().parent,
        lambda: robot.topology().children,
    ):
        given, before = read(), list(read())
        given.clear()
        assert read() == before
    assert isinstance(robot.links, tuple) and isinstance(robot.report, tuple)
