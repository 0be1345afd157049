"""Additions to Sphinx: code blocks that run, citations that lead somewhere, help as a reference."""
