"""Machine code of a kernel in its two forms, for one state and for a batch.

They are compiled apart, each when it is first needed, and each has its own place in the cache: most
programs call a function in one of the two ways only, and LLVM takes most of the time of a first call.
What the forms share, the sines, is compiled once for all kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from ..abi import SINES, lanes_for
from ..source import Source
from . import cache as kernel_cache
from . import engine
from .engine import Code
from .fingerprint import sources

if TYPE_CHECKING:
    from ..passes.trace import Program


def lanes(precision: str) -> int:
    """States in a vector of this processor."""
    return lanes_for(set(engine.features()), precision)


@dataclass
class Objects:
    """The forms of one kernel."""

    source: Source
    _program: "Program | None" = field(default=None, init=False)  # lowered, while a form may still be asked for
    _key: str | None = field(default=None, init=False)  # of the source, once known; empty if it has none

    def form(self, name: str) -> tuple[dict[str, Any], Code, type | None]:
        """What has to be known of the kernel, its function for `name`, and the type of its result."""
        about, image, result = self._kept(name) or self._compiled(name)
        imports = {SINES: sines(self.source.dtype.name)[SINES]} if about["sines"] else {}
        return about, engine.load(image, [f"articulated_{name}"], imports), result

    def _cache_key(self, form: str) -> str | None:
        if self._key is None:
            self._key = self.source.identity() or ""
        precision = self.source.dtype.name
        parts = (self._key, precision, str(lanes(precision)), engine.target(), form)
        return kernel_cache.key(*parts) if self._key else None

    def _kept(self, form: str) -> tuple[dict[str, Any], bytes, type | None] | None:
        result, key = self.source.result, self._cache_key(form)
        kept = kernel_cache.read(key) if key else None
        return (*kept, result) if kept and kept[0]["fields"] == _fields(result) else None

    def _compiled(self, form: str) -> tuple[dict[str, Any], bytes, type | None]:
        from .. import pipeline

        first = self._program is None
        program = self._program = self._program or pipeline.lowered(self.source)
        precision = self.source.dtype.name
        image = pipeline.object_file(program, lanes(precision), precision, form)
        about = {
            "shapes": [output.shape for output in program.outputs],
            "fields": _fields(program.result),
            "operations": len(program) + sum(len(output.entries) for output in program.outputs),
            "sines": pipeline.takes_sines(program),
        }
        key = self._cache_key(form)
        if key and program.result is self.source.result:
            kernel_cache.write(key, about, image)
        if not first:
            self._program = None  # both forms are made
        return about, image, program.result


def _fields(result: type | None) -> list[str] | None:
    return None if result is None else list(getattr(result, "_fields", ()))


@cache
def sines(precision: str) -> Code:
    """The function that takes the sines of an array, the same for every kernel."""

    def text() -> str:
        from .. import pipeline

        return pipeline.sines_text(lanes(precision), precision)

    return kept_code(f"sines of {precision}", text, (SINES,))


def kept_code(title: str, text: Callable[[], str], names: tuple[str, ...], passes: bool = False) -> Code:
    """The code of a module of ours that many kernels use, from the cache if it is there."""
    key = kernel_cache.key(title, sources(), engine.target())
    found = kernel_cache.read(key)
    image = found[1] if found else engine.compile_object(text(), passes)
    if not found:
        kernel_cache.write(key, {}, image)
    return engine.load(image, names)
