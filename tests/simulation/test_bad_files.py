"""Files that are no trajectory, or not a whole one, are refused with their name and what is wrong."""

import io
import json
import random
import tracemalloc
import zipfile

import numpy as np
import pytest

import articulated as art
from articulated.logs import LogError

from . import fuzz
from .rollouts import contacts, dog, rollout, same


def saved(folder, ending, run=None):
    path = folder / f"run.{ending}"
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    (run or dog(5, (2,), contact=contacts(5, (2,)))).save(path)
    return path


def refused(path, words=None):
    with pytest.raises(art.ArticulatedError, match=words) as found:
        art.Trajectory.load(path)
    assert "Traceback" not in str(found.value)
    return str(found.value)


@pytest.mark.parametrize("path", ["run", "run.pkl", "run.npy"])
def test_endings_nobody_knows(path, tmp_path):
    run = rollout(art.load("2r"), 2)
    with pytest.raises(LogError, match="no kind of file"):
        run.save(tmp_path / path)
    with pytest.raises(LogError, match=r"[Ii]t has: \.npz, \.parquet, \.csv"):
        art.Trajectory.load(tmp_path / path)
    with pytest.raises(art.ShapeError, match="path is the name of a file"):
        run.save(3)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["npz", "parquet", "csv"])
def test_every_truncation_is_found(ending, tmp_path):
    path = saved(tmp_path, ending)
    whole = path.read_bytes()
    rng = random.Random(3)
    for length in [0, 1, len(whole) - 1, *(rng.randrange(len(whole)) for _ in range(12))]:
        path.write_bytes(whole[:length])
        if ending == "csv" and whole[:length] == whole.rstrip(b"\n"):
            continue  # the end of the last line says nothing
        assert str(path) in refused(path)


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_broken_blocks_of_packed_files_are_found(packing, tmp_path):
    path = saved(tmp_path, "npz")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    whole = path.read_bytes()
    assert art.Trajectory.load(path).q.size
    start = whole.index(b"trajectory.npy") + len(b"trajectory.npy")
    for k in range(start, start + 12):
        path.write_bytes(whole[:k] + bytes(x ^ 0xFF for x in whole[k : k + 8]) + whole[k + 8 :])
        refused(path, "trajectory cannot be unpacked")


@pytest.mark.parametrize("ending", ["npz", "parquet", "csv"])
def test_flipped_bytes_meet_our_errors_or_change_nothing_unseen(ending, tmp_path):
    """NPZ and Parquet have checksums of the numbers; of a CSV file a digit may become another digit, nothing else."""
    run = dog(5, (2,), contact=contacts(5, (2,)))
    path = saved(tmp_path, ending, run)
    whole, rng = path.read_bytes(), random.Random(4)
    for _ in range(30):
        spoilt = bytearray(whole)
        spoilt[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(spoilt)
        try:
            found = art.Trajectory.load(path)
        except art.ArticulatedError:
            continue
        assert ending != "npz" or same(found, run)
        for name in ("t", "q", "v", "a", "tau"):
            x, expected = getattr(found, name), getattr(run, name)
            assert x.shape == expected.shape and (ending == "csv" or np.array_equal(x, expected))


@pytest.mark.parametrize("ending", ["npz", "parquet", "csv"])
def test_files_of_something_else(ending, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"run.{ending}"
    for content in (b"", b"hello", b"PK\x03\x04", b"PAR1PAR1", b"\xff\xfe\x00", b"a,b\n1\n", b'"a\n', b"1,2\n3,4\n"):
        path.write_bytes(content)
        refused(path, str(path))


def test_a_foreign_npz_file(tmp_path):
    path = tmp_path / "run.npz"
    np.savez(path, q=np.zeros((3, 2)), weights=np.ones(3))
    refused(path, "it does not name its robot")
    np.savez(path, trajectory=np.array("hello"))
    refused(path, "its header is not articulated/trajectory/1")
    np.savez(path, trajectory=np.array([{"a": 1}], dtype=object), allow_pickle=True)
    refused(path, "trajectory has shape .* of object; it must be \\(\\) of text")


def edited(path, **changes):
    """An NPZ file with a header or arrays changed; None takes an array away."""
    with np.load(path) as archive:
        arrays = dict(archive)
    header = json.loads(str(arrays["trajectory"]))
    header |= changes.pop("header", {})
    arrays |= {"trajectory": np.array(json.dumps(header)), **changes}
    np.savez(path, **{name: x for name, x in arrays.items() if x is not None})


HEADERS = [
    ({"batch": [-1]}, "invalid batch"), ({"batch": [2.5]}, "invalid batch"), ({"batch": "2"}, "no valid batch"),
    ({"joints": [1] * 13}, "not text"), ({"joints": None}, "not text"),
    ({"robot": 3}, "no valid robot"), ({"info": []}, "no valid info"), ({"nq": None}, "no valid nq"),
    ({"joints": ["other"]}, "joints other; quadruped has"), ({"nv": 17}, "nv = 17"), ({"schema": "x/2"}, "header"),
    ({"frames": ["nowhere"]}, "nowhere"),
    ({"contacts": ["a"]}, r"contact_forces has shape \(2, 5, 4, 3\)"),
    ({"description": "[[link]"}, "toml|TOML|its robot"),
    ({"description": "", "robot": "/etc/passwd"}, "robot="), ({"description": "", "robot": "nobody"}, "no robot of"),
    ({"description": "", "robot": "<robot/>"}, "robot="),
]  # fmt: skip


@pytest.mark.parametrize("header, words", HEADERS, ids=[str(header) for header, _ in HEADERS])
def test_headers_that_lie(header, words, tmp_path):
    path = saved(tmp_path, "npz")
    edited(path, header=header)
    refused(path, words)


@pytest.mark.parametrize("changes, words", [
    ({"q": None}, "no array 'q'"), ({"q": np.zeros((2, 5, 18))}, "q has shape"), ({"contact_gaps": None}, "gaps"),
    ({"time": np.zeros(5)}, "t must increase"), ({"v": np.full((2, 5, 18), np.nan)}, "v of floating_base_x is nan"),
    ({"a": np.array(["x"])}, "a has shape .* of <U1; it must be .* of numbers"), ({"forces_0": np.zeros(3)}, "forces"),
])  # fmt: skip
def test_arrays_that_lie(changes, words, tmp_path):
    path = saved(tmp_path, "npz")
    edited(path, **changes)
    refused(path, words)


def test_an_array_larger_than_any_memory(tmp_path):
    path = saved(tmp_path, "npz")
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (2**45, 2**10)})
    with np.load(path) as archive:
        arrays = dict(archive)
    del arrays["q"]
    np.savez(path, **arrays)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("q.npy", header.getvalue())
    refused(path, "q has shape")


