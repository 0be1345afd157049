"""Several methods in one function, kernels made ahead, robots in other processes, arrays of other libraries."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import engine
from articulated.errors import ShapeError, UnknownName

from ..zoo import state
from .conftest import long_chain

pytestmark = pytest.mark.usefixtures("way")

# -- several methods in one -------------------------------------------------------------------


def test_a_compiled_function_gives_what_its_methods_give(arm, rng):
    f = arm.compile("mass_matrix", "bias_forces", ("jacobian", "tool0"), ("jacobian", "tool0", {"axes": "frame"}))
    q, v, _ = state(arm, rng, 40)
    found = f(q, v)
    assert found._fields == ("mass_matrix", "bias_forces", "jacobian_tool0", "jacobian_tool0_frame")
    expected = (arm.mass_matrix(q), arm.bias_forces(q, v), arm.jacobian(q, "tool0"))
    for x, y in zip(found, expected, strict=False):
        assert np.allclose(x, y, atol=1e-12)
    single = f(q[3], v[3])
    assert type(single) is type(found) and all((x == y[3]).all() for x, y in zip(single, found, strict=True))
    out = type(found)(*map(np.empty_like, found))
    assert all(x is y for x, y in zip(f(q, v, out=out), out, strict=True))
    assert all((x == y).all() for x, y in zip(out, found, strict=True))
    assert all((x == y).all() for x, y in zip(f(q=q, v=v, threads=2), found, strict=True))


def test_compiled_scalars_tuples_and_names(arm, rng):
    q, v, a = state(arm, rng)
    f = arm.compile("kinetic_energy", "articulated_bodies", dtype="float32")
    found = f(q, v, a)
    assert found._fields[:3] == ("kinetic_energy", "articulated_bodies_a", "articulated_bodies_inertia")
    assert isinstance(found.kinetic_energy, np.float32) and found.articulated_bodies_a.dtype == np.float32
    assert arm.compile(("pose", "tool0"), ("pose", "tool0"))(q)._fields == ("pose_tool0", "pose_tool0_2")
    with pytest.raises(UnknownName, match="mass_matrix"):
        arm.compile("mas_matrix")
    with pytest.raises(UnknownName, match="tool0"):
        arm.compile(("jacobian", "tool"))
    with pytest.raises(TypeError, match="takes the arrays q, v"):
        arm.compile("bias_forces")(q)
    with pytest.raises(TypeError):
        arm.compile()


def test_warm_compiles_ahead(arm, rng):
    arm.warm("mass_matrix", ("jacobian", "tool0"))
    if engine.reason() is None:
        assert arm.kernels.callees["mass_matrix"] and arm.kernels.callees["jacobian"]
    assert arm.jacobian(arm.random(rng), "tool0").shape == (6, 6)


def test_a_subclass_keeps_its_own_methods(arm, rng):
    class Heavier(art.Robot):
        def mass_matrix(self, q, **options):
            return 2 * super().mass_matrix(q, **options)

    heavier = Heavier(arm.model)
    q = arm.random(rng)
    for _ in range(3):
        assert (heavier.mass_matrix(q) == 2 * arm.mass_matrix(q)).all()


# -- other processes and other arrays -----------------------------------------------------------


def test_a_robot_can_be_sent_to_another_process(arm, rng):
    q = arm.random(rng, 3)
    expected = arm.mass_matrix(q)
    assert (pickle.loads(pickle.dumps(arm)).mass_matrix(q) == expected).all()
    assert pickle.loads(pickle.dumps(long_chain(3000))).nv == 3000
    for used in arm.kernels.made.values():
        assert (pickle.loads(pickle.dumps(used))(q) == expected).all()


def test_its_functions_can_be_sent_too(arm, rng):
    q = arm.random(rng)
    fused = arm.compile("mass_matrix", "center_of_mass")
    expected = arm.mass_matrix(q), arm.jacobian(q, "tool0"), fused(q)
    mass, jacobian, both = (pickle.loads(pickle.dumps(f)) for f in (arm.mass_matrix, arm.jacobian, fused))
    assert (mass(q) == expected[0]).all() and (jacobian(q, "tool0") == expected[1]).all()
    assert all((x == y).all() for x, y in zip(both(q), expected[2], strict=True))


def test_dask_arrays_stay_dask_arrays(arm, rng):
    dask = pytest.importorskip("dask.array")
    q, v, _ = state(arm, rng, (50, 2))
    lazy = dask.from_array(q, chunks=(20, 1, 3))
    found = arm.bias_forces(lazy, v)
    assert isinstance(found, dask.Array) and found.shape == (50, 2, 6)
    assert (found.compute() == arm.bias_forces(q, v)).all()
    parts = arm.compile("mass_matrix", "kinetic_energy")(lazy, v)
    assert (parts.kinetic_energy.compute() == arm.compile("mass_matrix", "kinetic_energy")(q, v).kinetic_energy).all()
    with pytest.raises(ShapeError):
        arm.mass_matrix(lazy[..., :5])
    with pytest.raises(ShapeError):
        arm.mass_matrix(lazy, out=np.empty((50, 2, 6, 6)))


def test_xarray_objects_keep_their_names(arm, rng):
    xarray = pytest.importorskip("xarray")
    q, v, _ = state(arm, rng, 8)
    labels = {"joint": arm.joint_names, "time": np.arange(8.0)}
    q_named = xarray.DataArray(q, dims=("time", "joint"), coords=labels)
    v_named = xarray.DataArray(v.T, dims=("joint", "time"), coords=labels).transpose("time", "joint")
    tau = arm.bias_forces(q_named, v_named)
    assert tau.dims == ("time", "joint") and (tau.values == arm.bias_forces(q, v)).all()
    assert list(tau.joint.values) == arm.joint_names
    M = arm.mass_matrix(q_named)
    assert M.dims == ("time", "mass_matrix_0", "mass_matrix_1") and (M.values == arm.mass_matrix(q)).all()
