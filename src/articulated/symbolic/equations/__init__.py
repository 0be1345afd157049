"""Closed forms of the equations of motion, and what can be read off them."""
