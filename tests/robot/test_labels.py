"""Labels in another order are put right by name or refused; never read as they come."""

import numpy as np
import pytest

import articulated as art
from tests.near import near

robot = art.load("ur5")
free = art.load("quadruped", floating_base=True)
NAMES = robot.joint_names
SHUFFLED = [NAMES[k] for k in (3, 0, 5, 1, 4, 2)]


@pytest.fixture
def states(rng):
    return robot.random(rng, 7), rng.normal(size=(7, 6))


def named(q, order):
    return q[..., [NAMES.index(name) for name in order]]


def test_columns_are_found_by_name(states):
    pandas = pytest.importorskip("pandas")
    q, v = states
    tau = robot.bias_forces(q, v)
    q_table = pandas.DataFrame(named(q, SHUFFLED), columns=SHUFFLED)
    v_table = pandas.DataFrame(v, columns=NAMES)
    assert (robot.bias_forces(q_table, v_table) == tau).all()
    assert (robot.bias_forces(q_table, v) == tau).all()
    assert (robot.bias_forces(q_table.iloc[2], v_table.iloc[2]) == tau[2]).all()
    assert (robot.bias_forces(pandas.DataFrame(q), pandas.DataFrame(v)) == tau).all()  # columns 0, 1, 2 …
    assert (robot.compile("bias_forces")(q=q_table, v=v_table).bias_forces == tau).all()
    assert near(art.conventions.to_mujoco(robot, q_table), q)


@pytest.mark.parametrize(
    "labels, words",
    [
        (["a", "b", "c", "d", "e", "f"], "rename"),
        ([*NAMES[:5], "other"], "rename"),
        ([*NAMES[:5], NAMES[0]], "twice"),
        ([5, 4, 3, 2, 1, 0], "not in order"),
        ([0, 0, 1, 2, 3, 4], "not in order"),
        ([("q", name) for name in NAMES], "rename"),
    ],
)
def test_other_labels_are_refused(states, labels, words):
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    q, v = states
    index = pandas.Index(labels, tupleize_cols=False)
    with pytest.raises(art.ShapeError, match=f"bias_forces: q.*{words}"):
        robot.bias_forces(pandas.DataFrame(q, columns=index), v)
    with pytest.raises(art.ShapeError, match=f"bias_forces: v.*{words}"):
        robot.bias_forces(q[0], pandas.Series(v[0], index=index))
    coordinates = (
        {"joint": xarray.DataArray(index, dims="joint")} if isinstance(labels[0], tuple) else {"joint": labels}
    )
    with pytest.raises(art.ShapeError, match=f"bias_forces: q.*{words}"):
        robot.bias_forces(xarray.DataArray(q[0], dims="joint", coords=coordinates), v[0])


# -- as logs spell them -------------------------------------------------------------------------


@pytest.mark.parametrize("spelt", ["{0}_{1}", "{0}/{1}", "{1}.{0}", "{0}{2}", "{0}[{2}]"])
def test_columns_of_a_log_are_found_by_name(states, spelt):
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    q, v = states
    tau = robot.bias_forces(q, v)
    order = [NAMES.index(name) for name in SHUFFLED]

    def columns(name):
        return [spelt.format(name, NAMES[k], k) for k in order]

    q_table = pandas.DataFrame(q[:, order], columns=columns("q"))
    v_table = pandas.DataFrame(v[:, order], columns=columns("v"))
    assert (robot.bias_forces(q_table, v_table) == tau).all()
    tau_table = pandas.DataFrame(tau[:, order], columns=columns("tau"))
    assert (robot.forward_dynamics(q_table, v_table, tau_table) == robot.forward_dynamics(q, v, tau)).all()
    named = [xarray.DataArray(x.to_numpy(), dims=("time", "joint"), coords={"joint": list(x.columns)})
             for x in (q_table, v_table)]  # fmt: skip
    found = robot.bias_forces(*named)
    assert (found.values == tau).all() and list(found.joint.values) == NAMES


def test_a_table_of_something_else_is_refused(states):
    """Velocities in the place of positions, and a joint that is there twice in two spellings."""
    pandas = pytest.importorskip("pandas")
    q, v = states
    for words in ("v", "tau", "a", "velocity"):
        with pytest.raises(art.ShapeError, match=r"bias_forces: q.*rename"):
            robot.bias_forces(pandas.DataFrame(v, columns=[f"{words}_{name}" for name in NAMES]), v)
    twice = [f"q_{name}" for name in NAMES[:5]] + [f"pos_{NAMES[0]}"]
    with pytest.raises(art.ShapeError, match=r"bias_forces: q.*rename"):
        robot.bias_forces(pandas.DataFrame(q, columns=twice), v)


def test_names_decide_before_spellings(rng):
    """Joints that are called like the columns of others."""
    pandas = pytest.importorskip("pandas")
    names, body = ["q_b", "b", "q_q_b"], art.Inertia(1.0, (0.1, 0.2, 0.3))
    links = [art.Link("base"), *(art.Link(name, "base", art.Revolute((0, 1, 0), name=name), inertia=body)
             for name in names)]  # fmt: skip
    odd, q = art.build(links), rng.normal(size=3)
    for order in ((2, 1, 0), (1, 2, 0)):
        for prefix in ("", "q_"):
            series = pandas.Series(q[list(order)], index=[f"{prefix}{names[k]}" for k in order])
            assert (odd.gravity_forces(series) == odd.gravity_forces(q)).all()


