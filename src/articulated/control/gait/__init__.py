"""Gaits: contact schedules, footholds and swing curves."""
