"""Logs whose bytes are not what was written: read, or refused in words, whatever unpacks them."""

import zipfile

import numpy as np
import pytest

import articulated as art
from articulated.cli.exit_codes import BadInput
from articulated.cli.logs.formats import open_log

from .command import run

ROBOT = art.load("panda")
PACKED = {"deflate": zipfile.ZIP_DEFLATED, "bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}


def packed(path, packing):
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name in "qva":
            with archive.open(f"{name}.npy", "w") as member:
                np.save(member, np.zeros((5, 7)))
    return path.read_bytes()


def read(path):
    log = open_log(str(path), ROBOT, "qva", 2)
    try:
        return list(log.blocks)
    finally:
        log.close()


@pytest.mark.parametrize("packing", PACKED.values(), ids=PACKED)
def test_no_byte_of_a_packed_log_ends_in_a_traceback(packing, tmp_path):
    log = tmp_path / "log.npz"
    whole, refused = packed(log, packing), 0
    for k in range(len(whole)):
        log.write_bytes(whole[:k] + bytes([whole[k] ^ 0xFF]) + whole[k + 1 :])
        try:
            read(log)
        except BadInput as problem:
            assert "log.npz" in str(problem)
            refused += 1
    assert refused > len(whole) / 4


def test_a_broken_block_is_the_fault_of_the_file(tmp_path):
    log = tmp_path / "log.npz"
    whole = packed(log, zipfile.ZIP_DEFLATED)
    start = whole.index(b"q.npy") + len(b"q.npy") + 20  # after the fields of ZIP64
    log.write_bytes(whole[:start] + b"\xff\xff" + whole[start + 2 :])
    result = run("id", "panda", "--log", log)
    assert result.code == 3 and "q cannot be unpacked" in result.err, result.err


def test_a_column_name_of_parquet_may_be_no_text(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    log = tmp_path / "log.parquet"
    names = [f"{name}_{joint}" for name in "qva" for joint in ROBOT.joint_names]
    parquet.write_table(arrow.table({name: np.zeros(5) for name in [*names, "speedometer"]}), log)
    assert len(read(log)) == 3
    log.write_bytes(log.read_bytes().replace(b"speedometer", b"\xffpeedometer"))
    with pytest.raises(BadInput, match=r"log\.parquet: not a Parquet file"):
        read(log)
