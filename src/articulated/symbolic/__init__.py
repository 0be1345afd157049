"""Closed forms: the recursions on SymPy expressions.  Importing this teaches `scalars` about SymPy."""

from .scalar import symbols_of

__all__ = ["symbols_of"]
