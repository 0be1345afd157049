"""Programs run in three ways: NumPy's definition, LLVM batches, LLVM one state at a time."""

import ctypes

import llvmlite.binding as llvm
import numpy as np

from articulated.compiler.abi import Target
from articulated.compiler.emit import numpy as numpy_emitter
from articulated.compiler.emit.llvm import module as llvm_emitter
from articulated.compiler.passes.trace import Program
from articulated.compiler.runtime import engine

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
llvm.initialize_native_asmparser()


def interpreted(program: Program, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The outputs, (states, size) each, by the NumPy source."""
    states, dtype = len(arrays[0]), arrays[0].dtype
    outs = [np.empty((states, len(o.entries)), dtype) for o in program.outputs]
    for out, o in zip(outs, program.outputs, strict=True):
        out[:] = [0.0 if isinstance(entry, tuple) else entry for entry in o.entries]
    with np.errstate(all="ignore"):
        numpy_emitter.compiled(program)(*outs, *(np.ascontiguousarray(x.T) for x in arrays))
    return outs


def target(lanes: int = 4, precision: str = "float64", x86: bool = False) -> Target:
    """A processor with this many lanes; whether it is x86."""
    return Target(lanes * np.dtype(precision).itemsize, x86)


class Compiled:
    """A lowered program as machine code."""

    def __init__(self, program: Program, lanes: int = 4, precision: str = "float64", x86: bool = False):
        self.program, self.dtype = program, np.dtype(precision)
        module, sines = (
            llvm.parse_assembly(text)
            for text in (
                llvm_emitter.ir(program, target(lanes, precision, x86), precision),
                llvm_emitter.sincos_ir(target(lanes, precision, x86), precision),
            )
        )
        module.verify()
        sines.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(),
            features=llvm.get_host_cpu_features().flatten(),
            opt=1,
            reloc="pic",
            codemodel="small",
        )
        module.link_in(sines)
        names = [f"articulated_{name}" for name in ("batch", "one")]
        self._code = engine.load(machine.emit_object(module), names, engine.c_library())  # as kernels are
        batch, one = (self._code[name] for name in names)
        pointer, integer = ctypes.c_void_p, ctypes.c_int64
        self._batch = ctypes.CFUNCTYPE(ctypes.c_int32, integer, pointer, pointer)(batch)
        self._one = ctypes.CFUNCTYPE(None, pointer)(one)

    def batch(self, arrays: list[np.ndarray], states: int | None = None) -> list[np.ndarray]:
        """All states in one call; arrays of shape (1, size) stand for every state."""
        states = max(len(x) for x in arrays) if states is None else states
        outs = [np.full((states, len(o.entries)), np.nan, self.dtype) for o in self.program.outputs]
        strides = [x.strides[0] if len(x) == states else 0 for x in arrays] + [o.strides[0] for o in outs]
        steps = np.array(strides, np.int64)
        self._batch(states, _pointers([*arrays, *outs]).ctypes.data, steps.ctypes.data)
        return outs

    def finite(self, arrays: list[np.ndarray]) -> bool:
        """Whether a call finds all numbers of its arguments finite."""
        outs = [np.empty((len(arrays[0]), len(o.entries)), self.dtype) for o in self.program.outputs]
        steps = np.array([x.strides[0] for x in (*arrays, *outs)], np.int64)
        return not self._batch(len(arrays[0]), _pointers([*arrays, *outs]).ctypes.data, steps.ctypes.data)

    def each(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """State by state."""
        outs = [np.full((len(arrays[0]), len(o.entries)), np.nan, self.dtype) for o in self.program.outputs]
        for i in range(len(arrays[0])):
            self._one(_pointers([x[i] for x in (*arrays, *outs)]).ctypes.data)
        return outs


def _pointers(arrays: list[np.ndarray]) -> np.ndarray:
    return np.array([x.ctypes.data for x in arrays], np.int64)
