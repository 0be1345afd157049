"""Trajectories: arrays over time, derived quantities, files, tables and pictures."""
