"""NPZ: an array per field, streamed; shapes are known from the headers of the arrays before numbers are unpacked."""

import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ..housekeeping import whole_file
from ..inputs.labels import SPELLINGS
from ..text import shortened
from .fields import TIME, TIMES, Block, Field, LogError
from .log import HEADER, Log
from .spellings import array_of, is_time, signal_of, words_of

LONGEST = 2**28  # bytes of a header, four a letter
Shape = tuple[int, ...]


class _Array(NamedTuple):
    """An array in the file, at the beginning of its numbers."""

    name: str
    stream: IO[bytes]
    shape: Shape
    dtype: np.dtype
    fortran: bool


class Npz(Log):
    """An NPZ file; the header of a trajectory is the array `trajectory`."""

    def __init__(self, path: Path, file: BufferedReader):
        super().__init__(path, file)
        with self._unpacking():
            self.archive = zipfile.ZipFile(file)
        self.names = [name.removesuffix(".npy") for name in self.archive.namelist()]
        if repeated := [name for name, times in Counter(self.names).items() if times > 1]:
            raise LogError(f"{path}: it holds {shortened(repeated[0])!r} twice; remove one of them")

    @property
    def rows(self) -> int:
        """Length of the arrays that were found."""
        return next((array.shape[0] for array in self.found.values()), 0)

    def header(self) -> str | None:
        """The text in its array."""
        if HEADER not in self.names:
            return None
        array = self._opened(HEADER)
        self._require_shape(array, {()}, "U")
        with self._unpacking():
            return str(self._read(array, ()))

    def find(self, fields: Sequence[Field]) -> list[Field]:
        """Find fields by the names of the arrays, all with the same number of rows."""
        named = {x.name: self._named(x, self.wanted.get(x.name, "")) for x in fields}
        self.found = {name: self._opened(held) for name, held in named.items() if held is not None}
        held = [field for field in fields if field.name in self.found]
        rows = max((0, *next((array.shape[:1] for array in self.found.values()), ())))
        for field in held:
            array = self.found[field.name]
            self._require_shape(array, {(rows, *field.tail), *([(rows, 3), (rows,)] if field.search else [])})
            if array.fortran and field.tail:
                what = f"{array.name} is stored column by column; save np.ascontiguousarray({array.name})"
                raise LogError(f"{self.path}: {what}")
        return held

    def _named(self, field: Field, wanted: str) -> str | None:
        """Name of the array of a field: plainly, or in another spelling."""
        if field.search:
            at = signal_of(self.names, tuple(words_of(wanted)))
            return self.names[at[0]] if at else None
        plainly = (wanted,) if wanted else TIMES if field == TIME else (field.name, *SPELLINGS.get(field.name, ()))
        exact = next((x for x in plainly if x in self.names), None)
        if exact or field.name not in SPELLINGS:
            return exact or (next((x for x in self.names if is_time(words_of(x))), None) if field == TIME else None)
        return array_of(field.name, self.names, wanted, str(self.path))

    def blocks(self, size: int) -> Iterator[Block]:
        """Rows of every array that was found."""
        for start in range(0, self.rows, size):
            rows = (min(size, self.rows - start),)
            found = {name: self._read(array, rows + array.shape[1:]) for name, array in self.found.items()}
            yield {name: x.astype(float, copy=False) for name, x in found.items()}

    def whole(self, shapes: Mapping[str, Collection[Shape]]) -> Block:
        """Arrays by name, each of one of the shapes it may have."""
        if missing := [name for name in shapes if name not in self.names]:
            raise LogError(f"{self.path}: it has no array {missing[0]!r}")
        arrays = {name: self._opened(name) for name in shapes}
        for name, array in arrays.items():
            self._require_shape(array, shapes[name])
        turned = {name: self._read(x, x.shape[::-1] if x.fortran else x.shape) for name, x in arrays.items()}
        return {name: x.T if arrays[name].fortran else x for name, x in turned.items()}

    def _opened(self, name: str) -> _Array:
        with self._unpacking(name):
            stream = self.archive.open(f"{name}.npy")
            version = np.lib.format.read_magic(stream)
            header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = header(stream)
        return _Array(name, stream, shape, dtype, fortran)

    def _require_shape(self, array: _Array, shapes: Collection[Shape], kinds: str = "fiu") -> None:
        if array.shape not in shapes or array.dtype.kind not in kinds or array.dtype.itemsize > LONGEST:
            shown = f"{shortened(array.name)} has shape {shortened(array.shape)} of {shortened(array.dtype)}"
            wanted = " or ".join(map(str, sorted(shapes, key=len)))
            raise LogError(f"{self.path}: {shown}; it must be {wanted} of {'text' if kinds == 'U' else 'numbers'}")

    def _read(self, array: _Array, shape: Shape) -> np.ndarray:
        """The next numbers of an array."""
        wanted = prod(shape) * array.dtype.itemsize
        with self._unpacking(array.name):
            data = array.stream.read(wanted)
            if len(data) < wanted:
                raise EOFError("it ends before its last number")
            return np.frombuffer(data, array.dtype).reshape(shape)

    @contextmanager
    def _unpacking(self, name: str = "") -> Iterator[None]:
        """Around what reads from the archive: zlib.error, LZMAError and their like have no common parent."""
        try:
            yield
        except Exception as problem:
            what = f"{shortened(name)} cannot be unpacked" if name else "not an NPZ file"
            raise LogError(f"{self.path}: {what}: {problem}") from None


class _Writer:
    def __init__(self, fields: Sequence[Field], folder: Path, stack: ExitStack):
        self.files = {field.name: stack.enter_context(tempfile.TemporaryFile(dir=folder)) for field in fields}  # noqa: SIM115
        self.arrays = {field.name: np.empty((0, *field.tail)) for field in fields}
        self.rows = dict.fromkeys(self.files, 0)

    def write(self, block: Mapping[str, Any]) -> None:
        """Kept aside until the number of rows is known."""
        for name, file in self.files.items():
            x = np.ascontiguousarray(block[name])
            file.write(x.data)
            self.rows[name] += len(x)
            self.arrays[name] = x[:0]

    def store(self, archive: zipfile.ZipFile) -> None:
        """The arrays as NumPy would write them."""
        for name, file in self.files.items():
            file.seek(0)
            like = self.arrays[name]
            shape = (self.rows[name], *like.shape[1:])
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array_header_1_0(
                    member, {"descr": like.dtype.str, "fortran_order": False, "shape": shape}
                )
                shutil.copyfileobj(file, member, 1 << 20)


@contextmanager
def write(path: Path, fields: Sequence[Field], header: str) -> Iterator[_Writer]:
    """A writer whose arrays become one archive."""
    with whole_file(path, "wb") as file, ExitStack() as stack:
        writer = _Writer(fields, path.parent, stack)
        yield writer
        with zipfile.ZipFile(file, "w") as archive:
            if header:
                with archive.open(f"{HEADER}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.array(header), allow_pickle=False)
            writer.store(archive)
