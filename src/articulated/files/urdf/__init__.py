"""URDF: reader, its parts and rules, writer."""