def test_labels_of_another_library(rng):
    """Its order is another: names are put into that order, or refused where its components are others than ours."""
    pandas = pytest.importorskip("pandas")
    body = art.Inertia(1.0, (0.1, 0.2, 0.3))
    arms = [art.Link(name, "root", art.Revolute((0, 1, 0), name=f"j{name}"), inertia=body) for name in "bca"]
    branching, q = art.build([art.Link("root"), *arms]), rng.normal(size=3)
    there = art.conventions.to_pinocchio(branching, q)
    table = pandas.Series(there, index=[branching.joint_names[k] for k in branching.permutation("pinocchio")])
    for given in (table, table.iloc[::-1]):
        assert (art.conventions.from_pinocchio(branching, given) == q).all()
    parts = [f"floating_base_{part}" for part in ("x", "y", "z", "qw", "qx", "qy", "qz")]
    there = art.conventions.to_mujoco(free, free.random(rng))
    with pytest.raises(art.ShapeError, match="from_mujoco: q has the labels"):
        art.conventions.from_mujoco(free, pandas.Series(there, index=[*parts, *free.joint_names[1:]]))


def test_rows_of_tables_must_agree(states):
    pandas = pytest.importorskip("pandas")
    q, v = states
    later = pandas.DataFrame(v, index=range(1, 8))
    with pytest.raises(art.ShapeError, match="rows of q and v"):
        robot.bias_forces(pandas.DataFrame(q), later)


def test_coordinates_are_found_by_name(states):
    xarray = pytest.importorskip("xarray")
    q, v = states
    tau = robot.bias_forces(q, v)
    times = np.arange(7.0)
    q_named = xarray.DataArray(named(q, SHUFFLED), dims=("time", "joint"), coords={"time": times, "joint": SHUFFLED})
    v_named = xarray.DataArray(v, dims=("time", "joint"), coords={"time": times, "joint": NAMES})
    for given in ((q_named, v_named), (q_named, v_named.drop_vars("joint"))):
        assert (robot.bias_forces(*given).values == tau).all()
    found = robot.friction_forces(v_named.isel(joint=[5, 4, 3, 2, 1, 0]))
    assert list(found.joint.values) == NAMES and (found.values == robot.friction_forces(v)).all()
    f = robot.compile("bias_forces")
    assert (f(q=q_named, v=v_named).bias_forces.values == tau).all()
    with pytest.raises(art.ShapeError, match=r"along 'joint'.*transpose"):
        robot.gravity_forces(q_named.isel(time=slice(6)).transpose("joint", "time"))
    with pytest.raises(art.ShapeError, match="fit together"):
        robot.bias_forces(q_named, v_named.assign_coords(time=times + 1))
    with pytest.raises(art.ShapeError, match="Dataset"):
        robot.gravity_forces(xarray.Dataset({"q": q_named}))


def test_joints_with_several_numbers_have_names_too(rng):
    pandas = pytest.importorskip("pandas")
    q = free.random(rng, 3)
    parts = [f"floating_base_{part}" for part in ("x", "y", "z", "qx", "qy", "qz", "qw")]
    table = pandas.DataFrame(q, columns=[*parts, *free.joint_names[1:]])
    assert (free.gravity_forces(table[table.columns[::-1]]) == free.gravity_forces(q)).all()


def test_masks_are_not_lost(states):
    q, v = states
    mask = np.zeros(q.shape, bool)
    assert (robot.mass_matrix(np.ma.array(q, mask=mask)) == robot.mass_matrix(q)).all()
    mask[3, 2] = True
    for row in (slice(None), 3):
        with pytest.raises(art.ShapeError, match="mass_matrix: q is masked"):
            robot.mass_matrix(np.ma.array(q, mask=mask)[row])
    with pytest.raises(art.ShapeError, match="the force at 'tool0' is masked"):
        robot.inverse_dynamics(q[0], v[0], v[0], {"tool0": np.ma.masked_all(6)})


def test_joints_along_the_rows_of_a_table_are_refused(rng):
    """As many samples as joints: the shape would pass."""
    pandas = pytest.importorskip("pandas")
    q = robot.random(rng, 6)
    with pytest.raises(art.ShapeError, match=r"q: its joints are along the rows; give its transpose, q\.T"):
        robot.gravity_forces(pandas.DataFrame(q.T, index=NAMES))
    assert (robot.gravity_forces(pandas.DataFrame(q.T, index=NAMES).T) == robot.gravity_forces(q)).all()


def test_arguments_without_labels_are_called_by_their_names(rng):
    """Beside a DataArray; forces by their frames."""
    xarray = pytest.importorskip("xarray")
    robot = art.load("2r")
    q = xarray.DataArray(robot.random(rng, 3), dims=("t", "joint"))
    plain, force = np.zeros((3, 2)), np.zeros((3, 6))
    cases = {
        "a has no dimension names": lambda: robot.inverse_dynamics(q, q, plain),
        "the force at 'tip' has no dimension names": lambda: robot.inverse_dynamics(q, q, q, forces={"tip": force}),
        "the force at 'tip' has shape": lambda: robot.inverse_dynamics(q, q, q, forces={"tip": force[0, :5]}),
        "the force at 'tip' has the labels": lambda: robot.inverse_dynamics(
            q, q, q, forces={"tip": xarray.DataArray(force[0], dims="w", coords={"w": list("abcdef")})}
        ),
        r"the force at 'tip' \(3, 6\)": lambda: robot.inverse_dynamics(*[plain[:2]] * 3, forces={"tip": force}),
    }
    for words, call in cases.items():
        with pytest.raises(art.ShapeError, match=words):
            call()
    # a dimension of an argument that has the name of another
    named = xarray.DataArray(robot.random(rng, 3), dims=("a", "joint"))
    found = robot.inverse_dynamics(named, named, plain[0])
    assert found.shape == (3, 2) and found.dims[0] == "a"
    assert near(found, robot.inverse_dynamics(named.values, named.values, plain[0]))
