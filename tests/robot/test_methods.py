"""Promises of every method of `Robot`, read from the class: shapes, batches, out, dtype, NaN, words of an error."""

import numpy as np
import pytest

import articulated as art
from tests.methods import CONFIGURATIONS, EVALUATED, ROBOT, VELOCITIES, arguments, public, results, variants
from tests.near import near

robot = art.load("ur5")
every = pytest.mark.parametrize("name", EVALUATED)


def arrays(given):
    return {name: x for name, x in given.items() if isinstance(x, np.ndarray)}


def at(given, index):
    return {name: x[index] if isinstance(x, np.ndarray) else x for name, x in given.items()}


def call(name, given, **options):
    return getattr(robot, name)(**given, **options)


def test_methods_that_take_arrays_say_so():
    # targets decide on the batch of inverse kinematics, and q is optional in the map of actuators
    for name in public(art.Robot).keys() - ROBOT - {"inverse_kinematics", "actuation_map"}:
        taken = {p.name for p in public(art.Robot)[name]}
        assert not taken & {*CONFIGURATIONS, *VELOCITIES}, name


@every
def test_leading_axes_are_a_batch(name, rng):
    given = arguments(robot, name, rng, (2, 3))
    whole = results(call(name, given))
    for index in ((0, 0), (1, 2)):
        for part, alone in zip(whole, results(call(name, at(given, index))), strict=True):
            assert part.shape[:2] == (2, 3) and (part[index] == alone).all()


@every
def test_arrays_by_position_or_by_name(name, rng):
    given = arguments(robot, name, rng)
    for one, other in zip(results(call(name, given)), results(getattr(robot, name)(*given.values())), strict=True):
        assert (one == other).all()


@every
@pytest.mark.parametrize("states", [4, 0])
def test_out_is_filled_and_returned(name, states, rng):
    given = arguments(robot, name, rng, (states,))
    found = call(name, given)
    if isinstance(found, tuple):
        out = type(found)(*map(np.empty_like, found))
        assert all(x is y for x, y in zip(call(name, given, out=out), out, strict=True))
    else:
        out = np.empty_like(found)
        assert call(name, given, out=out) is out
    assert all((x == y).all() for x, y in zip(results(out), results(found), strict=True))


def test_a_batch_that_no_memory_holds_is_said_to_be_that():
    """Also one whose result NumPy refuses before it asks for memory."""
    for states in (2**40, 2**57):
        with pytest.raises(MemoryError):
            robot.mass_matrix(np.broadcast_to(np.zeros(6), (states, 6)))


@every
def test_single_precision_on_request(name, rng):
    given = arguments(robot, name, rng, (3,))
    for single, double in zip(results(call(name, given, dtype="float32")), results(call(name, given)), strict=True):
        assert single.dtype == np.float32 and near(single, double, 1e-3)  # conditions of some thousand, seven digits


@every
def test_nan_spoils_its_own_row_entirely_and_no_other(name, rng):
    given = arguments(robot, name, rng, (5,))
    clean = results(call(name, given))
    for x in arrays(given).values():
        x[2, -1] = np.nan
    for part, before in zip(results(call(name, given)), clean, strict=True):
        assert np.isnan(part[2]).all() and (part[[0, 1, 3, 4]] == before[[0, 1, 3, 4]]).all()


@every
def test_inputs_are_never_written_to(name, rng):
    given = arguments(robot, name, rng, (3,))
    for x in arrays(given).values():
        x.flags.writeable = False
    call(name, given)


@every
def test_a_wrong_size_names_the_method_the_argument_and_both_shapes(name, rng):
    given = arguments(robot, name, rng)
    for wrong in arrays(given):
        with pytest.raises(art.ShapeError) as error:
            call(name, {**given, wrong: np.zeros(5)})
        assert all(word in str(error.value) for word in (name, f": {wrong} ", "(5,)", "(…, 6)")), str(error.value)


@every
def test_every_option_is_computed_for_batches_and_one_state(name, rng):
    given = arguments(robot, name, rng, (3,))
    for options in variants(robot, name, rng, (3,)):
        single = {**at(given, 1), **at(options, 1)}
        if "forces" in options:
            single["forces"] = at(options["forces"], 1)
        for part, alone in zip(results(call(name, {**given, **options})), results(call(name, single)), strict=True):
            assert part.shape[:1] == (3,) and (part[1] == alone).all(), options
