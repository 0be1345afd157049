"""The recursions, one family per file: plain functions of (model, q, …), any scalar.

Joint space is `q v a tau M J`; body space, in the axes of each body, is `X V A F S I`, the
letters of the lectures.  Dictionaries are keyed by body; the key None is the world.
"""
