"""Logs: named numbers over time in files, read and written block by block; one module per format."""

from .formats import FORMATS, Format, format_of, reader, writer
from .log import TIME, Block, Field, Log, LogError, Writer, state_field

__all__ = [
    "FORMATS", "TIME", "Block", "Field", "Format", "Log", "LogError", "Writer",
    "format_of", "reader", "state_field", "writer",
]  # fmt: skip
