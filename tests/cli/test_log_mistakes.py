"""Mistakes with logs that are not mistakes in them."""

import zipfile

import numpy as np
import pytest

from articulated.logs import reader, state_field

from .command import run


def test_the_log_itself_is_not_replaced(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("q_joint1,q_joint2\n0,0\n")
    result = run("mass", "2r", "--log", log, "-o", log)
    assert result.code == 2 and "another name" in result.err and log.read_text() == "q_joint1,q_joint2\n0,0\n"


@pytest.mark.parametrize(("option", "refused"), [("--q", True), ("--v", True), ("--a", False)])
def test_an_option_for_what_the_log_holds(option, refused, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("q_joint1,q_joint2,dq_joint1,dq_joint2\n1,2,3,4\n")
    result = run("id", "2r", "--log", log, "--a", "0", option, "0")
    assert result.code == (2 if refused else 0)
    assert not refused or f"{option} is given, and {log} holds {option[2:]} as well" in result.err


def test_a_column_that_is_missing_beside_others(tmp_path):
    (tmp_path / "log.csv").write_text("time,q_joint1\n0,0\n")
    result = run("mass", "2r", "--log", tmp_path / "log.csv")
    assert "no column 'q_joint2' in the header; it has: time, q_joint1" in result.err


@pytest.mark.parametrize(("turned", "said"), [
    ("180,90", "joint1 is 180 rad from zero, 28.6 turns: is the log in degrees?"),
    ("-9,-270", "joint2 is 270 rad"),
    ("7,12", ""),
])  # fmt: skip
def test_joints_without_limits_may_be_in_degrees_too(turned, said, tmp_path):
    (tmp_path / "log.csv").write_text(f"q_joint1,q_joint2\n0,0\n{turned}\n")
    result = run("mass", "2r", "--log", tmp_path / "log.csv")
    assert result.code == 0 and (said in result.err if said else result.err == "")


@pytest.mark.parametrize("column", ["q_joint2", "time"])
@pytest.mark.parametrize("values", [[True, False], ["1", "2"], [b"1", b"2"]], ids=["bool", "string", "binary"])
def test_parquet_columns_that_are_no_numbers(column, values, tmp_path):
    parquet, pyarrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    columns = {"time": [0, 1], "q_joint1": [0, 1], "q_joint2": [None, None], column: values}
    parquet.write_table(pyarrow.table(columns), tmp_path / "log.parquet")
    result = run("mass", "2r", "--log", tmp_path / "log.parquet")
    assert result.code == 3 and f"the column '{column}' holds {pyarrow.array(values).type}, not numbers" in result.err


def test_a_robot_without_joints_is_remarked_on(tmp_path):
    (tmp_path / "box.toml").write_text("[[link]]\nname = 'box'\nmass = 1\n")
    (tmp_path / "log.csv").write_text("")
    assert "--floating frees its root link" in run("info", tmp_path / "box.toml").err
    assert "--floating frees its root link" in run("bias", tmp_path / "box.toml").err
    assert run("bias", tmp_path / "box.toml", "--floating").err == "at zero; --q says another\n"
    assert run("bias", tmp_path / "box.toml", "--log", tmp_path / "log.csv").code == 3


@pytest.mark.parametrize(("header", "said"), [
    ("q_joint1,q_joint2,q_joint1", "'q_joint1' (column 1) and 'q_joint1' (column 3) are both the q of joint1"),
    ("q_joint1,q_joint2,pos_joint2", "'q_joint2' (column 2) and 'pos_joint2' (column 3) are both the q of joint2"),
    ("joint1,joint2, q_joint1", "'q_joint1' (column 3) and 'joint1' (column 1) are both the q of joint1"),
    ("q0,q1,q[0]", "both the q of joint1"),
    ("q_joint1,q_joint2,time,Time", "both the time"),
])  # fmt: skip
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_column_that_is_there_twice(header, said, ending, tmp_path):
    names = header.split(",")
    if ending == "csv":
        (tmp_path / "log.csv").write_text(f"{header}\n{','.join('0' * len(names))}\n")
    else:
        parquet, pyarrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
        columns = [pyarrow.array([0.0]) for _ in names]
        parquet.write_table(pyarrow.Table.from_arrays(columns, names), tmp_path / "log.parquet")
    result = run("mass", "2r", "--log", tmp_path / f"log.{ending}")
    assert result.code == 3 and said in result.err


def test_a_number_for_a_name_is_the_last_resort(tmp_path):
    """Joints called like numbers: `q_1` is the joint 1, wherever it stands."""
    links = "".join(f'[[link]]\nname = "{n}"\njoint = "revolute"\nmass = {n + 1}\n{p}' for n, p in
                    ((1, ""), (0, 'parent = "1"\n')))  # fmt: skip
    (tmp_path / "r.toml").write_text(links)
    (tmp_path / "log.csv").write_text("q_0,q_1\n0.1,0.2\n")
    assert run("fk", tmp_path / "r.toml", "--log", tmp_path / "log.csv").code == 0


@pytest.mark.parametrize("cell", ["\u0661", "1\u00a0", "\uff11.5", "1_0", "\u22121"])
def test_digits_of_other_scripts(cell, tmp_path):
    (tmp_path / "log.csv").write_text(f"q_joint1,q_joint2\n0,0\n0,{cell}\n", encoding="utf-8")
    result = run("mass", "2r", "--log", tmp_path / "log.csv")
    assert result.code == 3 and "log.csv:3" in result.err and "is not a number" in result.err


@pytest.mark.parametrize("shape", ["(-1, 2)", "(10**30, 2)", "(2.0, 2)", f"({2**60}, 2)"])
def test_impossible_shapes(shape, tmp_path):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".encode()
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(64)
    with zipfile.ZipFile(tmp_path / "log.npz", "w") as archive:
        archive.writestr("q.npy", data)
    result = run("mass", "2r", "--log", tmp_path / "log.npz")
    assert result.code == 3 and "log.npz" in result.err


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_that_is_there_twice(tmp_path):
    np.savez(tmp_path / "log.npz", q=np.zeros((3, 2)))
    with zipfile.ZipFile(tmp_path / "log.npz", "a") as archive:
        archive.writestr("q.npy", archive.read("q.npy"))
    result = run("mass", "2r", "--log", tmp_path / "log.npz")
    assert result.code == 3 and "'q' twice" in result.err


@pytest.mark.parametrize("seed", ["9" * 5000, "\u0661", "-1", "x"])
def test_seeds(seed):
    result = run("mass", "2r", "--q", f"random:{seed}")
    assert result.code == 3 and "whole number" in result.err


def test_parquet_is_read_in_bounded_memory(tmp_path):
    """Memory of Arrow does not grow with the rows that have been read."""
    parquet, pyarrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    rows, path = 400_000, tmp_path / "log.parquet"
    table = pyarrow.table({f"q_joint{k}": np.random.default_rng(k).normal(size=rows) for k in (1, 2)})
    parquet.write_table(table, path, row_group_size=20_000)
    del table
    before, held, seen = pyarrow.total_allocated_bytes(), [], 0
    log = reader(path)
    log.require([state_field("q", ["joint1", "joint2"])])
    for block in log.blocks(10_000):
        seen += len(block["q"])
        held.append(pyarrow.total_allocated_bytes() - before)
    log.close()
    assert seen == rows and max(held) < 16 * rows / 4
