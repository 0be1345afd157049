"""From an algorithm to a straight-line program: tracing, algebraic simplification, lowering, scheduling."""
