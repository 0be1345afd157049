"""Controllers traced into compiled code."""
