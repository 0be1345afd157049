"""The whole-body law: a quadratic programme over tasks, contacts, limits and friction cones."""
