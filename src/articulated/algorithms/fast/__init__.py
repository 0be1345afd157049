"""Formulations with fewer operations, what they need, and the table of them."""
