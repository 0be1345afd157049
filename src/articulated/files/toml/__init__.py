"""TOML: reader, its parts and rules, writer."""
