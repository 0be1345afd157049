"""A lowered program as the text of LLVM modules, and the emitter that leaves its straight-line code to LLVM."""
