"""A lowered program as the text of LLVM modules."""
