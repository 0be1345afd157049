"""CSV through pyarrow: bitwise the numbers of the reader in Python, and its messages for what is wrong."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.cli.exit_codes import BadInput
from articulated.cli.logs import arrow_csv, csv

pytest.importorskip("pyarrow")

ROBOT = art.load("2r")
HEADER = "time,q_joint1,note,q_joint2,v_joint1,v_joint2"


def outcome(path: Path, fast: bool, monkeypatch, size=100):
    """The states of a log, or what is said of it."""
    with monkeypatch.context() as patch:
        if not fast:
            patch.setattr(arrow_csv, "_pyarrow_csv", lambda: None)
        try:
            with closing(csv.read(path, ROBOT, ["q", "v"], size)) as log:
                blocks = list(log.blocks)
        except BadInput as problem:
            return str(problem)
    assert all(len(block["q"]) <= size for block in blocks)
    return {name: np.concatenate([block[name] for block in blocks]) for name in (blocks[0] if blocks else {})}


def both(path, monkeypatch, **options):
    fast, slow = (outcome(path, way, monkeypatch, **options) for way in (True, False))
    if isinstance(slow, str) or isinstance(fast, str):
        assert fast == slow
    else:
        assert fast.keys() == slow.keys() and all(fast[n].tobytes() == slow[n].tobytes() for n in slow)
    return fast


def lines(rng, count):
    for k in range(count):
        numbers = [repr(float(x)) for x in rng.normal(size=5) * 10.0 ** rng.integers(-12, 12)]
        yield f"{k * 0.001!r},{numbers[0]},{k},{','.join(numbers[1:4])}"


def test_the_same_numbers_to_the_last_bit(tmp_path, monkeypatch, rng):
    monkeypatch.setattr(arrow_csv, "CHUNK", 5000)
    for newline in ("\n", "\r\n"):
        path = tmp_path / "log.csv"
        path.write_text(newline.join([HEADER, *lines(rng, 1000)]), newline="")
        found = both(path, monkeypatch)
        assert found["q"].shape == (1000, 2) and found["time"][-1] == 0.999


def test_it_is_pyarrow_that_reads(tmp_path, monkeypatch, rng):
    monkeypatch.setattr(csv, "_numbers", None)  # the reader in Python would fail at its first line
    path = tmp_path / "log.csv"
    path.write_text("\n".join([HEADER, *lines(rng, 50), ""]))
    assert len(outcome(path, True, monkeypatch)["q"]) == 50


ODD = ["", " ", "nan", "NaN", "NA", "null", "inf", "-Infinity", "1_000", "+1.5", " 2.5 ", "0x10", "1e400", "1e-400",
       "٣", "nan(1)", '"3.5"', '"3', "1,2", "1.", ".5", "-.5e+3", "1d5", "true", "2020-01-01", "\x00", "é", "1;2",
       "1\r2", "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207",
       "0.1000000000000000055511151231257827021181583404541015625"]  # fmt: skip


@pytest.mark.parametrize("cell", ODD)
@pytest.mark.parametrize("column", [1, 2, 5])
def test_odd_cells_are_read_or_refused_alike(cell, column, tmp_path, monkeypatch, rng):
    monkeypatch.setattr(arrow_csv, "CHUNK", 400)
    rows = list(lines(rng, 30))
    cells = rows[20].split(",")
    cells[column] = cell
    path = tmp_path / "log.csv"
    path.write_text("\n".join([HEADER, *rows[:20], ",".join(cells), *rows[21:]]), encoding="utf-8", newline="")
    found = both(path, monkeypatch)
    if isinstance(found, str) and cell not in ('"3', "1\r2"):  # these two end in another line
        assert "log.csv:22: " in found or "no text" in found


def test_mutants_are_read_or_refused_alike(tmp_path, monkeypatch, rng):
    monkeypatch.setattr(arrow_csv, "CHUNK", 600)
    whole = "\n".join([HEADER, *lines(rng, 40), ""]).encode()
    alphabet = b'\n\r,"0.e-_ \xff'
    for _ in range(300):
        data = bytearray(whole)
        for at in rng.integers(len(data), size=rng.integers(1, 4)):
            data[at : at + int(rng.integers(0, 3))] = bytes([alphabet[rng.integers(len(alphabet))]])
        (tmp_path / "log.csv").write_bytes(data)
        both(tmp_path / "log.csv", monkeypatch, size=7)
