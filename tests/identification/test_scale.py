"""Many machines, to the same bits; folders, of which a killed run leaves whole parts."""

import os
import signal

import numpy as np
import pytest

import articulated as art
from articulated.identification.folder import normals
from articulated.identification.normal import CELL
from tests.cli.command import run
from tests.identification.motions import samples


def test_a_cluster_gives_the_same_bits_when_a_worker_is_killed():
    array = pytest.importorskip("dask.array")
    distributed = pytest.importorskip("distributed")
    robot = art.load("3r")
    block = samples(robot, 20 * CELL + 77)
    wanted = art.Normal(robot, block, friction=True)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("articulated.identification.scale.CELLS", 1)  # twenty tasks
        lazy = art.distributed_normal(
            robot, {name: array.from_array(x, chunks=(999, 3)) for name, x in block.items()}, True
        )
        pids = client.run(os.getpid)
        future = client.compute(lazy)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        found = future.result(timeout=120)
    assert found == wanted


def test_arrays_of_dask_are_asked_for():
    pytest.importorskip("dask")
    with pytest.raises(art.ShapeError, match="not a Dask array"):
        art.distributed_normal(art.load("2r"), {"q": np.zeros((3, 2))})


def test_a_run_that_was_ended_goes_on(tmp_path, monkeypatch):
    robot = art.load("2r")
    for k in range(3):
        block = samples(robot, 3000, seed=k + 1)
        np.savez(tmp_path / f"{k}.npz", time=np.arange(3000) * 1e-3, **block)
    files, kept = sorted(tmp_path.glob("*.npz")), tmp_path / "kept"
    kept.mkdir()
    first = list(normals(robot, files, None, kept))
    sorted(kept.iterdir())[0].write_bytes(b"half")  # as no writer of ours leaves it
    sorted(kept.iterdir())[1].unlink()
    again = list(normals(robot, files, None, kept))
    assert sum(notes == ["as computed before"] for _, _, notes in again) == 1
    assert [one for _, parts, _ in again for one in parts] == [one for _, parts, _ in first for one in parts]
    os.utime(files[0], ns=(1, 1))  # another file
    assert sum(notes == ["as computed before"] for _, _, notes in normals(robot, files, None, kept)) == 2
    whole = sum(one for _, parts, _ in first for one in parts)
    assert whole.samples == 9000


def test_the_command_finds_gains_of_drives_from_logs_of_currents(tmp_path):
    robot, K = art.load("2r"), np.array([8.0, 12.0])
    for k in range(2):
        block = samples(robot, 2000, seed=k + 1)
        columns = np.c_[np.arange(2000) * 1e-3, block["q"], block["v"], block["a"], block["tau"] / K]
        names = [f"{word}_{j}" for word in ("actual_q", "actual_qd", "actual_qdd", "actual_current") for j in range(2)]
        np.savetxt(tmp_path / f"{k}.csv", columns, delimiter=",", header=",".join(["time", *names]), comments="")
    told = run("identify", "2r", tmp_path, "-o", tmp_path / "found.urdf", "--friction", "none", "--json").json
    assert told["samples"] == 4000
    assert abs(np.array(told["gains"]) / K - 1).max() < 1e-3
    np.savez(tmp_path / "torques.npz", time=np.arange(2000) * 1e-3, **block)
    assert "identify them apart" in run("identify", "2r", tmp_path).err
