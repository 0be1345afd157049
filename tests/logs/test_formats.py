"""Every row of FORMATS: what is written is read, what is damaged is refused in words, extras are named."""

import random
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from articulated.cli import options
from articulated.errors import MissingExtra
from articulated.logs import FORMATS, TIME, Field, LogError, reader, state_field, writer

FIELDS = [
    TIME, state_field("q", ["elbow", "é☃ x\n"]), Field("M", [f"M_{k}" for k in range(4)], (2, 2)),
    Field("states", ["states"]),
]  # fmt: skip
HEADER = '{"name": "a,\\"b\\"☃"}'
PACKAGES = {"data": "pyarrow"}


@pytest.fixture(params=FORMATS)
def path(request, tmp_path):
    if FORMATS[request.param].extra:
        pytest.importorskip(PACKAGES[FORMATS[request.param].extra])
    return tmp_path / f"log{request.param}"


def numbers(rows, seed=0):
    rng = np.random.default_rng(seed)
    found = {field.name: rng.normal(size=(rows, *field.tail)) * 10.0 ** rng.integers(-200, 200) for field in FIELDS}
    return found | {"states": rng.integers(0, 3, rows).astype(np.int8)}


def write(path, blocks, header=HEADER):
    with writer(path, FIELDS, header) as file:
        for block in blocks:
            file.write(block)


def read(path, size=4, fields=FIELDS):
    """The blocks of a log and its header."""
    with closing(reader(path)) as log:
        header = log.header()
        log.require(fields)
        return list(log.blocks(size)), header


@pytest.mark.parametrize("header", [HEADER, ""])
def test_what_is_written_is_read(path, header):
    """To the last bit, in blocks of any size, and another time with the fields in another order."""
    blocks = [numbers(3), numbers(0), numbers(8, seed=1)]
    write(path, blocks, header)
    for fields in (FIELDS, FIELDS[::-1]):
        found, about = read(path, 4, fields)
        assert (about or "") == header and all(len(block["q"]) <= 4 for block in found)
        for field in FIELDS:
            x, y = (np.concatenate([block[field.name] for block in those]) for those in (blocks, found))
            assert y.dtype == float and x.shape == y.shape, field.name
            assert x.astype(float).tobytes() == y.tobytes(), field.name


def test_no_rows_are_a_log(path):
    write(path, [], "")
    assert read(path) == ([], None)


def test_fields_that_are_not_there_are_named(path):
    write(path, [numbers(3)])
    with closing(reader(path)) as log:
        assert log.find([state_field("v", ["elbow"]), FIELDS[1]]) == [FIELDS[1]]
        with pytest.raises(LogError, match="v_elbow"):
            log.require([state_field("v", ["elbow"])])


def test_what_is_damaged_is_read_or_refused_in_words(path):
    """Truncated, with bytes changed, something else altogether: never an error of another library."""
    write(path, [numbers(20)])
    whole, rng, refused = path.read_bytes(), random.Random(3), 0
    mutants = [b"", b"\n", b"hello", b"PK\x03\x04", b"PAR1PAR1", b"\xff\xfe\x00", b'"a\n', b"1,2\n3,4\n"]
    mutants += [whole[: rng.randrange(len(whole))] for _ in range(30)]
    for _ in range(300):
        data = bytearray(whole)
        for at in (rng.randrange(len(data)) for _ in range(rng.randint(1, 3))):
            data[at : at + rng.randint(0, 2)] = bytes([rng.choice(b'\n\r,"0.e-_ \xff\0')])
        mutants.append(bytes(data))
    for data in mutants:
        path.write_bytes(data)
        try:
            read(path)
        except LogError as problem:
            assert str(path) in str(problem)
            refused += 1
    assert refused > len(mutants) / 4


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_no_byte_of_a_packed_archive_meets_a_foreign_error(packing, tmp_path):
    path = tmp_path / "log.npz"
    with zipfile.ZipFile(path, "w", packing) as archive, archive.open("q.npy", "w") as member:
        np.save(member, np.zeros((5, 2)))
    whole, refused = path.read_bytes(), 0
    for k in range(len(whole)):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 0xFF]) + whole[k + 1 :])
        try:
            read(path, 2, FIELDS[1:2])
        except LogError:
            refused += 1
    assert refused > len(whole) / 4


def test_pages_and_options_have_every_format():
    pages = {
        name: (Path(__file__).parents[2] / name).read_text("utf-8") for name in ("docs/cli.md", "docs/trajectories.md")
    }
    pages |= {"--log": options.Log.help, "--output": options.Output.help}
    assert not [(name, ending) for name, text in pages.items() for ending in FORMATS if ending not in text]


def test_endings_nobody_knows_name_those_that_are_known(tmp_path):
    for call in (lambda path: reader(path), lambda path: writer(path, FIELDS)):
        for name in ("log.xls", "log", "log.pkl"):
            with pytest.raises(LogError, match=f"no kind of file.*{', '.join(FORMATS)}"):
                call(tmp_path / name)
        with pytest.raises(LogError, match="is a folder"):
            call(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", FORMATS)
def test_a_format_works_without_packages_or_names_its_extra(ending, tmp_path, monkeypatch):
    for package in PACKAGES.values():
        monkeypatch.setitem(sys.modules, package, None)
    path, extra = tmp_path / f"log{ending}", FORMATS[ending].extra
    if extra:
        path.touch()
        for call in (lambda: reader(path), lambda: writer(path, FIELDS)):
            with pytest.raises(MissingExtra, match=rf"pip install 'articulated\[{extra}\]'"):
                call()
    else:
        write(path, [numbers(3)])
        assert len(read(path)[0]) == 1
