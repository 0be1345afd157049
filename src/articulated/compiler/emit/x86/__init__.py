"""The emitter of straight-line code as x86-64 assembly, inside a module of LLVM."""
