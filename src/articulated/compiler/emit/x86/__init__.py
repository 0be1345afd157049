"""A straight-line program as x86-64 assembly, inside a module of LLVM."""
