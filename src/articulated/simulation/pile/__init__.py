"""Scenes of many free bodies: a step whose bodies and contacts are rows of arrays."""
