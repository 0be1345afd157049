"""The whole-body law: a quadratic program over tasks, contacts, limits and friction cones."""
