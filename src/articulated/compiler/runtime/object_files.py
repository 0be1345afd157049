"""The machine code of a kernel's entry points, from the cache or from the text of a module.

The entry points are compiled apart, each when it is first needed, and each has its own file in the cache: most
programs call a function in one of the two ways only, and LLVM takes most of the time of a first call.
What the entry points share, sines and cosines, is compiled once for all kernels.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from ..._imported import unchanged
from ..abi import SINCOS_SYMBOL, Module
from ..source import Source
from . import cache as kernel_cache
from . import engine
from .engine import Code
from .fingerprint import sources


class Modules(Protocol):
    """The entry points of one kernel as text."""

    def entry(self, name: str) -> Module:
        """The entry point `name`."""


@dataclass
class ObjectFiles:
    """The entry points of one kernel in machine code; `emit` and `sincos` are called only for what is not cached."""

    source: Source
    emit: Callable[[Source], Modules]
    sincos: Callable[[str], str]  # the text of the function `SINCOS_SYMBOL` for a precision
    _modules: Modules | None = field(default=None, init=False)  # while an entry point may still be asked for
    _key: str | None = field(default=None, init=False)  # of the source, once known; empty if it has none

    def entry(self, name: str) -> tuple[dict[str, Any], Code, type | None]:
        """The description of the kernel, its entry point `name`, and the type of its result."""
        about, image, result = self._kept(name) or self._compiled(name)
        imports: Mapping[str, int] = {}
        if about["sincos"]:
            precision = self.source.dtype.name
            sincos = _sincos(precision, engine.host().lanes(precision), self.sincos)[SINCOS_SYMBOL]
            imports = {SINCOS_SYMBOL: sincos, **engine.c_library()}
        return about, engine.load(image, [f"articulated_{name}"], imports), result

    def _cache_key(self, entry: str) -> str | None:
        if self._key is None:
            self._key = self.source.identity() or ""
        precision = self.source.dtype.name
        parts = (self._key, precision, str(engine.host().lanes(precision)), engine.target(), entry)
        return kernel_cache.key(*parts) if self._key else None

    def _kept(self, entry: str) -> tuple[dict[str, Any], bytes, type | None] | None:
        result, key = self.source.result, self._cache_key(entry)
        kept = kernel_cache.read(key) if key else None
        return (*kept, result) if kept and kept[0]["fields"] == _fields(result) else None

    def _compiled(self, entry: str) -> tuple[dict[str, Any], bytes, type | None]:
        first = self._modules is None
        self._modules = self._modules or self.emit(self.source)
        module = self._modules.entry(entry)
        image = engine.compile_object(module.text)
        about = {
            "shapes": module.shapes,
            "fields": _fields(module.result),
            "operations": module.operations,
            "sincos": module.sincos,
            "memory": module.memory,
        }
        key = self._cache_key(entry)
        # what was imported since the upgrade of a running program is mixed with what was there before
        if key and module.result is self.source.result and unchanged():
            kernel_cache.write(key, about, image)
        if not first:
            self._modules = None  # both entry points are made
        return about, image, module.result


def _fields(result: type | None) -> list[str] | None:
    return None if result is None else list(getattr(result, "_fields", ()))


@cache
def _sincos(precision: str, lanes: int, text: Callable[[str], str]) -> Code:
    """The function for sines and cosines of vectors of so many lanes, the same for every kernel; kept in the cache."""
    code = sources()
    key = kernel_cache.key(f"sines of {precision}", code, engine.target()) if code else None
    found = kernel_cache.read(key) if key else None
    image = found[1] if found else engine.compile_object(text(precision))
    if key and not found and unchanged():
        kernel_cache.write(key, {}, image)
    return engine.load(image, (SINCOS_SYMBOL,), engine.c_library())
