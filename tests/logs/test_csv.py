"""CSV: the numbers of pyarrow are bitwise those of Python, and so are the messages for what is wrong."""

from contextlib import closing

import numpy as np
import pytest

from articulated.logs import TIME, LogError, csv, reader, state_field

pytest.importorskip("pyarrow")

HEADER = "time,q_joint1,note,q_joint2,v_joint1,v_joint2"
FIELDS = [state_field("q", ["joint1", "joint2"]), state_field("v", ["joint1", "joint2"]), TIME]
ODD = ["", " ", "nan", "NaN", "NA", "null", "inf", "-Infinity", "1_000", "+1.5", " 2.5 ", "0x10", "1e400", "1e-400",
       "٣", "nan(1)", '"3.5"', '"3', "1,2", "1.", ".5", "-.5e+3", "1d5", "true", "2020-01-01", "\x00", "é", "1;2",
       "1\r2", "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207",
       "0.1000000000000000055511151231257827021181583404541015625"]  # fmt: skip


def outcome(path):
    """The bytes of the numbers of a log, or its error."""
    try:
        with closing(reader(path)) as log:
            log.require(FIELDS)
            blocks = list(log.blocks(7))
    except LogError as problem:
        return str(problem)
    assert all(len(block["q"]) <= 7 for block in blocks)
    return [np.concatenate([block[field.name] for block in blocks]).tobytes() for field in FIELDS] if blocks else []


def both(path, data, monkeypatch):
    """The outcome with pyarrow, which is that without."""
    path.write_bytes(data)
    found = outcome(path)
    with monkeypatch.context() as patch:
        patch.setattr(csv, "_by_pyarrow", lambda *_: None)
        assert outcome(path) == found, data
    return found


def lines(rng, count):
    for k in range(count):
        numbers = [repr(float(x)) for x in rng.normal(size=5) * 10.0 ** rng.integers(-12, 12)]
        yield f"{k * 0.001!r},{numbers[0]},{k},{','.join(numbers[1:4])}"


def test_pyarrow_and_python_read_alike(tmp_path, monkeypatch, rng):
    path = tmp_path / "log.csv"
    for newline in ("\n", "\r\n"):
        both(path, newline.join([HEADER, *lines(rng, 50)]).encode(), monkeypatch)
    monkeypatch.setattr(csv, "CHUNK", 400)
    rows = list(lines(rng, 30))
    for cell, column in [(cell, column) for cell in ODD for column in (1, 2, 5)]:
        cells = rows[20].split(",")
        cells[column] = cell
        found = both(path, "\n".join([HEADER, *rows[:20], ",".join(cells), *rows[21:]]).encode(), monkeypatch)
        if isinstance(found, str) and cell != '"3':  # that ends in another line
            assert "log.csv:22: " in found, found
    whole, alphabet = "\n".join([HEADER, *rows, ""]).encode(), b'\n\r,"0.e-_ \xff'
    for _ in range(200):
        data = bytearray(whole)
        for at in rng.integers(len(data), size=rng.integers(1, 4)):
            data[at : at + int(rng.integers(0, 3))] = bytes([alphabet[rng.integers(len(alphabet))]])
        both(path, data, monkeypatch)


def test_it_is_pyarrow_that_reads(tmp_path, monkeypatch, rng):
    monkeypatch.setattr(csv.Csv, "_by_python", None)
    path = tmp_path / "log.csv"
    path.write_text("\n".join([HEADER, *lines(rng, 50), ""]))
    assert len(outcome(path)) == 3


def test_a_line_without_end_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(csv, "CHUNK", 400)
    path = tmp_path / "log.csv"
    path.write_text(f"{HEADER}\n{'1' * 4000}")
    assert "a line is longer than 400 bytes" in outcome(path)