def test_zeros_are_not_unpacked_before_their_shape_is_known(tmp_path):
    """30 kB of packed zeros are 32 MB; an array of texts, and the header itself, can be as large."""
    path = saved(tmp_path, "npz")
    with np.load(path) as archive:
        arrays = dict(archive)
    for name, shape, kind, words in [
        ("q", 2**22, "f8", "q has shape"), ("time", 5, "U1500000", "time has shape"),
        ("trajectory", 2, "U4000000", "trajectory has shape .*; it must be \\(\\) of text"),
    ]:  # fmt: skip
        np.savez_compressed(path, **arrays | {name: np.zeros(shape, kind)})
        assert path.stat().st_size < 2**20
        tracemalloc.start()
        refused(path, words)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 2**22, name


def test_no_more_rows_are_read_than_belong_to_the_trajectory(tmp_path):
    path = saved(tmp_path, "parquet")
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.parquet.read_table(path)
    zeros = pyarrow.array(np.zeros(2**16))
    many = pyarrow.table(dict.fromkeys(table.column_names, zeros))  # 60 MB
    pyarrow.parquet.write_table(many.replace_schema_metadata(table.schema.metadata), path, compression="zstd")
    tracemalloc.start()
    refused(path, "it has more rows; 2 × 5 belong")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**25


def test_mutants_of_files(tmp_path):
    assert fuzz.run(200, 5, tmp_path)["loads"] > 5


def test_a_csv_file_that_was_edited(tmp_path):
    path = saved(tmp_path, "csv", rollout(art.load("2r"), 5))
    text = path.read_text()
    header, *lines = text.splitlines()
    for changed, words in [
        ([header, *lines[:-1]], "it has 4 rows; 1 × 5 belong to the trajectory"),
        ([header, *lines, lines[-1]], "it has more rows"),
        (
            [header, lines[0], lines[1].replace(",", ",x", 1), *lines[2:]],
            r"run\.csv:3: 'x.*' in q_joint1 is not a number",
        ),
        ([header, lines[0], lines[1] + ",3", *lines[2:]], r"run\.csv:3: 11 values, but the header has 10"),
        (
            [header.replace("q_joint2", "q_elbow"), *lines],
            "no column 'q_joint2' in the header; it has: time, q_joint1, q_elbow",
        ),
        (
            [header.replace("q_joint2", "q_joint1"), *lines],
            r"'q_joint1' \(column 2\) and 'q_joint1' \(column 3\) are both the q of joint1",
        ),
        ([header, lines[0], lines[2], lines[1], *lines[3:]], "t must increase"),
        ([header, lines[0], "nan" + lines[1][lines[1].index(",") :], *lines[2:]], r"t\[1\] is nan"),
    ]:
        path.write_text("\n".join(changed))
        refused(path, words)
    path.write_text(text.replace("\n", "\r\n"))
    assert len(art.Trajectory.load(path)) == 5  # a spreadsheet's line ends do no harm


def test_a_batch_whose_rows_were_sorted(tmp_path):
    path = saved(tmp_path, "csv")
    header, *lines = path.read_text().splitlines()
    path.write_text("\n".join([header, lines[0], *sorted(lines[1:])]))
    refused(path, "not in order|rows")
