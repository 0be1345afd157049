"""LLVM, as far as we need it: the text of a module in, callable machine code out.

One lock guards all of it, because LLVM's contexts and targets are not thread-safe.  A fork takes the lock
first, so that a child never inherits it while a compilation is under way.
"""

import ctypes
import itertools
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from ..abi import LIBM_SYMBOLS, MEMORY_SYMBOLS, Target, vector_width

#: the reason for no machine code that is a wish
SWITCHED_OFF = "switched off by ARTICULATED_JIT"

LOCK = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)

# What keeps code mapped, and the keys of code that nothing refers to any more.  Code is not unmapped by a finalizer,
# which may run in any thread without the lock, but by the next `load`.
_mapped: dict[int, tuple[Any, Any]] = {}
_retired: list[int] = []
_numbers = itertools.count()


class Refused(Exception):
    """LLVM cannot compile or link a module: nothing that is wrong in the recursion it comes from."""


@contextmanager
def _llvm_at_work() -> Iterator[None]:
    with LOCK:
        try:
            yield
        except RuntimeError as problem:  # what llvmlite raises for any error of LLVM
            raise Refused(str(problem)) from problem


class Code:
    """Machine code, mapped for as long as this object lives: `code["name"]` is the address of a function."""

    def __init__(self, number: int, addresses: Mapping[str, int]):
        self._number = number
        self._addresses = addresses
        self.kept: Any = None  # what the code refers to

    def __getitem__(self, name: str) -> int:
        return self._addresses[name]

    def __del__(self) -> None:
        _retired.append(self._number)


def reason() -> str | None:
    """Reason why kernels cannot be machine code here; None if they can."""
    if os.environ.get("ARTICULATED_JIT", "").lower() in ("off", "0", "no"):
        return SWITCHED_OFF
    return _obstacle()


@cache
def _obstacle() -> str | None:
    try:
        with LOCK:
            _machine()
            _llvm().check_jit_execution()
    except ImportError:
        return "llvmlite is not installed"
    except Exception as problem:
        return f"LLVM cannot run code on this host ({problem})"
    if is_x86() and "fma" not in features():
        return "the processor has no fused multiply-add"
    return None


@cache
def _llvm() -> Any:
    # imported with the first kernel: it takes longer than the rest of the package
    import llvmlite.binding

    return llvmlite.binding


@cache
def _machine() -> Any:
    llvm = _llvm()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    # position-independent code, so that objects can be cached, with 32-bit offsets to constants (the small code model)
    cpu, own = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    # level 1: level 2 schedules instructions once more; the code is no faster, and takes a sixth longer to compile
    return target.create_target_machine(cpu=cpu, features=own, opt=1, reloc="pic", codemodel="small")


@cache
def features() -> frozenset[str]:
    """The instruction sets of the processor, by LLVM's names."""
    return frozenset(name for name, there in _llvm().get_host_cpu_features().items() if there)


def is_x86() -> bool:
    """True if this process runs 64-bit x86 instructions."""
    return _llvm().get_process_triple().startswith(("x86_64", "amd64"))


@cache
def host() -> Target:
    """The processor this process runs on."""
    return Target(vector_width(features()), is_x86())


@cache
def target() -> str:
    """Everything machine code depends on besides its source, as text."""
    llvm = _llvm()
    version = ".".join(map(str, llvm.llvm_version_info))
    return f"LLVM {version}; {llvm.get_process_triple()}; {llvm.get_host_cpu_name()}; {' '.join(sorted(features()))}"


@cache
def c_library() -> Mapping[str, int]:
    """The addresses of `LIBM_SYMBOLS` and `MEMORY_SYMBOLS`."""
    library: Any = ctypes.CDLL("ucrtbase" if os.name == "nt" else None)
    names = (LIBM_SYMBOLS | MEMORY_SYMBOLS).items()
    return {symbol: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for symbol, name in names}


def compile_object(ir: str) -> bytes:
    """The object file of a module given as text; not optimized further, from which kernels gain nothing."""
    llvm = _llvm()
    # a module is closed before its context, also by Ctrl-C
    with _llvm_at_work(), llvm.create_context() as context, llvm.parse_assembly(ir, context) as module:
        return _machine().emit_object(module)


def load(image: bytes, names: Iterable[str], imports: Mapping[str, int] = {}) -> Code:
    """The code of an object file, mapped and linked.  Only for object files that we compiled ourselves.

    `imports` are the addresses of external functions it calls; they must stay valid.
    """
    names, llvm = list(names), _llvm()
    with _llvm_at_work():
        while _retired:
            for part in _mapped.pop(_retired.pop()):
                part.close()
        # a JIT per object: libraries in a shared one are never fully freed (9 kB each, and linking slows down)
        jit = llvm.create_lljit_compiler(_machine(), use_jit_link=os.name != "nt")
        library = llvm.JITLibraryBuilder().add_object_img(image)
        for name in names:
            library.export_symbol(name)
        for name, address in imports.items():
            library.import_symbol(name, address)
        tracker = library.link(jit, "kernel")
        number = next(_numbers)
        _mapped[number] = tracker, jit
        return Code(number, {name: tracker[name] for name in names})
