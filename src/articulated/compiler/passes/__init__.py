"""From an algorithm to a straight-line program with few operations: what is traced, and what is done to it."""
