"""Ranks and subspaces of the contact Jacobian."""
