"""MJCF: reader, its parts and rules, writer."""
