"""Robots in other libraries: `articulated.torch`, `articulated.jax`, `articulated.casadi`, each imported by itself.

`operations.py` is what they share: a method as an operation on arrays whose derivatives are operations again.
"""
